//! Robots written for the tests, and kinematics that share no code with the library's.

#![allow(dead_code, reason = "each test uses some of it")]

use nearhit_robot::{ReadOptions, Robot};
use std::path::Path;

/// An arm of three turns on a turning base, with a gripper whose second finger follows the first.
pub(crate) const ARM: &str = r#"<?xml version="1.0"?>
<robot name="arm">
  <link name="base"><collision><origin xyz="0 0 0.05"/><geometry><cylinder radius="0.1" length="0.1"/></geometry></collision></link>
  <link name="shoulder"><collision><origin xyz="0 0 0.1"/><geometry><box size="0.12 0.12 0.2"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0 0 0.2"/><geometry><capsule radius="0.05" length="0.3"/></geometry></collision></link>
  <link name="fore"><collision><origin xyz="0 0 0.2"/><geometry><box size="0.08 0.08 0.35"/></geometry></collision></link>
  <link name="flange"/>
  <link name="hand"><collision><geometry><sphere radius="0.06"/></geometry></collision></link>
  <link name="left"><collision><origin xyz="0 0 0.08"/><geometry><box size="0.02 0.02 0.08"/></geometry></collision></link>
  <link name="right"><collision><origin xyz="0 0 0.08"/><geometry><box size="0.02 0.02 0.08"/></geometry></collision></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="shoulder"/><origin xyz="0 0 0.1"/><axis xyz="0 0 1"/></joint>
  <joint name="lift" type="revolute"><parent link="shoulder"/><child link="upper"/><origin xyz="0.02 0 0.2" rpy="0 0.3 0"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="0 0 0.4" rpy="0 0 0.5"/>
    <axis xyz="1 2 0"/><limit lower="-2.5" upper="2.5"/></joint>
  <joint name="wrist" type="fixed"><parent link="fore"/><child link="flange"/><origin xyz="0 0.01 0.42" rpy="0.1 -0.2 0.3"/></joint>
  <joint name="roll" type="revolute"><parent link="flange"/><child link="hand"/><axis xyz="0 0 -3"/><limit lower="-3" upper="3"/></joint>
  <joint name="finger" type="prismatic"><parent link="hand"/><child link="left"/><axis xyz="0 1 0"/><limit lower="0" upper="0.04"/></joint>
  <joint name="finger2" type="prismatic"><parent link="hand"/><child link="right"/><axis xyz="0 1 0"/>
    <limit lower="-0.04" upper="0"/><mimic joint="finger" multiplier="-1"/></joint>
  <transmission name="motor"/>
</robot>"#;

/// A cart that slides in the plane with a pole on it, and a mast that goes up.
pub(crate) const CART: &str = r#"<robot name="cart">
  <link name="floor"/><link name="cart"><collision><geometry><box size="0.6 0.4 0.2"/></geometry></collision></link>
  <link name="mast"><collision><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.03" length="1"/></geometry></collision></link>
  <link name="pole"><collision><origin xyz="0.4 0 0"/><geometry><box size="0.8 0.03 0.03"/></geometry></collision></link>
  <joint name="drive" type="planar"><parent link="floor"/><child link="cart"/><origin xyz="0 0 0.1"/><axis xyz="0 0 1"/></joint>
  <joint name="lift" type="prismatic"><parent link="cart"/><child link="mast"/><origin xyz="-0.2 0 0.1"/><axis xyz="0 0 1"/><limit lower="0" upper="0.5"/></joint>
  <joint name="swing" type="revolute"><parent link="mast"/><child link="pole"/><origin xyz="0 0 1" rpy="1 0 0"/><axis xyz="0 1 0"/><limit lower="-3" upper="3"/></joint>
</robot>"#;

/// A body that flies, with an arm.
pub(crate) const FLYER: &str = r#"<robot name="flyer">
  <link name="world"/><link name="hull"><collision><geometry><box size="0.4 0.3 0.1"/></geometry></collision></link>
  <link name="arm"><collision><origin xyz="0.3 0 0"/><geometry><sphere radius="0.05"/></geometry></collision></link>
  <joint name="fly" type="floating"><parent link="world"/><child link="hull"/><origin xyz="1 2 3" rpy="0.2 0.3 0.4"/></joint>
  <joint name="arm" type="revolute"><parent link="hull"/><child link="arm"/><origin xyz="0 0 -0.1"/><axis xyz="0 1 0"/><limit lower="-1" upper="1"/></joint>
</robot>"#;

pub(crate) const ALL: [&str; 3] = [ARM, CART, FLYER];

pub(crate) fn robot(text: &str) -> Robot {
    Robot::parse(text, Path::new("test.urdf"), &ReadOptions::default()).expect("a good robot")
}

pub(crate) type Matrix = [[f64; 4]; 4];

pub(crate) const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

pub(crate) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..4).map(|k| a[i][k] * b[k][j]).sum()))
}

pub(crate) fn moved(x: f64, y: f64, z: f64) -> Matrix {
    let mut matrix = IDENTITY;
    (matrix[0][3], matrix[1][3], matrix[2][3]) = (x, y, z);
    matrix
}

/// Rodrigues' formula.
pub(crate) fn turned(axis: [f64; 3], angle: f64) -> Matrix {
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [x, y, z] = axis.map(|value| value / length);
    let cross = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
    let mut matrix = IDENTITY;
    for i in 0..3 {
        for j in 0..3 {
            let square: f64 = (0..3).map(|k| cross[i][k] * cross[k][j]).sum();
            matrix[i][j] += angle.sin() * cross[i][j] + (1.0 - angle.cos()) * square;
        }
    }
    matrix
}

pub(crate) fn rpy(roll: f64, pitch: f64, yaw: f64) -> Matrix {
    let about = |axis: usize, angle: f64| turned(std::array::from_fn(|i| f64::from(u8::from(i == axis))), angle);
    product(&about(2, yaw), &product(&about(1, pitch), &about(0, roll)))
}

/// From a quaternion, by its definition: v + 2 w (u x v) + 2 u x (u x v), column by column.
pub(crate) fn rotated([x, y, z, w]: [f64; 4]) -> Matrix {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let mut matrix = IDENTITY;
    for column in 0..3 {
        let unit: [f64; 3] = std::array::from_fn(|i| f64::from(u8::from(i == column)));
        let once = cross([x, y, z], unit);
        let twice = cross([x, y, z], once);
        for row in 0..3 {
            matrix[row][column] = unit[row] + 2.0 * (w * once[row] + twice[row]);
        }
    }
    matrix
}

/// Where the links of the robots above are: written out by hand, link by link.
pub(crate) fn expected(text: &str, q: &[f64]) -> Vec<Matrix> {
    let chain = |parts: &[Matrix]| parts.iter().fold(IDENTITY, |total, part| product(&total, part));
    if text == ARM {
        let &[turn, lift, elbow, roll, finger] = q else { panic!("five coordinates") };
        let shoulder = chain(&[moved(0.0, 0.0, 0.1), turned([0.0, 0.0, 1.0], turn)]);
        let upper = chain(&[shoulder, moved(0.02, 0.0, 0.2), rpy(0.0, 0.3, 0.0), turned([0.0, 1.0, 0.0], lift)]);
        let fore = chain(&[upper, moved(0.0, 0.0, 0.4), rpy(0.0, 0.0, 0.5), turned([1.0, 2.0, 0.0], elbow)]);
        let flange = chain(&[fore, moved(0.0, 0.01, 0.42), rpy(0.1, -0.2, 0.3)]);
        let hand = chain(&[flange, turned([0.0, 0.0, -3.0], roll)]);
        let (left, right) = (chain(&[hand, moved(0.0, finger, 0.0)]), chain(&[hand, moved(0.0, -finger, 0.0)]));
        return vec![IDENTITY, shoulder, upper, fore, flange, hand, left, right];
    }
    if text == CART {
        let &[x, y, angle, lift, swing] = q else { panic!("five coordinates") };
        let cart = chain(&[moved(0.0, 0.0, 0.1), moved(x, y, 0.0), turned([0.0, 0.0, 1.0], angle)]);
        let mast = chain(&[cart, moved(-0.2, 0.0, 0.1 + lift)]);
        let pole = chain(&[mast, moved(0.0, 0.0, 1.0), rpy(1.0, 0.0, 0.0), turned([0.0, 1.0, 0.0], swing)]);
        return vec![IDENTITY, cart, mast, pole];
    }
    let &[x, y, z, qx, qy, qz, qw, arm] = q else { panic!("eight coordinates") };
    let hull = chain(&[moved(1.0, 2.0, 3.0), rpy(0.2, 0.3, 0.4), moved(x, y, z), rotated([qx, qy, qz, qw])]);
    let arm = chain(&[hull, moved(0.0, 0.0, -0.1), turned([0.0, 1.0, 0.0], arm)]);
    vec![IDENTITY, hull, arm]
}
