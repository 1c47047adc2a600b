//! The slow and careful way: every pair of features, in double-doubles.
//!
//! The closest points of two triangles that are apart lie on a vertex and a face, on a vertex and
//! an edge, on two edges, or on two vertices. Each pair of features is offered with parameters
//! clamped into its range, so that, whatever rounding does to them, a candidate is the distance of
//! two points of the triangles: none is too small, and it is enough that one is not too large.
//!
//! # How far off
//!
//! Let μ be the relative error of the arithmetic, some 2^-100, L the largest length and h the
//! distance. The foot of a perpendicular on an edge is off by a few μL, and the distance by no
//! more. Two edges at an angle θ: their common normal, a cross product, turns by a few μ/sin θ,
//! which moves the point on the second edge so that it is hμ/sin θ off, measured across the first
//! edge. The candidate is then too large by at most (hμ/sin θ)²/2h. An end of an edge, which is
//! offered too, is too large by at most (L sin θ)²/2h. The smaller of the two is no larger than
//! their geometric mean μL/2, whatever the angle and the distance. It is the same for a face of
//! width ω and length L: its normal turns by μL/ω and an edge is at most ω away, so that
//! (hμL/ω)²/2h stands against ω²/2h. So the smallest candidate is a few μL off: nothing, compared
//! with the rounding of a double.

use super::double_double::{DoubleDouble, Vector};
use crate::mesh::Triangle;
use crate::primitive::intersect::EDGES;
use glam::DVec3;

/// Two points and what lies between them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// The point on the first triangle.
    pub(super) on_a: DVec3,
    /// The point on the second triangle.
    pub(super) on_b: DVec3,
    /// From the one to the other, up to sign, before the points were rounded.
    pub(super) difference: DVec3,
    squared: DoubleDouble,
}

impl Candidate {
    fn new(on_a: DVec3, on_b: DVec3, difference: Vector) -> Self {
        Self { on_a, on_b, difference: difference.rounded(), squared: difference.dot(difference) }
    }

    fn swapped(self) -> Self {
        Self { on_a: self.on_b, on_b: self.on_a, ..self }
    }
}

/// The closest points of two triangles that do not touch. Coordinates are below two in magnitude.
pub(super) fn closest(a: &Triangle, b: &Triangle) -> Candidate {
    let mut best = Best::of_corners(a, b);
    for i in 0..3 {
        best.offer_vertex(a[i], b, |candidate| candidate);
        best.offer_vertex(b[i], a, Candidate::swapped);
    }
    for (i, j) in EDGES {
        for (k, l) in EDGES {
            best.offer_edges([a[i], a[j]], [b[k], b[l]]);
        }
    }
    best.candidate
}

/// The best candidate so far.
struct Best {
    candidate: Candidate,
    /// Hardly more than its distance: features whose boxes are farther apart need not be looked at.
    reach: f64,
}

impl Best {
    fn with(candidate: Candidate) -> Self {
        Self { candidate, reach: candidate.difference.length() * (1.0 + 1e-10) + f64::MIN_POSITIVE }
    }

    fn of_corners(a: &Triangle, b: &Triangle) -> Self {
        let pair = |i: usize| Candidate::new(a[i / 3], b[i % 3], Vector::between(a[i / 3], b[i % 3]));
        let mut best = Self::with(pair(0));
        (1..9).for_each(|i| best.offer(pair(i)));
        best
    }

    fn offer(&mut self, candidate: Candidate) {
        if candidate.squared.is_less_than(self.candidate.squared) {
            *self = Self::with(candidate);
        }
    }

    /// Could points of the two hulls be closer than the best? No coordinate of a difference is
    /// longer than the whole.
    fn may_improve<const N: usize, const M: usize>(&self, one: &[DVec3; N], other: &[DVec3; M]) -> bool {
        let ((low, high), (other_low, other_high)) = (bounds(one), bounds(other));
        (other_low - high).max(low - other_high).max_element() <= self.reach
    }

    /// A vertex against the edges and the inside of the other triangle. `turned` exchanges the
    /// points when the vertex is one of b.
    fn offer_vertex(&mut self, vertex: DVec3, triangle: &Triangle, turned: impl Fn(Candidate) -> Candidate) {
        if !self.may_improve(&[vertex], triangle) {
            return;
        }
        for (i, j) in EDGES {
            self.offer(turned(vertex_to_edge(vertex, triangle[i], triangle[j])));
        }
        if let Some(candidate) = vertex_to_face(vertex, triangle) {
            self.offer(turned(candidate));
        }
    }

    fn offer_edges(&mut self, a: [DVec3; 2], b: [DVec3; 2]) {
        if self.may_improve(&a, &b)
            && let Some(candidate) = edge_to_edge(a, b)
        {
            self.offer(candidate);
        }
    }
}

fn bounds<const N: usize>(points: &[DVec3; N]) -> (DVec3, DVec3) {
    points.iter().fold((points[0], points[0]), |(low, high), point| (low.min(*point), high.max(*point)))
}

/// The foot on the edge, clamped to its ends.
fn vertex_to_edge(vertex: DVec3, from: DVec3, to: DVec3) -> Candidate {
    let (edge, offset) = (Vector::between(from, to), Vector::between(from, vertex));
    let fraction = fraction_along(offset, edge);
    Candidate::new(vertex, between(from, to, fraction.rounded()), offset - edge * fraction)
}

/// None when the foot is outside the triangle, where an edge is closer, or when there is no inside.
fn vertex_to_face(vertex: DVec3, triangle: &Triangle) -> Option<Candidate> {
    let [u, v, offset] = [triangle[1], triangle[2], vertex].map(|point| Vector::between(triangle[0], point));
    let normal = u.cross(v);
    let squared = normal.dot(normal);
    if !squared.is_positive() {
        return None;
    }
    let along_u = offset.cross(v).dot(normal) / squared;
    let along_v = u.cross(offset).dot(normal) / squared;
    let rest = DoubleDouble::ONE - along_u - along_v;
    let inside = along_u.is_positive() && along_v.is_positive() && rest.is_positive();
    let foot = || {
        let [rest, along_u, along_v] = [rest, along_u, along_v].map(DoubleDouble::rounded);
        triangle[0] * rest + triangle[1] * along_u + triangle[2] * along_v
    };
    inside.then(|| Candidate::new(vertex, foot(), offset - u * along_u - v * along_v))
}

/// The points where the common perpendicular of the two lines stands, clamped. None for parallel
/// edges, where a vertex is as close.
fn edge_to_edge(a: [DVec3; 2], b: [DVec3; 2]) -> Option<Candidate> {
    let (u, v, offset) = (Vector::between(a[0], a[1]), Vector::between(b[0], b[1]), Vector::between(a[0], b[0]));
    let normal = u.cross(v);
    let squared = normal.dot(normal);
    if !squared.is_positive() {
        return None;
    }
    let along_v = (offset.cross(u).dot(normal) / squared).clamped_to_unit();
    let from_a = offset + v * along_v;
    let along_u = fraction_along(from_a, u);
    let (on_a, on_b) = (between(a[0], a[1], along_u.rounded()), between(b[0], b[1], along_v.rounded()));
    Some(Candidate::new(on_a, on_b, from_a - u * along_u))
}

/// How far along the edge the foot of `offset` is; zero on an edge without length.
fn fraction_along(offset: Vector, edge: Vector) -> DoubleDouble {
    let squared = edge.dot(edge);
    if squared.is_positive() { (offset.dot(edge) / squared).clamped_to_unit() } else { DoubleDouble::ZERO }
}

fn between(from: DVec3, to: DVec3, fraction: f64) -> DVec3 {
    from * (1.0 - fraction) + to * fraction
}
