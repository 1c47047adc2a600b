//! Any text as a URDF, and the same text as an SRDF of a small robot.

#![no_main]

use nearhit_robot::{ReadOptions, Robot};
use std::path::Path;

const ARM: &str = r#"<robot name="arm"><link name="base"/><link name="hand"/>
    <joint name="turn" type="revolute"><parent link="base"/><child link="hand"/>
        <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"#;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (path, options) = (Path::new("fuzzed.urdf"), ReadOptions::default());
    if let Ok(robot) = Robot::parse(text, path, &options) {
        let mut poses = vec![nearhit::Pose::IDENTITY; robot.links().len()];
        // Zeros are no configuration of a floating joint: an error, never a panic.
        let _ = robot.link_poses(&vec![0.0; robot.coordinates()], &mut poses);
    }
    let mut arm = Robot::parse(ARM, path, &options).expect("a robot");
    let _ = arm.parse_srdf(text, Path::new("fuzzed.srdf"));
});
