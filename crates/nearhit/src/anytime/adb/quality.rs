//! Quality thresholds of an average-case search: which pairs count, and how many are enough.

use super::probability::Estimator;

/// Quality thresholds of an average-case search.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Quality {
    /// A pair of nodes is likely if its estimate is at least this; a crossing, if it is as certain.
    pub p_min: f64,
    /// The search ends after so many pairs that count; at least 1. By [`Rule::Crossings`] one
    /// crossing ends it, the deeper the more are asked for: with ten, where it is as certain as
    /// `p_min`.
    pub k_min: u32,
    /// Which pairs count.
    pub rule: Rule,
    /// How estimates are made.
    pub estimator: Estimator,
}

/// Which pairs of nodes count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rule {
    /// Two nodes whose surfaces are flat and cross, or two triangles that touch, exactly. The
    /// closest pair is opened first, and none is dropped that was not proved to be apart: a search
    /// that finds nothing proves that there is nothing. Only crossings, and what is known when a
    /// search is interrupted, are uncertain.
    #[default]
    Crossings,
    /// The paper's: likely pairs, wherever they are in the trees; the likeliest is opened first,
    /// and what is estimated as 0 is dropped. For bodies that pass closely this says no more than
    /// that they do: nodes much larger than the gap hold surface of both.
    Anywhere,
}

impl Quality {
    /// The default.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// From which estimate on a pair of nodes is likely.
    #[must_use]
    pub fn p_min(self, p_min: f64) -> Self {
        Self { p_min, ..self }
    }

    /// After how many pairs that count the search ends.
    #[must_use]
    pub fn k_min(self, k_min: u32) -> Self {
        Self { k_min, ..self }
    }

    /// Which pairs count.
    #[must_use]
    pub fn rule(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// How estimates are made.
    #[must_use]
    pub fn estimator(self, estimator: Estimator) -> Self {
        Self { estimator, ..self }
    }

    /// The paper's: ten pairs of 0.99, anywhere, estimates as the paper makes them. With a table of
    /// [`Options::paper`](super::Options::paper) on a tree of axis-aligned boxes it is the paper's
    /// configuration.
    #[must_use]
    pub fn paper() -> Self {
        Self { estimator: Estimator::paper(), ..Self::tuned() }
    }

    /// The paper's rule with our estimates, tuned on models of several kinds (ADR 16).
    #[must_use]
    pub fn tuned() -> Self {
        Self { rule: Rule::Anywhere, ..Self::default() }
    }
}

impl Default for Quality {
    fn default() -> Self {
        Self { p_min: 0.99, k_min: 10, rule: Rule::default(), estimator: Estimator::default() }
    }
}
