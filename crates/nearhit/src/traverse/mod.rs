//! The one descent of two trees. Every query of every volume is this function with another visitor.
//!
//! *What is asked* is the visitor's; *which pair next* the agenda's; *when to stop* the budget's; *which of two nodes to open* the
//! [`Opening`]'s.

pub mod agenda;
pub mod budget;
mod memo;

pub use agenda::{Agenda, AgendaKind, BestFirst, BreadthFirst, DepthFirst, NodePair};
pub use budget::{Budget, Clock};
pub(crate) use memo::Memo;

use crate::hierarchy::{Content, Hierarchy};
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
    /// The visitor had what it wanted.
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

/// What is asked of the pairs that a descent meets.
pub trait PairVisitor<V: BoundingVolume> {
    /// Looks at two volumes: `None` culls the pair, a key keeps it (smaller keys are more urgent).
    fn enter(&mut self, a: &V::Placed, b: &V) -> Option<f64>;

    /// Is a pair with this key still of interest when its turn comes?
    fn keep(&mut self, _key: f64) -> bool {
        true
    }

    /// Looks at the triangles of two leaves. Returns how many pairs were tested and whether to go on.
    fn leaves(&mut self, a: &[u32], b: &[u32]) -> (u64, ControlFlow<()>);
}

/// Descends two trees at once.
pub(crate) fn traverse<V: BoundingVolume>(
    trees: Trees<'_, V>,
    visitor: &mut impl PairVisitor<V>,
    agenda: &mut impl Agenda,
    budget: &Budget<'_>,
) -> (Outcome, Stats) {
    let mut descent = Descent { trees, stats: Stats::default() };
    agenda.clear();
    descent.enter(Hierarchy::<V>::ROOT, Hierarchy::<V>::ROOT, visitor, agenda);
    while let Some((key, pair)) = agenda.pop() {
        if !visitor.keep(key) {
            continue;
        }
        if budget.is_spent(&descent.stats) {
            let open = agenda.min_key().map_or(key, |others| others.min(key));
            return (Outcome::OutOfBudget { open }, descent.stats);
        }
        if descent.step(pair, visitor, agenda).is_break() {
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
}

struct Descent<'t, V: BoundingVolume> {
    trees: Trees<'t, V>,
    stats: Stats,
}

impl<V: BoundingVolume> Descent<'_, V> {
    #[inline]
    fn enter(&mut self, a: u32, b: u32, visitor: &mut impl PairVisitor<V>, agenda: &mut impl Agenda) {
        let Trees { a: tree_a, b: tree_b, motion, ref mut memo, .. } = self.trees;
        let (placed, made) = memo.get_or_place(a, || tree_a.node(a).volume.place(motion));
        self.stats.updates += u64::from(made);
        self.stats.volume_tests += 1;
        if let Some(key) = visitor.enter(placed, &tree_b.node(b).volume) {
            agenda.push(key, NodePair { a, b });
        }
    }

    #[inline]
    fn step(&mut self, pair: NodePair, visitor: &mut impl PairVisitor<V>, agenda: &mut impl Agenda) -> ControlFlow<()> {
        let (tree_a, tree_b) = (self.trees.a, self.trees.b);
        let (node_a, node_b) = (tree_a.node(pair.a), tree_b.node(pair.b));
        match (node_a.content(), node_b.content()) {
            (Content::Triangles(run_a), Content::Triangles(run_b)) => {
                let (tests, flow) = visitor.leaves(tree_a.triangles(run_a), tree_b.triangles(run_b));
                self.stats.triangle_tests += tests;
                return flow;
            }
            (Content::Children(children), other) if self.opens_a(&node_a.volume, &node_b.volume, &other) => {
                children.for_each(|child| self.enter(child, pair.b, visitor, agenda));
            }
            (_, Content::Children(children)) => {
                children.for_each(|child| self.enter(pair.a, child, visitor, agenda));
            }
            (Content::Children(_), Content::Triangles(_)) => unreachable!("an inner node against a leaf is opened"),
        }
        agenda.end_group();
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
