//! The descent of two packed trees: [`crate::traverse::traverse`] with nodes that are opened eight at a time.

use super::Packed;
use super::lanes::{Lanes, below, each, larger};
use super::node::{Content, Slot, WideNode};
use super::relation::{Between, Relation, SHRINK, Single};
use crate::query::{Pair, TrianglePair};
use crate::traverse::{Agenda, Budget, NodePair, Outcome, Question, Stats};
use std::ops::ControlFlow;

/// Two slots are opened together when neither is this many times larger than the other; otherwise the larger alone.
const OPEN_BOTH: f32 = 3.0;

/// Puts a question to two packed trees, on the fastest path that the CPU has.
pub(crate) fn descend<Q: Question, A: Agenda>(
    trees: (&Packed, &Packed),
    pair: &Pair<'_>,
    question: &mut Q,
    agenda: &mut A,
    budget: &Budget<'_>,
) -> (Outcome, Stats) {
    let a_from_b = pair.a_from_b();
    let translation = a_from_b.apply(trees.1.center) - trees.0.center;
    let between = Between::new(a_from_b.rotation(), translation, pair.slack());
    let descent = Descent { a: trees.0, b: trees.1, between, pair, stats: Stats::default() };
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        #[target_feature(enable = "avx2,fma")]
        fn wide<Q: Question, A: Agenda>(
            descent: Descent<'_>,
            question: &mut Q,
            agenda: &mut A,
            budget: &Budget<'_>,
        ) -> (Outcome, Stats) {
            descent.run::<Q, A, true>(question, agenda, budget)
        }
        // SAFETY: the CPU has just been asked for both features. The function itself is safe code.
        #[allow(unsafe_code)]
        return unsafe { wide(descent, question, agenda, budget) };
    }
    descent.run::<Q, A, false>(question, agenda, budget)
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
    fn run<Q: Question, A: Agenda, const FUSED: bool>(
        mut self,
        question: &mut Q,
        agenda: &mut A,
        budget: &Budget<'_>,
    ) -> (Outcome, Stats) {
        agenda.clear();
        agenda.push(0.0, NodePair { a: Slot::ROOT.0, b: Slot::ROOT.0 });
        while let Some((key, pair)) = agenda.pop() {
            if key >= question.threshold() {
                question.left_out(key);
                continue;
            }
            if budget.is_spent(&self.stats) {
                let open = agenda.min_key().map_or(key, |others| others.min(key));
                return (Outcome::OutOfBudget { open }, self.stats);
            }
            if self.step::<Q, A, FUSED>(pair, question, agenda).is_break() {
                return (Outcome::Satisfied, self.stats);
            }
        }
        (Outcome::Complete, self.stats)
    }

    #[inline(always)]
    fn step<Q: Question, A: Agenda, const FUSED: bool>(
        &mut self,
        pair: NodePair,
        question: &mut Q,
        agenda: &mut A,
    ) -> ControlFlow<()> {
        let (slot_a, slot_b) = (Slot(pair.a), Slot(pair.b));
        let (parent_a, parent_b) = (&self.a.nodes[slot_a.node()], &self.b.nodes[slot_b.node()]);
        let (lane_a, lane_b) = (slot_a.lane(), slot_b.lane());
        let (size_a, size_b) = (parent_a.size(lane_a), parent_b.size(lane_b));
        match (parent_a.content(lane_a), parent_b.content(lane_b)) {
            (Content::Triangle(a), Content::Triangle(b)) => {
                self.stats.triangle_tests += 1;
                let triangle_a = self.pair.a().mesh().triangle(a);
                return question.look(TrianglePair { a, b }, &triangle_a, &self.pair.posed_b(b));
            }
            (Content::Node(a), Content::Node(b)) if size_a <= OPEN_BOTH * size_b && size_b <= OPEN_BOTH * size_a => {
                self.open_both::<Q, A, FUSED>(a, b, question, agenda);
            }
            (Content::Node(a), Content::Node(_)) if size_a > size_b => {
                self.open_a::<Q, A, FUSED>(a, parent_b, slot_b, question, agenda);
            }
            (_, Content::Node(b)) => self.open_b::<Q, A, FUSED>(parent_a, slot_a, b, question, agenda),
            (Content::Node(a), Content::Triangle(_)) => {
                self.open_a::<Q, A, FUSED>(a, parent_b, slot_b, question, agenda)
            }
        }
        agenda.end_group();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn open_both<Q: Question, A: Agenda, const FUSED: bool>(
        &mut self,
        a: u32,
        b: u32,
        question: &mut Q,
        agenda: &mut A,
    ) {
        let (node_a, node_b) = (&self.a.nodes[a as usize], &self.b.nodes[b as usize]);
        let relation = Relation::new::<FUSED>(node_a, node_b, &self.between);
        let boxes_b = relation.boxes::<FUSED>(node_b);
        let boxes_a = relation.reversed::<FUSED>().boxes::<FUSED>(node_a);
        self.stats.volume_tests += u64::from(node_a.count * node_b.count);
        let limit = Limit::of(question);
        for lane_a in 0..node_a.count as usize {
            let (own, seen) = (Single::of(node_a, lane_a), Single::lane(&boxes_a, lane_a));
            let bounds = if Q::ONLY_CONTACT {
                larger_of(&own.gaps(&boxes_b.center, &boxes_b.half), &seen.gaps(&node_b.center, &node_b.half))
            } else {
                larger_of(
                    &own.squared_distances::<FUSED>(&boxes_b.center, &boxes_b.half),
                    &seen.squared_distances::<FUSED>(&node_b.center, &node_b.half),
                )
            };
            let slot_a = Slot::new(a, lane_a);
            limit.each_below::<Q>(&bounds, node_b.count, question, |lane, key| {
                agenda.push(key, NodePair { a: slot_a.0, b: Slot::new(b, lane).0 });
            });
        }
    }

    /// Opens a node of a against one slot of b.
    #[inline(always)]
    fn open_a<Q: Question, A: Agenda, const FUSED: bool>(
        &mut self,
        a: u32,
        parent_b: &WideNode,
        slot_b: Slot,
        question: &mut Q,
        agenda: &mut A,
    ) {
        let node_a = &self.a.nodes[a as usize];
        let relation = Relation::new::<FUSED>(node_a, parent_b, &self.between);
        let seen = relation.single::<FUSED>(parent_b, slot_b.lane());
        let boxes_a = relation.reversed::<FUSED>().boxes::<FUSED>(node_a);
        let own = Single::of(parent_b, slot_b.lane());
        let bounds = one_against::<Q, FUSED>(&seen, node_a, &own, &boxes_a);
        self.stats.volume_tests += u64::from(node_a.count);
        Limit::of(question).each_below::<Q>(&bounds, node_a.count, question, |lane, key| {
            agenda.push(key, NodePair { a: Slot::new(a, lane).0, b: slot_b.0 });
        });
    }

    /// Opens a node of b against one slot of a.
    #[inline(always)]
    fn open_b<Q: Question, A: Agenda, const FUSED: bool>(
        &mut self,
        parent_a: &WideNode,
        slot_a: Slot,
        b: u32,
        question: &mut Q,
        agenda: &mut A,
    ) {
        let node_b = &self.b.nodes[b as usize];
        let relation = Relation::new::<FUSED>(parent_a, node_b, &self.between);
        let boxes_b = relation.boxes::<FUSED>(node_b);
        let seen = relation.reversed::<FUSED>().single::<FUSED>(parent_a, slot_a.lane());
        let own = Single::of(parent_a, slot_a.lane());
        let bounds = one_against::<Q, FUSED>(&seen, node_b, &own, &boxes_b);
        self.stats.volume_tests += u64::from(node_b.count);
        Limit::of(question).each_below::<Q>(&bounds, node_b.count, question, |lane, key| {
            agenda.push(key, NodePair { a: slot_a.0, b: Slot::new(b, lane).0 });
        });
    }
}

/// One box against a node's eight, in the node's frame (`seen`) and in the box's own (`own` against `boxes`).
#[inline(always)]
fn one_against<Q: Question, const FUSED: bool>(
    seen: &Single,
    node: &WideNode,
    own: &Single,
    boxes: &super::relation::Boxes,
) -> Lanes {
    if Q::ONLY_CONTACT {
        larger_of(&seen.gaps(&node.center, &node.half), &own.gaps(&boxes.center, &boxes.half))
    } else {
        larger_of(
            &seen.squared_distances::<FUSED>(&node.center, &node.half),
            &own.squared_distances::<FUSED>(&boxes.center, &boxes.half),
        )
    }
}

#[inline(always)]
fn larger_of(x: &Lanes, y: &Lanes) -> Lanes {
    each(|lane| larger(x[lane], y[lane]))
}

/// Which lanes matter: gaps up to zero, or squared distances below the square of the threshold.
struct Limit(f32);

impl Limit {
    #[inline(always)]
    fn of<Q: Question>(question: &Q) -> Self {
        if Q::ONLY_CONTACT {
            return Self(f32::MIN_POSITIVE);
        }
        let threshold = (question.threshold() as f32).next_up();
        Self((threshold * threshold / SHRINK).next_up())
    }

    /// Calls `push` with each lane that matters and its key.
    #[inline(always)]
    fn each_below<Q: Question>(&self, bounds: &Lanes, count: u32, question: &mut Q, mut push: impl FnMut(usize, f64)) {
        let used = (1 << count) - 1;
        let mut mask = below(bounds, self.0) & used;
        if !Q::ONLY_CONTACT && mask != used {
            question.left_out(question.threshold());
        }
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            let key =
                if Q::ONLY_CONTACT { 0.0 } else { f64::from((bounds[lane] * SHRINK).sqrt().next_down().max(0.0)) };
            push(lane, key);
        }
    }
}
