//! First where the answer probably is, then the rest.

use super::agenda::{Agenda, DepthFirst, NodePair};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Depth first, after a start that goes for a good answer: pairs are taken by *estimate*, not by
/// bound, until no estimate is below the answer at hand. A search that prunes by its best answer
/// then does the rest with a threshold that is nearly the final one.
///
/// Nothing is opened twice: what the start leaves open goes to the stack. Memory: at most
/// [`Guided::MOST`] pairs in the heap, and the stack's.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guided {
    heap: BinaryHeap<Estimated>,
    rest: DepthFirst,
    /// The start is over.
    settled: bool,
}

impl Guided {
    /// A start that long leads nowhere.
    const MOST: usize = 1024;

    /// The start is over: what is left goes to the stack, largest bound deepest.
    #[cold]
    fn settle(&mut self) {
        self.settled = true;
        self.rest.begin_group();
        for open in self.heap.drain() {
            self.rest.push(open.key, open.pair);
        }
        self.rest.end_group();
    }
}

impl Agenda for Guided {
    fn clear(&mut self) {
        self.heap.clear();
        self.rest.clear();
        self.settled = false;
    }

    fn push(&mut self, key: f64, pair: NodePair) {
        self.suggest(key, key, pair);
    }

    fn suggest(&mut self, key: f64, estimate: f64, pair: NodePair) {
        if self.settled || self.heap.len() >= Self::MOST {
            self.rest.push(key, pair);
        } else {
            self.heap.push(Estimated { estimate, key, pair });
        }
    }

    fn pop(&mut self) -> Option<(f64, NodePair)> {
        self.pop_below(f64::INFINITY)
    }

    fn pop_below(&mut self, threshold: f64) -> Option<(f64, NodePair)> {
        if !self.settled {
            match self.heap.peek() {
                Some(next) if next.estimate < threshold && self.heap.len() < Self::MOST => {
                    return self.heap.pop().map(|open| (open.key, open.pair));
                }
                _ => self.settle(),
            }
        }
        self.rest.pop()
    }

    fn min_key(&self) -> Option<f64> {
        let keys = self.heap.iter().map(|open| open.key).chain(self.rest.min_key());
        keys.min_by(f64::total_cmp)
    }

    #[inline]
    fn takes_sorted(&self) -> bool {
        self.settled
    }

    fn end_group(&mut self) {
        if self.settled {
            self.rest.end_group();
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Estimated {
    estimate: f64,
    key: f64,
    pair: NodePair,
}

impl Ord for Estimated {
    /// The greatest is the next: the smallest estimate, then the smallest ids, so that the order is
    /// always the same.
    fn cmp(&self, other: &Self) -> Ordering {
        let ids = |open: &Self| (open.pair.a, open.pair.b);
        other.estimate.total_cmp(&self.estimate).then_with(|| ids(other).cmp(&ids(self)))
    }
}

impl PartialOrd for Estimated {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Estimated {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Estimated {}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(id: u32) -> NodePair {
        NodePair { a: id, b: id }
    }

    #[test]
    fn estimates_come_first_and_the_rest_by_bound() {
        let mut agenda = Guided::default();
        for (id, key, estimate) in [(0, 2.0, 2.1), (1, 1.0, 9.0), (2, 0.5, 8.0), (3, 3.0, 3.1)] {
            agenda.suggest(key, estimate, pair(id));
        }
        assert_eq!(agenda.min_key(), Some(0.5));
        assert_eq!(agenda.pop_below(5.0), Some((2.0, pair(0))));
        assert_eq!(agenda.pop_below(5.0), Some((3.0, pair(3))));
        assert_eq!(agenda.pop_below(5.0), Some((0.5, pair(2))), "no estimate is below the threshold: by bound");
        agenda.suggest(0.7, 0.8, pair(4));
        assert_eq!(agenda.pop_below(5.0), Some((0.7, pair(4))), "depth first from now on");
        assert_eq!(agenda.min_key(), Some(1.0));
        assert_eq!(agenda.pop_below(5.0), Some((1.0, pair(1))));
        assert_eq!(agenda.pop_below(5.0), None);
    }
}
