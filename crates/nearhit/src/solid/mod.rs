//! Meshes as solids: containment, penetration depth, contact regions, overlap volume.
//!
//! The **solid** of a mesh is its surface together with every point that it winds around: those
//! with a winding number other than zero. So shells may be nested, a shell that faces inwards is a
//! cavity, parts may overlap, and a mesh that is inside out as a whole is the same solid.
//! [`Model::inside_method`](crate::Model::inside_method) tells by which
//! [`InsideMethod`](crate::inside::InsideMethod) a mesh is judged: exactly if it is closed, by its
//! generalised winding number if it has holes.
//!
//! Points and rays against one solid are in [`crate::point`].

mod collide;
mod concentric;
mod convex;
mod curves;
mod deep_vertices;
mod distance;
mod interior_vertices;
mod local_depth;
mod overlap;
mod pair;
mod projection_overlap;
mod regions;
mod translation;

pub use collide::{SolidCollision, SolidContact};
pub use curves::Curve;
pub use local_depth::LocalDepth;
pub use overlap::SolidOverlap;
pub use pair::{Side, SolidPair};
pub use regions::{ContactPoint, ContactRegion, ContactRegions};
pub use translation::TranslationalDepth;
