//! Overlap of projections on a direction, as in the separating axis test (SAT): an upper bound on
//! the penetration depth that needs no search.
//!
//! A point of one solid that is d below the other's surface has a ball of radius d in the other
//! around it; so on every direction the two projections overlap by at least d. Solids that only
//! touch have projections that only touch: on the normal of a face in contact, mostly.

use super::convex::starts;
use super::pair::{Side, SolidPair};
use crate::point::Placed;
use crate::vector::unit;
use glam::DVec3;

impl SolidPair<'_> {
    /// The least overlap of the solids' projections on the axes, on the diagonals between them, and
    /// on the normals of two triangles: the local depth is at most that.
    pub(super) fn least_overlap(&self, triangles: [(Side, u32); 2]) -> f64 {
        let (a, b) = (self.placed(Side::A), self.placed(Side::B));
        let normals = triangles.into_iter().filter_map(|(body, triangle)| {
            let [p, q, r] = self.placed(body).triangle(triangle);
            unit((q - p).cross(r - p))
        });
        let directions = starts().chain(normals.flat_map(|normal| [normal, -normal]));
        let overlaps = directions.map(|direction| {
            let (last_of_a, first_of_b) = (last(&a, direction), -last(&b, -direction));
            // Products with the axes are exact; others are off by a few ulps of the coordinates.
            let is_axis = direction.abs().max_element() == 1.0;
            let size = a.model.mesh().max_coordinate() + b.model.mesh().max_coordinate() + first_of_b.abs();
            last_of_a - first_of_b + if is_axis { 0.0 } else { 8.0 * f64::EPSILON * size }
        });
        // The difference is rounded, too.
        overlaps.fold(f64::INFINITY, f64::min).max(0.0) * (1.0 + f64::EPSILON)
    }
}

/// How far the solid reaches along a direction.
fn last(placed: &Placed<'_>, direction: DVec3) -> f64 {
    let along = placed.model.mesh().vertices().iter().map(|&vertex| placed.point(vertex).dot(direction));
    along.fold(f64::NEG_INFINITY, f64::max)
}
