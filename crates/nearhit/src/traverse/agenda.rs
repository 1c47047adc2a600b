//! Traversal orders (depth first, breadth first, priority queue): which open pair next?

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

/// A node of a and a node of b, by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodePair {
    /// In a's tree.
    pub a: u32,
    /// In b's tree.
    pub b: u32,
}

/// Open pairs, with keys: smaller is more urgent.
pub(crate) trait Agenda {
    /// Forgets all pairs, keeps the memory.
    fn clear(&mut self);
    /// Adds a pair.
    fn push(&mut self, key: f64, pair: NodePair);
    /// Adds a pair, with a guess at what will be found in it: no less than the key.
    fn suggest(&mut self, key: f64, _estimate: f64, pair: NodePair) {
        self.push(key, pair);
    }
    /// Takes the next pair.
    fn pop(&mut self) -> Option<(f64, NodePair)>;
    /// The same, told what is worth finding.
    fn pop_below(&mut self, _threshold: f64) -> Option<(f64, NodePair)> {
        self.pop()
    }
    /// The smallest key of all open pairs.
    fn min_key(&self) -> Option<f64>;
    /// Does it want the children of one opened pair sorted, the smallest key last? Then they need
    /// no [`Agenda::end_group`].
    fn takes_sorted(&self) -> bool {
        false
    }
    /// All children of one opened pair have been pushed.
    fn end_group(&mut self) {}
}

/// Traversal order.
#[doc(alias = "priority queue")]
#[doc(alias = "best-first search")]
#[doc(alias = "traversal order")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum AgendaKind {
    /// What suits the engine and the question: depth first, on the default engine after a start
    /// that goes for a good first answer.
    #[default]
    Auto,
    /// Newest first, nearer sibling before farther.
    Depth,
    /// Smallest key first, in a queue of at most this many pairs: when it is full, the pair at hand
    /// is finished depth-first before the queue goes on (swept-sphere paper, §6.1).
    Best {
        /// How many pairs the queue holds.
        queue: usize,
    },
    /// Oldest first: level by level.
    Breadth,
    /// Newest first, the first child before the others whatever the keys: the papers' plain
    /// depth-first search. An instrument.
    Plain,
}

impl AgendaKind {
    /// Best first with the paper's queue of 200.
    pub const BEST: Self = Self::Best { queue: 200 };
}

/// A stack. Of the children of one pair the one with the smallest key comes first.
#[derive(Debug, Clone, Default)]
pub(crate) struct DepthFirst {
    stack: Vec<(f64, NodePair)>,
    group: usize,
}

impl DepthFirst {
    /// What is pushed from now on belongs together.
    pub(super) fn begin_group(&mut self) {
        self.group = self.stack.len();
    }
}

impl Agenda for DepthFirst {
    fn clear(&mut self) {
        self.stack.clear();
        self.group = 0;
    }

    #[inline]
    fn push(&mut self, key: f64, pair: NodePair) {
        self.stack.push((key, pair));
    }

    #[inline]
    fn pop(&mut self) -> Option<(f64, NodePair)> {
        let top = self.stack.pop();
        self.group = self.stack.len();
        top
    }

    fn min_key(&self) -> Option<f64> {
        self.stack.iter().map(|&(key, _)| key).min_by(f64::total_cmp)
    }

    #[inline]
    fn takes_sorted(&self) -> bool {
        true
    }

    #[inline]
    fn end_group(&mut self) {
        // Largest key deepest; equal keys by id, so that the order is always the same.
        let group = &mut self.stack[self.group..];
        if group.len() > 1 {
            group.sort_unstable_by(|(key, pair), (other, rival)| {
                other.total_cmp(key).then_with(|| (rival.a, rival.b).cmp(&(pair.a, pair.b)))
            });
        }
    }
}

/// A stack that pays no heed to keys: the first child of a pair comes first.
#[derive(Debug, Clone, Default)]
pub(crate) struct PlainDepthFirst {
    stack: Vec<(f64, NodePair)>,
    group: usize,
}

impl Agenda for PlainDepthFirst {
    fn clear(&mut self) {
        self.stack.clear();
        self.group = 0;
    }

    fn push(&mut self, key: f64, pair: NodePair) {
        self.stack.push((key, pair));
    }

    fn pop(&mut self) -> Option<(f64, NodePair)> {
        let top = self.stack.pop();
        self.group = self.stack.len();
        top
    }

    fn min_key(&self) -> Option<f64> {
        self.stack.iter().map(|&(key, _)| key).min_by(f64::total_cmp)
    }

    fn end_group(&mut self) {
        self.stack[self.group..].reverse();
    }
}

/// A queue.
#[derive(Debug, Clone, Default)]
pub(crate) struct BreadthFirst {
    queue: VecDeque<(f64, NodePair)>,
}

impl Agenda for BreadthFirst {
    fn clear(&mut self) {
        self.queue.clear();
    }

    fn push(&mut self, key: f64, pair: NodePair) {
        self.queue.push_back((key, pair));
    }

    fn pop(&mut self) -> Option<(f64, NodePair)> {
        self.queue.pop_front()
    }

    fn min_key(&self) -> Option<f64> {
        self.queue.iter().map(|&(key, _)| key).min_by(f64::total_cmp)
    }
}

/// A heap of bounded size, with a stack for what finds no room. Among equal keys the newest comes
/// first, which keeps the heap small where keys say nothing.
///
/// Memory: the queue's capacity, and for the overflow what a depth-first descent needs: (children
/// per node - 1) × (heights of both trees).
#[derive(Debug, Clone, Default)]
pub(crate) struct BestFirst {
    heap: BinaryHeap<Ranked>,
    capacity: usize,
    pushed: u64,
    overflow: DepthFirst,
}

impl BestFirst {
    /// Sets how many pairs the queue may hold.
    pub(crate) fn set_capacity(&mut self, capacity: usize) -> &mut Self {
        self.capacity = capacity;
        self
    }
}

#[derive(Debug, Clone, Copy)]
struct Ranked {
    key: f64,
    serial: u64,
    pair: NodePair,
}

impl Ord for Ranked {
    /// The greatest is the next: the smallest key, then the newest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.total_cmp(&self.key).then(self.serial.cmp(&other.serial))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl Agenda for BestFirst {
    fn clear(&mut self) {
        self.heap.clear();
        self.overflow.clear();
        self.pushed = 0;
    }

    fn push(&mut self, key: f64, pair: NodePair) {
        // The overflow is emptied before the heap is touched again, so all that descends from an
        // overflowed pair overflows too.
        if self.heap.len() >= self.capacity {
            self.overflow.push(key, pair);
        } else {
            self.heap.push(Ranked { key, serial: self.pushed, pair });
            self.pushed += 1;
        }
    }

    fn pop(&mut self) -> Option<(f64, NodePair)> {
        self.overflow.pop().or_else(|| self.heap.pop().map(|ranked| (ranked.key, ranked.pair)))
    }

    fn min_key(&self) -> Option<f64> {
        let queued = self.heap.peek().map(|ranked| ranked.key);
        [queued, self.overflow.min_key()].into_iter().flatten().min_by(f64::total_cmp)
    }

    fn end_group(&mut self) {
        self.overflow.end_group();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(agenda: &mut impl Agenda) -> Vec<u32> {
        for (id, key) in [(0, 2.0), (1, 1.0), (2, 1.0), (3, 3.0)] {
            agenda.push(key, NodePair { a: id, b: id });
        }
        agenda.end_group();
        assert_eq!(agenda.min_key(), Some(1.0));
        std::iter::from_fn(|| agenda.pop()).map(|(_, pair)| pair.a).collect()
    }

    #[test]
    fn each_has_its_order() {
        assert_eq!(order(&mut DepthFirst::default()), [1, 2, 0, 3]);
        assert_eq!(order(BestFirst::default().set_capacity(9)), [2, 1, 0, 3]);
        assert_eq!(order(BestFirst::default().set_capacity(2)), [2, 3, 1, 0], "the last two overflow");
        assert_eq!(order(BestFirst::default().set_capacity(0)), [1, 2, 0, 3], "depth first");
        assert_eq!(order(&mut BreadthFirst::default()), [0, 1, 2, 3]);
        assert_eq!(order(&mut PlainDepthFirst::default()), [0, 1, 2, 3]);
    }

    #[test]
    fn plain_depth_first_is_depth_first() {
        let mut agenda = PlainDepthFirst::default();
        let pair = |id| NodePair { a: id, b: 0 };
        for id in [1, 2] {
            agenda.push(9.0 - f64::from(id), pair(id));
        }
        agenda.end_group();
        assert_eq!(agenda.pop(), Some((8.0, pair(1))));
        for id in [3, 4] {
            agenda.push(0.0, pair(id));
        }
        agenda.end_group();
        let rest: Vec<u32> = std::iter::from_fn(|| agenda.pop()).map(|(_, pair)| pair.a).collect();
        assert_eq!(rest, [3, 4, 2]);
    }
}
