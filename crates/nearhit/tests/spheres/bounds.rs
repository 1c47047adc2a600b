//! Where the paper's bound is wrong, ours is right: nested, interlocked and scattered surfaces.

use crate::common::mesh;
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions};
use nearhit::{Budget, Model, Pair, Pose, Refinement, Scratch, Settings, SpherePair, SphereTree};
use nearhit_testkit::Soup;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes::{axis_bars, disjoint_tetrahedra, icosphere, torus};

fn build(soup: &Soup, method: SphereMethod) -> (Model, SphereTree) {
    let model = Model::new(mesh(soup));
    let tree = SphereTree::build(&model, &SphereOptions::new().depth(2).method(method).effort(BuildEffort::Quick));
    (model, tree)
}

/// After every bit of work the distance is within the interval. Returns how often the sum of the
/// errors alone would have been wrong at the root.
fn judge(a: &(Model, SphereTree), b: &(Model, SphereTree), pose: &Pose, scratch: &mut Scratch) -> bool {
    let pair = Pair::relative(&a.0, &b.0, pose).expect("near");
    let truth = pair.distance(Default::default(), &Settings::default(), scratch);
    let pair = SpherePair::new(pair, &a.1, &b.1);
    // Without a single look there is a bound, too.
    let unseen = Refinement::default().run(&pair, &nearhit::Budget::work(0)).separation;
    assert!(unseen.lower == 0.0 && truth.upper <= unseen.upper && unseen.upper.is_finite(), "{unseen:?}");
    let mut refinement = Refinement::default();
    for units in [1, 20, 100, 400, u64::MAX] {
        let known = refinement.run(&pair, &Budget::work(units)).separation;
        assert!(known.lower <= truth.lower && truth.upper <= known.upper, "{known:?} {truth:?} {pose:?}");
    }
    let [one, two] = [&a.1, &b.1].map(|tree| &tree.spheres()[0]);
    one.error + two.error < truth.lower && one.center.distance(pose.apply(two.center)) < one.radius + two.radius
}

#[test]
fn nested_interlocked_and_scattered() {
    let mut rng = Rng::new(77);
    let mut scratch = Scratch::new();
    let mut paper_wrong = 0;
    let mut placements = 0;
    for method in [SphereMethod::Medial, SphereMethod::Octree] {
        let sphere = build(&icosphere(6), method);
        let mut shells = icosphere(3);
        shells.append(&icosphere(3).scaled(0.4));
        let shells = build(&shells, method);
        let ring = build(&torus(24, 12, 1.0, 0.2), method);
        let scattered = build(&disjoint_tetrahedra(20, 4.0, 3), method);
        let bars = build(&axis_bars(1.0, 0.1), method);
        for size in [0.3, 0.9] {
            let small = build(&icosphere(4).scaled(size), method);
            let small_shells = build(&disjoint_tetrahedra(5, 2.0 * size, 4), method);
            for _ in 0..30 {
                let pose = |rng: &mut Rng, reach: f64| {
                    Pose::from_rows(rng.rotation(), rng.point(-reach, reach)).expect("rigid")
                };
                for (a, b) in
                    [(&sphere, &small), (&shells, &small), (&ring, &small), (&small, &ring), (&sphere, &small_shells)]
                {
                    paper_wrong += usize::from(judge(a, b, &pose(&mut rng, 0.3 * (1.0 - size)), &mut scratch));
                    placements += 1;
                }
                for (a, b) in [(&ring, &ring), (&scattered, &bars), (&bars, &scattered), (&ring, &scattered)] {
                    paper_wrong += usize::from(judge(a, b, &pose(&mut rng, 1.2), &mut scratch));
                    placements += 1;
                }
            }
        }
    }
    assert!(placements > 1000);
    // Without such placements nothing would have been tested.
    assert!(paper_wrong > 20, "{paper_wrong}");
}

/// Random placements, near enough to matter: some hundreds, or a hundred thousand if NEARHIT_LONG
/// is set.
#[test]
fn random_placements() {
    let each = if std::env::var_os("NEARHIT_LONG").is_some() { 25_000 } else { 150 };
    let mut rng = Rng::new(78);
    let mut scratch = Scratch::new();
    let ring = build(&torus(24, 12, 1.0, 0.2), SphereMethod::Medial);
    let bars = build(&axis_bars(1.0, 0.1), SphereMethod::Medial);
    let scattered = build(&disjoint_tetrahedra(20, 3.0, 3), SphereMethod::Medial);
    for (a, b) in [(&ring, &ring), (&ring, &bars), (&bars, &scattered), (&scattered, &ring)] {
        for _ in 0..each {
            let pose = Pose::from_rows(rng.rotation(), rng.point(-1.6, 1.6)).expect("rigid");
            judge(a, b, &pose, &mut scratch);
        }
    }
}
