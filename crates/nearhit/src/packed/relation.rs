//! How two nodes lie, and how far apart their boxes are, at least.
//!
//! Rounding. The rotation is composed in single precision, the offset of the two origins in double precision and rounded once. So all errors are
//! proportional to the local sizes: the boxes' reach in both nodes and the offset. Counted in half-ulps of their sum: 8 for
//! axes that are orthonormal only to single precision (each side), 12 for the product of three matrices, 6 for a
//! transformed middle, 4 for extents, 3 for differences; under 50 in all, for each frame. [`Relation::new`] takes 128 and adds the query's double-precision
//! slack; transformed boxes are grown by that. A computed length of gaps exceeds the true one by no more than the axes' stretch: [`SHRINK`] takes that off.

use super::lanes::{Lanes, Simd};
use super::node::WideNode;
use glam::{DMat3, DVec3};

/// a_from_b between the models' centres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Between {
    /// Columns.
    rotation: [[f32; 3]; 3],
    rotation_exact: DMat3,
    translation: DVec3,
    slack: f32,
}

impl Between {
    pub(super) fn new(rotation: DMat3, translation: DVec3, slack: f64) -> Self {
        let columns = rotation.to_cols_array_2d().map(|column| column.map(|entry| entry as f32));
        Self {
            rotation: columns,
            rotation_exact: rotation,
            translation,
            slack: (slack as f32).next_up() + f32::MIN_POSITIVE,
        }
    }
}

/// A rotation and translation between two nodes' frames, and the slack for everything computed with them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relation {
    /// Rows.
    rotation: [[f32; 3]; 3],
    translation: [f32; 3],
    slack: f32,
}

const ROUNDING: f32 = 128.0 * 0.5 * f32::EPSILON;
/// Applied to squared lengths: axes may stretch by 8 half-ulps, three squares are added.
pub(super) const SHRINK: f32 = 1.0 - 40.0 * f32::EPSILON;

#[inline(always)]
fn exact(point: &[f32; 3]) -> DVec3 {
    DVec3::new(point[0].into(), point[1].into(), point[2].into())
}

#[inline(always)]
fn dot(x: &[f32; 3], y: &[f32; 3]) -> f32 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

impl Relation {
    /// Node frame of `a` from node frame of `b`.
    #[inline(always)]
    pub(super) fn new(a: &WideNode, b: &WideNode, between: &Between) -> Self {
        let mut rotation = [[0.0; 3]; 3];
        for i in 0..3 {
            let mut half_way = [0.0; 3];
            for j in 0..3 {
                half_way[j] = dot(&a.axes[i], &between.rotation[j]);
            }
            for j in 0..3 {
                rotation[i][j] = dot(&half_way, &b.axes[j]);
            }
        }
        let offset = between.rotation_exact * exact(&b.origin) + between.translation - exact(&a.origin);
        let offset = [offset.x as f32, offset.y as f32, offset.z as f32];
        let translation = [dot(&a.axes[0], &offset), dot(&a.axes[1], &offset), dot(&a.axes[2], &offset)];
        let size = a.reach + b.reach + offset[0].abs() + offset[1].abs() + offset[2].abs();
        Self { rotation, translation, slack: ROUNDING * size + between.slack }
    }

    /// The same the other way round: node frame of `b` from node frame of `a`.
    #[inline(always)]
    pub(super) fn reversed(&self) -> Self {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.rotation;
        let rotation = [[a, d, g], [b, e, h], [c, f, i]];
        let back = &self.translation;
        let translation = [-dot(&rotation[0], back), -dot(&rotation[1], back), -dot(&rotation[2], back)];
        Self { rotation, translation, slack: self.slack }
    }

    /// All boxes of a node, as boxes along the other node's axes, grown by the slack.
    #[inline(always)]
    pub(super) fn boxes<S: Simd>(&self, node: &WideNode) -> Boxes<S> {
        let from = Boxes::<S>::of(node);
        // Written out: a closure would not be compiled for the CPU of the path.
        Boxes {
            center: [self.center(&from, 0), self.center(&from, 1), self.center(&from, 2)],
            half: [self.half(&from, 0), self.half(&from, 1), self.half(&from, 2)],
        }
    }

    #[inline(always)]
    fn center<S: Simd>(&self, from: &Boxes<S>, axis: usize) -> S {
        let [x, y, z] = self.rotation[axis];
        let from_z = S::splat(z).mul_add(from.center[2], S::splat(self.translation[axis]));
        S::splat(x).mul_add(from.center[0], S::splat(y).mul_add(from.center[1], from_z))
    }

    #[inline(always)]
    fn half<S: Simd>(&self, from: &Boxes<S>, axis: usize) -> S {
        let [x, y, z] = self.rotation[axis];
        let from_z = S::splat(z.abs()).mul_add(from.half[2], S::splat(self.slack));
        S::splat(x.abs()).mul_add(from.half[0], S::splat(y.abs()).mul_add(from.half[1], from_z))
    }

    /// One box of a node, likewise.
    #[inline(always)]
    pub(super) fn single(&self, node: &WideNode, lane: usize) -> Single {
        let own = Single::of(node, lane);
        let mut single = own;
        for i in 0..3 {
            let [x, y, z] = self.rotation[i];
            single.center[i] = dot(&self.rotation[i], &own.center) + self.translation[i];
            single.half[i] = dot(&[x.abs(), y.abs(), z.abs()], &own.half) + self.slack;
        }
        single
    }
}

/// Eight boxes along one frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxes<S> {
    center: [S; 3],
    half: [S; 3],
}

impl<S: Simd> Boxes<S> {
    #[inline(always)]
    pub(super) fn of(node: &WideNode) -> Self {
        Self {
            center: [S::load(&node.center[0]), S::load(&node.center[1]), S::load(&node.center[2])],
            half: [S::load(&node.half[0]), S::load(&node.half[1]), S::load(&node.half[2])],
        }
    }

    /// Written out, to take single boxes from.
    #[inline(always)]
    pub(super) fn stored(&self) -> [[Lanes; 3]; 2] {
        let ([x, y, z], [u, v, w]) = (self.center, self.half);
        [[x.store(), y.store(), z.store()], [u.store(), v.store(), w.store()]]
    }
}

/// One box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Single {
    center: [f32; 3],
    half: [f32; 3],
}

impl Single {
    #[inline(always)]
    pub(super) fn of(node: &WideNode, lane: usize) -> Self {
        Self::at(&node.center, &node.half, lane)
    }

    #[inline(always)]
    pub(super) fn stored([center, half]: &[[Lanes; 3]; 2], lane: usize) -> Self {
        Self::at(center, half, lane)
    }

    #[inline(always)]
    fn at(center: &[Lanes; 3], half: &[Lanes; 3], lane: usize) -> Self {
        Self {
            center: [center[0].0[lane], center[1].0[lane], center[2].0[lane]],
            half: [half[0].0[lane], half[1].0[lane], half[2].0[lane]],
        }
    }

    /// Gaps to eight boxes along an axis; negative where the intervals overlap.
    #[inline(always)]
    fn gap<S: Simd>(&self, boxes: &Boxes<S>, axis: usize) -> S {
        let apart = S::splat(self.center[axis]).sub(boxes.center[axis]).abs();
        apart.sub(S::splat(self.half[axis])).sub(boxes.half[axis])
    }

    /// The largest gap to each of eight boxes; negative where all intervals overlap.
    #[inline(always)]
    pub(super) fn largest_gaps<S: Simd>(&self, boxes: &Boxes<S>) -> S {
        self.gap(boxes, 0).max(self.gap(boxes, 1)).max(self.gap(boxes, 2))
    }

    /// The squared distance to each of eight boxes.
    #[inline(always)]
    pub(super) fn squared_distances<S: Simd>(&self, boxes: &Boxes<S>) -> S {
        let zero = S::splat(0.0);
        let (x, y, z) = (self.gap(boxes, 0).max(zero), self.gap(boxes, 1).max(zero), self.gap(boxes, 2).max(zero));
        x.mul_add(x, y.mul_add(y, z.mul(z)))
    }
}
