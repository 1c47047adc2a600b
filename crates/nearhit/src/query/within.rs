//! Tolerance verification (clearance): are two surfaces closer than t? Stops at the first pair of
//! triangles that is.

use super::{Interval, Pair, Scratch, Settings, TrianglePair, Verdict};
use crate::mesh::Triangle;
use crate::primitive::distance::length_within;
use crate::traverse::{Front, Outcome, Question, Stats};
use std::ops::ControlFlow;

/// The answer of [`Pair::within`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Within {
    /// Is the distance at most the limit?
    pub verdict: Verdict,
    /// Two triangles that close, when the verdict is yes: not necessarily the closest.
    pub witness: Option<TrianglePair>,
    /// The distance is at least this.
    pub lower: f64,
    /// The distance is at most this; nothing is known above the limit but what the seed says.
    pub upper: Option<f64>,
    /// Is the verdict known? False: the budget ran out, and the verdict is maybe.
    pub is_complete: bool,
    /// Work done.
    pub stats: Stats,
}

impl From<&Within> for Interval {
    /// The distance: without an upper end, unless it is within the limit.
    fn from(found: &Within) -> Self {
        Self { lower: found.lower, upper: found.upper.unwrap_or(f64::INFINITY) }
    }
}

impl Pair<'_> {
    /// Is the distance at most `limit`? The same as `distance <= limit`, and cheaper. A negative or
    /// NaN limit is never met.
    ///
    /// This is the k-DOP paper's user threshold ε (§5), made exact: volumes keep every pair that
    /// may be that close, and the canonical distance of the triangles decides. `within(0)` is
    /// [`Pair::collide`].
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings, Verdict};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(3.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// assert_eq!(pair.within(1.0, &Settings::default(), &mut scratch).verdict, Verdict::Yes);
    /// assert_eq!(pair.within(0.99, &Settings::default(), &mut scratch).verdict, Verdict::No);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "tolerance verification")]
    #[doc(alias = "clearance")]
    #[doc(alias = "proximity query")]
    #[must_use]
    pub fn within(&self, limit: f64, settings: &Settings<'_>, scratch: &mut Scratch) -> Within {
        self.closer_than(limit, None, settings, scratch)
    }

    /// [`Pair::within`], started from the front of an earlier query: the same verdict.
    #[must_use]
    pub(crate) fn within_from_front(
        &self,
        limit: f64,
        front: &mut Front,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Within {
        self.closer_than(limit, Some(front), settings, scratch)
    }

    fn closer_than(
        &self,
        limit: f64,
        front: Option<&mut Front>,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Within {
        let mut search = Search { limit, found: None, nearest_miss: f64::INFINITY };
        let seeded = self.seed(settings).map(|seed| {
            let (a, b) = self.triangles(seed);
            (seed, length_within(&a, &b, f64::INFINITY).unwrap_or(f64::INFINITY))
        });
        let seed_hit = seeded.filter(|&(_, length)| length <= limit);
        let (outcome, mut stats) = match seed_hit {
            Some(hit) => {
                search.found = Some(hit);
                (Outcome::Satisfied, Stats::default())
            }
            None => self.descend_from(front, &mut search, settings, scratch),
        };
        stats.triangle_tests += u64::from(seeded.is_some());
        let (verdict, open) = match outcome {
            Outcome::Complete => (Verdict::No, f64::INFINITY),
            Outcome::Satisfied => (Verdict::Yes, 0.0),
            Outcome::OutOfBudget { open } => (Verdict::Maybe, open),
        };
        let (witness, upper) = search.found.or(seeded).unzip();
        let witness = witness.filter(|_| verdict == Verdict::Yes);
        // What was culled is at least its bound away, what was tested more than the limit, what was
        // not looked at its key.
        let lower = open.min(search.nearest_miss).max(0.0);
        Within { verdict, witness, lower, upper, is_complete: verdict != Verdict::Maybe, stats }
    }
}

struct Search {
    limit: f64,
    found: Option<(TrianglePair, f64)>,
    /// A length that everything culled or tested so far is beyond.
    nearest_miss: f64,
}

impl Question for Search {
    fn only_contact(&self) -> bool {
        false
    }

    fn wants_guess(&self) -> bool {
        true
    }

    fn takes_one_of_equals(&self) -> bool {
        true
    }

    #[inline]
    fn threshold(&self) -> f64 {
        just_above(self.limit)
    }

    #[inline]
    fn left_out(&mut self, bound: f64) {
        self.nearest_miss = self.nearest_miss.min(bound);
    }

    #[inline]
    fn look(&mut self, pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()> {
        if let Some(length) = length_within(a, b, self.limit) {
            self.found = Some((pair, length));
            return ControlFlow::Break(());
        }
        // All that is known of it is that it is farther than the limit.
        self.nearest_miss = self.nearest_miss.min(self.limit);
        ControlFlow::Continue(())
    }
}

/// The threshold for bounds of at most `limit`: nothing for a limit that nothing meets.
#[inline]
pub(super) fn just_above(limit: f64) -> f64 {
    if limit >= 0.0 { limit.next_up() } else { 0.0 }
}
