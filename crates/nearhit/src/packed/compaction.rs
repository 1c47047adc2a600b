//! Pairs of lanes that a first test left, packed densely for a second one.

use super::lanes::{Lanes, Places, WIDTH};

/// Up to 64 pairs of lanes, each with the bound known so far.
#[derive(Debug)]
pub(super) struct Compaction {
    lanes_a: [Places; WIDTH],
    lanes_b: [Places; WIDTH],
    bounds: [Lanes; WIDTH],
    count: usize,
}

impl Compaction {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let nothing = [Places([0; WIDTH]); WIDTH];
        Self { lanes_a: nothing, lanes_b: nothing, bounds: [Lanes([0.0; WIDTH]); WIDTH], count: 0 }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Lane `lane_a` with each lane of b in the mask.
    #[inline(always)]
    pub(super) fn extend(&mut self, lane_a: usize, mut mask: u32, bounds: &Lanes) {
        while mask != 0 {
            let lane_b = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            self.push(lane_a, lane_b, bounds.0[lane_b]);
        }
    }

    /// Lane `lane_b` with each lane of a in the mask.
    #[inline(always)]
    pub(super) fn extend_swapped(&mut self, lane_b: usize, mut mask: u32, bounds: &Lanes) {
        while mask != 0 {
            let lane_a = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            self.push(lane_a, lane_b, bounds.0[lane_a]);
        }
    }

    #[inline(always)]
    fn push(&mut self, lane_a: usize, lane_b: usize, bound: f32) {
        let (batch, place) = (self.count / WIDTH, self.count % WIDTH);
        self.lanes_a[batch].0[place] = lane_a as u32;
        self.lanes_b[batch].0[place] = lane_b as u32;
        self.bounds[batch].0[place] = bound;
        self.count += 1;
    }

    /// The pairs, eight at a time.
    #[inline(always)]
    pub(super) fn batch(&self, first: usize) -> Option<Batch<'_>> {
        if first >= self.count {
            return None;
        }
        let batch = first / WIDTH;
        let used = (self.count - first).min(WIDTH);
        Some(Batch {
            lanes_a: &self.lanes_a[batch],
            lanes_b: &self.lanes_b[batch],
            bounds: &self.bounds[batch],
            used: (1 << used) - 1,
        })
    }
}

/// Up to eight pairs of lanes; the others are any lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Batch<'s> {
    pub(super) lanes_a: &'s Places,
    pub(super) lanes_b: &'s Places,
    pub(super) bounds: &'s Lanes,
    /// One bit for each pair.
    pub(super) used: u32,
}
