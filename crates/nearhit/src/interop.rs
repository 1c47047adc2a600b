//! Poses from and to the types of other mathematics libraries (nalgebra, cgmath, euclid and the
//! like), by way of mint.
//!
//! Points and vectors go through [`glam`]: `DVec3` and `DQuat` are made from mint's types and back.

use crate::error::PoseError;
use crate::pose::Pose;
use glam::{DMat3, DQuat};
use mint::{Quaternion, RowMatrix4, Vector3};

/// A rotation and a translation.
impl TryFrom<(Quaternion<f64>, Vector3<f64>)> for Pose {
    type Error = PoseError;

    fn try_from((rotation, translation): (Quaternion<f64>, Vector3<f64>)) -> Result<Self, PoseError> {
        let Vector3 { x, y, z } = rotation.v;
        Self::from_quaternion([x, y, z, rotation.s], translation.into())
    }
}

/// A homogeneous matrix; the last row must be 0 0 0 1.
impl TryFrom<RowMatrix4<f64>> for Pose {
    type Error = PoseError;

    fn try_from(matrix: RowMatrix4<f64>) -> Result<Self, PoseError> {
        Self::from_matrix(matrix.into())
    }
}

impl From<Pose> for (Quaternion<f64>, Vector3<f64>) {
    fn from(pose: Pose) -> Self {
        (DQuat::from_mat3(&pose.rotation()).into(), pose.translation().into())
    }
}

impl From<Pose> for RowMatrix4<f64> {
    fn from(pose: Pose) -> Self {
        let rows = DMat3::transpose(&pose.rotation()).to_cols_array_2d();
        let [x, y, z] = pose.translation().to_array();
        let row = |row: [f64; 3], last: f64| [row[0], row[1], row[2], last];
        [row(rows[0], x), row(rows[1], y), row(rows[2], z), [0.0, 0.0, 0.0, 1.0]].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use mint::Point3;

    #[test]
    fn poses_and_points_go_there_and_back() {
        let quarter = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let pose = Pose::from_rows(quarter, [1.0, 2.0, 3.0]).expect("a pose");
        let matrix = RowMatrix4::from(pose);
        assert_eq!((matrix.x.x, matrix.x.y, matrix.x.w, matrix.w.w), (0.0, -1.0, 1.0, 1.0));
        assert_eq!(Pose::try_from(matrix), Ok(pose));

        let (rotation, translation): (Quaternion<f64>, Vector3<f64>) = pose.into();
        let back = Pose::try_from((rotation, translation)).expect("a unit quaternion");
        let (there, here) = (back.apply(DVec3::ONE), pose.apply(DVec3::ONE));
        assert!((there - here).length() < 1e-15, "{there} {here}");

        let point: DVec3 = Point3 { x: 1.0, y: 2.0, z: 3.0 }.into();
        assert_eq!(Point3::from(point).y, 2.0);
        let long = Quaternion { s: 2.0, v: Vector3 { x: 0.0, y: 0.0, z: 0.0 } };
        assert!(Pose::try_from((long, translation)).is_err());
    }
}
