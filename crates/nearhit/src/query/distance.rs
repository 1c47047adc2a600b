//! How far apart? Exactly, or only to a tolerance, or as well as a budget allows.
//!
//! Branch and bound on the volumes' lower bounds. The upper bound is always attained by two triangles; everything pruned leaves its bound
//! behind, so that the answer is an interval whatever ended the search.

use super::{Pair, Question, Scratch, Seed, Settings, TrianglePair};
use crate::primitive::distance::{Nearest, distance, distance_within};
use crate::traverse::{Outcome, PairVisitor, Stats};
use crate::volume::BoundingVolume;
use glam::DVec3;
use std::ops::ControlFlow;

/// How wide the interval may be: a pair is no longer opened when it could improve the upper bound by no more than one of these. The default
/// is exact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tolerance {
    /// `upper <= (1 + relative) · distance`.
    pub relative: f64,
    /// `upper <= distance + absolute`.
    pub absolute: f64,
}

impl Tolerance {
    /// No error.
    pub const EXACT: Self = Self { relative: 0.0, absolute: 0.0 };

    /// Could a pair with this lower bound still matter? Condition (4) of the swept-sphere paper. A tolerance that is not a positive number counts as none.
    #[inline]
    fn matters(&self, bound: f64, upper: f64) -> bool {
        bound < upper && !(bound + self.absolute >= upper) && !(bound * (1.0 + self.relative) >= upper)
    }
}

/// What the search knows at the start.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Start {
    /// The seed of the settings, or some pair of triangles.
    #[default]
    Witness,
    /// That the distance is at most this. An instrument: the *ideal* query of the swept-sphere paper (§5.2) starts from the distance itself. If it is below the
    /// distance, the answer's interval is wrong.
    AtMost(f64),
}

/// The answer of [`Pair::distance`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    /// The distance is at least this.
    pub lower: f64,
    /// The distance is at most this; equal to `lower` when the search was exact and complete. Zero exactly when the surfaces touch.
    pub upper: f64,
    /// Two triangles that are `upper` apart.
    pub witness: TrianglePair,
    /// A point of a, in a's frame, that is this far from `on_b`.
    pub on_a: DVec3,
    /// A point of b, in a's frame.
    pub on_b: DVec3,
    /// Work done.
    pub stats: Stats,
}

impl Distance {
    /// For the next frame.
    #[must_use]
    pub fn seed(&self) -> Seed {
        Seed(self.witness)
    }
}

impl Pair<'_> {
    /// The distance of the two surfaces: the smallest canonical distance ([`crate::primitive::distance`]) of any two triangles, as an interval.
    #[must_use]
    pub fn distance(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Distance {
        self.distance_from(Start::Witness, tolerance, settings, scratch)
    }

    /// [`Pair::distance`], told what is known at the start.
    #[must_use]
    pub fn distance_from(
        &self,
        start: Start,
        tolerance: Tolerance,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Distance {
        let witness = self.seed(settings).unwrap_or(TrianglePair { a: 0, b: 0 });
        let (a, b) = self.triangles(witness);
        let nearest = distance(&a, &b);
        let known = match start {
            Start::Witness => nearest.distance,
            Start::AtMost(length) => length,
        };
        let mut search = Search { pair: self, tolerance, upper: known, witness, nearest, pruned: f64::INFINITY };
        let (outcome, mut stats) = if known > 0.0 {
            self.descend(&mut search, settings, scratch)
        } else {
            (Outcome::Satisfied, Stats::default())
        };
        stats.triangle_tests += 1;
        let open = if let Outcome::OutOfBudget { open } = outcome { open } else { f64::INFINITY };
        let Search { upper, witness, nearest: Nearest { on_a, on_b, .. }, pruned, .. } = search;
        Distance { lower: upper.min(pruned).min(open), upper, witness, on_a, on_b, stats }
    }
}

struct Search<'q, 'm> {
    pair: &'q Pair<'m>,
    tolerance: Tolerance,
    upper: f64,
    witness: TrianglePair,
    nearest: Nearest,
    /// The smallest bound of any pair that was dropped although it might have improved the answer.
    pruned: f64,
}

impl Search<'_, '_> {
    #[inline]
    fn matters(&mut self, bound: f64) -> bool {
        let matters = self.tolerance.matters(bound, self.upper);
        if !matters {
            self.pruned = self.pruned.min(bound);
        }
        matters
    }
}

impl Question for Search<'_, '_> {
    fn visitor<V: BoundingVolume>(&mut self) -> impl PairVisitor<V> {
        self
    }
}

impl<V: BoundingVolume> PairVisitor<V> for &mut Search<'_, '_> {
    #[inline]
    fn enter(&mut self, a: &V::Placed, b: &V) -> Option<f64> {
        let bound = b.lower_bound(a);
        self.matters(bound).then_some(bound)
    }

    #[inline]
    fn keep(&mut self, key: f64) -> bool {
        self.matters(key)
    }

    fn leaves(&mut self, a: &[u32], b: &[u32]) -> (u64, ControlFlow<()>) {
        let pair = self.pair;
        pair.each_pair(a, b, |found, triangle_a, triangle_b| {
            if let Some(nearest) =
                distance_within(triangle_a, triangle_b, self.upper).filter(|it| it.distance < self.upper)
            {
                self.upper = nearest.distance;
                self.nearest = nearest;
                self.witness = found;
            }
            if self.upper > 0.0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
    }
}
