//! Do the probabilities mean what they say? Judged on models that the calibration has not seen.

use super::fit::{self, Judged, Sample, judge};
use super::near;
use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Claim, Plot, Report, Series, Table, Verdict};
use nearhit::research::adb::Outcome;
use nearhit::research::adb::calibration::Calibration;

/// Adds scores by budget, the reliability diagrams and the verdicts: of the paper's rule where
/// bodies tumble, and of the default rule where they are close to a contact.
pub(super) fn show(report: &mut Report, calibration: &Calibration, scale: Scale) {
    of_rule(report, calibration, "the paper's rule, tumbling bodies", &fit::unseen(scale), &fit::BUDGETS);
    of_rule(report, calibration, "the default rule, close bodies", &near::judged_on(scale), &near::BUDGETS);
}

fn of_rule(report: &mut Report, calibration: &Calibration, what: &str, samples: &[Sample], budgets: &[u64]) {
    let calibrated = |samples: &[Sample]| {
        judge(&samples.iter().map(|it| (calibration.probability(&it.evidence), it.touches)).collect::<Vec<_>>())
    };
    let raw = |samples: &[Sample]| judge(&samples.iter().map(|it| (it.evidence.raw(), it.touches)).collect::<Vec<_>>());
    let mut table = Table::new(
        format!("Calibration on unseen models ({what}), where the outer boxes meet, by budget in volume tests"),
        &[
            "budget",
            "answers",
            "interrupted",
            "contacts %",
            "ECE",
            "Brier",
            "base rate's",
            "better %",
            "AUC",
            "raw: ECE",
            "raw: Brier",
            "raw: AUC",
        ],
    );
    let mut row = |name: String, samples: &[Sample]| {
        let (fitted, raw) = (calibrated(samples), raw(samples));
        let interrupted = samples.iter().filter(|it| it.evidence.outcome == Outcome::Interrupted).count();
        table.row([
            name.into(),
            Cell::Count(fitted.count as u64),
            Cell::Count(interrupted as u64),
            Cell::Number(100.0 * fitted.base, 1),
            Cell::Number(fitted.ece, 3),
            Cell::Number(fitted.brier, 3),
            Cell::Number(fitted.base * (1.0 - fitted.base), 3),
            Cell::Number(100.0 * fitted.skill(), 1),
            Cell::Number(fitted.auc, 3),
            Cell::Number(raw.ece, 3),
            Cell::Number(raw.brier, 3),
            Cell::Number(raw.auc, 3),
        ]);
    };
    for &budget in budgets {
        let of_budget: Vec<Sample> = samples.iter().filter(|it| it.budget == budget).copied().collect();
        row(if budget == u64::MAX { "none".into() } else { budget.to_string() }, &of_budget);
    }
    row("all".into(), samples);
    report.table(table);
    let (all, raw) = (calibrated(samples), raw(samples));
    let points = |judged: &Judged| judged.reliability.iter().map(|bin| (bin.0, bin.1)).collect();
    report.plot(Plot {
        caption: format!(
            "Reliability ({what}): how often is it a contact when the probability is said to be so? (all budgets)"
        ),
        x: Axis::linear("probability said"),
        y: Axis::linear("share of contacts"),
        series: vec![
            Series { name: "calibrated".into(), points: points(&all) },
            Series { name: "raw".into(), points: points(&raw) },
            Series { name: "ideal".into(), points: vec![(0.0, 0.0), (1.0, 1.0)] },
        ],
    });
    by_scene(report, calibration, what, samples);
    report.claim(Claim {
        place: "beyond the paper".into(),
        claim: format!("Calibrated probabilities ({what}) mean what they say: expected calibration error at most 0.05"),
        verdict: Verdict::of(all.ece <= 0.05),
        evidence: format!(
            "{:.3} on {} answers about unseen models, interrupted ones included (raw: {:.3})",
            all.ece, all.count, raw.ece
        ),
        counts_work: true,
    });
    report.claim(Claim {
        place: "beyond the paper".into(),
        claim: format!("…and say something ({what}): the Brier score is at least 30 % below the base rate's"),
        verdict: Verdict::of(all.skill() >= 0.3),
        evidence: format!("{:.1} % below, AUC {:.3}", 100.0 * all.skill(), all.auc),
        counts_work: true,
    });
}

/// Adds what interrupted answers are worth in each scene, by a caller who does not know how often
/// bodies touch there, and by one who does.
fn by_scene(report: &mut Report, calibration: &Calibration, what: &str, samples: &[Sample]) {
    let mut table = Table::new(
        format!("Interrupted answers by scene ({what}): not told how often bodies touch there, and told"),
        &["scene", "answers", "contacts %", "ECE", "Brier", "told: ECE", "told: Brier"],
    );
    let mut scenes: Vec<&str> = samples.iter().map(|it| it.scene).collect();
    scenes.sort_unstable();
    scenes.dedup();
    for scene in scenes {
        let of_scene = || samples.iter().filter(|it| it.scene == scene);
        let interrupted: Vec<&Sample> = of_scene().filter(|it| it.evidence.outcome == Outcome::Interrupted).collect();
        let share = of_scene().filter(|it| it.touches).count() as f64 / of_scene().count() as f64;
        let by = |calibration: &Calibration| {
            judge(&interrupted.iter().map(|it| (calibration.probability(&it.evidence), it.touches)).collect::<Vec<_>>())
        };
        let (not_told, told) = (by(calibration), by(&calibration.expecting(share)));
        table.row([
            scene.into(),
            Cell::Count(interrupted.len() as u64),
            Cell::Number(100.0 * share, 1),
            Cell::Number(not_told.ece, 3),
            Cell::Number(not_told.brier, 3),
            Cell::Number(told.ece, 3),
            Cell::Number(told.brier, 3),
        ]);
    }
    report.table(table);
}
