//! The descent of two packed trees: [`crate::traverse::traverse`] with nodes that are opened eight at a time.
//!
//! Pairs that hold a node go to the agenda. Pairs of triangles are looked at where they are found, nearest first: their corners are fetched and
//! posed once per opened pair of nodes, not once per pair of triangles.

use super::Packed;
use super::lanes::{Lanes, Portable, Simd};
use super::leaves::Leaves;
use super::node::{Content, Slot, WideNode};
use super::relation::{Between, Boxes, Relation, SHRINK, Single};
use crate::query::Pair;
use crate::traverse::{Agenda, Budget, NodePair, Outcome, Question, Stats};
use std::ops::ControlFlow;

/// Two slots are opened together when neither is this many times larger than the other; otherwise the larger alone.
const OPEN_BOTH: f32 = 3.0;

/// Puts a question to two packed trees, on the fastest path that the CPU has.
pub(crate) fn descend<Q: Question>(
    trees: (&Packed, &Packed),
    pair: &Pair<'_>,
    question: &mut Q,
    agenda: &mut dyn Agenda,
    budget: &Budget<'_>,
) -> (Outcome, Stats) {
    let a_from_b = pair.a_from_b();
    let translation = a_from_b.apply(trees.1.center) - trees.0.center;
    let between = Between::new(a_from_b.rotation(), translation, pair.slack());
    let descent = Descent { a: trees.0, b: trees.1, between, pair, stats: Stats::default() };
    #[cfg(target_arch = "x86_64")]
    if super::lanes::Avx2::is_available() {
        #[target_feature(enable = "avx2,fma")]
        fn wide<Q: Question>(
            descent: Descent<'_>,
            question: &mut Q,
            agenda: &mut dyn Agenda,
            budget: &Budget<'_>,
        ) -> (Outcome, Stats) {
            descent.run::<Q, super::lanes::Avx2>(question, agenda, budget)
        }
        // SAFETY: the CPU has just been asked for both features.
        #[allow(unsafe_code)]
        return unsafe { wide(descent, question, agenda, budget) };
    }
    descent.run::<Q, Portable>(question, agenda, budget)
}

struct Descent<'t> {
    a: &'t Packed,
    b: &'t Packed,
    between: Between,
    pair: &'t Pair<'t>,
    stats: Stats,
}

impl Descent<'_> {
    #[inline(always)]
    fn run<Q: Question, S: Simd>(
        mut self,
        question: &mut Q,
        agenda: &mut dyn Agenda,
        budget: &Budget<'_>,
    ) -> (Outcome, Stats) {
        agenda.clear();
        // The first nodes have one slot each: the wholes.
        if self.open_both::<Q, S>(0, 0, question, agenda).is_break() {
            return (Outcome::Satisfied, self.stats);
        }
        while let Some((key, pair)) = agenda.pop() {
            if key >= question.threshold() {
                question.left_out(key);
                continue;
            }
            if budget.is_spent(&self.stats) {
                let open = agenda.min_key().map_or(key, |others| others.min(key));
                return (Outcome::OutOfBudget { open }, self.stats);
            }
            if self.step::<Q, S>(Slot(pair.a), Slot(pair.b), question, agenda).is_break() {
                return (Outcome::Satisfied, self.stats);
            }
            if !Q::ONLY_CONTACT {
                agenda.end_group();
            }
        }
        (Outcome::Complete, self.stats)
    }

    /// Opens one slot or both. At least one of them holds a node.
    #[inline(always)]
    fn step<Q: Question, S: Simd>(
        &mut self,
        a: Slot,
        b: Slot,
        question: &mut Q,
        agenda: &mut dyn Agenda,
    ) -> ControlFlow<()> {
        let (parent_a, parent_b) = (&self.a.nodes[a.node()], &self.b.nodes[b.node()]);
        let (size_a, size_b) = (parent_a.size(a.lane()), parent_b.size(b.lane()));
        match (parent_a.content(a.lane()), parent_b.content(b.lane())) {
            (Content::Node(a), Content::Node(b)) if size_a <= OPEN_BOTH * size_b && size_b <= OPEN_BOTH * size_a => {
                self.open_both::<Q, S>(a, b, question, agenda)
            }
            (Content::Node(node), Content::Node(_)) if size_a > size_b => {
                self.open_a::<Q, S>(node, parent_b, b, question, agenda)
            }
            (_, Content::Node(node)) => self.open_b::<Q, S>(parent_a, a, node, question, agenda),
            (Content::Node(node), Content::Triangle(_)) => self.open_a::<Q, S>(node, parent_b, b, question, agenda),
            (Content::Triangle(_), Content::Triangle(_)) => {
                unreachable!("pairs of triangles are looked at where they are found")
            }
        }
    }

    #[inline(always)]
    fn open_both<Q: Question, S: Simd>(
        &mut self,
        a: u32,
        b: u32,
        question: &mut Q,
        agenda: &mut dyn Agenda,
    ) -> ControlFlow<()> {
        let (node_a, node_b) = (&self.a.nodes[a as usize], &self.b.nodes[b as usize]);
        let relation = Relation::new(node_a, node_b, &self.between);
        let boxes_b = relation.boxes::<S>(node_b);
        self.stats.volume_tests += u64::from(node_a.count * node_b.count);
        let mut limit = Limit::of(question, node_b.count);
        // The view from b's frame is only made if the one from a's leaves something.
        let mut from_b: Option<(Boxes<S>, [[Lanes; 3]; 2])> = None;
        let mut leaves = Leaves::new();
        let triangles_b = node_b.triangles();
        for lane_a in 0..node_a.count as usize {
            let first = limit.bounds::<Q, S>(&Single::of(node_a, lane_a), &boxes_b);
            if limit.keeps::<S>(first) == 0 {
                continue;
            }
            if from_b.is_none() {
                from_b = Some((Boxes::of(node_b), relation.reversed().boxes::<S>(node_a).stored()));
            }
            let Some((own_b, seen_a)) = &from_b else { continue };
            let bounds = first.max(limit.bounds::<Q, S>(&Single::stored(seen_a, lane_a), own_b));
            let mask = limit.keeps::<S>(bounds);
            let bounds = bounds.store();
            let slot_a = Slot::new(a, lane_a);
            let looked_at = if let Content::Triangle(_) = node_a.content(lane_a) { mask & triangles_b } else { 0 };
            leaves.extend(lane_a, looked_at, &bounds);
            limit.each::<Q>(mask & !looked_at, &bounds, |lane, key| {
                agenda.push(key, NodePair { a: slot_a.0, b: Slot::new(b, lane).0 });
            });
        }
        limit.report(question);
        leaves.look(self.pair, node_a, node_b, question, &mut self.stats)
    }

    /// Opens a node of a against one slot of b.
    #[inline(always)]
    fn open_a<Q: Question, S: Simd>(
        &mut self,
        a: u32,
        parent_b: &WideNode,
        b: Slot,
        question: &mut Q,
        agenda: &mut dyn Agenda,
    ) -> ControlFlow<()> {
        let node_a = &self.a.nodes[a as usize];
        let relation = Relation::new(node_a, parent_b, &self.between);
        let mut limit = Limit::of(question, node_a.count);
        self.stats.volume_tests += u64::from(node_a.count);
        let seen = relation.single(parent_b, b.lane());
        let first = limit.bounds::<Q, S>(&seen, &Boxes::of(node_a));
        if limit.keeps::<S>(first) == 0 {
            limit.report(question);
            return ControlFlow::Continue(());
        }
        let boxes_a = relation.reversed().boxes::<S>(node_a);
        let bounds = first.max(limit.bounds::<Q, S>(&Single::of(parent_b, b.lane()), &boxes_a));
        let mask = limit.keeps::<S>(bounds);
        let bounds = bounds.store();
        let looked_at =
            if let Content::Triangle(_) = parent_b.content(b.lane()) { mask & node_a.triangles() } else { 0 };
        limit.each::<Q>(mask & !looked_at, &bounds, |lane, key| {
            agenda.push(key, NodePair { a: Slot::new(a, lane).0, b: b.0 });
        });
        limit.report(question);
        let mut leaves = Leaves::new();
        leaves.extend_swapped(b.lane(), looked_at, &bounds);
        leaves.look(self.pair, node_a, parent_b, question, &mut self.stats)
    }

    /// Opens a node of b against one slot of a.
    #[inline(always)]
    fn open_b<Q: Question, S: Simd>(
        &mut self,
        parent_a: &WideNode,
        a: Slot,
        b: u32,
        question: &mut Q,
        agenda: &mut dyn Agenda,
    ) -> ControlFlow<()> {
        let node_b = &self.b.nodes[b as usize];
        let relation = Relation::new(parent_a, node_b, &self.between);
        let mut limit = Limit::of(question, node_b.count);
        self.stats.volume_tests += u64::from(node_b.count);
        let boxes_b = relation.boxes::<S>(node_b);
        let first = limit.bounds::<Q, S>(&Single::of(parent_a, a.lane()), &boxes_b);
        if limit.keeps::<S>(first) == 0 {
            limit.report(question);
            return ControlFlow::Continue(());
        }
        let seen = relation.reversed().single(parent_a, a.lane());
        let bounds = first.max(limit.bounds::<Q, S>(&seen, &Boxes::of(node_b)));
        let mask = limit.keeps::<S>(bounds);
        let bounds = bounds.store();
        let looked_at =
            if let Content::Triangle(_) = parent_a.content(a.lane()) { mask & node_b.triangles() } else { 0 };
        limit.each::<Q>(mask & !looked_at, &bounds, |lane, key| {
            agenda.push(key, NodePair { a: a.0, b: Slot::new(b, lane).0 });
        });
        limit.report(question);
        let mut leaves = Leaves::new();
        leaves.extend(a.lane(), looked_at, &bounds);
        leaves.look(self.pair, parent_a, node_b, question, &mut self.stats)
    }
}

/// Which lanes matter: gaps up to zero, or squared distances below the square of the threshold.
struct Limit {
    limit: f32,
    used: u32,
    dropped: bool,
}

impl Limit {
    #[inline(always)]
    fn of<Q: Question>(question: &Q, count: u32) -> Self {
        let limit = if Q::ONLY_CONTACT {
            f32::MIN_POSITIVE
        } else {
            let threshold = (question.threshold() as f32).next_up();
            (threshold * threshold / SHRINK).next_up()
        };
        Self { limit, used: (1 << count) - 1, dropped: false }
    }

    #[inline(always)]
    fn bounds<Q: Question, S: Simd>(&self, single: &Single, boxes: &Boxes<S>) -> S {
        if Q::ONLY_CONTACT { single.largest_gaps(boxes) } else { single.squared_distances(boxes) }
    }

    /// The lanes below the limit.
    #[inline(always)]
    fn keeps<S: Simd>(&mut self, bounds: S) -> u32 {
        let mask = bounds.below(S::splat(self.limit)) & self.used;
        self.dropped |= mask != self.used;
        mask
    }

    /// Calls `push` with each lane of the mask and its key.
    #[inline(always)]
    fn each<Q: Question>(&self, mut mask: u32, bounds: &Lanes, mut push: impl FnMut(usize, f64)) {
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            push(lane, if Q::ONLY_CONTACT { 0.0 } else { key(bounds.0[lane]) });
        }
    }

    /// What was dropped is at least the threshold away.
    #[inline(always)]
    fn report<Q: Question>(&self, question: &mut Q) {
        if !Q::ONLY_CONTACT && self.dropped {
            question.left_out(question.threshold());
        }
    }
}

/// A certain lower bound from a computed squared distance.
#[inline(always)]
pub(super) fn key(squared: f32) -> f64 {
    f64::from((squared * SHRINK).sqrt() * (1.0 - f32::EPSILON))
}
