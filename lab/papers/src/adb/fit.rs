//! Fits and judges a calibration.

use super::near;
use super::scene::{Augmented, MODELS, MORE, Maker, distances, object, trials};
use super::unseen::JUDGED;
use lab_report::scale::Scale;
use nearhit::research::PairExt;
use nearhit::research::VolumeKind;
use nearhit::research::adb::calibration::{Calibration, FEATURES, features};
use nearhit::research::adb::{Evidence, Options, Outcome, Quality, Rule};
use nearhit::{Budget, Pair, Scratch, Settings};

/// Volume tests after which searches are interrupted; the last runs to its end.
pub(super) const BUDGETS: [u64; 6] = [4, 8, 16, 32, 64, u64::MAX];

/// An answer and the truth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    pub(super) evidence: Evidence,
    pub(super) budget: u64,
    pub(super) touches: bool,
    /// Where it is from.
    pub(super) scene: &'static str,
}

/// Answers at every budget where the outer boxes meet, from deep to apart; each model twice, coarse
/// and fine.
pub(super) fn samples(makers: &[Maker], scale: Scale) -> Vec<Sample> {
    let (sizes, step, turns) = scale.pick((&[1_500_usize][..], 0.2, 4), (&[3_000, 20_000][..], 0.1, 8));
    let mut samples = Vec::new();
    for &maker in makers {
        for &size in sizes {
            let object = object(maker, size);
            let trials = trials(&object, &distances(0.4, 2.6, step), turns);
            let augmented = Augmented::new(object.model(VolumeKind::Obb), &Options::default());
            let mut scratch = Scratch::new();
            for trial in trials.iter().filter(|trial| trial.near) {
                let pair = Pair::relative(&augmented.model, &augmented.model, &trial.pose).expect("in range");
                let averaged = pair.averaged(&augmented.averages, &augmented.averages).expect("its own table");
                for budget in BUDGETS {
                    let settings = Settings::new().budget(Budget::work(budget));
                    let evidence = averaged.collide(&Quality::tuned(), &settings, &mut scratch).evidence;
                    // Certain without a calibration.
                    if evidence.met > 0 {
                        samples.push(Sample { evidence, budget, touches: trial.touches, scene: maker.0 });
                    }
                }
            }
        }
    }
    samples
}

/// Of models that neither the calibration nor the estimates have seen.
pub(super) fn unseen(scale: Scale) -> Vec<Sample> {
    samples(&JUDGED, scale)
}

/// Fits a calibration on generated models: for the default rule on bodies close to a contact, for
/// the paper's on tumbling ones.
#[must_use]
pub fn fit(scale: Scale) -> Calibration {
    let tumbling = samples(&[&MODELS[..], &MORE[..]].concat(), scale);
    let (mut weights, mut shares) = ([[[0.0; FEATURES]; 3]; 2], [0.0; 2]);
    for (rule, samples) in [(Rule::Crossings, near::fitted_on(scale)), (Rule::Anywhere, tumbling)] {
        weights[rule as usize] = of_outcomes(&samples);
        let touching = samples.iter().filter(|it| it.touches).count();
        shares[rule as usize] = touching as f64 / samples.len().max(1) as f64;
    }
    Calibration { weights, shares }
}

fn of_outcomes(samples: &[Sample]) -> [[f64; FEATURES]; 3] {
    [Outcome::Collision, Outcome::NoCollision, Outcome::Interrupted].map(|outcome| {
        let chosen = samples.iter().filter(|it| it.evidence.outcome == outcome && !it.evidence.is_proof());
        logistic(&chosen.map(|sample| (features(&sample.evidence), sample.touches)).collect::<Vec<_>>())
    })
}

/// The calibration as the source file that the library carries.
#[must_use]
pub fn source(calibration: &Calibration) -> String {
    let mut text =
        "//! Written by `nearhit-papers calibrate`: do not edit.\n\nuse super::calibration::Calibration;\n\n\
        /// Fitted on generated models: for each rule, one line for each way a search
        /// ends.\n#[rustfmt::skip]\npub const FITTED: Calibration = Calibration {\n    weights:
        /// [\n"
            .to_owned();
    for of_rule in calibration.weights {
        text += "        [\n";
        for weights in of_rule {
            let listed: Vec<String> = weights.iter().map(|weight| format!("{weight:.4}")).collect();
            text += &format!("            [{}],\n", listed.join(", "));
        }
        text += "        ],\n";
    }
    text + &format!("    ],\n    shares: [{:.4}, {:.4}],\n}};\n", calibration.shares[0], calibration.shares[1])
}

/// Maximum likelihood by Newton's method, with a little pull towards zero so that separable data
/// has an answer.
fn logistic(samples: &[([f64; FEATURES], bool)]) -> [f64; FEATURES] {
    /// As if so many answers of either kind had been seen.
    const PULL: f64 = 2.0;
    let mut weights = [0.0; FEATURES];
    for _ in 0..30 {
        let mut gradient = weights.map(|weight| -PULL * weight);
        let mut curvature = [[0.0; FEATURES]; FEATURES];
        (0..FEATURES).for_each(|i| curvature[i][i] = PULL);
        for (features, touches) in samples {
            let score: f64 = features.iter().zip(&weights).map(|(feature, weight)| feature * weight).sum();
            let likely = 1.0 / (1.0 + (-score).exp());
            for i in 0..FEATURES {
                gradient[i] += features[i] * (f64::from(u8::from(*touches)) - likely);
                for j in 0..FEATURES {
                    curvature[i][j] += features[i] * features[j] * likely * (1.0 - likely);
                }
            }
        }
        let step = solved(curvature, gradient);
        (0..FEATURES).for_each(|i| weights[i] += step[i]);
    }
    weights
}

/// Gauss and Jordan; the matrix is positive definite.
fn solved(mut matrix: [[f64; FEATURES]; FEATURES], mut right: [f64; FEATURES]) -> [f64; FEATURES] {
    for pivot in 0..FEATURES {
        let inverse = 1.0 / matrix[pivot][pivot];
        matrix[pivot] = matrix[pivot].map(|entry| entry * inverse);
        right[pivot] *= inverse;
        for row in (0..FEATURES).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for column in 0..FEATURES {
                matrix[row][column] -= factor * matrix[pivot][column];
            }
            right[row] -= factor * right[pivot];
        }
    }
    right
}

/// How good probabilities are.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judged {
    /// Answers.
    pub(super) count: usize,
    /// Share of true contacts.
    pub(super) base: f64,
    /// Mean squared error.
    pub(super) brier: f64,
    /// Expected calibration error over ten bins.
    pub(super) ece: f64,
    /// The chance that a contact has a higher value than a miss.
    pub(super) auc: f64,
    /// By bin that holds answers: mean value, share of contacts, how many.
    pub(super) reliability: Vec<(f64, f64, usize)>,
}

impl Judged {
    /// By how much the Brier score is below that of always saying the base rate.
    pub(super) fn skill(&self) -> f64 {
        1.0 - self.brier / (self.base * (1.0 - self.base)).max(f64::MIN_POSITIVE)
    }
}

/// Judges pairs of a probability and the truth.
pub(super) fn judge(answers: &[(f64, bool)]) -> Judged {
    let count = answers.len().max(1) as f64;
    let truth = |touches: bool| f64::from(u8::from(touches));
    let base = answers.iter().map(|answer| truth(answer.1)).sum::<f64>() / count;
    let brier = answers.iter().map(|&(p, touches)| (p - truth(touches)).powi(2)).sum::<f64>() / count;
    let mut bins = [(0.0, 0.0, 0); 10];
    for &(p, touches) in answers {
        let bin = &mut bins[((p * 10.0) as usize).min(9)];
        *bin = (bin.0 + p, bin.1 + truth(touches), bin.2 + 1);
    }
    let ece = bins.iter().map(|bin| (bin.0 - bin.1).abs()).sum::<f64>() / count;
    let filled = bins.iter().filter(|bin| bin.2 > 0);
    let reliability = filled.map(|&(p, hits, n)| (p / n as f64, hits / n as f64, n)).collect();
    Judged { count: answers.len(), base, brier, ece, auc: auc(answers), reliability }
}

/// By ranks; equal values count half.
fn auc(answers: &[(f64, bool)]) -> f64 {
    let mut sorted = answers.to_vec();
    sorted.sort_by(|p, q| p.0.total_cmp(&q.0));
    let (mut below, mut area) = (0.0, 0.0);
    for group in sorted.chunk_by(|p, q| p.0 == q.0) {
        let hits = group.iter().filter(|answer| answer.1).count() as f64;
        let misses = group.len() as f64 - hits;
        area += hits * (below + 0.5 * misses);
        below += misses;
    }
    let hits = answers.len() as f64 - below;
    if hits * below > 0.0 { area / (hits * below) } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    #[test]
    fn scores_of_known_answers() {
        let sure = judge(&[(1.0, true), (0.0, false)]);
        assert_eq!((sure.brier, sure.ece, sure.auc, sure.skill()), (0.0, 0.0, 1.0, 1.0));
        let constant = judge(&[(0.5, true), (0.5, false)]);
        assert_eq!((constant.brier, constant.ece, constant.auc, constant.skill()), (0.25, 0.0, 0.5, 0.0));
        let wrong = judge(&[(0.9, false), (0.9, false), (0.1, true), (0.1, false)]);
        assert!((wrong.ece - (0.9 + 0.4) / 2.0).abs() < 1e-12 && wrong.auc < 0.5, "{wrong:?}");
    }

    #[test]
    fn a_logistic_model_is_found_again() {
        let truth = [0.5, -1.0, 2.0, 0.0, 1.0, -0.5, 0.3, -0.8, 0.0, 0.7, -0.2, 0.4, -0.6];
        let mut rng = Rng::new(71);
        let sample = |rng: &mut Rng| {
            let mut features = [1.0; FEATURES];
            features[1..].iter_mut().for_each(|feature| *feature = rng.range(-1.0, 1.0));
            let score: f64 = features.iter().zip(truth).map(|(feature, weight)| feature * weight).sum();
            (features, rng.chance(1.0 / (1.0 + (-score).exp())))
        };
        let samples: Vec<_> = (0..40_000).map(|_| sample(&mut rng)).collect();
        let found = logistic(&samples);
        assert!(found.iter().zip(truth).all(|(found, truth)| (found - truth).abs() < 0.12), "{found:?}");
    }
}
