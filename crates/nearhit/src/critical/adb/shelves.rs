//! Open pairs on shelves: those on a higher shelf come first, of these the one that was put there last. Putting and taking cost next to nothing, where a heap took a third of a search; the order within a shelf does not matter
//! enough.

use crate::traverse::NodePair;

/// By how much closer a pair must be to be looked at before one that is a level deeper.
const A_LEVEL: f32 = 0.5;
/// Shelves for a unit of distance.
const FINENESS: f32 = 4.0;
/// Pairs farther than this from the root's level are all on the lowest shelf.
const FARTHEST: f32 = 16.0;
const SHELVES: usize = 256;
const NONE: u32 = u32::MAX;

/// An open pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Open {
    pub(super) pair: NodePair,
    /// Openings above it.
    pub(super) depth: u32,
    /// How far apart its pieces are for their size.
    pub(super) distance: f32,
}

impl Open {
    /// Higher means sooner.
    #[inline]
    pub(super) fn shelf(&self) -> u8 {
        // A cast of no number is 0, and one of too much the most.
        ((A_LEVEL * self.depth as f32 - self.distance + FARTHEST) * FINENESS) as u8
    }
}

/// All that is open.
#[derive(Debug)]
pub(super) struct Shelves {
    items: Vec<(Open, u32)>,
    /// The last one put on each shelf.
    last: [u32; SHELVES],
    /// A bit for each shelf that holds something.
    filled: [u64; SHELVES / 64],
    count: u32,
}

impl Default for Shelves {
    fn default() -> Self {
        Self { items: Vec::new(), last: [NONE; SHELVES], filled: [0; SHELVES / 64], count: 0 }
    }
}

impl Shelves {
    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.last = [NONE; SHELVES];
        self.filled = [0; SHELVES / 64];
        self.count = 0;
    }

    pub(super) fn len(&self) -> u32 {
        self.count
    }

    #[inline]
    pub(super) fn put(&mut self, open: Open) {
        let shelf = usize::from(open.shelf());
        let index = self.items.len() as u32;
        self.items.push((open, self.last[shelf]));
        self.last[shelf] = index;
        self.filled[shelf / 64] |= 1 << (shelf % 64);
        self.count += 1;
    }

    /// The highest shelf that holds something.
    #[inline]
    pub(super) fn highest(&self) -> Option<u8> {
        let word = self.filled.iter().rposition(|&word| word != 0)?;
        Some((64 * word + 63) as u8 - self.filled[word].leading_zeros() as u8)
    }

    /// Takes from the highest shelf.
    #[inline]
    pub(super) fn take(&mut self) -> Option<Open> {
        let shelf = usize::from(self.highest()?);
        let (open, before) = self.items[self.last[shelf] as usize];
        self.last[shelf] = before;
        if before == NONE {
            self.filled[shelf / 64] &= !(1 << (shelf % 64));
        }
        self.count -= 1;
        Some(open)
    }

    /// All that is left, from the highest shelf down.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Open> {
        std::iter::from_fn(|| self.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_for_their_level_come_first() {
        let mut shelves = Shelves::default();
        for round in 0..2 {
            shelves.clear();
            // By shelf: a level is worth half a unit of distance.
            let distances = [(0, 3.0), (1, 0.1), (4, 3.0), (9, f32::NAN), (2, 1e9), (200, 0.0), (2, 0.6), (3, 1.1)];
            for (index, (depth, distance)) in distances.into_iter().enumerate() {
                shelves.put(Open { pair: NodePair { a: index as u32, b: round }, depth, distance });
            }
            assert_eq!(shelves.len(), 8);
            let order: Vec<u32> = shelves.drain().map(|open| open.pair.a).collect();
            // Equal shelves: the last put first.
            assert_eq!(order, [5, 7, 6, 1, 2, 0, 4, 3]);
            assert_eq!((shelves.len(), shelves.highest()), (0, None));
        }
    }
}
