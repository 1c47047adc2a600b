//! The looser policy of §9.1: what it saves, and what it misses.

use lab_report::scale::Scale;
use lab_report::{Cell, Report, Table};
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{BuildEffort, SphereOptions};
use nearhit::research::sphere_tree::{Policy, SearchEffort, Side, inaccuracy};
use nearhit::{Budget, Model, Pair, Pose, Refinement, Scratch, Settings, SpherePair, SphereTree, Verdict};
use nearhit_cases::generated;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes::{hand, pipes, robot_arm, torus};
use rayon::prelude::*;

/// Adds a table: protrusion with either policy, and contacts that a descent of the looser trees
/// does not find.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§9.1: the looser policy");
    let mut table = Table::new(
        "Each level covers the surface, its tree need not",
        &["model", "level", "protrusion, safest", "looser", "contacts", "missed"],
    );
    let depth = 3;
    let calls = scale.pick(200, 5_000);
    for (name, soup) in [
        ("lamp (a jointed arm)", robot_arm(4, 0.7)),
        ("pipes in a box", pipes(scale.pick(600, 6_000), 6)),
        ("ring", torus(48, 12, 1.0, 0.3)),
        ("hand", hand(0.4)),
    ] {
        let model = Model::new(generated::mesh(&soup));
        let options = SphereOptions::new().depth(depth).effort(scale.pick(BuildEffort::Quick, BuildEffort::Full));
        let safest = SphereTree::build(&model, &options);
        let looser = SphereTree::build(&model, &options.policy(Policy::Looser));
        let (contacts, missed) = missed(&model, &looser, calls);
        for level in 2..=depth as usize {
            let last = level == depth as usize;
            table.row([
                name.into(),
                Cell::Count(level as u64),
                Cell::Number(protrusion(&model, &safest, level), 4),
                Cell::Number(protrusion(&model, &looser, level), 4),
                if last { Cell::Count(contacts) } else { Cell::Empty },
                if last { Cell::Count(missed) } else { Cell::Empty },
            ]);
        }
    }
    report.table(table);
}

/// The mean over a level, in radii of the root.
fn protrusion(model: &Model, tree: &SphereTree, level: usize) -> f64 {
    let effort = SearchEffort { relative: 0.02, most: 2000 };
    let spheres = tree.level(level);
    let sum: f64 = spheres
        .par_iter()
        .map(|sphere| inaccuracy(model, sphere.center, sphere.radius, Side::Outside, effort).lower)
        .collect::<Vec<_>>()
        .iter()
        .sum();
    sum / spheres.len() as f64 / tree.spheres()[0].radius
}

/// Contacts at random, and those of them that a whole refinement does not find.
fn missed(model: &Model, tree: &SphereTree, calls: u32) -> (u64, u64) {
    let size = tree.spheres()[0].radius;
    let mut rng = Rng::new(17);
    let (mut scratch, mut refinement) = (Scratch::new(), Refinement::default());
    let (mut contacts, mut missed) = (0, 0);
    for _ in 0..calls {
        let pose = Pose::from_rows(rng.rotation(), rng.point(-1.5 * size, 1.5 * size)).expect("a rotation");
        let pair = Pair::relative(model, model, &pose).expect("near");
        if pair.collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes {
            contacts += 1;
            refinement.restart();
            let known = refinement.run(&SpherePair::new(pair, tree, tree), &Budget::UNLIMITED);
            missed += u64::from(known.verdict != Verdict::Yes);
        }
    }
    (contacts, missed)
}
