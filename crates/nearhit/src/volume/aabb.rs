//! Axis-aligned boxes.
//!
//! A rotated box is bounded by an axis-aligned one in the other's frame. Both frames are tested:
//! the face normals of either box can separate, at six interval tests.

use super::region::Region;
use super::stored::{Numbers, Stored};
use super::{Blocked, BoundingVolume, Measure, Placement, Support, Tightness, corners};
use crate::bounds::Bounds;
use crate::mesh::Triangle;
use crate::pose::Pose;
use crate::vector::length;
use glam::{DMat3, DVec3};

/// A box along the axes of its model's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    low: DVec3,
    high: DVec3,
}

impl Aabb {
    /// Between two corners, `low` not above `high`.
    pub(crate) fn new(low: DVec3, high: DVec3) -> Self {
        Self { low, high }
    }

    /// The least corner.
    #[must_use]
    pub fn low(&self) -> DVec3 {
        self.low
    }

    /// The greatest corner.
    #[must_use]
    pub fn high(&self) -> DVec3 {
        self.high
    }

    fn center(&self) -> DVec3 {
        self.low * 0.5 + self.high * 0.5
    }

    fn half_extents(&self) -> DVec3 {
        self.high * 0.5 - self.low * 0.5
    }
}

/// The pose, and its matrix with all entries made positive: it maps half extents to half extents.
#[derive(Debug, Clone, Copy)]
pub struct BoxMotion {
    b_from_a: Pose,
    absolute: DMat3,
    slack: f64,
}

/// A box of a, and the axis-aligned boxes around it in b's frame.
#[derive(Debug, Clone, Copy)]
pub struct PlacedBox {
    center_b: DVec3,
    /// In b's frame, of the box around the rotated box.
    half_extents_b: DVec3,
    /// In a's frame, of the box itself.
    half_extents_a: DVec3,
    motion: BoxMotion,
}

impl PlacedBox {
    /// Gaps along b's axes and along a's axes; negative where the intervals overlap.
    #[inline]
    fn gaps(&self, b: &Aabb) -> (DVec3, DVec3) {
        let offset_b = self.center_b - b.center();
        let half_b = b.half_extents();
        let along_b = offset_b.abs() - (self.half_extents_b + half_b);
        let a_from_b = self.motion.b_from_a.rotation().transpose();
        let along_a = (a_from_b * offset_b).abs() - (self.motion.absolute.transpose() * half_b + self.half_extents_a);
        (along_b, along_a)
    }
}

impl crate::volume::sealed::Sealed for Aabb {}

impl BoundingVolume for Aabb {
    type Motion = BoxMotion;
    type Placed = PlacedBox;
    const NAME: &'static str = "aabb";

    fn fit(triangles: &[Triangle]) -> Self {
        let Bounds { low, high } = corners(triangles).collect();
        Self { low, high }
    }

    fn size(&self) -> f64 {
        length(self.half_extents())
    }

    fn measure(&self, unit: f64) -> Measure {
        let [x, y, z] = (self.half_extents() / unit).to_array();
        Measure { volume: 8.0 * x * y * z, surface: 8.0 * (x * y + y * z + z * x) }
    }

    fn merged(&self, other: &Self) -> Option<Self> {
        Some(Self { low: self.low.min(other.low), high: self.high.max(other.high) })
    }

    fn motion(placement: &Placement) -> BoxMotion {
        let absolute = placement.b_from_a().rotation().abs();
        BoxMotion { b_from_a: *placement.b_from_a(), absolute, slack: placement.slack() }
    }

    fn place(&self, motion: &BoxMotion) -> PlacedBox {
        let half_extents = self.half_extents();
        let slack = DVec3::splat(motion.slack);
        PlacedBox {
            center_b: motion.b_from_a.apply(self.center()),
            half_extents_b: motion.absolute * half_extents + slack,
            half_extents_a: half_extents + slack,
            motion: *motion,
        }
    }

    #[inline]
    fn disjoint(&self, a: &PlacedBox) -> bool {
        let (along_b, along_a) = a.gaps(self);
        along_b.max(along_a).max_element() > 0.0
    }

    #[inline]
    fn lower_bound(&self, a: &PlacedBox) -> f64 {
        let (along_b, along_a) = a.gaps(self);
        let shrink = 1.0 - 8.0 * f64::EPSILON;
        length(along_b.max(DVec3::ZERO)).max(length(along_a.max(DVec3::ZERO))) * shrink
    }

    fn blocked(&self, a: &PlacedBox, direction: DVec3) -> Blocked {
        let a_from_b = a.motion.b_from_a.rotation().transpose();
        let offset = a.center_b - self.center();
        let half_extents = self.half_extents();
        let (offset_a, rate_a) = (a_from_b * offset, a_from_b * direction);
        let reach_a = a.motion.absolute.transpose() * half_extents + a.half_extents_a;
        let reach_b = a.half_extents_b + half_extents;
        (0..3).fold(Blocked::ALWAYS, |blocked, axis| {
            blocked.narrowed_about(offset[axis], reach_b[axis], direction[axis]).narrowed_about(
                offset_a[axis],
                reach_a[axis],
                rate_a[axis],
            )
        })
    }
}

impl Support for Aabb {
    fn support(&self, direction: DVec3) -> DVec3 {
        DVec3::select(direction.cmpgt(DVec3::ZERO), self.high, self.low)
    }

    fn contains(&self, point: DVec3) -> bool {
        point.cmpge(self.low).all() && point.cmple(self.high).all()
    }

    #[inline]
    fn region(&self) -> Region {
        Region::upright(self.low, self.high)
    }

    fn claim(&self, _a: &Self, b_from_a: &Pose) -> Tightness {
        let rotation = b_from_a.rotation();
        Tightness::Boxes(vec![[DVec3::X, DVec3::Y, DVec3::Z], [rotation.x_axis, rotation.y_axis, rotation.z_axis]])
    }
}

impl Stored for Aabb {
    const NUMBERS: usize = 6;

    fn store(&self, numbers: &mut Vec<f64>) {
        numbers.extend(self.low.to_array());
        numbers.extend(self.high.to_array());
    }

    fn restore(numbers: &[f64], reach: f64) -> Option<Self> {
        let mut numbers = Numbers::new(numbers, reach);
        Some(Self { low: numbers.point()?, high: numbers.point()? })
    }
}
