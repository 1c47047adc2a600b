//! Minimum enclosing balls.
//!
//! The centre comes from Welzl's move-to-front recursion on a small working set, to which the
//! farthest point is added until none is outside (Gärtner's pivoting). The radius is then measured
//! from that centre, so enclosure never depends on how well the small linear systems were
//! conditioned.

use super::region::{Region, Shape};
use super::stored::{Numbers, Stored};
use super::{Blocked, BoundingVolume, DENORMALS, Measure, Placement, Support, Tightness, corners, largest_coordinate};
use crate::bounds::Bounds;
use crate::mesh::Triangle;
use crate::pose::Pose;
use crate::vector::{length, unit};
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// A ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    center: DVec3,
    radius: f64,
}

impl Sphere {
    /// A ball from its parts.
    #[must_use]
    pub fn new(center: DVec3, radius: f64) -> Self {
        Self { center, radius }
    }

    /// The middle.
    #[must_use]
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The radius.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl crate::volume::sealed::Sealed for Sphere {}

impl BoundingVolume for Sphere {
    type Motion = Placement;
    type Placed = Self;
    const NAME: &'static str = "sphere";

    fn fit(triangles: &[Triangle]) -> Self {
        let points = corners(triangles);
        let center = ball_center(points.clone());
        let reach = points.fold(0.0, |radius: f64, point| radius.max(length(point - center)));
        let rounding = 4.0 * f64::EPSILON * (reach + largest_coordinate(triangles)) + DENORMALS;
        Self { center, radius: reach + rounding }
    }

    fn size(&self) -> f64 {
        self.radius
    }

    fn measure(&self, unit: f64) -> Measure {
        let radius = self.radius / unit;
        Measure { volume: 4.0 / 3.0 * PI * radius.powi(3), surface: 4.0 * PI * radius.powi(2) }
    }

    fn motion(placement: &Placement) -> Placement {
        *placement
    }

    fn place(&self, placement: &Placement) -> Self {
        Self { center: placement.b_from_a().apply(self.center), radius: self.radius + placement.slack() }
    }

    #[inline]
    fn disjoint(&self, a: &Self) -> bool {
        self.lower_bound(a) > 0.0
    }

    #[inline]
    fn lower_bound(&self, a: &Self) -> f64 {
        let shrink = 1.0 - 8.0 * f64::EPSILON;
        (length(a.center - self.center) * shrink - (a.radius + self.radius)).max(0.0)
    }

    /// Along the move, across it towards the other, and straight at the other.
    fn blocked(&self, a: &Self, direction: DVec3) -> Blocked {
        let offset = a.center - self.center;
        // Rounding of the offsets along the axes is far below the slack in the radius.
        let reach = a.radius + self.radius;
        let across = offset - direction * offset.dot(direction);
        [Some(direction), unit(across), unit(offset)]
            .into_iter()
            .flatten()
            .fold(Blocked::ALWAYS, |blocked, axis| blocked.narrowed_about(offset.dot(axis), reach, direction.dot(axis)))
    }
}

impl Support for Sphere {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.center + direction * (self.radius / length(direction))
    }

    fn contains(&self, point: DVec3) -> bool {
        length(point - self.center) <= self.radius
    }

    #[inline]
    fn region(&self) -> Region {
        let half_extents = DVec3::splat(self.radius);
        Region { center: self.center, axes: DMat3::IDENTITY, half_extents, shape: Shape::Ball }
    }

    fn claim(&self, _a: &Self, _b_from_a: &Pose) -> Tightness {
        Tightness::Exact
    }
}

impl Stored for Sphere {
    const NUMBERS: usize = 4;

    fn store(&self, numbers: &mut Vec<f64>) {
        numbers.extend(self.center.to_array());
        numbers.push(self.radius);
    }

    fn restore(numbers: &[f64], reach: f64) -> Option<Self> {
        let mut numbers = Numbers::new(numbers, reach);
        Some(Self { center: numbers.point()?, radius: numbers.length()? })
    }
}

/// Centre and squared radius, in the unit frame of the fit.
#[derive(Debug, Clone, Copy)]
struct Ball {
    center: DVec3,
    radius_squared: f64,
}

impl Ball {
    fn excess(&self, point: DVec3) -> f64 {
        point.distance_squared(self.center) - self.radius_squared
    }
}

/// Relative to the unit frame, in which all points are within 1 of the origin.
const INSIDE: f64 = 1e-14;

fn ball_center(points: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
    let bounds: Bounds = points.clone().collect();
    let (middle, unit) = (bounds.middle(), bounds.half().max_element());
    if unit < f64::MIN_POSITIVE {
        return middle;
    }
    let unit_points = points.map(|point| (point - middle) / unit);
    let mut working: Vec<DVec3> = Vec::with_capacity(32);
    let mut ball = Ball { center: DVec3::ZERO, radius_squared: 0.0 };
    // Each round adds a point outside the ball, so the radius grows; rounding ends that after a
    // dozen rounds in practice.
    for _ in 0..200 {
        let farthest = unit_points.clone().fold((INSIDE, None), |best: (f64, Option<DVec3>), point| {
            let excess = ball.excess(point);
            if excess > best.0 { (excess, Some(point)) } else { best }
        });
        let Some(point) = farthest.1 else { break };
        working.insert(0, point);
        let count = working.len();
        ball = smallest_ball(&mut working, count, &mut Vec::with_capacity(4));
    }
    middle + ball.center * unit
}

/// Smallest ball around the first `count` points with all `boundary` points on its surface. The
/// depth of the recursion is the size of the boundary: at most four.
fn smallest_ball(points: &mut [DVec3], count: usize, boundary: &mut Vec<DVec3>) -> Ball {
    let mut ball = circumscribed(boundary);
    if boundary.len() == 4 {
        return ball;
    }
    for i in 0..count {
        let point = points[i];
        if ball.excess(point) > INSIDE {
            boundary.push(point);
            ball = smallest_ball(points, i, boundary);
            boundary.pop();
            points[..=i].rotate_right(1);
        }
    }
    ball
}

/// The ball with the points on its surface and its centre in their affine hull. A dependent point
/// adds nothing.
fn circumscribed(boundary: &[DVec3]) -> Ball {
    let Some((&origin, rest)) = boundary.split_first() else {
        return Ball { center: DVec3::ZERO, radius_squared: -1.0 };
    };
    let edges: Vec<DVec3> = rest.iter().map(|&point| point - origin).collect();
    let offset = equidistant(&edges);
    Ball { center: origin + offset, radius_squared: offset.length_squared() }
}

/// The point in the span of `edges` that is as far from 0 as from the end of each edge: `2 e·x =
/// e·e` for each.
fn equidistant(edges: &[DVec3]) -> DVec3 {
    let solve = |rows: [DVec3; 3], right: DVec3| {
        let matrix = DMat3::from_cols(rows[0], rows[1], rows[2]).transpose();
        let scale = rows[0].length() * rows[1].length() * rows[2].length();
        (matrix.determinant().abs() > 1e-13 * scale).then(|| matrix.inverse() * right)
    };
    match *edges {
        [] => DVec3::ZERO,
        [u] => u * 0.5,
        [u, v] => {
            let right = DVec3::new(u.length_squared(), v.length_squared(), 0.0) * 0.5;
            solve([u, v, u.cross(v)], right).unwrap_or_else(|| equidistant(&[longer(u, v)]))
        }
        [u, v, w, ..] => {
            let right = DVec3::new(u.length_squared(), v.length_squared(), w.length_squared()) * 0.5;
            solve([u, v, w], right).unwrap_or_else(|| equidistant(&[u, v]))
        }
    }
}

fn longer(u: DVec3, v: DVec3) -> DVec3 {
    if u.length_squared() >= v.length_squared() { u } else { v }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::convex::convex_distance;
    use nearhit_testkit::rng::Rng;

    /// A ball is the smallest exactly when its centre lies in the convex hull of the points on its
    /// surface.
    #[test]
    fn fits_are_the_smallest_balls() {
        let mut rng = Rng::new(3);
        for count in [1, 2, 3, 5, 40] {
            for round in 0..40 {
                let flat = if round % 3 == 0 { DVec3::new(1.0, 1.0, 0.0) } else { DVec3::ONE };
                let corner = |rng: &mut Rng| DVec3::from_array(rng.point(-1.0, 1.0)) * flat + DVec3::splat(10.0);
                let triangles: Vec<Triangle> = (0..count).map(|_| [(); 3].map(|()| corner(&mut rng))).collect();
                let ball = Sphere::fit(&triangles);
                let on_surface: Vec<DVec3> = corners(&triangles)
                    .filter(|point| point.distance(ball.center) > ball.radius * (1.0 - 1e-7))
                    .collect();
                assert!(on_surface.len() >= 2, "{count} triangles, round {round}: {ball:?} is too large");
                let hull = |direction: [f64; 3]| {
                    let along = |point: &&DVec3| point.dot(DVec3::from_array(direction));
                    on_surface
                        .iter()
                        .max_by(|p, q| along(p).total_cmp(&along(q)))
                        .map_or([0.0; 3], |point| point.to_array())
                };
                let away = convex_distance(hull, |_| ball.center.to_array(), 1e-9).lower;
                assert!(away < 1e-6 * ball.radius, "{count} triangles, round {round}: centre {away} off");
            }
        }
    }
}
