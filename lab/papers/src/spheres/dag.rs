//! §5, §8, §9.1: the sphere-DAG beside the paper's sphere-tree.

use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::stopwatch::time;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{SearchEffort, Side, SphereDag, SphereOptions, inaccuracy};
use nearhit::{Model, Pair, Pose, Scratch, Settings, SphereTree};
use nearhit_cases::generated;
use nearhit_datasets::shapes::desktop_lamp;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes::torus;
use rayon::prelude::*;

/// The mean inaccuracy of balls, in radii of the root.
fn inaccuracy_of(model: &Model, balls: &[(glam::DVec3, f64)], root: f64) -> f64 {
    let effort = SearchEffort { relative: 0.05, most: 500 };
    let found = balls.par_iter().map(|&(center, radius)| inaccuracy(model, center, radius, Side::Both, effort).upper);
    found.sum::<f64>() / balls.len() as f64 / root
}

/// Adds the table and the claims.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§5, §8: the sphere-DAG");
    progress::begins("the sphere-DAG");
    let depth = scale.pick(2, 3);
    let options = SphereOptions::paper().depth(depth).points(scale.pick(400, 1000));
    let soups = [("lamp", desktop_lamp(626)), ("ring", torus(24, 8, 1.0, 0.15))];
    let columns =
        ["model", "level", "tree's spheres", "DAG's", "children of one in the DAG", "inaccuracy, tree", "DAG"];
    let mut table = Table::new("§8: levels of the paper's tree and of its DAG", &columns);
    let (mut same, mut calls, mut hits, mut repeats, mut tests) = (0, 0, 0, 0, 0);
    let (mut built, mut rng) = ([0.0; 2], Rng::new(8));
    for (name, soup) in soups {
        let model = Model::new(generated::mesh(&soup));
        let (mut tree, mut dag) = (None, None);
        built[0] += time(|| tree = Some(SphereTree::build(&model, &options))).as_secs_f64();
        built[1] += time(|| dag = Some(SphereDag::build(&model, &options))).as_secs_f64();
        let (tree, dag) = (tree.expect("built"), dag.expect("built"));
        let root = tree.spheres()[0].radius;
        for level in 1..=depth as usize {
            let of_dag = &dag.levels()[level];
            let above = &dag.levels()[level - 1];
            let children = above.iter().map(|sphere| sphere.children.len()).sum::<usize>() as f64 / above.len() as f64;
            let balls: Vec<_> = tree.level(level).iter().map(|sphere| (sphere.center, sphere.radius)).collect();
            let others: Vec<_> = of_dag.iter().map(|sphere| (sphere.center, sphere.radius)).collect();
            table.row([
                name.into(),
                Cell::Count(level as u64),
                Cell::Count(balls.len() as u64),
                Cell::Count(others.len() as u64),
                Cell::Number(children, 1),
                Cell::Number(inaccuracy_of(&model, &balls, root), 4),
                Cell::Number(inaccuracy_of(&model, &others, root), 4),
            ]);
        }
        let mut scratch = Scratch::new();
        for _ in 0..scale.pick(60, 1000) {
            let pose = Pose::from_rows(rng.rotation(), rng.point(-1.2 * root, 1.2 * root)).expect("a rotation");
            let pair = Pair::relative(&model, &model, &pose).expect("near");
            let meeting = dag.meeting(&dag, &pair, depth as usize);
            repeats += meeting.repeats;
            tests += meeting.tests;
            let found = dag.contacts(&dag, &pair);
            let exact = pair.contacts(&Settings::default(), &mut scratch);
            same += usize::from(found == exact.pairs);
            hits += usize::from(!exact.pairs.is_empty());
            calls += 1;
        }
    }
    report.table(table);
    report.text(format!("Built in {:.1} s (trees) and {:.1} s (DAGs).", built[0], built[1]));
    report.claim(Claim {
        place: "§5".into(),
        claim:
            "Each level merged by itself and every sphere met taken for a child, a descent of two DAGs misses nothing"
                .into(),
        verdict: Verdict::of(same == calls && hits > 0),
        evidence: format!("all contacts found in {same} of {calls} calls, {hits} of them collisions"),
        counts_work: true,
    });
    report.claim(Claim {
        place: "§5".into(),
        claim: "Marks avoid repeated traversals of shared children".into(),
        verdict: Verdict::of(repeats > 0),
        evidence: format!("{repeats} repeated pairs skipped, for {tests} pairs tested"),
        counts_work: true,
    });
}
