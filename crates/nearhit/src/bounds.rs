//! Axis-aligned bounding boxes (AABB) of points and bodies, and the ball about the same middle.
//!
//! The trees' own boxes are `volume/aabb` (placed and compared with all rounding covered) and those
//! of `packed` (single precision, oriented).

use crate::pose::Pose;
use glam::DVec3;

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The least corner.
    pub low: DVec3,
    /// The greatest corner.
    pub high: DVec3,
}

impl Bounds {
    /// Holds nothing; joined with another it is the other.
    pub const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// The largest gap along an axis, negative where the boxes overlap along all of them.
    ///
    /// A difference is rounded to the nearest double, and that keeps order: a gap of at most a
    /// length stays one, and a box around another has no larger gap.
    #[must_use]
    #[inline]
    pub fn gap(&self, other: &Self) -> f64 {
        (self.low - other.high).max(other.low - self.high).max_element()
    }

    /// Whether the gap is at most `reach`: the one condition of every broad phase.
    #[must_use]
    #[inline]
    pub fn near(&self, other: &Self, reach: f64) -> bool {
        // What is not a number is no reason to leave a pair out.
        let is_apart = self.gap(other) > reach;
        !is_apart
    }

    /// No point of the other box is farther than this from the nearest face of this one, if it is
    /// within this one: a bound on how deep what is in the other is below a closed surface in this
    /// one.
    #[must_use]
    pub fn depth_of(&self, other: &Self) -> f64 {
        let deepest = self.middle().max(other.low).min(other.high);
        // A little more, for its own rounding.
        (deepest - self.low).min(self.high - deepest).min_element() * (1.0 + 1e-12)
    }

    /// How far one of the two must move, at most, so that the boxes and what is in them do not
    /// overlap any more; negative where they do not.
    #[must_use]
    pub fn overlap(&self, other: &Self) -> f64 {
        let overlap = (self.high - other.low).min(other.high - self.low).min_element();
        // A little more, for its own rounding.
        if overlap > 0.0 { overlap * (1.0 + 1e-12) } else { overlap }
    }

    /// The middle, for coordinates whose sums are beyond numbers, too.
    #[inline]
    pub(crate) fn middle(&self) -> DVec3 {
        self.low * 0.5 + self.high * 0.5
    }

    /// Half the lengths of the sides.
    #[inline]
    pub(crate) fn half(&self) -> DVec3 {
        self.high * 0.5 - self.low * 0.5
    }

    /// The box around both.
    #[must_use]
    #[inline]
    pub fn join(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The box around a moved box, given by its least and greatest corner.
    pub(crate) fn around([low, high]: [DVec3; 2], pose: &Pose) -> Self {
        let corner = |index: u32| {
            let end = |axis: usize| if index >> axis & 1 == 1 { high[axis] } else { low[axis] };
            pose.apply(DVec3::new(end(0), end(1), end(2)))
        };
        (0..8).map(corner).collect()
    }

    /// Whether the other one is inside.
    #[must_use]
    #[inline]
    pub fn holds(&self, other: &Self) -> bool {
        self.low.cmple(other.low).all() && other.high.cmple(self.high).all()
    }

    /// Longer by `margin` at all six sides.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self { low: self.low - margin, high: self.high + margin }
    }

    /// Half its surface.
    #[must_use]
    #[inline]
    pub fn half_surface(&self) -> f64 {
        let DVec3 { x, y, z } = self.high - self.low;
        x * y + y * z + z * x
    }
}

impl FromIterator<DVec3> for Bounds {
    /// The box around points.
    #[inline]
    fn from_iter<I: IntoIterator<Item = DVec3>>(points: I) -> Self {
        let join = |all: Self, point: DVec3| Self { low: all.low.min(point), high: all.high.max(point) };
        points.into_iter().fold(Self::EMPTY, join)
    }
}

/// What is around some points: a box by its middle and half of its sizes, and a ball about the same
/// middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extent {
    pub(crate) center: DVec3,
    pub(crate) half: DVec3,
    pub(crate) radius: f64,
}

impl Extent {
    /// Of at least one point; the box to rounding.
    pub(crate) fn of(points: impl Iterator<Item = DVec3> + Clone) -> Self {
        let bounds: Bounds = points.clone().collect();
        let center = bounds.middle();
        let radius = points.fold(0.0, |most: f64, point| most.max(crate::vector::length(point - center)));
        Self { center, half: bounds.half(), radius: radius * (1.0 + 8.0 * f64::EPSILON) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pair is left out only where a number says so.
    #[test]
    fn what_is_not_a_number_is_near() {
        let unit = Bounds { low: DVec3::ZERO, high: DVec3::ONE };
        let far = Bounds { low: DVec3::splat(3.0), high: DVec3::splat(4.0) };
        let lost = Bounds { low: DVec3::NAN, high: DVec3::NAN };
        assert!(unit.near(&lost, 0.0) && lost.near(&unit, 0.0) && unit.near(&far, f64::NAN));
        assert!(!unit.near(&far, 1.9) && unit.near(&far, 2.0));
    }
}
