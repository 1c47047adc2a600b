//! From what a search has seen to a probability that means what it says.
//!
//! A logistic model for each way a search can end, fitted on generated models by `nearhit-bench calibrate` and judged on others. The paper has nothing of the kind.

use super::guess::Evidence;

/// What the model looks at.
pub const FEATURES: usize = 6;

/// A fitted model: for each [`Outcome`](super::Outcome), in its order, a weight for each feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// By outcome, then by feature.
    pub weights: [[f64; FEATURES]; 3],
}

pub use super::fitted::FITTED;

impl Calibration {
    /// The probability that the surfaces touch.
    #[must_use]
    pub fn probability(&self, evidence: &Evidence) -> f64 {
        // Only the roots were tested, and they are apart: certain.
        if evidence.estimates == 0 {
            return 0.0;
        }
        let weights = &self.weights[evidence.outcome as usize];
        let score: f64 = features(evidence).iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
        1.0 / (1.0 + (-score).exp())
    }
}

/// What a search has seen, as numbers of about the same size; the first is always 1.
#[must_use]
pub fn features(evidence: &Evidence) -> [f64; FEATURES] {
    let odds = |p: f64| ((p + 1e-4) / (1.0 - p + 1e-4)).ln() / 4.0;
    let tests = evidence.volume_tests.max(1) as f64;
    [
        1.0,
        odds(evidence.best),
        (evidence.expected + 1e-3).ln() / 4.0,
        f64::from(evidence.likely) / f64::from(evidence.k_min.max(1)),
        tests.ln() / 4.0,
        evidence.estimates as f64 / tests,
    ]
}
