//! Where a placed shape is, roughly: boxes along the world's axes, and balls.
//!
//! A box holds every point of its shape wherever rounding puts it: in the world, or in the frame of
//! another body near it, where the exact questions are asked. So boxes that are more than a length
//! apart along an axis hold shapes whose canonical distance is more than that length.

use crate::bounds::{Bounds, Extent as Around};
use crate::pose::Pose;
use crate::shape::Shape;
use glam::{DMat3, DVec3};

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
