//! The descent of two packed trees: [`crate::traverse::traverse`] with nodes that are opened eight
//! at a time.
//!
//! Pairs of slots go to the agenda with their bound; of two nodes both are opened, or the larger;
//! the triangles of two leaves are sifted, and what is left of them is looked at.

use super::Packed;
use super::dive::{Guess, guess};
use super::facing::{Frames, Relations};
use super::kernels::{Kernels, Path};
use super::lane_pairs::{Kept, LanePairs};
use super::lanes::WIDTH;
use super::node::{Content, Frame, Leaf, Slot, WideNode};
use super::relation::{Between, certain_root, squared_limit};
use crate::mesh::Triangle;
use crate::primitive::fours::{Four, PAIRS};
use crate::traverse::{Agenda, Budget, NodePair, Outcome, PosedMeshes, Question, Stats, TrianglePair};
use crate::vector::length;
use glam::DVec3;
use std::ops::ControlFlow;

/// Two slots are opened together when neither is this many times larger than the other; otherwise
/// the larger alone.
const OPEN_BOTH: f32 = 3.0;

/// The surfaces in two boxes are estimated to be farther apart than the boxes, by this part of the
/// boxes' half extents.
const ROOM: f32 = 0.5;

/// Of smaller trees a guess costs as much as the search.
const FEW_LEAVES: usize = 16;

/// So many pairs are opened one after the other before the first are related together: a search
/// that ends at a contact mostly ends early.
const ALONE: usize = 8;

/// Working memory of a descent.
#[derive(Debug)]
pub(crate) struct Room {
    found: LanePairs,
    /// What is left to do of a search for contact, the next on top.
    open: Vec<Step>,
    /// Of pairs whose frames are related together.
    relations: Relations,
    /// For leaves that are made when they are needed.
    leaves: (Leaf, Leaf),
    /// Triangles of b's leaf in a's frame: most take part in several pairs.
    posed: [Triangle; WIDTH],
    /// Pairs that are decided together.
    four: Four,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            found: LanePairs::default(),
            open: Vec::new(),
            relations: Relations::NONE,
            leaves: <(Leaf, Leaf)>::default(),
            posed: Default::default(),
            four: Four::default(),
        }
    }
}

/// A slot: its node, the node's index, its lane.
type Place<'n> = (&'n WideNode, u32, usize);

/// What is done about an open pair.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Both nodes are opened.
    Both(u32, u32),
    /// A node of a, beside a slot of b.
    First(u32, Slot),
    /// A node of b, beside a slot of a.
    Second(Slot, u32),
    /// The triangles of two leaves are looked at.
    Look(u32, u32),
}

/// Puts a question to two packed trees, on the path chosen for the CPU.
pub(crate) fn descend<Q: Question>(
    (a, b): (&Packed, &Packed),
    meshes: &PosedMeshes<'_>,
    question: &mut Q,
    agenda: &mut (impl Agenda + ?Sized),
    room: &mut Room,
    budget: &Budget<'_>,
) -> (Outcome, Stats) {
    let a_from_b = &meshes.a_from_b;
    let translation = a_from_b.apply(b.center) - a.center;
    let gap = gap_of_balls((a, b), translation, meshes.slack());
    if gap >= question.threshold() {
        question.left_out(gap);
        return (Outcome::Complete, Stats { volume_tests: 1, ..Stats::default() });
    }
    let between = Between::new(a_from_b.rotation(), translation, meshes.slack());
    let kernels = Path::chosen().kernels(question.only_contact());
    let stand_ins = question.takes_one_of_equals() && !(a.twins.is_empty() && b.twins.is_empty());
    // The boxes of bare leaves are not known before these are fetched.
    let is_for_contact = question.only_contact() && agenda.takes_sorted() && !a.is_compact() && !b.is_compact();
    let stats = Stats::default();
    Descent { a, b, between, meshes, kernels, room, stand_ins, is_for_contact, stats }.run(question, agenda, budget)
}

/// How far the balls around the wholes are apart, at least: round bodies far from each other need
/// no look at their boxes.
fn gap_of_balls((a, b): (&Packed, &Packed), translation: DVec3, slack: f64) -> f64 {
    let (apart, radii) = (length(translation), a.radius + b.radius);
    apart - radii - slack - 16.0 * f64::EPSILON * (apart + radii)
}

struct Descent<'t> {
    a: &'t Packed,
    b: &'t Packed,
    between: Between,
    meshes: &'t PosedMeshes<'t>,
    kernels: &'t Kernels,
    room: &'t mut Room,
    /// Is one of several equal triangles enough, and are there any?
    stand_ins: bool,
    /// Is only contact asked for, in the order of a stack? Then its own stack is used.
    is_for_contact: bool,
    stats: Stats,
}

impl<'t> Descent<'t> {
    fn run<Q: Question>(
        mut self,
        question: &mut Q,
        agenda: &mut (impl Agenda + ?Sized),
        budget: &Budget<'_>,
    ) -> (Outcome, Stats) {
        agenda.clear();
        self.room.open.clear();
        let mut wants_guess = question.wants_guess() && self.a.leaves.len().min(self.b.leaves.len()) >= FEW_LEAVES;
        // Where it may be the answer, before anything is opened.
        if wants_guess && !question.improves() && !budget.is_spent(&self.stats) {
            wants_guess = false;
            if self.look_at_guess(question).is_break() {
                return (Outcome::Satisfied, self.stats);
            }
        }
        self.start(question, agenda);
        if self.is_for_contact {
            return (self.run_for_contact(question, agenda, budget), self.stats);
        }
        while let Some((key, pair)) = agenda.pop_below(question.threshold()) {
            if std::mem::take(&mut wants_guess)
                && !budget.is_spent(&self.stats)
                && self.look_at_guess(question).is_break()
            {
                return (Outcome::Satisfied, self.stats);
            }
            if key >= question.threshold() {
                question.left_out(key);
                continue;
            }
            if budget.is_spent(&self.stats) {
                let open = agenda.min_key().map_or(key, |others| others.min(key));
                return (Outcome::OutOfBudget { open }, self.stats);
            }
            if self.step(Slot(pair.a), Slot(pair.b), question, agenda).is_break() {
                return (Outcome::Satisfied, self.stats);
            }
        }
        (Outcome::Complete, self.stats)
    }

    /// A search for contact alone, where the order of the pairs decides little: depth first, but of
    /// up to eight open pairs at a time the frames are related together. Of those the one on top of
    /// the stack comes last, so that what it leaves is on top again.
    fn run_for_contact<Q: Question>(
        &mut self,
        question: &mut Q,
        agenda: &mut (impl Agenda + ?Sized),
        budget: &Budget<'_>,
    ) -> Outcome {
        let (mut steps, mut opened) = ([Step::Look(0, 0); WIDTH], 0);
        loop {
            let most = if opened < ALONE { 1 } else { WIDTH };
            let mut count = 0;
            while count < most
                && let Some(step) = self.room.open.pop()
            {
                steps[count] = step;
                count += 1;
            }
            let meeting = match count {
                0 => return Outcome::Complete,
                1 => 1,
                _ => self.relate(&steps, count),
            };
            opened += count;
            for at in (0..count).rev() {
                if meeting & (1 << at) == 0 {
                    self.stats.volume_tests += 1;
                    continue;
                }
                if budget.is_spent(&self.stats) {
                    // All keys are zero where only contact is asked for.
                    return Outcome::OutOfBudget { open: 0.0 };
                }
                if self.perform(steps[at], (count > 1).then_some(at), question, agenda).is_break() {
                    return Outcome::Satisfied;
                }
            }
        }
    }

    /// Relates the frames of the first of these steps. One bit for each that may meet.
    fn relate(&mut self, steps: &[Step; WIDTH], count: usize) -> u32 {
        let first = self.frames(steps[0]);
        let mut frames: Frames<'_> = ([first.0; WIDTH], [first.1; WIDTH]);
        for at in 1..count {
            (frames.0[at], frames.1[at]) = self.frames(steps[at]);
        }
        (self.kernels.relate)(&frames, &self.between, f32::MIN_POSITIVE, &mut self.room.relations)
    }

    /// The frames that a step relates.
    #[inline(always)]
    fn frames(&self, step: Step) -> (&'t Frame, &'t Frame) {
        let (a, b) = (self.a, self.b);
        match step {
            Step::Both(node_a, node_b) => (&a.nodes[node_a as usize].frame, &b.nodes[node_b as usize].frame),
            Step::First(node, slot) => (&a.nodes[node as usize].frame, &b.nodes[slot.node()].frame),
            Step::Second(slot, node) => (&a.nodes[slot.node()].frame, &b.nodes[node as usize].frame),
            Step::Look(leaf_a, leaf_b) => (a.leaves.frame_of_whole(leaf_a), b.leaves.frame_of_whole(leaf_b)),
        }
    }

    /// The first nodes have one slot each: the wholes. What is in them is opened at once, since an
    /// opening begins with the wholes; two leaves wait, as the budget may not allow for them.
    fn start<Q: Question>(&mut self, question: &mut Q, agenda: &mut (impl Agenda + ?Sized)) {
        let (whole, root_a, root_b) = (Slot::new(0, 0), &self.a.nodes[0], &self.b.nodes[0]);
        let two_leaves = matches!((root_a.content(0), root_b.content(0)), (Content::Leaf(_), Content::Leaf(_)));
        // Nothing but two leaves ends a search.
        if two_leaves || self.step(whole, whole, question, agenda).is_break() {
            if self.is_for_contact {
                self.room.open.push(self.next_step((root_a, 0, 0), (root_b, 0, 0)));
            } else {
                agenda.push(0.0, NodePair { a: whole.0, b: whole.0 });
            }
        }
    }

    /// Two leaves that are probably near each other, before all others: a pair of them may be the
    /// answer, or a good one to prune by.
    fn look_at_guess<Q: Question>(&mut self, question: &mut Q) -> ControlFlow<()> {
        let Guess { leaf_a, leaf_b, tests } = guess((self.a, self.b), &self.between);
        self.stats.volume_tests += tests;
        self.look((leaf_a, leaf_b), None, question)
    }

    /// Opens one slot or both; of two leaves, looks at the triangles.
    fn step<Q: Question>(
        &mut self,
        a: Slot,
        b: Slot,
        question: &mut Q,
        agenda: &mut (impl Agenda + ?Sized),
    ) -> ControlFlow<()> {
        let (parent_a, parent_b) = (&self.a.nodes[a.node()], &self.b.nodes[b.node()]);
        let step = self.next_step((parent_a, a.node() as u32, a.lane()), (parent_b, b.node() as u32, b.lane()));
        self.perform(step, None, question, agenda)
    }

    /// What is to be done about two slots: of which node, by index, and in which lane.
    #[inline(always)]
    fn next_step(&self, (parent_a, a, lane_a): Place<'_>, (parent_b, b, lane_b): Place<'_>) -> Step {
        let mut contents = (parent_a.content(lane_a), parent_b.content(lane_b));
        if self.stand_ins {
            contents = (self.a.stand_in(contents.0), self.b.stand_in(contents.1));
        }
        match contents {
            (Content::Leaf(a), Content::Leaf(b)) => Step::Look(a, b),
            (Content::Node(node), Content::Leaf(_)) => Step::First(node, Slot::new(b, lane_b)),
            (Content::Leaf(_), Content::Node(node)) => Step::Second(Slot::new(a, lane_a), node),
            (Content::Node(node_a), Content::Node(node_b)) => {
                let (size_a, size_b) = (parent_a.size(lane_a), parent_b.size(lane_b));
                if size_a <= OPEN_BOTH * size_b && size_b <= OPEN_BOTH * size_a {
                    Step::Both(node_a, node_b)
                } else if size_a > size_b {
                    Step::First(node_a, Slot::new(b, lane_b))
                } else {
                    Step::Second(Slot::new(a, lane_a), node_b)
                }
            }
        }
    }

    /// Does what a step says, with the record of its frames' relation if there is one.
    #[inline(always)]
    fn perform<Q: Question>(
        &mut self,
        step: Step,
        record: Option<usize>,
        question: &mut Q,
        agenda: &mut (impl Agenda + ?Sized),
    ) -> ControlFlow<()> {
        let (nodes_a, nodes_b, limit) = (&self.a.nodes, &self.b.nodes, limit(question));
        let Room { found, relations, .. } = &mut *self.room;
        let related = record.map(|at| {
            relations.next = at;
            &*relations
        });
        let (parent_a, parent_b) = match step {
            Step::Look(a, b) => return self.look((a, b), record, question),
            Step::Both(a, b) => {
                let nodes = (&nodes_a[a as usize], &nodes_b[b as usize]);
                match related {
                    Some(record) => (self.kernels.related.both)(nodes, record, limit, found),
                    None => (self.kernels.alone.both)(nodes, &self.between, limit, found),
                }
                (a, b)
            }
            Step::First(node, b) => {
                let nodes = (&nodes_a[node as usize], &nodes_b[b.node()]);
                match related {
                    Some(record) => (self.kernels.related.first)(nodes, b.lane(), record, limit, found),
                    None => (self.kernels.alone.first)(nodes, b.lane(), &self.between, limit, found),
                }
                (node, b.node() as u32)
            }
            Step::Second(a, node) => {
                let nodes = (&nodes_a[a.node()], &nodes_b[node as usize]);
                match related {
                    Some(record) => (self.kernels.related.second)(nodes, a.lane(), record, limit, found),
                    None => (self.kernels.alone.second)(nodes, a.lane(), &self.between, limit, found),
                }
                (a.node() as u32, node)
            }
        };
        self.push(parent_a, parent_b, question, agenda);
        ControlFlow::Continue(())
    }

    /// What an opening found goes to the agenda.
    #[inline(always)]
    fn push<Q: Question>(&mut self, a: u32, b: u32, question: &mut Q, agenda: &mut (impl Agenda + ?Sized)) {
        self.stats.volume_tests += self.room.found.tests();
        if self.room.found.dropped() && !question.only_contact() {
            question.left_out(question.threshold());
        }
        if !self.room.found.kept.is_empty() {
            self.push_kept(a, b, question, agenda);
        }
    }

    fn push_steps(&mut self, a: u32, b: u32) {
        let (node_a, node_b) = (&self.a.nodes[a as usize], &self.b.nodes[b as usize]);
        for at in 0..self.room.found.kept.len() {
            let kept = self.room.found.kept[at];
            let step = self.next_step((node_a, a, kept.lane_a()), (node_b, b, kept.lane_b()));
            self.room.open.push(step);
        }
    }

    fn push_kept<Q: Question>(&mut self, a: u32, b: u32, question: &mut Q, agenda: &mut (impl Agenda + ?Sized)) {
        if question.only_contact() {
            self.room.found.deepest_last();
        }
        if self.is_for_contact {
            return self.push_steps(a, b);
        }
        let pair_of = |kept: &Kept| NodePair { a: Slot::new(a, kept.lane_a()).0, b: Slot::new(b, kept.lane_b()).0 };
        if question.only_contact() {
            self.room.found.kept.iter().for_each(|kept| agenda.push(0.0, pair_of(kept)));
        } else if agenda.takes_sorted() {
            // The nearest on top of the stack.
            self.room.found.sort();
            self.room.found.kept.iter().rev().for_each(|kept| agenda.push(key(kept.bound()), pair_of(kept)));
        } else {
            let (node_a, node_b) = (&self.a.nodes[a as usize], &self.b.nodes[b as usize]);
            for kept in self.room.found.kept.iter() {
                let (key, room) = (key(kept.bound()), node_a.size(kept.lane_a()) + node_b.size(kept.lane_b()));
                let room = if question.improves() { ROOM * room } else { 0.0 };
                agenda.suggest(key, key + f64::from(room), pair_of(kept));
            }
            agenda.end_group();
        }
    }

    /// Sifts the triangles of two leaves, and looks at what is left, nearest first.
    #[inline(never)]
    fn look<Q: Question>(
        &mut self,
        (a, b): (u32, u32),
        record: Option<usize>,
        question: &mut Q,
    ) -> ControlFlow<()> {
        let (mesh_a, mesh_b) = (self.meshes.a, self.meshes.b);
        let Room { found, leaves: (room_a, room_b), posed, relations, .. } = &mut *self.room;
        let leaves: (&Leaf, &Leaf) = (
            self.a.leaves.fetched(a, mesh_a, self.a.center, room_a),
            self.b.leaves.fetched(b, mesh_b, self.b.center, room_b),
        );
        match record {
            Some(at) => {
                relations.next = at;
                (self.kernels.related.leaves)(leaves, relations, limit(question), found);
            }
            None => (self.kernels.alone.leaves)(leaves, &self.between, limit(question), found),
        }
        self.stats.volume_tests += found.tests();
        self.stats.triangle_tests += u64::from(found.triangles);
        if found.dropped() && !question.only_contact() {
            question.left_out(question.threshold());
        }
        if question.only_meeting() {
            return self.look_by_fours((a, b), question);
        }
        if !question.only_contact() {
            found.sort();
        }
        let mut known = 0_u32;
        for kept in found.kept.iter() {
            if !question.only_contact() && key(kept.bound()) >= question.threshold() {
                // They are sorted: the others are no nearer.
                question.left_out(question.threshold());
                break;
            }
            let (lane_a, lane_b) = (kept.lane_a(), kept.lane_b());
            let pair = TrianglePair { a: leaves.0.triangles[lane_a], b: leaves.1.triangles[lane_b] };
            if known & (1 << lane_b) == 0 {
                known |= 1 << lane_b;
                posed[lane_b] = self.meshes.posed_b(pair.b);
            }
            question.look(pair, &mesh_a.triangle(pair.a), &posed[lane_b])?;
        }
        ControlFlow::Continue(())
    }

    /// Looks at what is left of two leaves, four pairs at a time: most are certain, one way or the
    /// other, and only the others are looked at one by one.
    fn look_by_fours<Q: Question>(&mut self, (a, b): (u32, u32), question: &mut Q) -> ControlFlow<()> {
        let mesh_a = self.meshes.a;
        let Room { found, posed, four, .. } = &mut *self.room;
        let (ids_a, ids_b) = (self.a.leaves.lanes(a), self.b.leaves.lanes(b));
        let mut known = 0_u32;
        for group in found.kept.chunks(PAIRS) {
            for (place, kept) in group.iter().enumerate() {
                let (id_a, lane_b) = (ids_a[kept.lane_a()], kept.lane_b());
                if known & (1 << lane_b) == 0 {
                    known |= 1 << lane_b;
                    posed[lane_b] = self.meshes.posed_b(ids_b[lane_b]);
                }
                four.set(place, &mesh_a.triangle(id_a), &posed[lane_b]);
            }
            let decided = (self.kernels.meeting)(four);
            for (place, kept) in group.iter().enumerate() {
                let pair = TrianglePair { a: ids_a[kept.lane_a()], b: ids_b[kept.lane_b()] };
                match decided.of(place) {
                    Some(true) => question.met(pair)?,
                    Some(false) => {}
                    None => question.look(pair, &mesh_a.triangle(pair.a), &posed[kept.lane_b()])?,
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Which bounds matter: gaps up to zero, or squared distances below the square of the threshold.
#[inline]
fn limit<Q: Question>(question: &Q) -> f32 {
    if question.only_contact() {
        return f32::MIN_POSITIVE;
    }
    squared_limit(question.threshold())
}

/// A certain lower bound from a computed squared distance.
#[inline]
pub(super) fn key(squared: f32) -> f64 {
    certain_root(squared)
}
