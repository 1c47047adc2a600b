//! What is known after so many microseconds, and how much later than that?

use super::models::shared;
use crate::report::{Cell, Report, Table};
use crate::scale::Scale;
use crate::subject;
use nearhit::{
    Budget, Care, Clock, Model, Pair, Pose, Refinement, SphereMethod, SphereOptions, SpherePair, SphereTree, Verdict,
};
use nearhit_testkit::cases;
use std::time::{Duration, Instant};

#[derive(Debug)]
struct Wall(Instant);

impl Clock for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Adds a table of hard pairs: nested spheres and, where it is to be had, a scan against itself.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("Budgets on hard pairs");
    let columns =
        ["pairs", "budget µs", "queries", "overshoot µs, half", "99 %", "99.9 %", "maybe", "mean width / size"];
    let mut table =
        Table::new("Budgets: overshoot by the wall clock, share of open answers, mean width of the interval", &columns);
    let care = scale.pick(Care::Quick, Care::Full);
    let nested = cases::nested(scale.pick(1_280, 20_480), 0.01, scale.pick(5, 50), 61);
    let (a, b, poses) = subject::case(&nested);
    rows(&mut table, "nested spheres, gap 0.01", &Model::new(a), &Model::new(b), &poses, care, scale);
    if scale == Scale::Full
        && let Some(mesh) = shared("bunny-close/a.obj")
    {
        let mut rng = nearhit_testkit::rng::Rng::new(62);
        let model = Model::new(mesh);
        let size = model.mesh().max_coordinate();
        let pose = |_| Pose::from_rows(rng.rotation(), rng.point(-0.7 * size, 0.7 * size)).expect("a rotation");
        let poses: Vec<Pose> = (0..50).map(pose).collect();
        rows(&mut table, "bunny against itself", &model, &model, &poses, care, scale);
    }
    report.table(table);
    report.text("Overshoot is from the deadline to the return, on a wall clock: what else the machine does is in it.");
}

fn rows(table: &mut Table, name: &str, a: &Model, b: &Model, poses: &[Pose], care: Care, scale: Scale) {
    let options = SphereOptions { depth: scale.pick(3, 4), method: SphereMethod::Medial, care };
    let (tree_a, tree_b) = (SphereTree::build(a, &options), SphereTree::build(b, &options));
    let size = tree_a.spheres()[0].radius;
    let clock = Wall(Instant::now());
    let mut refinement = Refinement::default();
    for budget in [1, 5, 20, 100] {
        let (mut over, mut maybe, mut width) = (Vec::new(), 0, 0.0);
        for _ in 0..scale.pick(4, 200) {
            for pose in poses {
                let pair = SpherePair::new(Pair::relative(a, b, pose).expect("near"), &tree_a, &tree_b);
                refinement.restart();
                let deadline = clock.now() + Duration::from_micros(budget);
                let known = refinement.run(&pair, &Budget::until(&clock, deadline));
                over.push(clock.now().saturating_sub(deadline).as_nanos() as f64 / 1e3);
                maybe += usize::from(known.verdict == Verdict::Maybe);
                width += (known.separation.upper.min(4.0 * size) - known.separation.lower) / size;
            }
        }
        over.sort_by(f64::total_cmp);
        let at = |share: f64| Cell::Number(over[((over.len() - 1) as f64 * share) as usize], 2);
        let count = over.len() as f64;
        table.row([
            name.into(),
            Cell::Count(budget),
            Cell::Count(over.len() as u64),
            at(0.5),
            at(0.99),
            at(0.999),
            Cell::Number(maybe as f64 / count, 2),
            Cell::Number(width / count, 4),
        ]);
    }
}
