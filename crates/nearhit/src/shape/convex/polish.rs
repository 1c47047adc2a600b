//! The end of a descent in numbers of 106 bits, where bodies are so close that the difference of
//! their points has few digits left.
//!
//! A short vector between near points is off in its direction by much; a lower bound along a
//! direction that is off is low by that much times the bodies' size. Here the nearest point of the
//! simplex is computed from exact differences, so that its direction is right to a double's
//! precision.

use super::gjk::{ROUNDING, Vertex};
use crate::primitive::distance::double_double::{DoubleDouble, Vector};
use arrayvec::ArrayVec;
use glam::DVec3;

/// The nearest point of a simplex, and the weights of its corners.
pub(super) struct Foot {
    pub(super) point: Vector,
    square: DoubleDouble,
    /// Which corners carry it.
    pub(super) corners: ArrayVec<usize, 4>,
    pub(super) weights: ArrayVec<f64, 4>,
}

impl Foot {
    /// A unit vector along it; none for the origin, or for what cannot be told from it.
    pub(super) fn direction(&self) -> Option<DVec3> {
        let point = self.point.rounded();
        let largest = point.abs().max_element();
        (largest > 1e-28).then(|| (point / largest).normalize())
    }

    /// Would this vertex bring the simplex nearer, by more than a bound can be off?
    pub(super) fn gains(&self, vertex: &Vertex) -> bool {
        let along = self.point.dot(exact(vertex));
        let gain = (self.square - along).rounded();
        let length = self.square.rounded().sqrt();
        gain > 0.125 * ROUNDING * length
    }

    /// Does no corner lie on this side of the plane through it, across its own direction? Then no
    /// point of the hull is nearer.
    fn is_nearest_of(&self, points: &[Vector]) -> bool {
        let is_beyond = |point: &Vector| !(self.square - self.point.dot(*point)).is_positive();
        (0..points.len()).filter(|i| !self.corners.contains(i)).all(|i| is_beyond(&points[i]))
    }

    pub(super) fn is_nearer_than(&self, other: &Self) -> bool {
        self.square.is_less_than(other.square)
    }
}

fn exact(vertex: &Vertex) -> Vector {
    Vector::between(vertex.on_b, vertex.on_a)
}

/// The nearest point of up to four vertices' hull: the nearest foot on any of their planes that
/// lies between its corners.
pub(super) fn nearest(vertices: &[Vertex]) -> Option<Foot> {
    let points: ArrayVec<Vector, 4> = vertices.iter().map(exact).collect();
    let mut best: Option<Foot> = None;
    // Large sets with the newest vertex first: one of them mostly proves to be the nearest.
    for set in (1_u32..1 << points.len()).rev() {
        let corners: ArrayVec<usize, 4> = (0..points.len()).filter(|i| set >> i & 1 == 1).collect();
        let Some(foot) = foot_between(&points, corners) else { continue };
        if foot.is_nearest_of(&points) {
            return Some(foot);
        }
        if best.as_ref().is_none_or(|known| foot.is_nearer_than(known)) {
            best = Some(foot);
        }
    }
    best
}

fn foot_between(points: &[Vector], corners: ArrayVec<usize, 4>) -> Option<Foot> {
    let first = points[corners[0]];
    let edges: ArrayVec<Vector, 3> = corners[1..].iter().map(|&corner| points[corner] - first).collect();
    let n = edges.len();
    let mut gram = [[DoubleDouble::ZERO; 3]; 3];
    let mut right = [DoubleDouble::ZERO; 3];
    for i in 0..n {
        for j in 0..n {
            gram[i][j] = edges[i].dot(edges[j]);
        }
        right[i] = DoubleDouble::ZERO - edges[i].dot(first);
    }
    let whole = determinant(&gram, n);
    // Corners on a line or in a plane to more than 50 digits carry nothing that fewer do not.
    let size: f64 = (0..n).map(|i| gram[i][i].rounded()).product();
    if n > 0 && !(whole.rounded() > 1e-26 * size) {
        return None;
    }
    let mut rest = DoubleDouble::ONE;
    let mut point = first;
    let mut weights: ArrayVec<f64, 4> = ArrayVec::new();
    weights.push(1.0);
    for column in 0..n {
        let mut replaced = gram;
        for row in 0..n {
            replaced[row][column] = right[row];
        }
        let weight = determinant(&replaced, n) / whole;
        if !weight.is_positive() {
            return None;
        }
        rest = rest - weight;
        point = point + edges[column] * weight;
        weights.push(weight.rounded());
    }
    if !rest.is_positive() {
        return None;
    }
    weights[0] = rest.rounded();
    if let [e, f] = edges[..] {
        // Of a thin triangle the weights lose digits, the foot on its plane does not.
        let normal = e.cross(f);
        point = normal * (normal.dot(first) / normal.dot(normal));
    }
    Some(Foot { point, square: point.dot(point), corners, weights })
}

fn determinant(m: &[[DoubleDouble; 3]; 3], n: usize) -> DoubleDouble {
    let minor = |i: usize, j: usize| m[1][i] * m[2][j] - m[1][j] * m[2][i];
    match n {
        0 => DoubleDouble::ONE,
        1 => m[0][0],
        2 => m[0][0] * m[1][1] - m[0][1] * m[1][0],
        _ => m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1),
    }
}
