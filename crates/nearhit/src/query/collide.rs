//! Do they touch? Stops at the first contact.

use super::{Pair, Scratch, Settings, TrianglePair};
use crate::mesh::Triangle;
use crate::primitive::intersect::intersects;
use crate::traverse::{Front, Outcome, Question, Stats};
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
#[non_exhaustive]
pub struct Collision {
    /// Do the surfaces share a point?
    pub verdict: Verdict,
    /// Two triangles that do, when the verdict is yes.
    pub witness: Option<TrianglePair>,
    /// Work done.
    pub stats: Stats,
}

impl Collision {
    /// Was everything looked at? False: the budget ran out, and the verdict is maybe.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.verdict != Verdict::Maybe
    }
}

impl Pair<'_> {
    /// Do the two surfaces share a point? Exact: contact of closed triangles, touching included.
    #[must_use]
    pub fn collide(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> Collision {
        self.first_contact(None, settings, scratch)
    }

    /// [`Pair::collide`], started from the front of an earlier query: the same verdict, with less work where the pose has changed little.
    #[must_use]
    pub fn collide_from_front(&self, front: &mut Front, settings: &Settings<'_>, scratch: &mut Scratch) -> Collision {
        self.first_contact(Some(front), settings, scratch)
    }

    fn first_contact(&self, front: Option<&mut Front>, settings: &Settings<'_>, scratch: &mut Scratch) -> Collision {
        if let Some(seed) = self.seed(settings) {
            let (a, b) = self.triangles(seed);
            if intersects(&a, &b) {
                let stats = Stats { triangle_tests: 1, ..Stats::default() };
                return Collision { verdict: Verdict::Yes, witness: Some(seed), stats };
            }
        }
        let mut question = FirstContact { witness: None };
        let (outcome, stats) = self.descend_from(front, &mut question, settings, scratch);
        let verdict = match outcome {
            Outcome::Complete => Verdict::No,
            Outcome::Satisfied => Verdict::Yes,
            Outcome::OutOfBudget { .. } => Verdict::Maybe,
        };
        Collision { verdict, witness: question.witness, stats }
    }
}

struct FirstContact {
    witness: Option<TrianglePair>,
}

impl Question for FirstContact {
    fn only_contact(&self) -> bool {
        true
    }

    fn takes_one_of_equals(&self) -> bool {
        true
    }

    fn threshold(&self) -> f64 {
        f64::MIN_POSITIVE
    }

    #[inline]
    fn look(&mut self, pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()> {
        if !intersects(a, b) {
            return ControlFlow::Continue(());
        }
        self.witness = Some(pair);
        ControlFlow::Break(())
    }
}
