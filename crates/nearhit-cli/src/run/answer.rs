//! What one pose answered.

use nearhit::Stats;
use serde::Serialize;
use std::time::Duration;

/// An answer at one pose. `None` is what the query does not produce, or "maybe" where the budget ran out.
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
    /// Work done.
    pub stats: Stats,
    /// How long it took.
    pub time: Duration,
}

/// An answer as a line of the per-pose file: the contract of its fields and their order.
#[derive(Debug, Serialize)]
pub(super) struct Line {
    pose: usize,
    collides: Option<bool>,
    contacts: Option<u64>,
    within: Option<bool>,
    lower: Option<f64>,
    upper: Option<f64>,
    level: Option<u32>,
    probability: Option<f64>,
    us: f64,
}

impl Answer {
    pub(super) fn line(&self, pose: usize) -> Line {
        let Self { collides, contacts, within, lower, upper, level, probability, time, .. } = *self;
        Line { pose, collides, contacts, within, lower, upper, level, probability, us: microseconds(time) }
    }
}

/// In microseconds, to the nanosecond.
pub(super) fn microseconds(time: Duration) -> f64 {
    thousandths(time.as_nanos())
}

/// A thousandth of a whole number: correctly rounded, so it prints with at most three decimals.
pub(super) fn thousandths(units: u128) -> f64 {
    units as f64 / 1000.0
}
