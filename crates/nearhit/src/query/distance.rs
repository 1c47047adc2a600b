//! Minimum distance and closest points: how far apart are two surfaces? Exactly, or only to a
//! tolerance, or as well as a budget allows.
//!
//! Branch and bound on the volumes' lower bounds. The upper bound is always attained by two
//! triangles; everything pruned leaves its bound behind, so that the answer is an interval whatever
//! ended the search.

use super::{Interval, Pair, Scratch, Seed, Settings, TrianglePair};
use crate::mesh::Triangle;
use crate::primitive::distance::{Nearest, distance, distance_within, touching};
use crate::traverse::{Front, Outcome, Question, Stats};
use glam::DVec3;
use std::ops::ControlFlow;

/// Error tolerance of a distance query: a pair is no longer opened when it could improve the upper
/// bound by no more than one of these. The default is exact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Tolerance {
    /// `upper <= (1 + relative) · distance`.
    pub relative: f64,
    /// `upper <= distance + absolute`.
    pub absolute: f64,
}

impl Tolerance {
    /// No tolerance: exact.
    pub const EXACT: Self = Self { relative: 0.0, absolute: 0.0 };

    /// A relative and an absolute tolerance; either is enough.
    #[must_use]
    pub const fn new(relative: f64, absolute: f64) -> Self {
        Self { relative, absolute }
    }

    /// A relative tolerance, as a share of the distance: 0.01 for one per cent.
    #[must_use]
    pub const fn relative(relative: f64) -> Self {
        Self::new(relative, 0.0)
    }

    /// An absolute tolerance, a length.
    #[must_use]
    pub const fn absolute(absolute: f64) -> Self {
        Self::new(0.0, absolute)
    }

    /// Only lower bounds below this matter: condition (4) of the swept-sphere paper. A tolerance
    /// that is not a positive number counts as none.
    pub(crate) fn threshold(&self, upper: f64) -> f64 {
        let relative = upper / (1.0 + self.relative.max(0.0));
        let absolute = upper - self.absolute.max(0.0);
        relative.min(absolute).max(0.0)
    }
}

/// What the search knows at the start.
#[doc(alias = "warm start")]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum DistanceStart {
    /// The seed of the settings, or some pair of triangles.
    #[default]
    Witness,
    /// That the distance is at most this. An instrument: the *ideal* query of the swept-sphere
    /// paper (§5.2) starts from the distance itself. If it is below the distance, the answer's
    /// interval is wrong.
    AtMost(f64),
}

/// The answer of [`Pair::distance`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Distance {
    /// The distance is at least this.
    pub lower: f64,
    /// The distance is at most this; equal to `lower` when the search was exact and complete. Zero
    /// exactly when the surfaces touch.
    pub upper: f64,
    /// Two triangles that are `upper` apart.
    pub witness: TrianglePair,
    /// A point of a, in a's frame, that is this far from `on_b`.
    pub on_a: DVec3,
    /// A point of b, in a's frame.
    pub on_b: DVec3,
    /// Is the interval as narrow as was asked for? False: the budget ran out or, of the depth of
    /// solids, a mesh has holes and no better bound is known.
    pub is_complete: bool,
    /// Work done.
    pub stats: Stats,
}

impl Distance {
    /// The seed for a warm start of the next query.
    #[must_use]
    pub fn seed(&self) -> Seed {
        Seed(self.witness)
    }
}

impl From<&Distance> for Interval {
    /// The distance.
    fn from(found: &Distance) -> Self {
        Self { lower: found.lower, upper: found.upper }
    }
}

impl Pair<'_> {
    /// Minimum distance of the two surfaces: the smallest canonical distance
    /// ([`crate::primitive::distance`]) of any two triangles, as an interval.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings, Tolerance};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(3.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
    /// assert_eq!((found.lower, found.upper), (1.0, 1.0));
    /// assert_eq!((found.on_a.x, found.on_b.x), (1.0, 2.0)); // witness points, in a's frame
    ///
    /// // The next frame starts from this one's witness, and may be 10 % off.
    /// let warm = Settings::new().seed(found.seed());
    /// let rough = pair.distance(Tolerance::relative(0.1), &warm, &mut scratch);
    /// assert!(rough.lower <= 1.0 && 1.0 <= rough.upper && rough.is_complete);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "closest points")]
    #[doc(alias = "minimum distance")]
    #[doc(alias = "separation distance")]
    #[doc(alias = "witness points")]
    #[must_use]
    pub fn distance(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Distance {
        self.distance_from(DistanceStart::Witness, tolerance, settings, scratch)
    }

    /// [`Pair::distance`], started from the front of an earlier query: the same distance. With the
    /// last answer's [`Distance::seed`] in the settings most of the front is culled at once.
    #[must_use]
    pub(crate) fn distance_from_front(
        &self,
        front: &mut Front,
        tolerance: Tolerance,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Distance {
        self.search_distance(DistanceStart::Witness, Some(front), tolerance, settings, scratch)
    }

    /// The answer for two triangles that touch.
    fn touching(&self, witness: TrianglePair, stats: Stats) -> Distance {
        let (a, b) = self.triangles(witness);
        let Nearest { distance, on_a, on_b } = touching(&a, &b);
        Distance { lower: distance, upper: distance, witness, on_a, on_b, is_complete: true, stats }
    }

    /// [`Pair::distance`], told what is known at the start.
    #[must_use]
    pub(crate) fn distance_from(
        &self,
        start: DistanceStart,
        tolerance: Tolerance,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Distance {
        self.search_distance(start, None, tolerance, settings, scratch)
    }

    fn search_distance(
        &self,
        start: DistanceStart,
        front: Option<&mut Front>,
        tolerance: Tolerance,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Distance {
        let mut before = Stats::default();
        if self.packed().is_some() && start == DistanceStart::Witness && settings.budget.is_unlimited() {
            let collision = self.collide(settings, scratch);
            if let Some(witness) = collision.witness {
                return self.touching(witness, collision.stats);
            }
            before = collision.stats;
        }
        let seed = self.seed(settings);
        let is_cold = seed.is_none() && start == DistanceStart::Witness;
        let witness = seed.unwrap_or(TrianglePair { a: 0, b: 0 });
        let (a, b) = self.triangles(witness);
        let nearest = distance(&a, &b);
        let known = match start {
            DistanceStart::Witness => nearest.distance,
            DistanceStart::AtMost(length) => length,
        };
        let threshold = tolerance.threshold(known);
        let mut search =
            Search { is_cold, tolerance, upper: known, threshold, witness, nearest, left_out: f64::INFINITY };
        let (outcome, mut stats) = if known > 0.0 {
            self.descend_from(front, &mut search, settings, scratch)
        } else {
            (Outcome::Satisfied, Stats::default())
        };
        stats.triangle_tests += 1;
        stats += before;
        let open = if let Outcome::OutOfBudget { open } = outcome { open } else { f64::INFINITY };
        let Search { upper, witness, nearest: Nearest { on_a, on_b, .. }, left_out, .. } = search;
        let lower = upper.min(left_out).min(open);
        // A budget may end a search whose interval is narrow enough already.
        Distance { lower, upper, witness, on_a, on_b, is_complete: lower >= tolerance.threshold(upper), stats }
    }
}

struct Search {
    /// Is nothing known at the start?
    is_cold: bool,
    tolerance: Tolerance,
    upper: f64,
    threshold: f64,
    witness: TrianglePair,
    nearest: Nearest,
    /// The smallest bound of any pair that was left out.
    left_out: f64,
}

impl Question for Search {
    fn only_contact(&self) -> bool {
        false
    }

    fn improves(&self) -> bool {
        true
    }

    fn wants_guess(&self) -> bool {
        self.is_cold
    }

    fn takes_one_of_equals(&self) -> bool {
        true
    }

    #[inline]
    fn threshold(&self) -> f64 {
        self.threshold
    }

    #[inline]
    fn left_out(&mut self, bound: f64) {
        self.left_out = self.left_out.min(bound);
    }

    #[inline]
    fn look(&mut self, pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()> {
        if let Some(nearest) = distance_within(a, b, self.upper).filter(|nearest| nearest.distance < self.upper) {
            self.upper = nearest.distance;
            self.threshold = self.tolerance.threshold(self.upper);
            self.nearest = nearest;
            self.witness = pair;
        }
        if self.upper > 0.0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
