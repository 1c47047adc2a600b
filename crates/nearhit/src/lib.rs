//! Collision detection and distance queries for triangle meshes: exact, or certified bounds within
//! a time budget.
//!
//! ```
//! use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings, Verdict};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Two triangles: any soup will do, from slices or from a file (crate nearhit-io).
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let a = Model::new(Mesh::new(&corners, &[[0, 1, 2]])?);
//! let b = a.clone();
//!
//! // Where they are: world_from_a and world_from_b.
//! let quarter_turn = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]];
//! let upright = Pose::from_rows(quarter_turn, [0.0, 0.25, -0.5])?;
//! let pair = Pair::new(&a, &Pose::IDENTITY, &b, &upright)?;
//!
//! // Working memory is yours: one Scratch per thread, queries take &self.
//! let mut scratch = Scratch::new();
//! let collision = pair.collide(&Settings::default(), &mut scratch);
//! assert_eq!(collision.verdict, Verdict::Yes);
//!
//! // Which triangles, and along what?
//! let contacts = pair.contacts(&Settings::default(), &mut scratch);
//! assert_eq!(contacts.pairs.len(), 1);
//! let shared = pair.overlap(contacts.pairs[0]);
//! assert_eq!(shared.points().len(), 2);
//! println!("{:?} after {} volume tests", shared, contacts.stats.volume_tests);
//! # Ok(())
//! # }
//! ```
//!
//! # What an answer means
//!
//! * Meshes are **surfaces**, unless asked about as solids ([`solid`]): they touch when a triangle
//!   of one and a triangle of the other share a point. Touching counts.
//! * The exact question is asked of rounded numbers: b's vertices are moved into a's frame by
//!   [`Pose::apply`], a's are taken as they are. The answer is then the one of exact arithmetic,
//!   for every volume, agenda, thread count and CPU.
//! * A query that runs out of its [`Budget`] says so ([`Verdict::Maybe`]); it never guesses.
//! * Bad data is a typed error with index and value; degenerate and duplicate triangles are legal.
//!
//! # The map
//!
//! [`mesh`] and [`pose`] come in, a [`Model`] is a mesh with its tree; [`query`] asks about two of
//! them, [`batch`] many times at once; [`anytime`] when there is little time. [`point`] asks about
//! points and rays. [`scene`] holds many bodies that move. [`solid`] tells inside from outside, and
//! how deep. [`shape`] has primitives and convex hulls, beside each other and beside meshes.
//! [`clash`] finds clashes between the parts of an assembly. [`report`] is every answer as plain
//! data. [`diagnostics`] tells what is unusual about a mesh, [`file`](mod@file) keeps a mesh with
//! its tree. [`research`] is the machinery below: bounding volumes, hierarchies, builders, exact
//! predicates, average-case trees.
//!
//! # Features
//!
//! * `parallel` (default): builders, batches, scenes and clash searches on all cores, by rayon.
//!   Without it everything runs in the calling thread, with the same answers.
//! * `serde`: every answer as plain data ([`report`]) can be serialised.
//! * `mint`: poses from and to the types of other mathematics libraries.

pub mod anytime;
pub mod batch;
mod bounds;
mod build;
mod bytes;
pub mod clash;
pub mod diagnostics;
pub mod error;
pub mod file;
mod hierarchy;
mod inside;
#[cfg(feature = "mint")]
mod interop;
mod lazy;
pub mod mesh;
pub mod model;
mod packed;
mod parallel;
pub mod point;
pub mod pose;
mod primitive;
pub mod query;
pub mod report;
pub mod research;
pub mod scene;
pub mod shape;
mod shortcuts;
pub mod solid;
mod traverse;
mod vector;
mod volume;

pub use anytime::{Refined, Refinement, SpherePair, SphereTree};
pub use diagnostics::Diagnostics;
pub use error::{MAX_COORDINATE, MeshError, PoseError, QueryError};
pub use file::FileError;
/// Vectors, rotations and matrices: the library speaks `DVec3` and friends of this version.
pub use glam;
pub use inside::InsideMethod;
pub use mesh::{Mesh, RawMesh, Triangle};
pub use model::Model;
pub use packed::{Preset, UnknownPreset};
pub use point::{ClosestPoint, Containment, Location, NearTriangle, RayHit, SignedDistance};
pub use pose::Pose;
pub use primitive::ray::Ray;
pub use query::{
    Assessment, Collision, Contacts, Distance, Interval, NearPair, NearPairs, Pair, Scratch, Seed, Settings, Tolerance,
    TrianglePair, Verdict, Within,
};
pub use shortcuts::{collide, contacts, distance, within};
pub use solid::{
    ContactPoint, ContactRegion, ContactRegions, Curve, LocalDepth, Side, SolidCollision, SolidContact, SolidOverlap,
    SolidPair, TranslationalDepth,
};
pub use traverse::{Budget, Clock, Limit, LimitError, Stats, WallClock};

/// The code of the crate's README is compiled with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
