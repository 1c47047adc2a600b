//! What one pose answered.

use nearhit::research::primitive::distance::{Nearest, distance};
use nearhit::{Stats, TrianglePair};
use nearhit_cases::folder::Case;
use nearhit_cases::folder::Placed;
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
    /// The triangles that decided it.
    pub witness: Option<TrianglePair>,
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
    /// Only where it is asked for.
    #[serde(flatten)]
    witness: Option<Witness>,
}

/// Which triangles decided an answer and where: nulls where none did.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(super) struct Witness {
    /// Of a and of b.
    triangles: Option<[u32; 2]>,
    /// Their closest points on a and on b, in the world; the same point where they touch.
    points: Option<[[f64; 3]; 2]>,
}

impl Witness {
    pub(super) fn new(witness: Option<TrianglePair>, case: &Case, placed: &Placed) -> Self {
        let Some(TrianglePair { a, b }) = witness else { return Self::default() };
        // As the query saw them: b's corners moved into a's frame.
        let a_from_b = placed.a_from_b();
        let posed_b = case.b.triangle(b).map(|corner| a_from_b.apply(corner));
        let Nearest { on_a, on_b, .. } = distance(&case.a.triangle(a), &posed_b);
        let points = [on_a, on_b].map(|point| placed.world_from_a.apply(point).to_array());
        Self { triangles: Some([a, b]), points: Some(points) }
    }
}

impl Answer {
    pub(super) fn line(&self, pose: usize, witness: Option<Witness>) -> Line {
        let Self { collides, contacts, within, lower, upper, level, probability, time, .. } = *self;
        Line { pose, collides, contacts, within, lower, upper, level, probability, us: microseconds(time), witness }
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
