//! What opening a pair of nodes or leaves gives.

use super::lanes::{Lanes, WIDTH};
use super::survivors::{Batch, Survivors};
use arrayvec::ArrayVec;

/// A pair of lanes and its bound: a gap, or a squared distance, as the question wants it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kept {
    pub(super) bound: f32,
    pub(super) lane_a: u8,
    pub(super) lane_b: u8,
}

/// The pairs of lanes that may matter.
#[derive(Debug)]
pub(super) struct KeptList(ArrayVec<Kept, { WIDTH * WIDTH }>);

impl KeptList {
    #[inline(always)]
    pub(super) fn extend(&mut self, mut mask: u32, bounds: &Lanes, batch: &Batch<'_>) {
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            self.0.push(Kept {
                bound: bounds.0[lane],
                lane_a: batch.lanes_a.0[lane] as u8,
                lane_b: batch.lanes_b.0[lane] as u8,
            });
        }
    }
}

impl std::ops::Deref for KeptList {
    type Target = [Kept];
    fn deref(&self) -> &[Kept] {
        &self.0
    }
}

/// Working memory of an opening, and its result.
#[derive(Debug)]
pub(super) struct Found {
    /// Between two stages of sifting.
    pub(super) survivors: Survivors,
    pub(super) kept: KeptList,
    /// How many pairs of lanes there were.
    pub(super) tested: u32,
}

impl Found {
    pub(super) fn new() -> Self {
        Self { survivors: Survivors::new(), kept: KeptList(ArrayVec::new()), tested: 0 }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self, tested: u32) {
        self.survivors.clear();
        self.kept.0.clear();
        self.tested = tested;
    }

    /// Was anything left out?
    #[inline(always)]
    pub(super) fn dropped(&self) -> bool {
        self.kept.len() < self.tested as usize
    }

    /// Nearest first.
    pub(super) fn sort(&mut self) {
        self.kept.0.sort_unstable_by(|p, q| p.bound.total_cmp(&q.bound));
    }
}
