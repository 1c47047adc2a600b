//! A small robot that needs no files, for examples and tests.

use crate::robot::{ReadOptions, Robot};
use std::path::Path;

/// The URDF of [`Robot::example`]: an arm of four turns with a gripper whose second finger follows
/// the first. Five coordinates, seven bodies, all of them primitives.
pub const EXAMPLE_URDF: &str = include_str!("example.urdf");

/// An SRDF for it: a group, a state, and the pairs of links that never touch.
pub const EXAMPLE_SRDF: &str = include_str!("example.srdf");

impl Robot {
    /// A small arm that needs no files: [`EXAMPLE_URDF`].
    ///
    /// ```
    /// let robot = nearhit_robot::Robot::example();
    /// assert_eq!(robot.coordinate_names(), ["turn", "lift", "elbow", "roll", "finger"]);
    /// ```
    #[must_use]
    pub fn example() -> Self {
        let robot = Self::parse(EXAMPLE_URDF, Path::new("example.urdf"), &ReadOptions::default());
        // The text is part of the program, and a test reads it.
        robot.expect("the example is a robot")
    }
}
