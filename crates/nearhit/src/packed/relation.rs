//! How two nodes lie, and how far apart their boxes are, at least.
//!
//! Rounding. The rotation is composed in single precision, the offset of the two origins in double precision and rounded once. So all errors are
//! proportional to the local sizes: the boxes' reach in both nodes and the offset. Counted in half-ulps of their sum: 8 for
//! axes that are orthonormal only to single precision (each side), 12 for the product of three matrices, 6 for a
//! transformed middle, 4 for extents, 3 for differences; under 50 in all, for each frame. [`Relation::new`] takes 128 and adds the query's double-precision
//! slack; the boxes of b are grown by that once. A computed length of gaps exceeds the true one by no more than the axes' stretch: `SHRINK` takes that off.

use super::lanes::{Lanes, each, larger, multiply_add};
use super::node::WideNode;
use glam::{DMat3, DVec3};

/// a_from_b between the models' centres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Between {
    rotation: [[f32; 3]; 3],
    rotation_exact: DMat3,
    translation: DVec3,
    slack: f64,
}

impl Between {
    pub(super) fn new(rotation: DMat3, translation: DVec3, slack: f64) -> Self {
        let rows = rotation.transpose().to_cols_array_2d().map(|row| row.map(|entry| entry as f32));
        Self { rotation: rows, rotation_exact: rotation, translation, slack }
    }
}

/// A rotation and translation between two nodes' frames, and the slack for everything computed with them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relation {
    rotation: [[f32; 3]; 3],
    translation: [f32; 3],
    slack: f32,
}

const ROUNDING: f32 = 128.0 * 0.5 * f32::EPSILON;
/// Applied to squared lengths: axes may stretch by 8 half-ulps, three squares are added.
pub(super) const SHRINK: f32 = 1.0 - 40.0 * f32::EPSILON;

impl Relation {
    /// Node frame of `a` from node frame of `b`.
    #[inline(always)]
    pub(super) fn new<const FUSED: bool>(a: &WideNode, b: &WideNode, between: &Between) -> Self {
        let multiply_add = multiply_add::<FUSED>;
        let dot = |x: &[f32; 3], y: &[f32; 3]| multiply_add(x[2], y[2], multiply_add(x[1], y[1], x[0] * y[0]));
        let column = |j: usize| [between.rotation[0][j], between.rotation[1][j], between.rotation[2][j]];
        let columns = [column(0), column(1), column(2)];
        let mut half_way = [[0.0; 3]; 3];
        let mut rotation = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                half_way[i][j] = dot(&a.axes[i], &columns[j]);
            }
        }
        for i in 0..3 {
            for j in 0..3 {
                rotation[i][j] = dot(&half_way[i], &b.axes[j]);
            }
        }
        let exact = |point: &[f32; 3]| DVec3::new(point[0].into(), point[1].into(), point[2].into());
        let offset = between.rotation_exact * exact(&b.origin) + between.translation - exact(&a.origin);
        let offset = [offset.x as f32, offset.y as f32, offset.z as f32];
        let translation = [dot(&a.axes[0], &offset), dot(&a.axes[1], &offset), dot(&a.axes[2], &offset)];
        let size = a.reach + b.reach + offset[0].abs() + offset[1].abs() + offset[2].abs();
        let slack = ROUNDING * size + (between.slack as f32).next_up() + f32::MIN_POSITIVE;
        Self { rotation, translation, slack }
    }

    /// The same the other way round: node frame of `b` from node frame of `a`.
    #[inline(always)]
    pub(super) fn reversed<const FUSED: bool>(&self) -> Self {
        let multiply_add = multiply_add::<FUSED>;
        let r = &self.rotation;
        let t = &self.translation;
        let mut rotation = [[0.0; 3]; 3];
        let mut translation = [0.0; 3];
        for i in 0..3 {
            for j in 0..3 {
                rotation[i][j] = r[j][i];
            }
            translation[i] = -multiply_add(r[2][i], t[2], multiply_add(r[1][i], t[1], r[0][i] * t[0]));
        }
        Self { rotation, translation, slack: self.slack }
    }

    /// All boxes of a node, as boxes along the other node's axes, grown by the slack.
    #[inline(always)]
    pub(super) fn boxes<const FUSED: bool>(&self, node: &WideNode) -> Boxes {
        let multiply_add = multiply_add::<FUSED>;
        let (r, t) = (&self.rotation, &self.translation);
        let mut boxes = Boxes { center: [[0.0; 8]; 3], half: [[0.0; 8]; 3] };
        for i in 0..3 {
            let [x, y, z] = r[i];
            let [u, v, w] = r[i].map(f32::abs);
            boxes.center[i] = each(|lane| {
                multiply_add(
                    z,
                    node.center[2][lane],
                    multiply_add(y, node.center[1][lane], multiply_add(x, node.center[0][lane], t[i])),
                )
            });
            boxes.half[i] = each(|lane| {
                multiply_add(
                    w,
                    node.half[2][lane],
                    multiply_add(v, node.half[1][lane], multiply_add(u, node.half[0][lane], self.slack)),
                )
            });
        }
        boxes
    }

    /// One box of a node, likewise.
    #[inline(always)]
    pub(super) fn single<const FUSED: bool>(&self, node: &WideNode, lane: usize) -> Single {
        let multiply_add = multiply_add::<FUSED>;
        let (r, t) = (&self.rotation, &self.translation);
        let Single { center, half } = Single::of(node, lane);
        let mut single = Single { center: [0.0; 3], half: [0.0; 3] };
        for i in 0..3 {
            let [x, y, z] = r[i];
            single.center[i] = multiply_add(z, center[2], multiply_add(y, center[1], multiply_add(x, center[0], t[i])));
            let [x, y, z] = r[i].map(f32::abs);
            single.half[i] = multiply_add(z, half[2], multiply_add(y, half[1], multiply_add(x, half[0], self.slack)));
        }
        single
    }
}

/// Eight boxes along one frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxes {
    pub(super) center: [Lanes; 3],
    pub(super) half: [Lanes; 3],
}

/// One box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Single {
    pub(super) center: [f32; 3],
    pub(super) half: [f32; 3],
}

impl Single {
    #[inline(always)]
    pub(super) fn of(node: &WideNode, lane: usize) -> Self {
        let at = |lanes: &[Lanes; 3]| [lanes[0][lane], lanes[1][lane], lanes[2][lane]];
        Self { center: at(&node.center), half: at(&node.half) }
    }

    /// Same lane of eight boxes.
    #[inline(always)]
    pub(super) fn lane(boxes: &Boxes, lane: usize) -> Self {
        let at = |lanes: &[Lanes; 3]| [lanes[0][lane], lanes[1][lane], lanes[2][lane]];
        Self { center: at(&boxes.center), half: at(&boxes.half) }
    }

    /// The largest gap to each of eight boxes along the three axes; negative where all intervals overlap.
    #[inline(always)]
    pub(super) fn gaps(&self, center: &[Lanes; 3], half: &[Lanes; 3]) -> Lanes {
        each(|lane| {
            let gap =
                |axis: usize| (self.center[axis] - center[axis][lane]).abs() - (self.half[axis] + half[axis][lane]);
            larger(larger(gap(0), gap(1)), gap(2))
        })
    }

    /// The squared distance to each of eight boxes.
    #[inline(always)]
    pub(super) fn squared_distances<const FUSED: bool>(&self, center: &[Lanes; 3], half: &[Lanes; 3]) -> Lanes {
        each(|lane| {
            let gap = |axis: usize| {
                larger((self.center[axis] - center[axis][lane]).abs() - (self.half[axis] + half[axis][lane]), 0.0)
            };
            let (x, y, z) = (gap(0), gap(1), gap(2));
            multiply_add::<FUSED>(z, z, multiply_add::<FUSED>(y, y, x * x))
        })
    }
}
