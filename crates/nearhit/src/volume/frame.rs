//! Which way does a set of triangles lie? Orthonormal frames for oriented volumes.

use super::corners;
use crate::mesh::Triangle;
use glam::{DMat3, DVec3};

/// Principal axes of the surface, longest spread first: the eigenvectors of the covariance of the points of all triangles,
/// weighted by area, so that tessellation does not turn the frame (Gottschalk et al., 1996).
///
/// Right-handed and orthonormal to rounding, whatever the input: collinear and coincident points give some frame.
pub(crate) fn principal_axes(triangles: &[Triangle]) -> DMat3 {
    let (low, high) = corners(triangles)
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), corner| (low.min(corner), high.max(corner)));
    let middle = low * 0.5 + high * 0.5;
    let unit = (high * 0.5 - low * 0.5).max_element();
    if unit < f64::MIN_POSITIVE {
        return DMat3::IDENTITY;
    }
    // In units of the extent: neither squares of 1e300 nor of 1e-300 appear.
    let unit_triangles = || triangles.iter().map(|triangle| triangle.map(|corner| (corner - middle) / unit));
    sorted_eigenvectors(covariance(unit_triangles))
}

/// Axes of a single triangle: its longest edge, its normal, and what is across. The box along them is the smallest with a
/// side in the plane.
pub(crate) fn triangle_axes(triangle: &Triangle) -> Option<DMat3> {
    let edges = [triangle[1] - triangle[0], triangle[2] - triangle[1], triangle[0] - triangle[2]];
    let unit = edges.iter().fold(0.0, |largest: f64, edge| largest.max(edge.abs().max_element()));
    let [u, v, w] = edges.map(|edge| edge / unit);
    let longest = [u, v, w].into_iter().max_by(|p, q| p.length_squared().total_cmp(&q.length_squared()))?;
    let along = longest.try_normalize()?;
    let normal = u.cross(v).try_normalize()?;
    // Once more across: rounding in a sliver's normal must not tilt the frame.
    let across = normal.cross(along).try_normalize()?;
    Some(DMat3::from_cols(along, across, along.cross(across)))
}

fn covariance<T: Iterator<Item = Triangle>>(triangles: impl Fn() -> T) -> DMat3 {
    let area = |[a, b, c]: Triangle| (b - a).cross(c - a).length();
    // A hair of weight for each keeps zero-area triangles in the sum.
    let total: f64 = triangles().map(area).sum();
    let hair = if total > 0.0 { 1e-9 * total } else { 1.0 };
    let weighted = || triangles().map(|triangle| (triangle, area(triangle) + hair));
    let weight: f64 = weighted().map(|(_, weight)| weight).sum();
    let mean = weighted().fold(DVec3::ZERO, |sum, ([a, b, c], w)| sum + (a + b + c) * (w / 3.0)) / weight;
    let outer = |p: DVec3| DMat3::from_cols(p * p.x, p * p.y, p * p.z);
    // The second moment of a uniform triangle: (aaᵀ + bbᵀ + ccᵀ + (a+b+c)(a+b+c)ᵀ) / 12, about any origin.
    weighted().fold(DMat3::ZERO, |sum, (triangle, w)| {
        let [a, b, c] = triangle.map(|corner| corner - mean);
        sum + (outer(a) + outer(b) + outer(c) + outer(a + b + c)) * (w / (12.0 * weight))
    })
}

/// Moments of a set of triangles, added one by one: for builders that orient many nested sets.
///
/// Like [`principal_axes`], but for coordinates of ordinary size only (squares must not overflow).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    /// All sums are about this point, one of the first triangle's corners: far from the origin the digits would go to the distance otherwise.
    reference: Option<DVec3>,
    weight: f64,
    first: DVec3,
    second: DMat3,
}

impl Default for Moments {
    /// Of nothing. (A matrix is the identity by default.)
    fn default() -> Self {
        Self { reference: None, weight: 0.0, first: DVec3::ZERO, second: DMat3::ZERO }
    }
}

impl Moments {
    pub(crate) fn add(&mut self, triangle: &Triangle) {
        let reference = *self.reference.get_or_insert(triangle[0]);
        let [a, b, c] = triangle.map(|corner| corner - reference);
        let (u, v) = (b - a, c - a);
        // A hair for triangles without area.
        let weight = u.cross(v).length() + 1e-6 * (u.length_squared() + v.length_squared());
        let sum = a + b + c;
        let outer = |p: DVec3| DMat3::from_cols(p * p.x, p * p.y, p * p.z);
        self.weight += weight;
        self.first += sum * (weight / 3.0);
        self.second += (outer(a) + outer(b) + outer(c) + outer(sum)) * (weight / 12.0);
    }

    /// Those of both sets.
    pub(crate) fn joined(&self, other: &Self) -> Self {
        let (Some(reference), Some(from)) = (self.reference, other.reference) else {
            return if self.reference.is_some() { *self } else { *other };
        };
        // The other's sums, about this one's reference.
        let shift = from - reference;
        let outer = |p: DVec3, q: DVec3| DMat3::from_cols(p * q.x, p * q.y, p * q.z);
        let second =
            other.second + outer(other.first, shift) + outer(shift, other.first) + outer(shift, shift) * other.weight;
        Self {
            reference: Some(reference),
            weight: self.weight + other.weight,
            first: self.first + other.first + shift * other.weight,
            second: self.second + second,
        }
    }

    /// The weighted mean.
    pub(crate) fn mean(&self) -> DVec3 {
        let about = if self.weight > 0.0 { self.first / self.weight } else { DVec3::ZERO };
        self.reference.unwrap_or_default() + about
    }

    /// The area, and a hair for triangles without one.
    pub(crate) fn area(&self) -> f64 {
        0.5 * self.weight
    }

    /// The covariance of all points.
    pub(crate) fn covariance(&self) -> DMat3 {
        if self.weight <= 0.0 {
            return DMat3::ZERO;
        }
        let mean = self.first / self.weight;
        self.second * (1.0 / self.weight) - DMat3::from_cols(mean * mean.x, mean * mean.y, mean * mean.z)
    }

    /// The principal axes, longest spread first, as columns.
    pub(crate) fn axes(&self) -> DMat3 {
        if self.weight <= 0.0 { DMat3::IDENTITY } else { sorted_eigenvectors(self.covariance()) }
    }
}

/// Eigenvectors of a symmetric matrix, largest eigenvalue first, by cyclic Jacobi rotations.
fn sorted_eigenvectors(symmetric: DMat3) -> DMat3 {
    let mut matrix = symmetric;
    let mut vectors = DMat3::IDENTITY;
    for _ in 0..12 {
        // Quadratic convergence: four or five rounds, mostly.
        let off = matrix.y_axis.x.abs() + matrix.z_axis.x.abs() + matrix.z_axis.y.abs();
        if off <= 1e-18 * (matrix.x_axis.x.abs() + matrix.y_axis.y.abs() + matrix.z_axis.z.abs()) {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let rotation = jacobi_rotation(&matrix, p, q);
            matrix = rotation.transpose() * matrix * rotation;
            vectors *= rotation;
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| matrix.col(j)[j].total_cmp(&matrix.col(i)[i]));
    let first = vectors.col(order[0]).normalize();
    let second = vectors.col(order[1]);
    let second = (second - first * first.dot(second)).normalize();
    DMat3::from_cols(first, second, first.cross(second))
}

/// The plane rotation that makes entry (p, q) zero.
fn jacobi_rotation(matrix: &DMat3, p: usize, q: usize) -> DMat3 {
    let off = matrix.col(q)[p];
    if off == 0.0 {
        return DMat3::IDENTITY;
    }
    let theta = (matrix.col(q)[q] - matrix.col(p)[p]) / (2.0 * off);
    let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    let mut rotation = DMat3::IDENTITY;
    rotation.col_mut(p)[p] = cosine;
    rotation.col_mut(q)[q] = cosine;
    rotation.col_mut(q)[p] = sine;
    rotation.col_mut(p)[q] = -sine;
    rotation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_long_and_the_flat_direction() {
        let tilt = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
        let flat = [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, 2.0, 0.0]].map(DVec3::from_array);
        let other = [[0.0, 0.0, 0.0], [9.0, 2.0, 0.0], [0.0, 2.0, 0.0]].map(DVec3::from_array);
        for scale in [1e300 / 20.0, 1.0, 1e-300] {
            let axes = principal_axes(&[flat, other].map(|t| t.map(|corner| tilt * corner * scale)));
            assert!(axes.x_axis.dot(tilt.x_axis).abs() > 1.0 - 1e-9, "{scale}: {axes:?}");
            assert!(axes.z_axis.dot(tilt.z_axis).abs() > 1.0 - 1e-9, "{scale}: {axes:?}");
        }
    }

    #[test]
    fn degenerate_triangles_give_a_frame_all_the_same() {
        for triangle in [[DVec3::ZERO; 3], [DVec3::ZERO, DVec3::ONE, DVec3::ONE], [DVec3::X * 1e-320; 3]] {
            let axes = principal_axes(&[triangle]);
            assert!(
                (axes.determinant() - 1.0).abs() < 1e-14
                    && (axes * axes.transpose() - DMat3::IDENTITY).abs().x_axis.x < 1e-14
            );
            assert!(triangle_axes(&triangle).is_none());
        }
    }
}
