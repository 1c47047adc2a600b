//! Table 5: how the search goes about it, on the path-planning benchmark with rectangle-swept
//! spheres.

use super::benchmarks::Benchmark;
use super::paper;
use super::work::{Work, micros_each};
use lab_report::stopwatch::time;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::PairExt;
use nearhit::research::SettingsExt;
use nearhit::research::{AgendaKind, DistanceStart, VolumeKind};
use nearhit::{Distance, Model, Pair, Pose, Scratch, Seed, Settings, Tolerance};

/// A row of Table 5.
struct Way {
    name: &'static str,
    agenda: AgendaKind,
    knows: Knows,
}

/// What a query knows at the start.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Knows {
    /// ε = ∞.
    Nothing,
    /// The closest triangles of the query before.
    Cached,
    /// ε = δ.
    Everything,
}

/// The rows of the paper, with its nested queues of 200, then two ways of the library.
const WAYS: [Way; 7] = [
    Way { name: "depth first, left child first", agenda: AgendaKind::Plain, knows: Knows::Nothing },
    Way { name: "priority directed (PDS)", agenda: AgendaKind::PAPER, knows: Knows::Nothing },
    Way { name: "triangle caching (TC)", agenda: AgendaKind::Plain, knows: Knows::Cached },
    Way { name: "PDS & TC", agenda: AgendaKind::PAPER, knows: Knows::Cached },
    Way { name: "ideal (ε = δ from the start)", agenda: AgendaKind::Plain, knows: Knows::Everything },
    Way { name: "depth first, nearer child first, TC", agenda: AgendaKind::Depth, knows: Knows::Cached },
    Way { name: "one queue, overflow depth first, TC", agenda: AgendaKind::BEST, knows: Knows::Cached },
];

/// Adds Table 5 and what became of its claims.
pub(super) fn table(report: &mut Report, probes: &Benchmark, path: &Benchmark) {
    let measured = [probes, path].map(works);
    let columns = [
        "traversal",
        "benchmark",
        "N_bv",
        "N_p",
        "µs a query",
        "N_bv : ideal",
        "paper: N_bv ×10⁶",
        "N_p ×10⁶",
        "ms",
        "N_bv : ideal",
    ];
    let mut table = Table::new("Table 5: traversal schemes, distance with rss", &columns);
    for (row, way) in WAYS.iter().enumerate() {
        for (column, name) in ["computation", "verification"].into_iter().enumerate() {
            let work = measured[column][row];
            let ideal = measured[column][4];
            let mut cells = vec![
                Cell::from(way.name),
                Cell::from(name),
                Cell::Count(work.volumes),
                Cell::Count(work.triangles),
                Cell::Number(work.micros, 1),
                Cell::Number(work.volumes as f64 / ideal.volumes as f64, 2),
            ];
            match paper::TRAVERSAL.get(row).map(|row| row[column]) {
                Some(row) => cells.extend([
                    Cell::Number(row.volumes, 3),
                    Cell::Number(row.triangles, 3),
                    Cell::Number(row.time, 2),
                    Cell::Number(row.volumes / paper::TRAVERSAL[4][column].volumes, 2),
                ]),
                None => cells.extend([(); 4].map(|()| Cell::Empty)),
            }
            table.row(cells);
        }
    }
    report.table(table);
    claims(report, &measured);
}

fn claims(report: &mut Report, measured: &[[Work; WAYS.len()]; 2]) {
    let saving = |column: usize, row: usize| measured[column][0].volumes as f64 / measured[column][row].volumes as f64;
    let [random, path] = [saving(0, 3), saving(1, 3)];
    report.claim(Claim {
        place: "§7.5".into(),
        claim: "PDS with caching beats plain depth-first search by an order of magnitude in N_bv".into(),
        verdict: Verdict::of(random >= 10.0 && path >= 10.0),
        evidence: format!("{random:.1} times fewer on the probes, {path:.1} on the path (paper: 18.8 and 34.5)"),
        counts_work: true,
    });
    let [pds, caching] = [saving(0, 1), saving(0, 2)];
    report.claim(Claim {
        place: "§7.5".into(),
        claim: "On random probes caching saves less than PDS: successive queries have little in common".into(),
        verdict: Verdict::of(caching < pds),
        evidence: format!("N_bv {caching:.1} times fewer by caching, {pds:.1} by PDS (paper: 2.3 and 18.7)"),
        counts_work: true,
    });
    let beyond = [0, 1].map(|column| measured[column][3].volumes as f64 / measured[column][4].volumes as f64);
    report.claim(Claim {
        place: "§6.3".into(),
        claim: "Both together come close to the ideal query, so their effects cannot add up".into(),
        verdict: Verdict::of(beyond.iter().all(|&ratio| ratio < 1.5)),
        evidence: format!("N_bv of PDS & TC : ideal: {:.2} and {:.2} (paper: 1.22 and 1.01)", beyond[0], beyond[1]),
        counts_work: true,
    });
}

fn works(benchmark: &Benchmark) -> [Work; WAYS.len()] {
    let (a, b) = benchmark.models(VolumeKind::Rss);
    let free = free_poses(benchmark);
    std::array::from_fn(|row| {
        let mut work = Work::default();
        let elapsed = time(|| work = over_path(&a, &b, &free, &WAYS[row]));
        Work { micros: micros_each(elapsed, free.len()), ..work }
    })
}

/// Where they do not touch, and how far apart they are: distance is about those.
fn free_poses(benchmark: &Benchmark) -> Vec<(Pose, f64)> {
    let (a, b) = (Model::new(benchmark.a.clone()), Model::new(benchmark.b.clone()));
    let mut scratch = Scratch::new();
    let apart = |pose: &Pose| {
        let pair = Pair::relative(&a, &b, pose).expect("generated poses are in range");
        pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper
    };
    let distances: Vec<f64> = benchmark.poses.iter().map(apart).collect();
    benchmark.poses.iter().copied().zip(distances).filter(|&(_, distance)| distance > 0.0).collect()
}

fn over_path(a: &Model, b: &Model, poses: &[(Pose, f64)], way: &Way) -> Work {
    let (mut scratch, mut last, mut work): (_, Option<Seed>, _) = (Scratch::new(), None, Work::default());
    for &(pose, distance) in poses {
        let pair = Pair::relative(a, b, &pose).expect("generated poses are in range");
        let seed = last.filter(|_| way.knows == Knows::Cached);
        let start = match (way.knows, seed) {
            (Knows::Everything, _) => DistanceStart::AtMost(distance),
            (Knows::Cached, Some(_)) => DistanceStart::Witness,
            _ => DistanceStart::AtMost(f64::INFINITY),
        };
        let settings = Settings::new().agenda(way.agenda).seed(seed);
        let answer: Distance = pair.distance_from(start, Tolerance::EXACT, &settings, &mut scratch);
        assert!(answer.upper == distance, "{}: {} is not {distance}", way.name, answer.upper);
        last = Some(answer.seed());
        work.volumes += answer.stats.volume_tests;
        work.triangles += answer.stats.triangle_tests;
    }
    work
}
