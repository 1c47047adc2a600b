//! Forward kinematics: where links are, for a configuration. In doubles, without allocation.
//!
//! # Rounding
//!
//! Let `n` be the number of joints from the root to a link, and `reach` a length that no partial
//! sum of the chain exceeds: the lengths of all joints' origins and slides, and the distance of a
//! point from its link's frame. Then the computed place of the point is at most
//! [`ROUNDING`]` * (n + 1) * reach` from where real arithmetic puts it. Why: a joint's rotation
//! comes from a sine and a cosine that are off by an ulp, an axis whose length is, and a
//! quaternion's formula of at most ten operations on numbers below 2, which is less than 64 u for
//! the whole matrix (u = 2^-53); the product with the parent's rotation adds 9 u, and pulling it
//! back to a rotation no more than the 48 u by which it is off. So each joint turns what comes
//! after it by at most 128 u more than it should, through a lever of at most `reach`; sums of three
//! products and a translation add 8 u of `reach`. Together 136 u for each of n joints, and once for
//! the base; the constant is about twice that.

use crate::error::ConfigurationError;
use crate::joint::{Joint, JointKind};
use crate::robot::Robot;
use crate::xml::MAX_NUMBER;
use nearhit::Pose;

/// See the module: the error of a point is at most this, times joints and reach.
pub const ROUNDING: f64 = 128.0 * f64::EPSILON;

/// How far the length of a quaternion may be from 1: it is taken for one of length 1.
const QUATERNION_TOLERANCE: f64 = 1e-5;

impl Robot {
    /// Where every link is in the world, in the order of [`Robot::links`].
    ///
    /// Mimic joints follow. Limits are not looked at. Does not allocate.
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
        world_from_link[self.tree.root] = self.world_from_root;
        for &index in &self.tree.order {
            let joint = &self.tree.joints[index];
            world_from_link[joint.child] = world_from_link[joint.parent] * self.parent_from_child(joint, q);
        }
        Ok(())
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
    pub(crate) fn parent_from_child(&self, joint: &Joint, q: &[f64]) -> Pose {
        match (joint.mimic, joint.first_coordinate) {
            _ if joint.kind == JointKind::Fixed => joint.parent_from_joint,
            (Some(_), _) => joint.parent_from_joint * joint.motion(&[self.single_coordinate(joint, q)]),
            (None, Some(first)) => joint.parent_from_joint * joint.motion(&q[first..first + joint.kind.coordinates()]),
            (None, None) => joint.parent_from_joint,
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
