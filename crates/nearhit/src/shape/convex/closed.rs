//! Closed forms: nearest points of segments and boxes, separating axes of two boxes.

use super::gjk::Gap;
use crate::pose::Pose;
use glam::DVec3;

/// The closest points of two segments, well conditioned ones at least.
pub(super) fn between_segments([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> (DVec3, DVec3) {
    let (d, e, between) = (q - p, s - r, p - r);
    let (dd, ee, de) = (d.length_squared(), e.length_squared(), d.dot(e));
    let (db, eb) = (d.dot(between), e.dot(between));
    let across = dd * ee - de * de;
    let t = if across > 0.0 { ((de * eb - ee * db) / across).clamp(0.0, 1.0) } else { 0.0 };
    // The best on the other segment, and then on this one again.
    let on_b = on_segment(p + d * t, r, s);
    (on_segment(on_b, p, q), on_b)
}

fn on_segment(p: DVec3, q: DVec3, r: DVec3) -> DVec3 {
    let along = r - q;
    let square = along.length_squared();
    let t = if square > 0.0 { ((p - q).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    q + along * t
}

/// How far a point is inside a box, by its lowest and highest corner; negative outside.
#[inline]
pub(super) fn depth_in_box(low: DVec3, high: DVec3, point: DVec3) -> f64 {
    (high - point).min(point - low).min_element()
}

/// Where between `p` and `q` a box about the origin is nearest, from 0 to 1; in the middle of what
/// is inside of it.
///
/// The slope of the squared distance grows along the segment, and is linear between the planes of
/// the box: the two of these that its zero lies between are found by asking at each.
pub(super) fn segment_to_box(p: DVec3, q: DVec3, half: DVec3) -> f64 {
    let d = q - p;
    let slope = |t: f64| {
        let x = p + d * t;
        d.dot(x - x.clamp(-half, half))
    };
    let nothing = 1e-14 * d.length() * (p.abs() + d.abs()).max_element();
    // The last place where the distance falls, the first where it grows, and what lies between.
    let (mut falls, mut grows) = ((f64::NEG_INFINITY, 0.0), (f64::INFINITY, 0.0));
    let mut level = (f64::INFINITY, f64::NEG_INFINITY);
    let mut look = |t: f64| {
        let here = slope(t);
        if here.abs() <= nothing {
            level = (level.0.min(t), level.1.max(t));
        } else if here < 0.0 {
            if t > falls.0 {
                falls = (t, here);
            }
        } else if t < grows.0 {
            grows = (t, here);
        }
    };
    look(0.0);
    look(1.0);
    for axis in 0..3 {
        for plane in [-half[axis], half[axis]] {
            let t = (plane - p[axis]) / d[axis];
            if t > 0.0 && t < 1.0 {
                look(t);
            }
        }
    }
    if level.0 <= level.1 {
        return 0.5 * (level.0 + level.1);
    }
    match (falls.0.is_finite(), grows.0.is_finite()) {
        (true, true) => falls.0 - falls.1 * (grows.0 - falls.0) / (grows.1 - falls.1),
        (true, false) => 1.0,
        _ => 0.0,
    }
}

/// Are two boxes, the second posed, farther apart than the limit along one of 15 axes, or do they
/// overlap along all of them? (Gottschalk, Lin and Manocha, 1996.) None if neither is certain.
///
/// Axes across two edges are not brought to length one: what they say is compared with their
/// squares. Their reach takes the rotation's columns to be orthonormal, which they are to a few
/// units in the last place: `rounding` is 16 of them, and four times that is allowed for.
pub(super) fn boxes(a: DVec3, b: DVec3, pose: &Pose, limit: f64, rounding: f64) -> Option<Gap> {
    let (turn, offset) = (pose.rotation(), pose.translation());
    let columns = [turn.x_axis, turn.y_axis, turn.z_axis];
    let sizes = columns.map(DVec3::abs);
    let slack = 4.0 * rounding;
    let apart = |lower: f64, normal: DVec3| {
        let (upper, on_b) = (offset.length() + rounding, offset);
        Some(Gap { lower, upper, on_a: DVec3::ZERO, on_b, normal, overlap: false, wide: true })
    };
    let along_a = offset.abs() - (a + sizes[0] * b.x + sizes[1] * b.y + sizes[2] * b.z);
    let in_b = DVec3::new(columns[0].dot(offset), columns[1].dot(offset), columns[2].dot(offset));
    let along_b = in_b.abs() - (b + DVec3::new(sizes[0].dot(a), sizes[1].dot(a), sizes[2].dot(a)));
    for axis in 0..3 {
        if along_a[axis] > limit + slack {
            return apart(along_a[axis] - slack, DVec3::AXES[axis] * -offset[axis].signum());
        }
        if along_b[axis] > limit + slack {
            return apart(along_b[axis] - slack, columns[axis] * -in_b[axis].signum());
        }
    }
    let mut overlaps = along_a.max(along_b).max_element() < -slack;
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            // Edge i of a across edge j of b: the axis has no component along i.
            let (column, size) = (columns[j], sizes[j]);
            let square = column[i1] * column[i1] + column[i2] * column[i2];
            if square < 1e-8 {
                // Edges side by side span no axis of their own, if they are so exactly.
                overlaps &= square == 0.0;
                continue;
            }
            let away = offset[i2] * column[i1] - offset[i1] * column[i2];
            let reach = a[i1] * size[i2] + a[i2] * size[i1] + b[j1] * sizes[j2][i] + b[j2] * sizes[j1][i];
            let gap = away.abs() - reach;
            if gap > slack && (gap - slack) * (gap - slack) > (limit + slack) * (limit + slack) * square {
                let length = square.sqrt();
                let mut normal = DVec3::ZERO;
                (normal[i1], normal[i2]) = (-column[i2] / length, column[i1] / length);
                return apart((gap - slack) / length - rounding, normal * -away.signum());
            }
            overlaps &= gap < -slack;
        }
    }
    let shared = offset * 0.5;
    let gap =
        Gap { lower: 0.0, upper: 0.0, on_a: shared, on_b: shared, normal: DVec3::ZERO, overlap: true, wide: false };
    overlaps.then_some(gap)
}
