//! Boxes around what nodes hold, in single precision and without their tree: what a search for
//! crossings culls by. Never apart wrongly, in spite of rounding: see [`Across::apart`].

use super::patch::Across;
use crate::bounds::Bounds;
use crate::mesh::Triangle;
use glam::{DMat3, DVec3, Mat3A, Vec3, Vec3A};
use std::ops::Range;

/// Single precision leaves so many times the slack of a placed point between two boxes: of a
/// coordinate along an axis that was turned twice, the largest of 15 tests' errors is below 140
/// units in the last place of all that is added up.
const OF_AXES: f32 = 5.0;
/// Boxes are wider by this part of themselves and of their body, for the rounding of their axes and
/// middles.
const WIDER: f64 = 1e-6;

/// A box around the triangles of a node, and where the nodes below are; one line of a processor's
/// cache.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub struct Block {
    center: Vec3,
    first_below: u32,
    /// Two of its unit axes; the third is across.
    x: Vec3,
    end_below: u32,
    y: Vec3,
    _unused: u32,
    half_extents: Vec3,
    _unused_too: u32,
}

impl Block {
    /// Around triangles, along the axes given or along the coordinates, whichever has the lesser
    /// surface.
    pub(super) fn new<T: Iterator<Item = Triangle>>(
        axes: DMat3,
        triangles: impl Fn() -> T,
        children: Range<u32>,
    ) -> Self {
        let [oriented, upright] = [axes, DMat3::IDENTITY].map(|axes| (axes, bounds(axes, triangles())));
        let surface = |bounds: [DVec3; 2]| {
            let [x, y, z] = (bounds[1] - bounds[0]).to_array();
            x * y + y * z + z * x
        };
        let (axes, [low, high]) = if surface(upright.1) < surface(oriented.1) { upright } else { oriented };
        Self {
            center: (axes * (0.5 * (low + high))).as_vec3(),
            first_below: children.start,
            x: axes.x_axis.as_vec3(),
            end_below: children.end,
            y: axes.y_axis.as_vec3(),
            _unused: 0,
            half_extents: (0.5 * (high - low) * (1.0 + WIDER) + WIDER).as_vec3(),
            _unused_too: 0,
        }
    }

    /// The nodes below; of a leaf, none.
    #[inline]
    pub(super) fn below(&self) -> Range<u32> {
        self.first_below..self.end_below
    }

    /// Does it hold triangles?
    #[inline]
    pub(super) fn is_leaf(&self) -> bool {
        self.end_below == 0
    }
}

fn bounds(axes: DMat3, triangles: impl Iterator<Item = Triangle>) -> [DVec3; 2] {
    let to_frame = axes.transpose();
    let corners = triangles.flatten().map(|corner| to_frame * corner);
    let Bounds { low, high } = corners.collect();
    [low, high]
}

/// How two models' boxes lie: from a's frame to b's.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sight {
    turn: Mat3A,
    offset: Vec3A,
    ratio: f32,
    slack: f32,
}

impl Sight {
    pub(super) fn new(turn: Mat3A, offset: Vec3A, ratio: f32, slack: f32) -> Self {
        Self { turn, offset, ratio, slack: OF_AXES * slack }
    }
}

impl Across {
    /// Is what [`Across::apart`] cannot tell small beside either body? Not, if one is a speck
    /// beside the other, or if sizes are no numbers.
    #[inline]
    pub(super) fn is_fine(&self) -> bool {
        self.sight.slack < 0.01 * self.sight.ratio.min(1.0)
    }

    /// Whether it is certain that nothing in one box meets anything in the other. All 15 axes that
    /// can separate two boxes. Where something is no number, nothing is certain.
    #[must_use]
    #[inline]
    pub fn apart(&self, a: &Block, b: &Block) -> bool {
        let Sight { turn, offset, ratio, slack } = self.sight;
        let slack = Vec3A::splat(slack);
        let (half_a, half_b) = (Vec3A::from(a.half_extents) * ratio, Vec3A::from(b.half_extents));
        let (x_b, y_b) = (Vec3A::from(b.x), Vec3A::from(b.y));
        let to_box = Mat3A::from_cols(x_b, y_b, x_b.cross(y_b)).transpose();
        let box_from_a = to_box * turn;
        let (x, y) = (box_from_a * Vec3A::from(a.x), box_from_a * Vec3A::from(a.y));
        // Columns: a's axes along b's.
        let rotation = Mat3A::from_cols(x, y, x.cross(y));
        let offset = to_box * (turn * (Vec3A::from(a.center) * ratio) + offset - Vec3A::from(b.center));
        let absolute = rotation.abs();
        if (offset.abs() - (half_b + absolute * half_a)).cmpgt(slack).any() {
            return true;
        }
        let along_a = rotation.transpose() * offset;
        if (along_a.abs() - (half_a + absolute.transpose() * half_b)).cmpgt(slack).any() {
            return true;
        }
        // Along b's three axes × one of a's.
        let ([half_1, half_2], [offset_1, offset_2]) = (turned(half_b), turned(offset));
        let gaps = |axis: Vec3A, from_a: Vec3A| {
            let [axis_1, axis_2] = turned(axis);
            let from_b = half_1 * axis_2.abs() + half_2 * axis_1.abs();
            (offset_1 * axis_2 - offset_2 * axis_1).abs() - (from_b + from_a)
        };
        let across_x = gaps(x, absolute.z_axis * half_a.y + absolute.y_axis * half_a.z);
        let across_y = gaps(y, absolute.x_axis * half_a.z + absolute.z_axis * half_a.x);
        let across_z = gaps(rotation.z_axis, absolute.y_axis * half_a.x + absolute.x_axis * half_a.y);
        (across_x.cmpgt(slack) | across_y.cmpgt(slack) | across_z.cmpgt(slack)).any()
    }
}

/// The coordinates in the other two orders of their circle.
#[inline]
fn turned(vector: Vec3A) -> [Vec3A; 2] {
    use glam::Vec3Swizzles;
    [vector.yzx(), vector.zxy()]
}
