//! Rigid transforms (poses), and the one formula that moves points.
//!
//! Invariant of [`Pose`]: all numbers finite, the matrix orthonormal to a few units in the last
//! place, its determinant +1. Everything exact in this crate is exact *about the bits that
//! [`Pose::apply`] returns*.

use crate::error::PoseError;
use glam::{DMat3, DQuat, DVec3};
use std::ops::Mul;

/// A rigid transform: a rotation followed by a translation. `a_from_b` maps points given in B's
/// frame to A's frame, so chains read `a_from_world * world_from_b`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    rotation: DMat3,
    translation: DVec3,
}

/// How far `RᵀR` of a stored rotation may be from the identity, entry by entry.
///
/// A product of two such matrices that exceeds it is pulled back by one Newton step, so chains do
/// not drift.
pub(crate) const ORTHONORMAL_TO: f64 = 8.0 * f64::EPSILON;

impl Pose {
    /// No rotation, no translation.
    pub const IDENTITY: Self = Self { rotation: DMat3::IDENTITY, translation: DVec3::ZERO };

    /// How far an entry of a given matrix may be from the nearest rotation's: files with six digits
    /// are common.
    pub(crate) const TOLERANCE: f64 = 1e-5;

    /// From the rows of a rotation matrix and a translation.
    ///
    /// A matrix that is orthonormal to rounding keeps its bits; one off by up to
    /// 1e-5 becomes the nearest rotation; anything else is an error.
    pub fn from_rows(rows: [[f64; 3]; 3], translation: [f64; 3]) -> Result<Self, PoseError> {
        for (i, row) in rows.iter().enumerate() {
            for (j, &value) in row.iter().enumerate() {
                finite(value, || format!("R[{i}][{j}]"))?;
            }
        }
        for (i, &value) in translation.iter().enumerate() {
            finite(value, || format!("t[{i}]"))?;
        }
        let given = DMat3::from_cols_array_2d(&rows).transpose();
        Ok(Self { rotation: nearest_rotation(given)?, translation: translation.into() })
    }

    /// From a homogeneous 4×4 matrix, row by row; the last row must be 0 0 0 1.
    pub fn from_matrix(rows: [[f64; 4]; 4]) -> Result<Self, PoseError> {
        let [x, y, z, bottom] = rows;
        if bottom != [0.0, 0.0, 0.0, 1.0] {
            return Err(PoseError::Malformed { message: format!("the last row is {bottom:?}, not [0, 0, 0, 1]") });
        }
        let rotation = [x, y, z].map(|row| [row[0], row[1], row[2]]);
        Self::from_rows(rotation, [x[3], y[3], z[3]])
    }

    /// From a unit quaternion, given as x, y, z, w, and a translation. Its length may be off by
    /// 1e-5.
    pub fn from_quaternion(xyzw: [f64; 4], translation: [f64; 3]) -> Result<Self, PoseError> {
        for (name, &value) in ["x", "y", "z", "w"].into_iter().zip(&xyzw) {
            finite(value, || format!("quaternion {name}"))?;
        }
        let quaternion = DQuat::from_array(xyzw);
        let length = quaternion.length();
        if (length - 1.0).abs() > Self::TOLERANCE {
            return Err(PoseError::Malformed { message: format!("the quaternion has length {length}, not 1") });
        }
        let matrix = DMat3::from_quat(quaternion * (1.0 / length)).transpose().to_cols_array_2d();
        Self::from_rows(matrix, translation)
    }

    /// A translation only.
    pub fn from_translation(translation: [f64; 3]) -> Result<Self, PoseError> {
        Self::from_rows([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation)
    }

    /// The rotation matrix.
    #[must_use]
    #[inline]
    pub fn rotation(&self) -> DMat3 {
        self.rotation
    }

    /// The translation.
    #[must_use]
    #[inline]
    pub fn translation(&self) -> DVec3 {
        self.translation
    }

    /// The same in another unit of length: the translation multiplied.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self { translation: self.translation * factor, ..*self }
    }

    /// Transforms a point: each coordinate is `((R0·x + R1·y) + R2·z) + t` in doubles, rounded
    /// after every operation (no fused multiply-add).
    ///
    /// This is the posing formula of the whole crate: the exact questions are asked of its results.
    #[must_use]
    #[inline]
    pub fn apply(&self, point: DVec3) -> DVec3 {
        let rotated = self.rotation.x_axis * point.x + self.rotation.y_axis * point.y + self.rotation.z_axis * point.z;
        rotated + self.translation
    }

    /// The inverse transform.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.transpose();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// The relative pose of two bodies in one world.
    ///
    /// The translations are subtracted before they are rotated: two bodies a million units from the
    /// origin keep the digits of what lies between them.
    #[must_use]
    #[inline]
    pub fn a_from_b(world_from_a: &Self, world_from_b: &Self) -> Self {
        let a_from_world = world_from_a.rotation.transpose();
        let rotation = renormalised(a_from_world * world_from_b.rotation);
        Self { rotation, translation: a_from_world * (world_from_b.translation - world_from_a.translation) }
    }
}

impl Mul for Pose {
    type Output = Self;

    /// `a_from_b * b_from_c = a_from_c`.
    fn mul(self, b_from_c: Self) -> Self {
        let rotation = renormalised(self.rotation * b_from_c.rotation);
        Self { rotation, translation: self.rotation * b_from_c.translation + self.translation }
    }
}

fn finite(value: f64, entry: impl Fn() -> String) -> Result<(), PoseError> {
    if value.is_finite() { Ok(()) } else { Err(PoseError::NotFinite { entry: entry(), value }) }
}

/// `RᵀR - 1`.
#[inline]
fn gram_error(matrix: DMat3) -> DMat3 {
    matrix.transpose() * matrix - DMat3::IDENTITY
}

#[inline]
fn largest_entry(matrix: DMat3) -> f64 {
    matrix.to_cols_array().into_iter().fold(0.0, |largest, entry| entry.abs().max(largest))
}

/// One step of the Newton–Schulz iteration for the orthogonal polar factor: squares the error.
fn newton_step(matrix: DMat3) -> DMat3 {
    matrix - matrix * gram_error(matrix) * 0.5
}

#[inline]
fn renormalised(product: DMat3) -> DMat3 {
    if largest_entry(gram_error(product)) <= ORTHONORMAL_TO { product } else { newton_step(product) }
}

/// The lengths of the columns, if those are perpendicular: then the matrix scales its axes.
fn scale_factors(given: DMat3) -> Option<[f64; 3]> {
    let axes = [given.x_axis, given.y_axis, given.z_axis];
    let factors = axes.map(|axis| axis.length());
    let [x, y, z] = axes.map(|axis| axis.normalize_or_zero());
    let most = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
    // Lengths of zero, or that are not numbers, are no factors.
    let are_factors = factors.iter().all(|factor| *factor > 0.0 && factor.is_finite());
    (most <= 1e-3 && are_factors).then_some(factors)
}

/// The orthogonal polar factor, which is the rotation nearest in the least-squares sense.
fn nearest_rotation(given: DMat3) -> Result<DMat3, PoseError> {
    let error = largest_entry(gram_error(given));
    let determinant = given.determinant();
    // Far outside the tolerance the iteration need not converge. Written so that an overflow to NaN
    // is refused too.
    let near = error <= 1e-3;
    if !near {
        if let Some(factors) = scale_factors(given) {
            return Err(PoseError::Scaled { factors });
        }
        let deviation = if error.is_finite() { 0.5 * error } else { f64::INFINITY };
        return Err(PoseError::NotRigid { deviation });
    }
    if determinant < 0.0 {
        return Err(PoseError::Mirrored { determinant });
    }
    if error <= ORTHONORMAL_TO {
        return Ok(given);
    }
    let rotation = newton_step(newton_step(newton_step(given)));
    let deviation = largest_entry(rotation - given);
    if deviation <= Pose::TOLERANCE { Ok(rotation) } else { Err(PoseError::NotRigid { deviation }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUARTER_TURN: [[f64; 3]; 3] = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];

    fn scaled(factor: f64) -> [[f64; 3]; 3] {
        QUARTER_TURN.map(|row| row.map(|entry| entry * factor))
    }

    #[test]
    fn moves_points_by_the_documented_formula() {
        let pose = Pose::from_rows(QUARTER_TURN, [10.0, 0.0, 1.0]).expect("rigid");
        assert_eq!(pose.apply(DVec3::new(2.0, 3.0, 4.0)), DVec3::new(7.0, 2.0, 5.0));
        assert_eq!(pose.inverse().apply(DVec3::new(7.0, 2.0, 5.0)), DVec3::new(2.0, 3.0, 4.0));
        let matrix = [[0.0, -1.0, 0.0, 10.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0]];
        assert_eq!(Pose::from_matrix(matrix), Ok(pose));
        let half = 0.5_f64.sqrt();
        let turned = Pose::from_quaternion([0.0, 0.0, half, half], [10.0, 0.0, 1.0]).expect("unit");
        assert!((turned.apply(DVec3::X) - DVec3::new(10.0, 1.0, 1.0)).length() < 1e-15);
    }

    /// The oracle has the formula written a second time.
    #[test]
    fn posed_points_have_the_documented_bits() {
        let mut rng = nearhit_testkit::rng::Rng::new(4);
        for _ in 0..10_000 {
            let (rows, translation, point) = (rng.rotation(), rng.point(-9.0, 9.0), rng.point(-1e3, 1e3));
            let pose = Pose::from_rows(rows, translation).expect("rigid");
            let rows = pose.rotation().transpose().to_cols_array_2d();
            let expected = nearhit_testkit::pose::pose_point(&rows, &translation, point);
            assert_eq!(pose.apply(point.into()).to_array(), expected);
        }
    }

    #[test]
    fn projects_what_is_nearly_rigid_and_refuses_the_rest() {
        for factor in [1.0 + 9e-6, 1.0 - 9e-6, 1.0 + 1e-12] {
            let pose = Pose::from_rows(scaled(factor), [0.0; 3]).expect("within tolerance");
            assert!(largest_entry(gram_error(pose.rotation())) <= ORTHONORMAL_TO);
            let exact = DMat3::from_cols_array_2d(&QUARTER_TURN).transpose();
            assert!(largest_entry(pose.rotation() - exact) < 1e-15);
        }
        for factor in [1.0 + 1.2e-5, 0.0, 1e200] {
            let error = Pose::from_rows(scaled(factor), [0.0; 3]).expect_err("scaled");
            assert!(matches!(error, PoseError::NotRigid { .. }), "{factor}: {error}");
        }
        for factor in [0.9, 2.0] {
            let error = Pose::from_rows(scaled(factor), [0.0; 3]).expect_err("scaled");
            assert_eq!(error, PoseError::Scaled { factors: [factor; 3] });
        }
        let mirror = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert!(matches!(Pose::from_rows(mirror, [0.0; 3]), Err(PoseError::Mirrored { .. })));
    }

    #[test]
    fn names_the_number_that_is_not_finite() {
        let mut rows = QUARTER_TURN;
        rows[1][2] = f64::NAN;
        let message = Pose::from_rows(rows, [0.0; 3]).expect_err("NaN").to_string();
        assert_eq!(message, "pose: R[1][2] is NaN, not a finite number");
        let message = Pose::from_translation([0.0, f64::INFINITY, 0.0]).expect_err("infinite").to_string();
        assert_eq!(message, "pose: t[1] is inf, not a finite number");
        assert!(Pose::from_quaternion([0.0; 4], [0.0; 3]).is_err());
        assert!(Pose::from_matrix([[0.0; 4]; 4]).is_err());
    }

    #[test]
    fn keeps_the_bits_of_a_matrix_that_is_orthonormal_to_rounding() {
        let (sin, cos) = 0.3_f64.sin_cos();
        let rows = [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]];
        let pose = Pose::from_rows(rows, [0.0; 3]).expect("rigid");
        assert_eq!(pose.rotation().transpose().to_cols_array_2d(), rows);
    }

    #[test]
    fn long_chains_do_not_drift() {
        let step = Pose::from_quaternion([0.36, 0.48, 0.0, 0.8], [1e-3, 0.0, 0.0]).expect("unit");
        let chain = (0..100_000).fold(Pose::IDENTITY, |chain, _| chain * step);
        assert!(largest_entry(gram_error(chain.rotation())) <= 2.0 * ORTHONORMAL_TO);
    }

    #[test]
    fn relative_pose_keeps_digits_far_from_the_origin() {
        let far = |x| Pose::from_translation([1e6 + x, -1e6, 1e6]).expect("finite");
        assert_eq!(Pose::a_from_b(&far(0.0), &far(0.25)).translation(), DVec3::new(0.25, 0.0, 0.0));
    }
}
