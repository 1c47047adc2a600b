//! Meshes as solids: what is inside, how deep, along which direction. And single points and rays.
//!
//! The **solid** of a mesh is its surface together with every point that it winds around: those with a winding number other than zero. So shells may be nested, a shell that faces inwards
//! is a cavity, parts may overlap, and a mesh that is inside out as a whole is the same solid. [`Model::inside`](crate::Model::inside) tells by which [`Method`] a mesh is judged: exactly if it is closed,
//! by its generalised winding number if it has holes.
//!
//! ```
//! use nearhit::{Mesh, Model, Place, Ray, Scratch};
//! use glam::DVec3;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let solid = Model::new(Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?);
//! let mut scratch = Scratch::new();
//!
//! let point = DVec3::splat(0.125);
//! assert_eq!(solid.contains(point, &mut scratch)?.place, Place::Inside);
//! assert_eq!(solid.signed_distance(point, &mut scratch)?.distance, -0.125);
//! assert_eq!(solid.closest_point(DVec3::new(2.0, 0.0, 0.0), &mut scratch)?.distance, 1.0);
//!
//! let ray = Ray::new(DVec3::new(0.25, 0.25, -1.0), DVec3::Z)?;
//! assert_eq!(solid.first_hit(&ray, &mut scratch).map(|hit| hit.distance), Some(1.0));
//! assert_eq!(solid.all_hits(&ray, &mut scratch).len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! Points and rays run on the default engine's tree, whatever volume the model was made with; coordinates beyond its range are looked at one by one.

mod collide;
mod concentric;
mod convex;
mod curves;
mod deepest;
mod distance;
mod inside;
mod pair;
mod placed;
mod point;
mod ray;
mod regions;
mod shadows;
mod shell;
mod submerged;
mod translation;

pub use collide::{SolidCollision, SolidContact};
pub use curves::Curve;
pub use deepest::Deepest;
pub use distance::{SolidDistance, SolidWithin};
pub use inside::{Containment, Inside, Method, Place};
pub use pair::{Body, SolidPair};
pub(crate) use placed::Placed;
pub use point::{ClosestPoint, NearTriangle, SignedDistance};
pub use ray::RayHit;
pub use regions::{ContactPoint, ContactRegion, ContactRegions};
pub use translation::TranslationalDepth;

use crate::packed::point::Open;
use crate::packed::winding::Seen;
use std::collections::BinaryHeap;

/// Working memory for this folder's questions: part of the caller's [`Scratch`](crate::Scratch).
#[derive(Debug, Default)]
pub(crate) struct Room {
    open: Open,
    seen: Seen,
    near: Vec<NearTriangle>,
    hits: Vec<RayHit>,
    parts: BinaryHeap<deepest::Part>,
}

impl Room {
    /// For searches from a point.
    pub(crate) fn open(&mut self) -> &mut Open {
        &mut self.open
    }
}
