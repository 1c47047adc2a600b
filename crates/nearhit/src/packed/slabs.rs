//! One more pair of planes for each slot: across the thinnest direction of what it holds.
//!
//! A slot's box lies along the axes of its node, but a curved piece of a surface is thin along an
//! axis of its own. That axis is known: the node or leaf in the slot has a frame and a box. So it
//! is copied to where eight slots are tested at once, and most pairs of neighbouring surfaces are
//! told apart without opening anything.

use super::Packed;
use super::build::{SHARE, Threads};
use super::lanes::{Lanes, Places, Simd, WIDTH};
use super::node::{Content, Frame, WideNode};
use super::relation::{Relate, absolute, along, permuted, splat};
use crate::parallel::*;
use glam::{DMat3, DVec3};

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

    #[inline(always)]
    pub(super) fn axis_of(&self, lane: usize) -> [f32; 3] {
        [self.axis[0].0[lane], self.axis[1].0[lane], self.axis[2].0[lane]]
    }

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
        // The node's axes are orthonormal to 8 half-ulps, the turned axis is rounded: both times
        // what coordinates there are.
        self.half.0[lane] = (held.half[thinnest] + 64.0 * f32::EPSILON * node.reach()).next_up();
    }
}

impl Packed {
    /// With the slabs of all slots, from the frames of what is in them; leaves are whole.
    pub(super) fn with_slabs(mut self, threads: Threads) -> Self {
        let frames: Vec<Frame> = self.nodes.iter().map(|node| node.frame).collect();
        let leaves = &self.leaves;
        let fill = |node: &mut WideNode| {
            for lane in 0..node.count as usize {
                let held = match node.content(lane) {
                    Content::Node(child) => frames[child as usize],
                    Content::Leaf(leaf) => leaves.frame(leaf),
                };
                node.slabs.set(lane, &node.frame, &held);
            }
        };
        if threads == Threads::One || self.nodes.len() < 2 * SHARE {
            self.nodes.iter_mut().for_each(fill);
        } else {
            self.nodes.par_iter_mut().with_min_len(SHARE).for_each(fill);
        }
        self
    }
}

/// Eight slabs in their node's frame, ready to be held against boxes of another frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slab<S> {
    axis: [S; 3],
    /// In the other frame, without signs.
    turned: [S; 3],
    at: S,
    half: S,
}

impl<S: Simd> Slab<S> {
    /// Of all slots; `turn` takes directions into the other frame.
    #[inline(always)]
    pub(super) fn of(node: &WideNode, turn: &impl Relate<S>) -> Self {
        let Slabs { axis: [x, y, z], at, half } = &node.slabs;
        let axis = [S::load(x), S::load(y), S::load(z)];
        let turned = [turn.turned(&axis, 0), turn.turned(&axis, 1), turn.turned(&axis, 2)];
        Self { axis, turned: absolute(&turned), at: S::load(at), half: S::load(half) }
    }

    /// Of one slot, in every lane.
    #[inline(always)]
    pub(super) fn single(node: &WideNode, lane: usize, turned: &[f32; 3]) -> Self {
        let slabs = &node.slabs;
        Self {
            axis: splat(&slabs.axis_of(lane)),
            turned: splat(turned),
            at: S::splat(slabs.at.0[lane]),
            half: S::splat(slabs.half.0[lane]),
        }
    }

    /// The axes in the other frame, without signs.
    #[inline(always)]
    pub(super) fn turned(&self) -> [Lanes; 3] {
        let [x, y, z] = self.turned;
        [x.store(), y.store(), z.store()]
    }

    /// Those of the lanes given.
    #[inline(always)]
    pub(super) fn permuted(&self, lanes: &Places) -> Self {
        Self {
            axis: permuted(&self.axis, lanes),
            turned: permuted(&self.turned, lanes),
            at: self.at.permute(lanes),
            half: self.half.permute(lanes),
        }
    }

    /// How far boxes are from the slabs, lane by lane, before rounding: negative where they meet.
    /// The middles are in the slabs' frame, the half extents along the boxes' own axes.
    #[inline(always)]
    pub(super) fn gaps(&self, middle: &[S; 3], half: &[S; 3]) -> S {
        along(&self.axis, middle).sub(self.at).abs().sub(along(&self.turned, half)).sub(self.half)
    }
}
