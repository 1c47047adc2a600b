//! Half-spaces: everything below a plane.

use super::convex::{compare_plane, opposite};
use crate::pose::Pose;
use crate::vector::length;
use glam::DVec3;
use std::cmp::Ordering;

/// All points with `across · x <= offset`, for a vector and a number as they were given but for a
/// power of two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plane {
    /// Its largest component is about one.
    across: DVec3,
    offset: f64,
    /// `across`, of length one to rounding.
    pub(crate) normal: DVec3,
    /// One by the length of `across`.
    inverse: f64,
}

/// How a set of points lies above a half-space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Above {
    /// Bounds of the signed distance of the lowest point, negative below the plane.
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// Which point is lowest.
    pub(crate) lowest: usize,
}

impl Plane {
    /// With a vector that has a direction.
    pub(crate) fn new(across: DVec3, offset: f64) -> Option<Self> {
        let largest = across.abs().max_element();
        // A power of two: the plane stays the same to the bit.
        let unit = f64::from_bits((2046 - (largest.to_bits() >> 52 & 0x7ff)).clamp(1, 2045) << 52);
        (largest > 0.0).then(|| Self::of(across * unit, offset * unit))
    }

    fn of(across: DVec3, offset: f64) -> Self {
        let inverse = 1.0 / length(across);
        Self { across, offset, normal: across * inverse, inverse }
    }

    /// The plane moved: its vector turned and its offset, rounded.
    pub(crate) fn posed(&self, pose: &Pose) -> Self {
        let across = pose.rotation() * self.across;
        Self::of(across, across.dot(pose.translation()) + self.offset)
    }

    /// The height of the origin's foot on the plane.
    #[inline]
    pub(crate) fn level(&self) -> f64 {
        self.offset * self.inverse
    }

    /// How far a height over this plane may be off by rounding, for a point of this size.
    #[inline]
    pub(crate) fn rounding(&self, size: f64) -> f64 {
        // The product rounds five times, the length three times.
        16.0 * f64::EPSILON * (2.0 * size + self.level().abs()) + f64::MIN_POSITIVE
    }

    /// The height of a point, to rounding.
    #[inline]
    pub(crate) fn height(&self, point: DVec3) -> f64 {
        (self.across.dot(point) - self.offset) * self.inverse
    }

    /// The lowest of at least one point.
    pub(crate) fn above(&self, points: impl Iterator<Item = DVec3>) -> Above {
        let (mut least, mut lowest, mut size) = (f64::INFINITY, 0, 0.0_f64);
        for (index, point) in points.enumerate() {
            let height = self.height(point);
            if height < least {
                (least, lowest) = (height, index);
            }
            size = size.max(point.abs().max_element());
        }
        let rounding = self.rounding(size);
        Above { lower: least - rounding, upper: least + rounding, lowest }
    }

    /// How the height of the lowest of some points compares with a length that is not negative:
    /// exactly.
    pub(crate) fn compare(&self, points: &[DVec3], limit: &[f64]) -> Ordering {
        compare_plane(points, self.across, self.offset, limit)
    }

    /// How far two half-spaces are apart: 0 unless they look away from each other.
    pub(crate) fn gap(&self, other: &Self) -> (f64, f64) {
        if !self.is_opposite(other) {
            return (0.0, 0.0);
        }
        let gap = -self.level() - other.level();
        let rounding = 8.0 * f64::EPSILON * (self.level().abs() + other.level().abs());
        if gap <= rounding { (0.0, 0.0) } else { (gap - rounding, gap + rounding) }
    }

    /// Do the planes look away from each other, exactly?
    pub(crate) fn is_opposite(&self, other: &Self) -> bool {
        opposite(self.across, other.across)
    }
}
