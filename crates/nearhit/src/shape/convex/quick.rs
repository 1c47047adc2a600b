//! Short cuts for the commonest pairs: closed forms for points, segments, triangles and boxes,
//! separating axes for two boxes, projections of points on round bodies.
//!
//! A short cut only proposes: two points for an upper bound, a direction for a lower one, each with
//! the same rounding as in the descent. Where its bounds do not settle the question, the descent
//! begins as if nothing had been asked. About round bodies it says the same whatever the goal: the
//! narrowest interval there is decides about them.
//!
//! Lengths are in the ordinary unit: two balls take less time than a common unit would.

use super::closed;
use super::gjk::{Gap, Goal, ROUNDING};
use super::project;
use crate::pose::Pose;
use crate::shape::core::Core;
use glam::DVec3;

/// Beyond these sizes squares leave the range of numbers.
const SIZES: std::ops::Range<f64> = 1e-100..1e100;

/// A core and where it lies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed<'c, 's> {
    pub(crate) core: &'c Core<'s>,
    pub(crate) pose: Option<&'c Pose>,
}

/// What of a core is nearest to a point.
enum Nearest {
    /// The point is inside, and by more than rounding.
    Inside,
    At(DVec3),
}

impl Placed<'_, '_> {
    /// A point of the core farthest along a direction, as [`Body`](super::Body) has it.
    #[inline]
    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        match self.pose {
            None => self.core.support(direction),
            Some(pose) => pose.apply(self.core.support(pose.rotation().transpose() * direction)),
        }
    }

    #[inline]
    fn place(&self, point: DVec3) -> DVec3 {
        self.pose.map_or(point, |pose| pose.apply(point))
    }

    #[inline]
    fn local(&self, point: DVec3) -> DVec3 {
        self.pose.map_or(point, |pose| pose.rotation().transpose() * (point - pose.translation()))
    }

    /// None where there is no closed form. What is not inside by `deep` is not called so.
    #[inline]
    fn nearest(&self, point: DVec3, deep: f64) -> Option<Nearest> {
        let local = self.local(point);
        let depth = match self.core {
            Core::Box3(core) => closed::depth_in_box(-core.half, core.half, local),
            Core::Cell(cell) => closed::depth_in_box(cell.low, cell.high, local),
            Core::Tube(core) => (core.radius - local.truncate().length()).min(core.half - local.z.abs()),
            Core::Quadric(core) => {
                let least = core.radii.min_element();
                if least > 0.0 { (1.0 - (local / core.radii).length()) * least } else { 0.0 }
            }
            _ => 0.0,
        };
        if depth > deep {
            return Some(Nearest::Inside);
        }
        let nearest = match self.core {
            Core::Cell(cell) => local.clamp(cell.low, cell.high),
            core => project::in_core(core, local)?,
        };
        Some(Nearest::At(self.place(nearest)))
    }

    /// The two ends of a segment by half of its length.
    #[inline]
    fn ends(&self, half: f64) -> [DVec3; 2] {
        [self.place(DVec3::new(0.0, 0.0, -half)), self.place(DVec3::new(0.0, 0.0, half))]
    }
}

/// Two sides and what is asked of them.
struct Couple<'c, 's> {
    a: &'c Placed<'c, 's>,
    b: &'c Placed<'c, 's>,
    /// How far a bound may be off.
    rounding: f64,
    goal: Goal,
}

/// The gap, if a short cut settles it. `length` is the bodies' common unit.
#[inline]
pub(crate) fn gap(a: &Placed<'_, '_>, b: &Placed<'_, '_>, length: f64, goal: Goal) -> Option<Gap> {
    if !SIZES.contains(&length) {
        return None;
    }
    let pair = Couple { a, b, rounding: ROUNDING * length, goal };
    match (a.core, b.core) {
        (Core::Point(at), _) => {
            let on_a = a.place(*at);
            match b.nearest(on_a, 4.0 * pair.rounding)? {
                Nearest::Inside => Some(overlap(on_a)),
                Nearest::At(on_b) if b.core.projects_exactly() => pair.known(on_a, on_b),
                Nearest::At(on_b) => pair.settle(on_a, on_b),
            }
        }
        (_, Core::Point(at)) => {
            let on_b = b.place(*at);
            match a.nearest(on_b, 4.0 * pair.rounding)? {
                Nearest::Inside => Some(overlap(on_b)),
                Nearest::At(on_a) if a.core.projects_exactly() => pair.known(on_a, on_b),
                Nearest::At(on_a) => pair.settle(on_a, on_b),
            }
        }
        (Core::Segment(half_a), Core::Segment(half_b)) => {
            let (on_a, on_b) = closed::between_segments(a.ends(*half_a), b.ends(*half_b));
            pair.settle(on_a, on_b)
        }
        (Core::Segment(half), Core::Box3(core)) => pair.segment_and_box(a.ends(*half), b, core.half, false),
        (Core::Box3(core), Core::Segment(half)) => pair.segment_and_box(b.ends(*half), a, core.half, true),
        (Core::Box3(half_a), Core::Box3(half_b)) => match (goal, a.pose, b.pose) {
            (Goal::Decide(limit), None, Some(pose)) => {
                closed::boxes(half_a.half, half_b.half, pose, limit, pair.rounding)
            }
            _ => None,
        },
        _ => None,
    }
}

fn overlap(shared: DVec3) -> Gap {
    Gap { lower: 0.0, upper: 0.0, on_a: shared, on_b: shared, normal: DVec3::ZERO, overlap: true, wide: false }
}

impl Couple<'_, '_> {
    fn segment_and_box(&self, ends: [DVec3; 2], side: &Placed<'_, '_>, half: DVec3, flipped: bool) -> Option<Gap> {
        let (p, q) = (side.local(ends[0]), side.local(ends[1]));
        let t = closed::segment_to_box(p, q, half);
        let local = p + (q - p) * t;
        let on_segment = ends[0] + (ends[1] - ends[0]) * t;
        if closed::depth_in_box(-half, half, local) > 4.0 * self.rounding {
            return Some(overlap(on_segment));
        }
        let on_box = side.place(local.clamp(-half, half));
        if flipped { self.settle(on_box, on_segment) } else { self.settle(on_segment, on_box) }
    }

    /// A point and what is nearest to it, by a closed form that loses nothing: what lies between is
    /// the distance, to rounding.
    #[inline]
    fn known(&self, on_a: DVec3, on_b: DVec3) -> Option<Gap> {
        let between = on_a - on_b;
        let length = between.length();
        let flat = self.a.core.is_flat() && self.b.core.is_flat();
        // Points of round bodies are rounded more often than corners.
        let rounding = if flat { self.rounding } else { 2.0 * self.rounding };
        let (lower, upper) = (length - rounding, length + rounding);
        let gap = Gap { lower, upper, on_a, on_b, normal: between / length, overlap: false, wide: false };
        (lower > 0.0).then_some(gap)
    }

    /// Two points of the bodies, and the bound along what lies between them.
    #[inline]
    fn settle(&self, on_a: DVec3, on_b: DVec3) -> Option<Gap> {
        let between = on_a - on_b;
        let length = between.length();
        if length <= self.rounding {
            return None;
        }
        let flat = self.a.core.is_flat() && self.b.core.is_flat();
        // Points of round bodies are rounded more often than corners.
        let (upper, narrow) = if flat { (1.0, 3.0) } else { (2.0, 6.0) };
        let upper = length + upper * self.rounding;
        let normal = between / length;
        let gap = Gap { lower: 0.0, upper, on_a, on_b, normal, overlap: false, wide: false };
        if matches!(self.goal, Goal::Decide(limit) if upper < limit) {
            return Some(gap);
        }
        let lower = normal.dot(self.a.support(-normal) - self.b.support(normal)) - self.rounding;
        let settled = match self.goal {
            Goal::Decide(limit) | Goal::Below(limit) => flat && lower > limit,
            Goal::Narrow => false,
        };
        (settled || upper - lower <= narrow * self.rounding).then(|| Gap { lower: lower.clamp(0.0, upper), ..gap })
    }
}
