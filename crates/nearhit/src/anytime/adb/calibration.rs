//! From what a search has seen to a probability that means what it says.
//!
//! A logistic model for each rule and each way a search can end, fitted on generated models by
//! `nearhit-papers calibrate` and judged on others. The paper has nothing of the kind. For
//! [`Rule::Crossings`] it is fitted on bodies close to a contact and on tumbling ones, for the
//! paper's rule on the paper's tumbling bodies alone.

use super::estimate::{Evidence, Outcome};
use super::quality::Rule;

/// What the model looks at.
pub const FEATURES: usize = 13;

/// A fitted model: for each [`Rule`], for each [`Outcome`], in their order, a weight for each
/// feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// By rule, then by outcome, then by feature.
    pub weights: [[[f64; FEATURES]; 3]; 2],
    /// By rule: the share of contacts in what it was fitted on.
    pub shares: [f64; 2],
}

pub use super::fitted::FITTED;

impl Calibration {
    /// The probability that the surfaces touch.
    #[must_use]
    pub fn probability(&self, evidence: &Evidence) -> f64 {
        if evidence.is_proof() {
            return f64::from(u8::from(evidence.outcome == Outcome::Collision));
        }
        let weights = &self.weights[evidence.rule as usize][evidence.outcome as usize];
        let score: f64 = features(evidence).iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
        1.0 / (1.0 + (-score).exp())
    }

    /// The same for a caller who knows how often the bodies touch that it asks about: `share` of
    /// those whose boxes meet, from 0 to 1; what is nearer to 0 or 1 than 0.001 counts as 0.001 or
    /// 0.999. A search that is interrupted early has seen little, and
    /// what it says is mostly how often bodies touched in what the calibration was fitted on; where
    /// nearly none do, that is far too often. Proofs stay proofs.
    #[must_use]
    pub fn expecting(&self, share: f64) -> Self {
        let odds = |share: f64| {
            let share = share.clamp(0.001, 0.999);
            (share / (1.0 - share)).ln()
        };
        let mut shifted = *self;
        for (weights, fitted) in shifted.weights.iter_mut().zip(&mut shifted.shares) {
            let more = odds(share) - odds(*fitted);
            // The first feature is always 1.
            weights.iter_mut().for_each(|weights| weights[0] += more);
            *fitted = share;
        }
        shifted
    }
}

/// What a search has seen, as numbers of about the same size; the first is always 1. The last seven
/// are for [`Rule::Crossings`]: by the paper's rule they are 0.
#[must_use]
pub fn features(evidence: &Evidence) -> [f64; FEATURES] {
    let odds = |p: f64| ((p + 1e-4) / (1.0 - p + 1e-4)).ln() / 4.0;
    let tests = evidence.volume_tests.max(1) as f64;
    let met = evidence.met as f64 / tests;
    let counted = f64::from(evidence.likely) / f64::from(evidence.k_min.max(1));
    let of_crossings = match evidence.rule {
        Rule::Crossings => [
            evidence.finest / 8.0,
            f64::from(evidence.crossings.min(1)),
            f64::from(evidence.open).ln_1p() / 4.0,
            // A search that meets at every test on its way down is on its way to a contact; where
            // bodies are apart, it gets stuck at the size of the gap.
            met * tests.ln() / 4.0,
            -evidence.finest / (1.0 + tests.log2()),
            evidence.skew,
            if evidence.outcome == Outcome::Interrupted {
                evidence.compared as f64 / evidence.met.max(1) as f64
            } else {
                0.0
            },
        ],
        Rule::Anywhere => [0.0; 7],
    };
    let [finest, crossed, open, met_for_long, way, skew, flat] = of_crossings;
    [
        1.0,
        odds(evidence.best),
        (evidence.expected + 1e-3).ln() / 4.0,
        counted.min(3.0),
        tests.ln() / 4.0,
        met,
        finest,
        crossed,
        open,
        met_for_long,
        way,
        skew,
        flat,
    ]
}
