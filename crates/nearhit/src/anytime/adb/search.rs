//! The paper's search (Figure 3): the likeliest pair first, until there are enough that count, or
//! none left, or no time.

use super::bucket_queue::BucketQueue;
use super::estimate::{Evidence, LikelyPair, Outcome};
use super::probability::View;
use super::quality::Quality;
use crate::hierarchy::{Content, Hierarchy};
use crate::traverse::{Budget, NodePair, Stats};
use crate::volume::Support;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// Working memory.
#[derive(Debug, Default)]
pub(crate) struct Room {
    open: BinaryHeap<Open>,
    buckets: BucketQueue,
    pub(super) likely: Vec<LikelyPair>,
}

impl Room {
    /// Empties it, for a search for crossings.
    pub(super) fn start_buckets(&mut self) -> (&mut BucketQueue, &mut Vec<LikelyPair>) {
        self.buckets.clear();
        self.likely.clear();
        (&mut self.buckets, &mut self.likely)
    }

    /// Empties it.
    pub(super) fn start(&mut self) -> Front<'_> {
        self.open.clear();
        self.likely.clear();
        Front { open: &mut self.open, likely: &mut self.likely }
    }
}

/// An open pair; the likelier, then the lower ids, the greater. As whole numbers, which compare
/// faster: doubles from 0 up are ordered like their bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    probability: u64,
    turned_ids: u64,
}

impl Open {
    #[inline]
    fn new(probability: f64, pair: NodePair) -> Self {
        let turned_ids = !(u64::from(pair.a) << 32 | u64::from(pair.b));
        Self { probability: probability.to_bits(), turned_ids }
    }

    #[inline]
    fn probability(self) -> f64 {
        f64::from_bits(self.probability)
    }

    #[inline]
    fn pair(self) -> NodePair {
        NodePair { a: (!self.turned_ids >> 32) as u32, b: !self.turned_ids as u32 }
    }
}

/// Where the search stands.
pub(super) struct Front<'r> {
    open: &'r mut BinaryHeap<Open>,
    likely: &'r mut Vec<LikelyPair>,
}

pub(super) struct Search<'t, 'r, V: Support> {
    pub(super) view: View<'t, V>,
    pub(super) quality: Quality,
    pub(super) front: Front<'r>,
    pub(super) stats: Stats,
    pub(super) evidence: Evidence,
}

impl<V: Support> Search<'_, '_, V> {
    const ROOTS: NodePair = NodePair { a: Hierarchy::<V>::ROOT, b: Hierarchy::<V>::ROOT };

    /// Runs it; what came of it is in the evidence.
    pub(super) fn run(&mut self, budget: &Budget<'_>) {
        self.stats.volume_tests += 1;
        if self.view.meet(Self::ROOTS) {
            let probability = self.estimate(Self::ROOTS);
            // The roots are opened whatever the estimate.
            self.front.open.push(Open::new(probability, Self::ROOTS));
        }
        self.evidence.outcome = self.descend(budget);
        self.stats.updates = self.view.updates;
        let Self { front, evidence, .. } = self;
        front.open.iter().for_each(|open| evidence.add(open.probability()));
        evidence.open = front.open.len() as u32;
        evidence.likely = front.likely.len() as u32;
        evidence.volume_tests = self.stats.volume_tests;
        evidence.overlaps = self.view.overlaps;
    }

    fn descend(&mut self, budget: &Budget<'_>) -> Outcome {
        while let Some(&open) = self.front.open.peek() {
            if budget.is_spent(&self.stats) {
                return Outcome::Interrupted;
            }
            self.front.open.pop();
            if self.step(open.probability(), open.pair()).is_break() {
                return Outcome::Collision;
            }
        }
        Outcome::NoCollision
    }

    /// Opens both nodes of a pair, as far as they can be. Two leaves are not opened: that their
    /// volumes meet is all that is ever known.
    fn step(&mut self, probability: f64, pair: NodePair) -> ControlFlow<()> {
        let contents = (self.view.a.tree.node(pair.a).content(), self.view.b.tree.node(pair.b).content());
        match contents {
            (Content::Children(mut below_a), Content::Children(below_b)) => {
                below_a.try_for_each(|a| below_b.clone().try_for_each(|b| self.enter(NodePair { a, b })))
            }
            (Content::Children(mut below_a), _) => below_a.try_for_each(|a| self.enter(NodePair { a, ..pair })),
            (_, Content::Children(mut below_b)) => below_b.try_for_each(|b| self.enter(NodePair { b, ..pair })),
            _ => {
                self.evidence.add(probability);
                ControlFlow::Continue(())
            }
        }
    }

    #[inline]
    fn enter(&mut self, pair: NodePair) -> ControlFlow<()> {
        self.stats.volume_tests += 1;
        if !self.view.meet(pair) {
            return ControlFlow::Continue(());
        }
        let probability = self.estimate(pair);
        if probability > 0.0 {
            self.front.open.push(Open::new(probability, pair));
        }
        if probability >= self.quality.p_min { self.count(pair, probability) } else { ControlFlow::Continue(()) }
    }

    /// A pair that counts.
    #[inline]
    fn count(&mut self, nodes: NodePair, probability: f64) -> ControlFlow<()> {
        self.front.likely.push(LikelyPair { nodes, probability });
        if self.front.likely.len() >= self.quality.k_min as usize {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    #[inline]
    fn estimate(&mut self, pair: NodePair) -> f64 {
        self.evidence.met += 1;
        self.view.probability(pair)
    }
}
