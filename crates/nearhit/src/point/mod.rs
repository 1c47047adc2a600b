//! Points and rays against one model: the closest point, the signed distance, inside or outside,
//! ray casts.
//!
//! ```
//! use nearhit::{Mesh, Model, Location, Ray, Scratch};
//! use glam::DVec3;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let solid = Model::new(Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?);
//! let mut scratch = Scratch::new();
//!
//! let point = DVec3::splat(0.125);
//! assert_eq!(solid.contains(point, &mut scratch)?.location, Location::Inside);
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
//! Points and rays run on the default engine's tree, whatever volume the model was made with;
//! coordinates beyond its range are looked at one by one.

mod closest;
mod contains;
mod order;
mod placed;
mod ray;

pub use closest::{ClosestPoint, NearTriangle, SignedDistance};
pub use contains::{Containment, Location};
pub(crate) use placed::Placed;
pub use ray::RayHit;

use crate::packed::point::Open;
use crate::packed::winding::Seen;

/// Working memory for points and rays: part of the caller's [`Scratch`](crate::query::Scratch).
#[derive(Debug, Default)]
pub(crate) struct Room {
    pub(crate) open: Open,
    seen: Seen,
    near: Vec<NearTriangle>,
    hits: Vec<RayHit>,
    /// In a batch on one model: the triangle nearest to the point before.
    last: Option<u32>,
}
