//! The depth of two boxes, or of a box and a segment, by separating axes.
//!
//! The Minkowski difference of two boxes is bounded by planes across the 3 + 3 directions of their
//! faces and across the 9 planes that two edges span: the shortest way out is along one of these
//! fifteen. A segment is a box without width. Which direction is the best is found in doubles; the
//! upper bound is asked of the bodies along it, the lower one is the least of all fifteen.

use super::Bodies;
use super::epa::Depth;
use super::gjk::ROUNDING;
use crate::pose::Pose;
use crate::shape::core::Core;
use glam::DVec3;

/// Beyond these sizes squares leave the range of numbers.
const SIZES: std::ops::Range<f64> = 1e-100..1e100;

/// The way out so far: its length, its direction, and what is certain of all lengths.
struct Way {
    length: f64,
    normal: DVec3,
    certain: f64,
}

impl Way {
    #[inline]
    fn offer(&mut self, length: f64, error: f64, normal: impl FnOnce() -> DVec3) {
        self.certain = self.certain.min(length - error);
        if length < self.length {
            (self.length, self.normal) = (length, normal());
        }
    }
}

/// The depth in the bodies' ordinary unit; none where they are no boxes, do not overlap beyond
/// doubt, or have edges so nearly parallel that the plane of two is not known well.
pub(crate) fn depth(bodies: &Bodies<'_>) -> Option<Depth> {
    let (a, b) = (half(&bodies.a.core)?, half(&bodies.b.core)?);
    let (None, Some(pose)) = (&bodies.a.pose, &bodies.b.pose) else { return None };
    if !SIZES.contains(&bodies.length) {
        return None;
    }
    let rounding = ROUNDING * bodies.length;
    let way = shortest(a, b, pose, rounding)?;
    let normal = way.normal;
    let vertex = bodies.vertex(-normal);
    let (upper, length) = (normal.dot(vertex.point) + ROUNDING, bodies.length);
    let (lower, upper) = (way.certain, upper * length);
    let is_narrow = upper - lower <= 16.0 * rounding;
    let depth = Depth { lower, upper, normal, on_a: vertex.on_a * length, on_b: vertex.on_b * length };
    (is_narrow && lower > 0.0).then_some(depth)
}

fn half(core: &Core<'_>) -> Option<DVec3> {
    match core {
        Core::Box3(core) => Some(core.half),
        Core::Segment(half) => Some(DVec3::new(0.0, 0.0, *half)),
        _ => None,
    }
}

/// Of boxes by half of their sizes, the second posed. Lengths are those of boxes whose axes are
/// orthonormal, which the rotation's columns are to a few units in the last place: `rounding` is 16
/// of them, and four times that is allowed for.
fn shortest(a: DVec3, b: DVec3, pose: &Pose, rounding: f64) -> Option<Way> {
    let (turn, offset) = (pose.rotation(), pose.translation());
    let columns = [turn.x_axis, turn.y_axis, turn.z_axis];
    let sizes = columns.map(DVec3::abs);
    let slack = 4.0 * rounding;
    let mut way = Way { length: f64::INFINITY, normal: DVec3::ZERO, certain: f64::INFINITY };
    let in_b = DVec3::new(columns[0].dot(offset), columns[1].dot(offset), columns[2].dot(offset));
    let along_a = a + sizes[0] * b.x + sizes[1] * b.y + sizes[2] * b.z - offset.abs();
    let along_b = b + DVec3::new(sizes[0].dot(a), sizes[1].dot(a), sizes[2].dot(a)) - in_b.abs();
    for axis in 0..3 {
        way.offer(along_a[axis], slack, || DVec3::AXES[axis] * 1.0_f64.copysign(offset[axis]));
        way.offer(along_b[axis], slack, || columns[axis] * 1.0_f64.copysign(in_b[axis]));
    }
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            // Edge i of a across edge j of b: the axis has no component along i.
            let (column, size) = (columns[j], sizes[j]);
            let square = column[i1] * column[i1] + column[i2] * column[i2];
            if square < 1e-8 {
                // Edges side by side span no plane of their own, if they are so exactly.
                if square == 0.0 {
                    continue;
                }
                return None;
            }
            let away = offset[i2] * column[i1] - offset[i1] * column[i2];
            let reach = a[i1] * size[i2] + a[i2] * size[i1] + b[j1] * sizes[j2][i] + b[j2] * sizes[j1][i];
            let length = square.sqrt();
            way.offer((reach - away.abs()) / length, slack / length + rounding, || {
                let mut normal = DVec3::ZERO;
                (normal[i1], normal[i2]) = (-column[i2] / length, column[i1] / length);
                normal * 1.0_f64.copysign(away)
            });
        }
    }
    Some(way)
}
