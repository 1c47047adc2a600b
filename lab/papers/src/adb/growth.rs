//! Time against the number of triangles.

use super::scene::{Augmented, MODELS, distances, object, trials};
use super::tally::{OF_BOXES, OF_DOPS, OF_PIECES, average, exact};
use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Claim, Plot, Report, Series, Table, Verdict};
use nearhit::research::VolumeKind;
use nearhit::research::adb::{Options, Quality};
use std::time::Instant;

const RULES: [&str; 2] = ["default rule", "paper's rule"];

/// Adds plot, table and verdict: the first two models, distances 1 to 2.
pub(super) fn show(report: &mut Report, scale: Scale) {
    let (sizes, step, turns, rounds): (&[usize], f64, u32, usize) =
        scale.pick((&[500, 2_000, 8_000], 0.5, 4, 1), (&[10_000, 32_000, 100_000, 320_000, 1_000_000], 0.2, 6, 3));
    let mut table = Table::new(
        "Time against size, distances 1 to 2 (k_min = 10; by the default rule, and by the paper's)",
        &[
            "model",
            "triangles",
            "table made in s",
            "ADB µs",
            "ADB weighted µs",
            "error %",
            "the paper's µs",
            "the paper's weighted µs",
            "the paper's error %",
            "18-DOP µs",
            "18-DOP weighted µs",
        ],
    );
    let (mut times, mut works) = (Vec::new(), Vec::new());
    for maker in &MODELS[..2] {
        let (mut time, mut work) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for &size in sizes {
            let object = object(*maker, size);
            let tests = trials(&object, &distances(1.0, 2.0, step), turns);
            let model = object.model(VolumeKind::Obb);
            let started = Instant::now();
            let boxes = Augmented::new(model, &Options::default());
            let made = started.elapsed().as_secs_f64();
            let by_rules =
                [Quality::default(), Quality::tuned()].map(|quality| average(&boxes, &quality, &tests, rounds));
            let dops = exact(&object.model(VolumeKind::KDop18), &tests, rounds);
            for (rule, tally) in by_rules.iter().enumerate() {
                time[rule].push((object.size() as f64, tally.micros()));
                work[rule].push((object.size() as f64, tally.weighted(&[OF_PIECES, OF_BOXES][rule])));
            }
            let [own, paper] = by_rules;
            table.row([
                object.name.into(),
                Cell::Count(object.size() as u64),
                Cell::Number(made, 1),
                Cell::Number(own.micros(), 2),
                Cell::Number(own.weighted(&OF_PIECES), 2),
                Cell::Number(own.error(), 2),
                Cell::Number(paper.micros(), 2),
                Cell::Number(paper.weighted(&OF_BOXES), 2),
                Cell::Number(paper.error(), 2),
                Cell::Number(dops.micros(), 2),
                Cell::Number(dops.weighted(&OF_DOPS), 2),
            ]);
        }
        for (rule, (time, work)) in time.into_iter().zip(work).enumerate() {
            let name = format!("{}, {}", maker.0, RULES[rule]);
            times.push(Series { name: name.clone(), points: time });
            works.push(Series { name, points: work });
        }
    }
    report.table(table);
    for (what, series, counts_work) in [("time", &times, false), ("weighted work", &works, true)] {
        let slopes: Vec<f64> = series.iter().map(|series| slope(&series.points)).collect();
        report.claim(Claim {
            place: "§4.3.1".into(),
            claim: format!("Almost independent of the number of polygons (log-log slope at most 0.2): {what}"),
            verdict: Verdict::of(slopes.iter().all(|&slope| slope <= 0.2)),
            evidence: format!(
                "slopes {slopes:.3?} for {:?}",
                series.iter().map(|series| series.name.as_str()).collect::<Vec<_>>()
            ),
            counts_work,
        });
    }
    report.plot(Plot {
        caption: "Time against size".into(),
        x: Axis::logarithmic("triangles"),
        y: Axis::logarithmic("µs a test"),
        series: times,
    });
}

/// Least squares through the logarithms.
fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(x, y), log| (x + log.0 / count, y + log.1 / count));
    let (above, below) = logs
        .iter()
        .fold((0.0, 0.0), |(above, below), log| (above + (log.0 - x) * (log.1 - y), below + (log.0 - x).powi(2)));
    above / below
}
