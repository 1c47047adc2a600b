//! What `check` still knows when the budget ends: how far apart the surfaces can be at most, and a translation that takes them apart.

use crate::bodies::Bodies;
use crate::say;
use nearhit::{Assessment, Interval, Pair, Scratch, Settings};
use serde::Serialize;

/// Two certain intervals; their upper ends never grow with the budget.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Known {
    /// The distance of the surfaces.
    separation: Bounds,
    /// The length of the shortest translation that makes the surfaces disjoint.
    penetration: Bounds,
    /// Moving b by this, in world coordinates, is proven to do so: as long as `penetration.upper`. Null: none is known.
    translation: Option<[f64; 3]>,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Bounds {
    lower: f64,
    /// Null: nothing is known.
    upper: Option<f64>,
}

impl From<Interval> for Bounds {
    fn from(interval: Interval) -> Self {
        Self { lower: interval.lower, upper: interval.upper.is_finite().then_some(interval.upper) }
    }
}

impl Known {
    /// With a budget of its own; `said` has the verdict and the work, too.
    pub(crate) fn new(
        bodies: &Bodies,
        pair: &Pair<'_>,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> (Self, Assessment) {
        let said = pair.assess(settings, scratch);
        let translation = said.translation.map(|translation| bodies.world_direction(translation));
        (Self { separation: said.separation.into(), penetration: said.penetration.into(), translation }, said)
    }

    /// For surfaces that touch, or may.
    pub(crate) fn sentences(&self, bodies: &Bodies, they_touch: bool) -> String {
        let apart = match self.separation.upper {
            Some(upper) if !they_touch => format!("They are at most {} apart.\n", say::number(upper)),
            _ => String::new(),
        };
        let out = match (self.translation, self.penetration.upper) {
            (Some(by), Some(length)) => {
                let [_, b] = bodies.names();
                // With all digits: a rounded translation is another one, and nothing is certain about that.
                let ([x, y, z], length) = (by, say::number(length));
                format!("Moving {b} by ({x}, {y}, {z}), a length of {length}, takes the surfaces apart for certain.\n")
            }
            _ => "No translation is known yet that takes the surfaces apart for certain.\n".to_owned(),
        };
        apart + &out
    }
}
