//! Collision test: do two surfaces touch? Stops at the first contact.

use super::{Pair, Scratch, Settings, TrianglePair};
use crate::mesh::Triangle;
use crate::primitive::intersect::intersects;
use crate::traverse::{Front, Outcome, Question, Stats};
use std::ops::ControlFlow;

/// Answer to a yes/no query: yes, no, or maybe if the budget ran out.
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
    /// As a boolean; `None` for maybe.
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
    /// Is the verdict known? False: the budget ran out, and the verdict is maybe.
    pub is_complete: bool,
    /// Work done.
    pub stats: Stats,
}

impl Pair<'_> {
    /// Collision test: do the two surfaces share a point? Exact: contact of closed triangles,
    /// touching included.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings, Verdict};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(1.5, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// let found = pair.collide(&Settings::default(), &mut scratch);
    /// assert_eq!(found.verdict, Verdict::Yes);
    /// assert!(found.witness.is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "collision detection")]
    #[doc(alias = "intersection test")]
    #[doc(alias = "interference detection")]
    #[must_use]
    pub fn collide(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> Collision {
        self.first_contact(None, settings, scratch)
    }

    /// [`Pair::collide`], started from the front of an earlier query: the same verdict, with less
    /// work where the pose has changed little.
    #[must_use]
    pub(crate) fn collide_from_front(
        &self,
        front: &mut Front,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Collision {
        self.first_contact(Some(front), settings, scratch)
    }

    fn first_contact(&self, front: Option<&mut Front>, settings: &Settings<'_>, scratch: &mut Scratch) -> Collision {
        if let Some(seed) = self.seed(settings) {
            let (a, b) = self.triangles(seed);
            if intersects(&a, &b) {
                let stats = Stats { triangle_tests: 1, ..Stats::default() };
                return Collision { verdict: Verdict::Yes, witness: Some(seed), is_complete: true, stats };
            }
        }
        let mut question = FirstContact { witness: None };
        let (outcome, stats) = self.descend_from(front, &mut question, settings, scratch);
        let verdict = match outcome {
            Outcome::Complete => Verdict::No,
            Outcome::Satisfied => Verdict::Yes,
            Outcome::OutOfBudget { .. } => Verdict::Maybe,
        };
        Collision { verdict, witness: question.witness, is_complete: verdict != Verdict::Maybe, stats }
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

    fn only_meeting(&self) -> bool {
        true
    }

    fn threshold(&self) -> f64 {
        f64::MIN_POSITIVE
    }

    #[inline]
    fn met(&mut self, pair: TrianglePair) -> ControlFlow<()> {
        self.witness = Some(pair);
        ControlFlow::Break(())
    }

    #[inline]
    fn look(&mut self, pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()> {
        if intersects(a, b) { self.met(pair) } else { ControlFlow::Continue(()) }
    }
}
