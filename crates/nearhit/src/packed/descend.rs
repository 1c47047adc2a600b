//! BVH traversal of the default engine, the descent of two packed trees:
//! [`crate::traverse::traverse`] with nodes that are opened eight at a time.
//!
//! Pairs of slots go to the agenda with their bound; of two nodes both are opened, or the larger;
//! the triangles of two leaves are sifted, and what is left of them is looked at.

use super::Packed;
use super::contact::Open;
use super::dive::{Guess, guess};
use super::facing::Relations;
use super::kernels::{Kernels, Path, Together};
use super::lane_pairs::{Kept, LanePairs};
use super::lanes::WIDTH;
use super::node::{Content, Leaf, Slot};
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

/// Working memory of a descent.
#[derive(Debug)]
pub(crate) struct Room {
    pub(super) found: LanePairs,
    /// What is left to do of a search for contact.
    pub(super) open: Open,
    /// Of pairs whose frames are related together.
    pub(super) relations: Relations,
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
            open: Open::default(),
            relations: Relations::NONE,
            leaves: <(Leaf, Leaf)>::default(),
            posed: Default::default(),
            four: Four::default(),
        }
    }
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
    let (kernels, together) = (Path::chosen().kernels(question.only_contact()), &Path::chosen().together);
    let stand_ins = question.takes_one_of_equals() && !(a.twins.is_empty() && b.twins.is_empty());
    // The boxes of bare leaves are not known before these are fetched.
    let is_for_contact = question.only_contact() && agenda.takes_sorted() && !a.is_compact() && !b.is_compact();
    let stats = Stats::default();
    Descent { a, b, between, meshes, kernels, together, room, stand_ins, is_for_contact, stats }
        .run(question, agenda, budget)
}

/// How far the balls around the wholes are apart, at least: round bodies far from each other need
/// no look at their boxes.
fn gap_of_balls((a, b): (&Packed, &Packed), translation: DVec3, slack: f64) -> f64 {
    let (apart, radii) = (length(translation), a.radius + b.radius);
    apart - radii - slack - 16.0 * f64::EPSILON * (apart + radii)
}

/// What is done about an open pair.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Open(Opening),
    /// The triangles of two leaves are looked at.
    Look(u32, u32),
}

/// Two nodes that are opened, or one beside a slot of the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opening {
    pub(super) a: u32,
    pub(super) b: u32,
    which: Which,
}

#[derive(Debug, Clone, Copy)]
enum Which {
    Both,
    /// The node of a, beside a slot of b's.
    First {
        lane_b: u8,
    },
    /// The node of b, beside a slot of a's.
    Second {
        lane_a: u8,
    },
}

pub(super) struct Descent<'t> {
    pub(super) a: &'t Packed,
    pub(super) b: &'t Packed,
    pub(super) between: Between,
    meshes: &'t PosedMeshes<'t>,
    kernels: &'t Kernels,
    pub(super) together: &'t Together,
    pub(super) room: &'t mut Room,
    /// Is one of several equal triangles enough, and are there any?
    stand_ins: bool,
    /// Is only contact asked for, in the order of a stack? Then its own stack is used.
    is_for_contact: bool,
    pub(super) stats: Stats,
}

impl Descent<'_> {
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
            return (self.run_for_contact(question, budget), self.stats);
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

    /// The first nodes have one slot each: the wholes. What is in them is opened at once, since an
    /// opening begins with the wholes; two leaves wait, as the budget may not allow for them.
    fn start<Q: Question>(&mut self, question: &mut Q, agenda: &mut (impl Agenda + ?Sized)) {
        let (whole, root_a, root_b) = (Slot::new(0, 0), &self.a.nodes[0], &self.b.nodes[0]);
        let two_leaves = matches!((root_a.content(0), root_b.content(0)), (Content::Leaf(_), Content::Leaf(_)));
        // Nothing but two leaves ends a search.
        if two_leaves || self.step(whole, whole, question, agenda).is_break() {
            if self.is_for_contact {
                self.defer((0, 0), (0, 0));
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
        match self.next_step((a.node() as u32, a.lane()), (b.node() as u32, b.lane())) {
            Step::Look(leaf_a, leaf_b) => self.look((leaf_a, leaf_b), None, question),
            Step::Open(opening) => {
                self.open(opening, None, limit(question));
                self.push((opening.a, opening.b), question, agenda);
                ControlFlow::Continue(())
            }
        }
    }

    /// What is to be done about two slots: of which node, and in which lane.
    #[inline(always)]
    pub(super) fn next_step(&self, (a, lane_a): (u32, usize), (b, lane_b): (u32, usize)) -> Step {
        let (parent_a, parent_b) = (&self.a.nodes[a as usize], &self.b.nodes[b as usize]);
        let mut contents = (parent_a.content(lane_a), parent_b.content(lane_b));
        if self.stand_ins {
            contents = (self.a.stand_in(contents.0), self.b.stand_in(contents.1));
        }
        let sizes = (parent_a.size(lane_a), parent_b.size(lane_b));
        match contents {
            (Content::Leaf(a), Content::Leaf(b)) => Step::Look(a, b),
            (Content::Node(a), Content::Node(b))
                if sizes.0 <= OPEN_BOTH * sizes.1 && sizes.1 <= OPEN_BOTH * sizes.0 =>
            {
                Step::Open(Opening { a, b, which: Which::Both })
            }
            (Content::Node(a), other) if sizes.0 > sizes.1 || matches!(other, Content::Leaf(_)) => {
                Step::Open(Opening { a, b, which: Which::First { lane_b: lane_b as u8 } })
            }
            (_, Content::Node(b)) => Step::Open(Opening { a, b, which: Which::Second { lane_a: lane_a as u8 } }),
            (_, Content::Leaf(_)) => unreachable!("a node against a leaf is opened above, two leaves are looked at"),
        }
    }

    /// Opens what is to be opened, with the relation of its frames if that is known.
    #[inline(always)]
    pub(super) fn open(&mut self, Opening { a, b, which }: Opening, related: Option<usize>, limit: f32) {
        let nodes = (&self.a.nodes[a as usize], &self.b.nodes[b as usize]);
        let Room { found, relations, .. } = &mut *self.room;
        let Some(at) = related else {
            let sifters = self.kernels;
            return match which {
                Which::Both => (sifters.both)(nodes, &self.between, limit, found),
                Which::First { lane_b } => (sifters.first)(nodes, lane_b.into(), &self.between, limit, found),
                Which::Second { lane_a } => (sifters.second)(nodes, lane_a.into(), &self.between, limit, found),
            };
        };
        relations.next = at;
        let sifters = &self.together.related;
        match which {
            Which::Both => (sifters.both)(nodes, relations, limit, found),
            Which::First { lane_b } => (sifters.first)(nodes, lane_b.into(), relations, limit, found),
            Which::Second { lane_a } => (sifters.second)(nodes, lane_a.into(), relations, limit, found),
        }
    }

    /// What an opening found goes to the agenda.
    #[inline(always)]
    fn push<Q: Question>(&mut self, (a, b): (u32, u32), question: &mut Q, agenda: &mut (impl Agenda + ?Sized)) {
        self.stats.volume_tests += self.room.found.tests();
        if self.room.found.dropped() && !question.only_contact() {
            question.left_out(question.threshold());
        }
        if !self.room.found.kept.is_empty() {
            self.push_kept(a, b, question, agenda);
        }
    }

    fn push_kept<Q: Question>(&mut self, a: u32, b: u32, question: &mut Q, agenda: &mut (impl Agenda + ?Sized)) {
        if self.is_for_contact {
            return self.defer_kept(a, b);
        }
        if question.only_contact() {
            self.room.found.deepest_last();
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
    pub(super) fn look<Q: Question>(
        &mut self,
        (a, b): (u32, u32),
        related: Option<usize>,
        question: &mut Q,
    ) -> ControlFlow<()> {
        let (mesh_a, mesh_b) = (self.meshes.a, self.meshes.b);
        let Room { found, leaves: (room_a, room_b), posed, relations, .. } = &mut *self.room;
        let leaves: (&Leaf, &Leaf) = (
            self.a.leaves.fetched(a, mesh_a, self.a.center, room_a),
            self.b.leaves.fetched(b, mesh_b, self.b.center, room_b),
        );
        match related {
            Some(at) => {
                relations.next = at;
                (self.together.related.leaves)(leaves, relations, limit(question), found);
            }
            None => (self.kernels.leaves)(leaves, &self.between, limit(question), found),
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
            let decided = (self.together.meeting)(four);
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
pub(super) fn limit<Q: Question>(question: &Q) -> f32 {
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
