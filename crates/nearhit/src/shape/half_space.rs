//! Half-spaces: everything below a plane.

use super::convex::compare_plane;
use crate::pose::Pose;
use crate::vector::length;
use glam::DVec3;
use std::cmp::Ordering;

/// All points with `normal · x <= offset`. The normal has length one, to rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plane {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
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
    /// The plane moved: its normal turned and its offset, rounded.
    pub(crate) fn posed(&self, pose: &Pose) -> Self {
        let normal = pose.rotation() * self.normal;
        Self { normal, offset: self.offset + normal.dot(pose.translation()) }
    }

    /// How far a height over this plane may be off by rounding, for a point of this size.
    pub(crate) fn rounding(&self, size: f64) -> f64 {
        // The product rounds five times, the normal's length is off by eight units.
        16.0 * f64::EPSILON * (2.0 * size + self.offset.abs()) + f64::MIN_POSITIVE
    }

    /// The height of a point, to rounding.
    #[inline]
    pub(crate) fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
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
        compare_plane(points, self.normal, self.offset, limit)
    }

    /// How far two half-spaces are apart: 0 unless they look away from each other.
    pub(crate) fn gap(&self, other: &Self) -> (f64, f64) {
        let parallel = self.normal.cross(other.normal) == DVec3::ZERO && self.normal.dot(other.normal) < 0.0;
        if !parallel {
            return (0.0, 0.0);
        }
        let gap = -self.offset - other.offset;
        let rounding = 8.0 * f64::EPSILON * (self.offset.abs() + other.offset.abs());
        if gap <= rounding { (0.0, 0.0) } else { (gap - rounding, gap + rounding) }
    }

    /// With a normal of length one. None without a direction.
    pub(crate) fn new(normal: DVec3, offset: f64) -> Option<Self> {
        let length = length(normal);
        (length > 0.0).then(|| Self { normal: normal / length, offset: offset / length })
    }
}
