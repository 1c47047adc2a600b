//! For which lengths of a move are two triangles in each other's way?
//!
//! They meet while the move lies in the difference of the two sets, a polytope whose faces are
//! across the triangles' normals and the products of their edges. Other axes do no harm, so what is
//! degenerate or rounded only widens the interval; normals of their edges in the plane help
//! triangles that are parallel.

use crate::mesh::Triangle;
use crate::volume::Blocked;
use glam::DVec3;

/// Moving b along the unit vector `direction`, both in one frame. `slack` covers the rounding of a
/// coordinate along a unit axis.
pub(super) fn blocked_by_triangles(a: &Triangle, b: &Triangle, direction: DVec3, slack: f64) -> Blocked {
    let (edges_a, edges_b) = (edges(a), edges(b));
    let normal_a = unit(edges_a[0].cross(edges_a[1]));
    let normal_b = unit(edges_b[0].cross(edges_b[1]));
    let in_plane = |edges: [DVec3; 3], normal: DVec3| edges.map(|edge| unit(edge.cross(normal)));
    let across = edges_a.into_iter().flat_map(|edge| edges_b.map(|other| unit(edge.cross(other))));
    [normal_a, normal_b, DVec3::X, DVec3::Y, DVec3::Z]
        .into_iter()
        .chain(in_plane(edges_a, normal_a))
        .chain(in_plane(edges_b, normal_b))
        .chain(across)
        .filter(|axis| axis.is_finite())
        .fold(Blocked::ALWAYS, |blocked, axis| {
            let ((low_a, high_a), (low_b, high_b)) = (shadow(a, axis), shadow(b, axis));
            let reach = 4.0 * slack;
            blocked.narrowed(low_a - high_b - reach, high_a - low_b + reach, axis.dot(direction), 1.0)
        })
}

/// Of about unit length, so that products neither overflow nor vanish.
fn edges(triangle: &Triangle) -> [DVec3; 3] {
    [triangle[1] - triangle[0], triangle[2] - triangle[1], triangle[0] - triangle[2]].map(unit)
}

/// Not finite where there is no direction.
fn unit(vector: DVec3) -> DVec3 {
    (vector / vector.abs().max_element()).normalize()
}

fn shadow(triangle: &Triangle, axis: DVec3) -> (f64, f64) {
    let along = triangle.map(|corner| corner.dot(axis));
    (along[0].min(along[1]).min(along[2]), along[0].max(along[1]).max(along[2]))
}
