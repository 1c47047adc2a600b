//! Configurations that have a name, and what coordinates may be.

use crate::joint::JointKind;
use crate::robot::Robot;
use std::f64::consts::PI;

impl Robot {
    /// What every coordinate may be: limits of joints, narrowed by those of joints that follow
    /// them.
    ///
    /// Joints without limits turn from -π to π; what slides without limits has infinite ones, and
    /// numbers of a quaternion go from -1 to 1.
    #[must_use]
    pub fn limits(&self) -> Vec<[f64; 2]> {
        const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
        let mut limits = vec![FREE; self.coordinates()];
        for (index, joint) in self.joints().iter().enumerate() {
            let Some(first) = joint.first_coordinate else { continue };
            match joint.kind {
                JointKind::Fixed => {}
                JointKind::Planar => limits[first + 2] = [-PI, PI],
                JointKind::Floating => limits[first + 3..first + 7].fill([-1.0, 1.0]),
                JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => {
                    limits[first] = self.range(index).into();
                }
            }
        }
        limits
    }

    /// Every coordinate at 0, or at the limit nearest to it; floating joints do not turn.
    #[must_use]
    pub fn neutral(&self) -> Vec<f64> {
        let mut q: Vec<f64> = self.limits().iter().map(|&[lower, upper]| 0.0_f64.clamp(lower, upper)).collect();
        for joint in self.joints().iter().filter(|joint| joint.kind == JointKind::Floating) {
            if let Some(first) = joint.first_coordinate {
                q[first + 6] = 1.0;
            }
        }
        q
    }

    /// A state that the SRDF names, of the first group that has it; the other coordinates are
    /// neutral. None if there is no such state.
    #[must_use]
    pub fn state(&self, name: &str) -> Option<Vec<f64>> {
        let state = self.semantics().states.iter().find(|state| state.name == name)?;
        let mut q = self.neutral();
        for (joint, values) in &state.values {
            let Some(first) = self.joints()[*joint].first_coordinate else { continue };
            for (coordinate, value) in q[first..].iter_mut().zip(values) {
                *coordinate = *value;
            }
        }
        Some(q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EXAMPLE_SRDF;

    #[test]
    fn the_example_has_limits_and_a_state() {
        let mut robot = Robot::example();
        robot.parse_srdf(EXAMPLE_SRDF, "example.srdf".as_ref()).expect("a good SRDF");
        assert_eq!(robot.limits(), [[-PI, PI], [-2.4, 2.4], [-2.9, 2.9], [-3.0, 3.0], [0.0, 0.04]]);
        assert_eq!(robot.neutral(), [0.0; 5]);
        assert_eq!(robot.state("rest"), Some(vec![0.0, 0.5, 1.0, 0.0, 0.0]));
        assert_eq!(robot.state("unrest"), None);
    }
}
