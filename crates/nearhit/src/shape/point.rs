//! Points and one shape: inside or outside, the signed distance, the closest point.
//!
//! A point is a ball without a size, so all is what [`ShapePair`] says of the two; inside of boxes,
//! cylinders and cones the depth has a closed form.

use super::convex::Bodies;
use super::core::Core;
use super::pair::{Margins, Penetration, ShapePair};
use super::{Kind, Shape};
use crate::error::QueryError;
use crate::pose::Pose;
use crate::primitive::ray::check_point;
use crate::query::{Distance, Interval, Scratch, Settings, Tolerance, TrianglePair, Verdict};
use crate::traverse::Stats;
use glam::DVec3;

impl Shape {
    /// Does the point belong to the shape? As exact as [`ShapePair::collide`]: of round shapes,
    /// "no" only when it is proven. A mesh that is a surface has its surface's points alone.
    ///
    /// Error: the point is not finite.
    ///
    /// ```
    /// use nearhit::{Scratch, glam::DVec3, shape::Shape};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (cup, mut scratch) = (Shape::cylinder(0.5, 2.0)?, Scratch::new());
    /// assert!(cup.contains(DVec3::new(0.0, 0.25, 1.0), &mut scratch)?); // on its top
    /// assert!(!cup.contains(DVec3::new(0.0, 0.25, 1.5), &mut scratch)?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "inside test")]
    pub fn contains(&self, point: DVec3, scratch: &mut Scratch) -> Result<bool, QueryError> {
        check_point(0, point)?;
        if let Kind::Mesh { model, is_solid } = &self.kind {
            if *is_solid && model.contains(point, scratch)?.is_in_solid() {
                return Ok(true);
            }
            return Ok(model.closest_point(point, scratch)?.distance <= self.margin);
        }
        let (dot, here) = dot(point)?;
        let pair = ShapePair::relative(self, &dot, &here)?;
        Ok(pair.collide(&Settings::default(), scratch).verdict == Verdict::Yes)
    }

    /// How far is the point from the shape's surface, below zero inside? An interval that holds the
    /// truth; `on_a` is the closest point of the surface, `on_b` the point itself. A mesh that is a
    /// surface has no inside; of a grown mesh it is the distance from the mesh less the margin.
    ///
    /// Error: the point is not finite.
    ///
    /// ```
    /// use nearhit::{Scratch, glam::DVec3, shape::Shape};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (block, mut scratch) = (Shape::cuboid([2.0, 4.0, 6.0])?, Scratch::new());
    /// let found = block.signed_distance(DVec3::new(0.75, 0.0, 0.0), &mut scratch)?;
    /// assert!((found.upper + 0.25).abs() < 1e-15 && found.on_a == DVec3::X);
    /// let found = block.signed_distance(DVec3::new(3.0, 0.0, 0.0), &mut scratch)?;
    /// assert!((found.upper - 2.0).abs() < 1e-12);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "SDF")]
    #[doc(alias = "closest point")]
    #[doc(alias = "point projection")]
    pub fn signed_distance(&self, point: DVec3, scratch: &mut Scratch) -> Result<Distance, QueryError> {
        check_point(0, point)?;
        if let Kind::Mesh { model, is_solid } = &self.kind {
            let (distance, closest) = if *is_solid {
                let found = model.signed_distance(point, scratch)?;
                (found.distance, found.closest)
            } else {
                let found = model.closest_point(point, scratch)?;
                (found.distance, found)
            };
            let away = (point - closest.point) * if distance < 0.0 { -1.0 } else { 1.0 };
            let on_a = closest.point + away.normalize_or_zero() * self.margin;
            return Ok(Depth { least: -distance, most: -distance, on_a }.grown(self.margin, closest.triangle, point));
        }
        let (dot, here) = dot(point)?;
        let pair = ShapePair::relative(self, &dot, &here)?;
        let found = pair.distance(Tolerance::EXACT, &Settings::default(), scratch);
        // Not the upper end: where they touch it may be rounding.
        if found.lower > 0.0 {
            return Ok(found);
        }
        if let Some(depth) = self.core().and_then(|core| core_depth(&core, point, self.margin)) {
            return Ok(depth.grown(self.margin, 0, point));
        }
        let Some(deep) = pair.penetration(scratch) else { return Ok(found) };
        let on_a = point + deep.normal * deep.depth.upper;
        let inside = Depth { least: deep.depth.lower, most: deep.depth.upper, on_a }.grown(0.0, 0, point);
        // Perhaps it is not inside, but as far away as rounding.
        let upper = if deep.depth.lower > 0.0 { inside.upper } else { inside.upper.max(found.upper) };
        Ok(Distance { upper, ..inside })
    }
}

/// A point as a shape, and where it is.
fn dot(point: DVec3) -> Result<(Shape, Pose), QueryError> {
    let here = Pose::from_translation(point.to_array()).map_err(|_| QueryError::TooFarApart { value: point.x })?;
    Ok((Shape::with_margin(Kind::Point, 0.0), here))
}

/// How deep a point is below a surface, which it has next to it at `on_a`.
struct Depth {
    least: f64,
    most: f64,
    on_a: DVec3,
}

/// How deep a ball's middle is inside of a box, cylinder or cone, in closed form; none where it is
/// not inside, or only by rounding.
pub(super) fn ball_depth(bodies: &Bodies<'_>, margins: &Margins) -> Option<Penetration> {
    let (ball, other, ball_is_b) = match (&bodies.a.core, &bodies.b.core) {
        (_, Core::Point(_)) => (&bodies.b, &bodies.a, true),
        (Core::Point(_), _) => (&bodies.a, &bodies.b, false),
        _ => return None,
    };
    let middle = ball.middle();
    let turn = other.pose.map(|pose| pose.rotation());
    let local = other.pose.map_or(middle, |pose| pose.rotation().transpose() * (middle - pose.translation()));
    let found = core_depth(&other.core, local, 0.0)?;
    let along = found.on_a - local;
    let length = crate::vector::length(along);
    let own = along / length;
    let outward = turn.map_or(own, |turn| turn * own);
    // What is posed has rounded corners, and the way into its frame is rounded, too.
    let rounding = if turn.is_some() { 32.0 * f64::EPSILON * (other.size() + ball.size()) } else { 0.0 };
    let least = found.least - rounding;
    if !(least > 0.0 && length > 0.0) {
        return None;
    }
    let depth = Interval {
        lower: (least + margins.down()).next_down(),
        upper: (found.most + rounding + margins.up()).next_up(),
    };
    let surface = middle + outward * length;
    let (normal, on_a, on_b) = if ball_is_b { (outward, surface, middle) } else { (-outward, middle, surface) };
    Some(Penetration { depth, normal, on_a: on_a + normal * margins.a, on_b: on_b - normal * margins.b })
}

impl Depth {
    /// Of the shape grown by a margin, as a signed distance.
    fn grown(self, margin: f64, triangle: u32, point: DVec3) -> Distance {
        let (mut lower, mut upper) = (-self.most, -self.least);
        if margin > 0.0 {
            (lower, upper) = ((lower - margin).next_down(), (upper - margin).next_up());
        }
        Distance {
            // No negative zeros.
            lower: lower + 0.0,
            upper: upper + 0.0,
            witness: TrianglePair { a: triangle, b: 0 },
            on_a: self.on_a,
            on_b: point,
            is_complete: true,
            stats: Stats { triangle_tests: 1, ..Stats::default() },
        }
    }
}

/// Is a point inside of a round core, and more than by rounding?
pub(super) fn surely_holds(core: &Core<'_>, point: DVec3) -> bool {
    match core {
        Core::Quadric(core) => (point / core.radii).length_squared() < 1.0 - 16.0 * f64::EPSILON,
        _ => core_depth(core, point, 0.0).is_some(),
    }
}

/// In closed form: for a point that is inside of the core, and more than by rounding.
fn core_depth(core: &Core<'_>, point: DVec3, margin: f64) -> Option<Depth> {
    let around = point.truncate();
    let from_axis = crate::vector::length(around.extend(0.0));
    let outward = if from_axis > 0.0 { (around / from_axis).extend(0.0) } else { DVec3::X };
    let cap = |half: f64| (half - point.z.abs(), DVec3::Z * 1.0_f64.copysign(point.z));
    let sides: [(f64, DVec3); 3] = match core {
        Core::Box3(core) => std::array::from_fn(|axis| {
            (core.half[axis] - point[axis].abs(), DVec3::AXES[axis] * 1.0_f64.copysign(point[axis]))
        }),
        Core::Tube(core) => [cap(core.half), (core.radius - from_axis, outward), (f64::INFINITY, outward)],
        Core::Frustum(core) => {
            // The slanted line in the plane through the axis and the point.
            let (rise, run) = (2.0 * core.half, core.top - core.bottom);
            let across = crate::vector::length(DVec3::new(rise, run, 0.0));
            let depth = (core.bottom - from_axis) * (rise / across) + (point.z + core.half) * (run / across);
            let normal = outward * (rise / across) - DVec3::Z * (run / across);
            [cap(core.half), (depth, normal), (f64::INFINITY, normal)]
        }
        _ => return None,
    };
    let (depth, normal) = sides.into_iter().reduce(|best, side| if side.0 < best.0 { side } else { best })?;
    // A difference of two numbers of that size, each rounded a few times.
    let rounding = match core {
        Core::Box3(_) => f64::EPSILON * depth,
        _ => 16.0 * f64::EPSILON * core.reach() + f64::MIN_POSITIVE,
    };
    let inside = depth > 2.0 * rounding;
    let on_a = point + normal * (depth + margin);
    inside.then_some(Depth { least: depth - rounding, most: depth + rounding, on_a })
}
