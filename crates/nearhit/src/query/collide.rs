//! Do they touch? Stops at the first contact.

use super::{Pair, Question, Scratch, Settings, TrianglePair};
use crate::primitive::intersect::intersects;
use crate::traverse::{Outcome, PairVisitor, Stats};
use crate::volume::BoundingVolume;
use std::ops::ControlFlow;

/// An answer to a yes/no question, when time may run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Certainly.
    Yes,
    /// Certainly not.
    No,
    /// The budget ran out first.
    Maybe,
}

impl Verdict {
    /// `None` for maybe.
    #[must_use]
    pub fn known(self) -> Option<bool> {
        match self {
            Self::Yes => Some(true),
            Self::No => Some(false),
            Self::Maybe => None,
        }
    }
}

/// The answer of [`Pair::collide`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collision {
    /// Do the surfaces share a point?
    pub verdict: Verdict,
    /// Two triangles that do, when the verdict is yes.
    pub witness: Option<TrianglePair>,
    /// Work done.
    pub stats: Stats,
}

impl Pair<'_> {
    /// Do the two surfaces share a point? Exact: contact of closed triangles, touching included.
    #[must_use]
    pub fn collide(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> Collision {
        if let Some(seed) = self.seed(settings) {
            let (a, b) = self.triangles(seed);
            if intersects(&a, &b) {
                let stats = Stats { triangle_tests: 1, ..Stats::default() };
                return Collision { verdict: Verdict::Yes, witness: Some(seed), stats };
            }
        }
        let mut question = FirstContact { pair: self, witness: None };
        let (outcome, stats) = self.descend(&mut question, settings, scratch);
        let verdict = match outcome {
            Outcome::Complete => Verdict::No,
            Outcome::Satisfied => Verdict::Yes,
            Outcome::OutOfBudget { .. } => Verdict::Maybe,
        };
        Collision { verdict, witness: question.witness, stats }
    }
}

struct FirstContact<'q, 'm> {
    pair: &'q Pair<'m>,
    witness: Option<TrianglePair>,
}

impl Question for FirstContact<'_, '_> {
    fn visitor<V: BoundingVolume>(&mut self) -> impl PairVisitor<V> {
        self
    }
}

impl<V: BoundingVolume> PairVisitor<V> for &mut FirstContact<'_, '_> {
    #[inline]
    fn enter(&mut self, a: &V::Placed, b: &V) -> Option<f64> {
        (!b.disjoint(a)).then_some(0.0)
    }

    fn leaves(&mut self, a: &[u32], b: &[u32]) -> (u64, ControlFlow<()>) {
        let FirstContact { pair, ref mut witness } = **self;
        pair.each_pair(a, b, |found, triangle_a, triangle_b| {
            if !intersects(triangle_a, triangle_b) {
                return ControlFlow::Continue(());
            }
            *witness = Some(found);
            ControlFlow::Break(())
        })
    }
}
