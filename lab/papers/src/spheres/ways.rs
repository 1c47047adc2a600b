//! §9.1 and the conjecture of §11.2: each level of the paper's tree covers the surface, but
//! children need not cover what their parent covers. To how much of the surface is there a way
//! down?
//!
//! Merging covers the points it was given, from parents to children. What lies between them is left
//! to growth, level by level, and there a ball of another family may do it. So it is the number of
//! points, which the user chooses, that decides: on a thin wall, like the shade of a lamp, they
//! must be denser than the wall is thick, or no ball is about it. Then most balls of a level are
//! about the wall, and the rest of the body has few and large ones: what the simulator flies has
//! the default number.

use super::models::lamp;
use super::speed::calls;
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::SphereOptions;
use nearhit::{Budget, Model, Pair, Pose, Refinement, Scratch, Settings, SpherePair, SphereTree};
use nearhit_testkit::rng::Rng;

/// Adds a table by number of points, and the claim.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§9.1: what the looser policy loses, by number of points");
    progress::begins("§9.1: ways down");
    let (lamp, depth) = (lamp(scale), scale.pick(3, 4));
    let poses = calls(lamp, scale.pick(300, 20_000));
    let columns =
        ["points", "spheres", "radius of the last level, mean", "surface without a way down, %", "collisions", "found"];
    let mut table = Table::new(format!("§9.1: the paper's tree of the lamp, {} calls", poses.len()), &columns);
    let mut shares = Vec::new();
    for points in scale.pick([200, 600, 1_000], [1_000, 5_000, 20_000]) {
        let tree = SphereTree::build(&lamp.model, &SphereOptions::paper().depth(depth).points(points));
        let leaves = tree.level(depth as usize);
        let mean = leaves.iter().map(|leaf| leaf.radius).sum::<f64>() / leaves.len() as f64;
        let lost = lost(&lamp.model, &tree, scale.pick(2_000, 20_000));
        let (collisions, found) = found(&lamp.model, &tree, &poses);
        table.row([
            Cell::Count(points as u64),
            Cell::Count(tree.spheres().len() as u64),
            Cell::Number(mean, 4),
            Cell::Number(100.0 * lost, 2),
            Cell::Count(collisions),
            Cell::Count(found),
        ]);
        shares.push((points, found as f64 / collisions.max(1) as f64));
    }
    report.table(table);
    let [.., densest] = shares[..] else { return };
    let found = |(points, share): &(usize, f64)| format!("{:.1} % with {points} points", 100.0 * share);
    report.claim(Claim {
        place: "§11.2".into(),
        claim: "The looser policy can be as conservative as the safest in practice: with the most points it finds 99 in 100 collisions".into(),
        verdict: Verdict::of(densest.1 >= 0.99),
        evidence: format!(
            "found: {} (the paper: all 804; it does not say with how many points). Few and large spheres overlap and lose little, either",
            shares.iter().map(found).collect::<Vec<_>>().join(", ")
        ),
        counts_work: true,
    });
}

/// The share of points of triangles (each triangle counts the same) that no chain of spheres, each
/// the child of the one before, holds down to the last level.
fn lost(model: &Model, tree: &SphereTree, count: u32) -> f64 {
    let mut rng = Rng::new(5);
    let mut lost = 0;
    for _ in 0..count {
        let [a, b, c] = model.mesh().triangle(rng.below(model.mesh().triangles().len()) as u32);
        let (u, v) = (rng.f64().sqrt(), rng.f64());
        let point = a * (1.0 - u) + b * (u * (1.0 - v)) + c * (u * v);
        let mut open = vec![0_u32];
        let mut is_held = false;
        while let Some(index) = open.pop() {
            let sphere = &tree.spheres()[index as usize];
            if sphere.center.distance(point) > sphere.radius {
                continue;
            }
            is_held |= sphere.children.is_empty();
            open.extend(sphere.children.clone());
        }
        lost += u32::from(!is_held);
    }
    f64::from(lost) / f64::from(count)
}

/// Collisions, and those that a refinement to the polygons finds.
fn found(model: &Model, tree: &SphereTree, poses: &[Pose]) -> (u64, u64) {
    let (mut scratch, mut refinement) = (Scratch::new(), Refinement::default());
    let (mut collisions, mut found) = (0, 0);
    for pose in poses {
        let pair = Pair::relative(model, model, pose).expect("near");
        if pair.collide(&Settings::default(), &mut scratch).witness.is_some() {
            collisions += 1;
            refinement.restart();
            let known = refinement.run(&SpherePair::new(pair, tree, tree), &Budget::UNLIMITED);
            found += u64::from(known.witness.is_some());
        }
    }
    (collisions, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit::research::sphere_tree::Policy;

    /// By the safest policy there is a way down to every point.
    #[test]
    fn the_safest_policy_loses_nothing() {
        let model = &lamp(Scale::Quick).model;
        let options = SphereOptions::paper().depth(3).points(200);
        let [safest, looser] = [Policy::Safest, Policy::Looser]
            .map(|policy| lost(model, &SphereTree::build(model, &options.policy(policy)), 2_000));
        assert!(safest == 0.0 && looser > 0.01, "{safest} {looser}");
    }
}
