//! What is around a shape: for broad phases, and for bounds on how fast its points move.

use super::core::Core;
use super::half_space::Plane;
use super::{Kind, Shape};
use crate::bounds::Extent;
use crate::pose::Pose;
use crate::vector::length;
use glam::DVec3;

impl Shape {
    /// Around the shape without its margin, in its own frame. Half-spaces have none.
    pub(crate) fn extent(&self) -> Option<Extent> {
        if let Kind::Mesh { model, .. } = &self.kind {
            return Some(*model.extent());
        }
        let Some(core) = self.core() else {
            let (low, high) = self.bounds()?;
            return Some(Extent::of([low, high].into_iter()));
        };
        let (center, half) = core.bounds();
        let radius = match &core {
            Core::Tube(tube) => tube.radius.hypot(tube.half),
            Core::Frustum(cone) => cone.bottom.max(cone.top).hypot(cone.half),
            Core::Quadric(quadric) => quadric.radii.max_element(),
            Core::Corners(corners) => {
                corners.points().iter().fold(0.0, |most: f64, &point| most.max(length(point - center)))
            }
            _ => length(half),
        };
        Some(Extent { center, half, radius: radius * (1.0 + 8.0 * f64::EPSILON) })
    }

    /// The plane of a half-space, in its own frame.
    pub(crate) fn plane(&self) -> Option<&Plane> {
        match &self.kind {
            Kind::HalfSpace(plane) => Some(plane),
            _ => None,
        }
    }

    /// No point of the shape, moved by `pose`, is farther from an axis through `pivot`, of length
    /// one, than this, to rounding. Infinite for half-spaces.
    pub(crate) fn farthest_from_axis(&self, pose: &Pose, pivot: DVec3, axis: DVec3) -> f64 {
        let from_axis = |point: DVec3| length((pose.apply(point) - pivot).cross(axis));
        let farthest = |points: &[DVec3]| points.iter().map(|&point| from_axis(point)).fold(0.0, f64::max);
        let along = |z: f64| DVec3::new(0.0, 0.0, z);
        let core = match (&self.kind, self.core()) {
            (Kind::Mesh { model, .. }, _) => farthest(model.mesh().vertices()),
            (_, Some(Core::Tube(tube))) => farthest(&[along(-tube.half), along(tube.half)]) + tube.radius,
            (_, Some(Core::Frustum(cone))) => {
                (from_axis(along(-cone.half)) + cone.bottom).max(from_axis(along(cone.half)) + cone.top)
            }
            (_, Some(Core::Quadric(quadric))) => from_axis(DVec3::ZERO) + quadric.radii.max_element(),
            (_, core) => {
                let mut corners = Vec::new();
                match self.extent() {
                    _ if core.is_some_and(|core| core.corners(&mut corners)) => farthest(&corners),
                    Some(extent) => from_axis(extent.center) + extent.radius,
                    None => f64::INFINITY,
                }
            }
        };
        core + self.margin
    }

    /// No coordinate of the shape in its own frame is larger, to rounding; of a half-space, none
    /// that decides: the foot of its origin.
    pub(crate) fn reach(&self) -> f64 {
        match (self.extent(), self.plane()) {
            (Some(extent), _) => extent.center.abs().max_element() + extent.half.max_element() + self.margin,
            (None, Some(plane)) => plane.level().abs() + self.margin,
            (None, None) => f64::INFINITY,
        }
    }
}
