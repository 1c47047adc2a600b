//! BVH traversal: the descent of two trees of bounding volumes. Every query of every classic volume
//! is this function with another question.
//!
//! *What is asked* is the question's; *which pair next* the agenda's; *when to stop* the budget's;
//! *which of two nodes to open* the [`Opening`]'s.

mod agenda;
mod budget;
#[cfg(test)]
mod dilation_tests;
mod front;
mod guided;
mod memo;
mod posed;

pub(crate) use agenda::{Agenda, BestFirst, BreadthFirst, DepthFirst, NestedBestFirst, PlainDepthFirst};
pub use agenda::{AgendaKind, NodePair};
pub use budget::{Budget, Clock, Limit, LimitError, WallClock};
pub use front::Front;
pub(crate) use front::Record;
pub(crate) use guided::Guided;
pub(crate) use memo::Memo;
pub(crate) use posed::PosedMeshes;
pub use posed::TrianglePair;

use crate::hierarchy::{Climbs, Content, Hierarchy};
use crate::mesh::Triangle;
use crate::volume::BoundingVolume;
use std::ops::{AddAssign, ControlFlow};

/// Work done by a query, in the papers' units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Stats {
    /// N_v: pairs of volumes tested.
    pub volume_tests: u64,
    /// N_p: pairs of triangles tested.
    pub triangle_tests: u64,
    /// N_u: volumes of a brought into b's frame.
    pub updates: u64,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.volume_tests += other.volume_tests;
        self.triangle_tests += other.triangle_tests;
        self.updates += other.updates;
    }
}

/// How a descent ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Outcome {
    /// Everything was looked at or culled.
    Complete,
    /// The question is answered.
    Satisfied,
    /// The budget ran out with pairs still open.
    OutOfBudget {
        /// The smallest key among them.
        open: f64,
    },
}

/// Which of two overlapping nodes to replace by its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Opening {
    /// The larger one.
    #[default]
    Larger,
    /// Always b's until it is a leaf: Algorithm 1 of the k-DOP paper, with b the environment.
    EnvironmentFirst,
    /// Always a's until it is a leaf.
    ObjectFirst,
    /// Both: each child of the one with each child of the other (swept-sphere paper, §3.1).
    Both,
    /// As [`Opening::EnvironmentFirst`], but wherever an inner node of a meets a leaf of b, each
    /// child of that node starts again at b's root: the k-DOP paper's variant (§4.2), to the
    /// letter. A node that meets m leaves is searched m times, on every level anew, so the work can
    /// grow with the product over the levels: an instrument, to be used with a budget. Without a
    /// front only; with one it is the same as [`Opening::EnvironmentFirst`].
    RestartEvery,
    /// As before, but the first leaf of b that an inner node of a meets ends that node's search:
    /// its children start again at b's root, once (the paper's variant without the repetition).
    /// Without a front only; with one it is the same as [`Opening::EnvironmentFirst`].
    Restart,
}

impl Opening {
    /// The rule where a descent starts from a front: all that was open of a node before a restart
    /// is not in it.
    pub(crate) fn beginning_with_front(self) -> Self {
        match self {
            Self::Restart | Self::RestartEvery => Self::EnvironmentFirst,
            other => other,
        }
    }
}

/// What is asked of the pairs that a descent meets. The same question is put to every engine: the
/// default one is compiled for each question, the descent of a classic volume once for all (a
/// virtual call is little beside a test of two volumes, and fourteen volumes times seven questions
/// took minutes to compile).
pub(crate) trait Question {
    /// Is it only about contact? Then [`BoundingVolume::disjoint`] culls, which may be far cheaper
    /// than a distance.
    fn only_contact(&self) -> bool;

    /// Does every good find make the rest of the search cheaper?
    fn improves(&self) -> bool {
        false
    }

    /// Is it worth a little work to look at a pair that is probably near before all others? That
    /// pair may be looked at once more.
    fn wants_guess(&self) -> bool {
        false
    }

    /// Does one pair of triangles stand for all pairs with the same corners? Not where all pairs
    /// are asked for.
    fn takes_one_of_equals(&self) -> bool {
        false
    }

    /// Is whether they intersect all that it asks of two triangles? Then those that certainly do
    /// are only named ([`Question::met`]), and those that certainly do not are left out.
    fn only_meeting(&self) -> bool {
        false
    }

    /// Two triangles intersect.
    fn met(&mut self, _pair: TrianglePair) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Only pairs with a lower bound below this can matter. It may fall while the search goes on,
    /// and never rises.
    fn threshold(&self) -> f64;

    /// Two nodes of classic trees were compared. For instruments.
    #[cfg(test)]
    fn compared(&mut self, _pair: NodePair) {}

    /// Something with this lower bound was left out.
    fn left_out(&mut self, _bound: f64) {}

    /// Looks at two triangles, both in a's frame, and says whether to go on. On trees with tiles
    /// (and after a guess) the same two may come again: what counts pairs must know those it has.
    fn look(&mut self, pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()>;
}

/// Descends two trees at once.
pub(crate) fn traverse<V: BoundingVolume>(
    trees: Trees<'_, V>,
    question: &mut dyn Question,
    agenda: &mut dyn Agenda,
    budget: &Budget<'_>,
    record: &mut Record<'_>,
) -> (Outcome, Stats) {
    let mut descent = Descent { trees, only_contact: question.only_contact(), stats: Stats::default() };
    agenda.clear();
    let outcome = descent.run_from_starts(question, agenda, budget, record);
    while let Some(pair) = agenda.pop().map(|(_, pair)| pair).or_else(|| record.next_start()) {
        record.leave(pair);
    }
    (outcome, descent.stats)
}

/// Two trees, how they lie, and room for a's placed volumes.
#[derive(Debug)]
pub(crate) struct Trees<'t, V: BoundingVolume> {
    pub(crate) a: &'t Hierarchy<V>,
    pub(crate) b: &'t Hierarchy<V>,
    pub(crate) motion: &'t V::Motion,
    pub(crate) opening: Opening,
    pub(crate) memo: &'t mut Memo<V::Placed>,
    /// Where the climbs of the last query ended, if they are to be remembered.
    pub(crate) climbs: Option<&'t mut Climbs>,
    /// For the triangles themselves.
    pub(crate) meshes: &'t PosedMeshes<'t>,
}

/// The key of a pair of volumes that are not only asked for contact, unless it cannot matter.
#[inline]
fn bound<V: BoundingVolume>(question: &mut dyn Question, a: &V::Placed, b: &V) -> Option<f64> {
    let threshold = question.threshold();
    let bound = b.lower_bound_up_to(a, threshold);
    // What is not a number is no reason to leave anything out.
    if bound.is_nan() {
        return Some(0.0);
    }
    if bound < threshold {
        return Some(bound);
    }
    question.left_out(bound);
    None
}

struct Descent<'t, V: BoundingVolume> {
    trees: Trees<'t, V>,
    /// Of the question, asked once.
    only_contact: bool,
    stats: Stats,
}

impl<V: BoundingVolume> Descent<'_, V> {
    fn run_from_starts(
        &mut self,
        question: &mut dyn Question,
        agenda: &mut dyn Agenda,
        budget: &Budget<'_>,
        record: &mut Record<'_>,
    ) -> Outcome {
        while let Some(start) = record.next_start() {
            if self.stats.volume_tests > 0 && budget.is_spent(&self.stats) {
                record.leave(start);
                return Outcome::OutOfBudget { open: 0.0 };
            }
            self.enter(start, question, agenda, record);
            // A contact may end the search before the other starts are even tested; for a distance
            // all of them compete.
            if self.only_contact {
                let outcome = self.run(question, agenda, budget, record);
                if outcome != Outcome::Complete {
                    return outcome;
                }
            }
        }
        self.run(question, agenda, budget, record)
    }

    fn run(
        &mut self,
        question: &mut dyn Question,
        agenda: &mut dyn Agenda,
        budget: &Budget<'_>,
        record: &mut Record<'_>,
    ) -> Outcome {
        while let Some((key, pair)) = agenda.pop() {
            if self.trees.opening == Opening::Restart && self.trees.memo.is_closed(pair.a) {
                continue;
            }
            if !self.only_contact && key >= question.threshold() {
                question.left_out(key);
                record.leave(pair);
                continue;
            }
            if budget.is_spent(&self.stats) {
                let open = agenda.min_key().map_or(key, |others| others.min(key));
                record.leave(pair);
                return Outcome::OutOfBudget { open };
            }
            if self.step(pair, question, agenda, record).is_break() {
                return Outcome::Satisfied;
            }
        }
        Outcome::Complete
    }

    #[inline]
    fn enter(&mut self, pair: NodePair, question: &mut dyn Question, agenda: &mut dyn Agenda, record: &mut Record<'_>) {
        let NodePair { a, b } = pair;
        let Trees { a: tree_a, b: tree_b, motion, ref mut memo, ref mut climbs, .. } = self.trees;
        let (placed, made) = memo.get_or_place(a, || match climbs {
            Some(climbs) => tree_a.place_from(a, motion, climbs),
            None => tree_a.place(a, motion),
        });
        self.stats.updates += u64::from(made);
        self.stats.volume_tests += 1;
        #[cfg(test)]
        question.compared(pair);
        let volume = &tree_b.node(b).volume;
        let key =
            if self.only_contact { (!volume.disjoint(placed)).then_some(0.0) } else { bound(question, placed, volume) };
        match key {
            Some(key) => agenda.push(key, pair),
            None => record.leave(pair),
        }
    }

    #[inline]
    fn step(
        &mut self,
        pair: NodePair,
        question: &mut dyn Question,
        agenda: &mut dyn Agenda,
        record: &mut Record<'_>,
    ) -> ControlFlow<()> {
        let (tree_a, tree_b) = (self.trees.a, self.trees.b);
        let (node_a, node_b) = (tree_a.node(pair.a), tree_b.node(pair.b));
        match (node_a.content(), node_b.content()) {
            (Content::Triangles(run_a), Content::Triangles(run_b)) => {
                record.leave(pair);
                return self.look(tree_a.triangles(run_a), tree_b.triangles(run_b), question);
            }
            (Content::Children(of_a), Content::Children(of_b)) if self.trees.opening == Opening::Both => {
                for a in of_a {
                    of_b.clone().for_each(|b| self.enter(NodePair { a, b }, question, agenda, record));
                }
            }
            (Content::Children(children), other) if self.opens_a(&node_a.volume, &node_b.volume, &other) => {
                let b = self.resumes_at(pair);
                children.for_each(|a| self.enter(NodePair { a, b }, question, agenda, record));
            }
            (_, Content::Children(children)) => {
                children.for_each(|b| self.enter(NodePair { b, ..pair }, question, agenda, record));
            }
            (Content::Children(_), Content::Triangles(_)) => unreachable!("an inner node against a leaf is opened"),
        }
        agenda.end_group();
        ControlFlow::Continue(())
    }

    /// Which node of b the children of a's node are compared with first.
    fn resumes_at(&mut self, pair: NodePair) -> u32 {
        match self.trees.opening {
            // The node's search ends here, its children take over: all that is still open of it is
            // theirs, too.
            Opening::Restart => {
                self.trees.memo.close(pair.a);
                Hierarchy::<V>::ROOT
            }
            Opening::RestartEvery => Hierarchy::<V>::ROOT,
            _ => pair.b,
        }
    }

    /// Every triangle of one leaf against every triangle of the other.
    fn look(&mut self, a: &[u32], b: &[u32], question: &mut dyn Question) -> ControlFlow<()> {
        let meshes = self.trees.meshes;
        for &index_b in b {
            let triangle_b = meshes.posed_b(index_b);
            for &index_a in a {
                self.stats.triangle_tests += 1;
                question.look(TrianglePair { a: index_a, b: index_b }, &meshes.a.triangle(index_a), &triangle_b)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn opens_a(&self, a: &V, b: &V, content_b: &Content) -> bool {
        match (content_b, self.trees.opening) {
            (Content::Triangles(_), _) => true,
            (Content::Children(_), Opening::EnvironmentFirst | Opening::Restart | Opening::RestartEvery) => false,
            (Content::Children(_), Opening::ObjectFirst) => true,
            // With both inner nodes both are opened before this is asked.
            (Content::Children(_), Opening::Larger | Opening::Both) => a.size() > b.size(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Placement;

    /// A volume that has lost its numbers.
    #[derive(Debug, Clone, Copy, PartialEq)]
    struct Lost(f64);

    impl crate::volume::sealed::Sealed for Lost {}

    impl BoundingVolume for Lost {
        type Motion = ();
        type Placed = Self;
        const NAME: &'static str = "lost";

        fn fit(_triangles: &[Triangle]) -> Self {
            Self(f64::NAN)
        }
        fn size(&self) -> f64 {
            self.0
        }
        fn motion(_placement: &Placement) {}
        fn place(&self, _motion: &()) -> Self {
            *self
        }
        fn disjoint(&self, a: &Self) -> bool {
            self.lower_bound(a) > 0.0
        }
        fn lower_bound(&self, a: &Self) -> f64 {
            self.0 - a.0
        }
    }

    struct Nearer(f64);

    impl Question for Nearer {
        fn only_contact(&self) -> bool {
            false
        }
        fn threshold(&self) -> f64 {
            self.0
        }
        fn look(&mut self, _pair: TrianglePair, _a: &Triangle, _b: &Triangle) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }

    /// Bounds decide where they are numbers; where not, the pair stays.
    #[test]
    fn what_is_not_a_number_is_not_left_out() {
        let key = |length: f64| bound(&mut Nearer(1.0), &Lost(0.0), &Lost(length));
        assert_eq!((key(0.5), key(1.0), key(f64::NAN)), (Some(0.5), None, Some(0.0)));
    }
}
