//! The answer at one pose, with its cost: a line of the per-pose file.

use nearhit::report::{Placement, Witness};
use nearhit::{Stats, TrianglePair};
use serde::{Serialize, Serializer};
use std::time::Duration;

/// An answer at one pose: the same fields whatever was asked. `None` (null) is what the query does
/// not produce, or "maybe" where the budget ran out.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Answer {
    /// The pose's index, from 0.
    pub pose: usize,
    /// Whether they touch.
    pub collides: Option<bool>,
    /// How many pairs of triangles intersect.
    pub contacts: Option<u64>,
    /// Whether they are closer than the tolerance.
    pub within: Option<bool>,
    /// The distance is at least this.
    pub lower: Option<f64>,
    /// The distance is at most this.
    pub upper: Option<f64>,
    /// Level of refinement reached.
    pub level: Option<u32>,
    /// Probability of collision.
    pub probability: Option<f64>,
    /// How long it took; microseconds in the file.
    #[serde(rename = "us", serialize_with = "as_microseconds")]
    pub time: Duration,
    /// Where the witness is. Absent unless asked for.
    #[serde(flatten)]
    pub place: Option<Place>,
    /// The triangles that decided it.
    #[serde(skip)]
    pub witness: Option<TrianglePair>,
    /// Whether the answer is certain and whole. False: the budget ran out.
    #[serde(skip)]
    pub is_complete: bool,
    /// Work done.
    #[serde(skip)]
    pub stats: Stats,
}

/// The triangles that decided an answer and where: nulls where none did.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Place {
    /// Of a and of b.
    pub triangles: Option<[u32; 2]>,
    /// Their closest points on a and on b, in the world; the same point where they touch.
    pub points: Option<[[f64; 3]; 2]>,
}

impl Answer {
    /// With the place of its witness.
    pub(super) fn located(self, placement: &Placement<'_>) -> Self {
        let place = self.witness.map_or(Place::default(), |triangles| {
            let Witness { triangles, points, .. } = Witness::new(placement, triangles);
            Place { triangles: Some(triangles), points: Some(points) }
        });
        Self { place: Some(place), ..self }
    }
}

fn as_microseconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(microseconds(*time))
}

/// A time in microseconds, to the nanosecond.
pub(super) fn microseconds(time: Duration) -> f64 {
    thousandths(time.as_nanos())
}

/// A thousandth of a whole number: correctly rounded, so it prints with at most three decimals.
pub(super) fn thousandths(units: u128) -> f64 {
    units as f64 / 1000.0
}
