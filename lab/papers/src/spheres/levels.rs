//! Figures 15 and 16 with our own trees and bounds: how quick is each level beside our exact
//! engine, and how good is its bound?

use super::models::lamp;
use super::speed::{CALLS, calls as simulated};
use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Claim, Plot, Report, Series, Table, Verdict};
use nearhit::research::RefinementExt;
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions};
use nearhit::{Budget, Pair, Refinement, Scratch, Settings, SpherePair, SphereTree, Stats};
use std::time::Instant;

/// What was seen at one level, over all calls that reached it.
#[derive(Default)]
struct Level {
    /// Time of exact collide over time to this level.
    speedups: Vec<f64>,
    /// Upper bounds on the distance, in radii of the bounding sphere.
    bounds: Vec<f64>,
}

/// Adds both figures, in the simulator's calls.
pub(super) fn figures_15_and_16(report: &mut Report, scale: Scale) {
    report.heading("Figures 15 and 16 with our trees and bounds, against our exact engine");
    let (depth, lamp) = (scale.pick(3, 4), lamp(scale));
    let model = &lamp.model;
    let care = scale.pick(BuildEffort::Quick, BuildEffort::Full);
    let tree = SphereTree::build(model, &SphereOptions::new().depth(depth).method(SphereMethod::Medial).effort(care));
    let size = tree.spheres()[0].radius;
    let mut levels: Vec<Level> = (0..depth + 2).map(|_| Level::default()).collect();
    let (mut scratch, mut refinement) = (Scratch::new(), Refinement::default());
    let (mut calls, mut hits, mut same) = (0u64, 0u64, 0u64);
    for pose in simulated(lamp, scale.pick_of(300, 10_000, CALLS)) {
        let pair = Pair::relative(model, model, &pose).expect("near");
        let start = Instant::now();
        let exact = pair.collide(&Settings::default(), &mut scratch);
        let exact_time = start.elapsed().as_secs_f64();
        let pair = SpherePair::new(pair, &tree, &tree);
        refinement.restart();
        let mut spent = Stats::default();
        let start = Instant::now();
        refinement.step(&pair, &Budget::UNLIMITED, &mut spent);
        // Their roots are not exactly those of the calls.
        if refinement.is_done() {
            continue;
        }
        calls += 1;
        let mut time = start.elapsed().as_secs_f64();
        while !refinement.is_done() {
            let start = Instant::now();
            refinement.step(&pair, &Budget::UNLIMITED, &mut spent);
            time += start.elapsed().as_secs_f64();
            let known = refinement.known();
            if refinement.is_done() || known.level > 0 {
                let level = &mut levels[known.level.min(depth + 1) as usize];
                level.speedups.push(exact_time / time);
                level.bounds.push(known.separation.upper / size);
            }
        }
        hits += u64::from(exact.witness.is_some());
        same += u64::from(refinement.known().verdict == exact.verdict);
    }
    let title = format!("Speed against our exact collide, and our bound, {calls} calls, {hits} of them collisions");
    let mut table = Table::new(
        title,
        &["level", "calls", "speed, tenth", "half", "nine tenths", "share faster", "bound, half", "nine tenths"],
    );
    for (index, level) in levels.iter_mut().enumerate().skip(1).filter(|(_, level)| !level.speedups.is_empty()) {
        level.speedups.sort_by(f64::total_cmp);
        level.bounds.sort_by(f64::total_cmp);
        let faster =
            level.speedups.iter().filter(|&&speedup| speedup > 1.0).count() as f64 / level.speedups.len() as f64;
        let name = if index as u32 > depth { "triangles".to_owned() } else { index.to_string() };
        let [tenth, half, most] = [0.1, 0.5, 0.9].map(|share| Cell::Number(quantile(&level.speedups, share), 2));
        table.row([
            name.into(),
            Cell::Count(level.speedups.len() as u64),
            tenth,
            half,
            most,
            Cell::Number(faster, 2),
            Cell::Number(quantile(&level.bounds, 0.5), 4),
            Cell::Number(quantile(&level.bounds, 0.9), 4),
        ]);
    }
    report.table(table);
    plot(report, "Speed against our exact collide", "times as fast", &levels, |level| &level.speedups);
    plot(report, "Our bound on the distance", "radii", &levels, |level| &level.bounds);
    let halves: Vec<f64> = levels[1..=depth as usize]
        .iter()
        .filter(|level| !level.bounds.is_empty())
        .map(|level| quantile(&level.bounds, 0.5))
        .collect();
    report.claim(Claim {
        place: "§11.2, Figure 16, ours".into(),
        claim: "The bound on the separation improves for deeper levels (half of the calls; the paper's text has no numbers)".into(),
        verdict: Verdict::of(halves.len() > 1 && halves.windows(2).all(|two| two[1] < two[0])),
        evidence: format!("by level, in radii: {halves:.4?}"),
        counts_work: true,
    });
    report.claim(Claim {
        place: "§11.2, ours".into(),
        claim: "The last level finds exactly the collisions that the exact algorithm finds".into(),
        verdict: Verdict::of(same == calls && hits > 0),
        evidence: format!("{same} of {calls} calls, {hits} collisions"),
        counts_work: true,
    });
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}

fn plot(report: &mut Report, caption: &str, label: &str, levels: &[Level], of: fn(&Level) -> &Vec<f64>) {
    let series =
        levels.iter().enumerate().skip(1).filter(|(_, level)| !of(level).is_empty()).map(|(index, level)| Series {
            name: format!("level {index}"),
            points: (0..=50)
                .map(|part| f64::from(part) / 50.0)
                .map(|share| (share, quantile(of(level), share)))
                .collect(),
        });
    report.plot(Plot {
        caption: format!("{caption}: share of the calls at or below"),
        x: Axis::linear("share of the calls"),
        y: Axis::logarithmic(label),
        series: series.collect(),
    });
}
