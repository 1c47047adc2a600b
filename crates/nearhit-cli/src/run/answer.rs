//! The answer at one pose, with its cost.

use nearhit::report::{Placement, PoseAnswer, PoseWitness, Witness};
use nearhit::{Stats, TrianglePair};
use std::time::Duration;

/// An answer at one pose. `None` is what the query does not produce, or "maybe" where the budget
/// ran out.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Answer {
    /// Do they touch?
    pub collides: Option<bool>,
    /// How many pairs of triangles intersect.
    pub contacts: Option<u64>,
    /// Are they closer than the tolerance?
    pub within: Option<bool>,
    /// The distance is at least this.
    pub lower: Option<f64>,
    /// The distance is at most this.
    pub upper: Option<f64>,
    /// Level of refinement reached.
    pub level: Option<u32>,
    /// Probability of collision.
    pub probability: Option<f64>,
    /// The triangles that decided it.
    pub witness: Option<TrianglePair>,
    /// Work done.
    pub stats: Stats,
    /// How long it took.
    pub time: Duration,
}

impl Answer {
    /// As a line of the per-pose file, with its witness if a placement to compute it in is given.
    pub(super) fn line(&self, pose: usize, placement: Option<&Placement<'_>>) -> PoseAnswer {
        let Self { collides, contacts, within, lower, upper, level, probability, time, .. } = *self;
        let witness = placement
            .map(|placement| PoseWitness::from(self.witness.map(|triangles| Witness::new(placement, triangles))));
        let us = PoseAnswer::microseconds(time);
        PoseAnswer { pose, collides, contacts, within, lower, upper, level, probability, us, witness }
    }
}

/// A thousandth of a whole number: correctly rounded, so it prints with at most three decimals.
pub(super) fn thousandths(units: u128) -> f64 {
    units as f64 / 1000.0
}
