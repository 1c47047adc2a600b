//! Best-first traversal of two hierarchies for intersecting patches: the closest pair first, down
//! to where the surface is flat, or else to the triangles.
//!
//! A pair is tested when its turn comes, not when it is found, so that a search that finds a
//! crossing has tested little beside the way down to it. Nothing is dropped that was not proved to
//! be apart.

use super::bucket_queue::{BucketQueue, Open, buckets_of};
use super::estimate::{Evidence, LikelyPair, Outcome};
use super::patch::{Across, Contact, Kind, Patches};
use super::quality::Quality;
use super::rank::Ranks;
use crate::hierarchy::{Content, Hierarchy};
use crate::primitive::intersect::intersects;
use crate::query::Pair;
use crate::traverse::{Budget, Memo, NodePair, Stats};
use crate::volume::Support;
use glam::{BVec4A, Vec4};
use std::ops::{ControlFlow, Range};

/// Of two nodes whose squared spreads differ by more than this the wider alone is opened: a small
/// body that was taken apart before the large one is down to its size would be many bodies.
const MUCH_WIDER: f32 = 4.0;

/// A tree and its pieces.
pub(super) struct Body<'t, V> {
    pub(super) tree: &'t Hierarchy<V>,
    pub(super) pieces: &'t Patches,
}

/// The search and where it stands.
pub(super) struct Dive<'t, 'r, V: Support> {
    pub(super) a: Body<'t, V>,
    pub(super) b: Body<'t, V>,
    pub(super) across: Across,
    pub(super) motion: &'t V::Motion,
    pub(super) memo: &'r mut Memo<V::Placed>,
    pub(super) open: &'r mut BucketQueue,
    pub(super) likely: &'r mut Vec<LikelyPair>,
    pub(super) pair: &'t Pair<'t>,
    /// A crossing by this much is believed.
    pub(super) least_margin: f32,
    /// Are boxes in single precision enough?
    pub(super) fine: bool,
    pub(super) stats: Stats,
    pub(super) evidence: Evidence,
}

/// The estimate of a crossing by this margin.
fn certainty(margin: f32) -> f64 {
    -(f64::from(-3.0 * margin)).exp_m1()
}

/// The margin at which a crossing is believed: where its estimate is p_min, if ten pairs are asked
/// for; in proportion, if more or fewer are.
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
        self.evidence.outcome = self.descend(Open::first(roots), &mut least, budget);
        let Self { evidence, open, stats, .. } = self;
        let root = (self.a.pieces.of(roots.a), self.b.pieces.of(roots.b));
        evidence.finest = self.across.fineness(least, root.0, root.1);
        evidence.open = open.len();
        if evidence.outcome == Outcome::Interrupted {
            let (mut skew, mut all) = (0.0, f64::MIN_POSITIVE);
            for Open { pair, distance, .. } in open.drain() {
                let close = closeness(distance);
                evidence.add(close);
                all += close;
                skew += close * self.across.skew(self.a.pieces.of(pair.a), self.b.pieces.of(pair.b));
            }
            evidence.skew = skew / all;
        }
        evidence.likely = self.likely.len() as u32;
        evidence.volume_tests = stats.volume_tests;
    }

    fn spread(&self, pair: NodePair) -> f32 {
        let (a, b) = self.across.spreads(self.a.pieces.of(pair.a), self.b.pieces.of(pair.b));
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
                Some(closest) if self.open.highest().is_none_or(|bucket| bucket <= closest.bucket) => closest,
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

    fn pieces(&self) -> (&'_ Patches, &'_ Patches) {
        (self.a.pieces, self.b.pieces)
    }

    #[inline]
    fn meet(&mut self, pair: NodePair) -> bool {
        self.stats.volume_tests += 1;
        let (a, b) = self.pieces();
        let meets = !self.across.apart(a.block(pair.a), b.block(pair.b)) && (self.fine || self.meet_precisely(pair));
        self.evidence.met += u64::from(meets);
        meets
    }

    /// By the trees' own volumes, in double precision: where one body is a speck beside the other.
    #[cold]
    fn meet_precisely(&mut self, pair: NodePair) -> bool {
        let (tree, motion) = (self.a.tree, self.motion);
        let (placed, made) = self.memo.get_or_place(pair.a, || tree.place(pair.a, motion));
        self.stats.updates += u64::from(made);
        !self.b.tree.node(pair.b).volume.disjoint(placed)
    }

    /// Looks at a pair whose boxes meet: counts it, or opens both nodes as far as they can be,
    /// unless one is much wider. Gives the closest pair of those below; the others are open.
    #[inline]
    fn look(&mut self, pair: NodePair, depth: u16) -> ControlFlow<(), Option<Open>> {
        let (pieces_a, pieces_b) = self.pieces();
        let (a, b) = (pieces_a.of(pair.a), pieces_b.of(pair.b));
        let (block_a, block_b) = (pieces_a.block(pair.a), pieces_b.block(pair.b));
        let leaves = block_a.is_leaf() && block_b.is_leaf();
        let (contact, (wide_a, wide_b)) = (self.across.contact(a, b), self.across.spreads(a, b));
        let just_a = wide_a > MUCH_WIDER * wide_b && !block_a.is_leaf();
        let just_b = wide_b > MUCH_WIDER * wide_a && !block_b.is_leaf();
        let below_a = if just_b || block_a.is_leaf() { pair.a..pair.a + 1 } else { block_a.below() };
        let below_b = if just_a || block_b.is_leaf() { pair.b..pair.b + 1 } else { block_b.below() };
        self.evidence.compared += u64::from(a.kind() != Kind::Rough && b.kind() != Kind::Rough);
        match contact {
            Contact::Crossing(margin) if margin >= self.least_margin => {
                self.evidence.crossings += 1;
                self.count(pair, certainty(margin));
                ControlFlow::Break(())
            }
            Contact::Apart if leaves => ControlFlow::Continue(None),
            _ if leaves => self.test_triangles(pair),
            _ => ControlFlow::Continue(self.open_all(below_a, below_b, depth.saturating_add(1))),
        }
    }

    /// Ranks all pairs of two runs of nodes, two by two.
    #[inline]
    fn open_all(&mut self, below_a: Range<u32>, below_b: Range<u32>, depth: u16) -> Option<Open> {
        self.evidence.ranked += below_a.len() as u64 * below_b.len() as u64;
        let mut closest: Option<Open> = None;
        for a in below_a.clone().step_by(2) {
            for b in below_b.clone().step_by(2) {
                // The last of an odd number is there twice, and counts once.
                let two = ([a, (a + 1).min(below_a.end - 1)], [b, (b + 1).min(below_b.end - 1)]);
                let single = (two.0[0] == two.0[1], two.1[0] == two.1[1]);
                let counts = if single.0 { 0b0011 } else { 0b1111 } & if single.1 { 0b0101 } else { 0b1111 };
                closest = match (closest, self.open_four(two, counts, depth)) {
                    (Some(one), Some(other)) => {
                        let (closer, farther) = if other.distance < one.distance { (other, one) } else { (one, other) };
                        self.open.put(farther);
                        Some(closer)
                    }
                    (one, other) => one.or(other),
                };
            }
        }
        closest
    }

    /// Ranks those of four pairs whose bits are set. Gives the closest; the others are open, unless
    /// they are too far apart to touch.
    #[inline]
    fn open_four(&mut self, (two_a, two_b): ([u32; 2], [u32; 2]), counts: u32, depth: u16) -> Option<Open> {
        let (pieces_a, pieces_b) = self.pieces();
        let Ranks { distances, near } =
            self.across.rank(two_a.map(|node| pieces_a.of(node)), two_b.map(|node| pieces_b.of(node)));
        let near = near & counts;
        if near == 0 {
            return None;
        }
        let is_near = |lane: u32| near >> lane & 1 == 1;
        let lanes = BVec4A::new(is_near(0), is_near(1), is_near(2), is_near(3));
        let of_near = Vec4::select(lanes, distances, Vec4::INFINITY);
        let least = of_near.cmpeq(Vec4::splat(of_near.min_element())).bitmask() & near;
        // None is the least where distances are no numbers.
        let closest = if least == 0 { near } else { least }.trailing_zeros();
        let (buckets, distances) = (buckets_of(depth, distances), distances.to_array());
        let four = std::array::from_fn(|lane| Open {
            pair: NodePair { a: two_a[lane >> 1], b: two_b[lane & 1] },
            distance: distances[lane],
            depth,
            bucket: buckets[lane],
        });
        self.open.put_chosen(four, near & !(1 << closest));
        Some(four[closest as usize & 3])
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
