//! Geometric Jacobians: how a point of a link moves and turns when joints do.

use crate::error::ConfigurationError;
use crate::joint::{Joint, JointKind};
use crate::robot::Robot;
use glam::{DMat3, DVec3};
use nearhit::Pose;

/// A column of a Jacobian: what one velocity does to a point and its link, in world axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct JacobianColumn {
    /// Velocity of the point.
    pub linear: [f64; 3],
    /// Angular velocity of the link.
    pub angular: [f64; 3],
}

impl Robot {
    /// The Jacobian of a point of a link, given in the link's frame.
    ///
    /// `world_from_link` is what [`Robot::link_poses`] gave for `q`; `columns` has room for
    /// [`Robot::velocities`]. The column of a revolute or continuous joint is for a radian, of a
    /// prismatic one for a unit of length; a planar joint has x, y and its angle; a floating joint
    /// has the velocity of its child's origin and its angular velocity, both along the axes of the
    /// joint's frame on its parent. What a joint that is followed moves by way of others is in its
    /// column. Does not allocate.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::{JacobianColumn, ReadOptions, Robot};
    ///
    /// let text = r#"<robot name="arm"><link name="base"/><link name="hand"/>
    ///     <joint name="slide" type="prismatic"><parent link="base"/><child link="hand"/>
    ///         <axis xyz="0 0 1"/><limit lower="0" upper="2"/></joint></robot>"#;
    /// let robot = Robot::parse(text, "arm.urdf".as_ref(), &ReadOptions::default())?;
    /// let mut poses = vec![nearhit::Pose::IDENTITY; robot.links().len()];
    /// robot.link_poses(&[1.0], &mut poses)?;
    /// let mut columns = vec![JacobianColumn::default(); robot.velocities()];
    /// robot.point_jacobian(&[1.0], &poses, 1, [0.0; 3], &mut columns)?;
    /// assert_eq!(columns[0].linear, [0.0, 0.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "Jacobian")]
    #[doc(alias = "geometric Jacobian")]
    pub fn point_jacobian(
        &self,
        q: &[f64],
        world_from_link: &[Pose],
        link: usize,
        point_link: [f64; 3],
        columns: &mut [JacobianColumn],
    ) -> Result<(), ConfigurationError> {
        self.check_configuration(q)?;
        let (links, velocities) = (self.links.len(), self.velocities());
        if link >= links {
            return Err(ConfigurationError::NoLink { index: link, count: links });
        }
        if world_from_link.len() != links {
            return Err(ConfigurationError::Buffer { what: "poses", expected: links, found: world_from_link.len() });
        }
        if columns.len() != velocities {
            return Err(ConfigurationError::Buffer { what: "columns", expected: velocities, found: columns.len() });
        }
        columns.fill(JacobianColumn::default());
        let point_world = world_from_link[link].apply(point_link.into());
        let mut at = link;
        while let Some(index) = self.joint_of_link(at) {
            let joint = &self.tree.joints[index];
            let world_from_joint = world_from_link[joint.parent] * joint.parent_from_joint;
            let origin_world = world_from_link[joint.child].translation();
            self.add(joint, &world_from_joint, origin_world, point_world, columns);
            at = joint.parent;
        }
        Ok(())
    }

    /// Adds what one joint of the chain does. A mimic joint adds to the column of the joint it
    /// follows.
    fn add(
        &self,
        joint: &Joint,
        world_from_joint: &Pose,
        origin_world: DVec3,
        point_world: DVec3,
        columns: &mut [JacobianColumn],
    ) {
        let (first, factor) = match joint.mimic {
            Some(mimic) => (self.tree.joints[mimic.joint].first_velocity, mimic.multiplier),
            None => (joint.first_velocity, 1.0),
        };
        let Some(first) = first else { return };
        let rotation = world_from_joint.rotation();
        let axis = rotation * joint.unit_axis();
        let lever = point_world - origin_world;
        let mut slide =
            |index: usize, direction: DVec3| add_to(&mut columns[first + index], direction * factor, DVec3::ZERO);
        match joint.kind {
            JointKind::Fixed => {}
            JointKind::Prismatic => slide(0, axis),
            JointKind::Revolute | JointKind::Continuous => {
                add_to(&mut columns[first], axis.cross(lever) * factor, axis * factor);
            }
            JointKind::Planar => {
                let [x, y] = joint.plane();
                slide(0, rotation * x);
                slide(1, rotation * y);
                add_to(&mut columns[first + 2], axis.cross(lever), axis);
            }
            JointKind::Floating => floating(&mut columns[first..first + 6], &rotation, lever),
        }
    }
}

fn floating(columns: &mut [JacobianColumn], rotation: &DMat3, lever: DVec3) {
    for index in 0..3 {
        let direction = rotation.col(index);
        add_to(&mut columns[index], direction, DVec3::ZERO);
        add_to(&mut columns[3 + index], direction.cross(lever), direction);
    }
}

fn add_to(column: &mut JacobianColumn, linear: DVec3, angular: DVec3) {
    column.linear = (DVec3::from(column.linear) + linear).to_array();
    column.angular = (DVec3::from(column.angular) + angular).to_array();
}
