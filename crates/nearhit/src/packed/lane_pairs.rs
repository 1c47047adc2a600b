//! What opening a pair of nodes or leaves gives.

use super::compaction::{Batch, Compaction};
use super::lanes::{Lanes, WIDTH};

/// A pair of lanes and its bound: a gap, or a squared distance, as the question wants it.
///
/// One number: the bound's bits, then the lanes. Bounds that are not negative are in the order of
/// their bits, so that pairs with squared distances are sorted as numbers, ties by lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kept(u64);

impl Kept {
    #[inline(always)]
    fn new(bound: f32, lane_a: u32, lane_b: u32) -> Self {
        Self(u64::from(bound.to_bits()) << 32 | u64::from(lane_a << 8 | lane_b))
    }

    #[inline(always)]
    pub(super) fn bound(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[inline(always)]
    pub(super) fn lane_a(self) -> usize {
        (self.0 >> 8) as usize % WIDTH
    }

    #[inline(always)]
    pub(super) fn lane_b(self) -> usize {
        self.0 as usize % WIDTH
    }
}

const MOST: usize = WIDTH * WIDTH;

/// The pairs of lanes that may matter.
#[derive(Debug)]
pub(super) struct KeptList {
    list: [Kept; MOST],
    count: usize,
}

impl KeptList {
    #[inline(always)]
    pub(super) fn extend(&mut self, mut mask: u32, bounds: &Lanes, batch: &Batch<'_>) {
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            self.push(bounds.0[lane % WIDTH], batch.lanes_a.0[lane % WIDTH], batch.lanes_b.0[lane % WIDTH]);
        }
    }

    /// Lane `lane_a` with each lane of b in the mask.
    #[inline(always)]
    pub(super) fn extend_row(&mut self, lane_a: usize, mut mask: u32, bounds: &Lanes) {
        while mask != 0 {
            let lane_b = mask.trailing_zeros();
            mask &= mask - 1;
            self.push(bounds.0[lane_b as usize % WIDTH], lane_a as u32, lane_b);
        }
    }

    /// Lane `lane_b` with each lane of a in the mask.
    #[inline(always)]
    pub(super) fn extend_column(&mut self, lane_b: usize, mut mask: u32, bounds: &Lanes) {
        while mask != 0 {
            let lane_a = mask.trailing_zeros();
            mask &= mask - 1;
            self.push(bounds.0[lane_a as usize % WIDTH], lane_a, lane_b as u32);
        }
    }

    /// There are never more than fit: the remainder only spares a check.
    #[inline(always)]
    fn push(&mut self, bound: f32, lane_a: u32, lane_b: u32) {
        self.list[self.count % MOST] = Kept::new(bound, lane_a, lane_b);
        self.count += 1;
    }
}

impl std::ops::Deref for KeptList {
    type Target = [Kept];
    #[inline(always)]
    fn deref(&self) -> &[Kept] {
        &self.list[..self.count.min(MOST)]
    }
}

/// Working memory of an opening, and its result.
#[derive(Debug)]
pub(super) struct LanePairs {
    /// Between two stages of sifting.
    pub(super) survivors: Compaction,
    pub(super) kept: KeptList,
    /// How many pairs of lanes there were; none if the wholes are apart already.
    pub(super) lanes: u32,
    /// How many pairs of triangles the boxes left.
    pub(super) triangles: u32,
}

impl Default for LanePairs {
    fn default() -> Self {
        let kept = KeptList { list: [Kept(0); MOST], count: 0 };
        Self { survivors: Compaction::new(), kept, lanes: 0, triangles: 0 }
    }
}

impl LanePairs {
    #[inline(always)]
    pub(super) fn clear(&mut self, lanes: u32) {
        self.survivors.clear();
        self.kept.count = 0;
        self.lanes = lanes;
        self.triangles = 0;
    }

    /// Was anything left out?
    #[inline(always)]
    pub(super) fn dropped(&self) -> bool {
        self.lanes == 0 || self.kept.len() < self.lanes as usize
    }

    /// How many tests that were: the wholes, then the lanes.
    #[inline(always)]
    pub(super) fn tests(&self) -> u64 {
        1 + u64::from(self.lanes)
    }

    /// The pair that overlaps most goes to the end, where a stack takes it first: contact is most
    /// likely there.
    #[inline(always)]
    pub(super) fn deepest_last(&mut self) {
        let kept = &mut self.kept.list[..self.kept.count.min(MOST)];
        if kept.len() < 2 {
            return;
        }
        let mut deepest = 0;
        for (at, pair) in kept.iter().enumerate() {
            if pair.bound() < kept[deepest].bound() {
                deepest = at;
            }
        }
        kept.swap(deepest, kept.len() - 1);
    }

    /// Nearest first, of squared distances.
    #[inline]
    pub(super) fn sort(&mut self) {
        let count = self.kept.count.min(MOST);
        if count > 1 {
            self.kept.list[..count].sort_unstable();
        }
    }
}
