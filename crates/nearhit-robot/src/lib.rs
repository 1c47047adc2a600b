//! Robots (URDF, SRDF): kinematics, collision checks, certified motion and collision matrices.
//!
//! [`Robot`] is a tree of links and joints: [`Robot::read`], [`Robot::link_poses`] (forward
//! kinematics), [`Robot::point_jacobian`]. [`Checker`] gives its links their shapes, a world around
//! it and pairs that are checked: [`Checker::collides`], [`Checker::contacts`],
//! [`Checker::closest`]. [`Checker::path_clear`] certifies a straight line in joint space.
//!
//! # What an answer means
//!
//! * Bodies are solids: primitives by nature, meshes where they are closed ([`Solids`]). Touching
//!   counts. Yes and no are those of [`nearhit::shape`] at the poses that [`Robot::link_poses`]
//!   computes.
//! * Poses state their rounding ([`ROUNDING`]). What is proven over a motion holds for every
//!   instant, in real arithmetic and for computed poses.
//! * Which pairs are checked is [`AllowedCollisions`]: not those of links that are one piece or
//!   neighbours, nor those that an SRDF disables.
//! * Queries take `&self`; working memory is a [`CheckScratch`] for each thread.
//!
//! Lengths are metres (meshes in other units are converted), angles are radians.

mod check;
mod configuration;
mod error;
mod example;
mod geometry;
mod jacobian;
mod joint;
mod kinematics;
mod matrix;
mod motion;
mod random;
mod resource;
mod robot;
mod spheres;
mod srdf;
mod tree;
mod urdf;
mod xml;

pub use check::{
    Allowed, AllowedCollisions, Body, BodyPair, CheckOptions, CheckScratch, Checker, Closest, PairDistance,
    ParentFrame, Solids,
};
pub use error::{CheckError, ConfigurationError, Problem, RobotError};
pub use example::{EXAMPLE_SRDF, EXAMPLE_URDF};
pub use geometry::{Geometry, LinkGeometry};
pub use jacobian::JacobianColumn;
pub use joint::{Joint, JointKind, Limits, Mimic};
pub use kinematics::ROUNDING;
pub use matrix::{MatrixEntry, MatrixError, MatrixOptions, MatrixSearch, PairVerdict};
pub use motion::{PathCheck, PathOptions, PathVerdict, Undecided};
pub use random::Random;
pub use resource::SearchPath;
pub use robot::{ReadOptions, Robot};
pub use spheres::{MeshSpheres, SphereCount, SphereFormat};
pub use srdf::{DisabledPair, Group, GroupState, LinkSpheres, Semantics};
pub use urdf::{Link, LoadGeometry, pose_of_origin};
pub use xml::Ignored;

/// The code of the crate's README is compiled with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
