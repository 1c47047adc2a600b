//! One more pair of planes for each slot: across the thinnest direction of what it holds.
//!
//! A slot's box lies along the axes of its node, but a curved piece of a surface is thin along an axis of its own. That axis is known: the node or leaf in the slot has a frame and a box. So it is copied to where
//! eight slots are tested at once, and most pairs of neighbouring surfaces are told apart without opening anything.

use super::Packed;
use super::lanes::{Lanes, Simd, WIDTH};
use super::node::{Content, Frame};
use super::relation::{Boxes, Relation, absolute, along};
use super::survivors::Batch;
use glam::{DMat3, DVec3};
use rayon::prelude::*;

/// For each slot: all that it holds lies within `half` of `at` along `axis`, in the node's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub(super) struct Slabs {
    axis: [Lanes; 3],
    at: Lanes,
    half: Lanes,
}

impl Slabs {
    /// That tell nothing apart.
    pub(super) const NONE: Self =
        Self { axis: [Lanes([0.0; WIDTH]); 3], at: Lanes([0.0; WIDTH]), half: Lanes([0.0; WIDTH]) };

    fn set(&mut self, lane: usize, node: &Frame, held: &Frame) {
        let exact = |[x, y, z]: [f32; 3]| DVec3::new(x.into(), y.into(), z.into());
        let thinnest = (0..3).fold(0, |best, axis| if held.half[axis] < held.half[best] { axis } else { best });
        let (axis, offset) = (exact(held.axes[thinnest]), exact(held.origin) - exact(node.origin));
        let [x, y, z] = node.axes.map(exact);
        let turned = (DMat3::from_cols(x, y, z).transpose() * axis).as_vec3().to_array();
        for (lanes, value) in self.axis.iter_mut().zip(turned) {
            lanes.0[lane] = value;
        }
        self.at.0[lane] = axis.dot(offset) as f32;
        // The node's axes are orthonormal to 8 half-ulps, the turned axis is rounded: both times what coordinates there are.
        self.half.0[lane] = (held.half[thinnest] + 64.0 * f32::EPSILON * node.reach()).next_up();
    }
}

impl Packed {
    /// With the slabs of all slots, from the frames of what is in them; leaves are whole.
    pub(super) fn with_slabs(mut self) -> Self {
        let frames: Vec<Frame> = self.nodes.iter().map(|node| node.frame).collect();
        let leaves = &self.leaves;
        self.nodes.par_iter_mut().for_each(|node| {
            for lane in 0..node.count as usize {
                let held = match node.content(lane) {
                    Content::Node(child) => frames[child as usize],
                    Content::Leaf(leaf) => leaves.frame(leaf),
                };
                node.slabs.set(lane, &node.frame, &held);
            }
        });
        self
    }
}

/// The slots of a node, for pairs of lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slots<'n, S> {
    pub(super) own: &'n Boxes<S>,
    /// Their middles in the other frame.
    pub(super) seen: &'n [S; 3],
    pub(super) slabs: &'n Slabs,
}

/// How far the slots of a and b are apart along the slabs of either, lane by lane; negative where they are not. `relation` is a from b, `back` b from a.
#[inline(always)]
pub(super) fn gaps<S: Simd>(
    (relation, back): (&Relation, &Relation),
    a: &Slots<'_, S>,
    b: &Slots<'_, S>,
    batch: &Batch<'_>,
) -> S {
    let own = Gap { slabs: a.slabs, places: batch.lanes_a, others: b, other_places: batch.lanes_b };
    let others = Gap { slabs: b.slabs, places: batch.lanes_b, others: a, other_places: batch.lanes_a };
    own.measured(back, relation.slack).max(others.measured(relation, relation.slack))
}

/// The slabs of one side against the boxes of the other.
struct Gap<'n, S> {
    slabs: &'n Slabs,
    places: &'n super::lanes::Places,
    others: &'n Slots<'n, S>,
    other_places: &'n super::lanes::Places,
}

impl<S: Simd> Gap<'_, S> {
    /// `turn` takes directions of the slabs' frame into the boxes'.
    #[inline(always)]
    fn measured(&self, turn: &Relation, slack: f32) -> S {
        let ([x, y, z], at, half) = (&self.slabs.axis, &self.slabs.at, &self.slabs.half);
        let lanes = self.places;
        let axis = [S::load(x).permute(lanes), S::load(y).permute(lanes), S::load(z).permute(lanes)];
        let turned = [turn.turned(&axis, 0), turn.turned(&axis, 1), turn.turned(&axis, 2)];
        let ([u, v, w], [p, q, r], lanes) = (self.others.seen, &self.others.own.half, self.other_places);
        let middle = [u.permute(lanes), v.permute(lanes), w.permute(lanes)];
        let extent = [p.permute(lanes), q.permute(lanes), r.permute(lanes)];
        let apart = along(&axis, &middle).sub(S::load(at).permute(self.places)).abs();
        let reach = along(&absolute(&turned), &extent).add(S::load(half).permute(self.places));
        apart.sub(reach).sub(S::splat(slack))
    }
}
