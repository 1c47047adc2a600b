//! Scenes (collision worlds) of many bodies that move, with a broad phase: which of them touch,
//! where, how far apart are they?
//!
//! ```
//! use nearhit::scene::{BodySpec, Scene, Shape};
//! use nearhit::{Mesh, Model, Pose};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
//! let shape = Shape::mesh(Model::new(mesh));
//!
//! let mut scene = Scene::default();
//! let place = |x: f64| Pose::from_translation([x, 0.0, 0.0]);
//! let ship = scene.insert(BodySpec::rigid("ship", shape.clone()).at(place(0.0)?))?;
//! scene.insert(BodySpec::rigid("drone", shape.clone()).at(place(0.5)?))?;
//! scene.insert(BodySpec::rigid("station", shape).at(place(4.0)?).fixed())?;
//!
//! let touching = scene.settle().colliding()?;
//! assert_eq!(touching.found.len(), 1);
//! assert_eq!((touching.found[0].a.body, touching.found[0].b.body), ("ship", "drone"));
//!
//! scene.set_pose(ship, place(2.5)?)?;
//! let now = scene.settle();
//! assert!(now.colliding()?.found.is_empty());
//! assert_eq!(now.closest()?.map(|gap| gap.b.body), Some("station"));
//! assert_eq!(now.within(0.75)?.found.len(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! # Shapes
//!
//! A part is any [`Shape`]: a mesh, a ball, a box, a hull, a half-space, each with a margin if
//! wanted. Two meshes without margins are asked about by [`Pair`](crate::Pair), all others by
//! [`ShapePair`](crate::shape::ShapePair).
//!
//! # Surfaces and solids
//!
//! Shapes are solids but for meshes, which are surfaces unless they are said to be solids: by
//! [`Shape::solid`], all of a scene by [`Scene::solid`], one by [`BodySpec::solid`] (or
//! [`BodySpec::surface`] in a scene of solids).
//!
//! * Two parts are **in contact** when their surfaces share a point, or when a piece of one is
//!   inside the other and the other, around it, is a solid. A surface has no inside for anything to
//!   be in: a solid within a closed surface is free.
//! * Two solid meshes have a **signed distance**, that of
//!   [`SolidPair::distance`](crate::SolidPair::distance): below zero, the negative of how deep the
//!   deepest point of one surface is below the other, as an interval. Frames do not measure depths.
//! * Two convex shapes in contact have minus their
//!   [penetration depth](crate::shape::ShapePair::penetration).
//! * All others, a solid and a surface, a mesh and a convex shape, two grown meshes, have the
//!   distance 0 when they are in contact.
//! * What is inside is told by [`Model::inside_method`](crate::Model::inside_method): exactly for
//!   closed meshes, by winding numbers for those with holes. What that takes is made when a body is
//!   inserted or gets another shape, never within a question.
//!
//! A [`Scene`] is told what moves; [`Scene::settle`] brings its broad phase up to date and lends it
//! out for questions, which take `&self`. Answers do not depend on the broad phase or the number of
//! threads, to the last bit.
//!
//! | file | question |
//! |---|---|
//! | `body`, `slots`, `lookup`, `filter` | what is in a scene, and which pairs matter |
//! | `edit` | what changes a scene |
//! | `extent`, `broad/` | who is near whom (one trait, four ways; ADR 18) |
//! | `part_pair`, `solids` | two parts: any shapes; two meshes, each a surface or a solid |
//! | `ask` | every question, scene-wide with one bound |
//! | `frame`, `pace` | what is certain when a frame must end, and how much time it has |
//! | `changes`, `ranks` | what the broad phase must hear, and who comes first in a frame |
//! | `deform` | meshes that change |
//! | `motion`, `first_contact`, `contact_intervals`, `impact`, `meetings` | when do two moving shapes touch, first and in all; when does something of a scene (ADR 19) |
//! | `path`, `displacement` | a series of poses: the first that touches, the smallest clearance |

mod ask;
mod body;
pub(crate) mod broad;
mod changes;
pub(crate) mod contact_intervals;
pub(crate) mod deform;
mod displacement;
mod edit;
mod error;
mod extent;
mod filter;
mod first_contact;
mod frame;
mod impact;
mod lookup;
pub(crate) mod meetings;
mod motion;
pub(crate) mod pace;
mod part_pair;
mod path;
mod ranks;
mod slots;
mod solids;

pub use crate::shape::Shape;
pub use ask::{Answer, Gap, Member, Settled, Touch, Touching};
pub use body::{Body, BodySpec, Part};
use broad::{BroadKind, BroadPhase};
pub use deform::{DeformError, Deforming};
pub use error::SceneError;
pub use filter::Who;
pub use first_contact::{FirstContact, MotionError, Moving, first_contact};
pub use frame::{Detector, Frame, FramePair};
pub use impact::Impact;
pub use motion::Motion;
pub use path::{PathClearance, PathContact, PathError, PosePath};
pub use slots::BodyId;

use crate::traverse::Limit;
use broad::Items;
use changes::Changes;
use filter::Filter;
use ranks::Ranks;
use slots::Slots;
use std::collections::HashMap;

/// A part of a body: the body's id and the number of the part, in the order in which the parts were
/// named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId {
    /// Whose part.
    pub body: BodyId,
    /// Which, from 0.
    pub part: u32,
}

/// A scene (collision world): bodies with a broad phase.
///
/// ```
/// use nearhit::scene::{BodySpec, Scene, Shape};
/// # use nearhit::{Mesh, Model, Pose, Side, SolidContact};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let tetrahedron = |size: f64| {
/// #     let corners = [[-1.0, -1.0, -1.0], [3.0, -1.0, -1.0], [-1.0, 3.0, -1.0], [-1.0, -1.0, 3.0]];
/// #     let corners = corners.map(|corner: [f64; 3]| corner.map(|x| x * size));
/// #     Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
/// # };
/// # let (plate, chip) = (Shape::mesh(Model::new(tetrahedron(4.0)?)), Shape::mesh(Model::new(tetrahedron(0.5)?)));
/// // Their surfaces do not touch: the chip is inside the plate.
/// let mut surfaces = Scene::default();
/// let mut solids = Scene::default().solid();
/// for scene in [&mut surfaces, &mut solids] {
///     scene.insert(BodySpec::rigid("plate", plate.clone()))?;
///     scene.insert(BodySpec::rigid("chip", chip.clone()))?;
/// }
/// assert!(surfaces.settle().colliding()?.found.is_empty());
/// let touching = solids.settle().colliding()?.found;
/// assert_eq!(touching[0].contact.inside(), Some(Side::B), "the second, the chip, is inside the first");
/// assert!(solids.settle().closest()?.is_some_and(|gap| gap.distance.upper < -2.0), "more than 2 deep");
/// # Ok(())
/// # }
/// ```
#[doc(alias = "collision world")]
#[doc(alias = "broad phase")]
#[derive(Debug)]
pub struct Scene {
    bodies: Slots<Body>,
    names: HashMap<String, BodyId>,
    filter: Filter,
    items: Items,
    free_keys: Vec<u32>,
    changes: Changes,
    ranks: Ranks,
    broad: Box<dyn BroadPhase>,
    volume: Option<&'static str>,
    /// Are bodies solids that do not say what they are?
    solid_unless_said: bool,
    /// Was a solid mesh ever inserted? Then all models are ready to tell what is inside.
    has_solids: bool,
}

impl Default for Scene {
    fn default() -> Self {
        Self::with_broad_phase(BroadKind::default().into())
    }
}

impl Scene {
    /// An empty scene with a broad phase of your own.
    #[must_use]
    pub(crate) fn with_broad_phase(broad: Box<dyn BroadPhase>) -> Self {
        Self {
            bodies: Slots::new(),
            names: HashMap::new(),
            filter: Filter::default(),
            items: Items::default(),
            free_keys: Vec::new(),
            changes: Changes::default(),
            ranks: Ranks::new(),
            broad,
            volume: None,
            solid_unless_said: false,
            has_solids: false,
        }
    }

    /// Bodies inserted from now on are solids unless they say otherwise ([`BodySpec::surface`]).
    #[must_use]
    pub fn solid(self) -> Self {
        Self { solid_unless_said: true, ..self }
    }

    /// Updates the broad phase; the scene can then be queried.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// let left = scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// let right = scene.insert(BodySpec::rigid("right", cube).at(at(1.5, 0.0, 0.0)))?;
    /// let now = scene.settle(); // queries of it take `&self`
    /// assert_eq!(now.colliding()?.found.len(), 1);
    /// assert_eq!(now.within(10.0)?.found.len(), 1);
    /// # let _ = (left, right);
    /// # Ok(())
    /// # }
    /// ```
    pub fn settle(&mut self) -> Settled<'_> {
        self.broad.update(&self.items, &self.changes.take(usize::MAX));
        Settled { scene: self, limit: Limit::None }
    }
}
