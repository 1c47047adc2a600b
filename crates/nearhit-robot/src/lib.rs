//! Robots: a URDF in, links, joints and where they are out.

mod check;
mod error;
mod geometry;
mod jacobian;
mod joint;
mod kinematics;
mod motion;
mod random;
mod resource;
mod robot;
mod srdf;
mod tree;
mod urdf;
mod xml;

pub use check::{
    Allowed, AllowedCollisions, Body, BodyPair, CheckOptions, CheckScratch, Checker, Closest, Owner, PairDistance,
    Solids,
};
pub use error::{CheckError, ConfigurationError, Problem, RobotError};
pub use geometry::{Geometry, LinkGeometry};
pub use jacobian::JacobianColumn;
pub use joint::{Joint, JointKind, Limits, Mimic};
pub use kinematics::ROUNDING;
pub use motion::{PathCheck, PathOptions, PathVerdict, Undecided};
pub use random::Random;
pub use resource::SearchPath;
pub use robot::{ReadOptions, Robot};
pub use srdf::{DisabledPair, Group, GroupState, LinkSpheres, Semantics};
pub use urdf::{Link, Wanted};
pub use xml::Ignored;
