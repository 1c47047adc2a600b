//! The search for pieces that cross: the closest pair first, down to where the surface is flat, or else to the triangles.
//!
//! A pair is tested when its turn comes, not when it is found, so that a search that finds a crossing has tested little beside the way down to it. Nothing is dropped that was not proved to be apart.

use super::averages::Averages;
use super::guess::{Evidence, LikelyPair, Outcome};
use super::piece::{Across, Contact, Kind};
use super::quality::Quality;
use super::shelves::{Open, Shelves};
use crate::hierarchy::{Content, Hierarchy};
use crate::primitive::intersect::intersects;
use crate::query::Pair;
use crate::traverse::{Budget, Memo, NodePair, Stats};
use crate::volume::Support;
use std::ops::{ControlFlow, Range};

/// Of two nodes whose squared spreads differ by more than this the wider alone is opened: a small body that was taken apart before the large one is down to its size would be many bodies.
const MUCH_WIDER: f32 = 4.0;

/// A tree and its table.
pub(super) struct Body<'t, V> {
    pub(super) tree: &'t Hierarchy<V>,
    pub(super) averages: &'t Averages,
}

/// The search and where it stands.
pub(super) struct Dive<'t, 'r, V: Support> {
    pub(super) a: Body<'t, V>,
    pub(super) b: Body<'t, V>,
    pub(super) across: Across,
    pub(super) motion: &'t V::Motion,
    pub(super) memo: &'r mut Memo<V::Placed>,
    pub(super) open: &'r mut Shelves,
    pub(super) likely: &'r mut Vec<LikelyPair>,
    pub(super) pair: &'t Pair<'t>,
    /// A crossing by this much is believed.
    pub(super) least_margin: f32,
    pub(super) stats: Stats,
    pub(super) evidence: Evidence,
}

/// The estimate of a crossing by this margin.
fn certainty(margin: f32) -> f64 {
    -(f64::from(-3.0 * margin)).exp_m1()
}

/// The margin at which a crossing is believed: where its estimate is p_min, if ten pairs are asked for; in proportion, if more or fewer are.
pub(super) fn least_margin(quality: &Quality) -> f32 {
    (-(-quality.p_min).ln_1p() / 3.0 * f64::from(quality.k_min) / 10.0) as f32
}

/// The estimate of a pair that was not opened.
fn closeness(distance: f32) -> f64 {
    if distance.is_nan() { 0.0 } else { (-0.5 * f64::from(distance)).exp() }
}

impl<V: Support> Dive<'_, '_, V> {
    /// Runs it; what came of it is in the evidence.
    pub(super) fn run(&mut self, budget: &Budget<'_>) {
        let roots = NodePair { a: Hierarchy::<V>::ROOT, b: Hierarchy::<V>::ROOT };
        let mut least = self.spread(roots);
        let first = Open { pair: roots, depth: 0, distance: 0.0 };
        self.evidence.outcome = self.descend(first, &mut least, budget);
        let Self { evidence, open, stats, .. } = self;
        let root = (self.a.averages.pieces().of(roots.a), self.b.averages.pieces().of(roots.b));
        evidence.finest = self.across.fineness(least, root.0, root.1);
        evidence.open = open.len();
        if evidence.outcome == Outcome::Interrupted {
            let (mut skew, mut all) = (0.0, f64::MIN_POSITIVE);
            for Open { pair, distance, .. } in open.drain() {
                let close = closeness(distance);
                evidence.add(close);
                all += close;
                skew +=
                    close * self.across.skew(self.a.averages.pieces().of(pair.a), self.b.averages.pieces().of(pair.b));
            }
            evidence.skew = skew / all;
        }
        evidence.likely = self.likely.len() as u32;
        evidence.volume_tests = stats.volume_tests;
    }

    fn spread(&self, pair: NodePair) -> f32 {
        let (a, b) = self.across.spreads(self.a.averages.pieces().of(pair.a), self.b.averages.pieces().of(pair.b));
        a.max(b)
    }

    fn descend(&mut self, first: Open, least: &mut f32, budget: &Budget<'_>) -> Outcome {
        let mut next = first;
        loop {
            let mut closest = None;
            if self.meet(next.pair) {
                *least = least.min(self.spread(next.pair));
                match self.look(next.pair, next.depth) {
                    ControlFlow::Break(()) => return Outcome::Collision,
                    ControlFlow::Continue(below) => closest = below,
                }
            }
            // The closest pair below is often the next.
            next = match closest {
                Some(closest) if self.open.highest().is_none_or(|shelf| shelf <= closest.shelf()) => closest,
                _ => {
                    closest.into_iter().for_each(|closest| self.open.put(closest));
                    match self.open.take() {
                        Some(open) => open,
                        None => return Outcome::NoCollision,
                    }
                }
            };
            if budget.is_spent(&self.stats) {
                self.open.put(next);
                return Outcome::Interrupted;
            }
        }
    }

    #[inline]
    fn meet(&mut self, pair: NodePair) -> bool {
        self.stats.volume_tests += 1;
        let (tree, motion) = (self.a.tree, self.motion);
        let (placed, made) = self.memo.get_or_place(pair.a, || tree.place(pair.a, motion));
        self.stats.updates += u64::from(made);
        let meets = !self.b.tree.node(pair.b).volume.disjoint(placed);
        self.evidence.met += u64::from(meets);
        meets
    }

    /// Looks at a pair whose volumes meet: counts it, or opens both nodes as far as they can be, unless one is much wider. Gives the closest pair of those below; the others are open.
    #[inline]
    fn look(&mut self, pair: NodePair, depth: u32) -> ControlFlow<(), Option<Open>> {
        let pieces = (self.a.averages.pieces(), self.b.averages.pieces());
        let nodes = (self.a.tree.node(pair.a), self.b.tree.node(pair.b));
        let leaves = nodes.0.is_leaf() && nodes.1.is_leaf();
        let (a, b) = (pieces.0.of(pair.a), pieces.1.of(pair.b));
        self.evidence.compared += u64::from(a.kind() != Kind::Rough && b.kind() != Kind::Rough);
        match self.across.contact(a, b) {
            Contact::Crossing(margin) if margin >= self.least_margin => {
                self.evidence.crossings += 1;
                self.count(pair, certainty(margin));
                return ControlFlow::Break(());
            }
            Contact::Apart if leaves => return ControlFlow::Continue(None),
            _ if leaves => return self.test_triangles(pair),
            _ => {}
        }
        let below = |content: Content, node: u32| -> Range<u32> {
            match content {
                Content::Children(children) => children,
                Content::Triangles(_) => node..node + 1,
            }
        };
        let (wide_a, wide_b) = self.across.spreads(a, b);
        let just_a = wide_a > MUCH_WIDER * wide_b && !nodes.0.is_leaf();
        let just_b = wide_b > MUCH_WIDER * wide_a && !nodes.1.is_leaf();
        let below_a = if just_b { pair.a..pair.a + 1 } else { below(nodes.0.content(), pair.a) };
        let below_b = if just_a { pair.b..pair.b + 1 } else { below(nodes.1.content(), pair.b) };
        let mut closest: Option<Open> = None;
        for a in below_a {
            let placed = self.across.place(pieces.0.of(a));
            for b in below_b.clone() {
                self.evidence.ranked += 1;
                let Some(distance) = self.across.distance(&placed, pieces.1.of(b)) else { continue };
                let mut other = Open { pair: NodePair { a, b }, depth: depth + 1, distance };
                match &mut closest {
                    None => closest = Some(other),
                    Some(closest) => {
                        if distance < closest.distance {
                            std::mem::swap(closest, &mut other);
                        }
                        self.open.put(other);
                    }
                }
            }
        }
        ControlFlow::Continue(closest)
    }

    /// What the leaves hold, exactly.
    fn test_triangles(&mut self, pair: NodePair) -> ControlFlow<(), Option<Open>> {
        let (tree_a, tree_b) = (self.a.tree, self.b.tree);
        let contents = (tree_a.node(pair.a).content(), tree_b.node(pair.b).content());
        let (Content::Triangles(run_a), Content::Triangles(run_b)) = contents else {
            return ControlFlow::Continue(None);
        };
        for &b in tree_b.triangles(run_b) {
            let posed = self.pair.posed_b(b);
            for &a in tree_a.triangles(run_a.clone()) {
                self.stats.triangle_tests += 1;
                if intersects(&self.pair.a().mesh().triangle(a), &posed) {
                    self.count(pair, 1.0);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(None)
    }

    fn count(&mut self, nodes: NodePair, probability: f64) {
        self.evidence.add(probability);
        self.likely.push(LikelyPair { nodes, probability });
    }
}
