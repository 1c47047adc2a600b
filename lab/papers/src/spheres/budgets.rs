//! What is known after so many microseconds, and how much later than that?

use super::models::shared_cases;
use lab_report::scale::Scale;
use lab_report::{Cell, Report, Table};
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions};
use nearhit::{Budget, Clock, Model, Pair, Pose, Refinement, SpherePair, SphereTree, Verdict, WallClock};
use nearhit_cases::folder::{Case, Placed};
use nearhit_cases::generated;
use nearhit_testkit::cases;
use std::time::Duration;

/// A query is asked so often; the middle of its overshoots is taken. A thread that loses its
/// processor for a moment is late by milliseconds: that is the machine's doing, and seldom happens
/// twice at the same query.
const TIMES: usize = 5;

/// Adds a table of hard pairs: nested spheres and, where they are installed, two scans close to
/// each other.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("Budgets on hard pairs");
    let columns = [
        "pairs",
        "budget µs",
        "queries",
        "overshoot µs, half",
        "99 %",
        "99.9 %",
        "wall clock, 99 %",
        "maybe",
        "mean width / size",
    ];
    let mut table = Table::new("Budgets: overshoot, share of open answers, mean width of the interval", &columns);
    let care = scale.pick(BuildEffort::Quick, BuildEffort::Full);
    let nested = cases::nested(scale.pick(1_280, 20_480), 0.01, scale.pick(5, 50), 61);
    let (a, b, poses) = generated::case(&nested);
    rows(&mut table, "nested spheres, gap 0.01", &Model::new(a), &Model::new(b), &poses, care, scale);
    if scale == Scale::Full
        && let Ok(Case { name, a, b, poses }) = Case::load(&shared_cases().join("bunny-close"))
    {
        let poses: Vec<Pose> = poses.iter().map(Placed::a_from_b).collect();
        rows(&mut table, &name, &Model::new(a), &Model::new(b), &poses, care, scale);
    }
    report.table(table);
    report.text(format!(
        "Overshoot is from the deadline to the return. Each query is asked {TIMES} times and the middle one counts, so that a thread that loses its processor does not; \"wall clock\" counts them all.",
    ));
}

fn rows(table: &mut Table, name: &str, a: &Model, b: &Model, poses: &[Pose], care: BuildEffort, scale: Scale) {
    let options = SphereOptions::new().depth(scale.pick(3, 4)).method(SphereMethod::Medial).effort(care);
    let (tree_a, tree_b) = (SphereTree::build(a, &options), SphereTree::build(b, &options));
    let size = tree_a.spheres()[0].radius;
    let clock = WallClock::start();
    let mut refinement = Refinement::default();
    for budget in [1, 5, 20, 100] {
        let (mut over, mut each, mut maybe, mut width) = (Vec::new(), Vec::new(), 0, 0.0);
        for pose in poses.iter().cycle().take(scale.pick(20, 2_000).max(poses.len())) {
            let pair = SpherePair::new(Pair::relative(a, b, pose).expect("near"), &tree_a, &tree_b);
            let mut late = [(); TIMES].map(|()| {
                refinement.restart();
                let deadline = clock.now() + Duration::from_micros(budget);
                let known = refinement.run(&pair, &Budget::until(&clock, deadline));
                let late = clock.now().saturating_sub(deadline).as_nanos() as f64 / 1e3;
                maybe += usize::from(known.verdict == Verdict::Maybe);
                width += (known.separation.upper.min(4.0 * size) - known.separation.lower) / size;
                late
            });
            each.extend(late);
            late.sort_by(f64::total_cmp);
            over.push(late[TIMES / 2]);
        }
        over.sort_by(f64::total_cmp);
        each.sort_by(f64::total_cmp);
        let at = |of: &[f64], share: f64| Cell::Number(of[((of.len() - 1) as f64 * share) as usize], 2);
        let count = each.len() as f64;
        table.row([
            name.into(),
            Cell::Count(budget),
            Cell::Count(over.len() as u64),
            at(&over, 0.5),
            at(&over, 0.99),
            at(&over, 0.999),
            at(&each, 0.99),
            Cell::Number(maybe as f64 / count, 2),
            Cell::Number(width / count, 4),
        ]);
    }
}
