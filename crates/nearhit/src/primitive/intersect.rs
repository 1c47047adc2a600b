//! Do two closed triangles share a point? Exactly, degenerate ones included.
//!
//! A triangle is the convex hull of its three corners: a segment or a point when they are collinear
//! or coincide. Two triangles meet exactly when an edge of one meets the other: if they cross, an
//! end of the common segment lies on an edge; if they are coplanar, edges cross or one holds the
//! other's edges; a degenerate one *is* its edges. So everything reduces to signs of [`orient3d`]
//! and [`orient2d`], which are exact.

use super::predicates::{Drop, Plane, Sign, collinear, orient2d, orient3d};
use crate::mesh::Triangle;
use glam::DVec3;

/// Whether the closed triangles share at least one point.
///
/// Equals exact arithmetic for all coordinates up to 1e300 in magnitude.
#[must_use]
#[inline]
pub fn intersects(a: &Triangle, b: &Triangle) -> bool {
    let sides_of_a = sides(b, a);
    if all_on_one_side(sides_of_a) {
        return false;
    }
    let sides_of_b = sides(a, b);
    if all_on_one_side(sides_of_b) {
        return false;
    }
    if some_zero(sides_of_a) || some_zero(sides_of_b) {
        some_edge_meets(a, sides_of_a, b) || some_edge_meets(b, sides_of_b, a)
    } else {
        intervals_overlap(a, sides_of_a, b, sides_of_b)
    }
}

/// On which side of `plane` each corner of `triangle` lies. All zero when `plane` is degenerate.
#[inline]
pub(super) fn sides(plane: &Triangle, triangle: &Triangle) -> [Sign; 3] {
    let plane = Plane::of(plane);
    [plane.side(triangle[0]), plane.side(triangle[1]), plane.side(triangle[2])]
}

#[inline]
fn all_on_one_side(sides: [Sign; 3]) -> bool {
    sides[0].strictly_agrees(sides[1]) && sides[0].strictly_agrees(sides[2])
}

#[inline]
fn some_zero([p, q, r]: [Sign; 3]) -> bool {
    p == Sign::Zero || q == Sign::Zero || r == Sign::Zero
}

/// General position: each triangle has one corner alone on its side of the other's plane, and both
/// planes meet in a line. The two intervals that the triangles cut from that line are compared by
/// two orientations (Guigue and Devillers, 2003).
#[inline]
fn intervals_overlap(a: &Triangle, sides_of_a: [Sign; 3], b: &Triangle, sides_of_b: [Sign; 3]) -> bool {
    let (alone_a, alone_b) = (alone(sides_of_a), alone(sides_of_b));
    let [a0, mut a1, mut a2] = rotated(a, alone_a);
    let [b0, mut b1, mut b2] = rotated(b, alone_b);
    // Turn each triangle so that the other's lone corner is on its positive side.
    if sides_of_a[alone_a] == Sign::Negative {
        std::mem::swap(&mut b1, &mut b2);
    }
    if sides_of_b[alone_b] == Sign::Negative {
        std::mem::swap(&mut a1, &mut a2);
    }
    orient3d(a0, a1, b0, b1) != Sign::Positive && orient3d(a0, a2, b2, b0) != Sign::Positive
}

/// The corner whose sign differs from the two others'.
#[inline]
fn alone(sides: [Sign; 3]) -> usize {
    match (sides[0] == sides[1], sides[0] == sides[2]) {
        (true, _) => 2,
        (_, true) => 1,
        _ => 0,
    }
}

#[inline]
fn rotated([p, q, r]: &Triangle, first: usize) -> Triangle {
    match first {
        0 => [*p, *q, *r],
        1 => [*q, *r, *p],
        _ => [*r, *p, *q],
    }
}

/// The three edges, as corner indices.
pub(super) const EDGES: [(usize, usize); 3] = [(0, 1), (1, 2), (2, 0)];

/// Does an edge of `a`, whose corners lie on the given sides of `b`'s plane, meet `b`?
fn some_edge_meets(a: &Triangle, sides_of_a: [Sign; 3], b: &Triangle) -> bool {
    EDGES.into_iter().any(|(i, j)| match (sides_of_a[i], sides_of_a[j]) {
        (Sign::Zero, Sign::Zero) => segment_meets_coplanar(a[i], a[j], b),
        (p, q) if p.strictly_agrees(q) => false,
        _ => line_pierces(a[i], a[j], b),
    })
}

/// Does the line through `p` and `q`, which meets the plane of a proper triangle in one point, meet
/// the triangle?
pub(super) fn line_pierces(p: DVec3, q: DVec3, triangle: &Triangle) -> bool {
    let turns = EDGES.map(|(i, j)| orient3d(p, q, triangle[i], triangle[j]));
    none_oppose(turns)
}

pub(super) fn none_oppose(signs: [Sign; 3]) -> bool {
    EDGES.into_iter().all(|(i, j)| !signs[i].opposes(signs[j]))
}

/// The segment and the triangle have all orientations zero: either the segment lies in the
/// triangle's plane, or the triangle is degenerate and the segment lies anywhere.
fn segment_meets_coplanar(p: DVec3, q: DVec3, triangle: &Triangle) -> bool {
    let Some(drop) = proper_projection(triangle) else {
        return EDGES.into_iter().any(|(i, j)| segments_meet(p, q, triangle[i], triangle[j]));
    };
    let corners = triangle.map(|corner| drop.project(corner));
    let (p, q) = (drop.project(p), drop.project(q));
    inside_2d(p, corners) || EDGES.into_iter().any(|(i, j)| segments_meet_2d(p, q, corners[i], corners[j]))
}

/// A coordinate plane onto which the triangle projects with an area; none when the triangle is
/// degenerate.
pub(super) fn proper_projection(triangle: &Triangle) -> Option<Drop> {
    Drop::ALL.into_iter().find(|drop| {
        let [a, b, c] = triangle.map(|corner| drop.project(corner));
        orient2d(a, b, c) != Sign::Zero
    })
}

/// Is the point in the closed, proper triangle?
pub(super) fn inside_2d(point: [f64; 2], corners: [[f64; 2]; 3]) -> bool {
    none_oppose(EDGES.map(|(i, j)| orient2d(corners[i], corners[j], point)))
}

/// Do two closed segments in space share a point?
///
/// Coplanar segments meet exactly when their shadows meet in all three coordinate planes: at least
/// one of the three projections is one-to-one on whatever plane, line or point the four ends span.
pub(super) fn segments_meet(p: DVec3, q: DVec3, a: DVec3, b: DVec3) -> bool {
    let shadows_meet =
        |drop: Drop| segments_meet_2d(drop.project(p), drop.project(q), drop.project(a), drop.project(b));
    orient3d(p, q, a, b) == Sign::Zero && Drop::ALL.into_iter().all(shadows_meet)
}

/// Each straddles (or touches) the other's line and their boxes overlap: right for collinear and
/// zero-length segments too.
fn segments_meet_2d(p: [f64; 2], q: [f64; 2], a: [f64; 2], b: [f64; 2]) -> bool {
    let boxes_overlap =
        (0..2).all(|axis| p[axis].max(q[axis]) >= a[axis].min(b[axis]) && a[axis].max(b[axis]) >= p[axis].min(q[axis]));
    boxes_overlap
        && !orient2d(p, q, a).strictly_agrees(orient2d(p, q, b))
        && !orient2d(a, b, p).strictly_agrees(orient2d(a, b, q))
}

/// Whether the corners' common line, or their common point, is all there is of the triangle.
#[must_use]
pub fn is_degenerate(triangle: &Triangle) -> bool {
    collinear(triangle[0], triangle[1], triangle[2])
}

/// Does the segment from `p` to `q` share a point with the closed triangle? Exact, like
/// [`intersects`].
#[must_use]
pub fn segment_meets_triangle(p: DVec3, q: DVec3, triangle: &Triangle) -> bool {
    intersects(&[p, q, q], triangle)
}

/// Do `c` and `d` lie in one plane with `u` and `v`, on the same side of the line through them?
/// Exact.
#[must_use]
pub fn same_side_of_edge(u: DVec3, v: DVec3, c: DVec3, d: DVec3) -> bool {
    let Some(drop) = proper_projection(&[u, v, c]) else { return false };
    let [u2, v2, c2, d2] = [u, v, c, d].map(|point| drop.project(point));
    orient3d(u, v, c, d) == Sign::Zero && orient2d(u2, v2, c2).strictly_agrees(orient2d(u2, v2, d2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(corners: [[f64; 3]; 3]) -> Triangle {
        corners.map(DVec3::from_array)
    }

    /// Every order of the corners and of the two triangles gives the same answer.
    fn meets(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> bool {
        let (a, b) = (triangle(a), triangle(b));
        let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
        let answers = orders.map(|i| orders.map(|j| intersects(&i.map(|i| a[i]), &j.map(|j| b[j])))).concat();
        let swapped = intersects(&b, &a);
        assert!(answers.iter().all(|&answer| answer == swapped), "{answers:?}");
        swapped
    }

    const FLAT: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    #[test]
    fn general_position() {
        assert!(meets(FLAT, [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 9.0, 1.0]]));
        assert!(!meets(FLAT, [[3.0, 3.0, -1.0], [3.0, 3.0, 1.0], [9.0, 9.0, 1.0]]));
        assert!(!meets(FLAT, [[1.0, 1.0, 1.0], [1.0, 2.0, 1.0], [2.0, 1.0, 2.0]]));
    }

    #[test]
    fn touching_counts() {
        assert!(meets(FLAT, [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 2.0, 1.0]]), "corner on face");
        assert!(meets(FLAT, [[4.0, 0.0, 0.0], [8.0, 0.0, 1.0], [8.0, 1.0, 1.0]]), "shared corner");
        assert!(meets(FLAT, [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 5.0]]), "shared edge");
        assert!(meets(FLAT, [[2.0, -1.0, -1.0], [2.0, 1.0, 1.0], [2.0, -5.0, 1.0]]), "edge crosses edge");
        let just_beside = [[2.0, -1.0, -1.0 - 1e-15], [2.0, 1.0, 1.0], [2.0, -5.0, 1.0]];
        assert!(
            meets(FLAT, just_beside) && !meets(FLAT, [[2.0, -1.0, -1.0], [2.0, 1.0, 1.0 + 1e-15], [2.0, -5.0, 1.0]])
        );
    }

    #[test]
    fn coplanar() {
        assert!(meets(FLAT, [[1.0, 1.0, 0.0], [1.5, 1.0, 0.0], [1.0, 1.5, 0.0]]), "inside");
        assert!(meets(FLAT, [[2.0, 2.0, 0.0], [4.0, 4.0, 0.0], [2.0, 4.0, 0.0]]), "corner on edge");
        assert!(meets(FLAT, [[-1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [9.0, 2.0, 0.0]]), "crossing");
        assert!(!meets(FLAT, [[2.0, 2.1, 0.0], [4.0, 4.0, 0.0], [2.0, 4.0, 0.0]]), "apart");
        assert!(!meets(FLAT, FLAT.map(|[x, y, _]| [x, y, 1e-300])), "parallel planes");
    }

    #[test]
    fn segments_and_points_are_triangles_too() {
        let segment = |p, q| [p, q, q];
        assert!(meets(FLAT, segment([1.0, 1.0, -1.0], [1.0, 1.0, 1.0])));
        assert!(!meets(FLAT, segment([3.0, 3.0, -1.0], [3.0, 3.0, 1.0])));
        assert!(meets(FLAT, [[1.0, 1.0, 0.0]; 3]) && !meets(FLAT, [[1.0, 1.0, 5e-324]; 3]));
        let x_axis = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        assert!(meets(x_axis, segment([1.5, -1.0, 0.0], [1.5, 1.0, 0.0])), "segments cross");
        assert!(!meets(x_axis, segment([2.5, -1.0, 0.0], [2.5, 1.0, 0.0])), "beyond the end");
        assert!(!meets(x_axis, segment([1.5, -1.0, 0.1], [1.5, 1.0, 0.1])), "skew");
        assert!(meets(x_axis, segment([2.0, 0.0, 0.0], [3.0, 0.0, 0.0])), "collinear, end to end");
        assert!(!meets(x_axis, segment([2.1, 0.0, 0.0], [3.0, 0.0, 0.0])), "collinear, apart");
        assert!(meets([[1.0; 3]; 3], [[1.0; 3]; 3]) && !meets([[1.0; 3]; 3], [[1.0, 1.0, 1.5]; 3]));
    }
}
