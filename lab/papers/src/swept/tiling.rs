//! §7.6: Quinlan tiles each primitive with several leaf spheres; the paper did not. Does it help?

use super::benchmarks::{self, Benchmark};
use super::work::micros_each;
use lab_report::scale::Scale;
use lab_report::stopwatch::time;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::{Mesh, Model, Pair, Scratch, Settings, Tolerance};

/// Largest size of a leaf's sphere, in that of the whole environment; none is no tiling.
const SHARES: [Option<f64>; 4] = [None, Some(0.1), Some(0.05), Some(0.02)];

/// Adds what tiling does to spheres at distance.
pub(super) fn table(report: &mut Report) {
    // Small models show it: with tiles a query of the large engine takes seconds.
    let [probes, _] = benchmarks::path_planning(Scale::Quick);
    let benchmarks = [benchmarks::virtual_prototyping(Scale::Quick), probes];
    let columns = ["benchmark", "r_max : size", "nodes", "N_bv", "N_p", "µs a query"];
    let mut table = Table::new("§7.6: leaf spheres tiled, distance", &columns);
    let mut saved = Vec::new();
    for benchmark in &benchmarks {
        let measured = SHARES.map(|share| measured(benchmark, share));
        for (share, (nodes, volumes, triangles, micros)) in SHARES.into_iter().zip(measured) {
            table.row([
                benchmark.name.into(),
                share.map_or(Cell::from("not tiled"), |share| Cell::Number(share, 2)),
                Cell::Count(nodes),
                Cell::Count(volumes),
                Cell::Count(triangles),
                Cell::Number(micros, 1),
            ]);
        }
        let volumes = measured.map(|row| row.1 as f64);
        let triangles = measured.map(|row| row.2 as f64);
        saved.extend((1..SHARES.len()).map(|row| (volumes[row] / volumes[0], triangles[row] / triangles[0])));
    }
    report.table(table);
    let shown: Vec<String> =
        saved.iter().map(|(volumes, triangles)| format!("{volumes:.2} and {triangles:.2}")).collect();
    report.claim(Claim {
        place: "§7.6".into(),
        claim: "The amount of tiling can greatly affect the performance of sphere trees".into(),
        verdict: Verdict::of(saved.iter().any(|&(volumes, _)| !(0.67..1.5).contains(&volumes))),
        evidence: format!("N_bv and N_p with tiles : without: {}", shown.join("; ")),
        counts_work: true,
    });
}

/// Nodes of both trees, N_bv, N_p and microseconds a query.
fn measured(benchmark: &Benchmark, share: Option<f64>) -> (u64, u64, u64, f64) {
    let size = {
        let (low, high) = benchmark
            .b
            .vertices()
            .iter()
            .fold((glam::DVec3::INFINITY, glam::DVec3::NEG_INFINITY), |(low, high), &vertex| {
                (low.min(vertex), high.max(vertex))
            });
        0.5 * (high - low).length()
    };
    let options = BuildOptions::new().tiles(share.map(|share| share * size));
    let build = |mesh: &Mesh| Model::with(mesh.clone(), VolumeKind::Sphere, &options);
    let (a, b) = (build(&benchmark.a), build(&benchmark.b));
    let mut scratch = Scratch::new();
    let (mut volumes, mut triangles) = (0, 0);
    // A few are enough: all repeat exactly.
    let poses: Vec<_> = benchmark.poses.iter().step_by(benchmark.poses.len().div_ceil(12)).collect();
    let elapsed = time(|| {
        for pose in &poses {
            let pair = Pair::relative(&a, &b, pose).expect("generated poses are in range");
            let stats = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).stats;
            volumes += stats.volume_tests;
            triangles += stats.triangle_tests;
        }
    });
    let nodes = [&a, &b].map(|model| match model.hierarchy() {
        nearhit::research::hierarchy::AnyHierarchy::Sphere(tree) => tree.nodes().len() as u64,
        other => panic!("asked for spheres, got {}", other.kind()),
    });
    (nodes[0] + nodes[1], volumes, triangles, micros_each(elapsed, poses.len()))
}
