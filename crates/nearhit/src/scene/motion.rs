//! Rigid motions over a time from 0 to 1: a turn about an axis that drifts along.

use super::extent::Extent;
use crate::bounds::Bounds;
use crate::error::PoseError;
use crate::pose::Pose;
use crate::shape::Shape;
use glam::{DMat3, DQuat, DVec3};

/// A rigid motion: the body turns at a steady rate about an axis through `pivot`, and all drifts at
/// a steady velocity. Time runs from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    start: Pose,
    /// In the world, at the start.
    pivot: DVec3,
    drift: DVec3,
    /// Of unit length.
    axis: DVec3,
    /// In all, in radians.
    angle: f64,
}

impl Motion {
    /// No motion: rests at a pose.
    #[must_use]
    pub fn still(pose: Pose) -> Self {
        Self { start: pose, pivot: pose.translation(), drift: DVec3::ZERO, axis: DVec3::X, angle: 0.0 }
    }

    /// Linear motion: the body's origin moves along a line while the body turns the shorter way
    /// round.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::Motion;
    ///
    /// let motion = Motion::linear(at(0.0, 0.0, 0.0), at(2.0, 0.0, 0.0));
    /// assert_eq!(motion.pose(0.5)?.translation().x, 1.0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn linear(from: Pose, to: Pose) -> Self {
        let (axis, angle) = turn(&from, &to);
        let drift = to.translation() - from.translation();
        Self { start: from, pivot: from.translation(), drift, axis, angle }
    }

    /// A screw motion: about one axis of the world, and along it. The shorter way round.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::Pose;
    /// use nearhit::scene::Motion;
    ///
    /// let quarter = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    /// // A quarter turn about the z axis of the world, and up by 1.
    /// let motion = Motion::screw(at(1.0, 0.0, 0.0), Pose::from_rows(quarter, [0.0, 1.0, 1.0])?);
    /// let middle = motion.pose(0.5)?.translation();
    /// assert!((middle.truncate().length() - 1.0).abs() < 1e-12); // on the circle
    /// assert!((middle.z - 0.5).abs() < 1e-12);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn screw(from: Pose, to: Pose) -> Self {
        let (axis, angle) = turn(&from, &to);
        let way = to.translation() - from.translation();
        // Where next to nothing turns the axis is far away, and the line is as good.
        if angle < 1e-6 {
            return Self::linear(from, to);
        }
        let along = axis * axis.dot(way);
        let across = way - along;
        let pivot = from.translation() + (across + axis.cross(across) / (0.5 * angle).tan()) * 0.5;
        Self { start: from, pivot, drift: along, axis, angle }
    }

    /// Linear and angular velocity: the body's origin drifts while the body turns about it:
    /// `rotation` is the axis times the angle, which may be many turns.
    ///
    /// Errors: a number that is not finite.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::glam::DVec3;
    /// use nearhit::scene::Motion;
    ///
    /// // Ten turns about z on the way along x.
    /// let turns = DVec3::new(0.0, 0.0, 10.0 * std::f64::consts::TAU);
    /// let motion = Motion::spinning(at(0.0, 0.0, 0.0), DVec3::X, turns)?;
    /// assert_eq!(motion.pose(0.5)?.translation().x, 0.5);
    /// # Ok(())
    /// # }
    /// ```
    pub fn spinning(from: Pose, drift: DVec3, rotation: DVec3) -> Result<Self, PoseError> {
        let named = [("drift", drift), ("rotation", rotation)];
        for (name, vector) in named {
            for (index, value) in vector.to_array().into_iter().enumerate() {
                if !value.is_finite() {
                    return Err(PoseError::NotFinite { entry: format!("{name}[{index}]"), value });
                }
            }
        }
        let angle = crate::vector::length(rotation);
        let axis = if angle > 0.0 { rotation / angle } else { DVec3::X };
        Ok(Self { start: from, pivot: from.translation(), drift, axis, angle })
    }

    /// The pose at a time.
    ///
    /// Errors: the time is not finite, or the place is beyond all numbers.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::Motion;
    ///
    /// let motion = Motion::linear(at(0.0, 0.0, 0.0), at(4.0, 0.0, 0.0));
    /// assert_eq!(motion.pose(0.25)?.translation().x, 1.0);
    /// assert!(motion.pose(f64::NAN).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn pose(&self, time: f64) -> Result<Pose, PoseError> {
        let turned = DMat3::from_axis_angle(self.axis, self.angle * time);
        let rotation = (turned * self.start.rotation()).transpose().to_cols_array_2d();
        let translation = turned * (self.start.translation() - self.pivot) + (self.pivot + self.drift * time);
        Pose::from_rows(rotation, translation.to_array())
    }

    /// The steady velocity of the axis.
    pub(super) fn drift(&self) -> DVec3 {
        self.drift
    }

    /// Where it begins.
    pub(super) fn start(&self) -> Pose {
        self.start
    }

    /// The same motion of a part that is at `start` when the body begins.
    pub(super) fn of_part(&self, start: Pose) -> Self {
        Self { start, ..*self }
    }

    /// Does it turn?
    pub(super) fn turns(&self) -> bool {
        self.angle != 0.0
    }

    /// Does it rest?
    pub(super) fn rests(&self) -> bool {
        !self.turns() && self.drift == DVec3::ZERO
    }

    /// The rotation at a time, as [`Motion::pose`] has it.
    pub(super) fn rotation(&self, time: f64) -> DMat3 {
        DMat3::from_axis_angle(self.axis, self.angle * time) * self.start.rotation()
    }

    /// No point of the shape moves faster than this relative to the drifting axis. Infinite for a
    /// half-space that turns.
    pub(super) fn turning_speed(&self, shape: &Shape) -> f64 {
        if self.turns() { self.angle * shape.farthest_from_axis(&self.start, self.pivot, self.axis) } else { 0.0 }
    }

    /// No point of `shape`, which has another motion, moves faster than this in the turning frame
    /// of this motion's axis: what a half-space does that turns.
    pub(super) fn turning_speed_of(&self, shape: &Shape, motion: &Self) -> f64 {
        let apart = crate::vector::length(motion.pivot - self.pivot);
        let drifting = crate::vector::length(motion.drift - self.drift);
        let farthest = match shape.extent() {
            Some(_) => apart + drifting + motion.radius(shape),
            None => f64::INFINITY,
        };
        if self.turns() { self.angle * farthest * (1.0 + 1e-12) } else { 0.0 }
    }

    /// No point of the shape, which has an extent, is farther from the drifting pivot.
    fn radius(&self, shape: &Shape) -> f64 {
        let Some(extent) = shape.extent() else { return f64::INFINITY };
        crate::vector::length(self.start.apply(extent.center) - self.pivot) + extent.radius + shape.margin()
    }

    /// Around all places of a shape that has an extent, to rounding.
    pub(super) fn swept(&self, shape: &Shape) -> Bounds {
        let (from, to) = (self.pivot, self.pivot + self.drift);
        let rounding = 256.0 * f64::EPSILON * self.reach(2.0 * shape.reach()) + 1e3 * f64::MIN_POSITIVE;
        let around = Bounds { low: from.min(to), high: from.max(to) }.grown(self.radius(shape) + rounding);
        match Extent::of(shape) {
            Some(extent) if !self.turns() => {
                let Bounds { low, high } = extent.placed(&self.start);
                Bounds { low: low.min(low + self.drift), high: high.max(high + self.drift) }.grown(rounding)
            }
            _ => around,
        }
    }

    /// The largest magnitude of a coordinate on the way of what reaches `size` from the body's
    /// origin, and of the way round: a rounded angle puts a point off by its share of that.
    pub(super) fn reach(&self, size: f64) -> f64 {
        let from_pivot = (self.start.translation() - self.pivot).abs().max_element();
        let turned = (2.0 + self.angle) * (from_pivot + size);
        turned + self.pivot.abs().max_element() + self.drift.abs().max_element()
    }
}

/// Axis and angle, at most a half turn, from one pose to another.
fn turn(from: &Pose, to: &Pose) -> (DVec3, f64) {
    let turn = DQuat::from_mat3(&(to.rotation() * from.rotation().transpose()));
    let turn = if turn.w < 0.0 { -turn } else { turn };
    // Not by the cosine, which hardly changes at small angles.
    let sine = turn.xyz().length();
    let axis = if sine > 0.0 { turn.xyz() / sine } else { DVec3::X };
    (axis, 2.0 * sine.atan2(turn.w))
}
