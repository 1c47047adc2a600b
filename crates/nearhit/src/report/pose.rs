//! One pose of a run: the same fields whatever was asked.

use super::Witness;
use std::time::Duration;

/// The answer at one pose. Null is what the query does not produce, or "maybe" where the budget ran
/// out.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PoseAnswer {
    /// The pose's index, from 0.
    pub pose: usize,
    /// Do they touch?
    pub collides: Option<bool>,
    /// How many pairs of triangles touch.
    pub contacts: Option<u64>,
    /// Are they within the tolerance?
    pub within: Option<bool>,
    /// The distance is at least this.
    pub lower: Option<f64>,
    /// The distance is at most this.
    pub upper: Option<f64>,
    /// Level of refinement reached.
    pub level: Option<u32>,
    /// Probability of collision.
    pub probability: Option<f64>,
    /// Time of the query in microseconds, to the nanosecond.
    pub us: f64,
    /// Absent unless asked for.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub witness: Option<PoseWitness>,
}

/// The triangles that decided an answer and where: nulls where none did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PoseWitness {
    /// Of a and of b.
    pub triangles: Option<[u32; 2]>,
    /// Their closest points on a and on b, in the world; the same point where they touch.
    pub points: Option<[[f64; 3]; 2]>,
}

impl From<Option<Witness>> for PoseWitness {
    fn from(witness: Option<Witness>) -> Self {
        let Some(Witness { triangles, points }) = witness else { return Self::default() };
        Self { triangles: Some(triangles), points: Some(points) }
    }
}

impl PoseAnswer {
    /// A time in microseconds, correctly rounded: it prints with at most three decimals.
    #[must_use]
    pub fn microseconds(time: Duration) -> f64 {
        time.as_nanos() as f64 / 1000.0
    }
}
