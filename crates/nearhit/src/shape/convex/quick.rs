//! Short cuts for the commonest pairs: closed forms for points, segments and boxes, separating axes
//! for two boxes.
//!
//! A short cut only proposes: two points for an upper bound, a direction for a lower one, each with
//! the same rounding as in the descent. Where its bounds do not settle the question, the descent
//! begins as if nothing had been asked. So it never decides more than the truth, and nothing about
//! round bodies.

use super::Bodies;
use super::body::Body;
use super::gjk::{Gap, Goal, ROUNDING};
use crate::shape::core::Core;
use crate::shape::cuboid::Box3;
use glam::{DMat3, DVec3};

/// The gap, if a short cut settles it.
#[inline]
pub(super) fn gap(bodies: &Bodies<'_>, goal: Goal) -> Option<Gap> {
    match (&bodies.a.core, &bodies.b.core) {
        (Core::Point(_), Core::Point(_)) => settle(bodies, goal, point(&bodies.a), point(&bodies.b)),
        (Core::Point(_), Core::Segment(_)) => {
            let (p, [q, r]) = (point(&bodies.a), ends(&bodies.b));
            settle(bodies, goal, p, on_segment(p, q, r))
        }
        (Core::Segment(_), Core::Point(_)) => {
            let ([p, q], r) = (ends(&bodies.a), point(&bodies.b));
            settle(bodies, goal, on_segment(r, p, q), r)
        }
        (Core::Segment(_), Core::Segment(_)) => {
            let (on_a, on_b) = between_segments(ends(&bodies.a), ends(&bodies.b));
            settle(bodies, goal, on_a, on_b)
        }
        (Core::Point(_), Core::Box3(core)) => {
            let p = point(&bodies.a);
            match in_box(&bodies.b, -core.half, core.half, p) {
                None => Some(overlap(bodies, p)),
                Some(on_b) => settle(bodies, goal, p, on_b),
            }
        }
        (Core::Box3(core), Core::Point(_)) => {
            let p = point(&bodies.b);
            match in_box(&bodies.a, -core.half, core.half, p) {
                None => Some(overlap(bodies, p)),
                Some(on_a) => settle(bodies, goal, on_a, p),
            }
        }
        (Core::Point(_), Core::Cell(cell)) => {
            let p = point(&bodies.a);
            match in_box(&bodies.b, cell.low, cell.high, p) {
                None => Some(overlap(bodies, p)),
                Some(on_b) => settle(bodies, goal, p, on_b),
            }
        }
        (Core::Cell(cell), Core::Point(_)) => {
            let p = point(&bodies.b);
            match in_box(&bodies.a, cell.low, cell.high, p) {
                None => Some(overlap(bodies, p)),
                Some(on_a) => settle(bodies, goal, on_a, p),
            }
        }
        (Core::Box3(a), Core::Box3(b)) => match goal {
            Goal::Decide(limit) => boxes(bodies, a, b, limit * bodies.a.unit),
            _ => None,
        },
        _ => None,
    }
}

fn point(body: &Body<'_>) -> DVec3 {
    body.center()
}

fn ends(body: &Body<'_>) -> [DVec3; 2] {
    [body.support(DVec3::NEG_Z.rotated(body)), body.support(DVec3::Z.rotated(body))]
}

/// A direction of the core's own frame, in the pair's.
trait Rotated {
    fn rotated(self, body: &Body<'_>) -> Self;
}

impl Rotated for DVec3 {
    fn rotated(self, body: &Body<'_>) -> Self {
        body.pose.map_or(self, |pose| pose.rotation() * self)
    }
}

fn on_segment(p: DVec3, q: DVec3, r: DVec3) -> DVec3 {
    let along = r - q;
    let square = along.length_squared();
    let t = if square > 0.0 { ((p - q).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    q + along * t
}

/// The closest points of two segments, well conditioned ones at least.
fn between_segments([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> (DVec3, DVec3) {
    let (d, e, between) = (q - p, s - r, p - r);
    let (dd, ee, de) = (d.length_squared(), e.length_squared(), d.dot(e));
    let (db, eb) = (d.dot(between), e.dot(between));
    let across = dd * ee - de * de;
    let t = if across > 0.0 { ((de * eb - ee * db) / across).clamp(0.0, 1.0) } else { 0.0 };
    // The best on the other segment, and then on this one again.
    let on_b = on_segment(p + d * t, r, s);
    (on_segment(on_b, p, q), on_b)
}

/// The point of a box, by its lowest and highest corner, nearest to a point; none if that is
/// inside, and more than by rounding.
fn in_box(body: &Body<'_>, low: DVec3, high: DVec3, p: DVec3) -> Option<DVec3> {
    let (low, high) = (low * body.unit, high * body.unit);
    let local = match &body.pose {
        None => p,
        Some(pose) => pose.rotation().transpose() * (p - pose.translation() * body.unit),
    };
    if (high - local).min(local - low).min_element() > 4.0 * ROUNDING {
        return None;
    }
    let nearest = local.clamp(low, high);
    Some(match &body.pose {
        None => nearest,
        Some(pose) => pose.rotation() * nearest + pose.translation() * body.unit,
    })
}

fn overlap(bodies: &Bodies<'_>, shared: DVec3) -> Gap {
    let shared = shared * bodies.length;
    Gap { lower: 0.0, upper: 0.0, on_a: shared, on_b: shared, normal: DVec3::ZERO, overlap: true, wide: false }
}

/// Two points of the bodies, and the bound along what lies between them.
#[inline]
fn settle(bodies: &Bodies<'_>, goal: Goal, on_a: DVec3, on_b: DVec3) -> Option<Gap> {
    let between = on_a - on_b;
    let length = between.length();
    if length <= ROUNDING {
        return None;
    }
    let normal = between / length;
    let lower = normal.dot(bodies.vertex(normal).point) - ROUNDING;
    let upper = length + ROUNDING;
    let settled = match goal {
        Goal::Narrow => false,
        Goal::Decide(limit) => lower > limit * bodies.a.unit || upper < limit * bodies.a.unit,
        Goal::Below(limit) => lower > limit * bodies.a.unit,
    };
    if !settled && upper - lower > 3.0 * ROUNDING {
        return None;
    }
    let unit = bodies.length;
    let (lower, upper) = (lower.clamp(0.0, upper) * unit, upper * unit);
    Some(Gap { lower, upper, on_a: on_a * unit, on_b: on_b * unit, normal, overlap: false, wide: false })
}

/// Are two boxes farther apart than the limit along one of 15 axes, or do they overlap along all of
/// them? (Gottschalk, Lin and Manocha, 1996.) None if neither is certain.
fn boxes(bodies: &Bodies<'_>, a: &Box3, b: &Box3, limit: f64) -> Option<Gap> {
    let pose = bodies.b.pose?;
    let (unit, turn) = (bodies.a.unit, pose.rotation());
    let (half_a, half_b, offset) = (a.half * unit, b.half * unit, pose.translation() * unit);
    let size = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
    let mut farthest = (f64::NEG_INFINITY, DVec3::ZERO);
    let mut certain = true;
    let offer = |farthest: &mut (f64, DVec3), gap: f64, normal: DVec3| {
        if gap > farthest.0 {
            *farthest = (gap, normal);
        }
    };
    let along_a = offset.abs() - (half_a + size * half_b);
    let offset_in_b = turn.transpose() * offset;
    let along_b = offset_in_b.abs() - (half_b + size.transpose() * half_a);
    for axis in 0..3 {
        offer(&mut farthest, along_a[axis], DVec3::AXES[axis] * -offset[axis].signum());
        offer(&mut farthest, along_b[axis], turn.col(axis) * -offset_in_b[axis].signum());
    }
    if farthest.0 <= limit + 2.0 * ROUNDING {
        for i in 0..3 {
            for j in 0..3 {
                let axis = DVec3::AXES[i].cross(turn.col(j));
                let length = axis.length();
                if length < 1e-4 {
                    // Edges side by side span no axis of their own, if they are so exactly.
                    certain &= length == 0.0;
                    continue;
                }
                let axis = axis / length;
                let reach = half_a.dot(axis.abs()) + half_b.dot((turn.transpose() * axis).abs());
                let away = offset.dot(axis);
                offer(&mut farthest, away.abs() - reach, axis * -away.signum());
            }
        }
    }
    let (gap, normal) = farthest;
    if gap > limit + 2.0 * ROUNDING {
        let upper = offset.length() + ROUNDING;
        let (lower, upper) = ((gap - 2.0 * ROUNDING) * bodies.length, upper * bodies.length);
        let on_b = pose.translation();
        return Some(Gap { lower, upper, on_a: DVec3::ZERO, on_b, normal, overlap: false, wide: true });
    }
    (certain && gap < -2.0 * ROUNDING).then(|| overlap(bodies, offset * 0.5))
}
