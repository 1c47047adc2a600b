//! Scenes asked with a limit: what is told is so, and what it leaves out is named.

use crate::common::mesh;
use nearhit::scene::{Answer, BodySpec, Gap, PartId, Scene, SceneError, Settled, Shape};
use nearhit::{Limit, Model, Pose};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Meshes as surfaces and as solids, a point cloud of a mesh's corners, balls and boxes.
fn scene(seed: u64) -> Scene {
    let (mut rng, mut scene) = (Rng::new(seed), Scene::default());
    let ring = shapes::torus(20, 10, 1.0, 0.3);
    let ball = Arc::new(Model::new(mesh(&shapes::icosphere(3))));
    let given: [Shape; 6] = [
        Shape::mesh(Model::new(mesh(&ring))),
        Shape::solid(Model::new(mesh(&ring))),
        Shape::solid(ball.clone()),
        Shape::mesh(ball),
        Shape::cuboid([0.5, 0.25, 0.75]).expect("a box"),
        Shape::point_cloud(&ring.vertices, &[0.05]).expect("points"),
    ];
    for number in 0..14 {
        let place = Pose::from_quaternion(rng.quaternion(), rng.point(0.0, 4.0)).expect("a unit quaternion");
        let spec = BodySpec::rigid(format!("body {number}"), given[number % given.len()].clone());
        scene.insert(spec.at(place)).expect("new");
    }
    scene
}

type Pairs = BTreeSet<(PartId, PartId)>;

/// What was found, and what may be.
fn told<T>(answer: Answer<T>, of: impl Fn(&T) -> (PartId, PartId)) -> (Pairs, Pairs) {
    (answer.found.iter().map(of).collect(), answer.undecided.into_iter().collect())
}

fn parts(gap: &Gap<'_>) -> (PartId, PartId) {
    (gap.a.id, gap.b.id)
}

const NEAR: f64 = 0.4;

/// Pairs in contact, with all contacts, and near.
fn ask(settled: &Settled<'_>) -> [(Pairs, Pairs); 3] {
    [
        told(settled.colliding().expect("in range"), |touch| (touch.a.id, touch.b.id)),
        told(settled.contacts().expect("in range"), |touch| (touch.a.id, touch.b.id)),
        told(settled.within(NEAR).expect("in range"), parts),
    ]
}

const LIMITS: [u64; 7] = [0, 3, 10, 40, 150, 600, 10_000_000];

#[test]
fn what_a_limit_leaves_out_is_named() {
    let (mut cut, mut whole) = ([0; 3], [0; 3]);
    for seed in 0..4 {
        let mut scene = scene(seed);
        let mut settled = scene.settle();
        let truth = ask(&settled);
        assert!(truth.iter().all(|(found, undecided)| !found.is_empty() && undecided.is_empty()));
        for limit in LIMITS {
            settled.limit = Limit::Work(limit);
            for (kind, ((found, undecided), (all, _))) in ask(&settled).into_iter().zip(&truth).enumerate() {
                assert!(found.is_subset(all), "{kind}, {limit}: {found:?} of {all:?}");
                let missing: Pairs = all.difference(&found).copied().collect();
                assert!(missing.is_subset(&undecided), "{kind}, {limit}: {missing:?}, {undecided:?}");
                cut[kind] += undecided.len();
                whole[kind] += usize::from(undecided.is_empty());
            }
        }
    }
    assert!(cut.iter().all(|&cut| cut > 20) && whole.iter().all(|&whole| whole >= 4), "{cut:?} {whole:?}");
}

/// Contacts of a pair that is not undecided are all of it.
#[test]
fn lists_of_contacts_that_a_limit_cuts_are_named() {
    let mut scene = scene(9);
    let mut settled = scene.settle();
    let truth = settled.contacts().expect("in range").found;
    let mut cut = 0;
    for limit in LIMITS {
        settled.limit = Limit::Work(limit);
        let answer = settled.contacts().expect("in range");
        for touching in &answer.found {
            let parts = (touching.a.id, touching.b.id);
            let whole = truth.iter().find(|one| (one.a.id, one.b.id) == parts).expect("they touch");
            let is_cut = touching.contacts.len() < whole.contacts.len();
            assert!(!is_cut || answer.undecided.contains(&parts), "{limit}: {} and {}", touching.a, touching.b);
            cut += usize::from(is_cut);
        }
    }
    assert!(cut > 0);
}

/// Does anything touch: yes, or an error where that is not known.
#[test]
fn contact_that_is_not_found_in_time_is_no_clearance() {
    let (mut refused, mut said) = (0, 0);
    for seed in 0..6 {
        let mut scene = scene(seed);
        let mut settled = scene.settle();
        assert_eq!(settled.collides(), Ok(true));
        for limit in LIMITS {
            settled.limit = Limit::Work(limit);
            match settled.collides() {
                Ok(is_in_contact) => said += usize::from(is_in_contact),
                Err(SceneError::Undecided { .. }) => refused += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(refused > 3 && said > 3, "{refused} {said}");
}

/// The closest: intervals hold, and whoever may be closer is named.
#[test]
fn pairs_that_may_be_closer_are_named() {
    let (mut undecided, mut wide) = (0, 0);
    for seed in 20..26 {
        let mut scene = scene(seed);
        let mut settled = scene.settle();
        let all = settled.nearest(1000).expect("in range").found;
        assert!(all.len() > 50);
        for (limit, count) in LIMITS.into_iter().flat_map(|limit| [(limit, 1), (limit, 5)]) {
            settled.limit = Limit::Work(limit);
            let answer = settled.nearest(count).expect("in range");
            assert_eq!(answer.found.len(), count);
            let truth = |pair| &all.iter().find(|gap| parts(gap) == pair).expect("a pair").distance;
            for gap in &answer.found {
                let (true_one, one) = (truth(parts(gap)), &gap.distance);
                assert!(one.lower <= true_one.upper && true_one.lower <= one.upper, "{limit}: {gap:?}, {true_one:?}");
                wide += usize::from(!one.is_complete);
            }
            let last = answer.found.iter().map(|gap| truth(parts(gap)).lower).fold(f64::NEG_INFINITY, f64::max);
            for closer in all.iter().filter(|gap| gap.distance.upper < last) {
                let pair = parts(closer);
                let is_named = answer.found.iter().any(|gap| parts(gap) == pair) || answer.undecided.contains(&pair);
                assert!(is_named, "{limit}, {count}: {closer:?} is closer than {last}");
            }
            undecided += answer.undecided.len();
            assert!(limit < 1_000_000 || answer.undecided.is_empty());
        }
    }
    assert!(undecided > 20 && wide > 20, "{undecided} {wide}");
}
