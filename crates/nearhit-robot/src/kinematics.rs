//! Forward kinematics: where links are, for a configuration. In doubles, without allocation.
//!
//! # Rounding
//!
//! Let `n` be the number of joints from the root to a link, and `reach` a length that no partial
//! sum of the chain exceeds: the lengths of all joints' origins and slides, and the distance of a
//! point from its link's frame. Then the computed place of the point is at most
//! [`ROUNDING`]` * (n + 1) * reach` from where real arithmetic puts it. Why: a joint's rotation
//! comes from a sine and a cosine that are off by an ulp, an axis whose length is, and a sum of
//! three matrices of entries below 2 that were rounded before, times those two: less than 64 u for
//! the whole matrix (u = 2^-53); the product with the parent's rotation adds 9 u. So each joint
//! turns what comes after it by at most 73 u more than it should, through a lever of at most
//! `reach`; sums of three products and a translation add 8 u of `reach`. At the end the product is
//! pulled back to a rotation, by no more than it is off. Together 154 u for each of n joints, and
//! once for the base; the constant is more than that.

use crate::error::ConfigurationError;
use crate::joint::{Joint, JointKind};
use crate::robot::Robot;
use crate::xml::MAX_NUMBER;
use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};
use nearhit::Pose;

/// See the module: the error of a point is at most this, times joints and reach.
pub const ROUNDING: f64 = 128.0 * f64::EPSILON;

/// How far the length of a quaternion may be from 1: it is taken for one of length 1.
const QUATERNION_TOLERANCE: f64 = 1e-5;

/// Robots with more links than this take memory for [`Robot::link_poses`].
const MANY_LINKS: usize = 128;

/// Where a link is: a matrix that is a rotation but for the rounding of a chain, and a translation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    rotation: DMat3,
    translation: DVec3,
}

impl Frame {
    pub(crate) const IDENTITY: Self = Self { rotation: DMat3::IDENTITY, translation: DVec3::ZERO };

    fn of(pose: &Pose) -> Self {
        Self { rotation: pose.rotation(), translation: pose.translation() }
    }

    #[inline]
    fn then(&self, next: &Self) -> Self {
        Self { rotation: self.rotation * next.rotation, translation: self.apply(next.translation) }
    }

    #[inline]
    pub(crate) fn apply(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// Pulled back to a rotation: one step of the Newton–Schulz iteration squares what it is off
    /// by.
    pub(crate) fn pose(&self) -> Pose {
        let off = self.rotation.transpose() * self.rotation - DMat3::IDENTITY;
        let rotation = self.rotation - self.rotation * off * 0.5;
        let rows = rotation.transpose().to_cols_array_2d();
        // Numbers of files and configurations are bounded, so that those of chains are finite; and
        // no chain is as long as rounding would need to break a rotation.
        Pose::from_rows(rows, self.translation.to_array()).unwrap_or(Pose::IDENTITY)
    }
}

/// What a joint that turns does, from its parent's frame: a sum of three matrices, the second times
/// the cosine and the third times the sine of its angle (Rodrigues' formula).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn([DMat3; 3]);

impl Turn {
    pub(crate) fn new(joint: &Joint) -> Self {
        let (origin, axis) = (joint.parent_from_joint.rotation(), DVec3::from(joint.axis));
        let along = DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
        let across = DMat3::from_cols(axis.cross(DVec3::X), axis.cross(DVec3::Y), axis.cross(DVec3::Z));
        Self([origin * along, origin * (DMat3::IDENTITY - along), origin * across])
    }

    #[inline]
    fn by(&self, angle: f64) -> DMat3 {
        let (sine, cosine) = angle.sin_cos();
        self.0[0] + self.0[1] * cosine + self.0[2] * sine
    }
}

impl Robot {
    /// Where every link is in the world, in the order of [`Robot::links`].
    ///
    /// Mimic joints follow. Limits are not looked at. Does not allocate, for up to 128 links.
    ///
    /// ```
    /// use nearhit_robot::{ReadOptions, Robot};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let text = r#"<robot name="arm"><link name="base"/><link name="hand"/>
    ///     <joint name="slide" type="prismatic"><parent link="base"/><child link="hand"/>
    ///         <axis xyz="0 0 1"/><limit lower="0" upper="2"/></joint></robot>"#;
    /// let robot = Robot::parse(text, "arm.urdf".as_ref(), &ReadOptions::default())?;
    /// let mut poses = vec![nearhit::Pose::IDENTITY; robot.links().len()];
    /// robot.link_poses(&[1.5], &mut poses)?;
    /// assert_eq!(poses[1].translation().z, 1.5);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "forward kinematics")]
    #[doc(alias = "kinematics")]
    pub fn link_poses(&self, q: &[f64], world_from_link: &mut [Pose]) -> Result<(), ConfigurationError> {
        self.check_configuration(q)?;
        let (expected, found) = (self.links.len(), world_from_link.len());
        if expected != found {
            return Err(ConfigurationError::Buffer { what: "poses", expected, found });
        }
        let (mut few, mut many) = (ArrayVec::<Frame, MANY_LINKS>::new(), Vec::new());
        let frames = if expected <= MANY_LINKS {
            few.extend(std::iter::repeat_n(Frame::IDENTITY, expected));
            &mut few[..]
        } else {
            many.resize(expected, Frame::IDENTITY);
            &mut many[..]
        };
        self.link_frames(q, &self.tree.order, frames);
        for (pose, frame) in world_from_link.iter_mut().zip(&*frames) {
            *pose = frame.pose();
        }
        Ok(())
    }

    /// Places the links that some joints move, parents first; of a checked configuration.
    pub(crate) fn link_frames(&self, q: &[f64], joints: &[usize], world_from_link: &mut [Frame]) {
        world_from_link[self.tree.root] = Frame::of(&self.world_from_root);
        for &index in joints {
            let joint = &self.tree.joints[index];
            world_from_link[joint.child] = world_from_link[joint.parent].then(&self.parent_from_child(index, q));
        }
    }

    /// The same for many configurations, one after the other in `configurations` and in
    /// `world_from_link`.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::{ReadOptions, Robot};
    ///
    /// let text = r#"<robot name="arm"><link name="base"/><link name="hand"/>
    ///     <joint name="slide" type="prismatic"><parent link="base"/><child link="hand"/>
    ///         <axis xyz="0 0 1"/><limit lower="0" upper="2"/></joint></robot>"#;
    /// let robot = Robot::parse(text, "arm.urdf".as_ref(), &ReadOptions::default())?;
    /// let mut poses = vec![nearhit::Pose::IDENTITY; 2 * robot.links().len()];
    /// robot.link_poses_batch(&[0.5, 1.5], &mut poses)?;
    /// assert_eq!([poses[1], poses[3]].map(|pose| pose.translation().z), [0.5, 1.5]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn link_poses_batch(
        &self,
        configurations: &[f64],
        world_from_link: &mut [Pose],
    ) -> Result<(), ConfigurationError> {
        let (links, length) = (self.links.len(), self.coordinates());
        let count = world_from_link.len() / links;
        let (expected, found) = (count * length, configurations.len());
        if expected != found || world_from_link.len() != count * links {
            return Err(ConfigurationError::Length { expected, found });
        }
        for (index, poses) in world_from_link.chunks_exact_mut(links).enumerate() {
            self.link_poses(&configurations[index * length..][..length], poses)?;
        }
        Ok(())
    }

    /// Refuses what no kinematics can bear.
    pub(crate) fn check_configuration(&self, q: &[f64]) -> Result<(), ConfigurationError> {
        let (expected, found) = (self.coordinates(), q.len());
        if expected != found {
            return Err(ConfigurationError::Length { expected, found });
        }
        let usable = |value: f64| value.abs() <= MAX_NUMBER;
        if let Some((index, &value)) = q.iter().enumerate().find(|&(_, &value)| !usable(value)) {
            let name = self.tree.coordinate_names[index].clone();
            return Err(ConfigurationError::NotFinite { index, name, value });
        }
        let floating = self.tree.joints.iter().filter(|joint| joint.kind == JointKind::Floating);
        for joint in floating {
            let first = joint.first_coordinate.unwrap_or_default();
            let length = q[first + 3..first + 7].iter().map(|value| value * value).sum::<f64>().sqrt();
            // Written so that what is not a number is refused.
            let is_unit = (length - 1.0).abs() <= QUATERNION_TOLERANCE;
            if !is_unit {
                return Err(ConfigurationError::Quaternion { joint: joint.name.clone(), length });
            }
        }
        Ok(())
    }

    /// Of a checked configuration.
    #[inline]
    fn parent_from_child(&self, index: usize, q: &[f64]) -> Frame {
        let joint = &self.tree.joints[index];
        let origin = Frame::of(&joint.parent_from_joint);
        match (joint.kind, joint.first_coordinate) {
            (JointKind::Fixed, _) => origin,
            (JointKind::Revolute | JointKind::Continuous, _) => {
                Frame { rotation: self.tree.turns[index].by(self.single_coordinate(joint, q)), ..origin }
            }
            (JointKind::Prismatic, _) => {
                let slide = joint.unit_axis() * self.single_coordinate(joint, q);
                Frame { translation: origin.apply(slide), ..origin }
            }
            (JointKind::Planar | JointKind::Floating, Some(first)) => {
                origin.then(&Frame::of(&joint.motion(&q[first..first + joint.kind.coordinates()])))
            }
            (JointKind::Planar | JointKind::Floating, None) => origin,
        }
    }

    /// The coordinate of a joint of one coordinate, its own or that of the joint it follows.
    pub(crate) fn single_coordinate(&self, joint: &Joint, q: &[f64]) -> f64 {
        match (joint.mimic, joint.first_coordinate) {
            (Some(mimic), _) => {
                let followed = self.tree.joints[mimic.joint].first_coordinate.map_or(0.0, |first| q[first]);
                mimic.multiplier * followed + mimic.offset
            }
            (None, Some(first)) => q[first],
            (None, None) => 0.0,
        }
    }
}
