//! Where a placed shape is, roughly: boxes along the world's axes, and balls.
//!
//! A box holds every point of its shape wherever rounding puts it: in the world, or in the frame of
//! another body near it, where the exact questions are asked. So boxes that are more than a length
//! apart along an axis hold shapes whose canonical distance is more than that length.

use crate::mesh::Extent as Around;
use crate::pose::Pose;
use crate::shape::Shape;
use glam::{DMat3, DVec3};

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

    /// Is the gap at most `reach`? The one condition of every broad phase.
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
        let middle = self.low * 0.5 + self.high * 0.5;
        let deepest = middle.max(other.low).min(other.high);
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

    /// Is the other one inside?
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
    fn from_iter<I: IntoIterator<Item = DVec3>>(points: I) -> Self {
        let join = |all: Self, point: DVec3| Self { low: all.low.min(point), high: all.high.max(point) };
        points.into_iter().fold(Self::EMPTY, join)
    }
}

/// Where a shape is, in its own frame: what its bounds are made from when it is placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    /// Without its margin.
    around: Around,
    margin: f64,
}

impl Extent {
    /// None for half-spaces.
    pub(super) fn of(shape: &Shape) -> Option<Self> {
        Some(Self { around: shape.extent()?, margin: shape.margin() })
    }

    /// Of the box around the rotated box and of the ball's box the smaller, side by side.
    pub(super) fn placed(&self, world_from_shape: &Pose) -> Bounds {
        let center = world_from_shape.apply(self.around.center);
        let rotation = world_from_shape.rotation();
        let absolute = DMat3::from_cols(rotation.x_axis.abs(), rotation.y_axis.abs(), rotation.z_axis.abs());
        let half = (absolute * self.around.half).min(DVec3::splat(self.around.radius)) + self.margin;
        Bounds { low: center - half, high: center + half }.grown(self.slack(world_from_shape.translation()))
    }

    /// The distance of the farthest point from `origin`, given in the world.
    pub(super) fn reach(&self, world_from_shape: &Pose, origin: DVec3) -> f64 {
        let offset = crate::vector::length(world_from_shape.apply(self.around.center) - origin);
        let radius = self.around.radius + self.margin;
        offset + radius + self.slack(world_from_shape.translation().abs().max(origin.abs()))
    }

    /// Covers the rounding of the placed box, of the vertices in the world and in a neighbour's
    /// frame, and of canonical distances: each is a few dozen units in the last place of the
    /// largest number involved. A neighbour's own share is in the neighbour's box.
    fn slack(&self, translation: DVec3) -> f64 {
        let Around { center, radius, .. } = self.around;
        let largest = translation.abs().max_element() + center.abs().max_element() + radius + self.margin;
        largest * (512.0 * f64::EPSILON) + 1e3 * f64::MIN_POSITIVE
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
