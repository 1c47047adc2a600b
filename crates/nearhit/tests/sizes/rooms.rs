//! Scenes, sphere-trees and average-case trees at every size: what they prove is true.

use crate::common::mesh;
use crate::truth::truth;
use nearhit::research::ModelExt;
use nearhit::research::PairExt;
use nearhit::research::RefinementExt;
use nearhit::research::SceneExt;
use nearhit::research::SphereTreeExt;
use nearhit::research::VolumeKind;
use nearhit::research::adb::{Averages, Options, Quality};
use nearhit::research::broad::BroadKind;
use nearhit::research::build::BuildOptions;
use nearhit::research::sphere_tree::{BuildEffort, SphereOptions};
use nearhit::scene::{BodySpec, Scene, Shape};
use nearhit::{Budget, Model, Pair, Refinement, Scratch, Settings, SpherePair, SphereTree, Verdict};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::sizes::{self, Family, SizedPair};
use rayon::prelude::*;
use std::sync::Arc;

/// Asks about pairs of every family and size; counts those that touch and those that do not.
fn at_sizes(seed: u64, step: usize, ask: impl Fn(&SizedPair, &str) -> bool + Sync) {
    let all: Vec<(Family, i32)> = Family::ALL
        .into_iter()
        .flat_map(|family| sizes::decades().into_iter().step_by(step).map(move |decade| (family, decade)))
        .collect();
    let touch = |&(family, decade): &(Family, i32)| {
        let mut rng = Rng::new(seed ^ (decade as u64) << 8 ^ family as u64);
        ask(&sizes::pair(family, decade, &mut rng), &format!("{family:?} of 1e{decade}"))
    };
    let touching = all.par_iter().filter(|which| touch(which)).count();
    assert!(touching * 5 > all.len() && touching * 5 < all.len() * 4, "{touching} of {} touch", all.len());
}

#[test]
fn scenes_miss_nothing() {
    at_sizes(1, 1, |case, at| {
        let truth = truth(case);
        for kind in BroadKind::ALL {
            let mut scene = Scene::with_broad_phase(kind);
            let shape = |soup| Shape::from(Arc::new(Model::new(mesh(soup))));
            scene.insert(BodySpec::rigid("a", shape(&case.a))).expect("new");
            scene.insert(BodySpec::rigid("b", shape(&case.b)).at(truth.a_from_b)).expect("new");
            let settled = scene.settle();
            let touching = settled.colliding().expect("in range").found.len();
            assert_eq!(touching, usize::from(!truth.pairs.is_empty()), "{at}: {kind:?}\n{case:?}");
            let closest = settled.closest().expect("in range").expect("two bodies");
            assert_eq!(closest.distance.upper, truth.distance, "{at}: {kind:?}\n{case:?}");
        }
        !truth.pairs.is_empty()
    });
}

#[test]
fn sphere_trees_miss_nothing() {
    let options = SphereOptions::new().depth(2).effort(BuildEffort::Quick);
    at_sizes(2, 5, |case, at| {
        let truth = truth(case);
        let models = [&case.a, &case.b].map(|soup| Model::new(mesh(soup)));
        let trees = models.each_ref().map(|model| SphereTree::build(model, &options));
        let pair = Pair::relative(&models[0], &models[1], &truth.a_from_b).expect("in range");
        let pair = SpherePair::new(pair, &trees[0], &trees[1]);
        let mut refinement = Refinement::default();
        while !refinement.is_done() {
            let known = refinement.run(&pair, &Budget::work(40));
            let (lower, upper) = (known.separation.lower, known.separation.upper);
            assert!(lower <= truth.distance && truth.distance <= upper, "{at}: {known:?} {}\n{case:?}", truth.distance);
        }
        let expected = if truth.pairs.is_empty() { Verdict::No } else { Verdict::Yes };
        assert_eq!(refinement.known().verdict, expected, "{at}\n{case:?}");
        !truth.pairs.is_empty()
    });
}

#[test]
fn averages_prove_nothing_wrong() {
    at_sizes(3, 1, |case, at| {
        let truth = truth(case);
        let model = |soup| Model::with(mesh(soup), VolumeKind::Obb, &BuildOptions::default());
        let models = [model(&case.a), model(&case.b)];
        let tables = models.each_ref().map(|model| Averages::new(model, &Options::default()));
        let pair = Pair::relative(&models[0], &models[1], &truth.a_from_b).expect("in range");
        let averaged = pair.averaged(&tables[0], &tables[1]).expect("their own");
        let mut scratch = Scratch::new();
        let guess = averaged.collide(&Quality::default(), &Settings::default(), &mut scratch);
        let touches = !truth.pairs.is_empty();
        assert!(
            !guess.evidence.is_proof() || guess.collides() == Some(touches),
            "{at}: {:?}\n{case:?}",
            guess.evidence
        );
        touches
    });
}
