//! A bucket queue, the priority queue of open pairs: those of a higher bucket come first, of these
//! the one that was put there last. Putting and taking cost next to nothing, where a heap took a
//! third of a search; the order within a bucket does not matter enough.

use crate::traverse::NodePair;
use glam::Vec4;

/// By how much closer a pair must be to be looked at before one that is a level deeper.
const A_LEVEL: f32 = 0.5;
/// Buckets for a unit of distance.
const FINENESS: f32 = 4.0;
/// Pairs farther than this from the root's level are all on the lowest bucket.
const FARTHEST: f32 = 16.0;
const BUCKETS: usize = 256;
const NONE: u32 = u32::MAX;

/// An open pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Open {
    pub(super) pair: NodePair,
    /// How far apart its pieces are for their size.
    pub(super) distance: f32,
    /// Openings above it.
    pub(super) depth: u16,
    /// Higher means sooner.
    pub(super) bucket: u8,
}

impl Open {
    /// What a search begins with.
    pub(super) const fn first(pair: NodePair) -> Self {
        Self { pair, distance: 0.0, depth: 0, bucket: u8::MAX }
    }
}

/// The buckets of four pairs so many openings down.
#[inline]
pub(super) fn buckets_of(depth: u16, distances: Vec4) -> [u8; 4] {
    /// Above this there are no fractions: the last byte of a sum with it is the whole number.
    const NO_FRACTIONS: f32 = 8_388_608.0;
    let high = (Vec4::splat(A_LEVEL * f32::from(depth) + FARTHEST) - distances) * FINENESS;
    // What is no number is 0: the second of two is taken.
    let within = high.max(Vec4::ZERO).min(Vec4::splat((BUCKETS - 1) as f32));
    (within + Vec4::splat(NO_FRACTIONS)).to_array().map(|sum| sum.to_bits() as u8)
}

/// All that is open.
#[derive(Debug)]
pub(super) struct BucketQueue {
    /// Of these the first `used` were put here since the last clearing; each with the one below it
    /// on its bucket.
    items: Vec<(Open, u32)>,
    used: u32,
    /// The last one put on each bucket.
    last: [u32; BUCKETS],
    /// A bit for each bucket that holds something.
    filled: [u64; BUCKETS / 64],
    count: u32,
}

impl Default for BucketQueue {
    fn default() -> Self {
        Self { items: Vec::new(), used: 0, last: [NONE; BUCKETS], filled: [0; BUCKETS / 64], count: 0 }
    }
}

impl BucketQueue {
    pub(super) fn clear(&mut self) {
        self.used = 0;
        self.last = [NONE; BUCKETS];
        self.filled = [0; BUCKETS / 64];
        self.count = 0;
    }

    pub(super) fn len(&self) -> u32 {
        self.count
    }

    #[inline]
    pub(super) fn put(&mut self, open: Open) {
        self.put_chosen([open; 4], 1);
    }

    /// Puts those of four whose bits are set. Without branches: which they are is anyone's guess,
    /// and a wrong one costs more than putting all.
    #[inline]
    pub(super) fn put_chosen(&mut self, four: [Open; 4], chosen: u32) {
        if self.items.len() < self.used as usize + 4 {
            self.grow();
        }
        for (lane, open) in four.into_iter().enumerate() {
            let (bucket, bit) = (usize::from(open.bucket), chosen >> lane & 1);
            let below = self.last[bucket];
            // Overwritten by the next one unless it counts.
            self.items[self.used as usize] = (open, below);
            self.last[bucket] = if bit == 1 { self.used } else { below };
            self.filled[bucket / 64] |= u64::from(bit) << (bucket % 64);
            self.used += bit;
            self.count += bit;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let empty = (Open::first(NodePair { a: 0, b: 0 }), NONE);
        self.items.resize(2 * self.items.len() + 64, empty);
    }

    /// The highest bucket that holds something.
    #[inline]
    pub(super) fn highest(&self) -> Option<u8> {
        let word = self.filled.iter().rposition(|&word| word != 0)?;
        Some((64 * word + 63) as u8 - self.filled[word].leading_zeros() as u8)
    }

    /// Takes from the highest bucket.
    #[inline]
    pub(super) fn take(&mut self) -> Option<Open> {
        let bucket = usize::from(self.highest()?);
        let (open, below) = self.items[self.last[bucket] as usize];
        self.last[bucket] = below;
        self.filled[bucket / 64] &= !(u64::from(below == NONE) << (bucket % 64));
        self.count -= 1;
        Some(open)
    }

    /// All that is left, from the highest bucket down.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Open> {
        std::iter::from_fn(|| self.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_for_their_level_come_first() {
        let mut buckets = BucketQueue::default();
        for round in 0..2 {
            buckets.clear();
            // By bucket: a level is worth half a unit of distance.
            let distances = [(0, 3.0), (1, 0.1), (4, 3.0), (9, f32::NAN), (2, 1e9), (200, 0.0), (2, 0.6), (3, 1.1)];
            let opens: Vec<Open> = distances
                .into_iter()
                .enumerate()
                .map(|(index, (depth, distance))| {
                    let bucket = buckets_of(depth, Vec4::splat(distance))[index % 4];
                    Open { pair: NodePair { a: index as u32, b: round }, depth, distance, bucket }
                })
                .collect();
            // The first alone, then four by four: some of those again that are not wanted.
            buckets.put(opens[0]);
            buckets.put_chosen([opens[0], opens[1], opens[2], opens[3]], 0b1110);
            buckets.put_chosen([opens[4], opens[5], opens[6], opens[7]], 0b1111);
            assert_eq!(buckets.len(), 8);
            let order: Vec<u32> = buckets.drain().map(|open| open.pair.a).collect();
            // Equal buckets: the last put first.
            assert_eq!(order, [5, 7, 6, 1, 2, 0, 4, 3]);
            assert_eq!((buckets.len(), buckets.highest()), (0, None));
        }
    }
}
