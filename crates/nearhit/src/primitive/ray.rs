//! A half-line and a closed triangle: do they meet, and how far along?
//!
//! *Whether* is decided by exact signs; a ray through an edge meets both of its triangles, one in a
//! triangle's plane meets the triangle where it enters it. *How far* is a double: off by at most
//! [`LENGTH_ERROR`] of the lengths between the ray's origin and the triangle, and what the
//! coordinates' own rounding gives.

use super::exact::{self, Ahead};
use super::intersect::{EDGES, inside_2d, none_oppose, proper_projection};
use super::predicates::{Course, Drop, Sign, orient2d, orient3d};
use crate::error::{MAX_COORDINATE, QueryError};
use crate::mesh::Triangle;
use crate::vector::length;
use glam::DVec3;

/// A half-line: it starts at a point and goes in a direction or through another point. The exact
/// questions are asked of the numbers given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    course: Course,
    /// Of length one, to rounding.
    direction: DVec3,
    /// The length of the course's step.
    unit: f64,
}

/// How far [`hit`] may be off, relative to the distance from the ray's origin to the triangle's
/// farthest corner and to the hit.
pub const LENGTH_ERROR: f64 = 1e-11;

impl Ray {
    /// From `origin` in a direction of any length. Hit or miss is decided for these very numbers:
    /// neither is the direction brought to length one before, nor is a second point rounded.
    ///
    /// Errors: a coordinate is not finite or above 1e300, or the direction is zero.
    pub fn new(origin: DVec3, direction: DVec3) -> Result<Self, QueryError> {
        check_point(0, origin)?;
        check_point(0, direction)?;
        if direction == DVec3::ZERO {
            return Err(QueryError::NoDirection);
        }
        // A second point in doubles makes the exact questions cheaper.
        let near = scaled_to(direction, origin);
        let through = [near, direction].into_iter().find_map(|step| exact_sum(origin, step).map(|sum| (step, sum)));
        let (step, through) = through.map_or((near, None), |(step, sum)| (step, Some(sum)));
        let unit = length(step);
        Ok(Self { course: Course { origin, step, through }, direction: step / unit, unit })
    }

    /// From one point through another.
    ///
    /// Errors: a coordinate is not finite or above 1e300, or the two are the same.
    pub fn between(origin: DVec3, through: DVec3) -> Result<Self, QueryError> {
        check_point(0, origin)?;
        check_point(1, through)?;
        let step = through - origin;
        let unit = length(step);
        if unit == 0.0 {
            return Err(QueryError::NoDirection);
        }
        Ok(Self { course: Course { origin, step, through: Some(through) }, direction: step / unit, unit })
    }

    /// The origin.
    #[must_use]
    pub fn origin(&self) -> DVec3 {
        self.course.origin
    }

    /// Of length one, to rounding.
    #[must_use]
    pub fn direction(&self) -> DVec3 {
        self.direction
    }

    /// The point at a distance along it.
    #[must_use]
    pub fn at(&self, distance: f64) -> DVec3 {
        self.course.origin + self.direction * distance
    }
}

/// A direction times a power of two, without rounding, so that it is about as long as the smallest
/// coordinate of the origin that it changes: then their sum has the fewest digits.
fn scaled_to(direction: DVec3, origin: DVec3) -> DVec3 {
    let changed = (0..3).filter(|&axis| direction[axis] != 0.0 && origin[axis] != 0.0);
    let smallest = changed.map(|axis| origin[axis].abs()).fold(f64::INFINITY, f64::min);
    let largest = direction.abs().max_element();
    // Lengths of steps are squared elsewhere: keep away from the smallest doubles.
    let aim = if smallest == f64::INFINITY { 1.0 } else { smallest.clamp(1e-140, 1e140) };
    let power = (exponent(aim) - exponent(largest) - 1).clamp(-1000, 1000);
    let scaled = direction * 2.0_f64.powi(power);
    if scaled * 2.0_f64.powi(-power) == direction && scaled.is_finite() { scaled } else { direction }
}

/// Of the highest bit.
fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

/// The sum, if it is a double in every coordinate.
fn exact_sum(a: DVec3, b: DVec3) -> Option<DVec3> {
    let sum = a + b;
    // What is lost (Knuth's two-sum), coordinate by coordinate.
    let second = sum - a;
    let lost = (a - (sum - second)) + (b - second);
    (lost == DVec3::ZERO && sum.abs().max_element() <= MAX_COORDINATE && sum != a).then_some(sum)
}

/// Is the point finite and in range?
pub(crate) fn check_point(index: usize, point: DVec3) -> Result<(), QueryError> {
    for (axis, value) in ['x', 'y', 'z'].into_iter().zip(point.to_array()) {
        if value.is_nan() || value.abs() > MAX_COORDINATE {
            return Err(QueryError::BadPoint { index, axis, value });
        }
    }
    Ok(())
}

/// How far along the ray the triangle is met first; none if it is not. Zero exactly when the ray
/// starts on the triangle.
#[must_use]
#[inline]
pub fn hit(ray: &Ray, triangle: &Triangle) -> Option<f64> {
    let offsets = triangle.map(|corner| corner - ray.course.origin);
    let turns = EDGES.map(|(i, j)| ray.course.turn([triangle[i], triangle[j]], [offsets[i], offsets[j]]));
    if !none_oppose(turns) {
        return None;
    }
    // The sum of the three is the volume that the ray's step spans with the triangle: its sign
    // tells which way the ray passes.
    let Some(passing) = turns.into_iter().find(|turn| *turn != Sign::Zero) else {
        return hit_in_plane(ray, triangle);
    };
    let [a, b, c] = *triangle;
    match orient3d(a, b, c, ray.course.origin) {
        Sign::Zero => Some(0.0),
        side if side == passing.flipped() => Some(length_to_plane(ray, triangle)),
        _ => None,
    }
}

/// Along a ray that does pass through the plane, ahead of its origin.
#[inline]
fn length_to_plane(ray: &Ray, triangle: &Triangle) -> f64 {
    let (u, v, offset) = (triangle[1] - triangle[0], triangle[2] - triangle[0], triangle[0] - ray.course.origin);
    let normal = u.cross(v);
    let (height, slope) = (normal.dot(offset), normal.dot(ray.direction));
    let distance = height / slope;
    // The errors of the two products: see `Plane` of the packed engine's leaves for the count.
    let unit = 32.0 * f64::EPSILON * u.abs().max_element() * v.abs().max_element();
    let error = unit * (offset.abs().max_element() + distance.abs());
    let size = offset.abs().max_element() + distance.abs();
    if slope.abs() > f64::MIN_POSITIVE * 1e30 && distance >= 0.0 && error < 0.05 * LENGTH_ERROR * size * slope.abs() {
        return distance;
    }
    let (corners, Course { origin, step, through }) = (triangle.map(|corner| corner.to_array()), ray.course);
    match through {
        Some(through) => exact::plane_on_ray(corners, origin.to_array(), through.to_array(), ray.unit),
        None => exact::plane_on_step(corners, origin.to_array(), step.to_array(), ray.unit),
    }
}

/// The line of the ray lies in the plane of the triangle, or the triangle has no area.
#[cold]
fn hit_in_plane(ray: &Ray, triangle: &Triangle) -> Option<f64> {
    if let Some(drop) = proper_projection(triangle) {
        let flat = triangle.map(|corner| drop.project(corner));
        // All in one plane: being inside in the projection is being inside.
        if inside_2d(drop.project(ray.course.origin), flat) {
            return Some(0.0);
        }
    }
    let lengths = EDGES.into_iter().filter_map(|(i, j)| hit_segment(ray, triangle[i], triangle[j]));
    lengths.min_by(f64::total_cmp)
}

/// Where the ray meets a segment. As with two segments, coplanar ones meet exactly when their
/// shadows meet in all three coordinate planes.
fn hit_segment(ray: &Ray, p: DVec3, q: DVec3) -> Option<f64> {
    let Course { origin, .. } = ray.course;
    let coplanar = ray.course.turn([p, q], [p - origin, q - origin]) == Sign::Zero;
    let shadows_meet = |drop: Drop| ray_meets_segment_2d(&ray.course, drop, drop.project(p), drop.project(q));
    if !(coplanar && Drop::ALL.into_iter().all(shadows_meet)) {
        return None;
    }
    let (along_p, along_q) = ((p - origin).dot(ray.direction), (q - origin).dot(ray.direction));
    let (across_p, across_q) =
        (length(p - origin - ray.direction * along_p), length(q - origin - ray.direction * along_q));
    let width = across_p + across_q;
    let size = p.abs().max(q.abs()).max(origin.abs()).max_element();
    if width > NEARLY_ALONG * size {
        return Some((along_p + (along_q - along_p) * (across_p / width)).max(0.0));
    }
    // Where the shadow is not on the ray's it crosses it, at a small angle; otherwise all is on one
    // line, and the nearer end is met.
    let crossed = Drop::ALL
        .into_iter()
        .find(|&drop| [p, q].into_iter().any(|end| ray.course.turn_of_shadow(drop, drop.project(end)) != Sign::Zero));
    Some(crossed.map_or(along_p.min(along_q).max(0.0), |drop| length_to_shadow(ray, drop, p, q)))
}

/// Segments are crossed at an angle so small that rounding of the coordinates moves the crossing by
/// more than [`LENGTH_ERROR`].
const NEARLY_ALONG: f64 = 1e-3;

fn length_to_shadow(ray: &Ray, drop: Drop, p: DVec3, q: DVec3) -> f64 {
    let Course { origin, step, through } = ray.course;
    let ahead = match through {
        Some(through) => Ahead::Through(drop.project(through)),
        None => Ahead::Step(drop.project(step)),
    };
    exact::segment_on_ray([drop.project(p), drop.project(q)], drop.project(origin), ahead, ray.unit)
}

fn ray_meets_segment_2d(course: &Course, drop: Drop, p: [f64; 2], q: [f64; 2]) -> bool {
    let (origin, step) = (drop.project(course.origin), drop.project(course.step));
    let (side_p, side_q) = (course.turn_of_shadow(drop, p), course.turn_of_shadow(drop, q));
    if side_p.strictly_agrees(side_q) {
        return false;
    }
    if side_p == Sign::Zero && side_q == Sign::Zero {
        // On the ray's line, or the ray is seen from its end: each axis must have a point of the
        // segment ahead.
        return (0..2).all(|axis| match step[axis].partial_cmp(&0.0) {
            Some(std::cmp::Ordering::Greater) => p[axis].max(q[axis]) >= origin[axis],
            Some(std::cmp::Ordering::Less) => p[axis].min(q[axis]) <= origin[axis],
            _ => p[axis].min(q[axis]) <= origin[axis] && origin[axis] <= p[axis].max(q[axis]),
        });
    }
    // The origin is on the segment's line, or on the side from which the ray comes.
    let from = orient2d(p, q, origin);
    let crossed = if side_p == Sign::Zero { side_q } else { side_p.flipped() };
    from == Sign::Zero || from == crossed
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    fn length_of(origin: [f64; 3], through: [f64; 3], triangle: [[f64; 3]; 3]) -> Option<f64> {
        let ray = Ray::between(DVec3::from_array(origin), DVec3::from_array(through)).expect("a direction");
        let triangle = triangle.map(DVec3::from_array);
        let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
        let lengths = orders.map(|order| hit(&ray, &order.map(|i| triangle[i])));
        assert!(lengths.iter().all(|found| *found == lengths[0]), "{lengths:?}");
        lengths[0]
    }

    #[test]
    fn hits_by_hand() {
        assert_eq!(length_of([1.0, 1.0, -3.0], [1.0, 1.0, -2.0], FLAT), Some(3.0), "from below");
        assert_eq!(length_of([1.0, 1.0, 3.0], [1.0, 1.0, 2.0], FLAT), Some(3.0), "from above");
        assert_eq!(length_of([1.0, 1.0, -3.0], [1.0, 1.0, -4.0], FLAT), None, "away from it");
        assert_eq!(length_of([3.0, 3.0, -3.0], [3.0, 3.0, -2.0], FLAT), None, "past it");
        assert_eq!(length_of([2.0, 0.0, -3.0], [2.0, 0.0, -2.0], FLAT), Some(3.0), "through an edge");
        assert_eq!(length_of([0.0, 4.0, -3.0], [0.0, 4.0, -2.0], FLAT), Some(3.0), "through a corner");
        assert_eq!(length_of([1.0, 1.0, 0.0], [1.0, 1.0, -2.0], FLAT), Some(0.0), "from its inside");
        assert_eq!(length_of([4.0, 0.0, 0.0], [9.0, 1.0, 3.0], FLAT), Some(0.0), "from its corner");
    }

    /// A ray that leaves an edge by a hair meets it where it crosses it, not at the end beside it.
    #[test]
    fn crossings_at_small_angles() {
        for (hair, size) in [(1e-3, 1.0), (1e-9, 1.0), (4.440892098500626e-16, 1.0), (1e-16, 1e-120), (5e-324, 1.0)] {
            // The edge goes from beside the origin to the other side of the ray, half-way along.
            let corners = [[hair, 0.0, 0.0], [-hair, 2.0, 0.0], [-4.0, -1.0, 0.0]].map(DVec3::from_array);
            let flat = corners.map(|corner| corner * size);
            let upright = [corners[0], corners[1], corners[0]].map(|corner| corner * size);
            let ray = Ray::new(DVec3::ZERO, DVec3::Y * size).expect("a direction");
            let from_outside = Ray::new(DVec3::new(2.0 * hair, 0.0, 0.0) * size, DVec3::new(-4.0 * hair, 2.0, 0.0));
            assert_eq!(hit(&ray, &upright).map(|found| found / size), Some(1.0), "{hair:e} {size:e}");
            assert_eq!(hit(&ray, &flat), Some(0.0), "from its inside");
            let found = hit(&from_outside.expect("a direction"), &flat).expect("ahead") / size;
            assert!((found - 1.0).abs() < 1e-9 + 4.0 * hair, "{hair:e} {size:e}: {found}");
        }
    }

    /// The step may be so much longer than the way to the triangle that the way in steps vanishes.
    #[test]
    fn short_ways_along_long_steps() {
        for size in [1e-160, 1e-250, 1e-300] {
            let triangle = FLAT.map(|corner| DVec3::from_array(corner) * size);
            let origin = DVec3::new(1.0, 1.0, -3.0) * size;
            // Not to be shortened without rounding: the smallest part has no digit to lose.
            for direction in [DVec3::new(4e-91, -1e-167, 4e200), DVec3::new(0.0, 5e-324, 1e299)] {
                let found = hit(&Ray::new(origin, direction).expect("a direction"), &triangle).expect("ahead");
                assert!((found / size - 3.0).abs() < 1e-9, "{size:e}, {direction}: {found:e}");
            }
        }
    }

    /// Small whole numbers have an exact second point, whatever power of two the direction has.
    #[test]
    fn second_points_are_exact_for_whole_numbers() {
        let mut rng = nearhit_testkit::rng::Rng::new(12);
        for power in [-900, -70, -3, 0, 5, 60, 900] {
            for _ in 0..50 {
                let [origin, direction] =
                    [(); 2].map(|()| DVec3::from_array(std::array::from_fn(|_| rng.integer(1, 40) as f64)));
                let ray = Ray::new(origin, direction * 2.0_f64.powi(power)).expect("a direction");
                let through = ray.course.through.expect("exact");
                let step = (through - origin) / direction;
                assert!(step.x > 0.0 && step == DVec3::splat(step.x), "{origin} {direction} {power}: {step}");
            }
        }
    }

    /// A corner of a cube, along its bottom: four triangles have it.
    #[test]
    fn from_a_corner() {
        let cube = nearhit_testkit::shapes::cuboid([-1.0; 3], [1.0; 3]);
        let ray = Ray::between(DVec3::new(1.0, -1.0, -1.0), DVec3::new(0.0, -0.5, -1.0)).expect("a direction");
        let hits = |triangle: [[f64; 3]; 3]| hit(&ray, &triangle.map(DVec3::from_array));
        let hits: Vec<Option<f64>> = cube.corners().map(hits).collect();
        assert_eq!(hits.iter().filter(|length| **length == Some(0.0)).count(), 4, "{hits:?}");
        // Then the other half of the bottom from the diagonal on, and a side where the bottom ends.
        let later: Vec<f64> = hits.into_iter().flatten().filter(|&length| length > 0.0).collect();
        let expected = [5f64.sqrt(), 5f64.sqrt() * 2.0 / 3.0];
        assert!(later.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15), "{later:?}");
    }

    #[test]
    fn rays_in_the_plane_and_thin_triangles() {
        assert_eq!(length_of([-2.0, 1.0, 0.0], [-1.0, 1.0, 0.0], FLAT), Some(2.0));
        assert_eq!(length_of([-2.0, 1.0, 0.0], [-3.0, 1.0, 0.0], FLAT), None);
        assert_eq!(length_of([-2.0, 5.0, 0.0], [-1.0, 5.0, 0.0], FLAT), None);
        assert_eq!(length_of([-2.0, 0.0, 0.0], [-1.0, 0.0, 0.0], FLAT), Some(2.0), "along an edge");
        assert_eq!(length_of([1.0, 1.0, 0.0], [9.0, 1.0, 0.0], FLAT), Some(0.0), "from within");
        let segment = [[1.0, -1.0, 2.0], [1.0, 1.0, 2.0], [1.0, 0.5, 2.0]];
        assert_eq!(length_of([1.0, 0.0, 0.0], [1.0, 0.0, 1.0], segment), Some(2.0));
        assert_eq!(length_of([1.0, 1.5, 0.0], [1.0, 1.5, 1.0], segment), None);
        assert_eq!(length_of([1.0, 0.0, 0.0], [1.0, 0.0, -1.0], segment), None);
        assert_eq!(length_of([1.0, -3.0, 2.0], [1.0, -2.0, 2.0], segment), Some(2.0), "along the segment");
        assert_eq!(length_of([0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [[2.0, 4.0, 6.0]; 3]), Some(56f64.sqrt()), "a point");
    }

    /// A grazing ray whose crossing doubles cannot place: the exact path does.
    #[test]
    fn grazing_rays_are_placed_exactly() {
        let tilted = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 1e-18]];
        let found = length_of([-1.0, 0.0, 0.5e-18], [0.0, 0.0, 0.5e-18], tilted).expect("a hit");
        assert!((found - 1.5).abs() < 1e-12, "{found}");
    }

    /// Whole numbers whose products are no doubles: the ray turns from the triangle's plane by some
    /// 1e-9, and what doubles make of that is off by 1e-7 and more.
    #[test]
    fn grazing_rays_of_whole_numbers() {
        let mut rng = nearhit_testkit::rng::Rng::new(31);
        let mut seen = 0;
        for _ in 0..2000 {
            let mut corner = || [0; 3].map(|_: i64| rng.range(-1e9, 1e9) as i64);
            let [a, u, v] = [corner(), corner(), corner()];
            let product =
                |i: usize, j: usize| i128::from(u[i]) * i128::from(v[j]) - i128::from(u[j]) * i128::from(v[i]);
            let (x, z) = (product(1, 2), product(0, 1));
            // A step along the sum of the two edges and one to the side, from one below its
            // beginning: it meets the plane after z/x of the step.
            if !(10 * z.abs() > 11 * x.abs() && 10 * z.abs() < 14 * x.abs() && (x > 0) == (z > 0)) {
                continue;
            }
            let place = |point: [i64; 3]| DVec3::from_array(point.map(|number| number as f64));
            let sum = [0, 1, 2].map(|i| u[i] + v[i]);
            let from = [a[0] - sum[0], a[1] - sum[1], a[2] - sum[2] - 1];
            let through = [from[0] + sum[0] + 1, from[1] + sum[1], from[2] + sum[2]];
            let ray = Ray::between(place(from), place(through)).expect("a direction");
            let corners = [a, [0, 1, 2].map(|i| a[i] + u[i]), [0, 1, 2].map(|i| a[i] + v[i])].map(place);
            let found = hit(&ray, &corners).expect("a hit");
            let expected = (z as f64 / x as f64) * ray.unit;
            assert!((found - expected).abs() <= 2.0 * LENGTH_ERROR * 4e9, "{found} {expected}");
            seen += 1;
        }
        assert!(seen > 50, "{seen}");
    }

    #[test]
    fn a_ray_needs_a_direction_and_numbers() {
        assert_eq!(Ray::new(DVec3::ONE, DVec3::ZERO), Err(QueryError::NoDirection));
        let error = Ray::new(DVec3::ONE, DVec3::new(0.0, f64::NAN, 1.0)).expect_err("NaN").to_string();
        assert_eq!(error, "point 0: coordinate y is NaN, not a finite number of at most 1e300");
        assert!(Ray::new(DVec3::splat(4e299), DVec3::X).is_ok());
    }
}
