//! Ray casts against one shape.
//!
//! From a point of the ray outside of a convex shape, the plane that separates the two tells how
//! far the ray is free; there the next plane is taken (van den Bergen 2004). The distance from the
//! shape is convex along the ray, and this is Newton's method on it: it never passes the first
//! contact, and doubles its digits with every step unless the ray grazes.

use super::convex::{self, Bodies, Body, Goal};
use super::core::Core;
use super::half_space::Plane;
use super::pair::{Margins, convex_within};
use super::point::surely_holds;
use super::{Kind, Shape};
use crate::model::Model;
use crate::pose::Pose;
use crate::primitive::ray::Ray;
use crate::query::{Interval, Scratch};
use glam::DVec3;

/// Where a ray meets a shape: the answer of [`Shape::first_hit`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ShapeHit {
    /// How far along the ray: it is free before the lower end, and has met the shape at the upper
    /// end, to the rounding of its points. That is infinite where the ray comes so near that it
    /// cannot be told whether it meets the shape: a graze.
    pub distance: Interval,
    /// The point of the ray at the lower end.
    pub point: DVec3,
    /// Out of the shape, of length one; zero if the ray begins inside, or touches a mesh.
    pub normal: DVec3,
    /// The triangle of a mesh; 0 for another shape.
    pub triangle: u32,
}

impl ShapeHit {
    fn new(ray: &Ray, distance: Interval, normal: DVec3, triangle: u32) -> Self {
        Self { distance, point: ray.at(distance.lower), normal, triangle }
    }

    /// The ray begins in the shape.
    fn at_once(ray: &Ray) -> Self {
        Self::new(ray, Interval::ZERO, DVec3::ZERO, 0)
    }
}

/// A stretch of the ray that is free of the shape.
struct FreeWay {
    length: f64,
    /// Out of the shape.
    normal: DVec3,
    /// How fast the ray comes nearer along the normal.
    speed: f64,
}

/// Steps of one cast at most: those that graze gain a bit a step.
const MOST_STEPS: usize = 200;

impl Shape {
    /// Where does a ray meet the shape first? A ray that begins inside of a solid meets it at once.
    /// "None" is proven. Without margins, a mesh is hit or missed exactly, as by
    /// [`Model::first_hit`].
    ///
    /// ```
    /// use nearhit::{Ray, Scratch, glam::DVec3, shape::Shape};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (ball, mut scratch) = (Shape::ball(0.5)?, Scratch::new());
    /// let ray = Ray::new(DVec3::new(-3.0, 0.0, 0.0), DVec3::X)?;
    /// let hit = ball.first_hit(&ray, &mut scratch).expect("a hit");
    /// assert!((hit.distance.upper - 2.5).abs() < 1e-9 && hit.normal.x < -0.999);
    /// let beside = Ray::new(DVec3::new(-3.0, 0.75, 0.0), DVec3::X)?;
    /// assert!(ball.first_hit(&beside, &mut scratch).is_none());
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "ray casting")]
    #[doc(alias = "raycast")]
    #[must_use]
    pub fn first_hit(&self, ray: &Ray, scratch: &mut Scratch) -> Option<ShapeHit> {
        match (&self.kind, self.core()) {
            (Kind::Mesh { model, is_solid }, _) => self.mesh_hit(model, *is_solid, ray, scratch),
            (Kind::HalfSpace(plane), _) => plane_hit(plane, self.margin, ray),
            (_, Some(core)) => self.core_hit(&core, ray),
            (_, None) => self.traced_hit(ray, scratch),
        }
    }

    fn core_hit(&self, core: &Core<'_>, ray: &Ray) -> Option<ShapeHit> {
        let margins = Margins { a: self.margin, b: 0.0 };
        let end = self.beyond(ray);
        let (mut time, mut normal, mut speed) = (0.0, DVec3::ZERO, 1.0);
        for _ in 0..MOST_STEPS {
            let Some(way) = self.free_way(core, ray, time, -normal)? else { break };
            (normal, speed) = (way.normal, way.speed);
            let next = time + way.length * (1.0 - f64::EPSILON);
            if next > end {
                return None;
            }
            if next <= time {
                break;
            }
            time = next;
        }
        if time == 0.0 && normal == DVec3::ZERO {
            let here = Pose::from_translation(ray.origin().to_array()).ok()?;
            let bodies = Bodies::new(Body::own(*core), Body::posed(Core::Point(DVec3::ZERO), &here));
            if convex_within(&bodies, &margins, 0.0).near {
                return Some(ShapeHit::at_once(ray));
            }
        }
        let upper = self.met_by(core, ray, time, speed).unwrap_or(f64::INFINITY);
        Some(ShapeHit::new(ray, Interval { lower: time, upper }, normal, 0))
    }

    /// How far the ray is free from a point on; `Some(None)` where it is too near to tell, `None`
    /// if it never meets the shape. `last` is across the plane of the step before.
    fn free_way(&self, core: &Core<'_>, ray: &Ray, time: f64, last: DVec3) -> Option<Option<FreeWay>> {
        let point = ray.at(time);
        let here = Pose::from_translation(point.to_array()).ok()?;
        let bodies = Bodies::new(Body::own(*core), Body::posed(Core::Point(DVec3::ZERO), &here));
        let gap = convex::gap(&bodies, Goal::Narrow, None);
        let slack = Margins { a: self.margin, b: 0.0 }.up() + self.rounding(point);
        // Nothing of the shape is nearer than its distance.
        let free = gap.lower - slack;
        if !(free > 0.0) {
            return Some(None);
        }
        // The direction and the normal are of length one to rounding.
        let speed_along = |normal: DVec3| (normal.dot(ray.direction()) + 8.0 * f64::EPSILON).min(1.0);
        let mut way = FreeWay { length: free, normal: -gap.normal, speed: speed_along(gap.normal) };
        // A plane between the two tells more, if it is one: next to the shape the direction of the
        // nearest point has few digits, and a plane across it may cut the shape. That of the step
        // before has more.
        for normal in [gap.normal, last] {
            let (before, speed) = (normal.dot(core.support(-normal) - point) - slack, speed_along(normal));
            if before > 0.0 && speed <= 0.0 {
                return None;
            }
            if before > 0.0 && before / speed > way.length {
                way = FreeWay { length: before / speed, normal: -normal, speed };
            }
        }
        Some(Some(way))
    }

    /// A length soon after `time` at which the ray has certainly met the shape.
    fn met_by(&self, core: &Core<'_>, ray: &Ray, time: f64, speed: f64) -> Option<f64> {
        let margins = Margins { a: self.margin, b: 0.0 };
        let from = ray.at(time);
        let mut more = 4.0 * self.rounding(from) / speed.max(1e-9);
        for _ in 0..12 {
            let to = ray.at(time + more);
            let step = Core::Triangle([from, to, to]);
            let bodies = Bodies::new(Body::own(*core), Body::own(step));
            let met = if core.is_flat() {
                convex_within(&bodies, &margins, 0.0).near
            } else {
                let grown = || convex::gap(&bodies, Goal::Narrow, None).upper < margins.down();
                surely_holds(core, to) || (self.margin > 0.0 && grown())
            };
            if met {
                return Some(time + more);
            }
            more *= 8.0;
        }
        None
    }

    /// Beyond this length along the ray there is nothing of the shape.
    fn beyond(&self, ray: &Ray) -> f64 {
        let Some(extent) = self.extent() else { return f64::INFINITY };
        let away = crate::vector::length(extent.center - ray.origin());
        (away + extent.radius + self.margin) * (1.0 + 1e-12)
    }

    /// How far a point of the ray, and its distance from the shape, may be off.
    fn rounding(&self, point: DVec3) -> f64 {
        8.0 * f64::EPSILON * (point.abs().max_element() + self.reach()) + f64::MIN_POSITIVE
    }

    fn mesh_hit(&self, model: &Model, is_solid: bool, ray: &Ray, scratch: &mut Scratch) -> Option<ShapeHit> {
        if is_solid && model.contains(ray.origin(), scratch).is_ok_and(|found| found.is_in_solid()) {
            return Some(ShapeHit::at_once(ray));
        }
        if self.margin > 0.0 {
            return self.traced_hit(ray, scratch);
        }
        let hit = model.first_hit(ray, scratch)?;
        let [a, b, c] = model.mesh().triangle(hit.triangle);
        let across = (b - a).cross(c - a).normalize_or_zero();
        let normal = if across.dot(ray.direction()) > 0.0 { -across } else { across };
        Some(ShapeHit::new(ray, Interval { lower: hit.distance, upper: hit.distance }, normal, hit.triangle))
    }

    /// Of what is not convex: as far as the distance, again and again (sphere tracing).
    fn traced_hit(&self, ray: &Ray, scratch: &mut Scratch) -> Option<ShapeHit> {
        let end = self.beyond(ray);
        let (mut time, mut normal, mut triangle) = (0.0, DVec3::ZERO, 0);
        let mut met = false;
        for _ in 0..10_000 {
            let point = ray.at(time);
            let found = self.signed_distance(point, scratch).ok()?;
            triangle = found.witness.a;
            let free = found.lower - self.rounding(point);
            met = found.upper <= self.rounding(point);
            if met || !(free > 0.0) {
                break;
            }
            normal = (point - found.on_a).normalize_or_zero();
            time += free * (1.0 - f64::EPSILON);
            if time > end {
                return None;
            }
        }
        let upper = if met { time } else { f64::INFINITY };
        Some(ShapeHit::new(ray, Interval { lower: time, upper }, normal, triangle))
    }
}

fn plane_hit(plane: &Plane, margin: f64, ray: &Ray) -> Option<ShapeHit> {
    let rounding = plane.rounding(ray.origin().abs().max_element()) + f64::EPSILON * margin;
    let height = plane.height(ray.origin()) - margin;
    if height <= rounding {
        return Some(ShapeHit::at_once(ray));
    }
    let speed = -plane.normal.dot(ray.direction());
    let slowest = speed - 8.0 * f64::EPSILON;
    if speed + 8.0 * f64::EPSILON <= 0.0 {
        return None;
    }
    let lower = (height - rounding) / (speed + 8.0 * f64::EPSILON);
    let upper = if slowest > 0.0 { (height + rounding) / slowest } else { f64::INFINITY };
    Some(ShapeHit::new(ray, Interval { lower, upper }, plane.normal, 0))
}
