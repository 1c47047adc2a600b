//! §5.3: from collision to exact distance as the relative error R goes to zero.

use super::benchmarks::Benchmark;
use super::work::micros_each;
use lab_report::stopwatch::time;
use lab_report::{Axis, Cell, Claim, Plot, Report, Series, Table, Verdict};
use nearhit::research::{DistanceStart, PairExt, VolumeKind};
use nearhit::{Pair, Scratch, Settings, Tolerance};

const ERRORS: [f64; 8] = [10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.0];

/// Work of all queries of a benchmark.
struct Sweep {
    collision: u64,
    /// By relative error: as asked, as if the distance were known from the start (the minimal
    /// traversal tree), and µs a query as asked.
    by_error: Vec<(u64, u64, f64)>,
}

fn sweep(benchmark: &Benchmark) -> Sweep {
    let (a, b) = benchmark.models(VolumeKind::Rss);
    let (settings, mut scratch) = (Settings::new(), Scratch::new());
    let mut pairs = Vec::new();
    let mut collision = 0;
    for pose in &benchmark.poses {
        let pair = Pair::relative(&a, &b, pose).expect("generated poses are in range");
        let found = pair.collide(&settings, &mut scratch);
        if found.witness.is_none() {
            collision += found.stats.volume_tests;
            let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch).upper;
            pairs.push((pair, distance));
        }
    }
    let by_error = ERRORS.map(|error| {
        let tolerance = if error == 0.0 { Tolerance::EXACT } else { Tolerance::relative(error) };
        let mut asked = 0;
        let took = time(|| {
            asked = pairs
                .iter()
                .map(|(pair, _)| pair.distance(tolerance, &settings, &mut scratch).stats.volume_tests)
                .sum();
        });
        let minimal = pairs.iter().map(|(pair, distance)| {
            let start = DistanceStart::AtMost(*distance);
            pair.distance_from(start, tolerance, &settings, &mut scratch).stats.volume_tests
        });
        (asked, minimal.sum(), micros_each(took, pairs.len()))
    });
    Sweep { collision, by_error: by_error.into() }
}

/// Adds the table, the plot and the claims.
pub(super) fn table(report: &mut Report, benchmarks: &[&Benchmark]) {
    let columns = ["benchmark", "R", "N_bv", "N_bv, ε = δ from the start", ": collision", "µs a query"];
    let mut table = Table::new("§5.3: distance to a relative error R, rss, where the models are apart", &columns);
    let (mut series, mut monotone, mut between) = (Vec::new(), true, true);
    for benchmark in benchmarks {
        let sweep = sweep(benchmark);
        table.row([
            benchmark.name.into(),
            "collision".into(),
            Cell::Count(sweep.collision),
            Cell::Empty,
            Cell::Number(1.0, 2),
            Cell::Empty,
        ]);
        for (error, &(asked, minimal, micros)) in ERRORS.iter().zip(&sweep.by_error) {
            table.row([
                benchmark.name.into(),
                if *error == 0.0 { "0 (exact)".into() } else { Cell::Number(*error, 2) },
                Cell::Count(asked),
                Cell::Count(minimal),
                Cell::Number(minimal as f64 / sweep.collision as f64, 2),
                Cell::Number(micros, 1),
            ]);
        }
        let minimal: Vec<u64> = sweep.by_error.iter().map(|of| of.1).collect();
        monotone &= minimal.windows(2).all(|two| two[0] <= two[1]) && minimal[0] < minimal[ERRORS.len() - 1];
        between &= minimal.iter().all(|&tests| tests >= sweep.collision && tests <= minimal[ERRORS.len() - 1]);
        let points = ERRORS.iter().zip(&minimal).filter(|(error, _)| **error > 0.0);
        let points = points.map(|(&error, &tests)| (error, tests as f64 / sweep.collision.max(1) as f64)).collect();
        series.push(Series { name: benchmark.name.into(), points });
    }
    report.table(table);
    report.plot(Plot {
        caption: "§5.3: volume tests of the minimal traversal over those of collision, by relative error".into(),
        x: Axis::logarithmic("R"),
        y: Axis::linear("N_bv : collision"),
        series,
    });
    report.claim(Claim {
        place: "§5.3".into(),
        claim: "As R goes to zero the work of approximate distance grows".into(),
        verdict: Verdict::of(monotone),
        evidence: "with ε = δ from the start no test more at any larger R, on every benchmark; see the table".into(),
        counts_work: true,
    });
    report.claim(Claim {
        place: "§5.3".into(),
        claim: "Changing R ranges between a collision query and a distance query".into(),
        verdict: Verdict::of(between),
        evidence: "with ε = δ from the start never fewer tests than collision, never more than exact distance".into(),
        counts_work: true,
    });
}
