//! From one convex shape down one tree, nearest boxes first.
//!
//! The shape is represented by an oriented box around it. A node's boxes are compared with it along
//! the node's axes and along the box's own; the squared gaps along three axes at right angles add
//! up. Rounding, in half-ulps of the offset plus the reach of both: as in `point.rs`, and 5 for the
//! products of two frames' axes. [`ROUNDING`] there takes 64.

use super::Packed;
use super::boxes::Boxes;
use super::dispatch::{Kernel, dispatch};
use super::lanes::{Lanes, Simd};
use super::node::{Content, Frame, Leaf};
use super::point::{Near, Open, Part, ROUNDING, in_order, rotated, upward};
use super::relation::{certain_root, squared_limit};
use crate::traverse::{Budget, Stats};
use glam::{DMat3, DVec3};

/// An oriented box in the frame of a model: what the descent sees of a shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pub(crate) center: DVec3,
    /// Its axes, as columns, orthonormal to double precision.
    pub(crate) axes: DMat3,
    pub(crate) half: DVec3,
}

/// Shows `near` every triangle that may be closer to the block than its threshold. `slack` bounds
/// the double-precision rounding of the block and of the distances that are compared with the
/// threshold.
///
/// Also returns what everything that was not looked at is not nearer than, should the budget end
/// the search.
pub(crate) fn search<N: Near>(
    tree: &Packed,
    block: &Block,
    slack: f64,
    near: &mut N,
    open: &mut Open,
    budget: &Budget<'_>,
) -> (Stats, Option<f64>) {
    let block = Block { center: block.center - tree.center, ..*block };
    dispatch(Search { tree, block, slack: upward(slack), near, open, budget })
}

struct Search<'s, N> {
    tree: &'s Packed,
    block: Block,
    slack: f32,
    near: &'s mut N,
    open: &'s mut Open,
    budget: &'s Budget<'s>,
}

/// The block in a node's coordinates.
struct Local {
    center: [f32; 3],
    /// The block's axes, one per row, along the node's.
    axes: [[f32; 3]; 3],
    half: [f32; 3],
    /// How far the block reaches along the node's axes.
    extent: [f32; 3],
    /// For all rounding.
    grow: f32,
}

impl Local {
    #[inline(always)]
    fn new(frame: &Frame, block: &Block, slack: f32) -> Self {
        let [x, y, z] = frame.origin.map(f64::from);
        let offset = [(block.center.x - x) as f32, (block.center.y - y) as f32, (block.center.z - z) as f32];
        let half = block.half.to_array().map(|half| (half as f32).next_up());
        let single = |axis: DVec3| axis.to_array().map(|value| value as f32);
        let axes = [
            rotated(frame, &single(block.axes.x_axis)),
            rotated(frame, &single(block.axes.y_axis)),
            rotated(frame, &single(block.axes.z_axis)),
        ];
        let mut extent = [0.0; 3];
        for axis in 0..3 {
            extent[axis] =
                axes[0][axis].abs() * half[0] + axes[1][axis].abs() * half[1] + axes[2][axis].abs() * half[2];
        }
        let size = frame.reach() + offset[0].abs() + offset[1].abs() + offset[2].abs() + half[0] + half[1] + half[2];
        Self { center: rotated(frame, &offset), axes, half, extent, grow: ROUNDING * size + slack }
    }

    /// The squared distance of the block from each box.
    #[inline(always)]
    fn squared_distances<S: Simd>(&self, boxes: &Boxes<S>) -> S {
        let (zero, grow) = (S::splat(0.0), S::splat(self.grow));
        let (mut along_node, mut along_block) = (zero, zero);
        let away: [S; 3] = [
            boxes.center[0].sub(S::splat(self.center[0])),
            boxes.center[1].sub(S::splat(self.center[1])),
            boxes.center[2].sub(S::splat(self.center[2])),
        ];
        for axis in 0..3 {
            let reach = boxes.half[axis].add(S::splat(self.extent[axis])).add(grow);
            let gap = away[axis].abs().sub(reach).max(zero);
            along_node = gap.mul_add(gap, along_node);
            let [u, v, w] = self.axes[axis];
            let apart = away[0].mul(S::splat(u)).add(away[1].mul(S::splat(v))).add(away[2].mul(S::splat(w)));
            let (u, v, w) = (S::splat(u.abs()), S::splat(v.abs()), S::splat(w.abs()));
            let reach = boxes.half[0].mul(u).add(boxes.half[1].mul(v)).add(boxes.half[2].mul(w));
            let reach = reach.add(S::splat(self.half[axis])).add(grow);
            let gap = apart.abs().sub(reach).max(zero);
            along_block = gap.mul_add(gap, along_block);
        }
        along_node.max(along_block)
    }

    /// The squared distance of the block from each triangle of a leaf, along the block's axes.
    #[inline(always)]
    fn squared_triangle_distances<S: Simd>(&self, leaf: &Leaf) -> S {
        let zero = S::splat(0.0);
        let mut sum = zero;
        for axis in 0..3 {
            let (p, q, r) = (self.along::<S>(axis, &leaf.corners[0]), self.along::<S>(axis, &leaf.corners[1]), {
                self.along::<S>(axis, &leaf.corners[2])
            });
            let (low, high) = (p.min(q).min(r), p.max(q).max(r));
            let reach = S::splat(self.half[axis] + self.grow);
            let gap = low.sub(reach).max(zero.sub(high).sub(reach)).max(zero);
            sum = gap.mul_add(gap, sum);
        }
        sum
    }

    /// Corners along one of the block's axes, from its middle.
    #[inline(always)]
    fn along<S: Simd>(&self, axis: usize, [x, y, z]: &[Lanes; 3]) -> S {
        let [u, v, w] = self.axes[axis];
        let from = |lanes: &Lanes, center: f32| S::load(lanes).sub(S::splat(center));
        let (x, y, z) = (from(x, self.center[0]), from(y, self.center[1]), from(z, self.center[2]));
        x.mul(S::splat(u)).add(y.mul(S::splat(v))).add(z.mul(S::splat(w)))
    }
}

impl<N: Near> Kernel for Search<'_, N> {
    type Output = (Stats, Option<f64>);

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Output {
        let Self { tree, block, slack, near, open, budget } = self;
        let mut stats = Stats::default();
        let limit_of = |threshold: f64| if threshold < 0.0 { 0.0 } else { squared_limit(threshold) };
        let mut limit = limit_of(near.threshold());
        open.clear();
        open.push((0.0, Part::ROOT));
        while let Some((bound, part)) = open.pop() {
            if bound >= limit {
                continue;
            }
            if budget.is_spent(&stats) {
                let least = open.iter().fold(bound, |least, &(bound, _)| least.min(bound));
                return (stats, Some(certain_root(least)));
            }
            match part.content() {
                Content::Node(index) => {
                    let node = &tree.nodes[index as usize];
                    stats.volume_tests += u64::from(node.count);
                    let local = Local::new(&node.frame, &block, slack);
                    let bounds = local.squared_distances::<S>(&Boxes::of(node));
                    let mask = bounds.below(S::splat(limit)) & ((1 << node.count) - 1);
                    let bounds = bounds.store();
                    for &lane in in_order(mask, &bounds.0).iter().rev() {
                        open.push((bounds.0[usize::from(lane)], Part::new(node.content(lane.into()))));
                    }
                }
                Content::Leaf(index) => {
                    let Some(leaf) = tree.leaves.whole(index) else {
                        let ids = tree.leaves.ids(index);
                        stats.triangle_tests += ids.len() as u64;
                        ids.iter().for_each(|&triangle| near.look(triangle));
                        limit = limit_of(near.threshold());
                        continue;
                    };
                    let local = Local::new(&leaf.frame, &block, slack);
                    let bounds = local.squared_triangle_distances::<S>(leaf);
                    let mask = bounds.below(S::splat(limit)) & ((1 << leaf.count) - 1);
                    let bounds = bounds.store();
                    for &lane in &in_order(mask, &bounds.0) {
                        if bounds.0[usize::from(lane)] >= limit {
                            continue;
                        }
                        stats.triangle_tests += 1;
                        near.look(leaf.triangles[usize::from(lane)]);
                        limit = limit_of(near.threshold());
                    }
                }
            }
        }
        (stats, None)
    }
}
