//! Which open pair next?

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

/// A node of a and a node of b, by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodePair {
    /// In a's tree.
    pub a: u32,
    /// In b's tree.
    pub b: u32,
}

/// Open pairs, with keys: smaller is more urgent.
pub trait Agenda {
    /// Forgets all pairs, keeps the memory.
    fn clear(&mut self);
    /// Adds a pair.
    fn push(&mut self, key: f64, pair: NodePair);
    /// Takes the next pair.
    fn pop(&mut self) -> Option<(f64, NodePair)>;
    /// The smallest key of all open pairs.
    fn min_key(&self) -> Option<f64>;
    /// All children of one opened pair have been pushed.
    fn end_group(&mut self) {}
}

/// The agendas, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AgendaKind {
    /// Newest first, nearer sibling before farther.
    #[default]
    Depth,
    /// Smallest key first.
    Best,
    /// Oldest first: level by level.
    Breadth,
}

/// A stack. Of the children of one pair the one with the smallest key comes first.
#[derive(Debug, Clone, Default)]
pub struct DepthFirst {
    stack: Vec<(f64, NodePair)>,
    group: usize,
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
    fn end_group(&mut self) {
        // Insertion sort, largest key deepest; a group is a handful, and equal keys end up first pushed, first popped.
        let group = &mut self.stack[self.group..];
        for i in 1..group.len() {
            let mut j = i;
            while j > 0 && group[j - 1].0 <= group[j].0 {
                group.swap(j - 1, j);
                j -= 1;
            }
        }
    }
}

/// A queue.
#[derive(Debug, Clone, Default)]
pub struct BreadthFirst {
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

/// A heap. Among equal keys the newest comes first, which keeps it small where keys say nothing.
#[derive(Debug, Clone, Default)]
pub struct BestFirst {
    heap: BinaryHeap<Ranked>,
    pushed: u64,
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
        self.pushed = 0;
    }

    fn push(&mut self, key: f64, pair: NodePair) {
        self.heap.push(Ranked { key, serial: self.pushed, pair });
        self.pushed += 1;
    }

    fn pop(&mut self) -> Option<(f64, NodePair)> {
        self.heap.pop().map(|ranked| (ranked.key, ranked.pair))
    }

    fn min_key(&self) -> Option<f64> {
        self.heap.peek().map(|ranked| ranked.key)
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
        assert_eq!(order(&mut BestFirst::default()), [2, 1, 0, 3]);
        assert_eq!(order(&mut BreadthFirst::default()), [0, 1, 2, 3]);
    }
}
