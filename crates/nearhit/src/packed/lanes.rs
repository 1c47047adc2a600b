//! Eight numbers at once, written as plain loops over arrays.
//!
//! No intrinsics: the loops have a fixed length and no branches, and the compiler turns them into vector instructions of whatever the enclosing function is
//! compiled for ([`super::descend`]). `FUSED` chooses fused multiply-add where the CPU has it; without hardware it would be a library call.

pub(super) const WIDTH: usize = 8;

pub(super) type Lanes = [f32; WIDTH];

/// `x · y + z`.
#[inline(always)]
pub(super) fn multiply_add<const FUSED: bool>(x: f32, y: f32, z: f32) -> f32 {
    if FUSED { x.mul_add(y, z) } else { x * y + z }
}

/// `f` of each lane.
#[inline(always)]
pub(super) fn each(f: impl Fn(usize) -> f32) -> Lanes {
    let mut lanes = [0.0; WIDTH];
    for (lane, value) in lanes.iter_mut().enumerate() {
        *value = f(lane);
    }
    lanes
}

/// One bit for each lane below `limit`.
#[inline(always)]
pub(super) fn below(lanes: &Lanes, limit: f32) -> u32 {
    let mut mask = 0;
    for (lane, value) in lanes.iter().enumerate() {
        mask |= u32::from(*value < limit) << lane;
    }
    mask
}

/// The larger of two; the second if the first is not a number.
#[inline(always)]
pub(super) fn larger(x: f32, y: f32) -> f32 {
    if x > y { x } else { y }
}
