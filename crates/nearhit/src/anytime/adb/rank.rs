//! How close are two pieces of one model to two of another? Four pairs at once.

use super::patch::{Across, Patch};
use glam::{Mat3A, Mat4, Vec3A, Vec4, Vec4Swizzles};

/// How much more it counts to be off the other's plane than along it.
const ACROSS: f32 = 2.0;

/// How the pieces lie, each number four times.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lanes {
    /// By row, then by column.
    turn: [[Vec4; 3]; 3],
    offset: [Vec4; 3],
    ratio: Vec4,
    slack: Vec4,
}

impl Lanes {
    pub(super) fn new(turn: &Mat3A, offset: Vec3A, ratio: f32, slack: f32) -> Self {
        let rows = turn.transpose().to_cols_array_2d();
        Self {
            turn: rows.map(|row| row.map(Vec4::splat)),
            offset: offset.to_array().map(Vec4::splat),
            ratio: Vec4::splat(ratio),
            // Of either piece.
            slack: Vec4::splat(2.0 * slack),
        }
    }
}

/// Four pairs: the first piece of a with both of b, then the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranks {
    /// How far apart they are for their size, the way across them counted more: the less, the
    /// likelier they touch.
    pub distances: Vec4,
    /// A bit for each pair; without it, they do not touch.
    pub near: u32,
}

#[inline]
fn dot(p: &[Vec4; 3], q: &[Vec4; 3]) -> Vec4 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

/// The columns of two pieces of a and two of b: by quantity, twice each for a, in turn for b.
#[inline]
fn columns([a_0, a_1]: [Vec4; 2], [b_0, b_1]: [Vec4; 2]) -> ([Vec4; 4], [Vec4; 4]) {
    let Mat4 { x_axis, y_axis, z_axis, w_axis } = Mat4::from_cols(a_0, a_1, b_0, b_1).transpose();
    let all = [x_axis, y_axis, z_axis, w_axis];
    (all.map(|column| column.xxyy()), all.map(|column| column.zwzw()))
}

impl Across {
    /// Ranks four pairs. A pair whose distance is no number is near.
    #[must_use]
    #[inline]
    pub fn rank(&self, a: [&Patch; 2], b: [&Patch; 2]) -> Ranks {
        let Lanes { turn, offset, ratio, slack } = &self.lanes;
        let place = |piece: &Patch| piece.center.extend(piece.reach);
        let ([x_a, y_a, z_a, reach_a], [x_b, y_b, z_b, reach_b]) = columns(a.map(place), b.map(place));
        let middle = [x_a * *ratio, y_a * *ratio, z_a * *ratio];
        let from_b_to_a = [
            dot(&turn[0], &middle) + offset[0] - x_b,
            dot(&turn[1], &middle) + offset[1] - y_b,
            dot(&turn[2], &middle) + offset[2] - z_b,
        ];
        let squared = dot(&from_b_to_a, &from_b_to_a);
        let reach = reach_a * *ratio + reach_b + *slack;
        let far = squared.cmpgt(reach * reach);
        let face = |piece: &Patch| piece.normal.extend(piece.spread);
        let ([x_a, y_a, z_a, spread_a], [x_b, y_b, z_b, spread_b]) = columns(a.map(face), b.map(face));
        let facing = [x_a, y_a, z_a];
        let normal_a = [dot(&turn[0], &facing), dot(&turn[1], &facing), dot(&turn[2], &facing)];
        let (off_a, off_b) = (dot(&normal_a, &from_b_to_a), dot(&[x_b, y_b, z_b], &from_b_to_a));
        let spread = spread_a * (*ratio * *ratio) + spread_b;
        Ranks {
            distances: (squared + (off_a * off_a + off_b * off_b) * ACROSS) / spread,
            near: !far.bitmask() & 0b1111,
        }
    }
}
