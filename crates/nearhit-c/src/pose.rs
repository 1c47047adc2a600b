//! Poses: plain numbers that are checked whenever they are used.

use crate::border::{array, guard, needed_mut};
use crate::status::{Failure, nearhit_error, nearhit_status};
use glam::DVec3;
use nearhit::Pose;
use std::mem::MaybeUninit;

/// A rotation, then a translation: world = rotation · point + translation. Rows of the matrix one
/// after the other. Checked whenever it is used: a matrix off a rotation by up to 1e-5 becomes the
/// nearest rotation, anything else is an error. Where a pose is taken by pointer, NULL is the
/// identity.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_pose {
    /// rotation[row][column].
    pub rotation: [[f64; 3]; 3],
    /// Applied after the rotation.
    pub translation: [f64; 3],
}

impl nearhit_pose {
    pub(crate) fn of(pose: &Pose) -> Self {
        let rotation = pose.rotation().transpose().to_cols_array_2d();
        Self { rotation, translation: pose.translation().to_array() }
    }
}

/// The identity for NULL.
pub(crate) fn checked(pose: Option<&nearhit_pose>, whose: &str) -> Result<Pose, Failure> {
    match pose {
        None => Ok(Pose::IDENTITY),
        Some(pose) => Pose::from_rows(pose.rotation, pose.translation).map_err(|error| Failure::pose(whose, &error)),
    }
}

/// A point of a's frame in the world.
pub(crate) fn in_world(world_from_a: &Pose, point: DVec3) -> [f64; 3] {
    world_from_a.apply(point).to_array()
}

/// The identity.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_pose_identity() -> nearhit_pose {
    nearhit_pose::of(&Pose::IDENTITY)
}

/// From a homogeneous 4x4 matrix of 16 numbers, row by row; the last row must be 0 0 0 1. The pose
/// is checked, and its rotation made exact.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_pose_from_matrix(
    rows: *const f64,
    out: Option<&mut MaybeUninit<nearhit_pose>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let out = needed_mut(out, "out")?;
        // SAFETY: the caller gives 16 numbers.
        let rows = unsafe { array(rows, 16, "rows") }?;
        let row = |row: usize| [0, 1, 2, 3].map(|column| rows[4 * row + column]);
        let pose = Pose::from_matrix([0, 1, 2, 3].map(row)).map_err(|error| Failure::pose("the matrix", &error))?;
        out.write(nearhit_pose::of(&pose));
        Ok(())
    })
}

/// From a unit quaternion of four numbers, x y z w, and a translation of three. The quaternion's
/// length may be off by 1e-5.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_pose_from_quaternion(
    xyzw: *const f64,
    translation: *const f64,
    out: Option<&mut MaybeUninit<nearhit_pose>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let out = needed_mut(out, "out")?;
        // SAFETY: the caller gives four and three numbers.
        let (xyzw, translation) = unsafe { (array(xyzw, 4, "xyzw")?, array(translation, 3, "translation")?) };
        let (xyzw, translation) = ([0, 1, 2, 3].map(|i| xyzw[i]), [0, 1, 2].map(|i| translation[i]));
        let pose = Pose::from_quaternion(xyzw, translation);
        out.write(nearhit_pose::of(&pose.map_err(|error| Failure::pose("the quaternion", &error))?));
        Ok(())
    })
}
