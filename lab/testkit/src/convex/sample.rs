//! Points of solids at random, and how far solids reach.

use super::distance::{Certified, exact_double, height_over_plane};
use super::fixed::Places;
use super::solid::{Core, Frame, Solid};
use crate::Point;
use crate::rng::Rng;
use crate::vector::{along, dot, length};

/// Binary places of the reach; rounding takes a few.
const PLACES: Places = Places(128);

/// A point of the solid, off it by no more than the rounding of a few operations. Half of the
/// points are on its surface or near. Of a half-space, within a few units of the plane's foot.
pub fn sample_inside(solid: &Solid, rng: &mut Rng) -> Point {
    let core = match &solid.core {
        Core::Points(points) => mixture(points, rng),
        Core::Cylinder { frame, radius, half_height } => place(frame, in_frustum(*radius, *radius, *half_height, rng)),
        Core::Frustum { frame, bottom_radius, top_radius, half_height } => {
            place(frame, in_frustum(*bottom_radius, *top_radius, *half_height, rng))
        }
        Core::Ellipsoid { frame, radii } => {
            let share = depth_share(rng).cbrt();
            let unit = rng.unit_vector();
            place(frame, std::array::from_fn(|axis| unit[axis] * share * radii[axis]))
        }
        Core::HalfSpace { normal, offset } => below_plane(*normal, *offset, rng),
    };
    let reach = solid.margin * depth_share(rng).cbrt();
    along(core, rng.unit_vector(), reach)
}

/// One half of the time, otherwise anything between zero and one.
fn depth_share(rng: &mut Rng) -> f64 {
    if rng.chance(0.5) { 1.0 } else { rng.f64() }
}

fn place(frame: &Frame, local: Point) -> Point {
    (0..3).fold(frame.center, |sum, axis| along(sum, frame.axes[axis], local[axis]))
}

/// Of all points with random weights, or of few, so that edges and corners are met.
fn mixture(points: &[Point], rng: &mut Rng) -> Point {
    let count = *rng.choice(&[1, 2, 3, points.len()]);
    let weights: Vec<f64> = (0..count).map(|_| -rng.f64().max(1e-300).ln()).collect();
    let total: f64 = weights.iter().sum();
    let mut sum = [0.0; 3];
    for weight in weights {
        sum = along(sum, *rng.choice(points), weight / total);
    }
    sum
}

fn in_frustum(bottom: f64, top: f64, half_height: f64, rng: &mut Rng) -> Point {
    let share = if rng.chance(0.5) { rng.f64() } else { rng.below(2) as f64 };
    let radius = ((1.0 - share) * bottom + share * top) * depth_share(rng).sqrt();
    let (sine, cosine) = rng.range(0.0, std::f64::consts::TAU).sin_cos();
    [radius * cosine, radius * sine, (2.0 * share - 1.0) * half_height]
}

fn below_plane(normal: Point, offset: f64, rng: &mut Rng) -> Point {
    let norm = length(normal);
    let unit = normal.map(|x| x / norm);
    let free = rng.point(-3.0, 3.0);
    let height = dot(free, unit) - offset / norm;
    along(free, unit, -height - 3.0 * (1.0 - depth_share(rng)))
}

/// The largest product of a direction and one of `count` random points of the solid: never above
/// the true reach, but for rounding.
pub fn support_by_sampling(solid: &Solid, direction: Point, count: usize, rng: &mut Rng) -> f64 {
    (0..count).map(|_| dot(sample_inside(solid, rng), direction)).fold(f64::NEG_INFINITY, f64::max)
}

/// How far the solid reaches along a direction, which is not zero and of any length: the largest
/// product of its points and the unit vector. `None` of a half-space.
pub fn reach(solid: &Solid, direction: Point) -> Option<Certified> {
    let against = direction.map(|x| -x);
    let margin = exact_double(solid.margin);
    let lowest = match &solid.core {
        Core::HalfSpace { .. } => return None,
        core => height_over_plane(core, against, 0.0, PLACES),
    };
    Some(Certified { lower: &margin - lowest.upper, upper: margin - lowest.lower })
}
