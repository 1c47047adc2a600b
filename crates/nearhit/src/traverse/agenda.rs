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
    /// Newest first, nearer sibling before farther. The default engine takes several of the newest
    /// at a time where only contact matters.
    Depth,
    /// Smallest key first, in a queue of at most this many pairs: when it is full, what finds no
    /// room is finished depth-first before the queue goes on.
    Best {
        /// How many pairs the queue holds.
        queue: usize,
    },
    /// Smallest key first, in a queue of at most this many pairs: when it is full, its closest pair
    /// is searched to the end with a queue of its own, which may fill up in turn (swept-sphere
    /// paper, §6.1, to the letter).
    BestNested {
        /// How many pairs each queue holds.
        queue: usize,
    },
    /// Oldest first: level by level.
    Breadth,
    /// Newest first, the first child before the others whatever the keys: the papers' plain
    /// depth-first search. An instrument.
    Plain,
}

impl AgendaKind {
    /// Best first with a queue of 200.
    pub const BEST: Self = Self::Best { queue: 200 };
    /// As the swept-sphere paper has it: nested queues of 200.
    pub const PAPER: Self = Self::BestNested { queue: 200 };
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

/// Heaps within heaps. A full one hands its closest pair to a new one, which is emptied before the
/// full one goes on; so there are never more of them than pairs on a path down both trees, and each
/// holds at most its capacity and the children of one pair.
#[derive(Debug, Clone, Default)]
pub(crate) struct NestedBestFirst {
    /// Those beyond `depth` are empty: kept for their memory.
    heaps: Vec<BinaryHeap<Ranked>>,
    /// How many are in use but the first.
    depth: usize,
    capacity: usize,
    pushed: u64,
}

impl NestedBestFirst {
    /// Sets how many pairs a queue may hold.
    pub(crate) fn set_capacity(&mut self, capacity: usize) -> &mut Self {
        self.capacity = capacity;
        self
    }

    fn top(&mut self) -> &mut BinaryHeap<Ranked> {
        if self.heaps.len() <= self.depth {
            self.heaps.resize_with(self.depth + 1, BinaryHeap::new);
        }
        &mut self.heaps[self.depth]
    }
}

impl Agenda for NestedBestFirst {
    fn clear(&mut self) {
        self.heaps.iter_mut().for_each(BinaryHeap::clear);
        self.depth = 0;
        self.pushed = 0;
    }

    fn push(&mut self, key: f64, pair: NodePair) {
        let serial = self.pushed;
        self.top().push(Ranked { key, serial, pair });
        self.pushed += 1;
    }

    fn pop(&mut self) -> Option<(f64, NodePair)> {
        while self.depth > 0 && self.top().is_empty() {
            self.depth -= 1;
        }
        let is_full = self.top().len() >= self.capacity.max(1);
        let closest = self.top().pop().map(|ranked| (ranked.key, ranked.pair));
        self.depth += usize::from(is_full);
        closest
    }

    fn min_key(&self) -> Option<f64> {
        self.heaps.iter().filter_map(|heap| heap.peek()).map(|ranked| ranked.key).min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the paper's words as a recursive function over a made-up tree of pairs.
    #[test]
    fn nested_queues_search_as_the_recursion_does() {
        /// Pairs are numbers: 2i + 1 and 2i + 2 are below i; keys never fall on the way down.
        fn key(pair: u32) -> f64 {
            let own = f64::from(pair.wrapping_mul(2_654_435_761) >> 24);
            if pair == 0 { own } else { key((pair - 1) / 2) + own }
        }
        fn children(pair: u32) -> impl Iterator<Item = u32> {
            (2 * pair + 1..2 * pair + 3).filter(|&child| child < 2000)
        }
        fn search(start: u32, capacity: usize, visited: &mut Vec<u32>) {
            let mut queue: Vec<u32> = children(start).collect();
            visited.push(start);
            while !queue.is_empty() {
                let full = queue.len() >= capacity;
                let least = |&i: &usize, &j: &usize| key(queue[i]).total_cmp(&key(queue[j])).then(j.cmp(&i));
                let closest = (0..queue.len()).min_by(least).expect("not empty");
                let pair = queue.remove(closest);
                if full {
                    search(pair, capacity, visited);
                } else {
                    visited.push(pair);
                    queue.extend(children(pair));
                }
            }
        }
        let mut orders = Vec::new();
        for capacity in [1, 2, 3, 7, 40, 5000] {
            let mut expected = Vec::new();
            search(0, capacity, &mut expected);
            let mut agenda = NestedBestFirst::default();
            agenda.set_capacity(capacity);
            let mut visited = vec![0];
            children(0).for_each(|child| agenda.push(key(child), NodePair { a: child, b: 0 }));
            while let Some((_, pair)) = agenda.pop() {
                visited.push(pair.a);
                children(pair.a).for_each(|child| agenda.push(key(child), NodePair { a: child, b: 0 }));
            }
            assert_eq!(visited, expected, "capacity {capacity}");
            orders.push(visited);
        }
        orders.dedup();
        assert!(orders.len() >= 5, "nearly every capacity has an order of its own");
    }

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
