//! Which way does a set of triangles lie? Orthonormal frames for oriented volumes.

use super::corners;
use crate::bounds::Bounds;
use crate::mesh::Triangle;
use glam::{DMat3, DVec3};

/// Which points of a set of triangles say how it lies: their covariance gives the axes of oriented
/// volumes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Covariance {
    /// All points of the surface, so that tessellation does not turn the axes; and the coordinate
    /// axes where the volume along them is smaller. The default.
    #[default]
    Surface,
    /// The corners, each as often as triangles have it, and nothing else: as the swept-sphere paper
    /// says (§4.1).
    Corners,
}

/// Principal axes of the corners, longest spread first: eigenvectors of the mean of `(p - μ)(p -
/// μ)ᵀ` over the three corners of every triangle.
pub(crate) fn corner_axes(triangles: &[Triangle]) -> DMat3 {
    let Some((middle, unit)) = middle_and_unit(triangles) else { return DMat3::IDENTITY };
    let unit_corners = || corners(triangles).map(|corner| (corner - middle) / unit);
    let share = 1.0 / (3 * triangles.len()) as f64;
    let mean = unit_corners().fold(DVec3::ZERO, |sum, corner| sum + corner * share);
    let outer = |p: DVec3| DMat3::from_cols(p * p.x, p * p.y, p * p.z);
    sorted_eigenvectors(unit_corners().fold(DMat3::ZERO, |sum, corner| sum + outer(corner - mean) * share))
}

/// The middle and half the longest side of the box around the triangles; `None` if that is nothing.
fn middle_and_unit(triangles: &[Triangle]) -> Option<(DVec3, f64)> {
    let bounds: Bounds = corners(triangles).collect();
    let unit = bounds.half().max_element();
    (unit >= f64::MIN_POSITIVE).then_some((bounds.middle(), unit))
}

/// Principal axes of the surface, longest spread first: the eigenvectors of the covariance of the
/// points of all triangles, weighted by area, so that tessellation does not turn the frame
/// (Gottschalk et al., 1996).
///
/// Right-handed and orthonormal to rounding, whatever the input: collinear and coincident points
/// give some frame.
pub(crate) fn principal_axes(triangles: &[Triangle]) -> DMat3 {
    let Some((middle, unit)) = middle_and_unit(triangles) else { return DMat3::IDENTITY };
    // In units of the extent: neither squares of 1e300 nor of 1e-300 appear.
    let unit_triangles = || triangles.iter().map(|triangle| triangle.map(|corner| (corner - middle) / unit));
    sorted_eigenvectors(covariance(unit_triangles))
}

/// Axes of a single triangle: its longest edge, its normal, and what is across. The box along them
/// is the smallest with a side in the plane.
pub(crate) fn triangle_axes(triangle: &Triangle) -> Option<DMat3> {
    let edges = [triangle[1] - triangle[0], triangle[2] - triangle[1], triangle[0] - triangle[2]];
    let unit = edges.iter().fold(0.0, |largest: f64, edge| largest.max(edge.abs().max_element()));
    let [u, v, w] = edges.map(|edge| edge / unit);
    let longest = [u, v, w].into_iter().max_by(|p, q| p.length_squared().total_cmp(&q.length_squared()))?;
    let along = longest.try_normalize()?;
    let normal = u.cross(v).try_normalize()?;
    // Once more across: rounding in a sliver's normal must not tilt the frame.
    let across = normal.cross(along).try_normalize()?;
    Some(DMat3::from_cols(along, across, along.cross(across))).filter(is_orthonormal)
}

/// Three finite unit axes at right angles, to rounding? Bounds along anything else are wrong, and
/// along NaN they cull what touches.
pub(crate) fn is_orthonormal(axes: &DMat3) -> bool {
    let off = (axes.transpose() * *axes - DMat3::IDENTITY).abs();
    // Written so that a NaN fails.
    [off.x_axis, off.y_axis, off.z_axis].iter().all(|column| column.cmple(DVec3::splat(1e-12)).all())
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
    // The second moment of a uniform triangle: (aaᵀ + bbᵀ + ccᵀ + (a+b+c)(a+b+c)ᵀ) / 12, about any
    // origin.
    weighted().fold(DMat3::ZERO, |sum, (triangle, w)| {
        let [a, b, c] = triangle.map(|corner| corner - mean);
        sum + (outer(a) + outer(b) + outer(c) + outer(a + b + c)) * (w / (12.0 * weight))
    })
}

/// Moments of a set of triangles, added one by one: for builders that orient many nested sets.
///
/// Like [`principal_axes`], but for coordinates up to about 1e70 only (fourth powers must not
/// overflow). Sets smaller than about 1e-70 have no axes of their own: see [`Moments::is_sound`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    /// All sums are about this point, one of the first triangle's corners: far from the origin the
    /// digits would go to the distance otherwise.
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

    /// Do the sums have their digits? The weight is the square of a length, the second moments are
    /// the fourth power; below this the latter underflow, and quotients of both are anything, NaN
    /// included.
    fn is_sound(&self) -> bool {
        self.weight > 1e-140 && self.weight < 1e140
    }

    /// The weighted mean; one of the points where it cannot be told from the others.
    pub(crate) fn mean(&self) -> DVec3 {
        let about = if self.is_sound() { self.first / self.weight } else { DVec3::ZERO };
        self.reference.unwrap_or_default() + about
    }

    /// The area, and a hair for triangles without one.
    pub(crate) fn area(&self) -> f64 {
        0.5 * self.weight
    }

    /// The covariance of all points; zero where it is too small to have digits.
    pub(crate) fn covariance(&self) -> DMat3 {
        if !self.is_sound() {
            return DMat3::ZERO;
        }
        let mean = self.first / self.weight;
        self.second * (1.0 / self.weight) - DMat3::from_cols(mean * mean.x, mean * mean.y, mean * mean.z)
    }

    /// The principal axes, longest spread first, as columns: finite and orthonormal, whatever was
    /// added.
    pub(crate) fn axes(&self) -> DMat3 {
        if self.is_sound() { sorted_eigenvectors(self.covariance()) } else { DMat3::IDENTITY }
    }
}

/// Eigenvectors of a symmetric matrix, largest eigenvalue first, by cyclic Jacobi rotations; the
/// coordinate axes of a matrix that is no number, so that the result is always a frame.
///
/// Written out by entries, without products of whole matrices.
fn sorted_eigenvectors(symmetric: DMat3) -> DMat3 {
    let mut values = [symmetric.x_axis.x, symmetric.y_axis.y, symmetric.z_axis.z];
    // Of each two axes, at the place of the third.
    let mut off = [symmetric.z_axis.y, symmetric.z_axis.x, symmetric.y_axis.x];
    let mut vectors = [DVec3::X, DVec3::Y, DVec3::Z];
    for _ in 0..12 {
        // Quadratic convergence: three or four rounds, mostly. What rounding left is no reason to
        // turn axes that are as good as others.
        let left = off[0].abs() + off[1].abs() + off[2].abs();
        if left <= 1e-14 * (values[0].abs() + values[1].abs() + values[2].abs()) {
            break;
        }
        for (p, q, third) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
            rotate(&mut values, &mut off, &mut vectors, (p, q, third));
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| values[j].total_cmp(&values[i]));
    let first = vectors[order[0]].normalize();
    let second = vectors[order[1]];
    let second = (second - first * first.dot(second)).normalize();
    let axes = DMat3::from_cols(first, second, first.cross(second));
    if is_orthonormal(&axes) { axes } else { DMat3::IDENTITY }
}

/// The plane rotation that makes the entry of the axes p and q zero.
#[inline]
fn rotate(values: &mut [f64; 3], off: &mut [f64; 3], vectors: &mut [DVec3; 3], (p, q, third): (usize, usize, usize)) {
    let between = off[third];
    if between == 0.0 {
        return;
    }
    let theta = (values[q] - values[p]) / (2.0 * between);
    let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    values[p] -= tangent * between;
    values[q] += tangent * between;
    off[third] = 0.0;
    // Those of the third axis with p and with q.
    (off[q], off[p]) = (cosine * off[q] - sine * off[p], sine * off[q] + cosine * off[p]);
    (vectors[p], vectors[q]) = (vectors[p] * cosine - vectors[q] * sine, vectors[p] * sine + vectors[q] * cosine);
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

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

    fn triangles(rng: &mut Rng, size: f64) -> Vec<Triangle> {
        let flat = if rng.chance(0.3) { 0.0 } else { 1.0 };
        let corner = |rng: &mut Rng| DVec3::from_array(rng.point(-1.0, 1.0)) * DVec3::new(1.0, 0.3, 0.1 * flat) * size;
        (0..1 + rng.below(6)).map(|_| [(); 3].map(|()| corner(rng))).collect()
    }

    /// At every power of ten that a double has, alone and with something larger: fourth powers of
    /// lengths underflow at 1e-81, squares at 1e-162.
    #[test]
    fn axes_are_a_frame_at_every_size() {
        let mut rng = Rng::new(9);
        for decade in -323..=70 {
            for round in 0..20 {
                let small = triangles(&mut rng, 10f64.powf(f64::from(decade)));
                let other = triangles(&mut rng, if round % 2 == 0 { 1.0 } else { 10f64.powf(f64::from(decade)) });
                let mut sums = [Moments::default(); 2];
                small.iter().for_each(|triangle| sums[0].add(triangle));
                other.iter().for_each(|triangle| sums[1].add(triangle));
                for sum in [sums[0], sums[1], sums[0].joined(&sums[1]), sums[1].joined(&sums[0])] {
                    assert!(is_orthonormal(&sum.axes()), "1e{decade}: {:?}", sum.axes());
                    assert!(sum.mean().is_finite() && sum.covariance().is_finite(), "1e{decade}: {sum:?}");
                }
                let both: Vec<Triangle> = small.iter().chain(&other).copied().collect();
                for set in [&small, &other, &both] {
                    assert!(is_orthonormal(&principal_axes(set)), "1e{decade}: {:?}", principal_axes(set));
                    assert!(is_orthonormal(&corner_axes(set)), "1e{decade}: {:?}", corner_axes(set));
                }
                let single = both.iter().filter_map(triangle_axes);
                assert!(single.into_iter().all(|axes| is_orthonormal(&axes)), "1e{decade}");
            }
        }
    }

    /// Against the sums as the paper writes them; and a corner that many triangles share turns the
    /// axes, as it does there.
    #[test]
    fn corner_axes_diagonalise_the_covariance_of_the_corners() {
        let mut rng = Rng::new(11);
        let mut turned = 0;
        for _ in 0..200 {
            let set: Vec<Triangle> = (0..3).flat_map(|_| triangles(&mut rng, 1.0)).collect();
            let axes = corner_axes(&set);
            assert!(is_orthonormal(&axes));
            let n = set.len() as f64;
            let mean = set.iter().map(|[a, b, c]| *a + *b + *c).sum::<DVec3>() / (3.0 * n);
            let entry = |j: usize, k: usize| {
                let term = |p: &DVec3| (*p - mean)[j] * (*p - mean)[k];
                set.iter().map(|[a, b, c]| term(a) + term(b) + term(c)).sum::<f64>() / (3.0 * n)
            };
            let matrix = DMat3::from_cols_array_2d(&std::array::from_fn(|k| std::array::from_fn(|j| entry(j, k))));
            let diagonal = axes.transpose() * matrix * axes;
            let off = diagonal.y_axis.x.abs() + diagonal.z_axis.x.abs() + diagonal.z_axis.y.abs();
            assert!(off < 1e-12, "{diagonal:?}");
            assert!(diagonal.x_axis.x >= diagonal.y_axis.y - 1e-12 && diagonal.y_axis.y >= diagonal.z_axis.z - 1e-12);
            turned += usize::from(axes.x_axis.dot(principal_axes(&set).x_axis).abs() < 0.99);
        }
        assert!(turned > 1, "{turned}");
    }

    /// The sums find the axes wherever they have digits.
    #[test]
    fn sums_find_the_axes_of_ordinary_sizes() {
        let mut rng = Rng::new(10);
        for decade in -65..=65 {
            let set = triangles(&mut rng, 10f64.powi(decade));
            let mut sums = Moments::default();
            set.iter().for_each(|triangle| sums.add(triangle));
            let (found, expected) = (sums.axes().x_axis, principal_axes(&set).x_axis);
            assert!(found.dot(expected).abs() > 0.999, "1e{decade}: {found} {expected}");
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
