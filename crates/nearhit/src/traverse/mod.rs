//! The one descent of two trees. Every query of every volume is this function with another question.
//!
//! *What is asked* is the question's; *which pair next* the agenda's; *when to stop* the budget's; *which of two nodes to open* the
//! [`Opening`]'s.

pub mod agenda;
pub mod budget;
#[cfg(test)]
mod dilation_tests;
mod guided;
mod memo;

pub use agenda::{Agenda, AgendaKind, BestFirst, BreadthFirst, DepthFirst, NodePair, PlainDepthFirst};
pub use budget::{Budget, Clock};
pub(crate) use guided::Guided;
pub(crate) use memo::Memo;

use crate::hierarchy::{Content, Hierarchy};
use crate::mesh::Triangle;
use crate::query::{Pair, TrianglePair};
use crate::volume::BoundingVolume;
use std::ops::{AddAssign, ControlFlow};

/// Work done by a query, in the papers' units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
pub enum Outcome {
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
pub enum Opening {
    /// The larger one.
    #[default]
    Larger,
    /// Always b's until it is a leaf: Algorithm 1 of the k-DOP paper, with b the environment.
    EnvironmentFirst,
}

/// What is asked of the pairs that a descent meets. The same question is put to every engine.
pub(crate) trait Question {
    /// Is it only about contact? Then [`BoundingVolume::disjoint`] culls, which may be far cheaper than a distance.
    const ONLY_CONTACT: bool;

    /// Does every good find make the rest of the search cheaper?
    const IMPROVES: bool = false;

    /// Only pairs with a lower bound below this can matter. It may fall while the search goes on, and never rises.
    fn threshold(&self) -> f64;

    /// Two nodes of classic trees were compared. For instruments; nothing is left of it in a question that does not listen.
    #[inline]
    fn compared(&mut self, _pair: NodePair) {}

    /// Something with this lower bound was left out.
    fn left_out(&mut self, _bound: f64) {}

    /// Looks at two triangles, both in a's frame, and says whether to go on.
    fn look(&mut self, pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()>;
}

/// Descends two trees at once.
pub(crate) fn traverse<V: BoundingVolume>(
    trees: Trees<'_, V>,
    question: &mut impl Question,
    agenda: &mut dyn Agenda,
    budget: &Budget<'_>,
) -> (Outcome, Stats) {
    let mut descent = Descent { trees, stats: Stats::default() };
    agenda.clear();
    descent.enter(Hierarchy::<V>::ROOT, Hierarchy::<V>::ROOT, question, agenda);
    while let Some((key, pair)) = agenda.pop() {
        if !still_matters(question, key) {
            continue;
        }
        if budget.is_spent(&descent.stats) {
            let open = agenda.min_key().map_or(key, |others| others.min(key));
            return (Outcome::OutOfBudget { open }, descent.stats);
        }
        if descent.step(pair, question, agenda).is_break() {
            return (Outcome::Satisfied, descent.stats);
        }
    }
    (Outcome::Complete, descent.stats)
}

/// Two trees, how they lie, and room for a's placed volumes.
#[derive(Debug)]
pub(crate) struct Trees<'t, V: BoundingVolume> {
    pub(crate) a: &'t Hierarchy<V>,
    pub(crate) b: &'t Hierarchy<V>,
    pub(crate) motion: &'t V::Motion,
    pub(crate) opening: Opening,
    pub(crate) memo: &'t mut Memo<V::Placed>,
    /// For the triangles themselves.
    pub(crate) pair: &'t Pair<'t>,
}

/// The key of a pair of volumes, unless it cannot matter.
#[inline]
fn bound<V: BoundingVolume, Q: Question>(question: &mut Q, a: &V::Placed, b: &V) -> Option<f64> {
    if Q::ONLY_CONTACT {
        return (!b.disjoint(a)).then_some(0.0);
    }
    let bound = b.lower_bound_up_to(a, question.threshold());
    still_matters(question, bound).then_some(bound)
}

#[inline]
fn still_matters<Q: Question>(question: &mut Q, bound: f64) -> bool {
    let matters = bound < question.threshold();
    if !matters {
        question.left_out(bound);
    }
    matters
}

struct Descent<'t, V: BoundingVolume> {
    trees: Trees<'t, V>,
    stats: Stats,
}

impl<V: BoundingVolume> Descent<'_, V> {
    #[inline]
    fn enter(&mut self, a: u32, b: u32, question: &mut impl Question, agenda: &mut dyn Agenda) {
        let Trees { a: tree_a, b: tree_b, motion, ref mut memo, .. } = self.trees;
        let (placed, made) = memo.get_or_place(a, || tree_a.place(a, motion));
        self.stats.updates += u64::from(made);
        self.stats.volume_tests += 1;
        question.compared(NodePair { a, b });
        if let Some(key) = bound(question, placed, &tree_b.node(b).volume) {
            agenda.push(key, NodePair { a, b });
        }
    }

    #[inline]
    fn step(&mut self, pair: NodePair, question: &mut impl Question, agenda: &mut dyn Agenda) -> ControlFlow<()> {
        let (tree_a, tree_b) = (self.trees.a, self.trees.b);
        let (node_a, node_b) = (tree_a.node(pair.a), tree_b.node(pair.b));
        match (node_a.content(), node_b.content()) {
            (Content::Triangles(run_a), Content::Triangles(run_b)) => {
                return self.look(tree_a.triangles(run_a), tree_b.triangles(run_b), question);
            }
            (Content::Children(children), other) if self.opens_a(&node_a.volume, &node_b.volume, &other) => {
                children.for_each(|child| self.enter(child, pair.b, question, agenda));
            }
            (_, Content::Children(children)) => {
                children.for_each(|child| self.enter(pair.a, child, question, agenda));
            }
            (Content::Children(_), Content::Triangles(_)) => unreachable!("an inner node against a leaf is opened"),
        }
        agenda.end_group();
        ControlFlow::Continue(())
    }

    /// Every triangle of one leaf against every triangle of the other.
    fn look(&mut self, a: &[u32], b: &[u32], question: &mut impl Question) -> ControlFlow<()> {
        let pair = self.trees.pair;
        for &index_b in b {
            let triangle_b = pair.posed_b(index_b);
            for &index_a in a {
                self.stats.triangle_tests += 1;
                question.look(
                    TrianglePair { a: index_a, b: index_b },
                    &pair.a().mesh().triangle(index_a),
                    &triangle_b,
                )?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn opens_a(&self, a: &V, b: &V, content_b: &Content) -> bool {
        match (content_b, self.trees.opening) {
            (Content::Triangles(_), _) => true,
            (Content::Children(_), Opening::EnvironmentFirst) => false,
            (Content::Children(_), Opening::Larger) => a.size() > b.size(),
        }
    }
}
