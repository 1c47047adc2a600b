//! §3.1: which of two volumes to open.

use super::benchmarks::Benchmark;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::traverse::Opening;
use nearhit::research::{SettingsExt, VolumeKind};
use nearhit::{Pair, Scratch, Settings, Tolerance};

/// The paper's rule, then the others that it names.
const RULES: [(&str, Opening); 4] = [
    ("the larger (the paper's)", Opening::Larger),
    ("a's", Opening::ObjectFirst),
    ("b's", Opening::EnvironmentFirst),
    ("both", Opening::Both),
];

/// N_bv of collision and of distance over all poses, and the sum of the distances.
fn work(benchmark: &Benchmark, opening: Opening) -> ([u64; 2], Vec<f64>) {
    let (a, b) = benchmark.models(VolumeKind::Rss);
    let (settings, mut scratch) = (Settings::new().opening(opening), Scratch::new());
    let (mut tests, mut answers) = ([0; 2], Vec::new());
    for pose in &benchmark.poses {
        let pair = Pair::relative(&a, &b, pose).expect("generated poses are in range");
        tests[0] += pair.collide(&settings, &mut scratch).stats.volume_tests;
        let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
        tests[1] += distance.stats.volume_tests;
        answers.push(distance.upper);
    }
    (tests, answers)
}

/// Adds the table and the claim.
pub(super) fn table(report: &mut Report, probes: &Benchmark, dynamics: &Benchmark) {
    let columns = ["opened first", "benchmark", "N_bv, collision", "N_bv, distance", ": the larger", ": the larger"];
    let mut table = Table::new("§3.1: descent rules, rss", &columns);
    let mut same = true;
    for benchmark in [probes, dynamics] {
        let works = RULES.map(|(_, opening)| work(benchmark, opening));
        same &= works.iter().all(|(_, answers)| *answers == works[0].1);
        for ((name, _), (tests, _)) in RULES.iter().zip(&works) {
            let over = |query: usize| Cell::Number(tests[query] as f64 / works[0].0[query] as f64, 2);
            let counts = tests.map(Cell::Count);
            table.row([Cell::from(*name), benchmark.name.into()].into_iter().chain(counts).chain([over(0), over(1)]));
        }
    }
    report.table(table);
    report.claim(Claim {
        place: "§3.1".into(),
        claim: "The descent rule does not change an answer".into(),
        verdict: Verdict::of(same),
        evidence: "the distances of all four rules are equal to the bit".into(),
        counts_work: true,
    });
}
