//! How far apart are two segments (§4.3.3 of the swept-sphere paper)?
//!
//! Everything is split into its part along b's segment and the part across. Then the unknown along
//! b drops out of the equation for the unknown along a without subtracting large numbers, and
//! nearly parallel segments cost no digits.
//!
//! The nearest points give a direction; returned is the gap between the two shadows along it, never
//! the distance of the points: the gap is right, or too small, however badly the points were
//! conditioned.

use super::edges::{TIGHT, per_length};
use super::{Segment, is_ordinary, larger, rescaling, within};
use glam::DVec3;

/// A vector, split along b's segment.
#[derive(Debug, Clone, Copy)]
struct Split {
    along: f64,
    across: DVec3,
}

impl Split {
    #[inline]
    fn new(vector: DVec3, axis: DVec3) -> Self {
        let along = axis.dot(vector);
        Self { along, across: vector - axis * along }
    }

    #[inline]
    fn dot(self, other: Self) -> f64 {
        self.along * other.along + self.across.dot(other.across)
    }

    #[inline]
    fn plus(self, other: Self, factor: f64) -> Self {
        Self { along: self.along + other.along * factor, across: self.across + other.across * factor }
    }
}

pub(super) fn segment_segment(a: &Segment, b: &Segment) -> f64 {
    let offset = a.center - b.center;
    let reach = offset.abs().max_element().max(a.reach()).max(b.reach());
    if is_ordinary(reach) { ordinary(a, b, offset, reach) } else { extreme(a, b, offset, reach) }
}

/// Lengths whose squares overflow or vanish.
#[cold]
fn extreme(a: &Segment, b: &Segment, offset: DVec3, reach: f64) -> f64 {
    let factor = rescaling(reach);
    let scaled = |segment: &Segment| Segment { half_length: segment.half_length * factor, ..*segment };
    match reach * factor {
        reach if is_ordinary(reach) => ordinary(&scaled(a), &scaled(b), offset * factor, reach) / factor,
        _ => 0.0,
    }
}

#[inline]
fn ordinary(a: &Segment, b: &Segment, offset: DVec3, reach: f64) -> f64 {
    let pair = SegmentPair {
        offset: Split::new(offset, b.axis),
        axis: Split::new(a.axis, b.axis),
        half_a: a.half_length,
        half_b: b.half_length,
    };
    let way = pair.nearest();
    let points = way.dot(way).sqrt();
    let rounding = 8.0 * f64::EPSILON * reach;
    let found = pair.gap_along(way);
    // Rounding in the way and the gap.
    if found >= points * TIGHT - rounding { found } else { pair.gap_along_straightened(way, rounding) }
}

/// Segment a seen from the middle of segment b.
struct SegmentPair {
    offset: Split,
    axis: Split,
    half_a: f64,
    half_b: f64,
}

impl SegmentPair {
    /// The shortest way from b to a.
    ///
    /// Lumelsky's order: a's coordinate as between lines, clamped; b's best for it, clamped; a's
    /// best for that. Parallel segments start at a's middle.
    #[inline]
    fn nearest(&self) -> Split {
        let Self { offset, axis, half_a, half_b } = *self;
        let sine_squared = larger(axis.across.length_squared(), f64::MIN_POSITIVE);
        let along_a = within(-offset.across.dot(axis.across) / sine_squared, half_a);
        let along_b = within(offset.along + axis.along * along_a, half_b);
        let from_b = Split { along: offset.along - along_b, across: offset.across };
        from_b.plus(axis, within(-from_b.dot(axis), half_a))
    }

    /// The gap between the two shadows along `way`: a proof, whatever the way.
    #[inline]
    fn gap_along(&self, way: Split) -> f64 {
        let gap = way.dot(self.offset) - self.half_a * way.dot(self.axis).abs() - self.half_b * way.along.abs();
        per_length(gap, way.dot(way))
    }

    /// The widest gap along the way made square to one of the segments, or both: beside a short
    /// way, what is left of rounding tilts it.
    #[cold]
    fn gap_along_straightened(&self, way: Split, rounding: f64) -> f64 {
        let Self { axis, .. } = *self;
        let to_b = Split { along: if way.along.abs() > rounding { way.along } else { 0.0 }, ..way };
        let tilt = way.dot(axis);
        let to_a = if tilt.abs() > rounding { way } else { way.plus(axis, -tilt) };
        let sine_squared = larger(axis.across.length_squared(), f64::MIN_POSITIVE);
        let across = way.across - axis.across * (way.across.dot(axis.across) / sine_squared);
        let to_both = Split { along: 0.0, across };
        [way, to_b, to_a, to_both].into_iter().fold(0.0, |found, way| larger(found, self.gap_along(way)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(center: [f64; 3], axis: [f64; 3], half_length: f64) -> Segment {
        Segment { center: center.into(), axis: DVec3::from_array(axis).normalize(), half_length }
    }

    #[test]
    fn crossing_parallel_and_end_to_end() {
        let b = segment([0.0; 3], [1.0, 0.0, 0.0], 1.0);
        for (a, distance) in [
            (segment([0.2, 0.3, 0.5], [0.0, 1.0, 0.0], 1.0), 0.5),
            (segment([0.2, 0.3, 0.5], [1.0, 0.0, 0.0], 1.0), 0.34_f64.sqrt()),
            (segment([4.0, 0.0, 0.0], [-1.0, 0.0, 0.0], 1.0), 2.0),
            (segment([4.0, 3.0, 0.0], [0.0, 1.0, 0.0], 3.0), 3.0),
            (segment([2.0, 2.0, 0.0], [1.0, 1.0, 0.0], 0.0), 5f64.sqrt()),
            (segment([0.5, 0.0, 0.0], [0.0, 0.0, 1.0], 2.0), 0.0),
        ] {
            for scale in [1e-300, 1e-3, 1.0, 1e299] {
                let scaled =
                    |s: &Segment| Segment { center: s.center * scale, half_length: s.half_length * scale, ..*s };
                let found = segment_segment(&scaled(&a), &scaled(&b));
                assert!((found / scale - distance).abs() < 1e-14, "{a:?} {scale}: {found} {distance}");
            }
        }
    }

    /// Two needles that cross at an angle of 1e-8 and 1e-8 apart: a hundred million times the
    /// rounding.
    #[test]
    fn nearly_parallel_needles() {
        let (angle, gap) = (1e-8_f64, 1e-8_f64);
        let b = segment([0.0; 3], [1.0, 0.0, 0.0], 1.0);
        let a = segment([0.3, 0.0, gap], [1.0, angle, 0.0], 1.0);
        let found = segment_segment(&a, &b);
        assert!((found - gap).abs() < 1e-15, "{found}");
        assert!(segment_segment(&segment([0.3, 0.0, 0.0], [1.0, angle, 0.0], 1.0), &b) < 1e-15);
    }
}
