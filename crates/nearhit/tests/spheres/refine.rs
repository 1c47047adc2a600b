//! Does refinement find exactly the collisions of the exact engine, keep to its budget, and share
//! it fairly?

use crate::common::{mesh, poses, small_cases};
use nearhit::research::RefinementExt;
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions, refine_fairly};
use nearhit::{Budget, Clock, Model, Pair, Refinement, Scratch, Settings, SpherePair, SphereTree, Verdict};
use std::cell::Cell;
use std::time::Duration;

fn options(method: SphereMethod) -> SphereOptions {
    SphereOptions::new().depth(2).method(method).effort(BuildEffort::Quick)
}

/// The last level decides as the exact engine does; every budget on the way leaves a true interval
/// that only narrows.
#[test]
fn the_last_level_is_exact_and_every_interval_is_true() {
    let (mut yes, mut no, mut scratch) = (0, 0, Scratch::new());
    // One of each kind; the others differ in size only.
    let kinds = ["nested", "tori", "pipes", "tetra", "piano", "degenerate"];
    for case in small_cases().into_iter().filter(|case| kinds.iter().any(|kind| case.name.starts_with(kind))) {
        let (a, b) = (Model::new(mesh(&case.a)), Model::new(mesh(&case.b)));
        for method in [SphereMethod::Medial, SphereMethod::Octree] {
            let (tree_a, tree_b) = (SphereTree::build(&a, &options(method)), SphereTree::build(&b, &options(method)));
            let mut refinement = Refinement::default();
            for placed in &case.poses {
                let (world_from_a, world_from_b) = poses(placed);
                let pair = Pair::new(&a, &world_from_a, &b, &world_from_b).expect("near");
                let truth = pair.distance(Default::default(), &Settings::default(), &mut scratch);
                let pair = SpherePair::new(pair, &tree_a, &tree_b);
                refinement.restart();
                let mut last = refinement.known();
                while !refinement.is_done() {
                    let known = refinement.run(&pair, &Budget::work(150));
                    let (lower, upper) = (known.separation.lower, known.separation.upper);
                    assert!(lower <= truth.lower && truth.upper <= upper, "{} {known:?} {truth:?}", case.name);
                    assert!(lower >= last.separation.lower && upper <= last.separation.upper, "{known:?} {last:?}");
                    assert!(known.level >= last.level);
                    last = known;
                }
                let touching = truth.upper == 0.0;
                assert_eq!(last.verdict, if touching { Verdict::Yes } else { Verdict::No }, "{} {method:?}", case.name);
                assert_eq!(last.witness.is_some(), touching);
                *if touching { &mut yes } else { &mut no } += 1;
            }
        }
    }
    assert!(yes > 60 && no > 100, "{yes} {no}");
}

fn two_tori() -> (Model, SphereTree) {
    let model = Model::new(mesh(&nearhit_testkit::shapes::torus(24, 12, 1.0, 0.3)));
    let tree = SphereTree::build(&model, &options(SphereMethod::Medial));
    (model, tree)
}

fn shifted<'m>(model: &'m Model, tree: &'m SphereTree, by: [f64; 3]) -> SpherePair<'m> {
    SpherePair::new(apart(model, by), tree, tree)
}

fn apart(model: &Model, by: [f64; 3]) -> Pair<'_> {
    let pose = nearhit::Pose::from_translation(by).expect("finite");
    Pair::relative(model, model, &pose).expect("near")
}

/// However the work is cut up, the answers and the total work are the same; no cut goes over by
/// more than a unit.
#[test]
fn work_can_be_cut_anywhere() {
    let (model, tree) = two_tori();
    // A hair apart: spheres alone cannot tell.
    let pair = shifted(&model, &tree, [0.01, 0.02, 0.603]);
    let whole = Refinement::default().run(&pair, &Budget::UNLIMITED);
    assert!(whole.stats.triangle_tests > 50, "{whole:?}");
    for units in [1, 2, 7, 64, 1000] {
        let mut refinement = Refinement::default();
        let mut before = 0;
        while !refinement.is_done() {
            let stats = refinement.run(&pair, &Budget::work(units)).stats;
            let after = stats.volume_tests + stats.triangle_tests;
            assert!(after - before < units + 8 && (after > before || refinement.is_done()), "{before} {after} {units}");
            before = after;
        }
        assert_eq!(refinement.known(), whole, "{units}");
    }
}

#[derive(Debug, Default)]
struct Ticks(Cell<u64>);

impl Clock for Ticks {
    fn now(&self) -> Duration {
        self.0.set(self.0.get() + 1);
        Duration::from_nanos(self.0.get())
    }
}

/// Time is looked at before every unit.
#[test]
fn the_clock_is_asked_before_each_unit() {
    let (model, tree) = two_tori();
    let pair = shifted(&model, &tree, [0.01, 0.02, 0.62]);
    let clock = Ticks::default();
    let known = Refinement::default().run(&pair, &Budget::until(&clock, Duration::from_nanos(20)));
    assert_eq!(known.verdict, Verdict::Maybe);
    assert!((20..20 * 8).contains(&(known.stats.volume_tests + known.stats.triangle_tests)), "{known:?}");
    assert_eq!(clock.0.get(), 20);
}

/// Every pair gets its first step before any gets its second; what had none is told.
#[test]
fn many_pairs_share_a_budget() {
    let (model, tree) = two_tori();
    let places: Vec<[f64; 3]> = (0..20).map(|index| [0.9 + 0.01 * f64::from(index), 0.1, 0.5]).collect();
    let pairs: Vec<SpherePair<'_>> = places.iter().map(|&by| shifted(&model, &tree, by)).collect();
    let mut states = vec![Refinement::default(); 20];
    // Enough for the roots and the first level of some.
    let unrefined = refine_fairly(&pairs, &mut states, &Budget::work(400));
    let levels: Vec<u32> = states.iter().map(|state| state.known().level).collect();
    assert!(!unrefined.is_empty() && unrefined.len() < 20, "{unrefined:?}");
    assert!(levels.iter().all(|&level| level <= 1), "{levels:?}");
    assert!((0..20).all(|index| unrefined.contains(&index) == (levels[index] == 0)), "{levels:?} {unrefined:?}");
    while !states.iter().all(Refinement::is_done) {
        refine_fairly(&pairs, &mut states, &Budget::work(2000));
        // Whoever is still at it is at most a level behind any other.
        let levels = states.iter().filter(|state| !state.is_done()).map(|state| state.known().level);
        let (least, most) = (levels.clone().min().unwrap_or(0), levels.max().unwrap_or(0));
        assert!(most - least <= 1, "{least} {most}");
    }
    let mut scratch = Scratch::new();
    for (&by, state) in places.iter().zip(&states) {
        let exact = apart(&model, by).collide(&Settings::default(), &mut scratch);
        assert_eq!(state.known().verdict, exact.verdict);
    }
}
