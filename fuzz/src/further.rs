//! What must hold between answers about one mesh, about points and rays, volumes, depths, motions
//! and balls, whatever the two meshes.

use crate::setup::Setup;
use nearhit::glam::DVec3;
use nearhit::research::adb::{Averages, Options, Quality};
use nearhit::research::sphere_tree::{BuildEffort, SphereOptions};
use nearhit::research::{MeshExt, PairExt, SphereTreeExt};
use nearhit::scene::{BodySpec, Motion, Moving, PosePath, Scene, first_contact};
use nearhit::shape::Shape;
use nearhit::{
    Budget, Distance, Limit, Location, Model, Pair, Pose, PoseError, Ray, Refinement, Scratch, Settings, SpherePair,
    SphereTree, Stats, Tolerance, Verdict,
};

/// The most units of work for questions that look at many points, or many instants.
const MOST_UNITS: u64 = 400_000;

fn units(stats: Stats) -> u64 {
    stats.volume_tests + stats.triangle_tests
}

fn limited() -> Settings<'static> {
    Settings::new().budget(Budget::work(MOST_UNITS / 4))
}

/// Asks all of it.
pub(crate) fn check(setup: &Setup) {
    let Ok(pair) = Pair::relative(&setup.a, &setup.b, &setup.a_from_b) else { return };
    let scratch = &mut Scratch::new();
    let truth = &pair.distance(Tolerance::EXACT, &Settings::default(), scratch);
    let pair = &pair;
    check_self(setup, scratch);
    for corner in pair.b().mesh().vertices().iter().take(3) {
        check_point(setup, pair.a_from_b().apply(*corner), scratch);
    }
    check_point(setup, pair.a().mesh().vertices()[0], scratch);
    check_volume(pair, truth, scratch);
    check_motion(pair, truth, scratch);
    check_path(pair, scratch);
    check_scene(setup, truth, scratch);
    check_balls(pair, truth);
    check_guess(setup, scratch);
}

/// Where a mesh meets itself does not depend on the engine.
fn check_self(setup: &Setup, scratch: &mut Scratch) {
    let found = setup.a.self_contacts(&Settings::default(), scratch);
    let pairs = found.pairs.to_vec();
    assert!(found.is_complete && pairs.is_sorted_by_key(|pair| (pair.a, pair.b)), "{pairs:?}");
    assert!(pairs.iter().all(|pair| pair.a < pair.b), "{pairs:?}");
    let other = setup.other_engine(&setup.a);
    assert_eq!(other.self_contacts(&Settings::default(), scratch).pairs, pairs);
}

/// Nearest points, the side of the surface and rays say the same, by every engine.
fn check_point(setup: &Setup, point: DVec3, scratch: &mut Scratch) {
    let model = &setup.a;
    let Ok(closest) = model.closest_point(point, scratch) else { return };
    let d = closest.distance;
    let nearest = model.nearest_triangles(point, 2, scratch).expect("asked before").to_vec();
    assert!(nearest[0].distance == d && nearest.iter().all(|one| one.distance >= d), "{closest:?} {nearest:?}");
    let signed = model.signed_distance(point, scratch).expect("asked before");
    let place = model.contains(point, scratch).expect("asked before");
    assert_eq!(signed.distance.abs(), d, "{signed:?} {closest:?}");
    assert_eq!(place.location == Location::Surface, d == 0.0, "{place:?} {closest:?}");
    assert_eq!(place.location == Location::Inside, signed.distance < 0.0, "{place:?} {signed:?}");
    let other = setup.other_engine(model);
    assert_eq!(other.closest_point(point, scratch).expect("asked before").distance.to_bits(), d.to_bits());
    assert_eq!(other.contains(point, scratch).expect("asked before").location, place.location);
    for direction in [DVec3::X, closest.point - point, model.mesh().vertices()[0] - point] {
        let Ok(ray) = Ray::new(point, direction) else { continue };
        let hits = model.all_hits(&ray, scratch).to_vec();
        assert!(hits.is_sorted_by(|one, other| one.distance <= other.distance), "{hits:?}");
        assert_eq!(model.first_hit(&ray, scratch), hits.first().copied(), "{ray:?}");
        let same: Vec<u32> = other.all_hits(&ray, scratch).iter().map(|hit| hit.triangle).collect();
        assert_eq!(same, hits.iter().map(|hit| hit.triangle).collect::<Vec<_>>(), "{ray:?}");
        assert!(d > 0.0 || !hits.is_empty(), "{ray:?} begins on the surface");
    }
}

/// What is apart has nothing in common; depths are what signed distances say.
fn check_volume(pair: &Pair<'_>, truth: &Distance, scratch: &mut Scratch) {
    let (solid, settings) = (pair.solid(), limited());
    let verdict = solid.collide(&Settings::default(), scratch).verdict;
    let mut known = [0.0, f64::INFINITY];
    for budget in [Budget::work(100), settings.budget] {
        let found = solid.overlap(&settings.budget(budget), scratch);
        let (lower, upper) = (found.volume.lower, found.volume.upper);
        assert!(0.0 <= lower && lower <= upper && units(found.stats) <= MOST_UNITS, "{found:?}");
        assert!(verdict == Verdict::Yes || lower == 0.0, "{verdict:?} {found:?}");
        assert!(lower <= known[1] && known[0] <= upper, "{found:?}, before {known:?}");
        known = [lower.max(known[0]), upper.min(known[1])];
    }
    let tolerance = Tolerance::relative(0.05);
    let deep = solid.local_depth(tolerance, &settings, scratch);
    assert!(deep.depth <= deep.at_most && units(deep.stats) <= MOST_UNITS, "{deep:?}");
    assert!(verdict == Verdict::Yes || deep.depth <= 0.0, "{verdict:?} {deep:?}");
    let signed = solid.distance(tolerance, &settings, scratch);
    assert!(truth.upper > 0.0 && verdict == Verdict::No || signed.lower <= -deep.depth.max(0.0), "{signed:?} {deep:?}");
    assert!(verdict == Verdict::No || -signed.upper <= deep.at_most, "{signed:?} {deep:?}");
}

/// Nothing touches before the first contact.
fn check_motion(pair: &Pair<'_>, truth: &Distance, scratch: &mut Scratch) {
    let size = pair.a().mesh().max_coordinate().max(pair.b().mesh().max_coordinate());
    let Ok(shift) = Pose::from_translation([0.5 * size, 0.0, -0.25 * size]) else { return };
    let motion = Motion::linear(*pair.a_from_b(), shift * *pair.a_from_b());
    let [a, b] = [pair.a(), pair.b()].map(|model: &Model| Shape::mesh(model.clone()));
    let (a, b) = (Moving { shape: &a, motion: Motion::still(Pose::IDENTITY) }, Moving { shape: &b, motion });
    // Refused are tolerances below rounding, and what leaves the range of coordinates.
    let Ok(found) = first_contact(&a, &b, 1e-3 * size, &limited(), scratch) else { return };
    assert!((0.0..=1.0).contains(&found.free_until) && units(found.stats) <= MOST_UNITS, "{found:?}");
    assert!(truth.upper > 0.0 || found.free_until == 0.0 && found.verdict != Verdict::No, "{truth:?} {found:?}");
    for share in [0.0, 0.3, 0.7, 0.99] {
        let time = share * found.free_until;
        let pose = motion.pose(time).expect("between two places");
        let Ok(there) = Pair::relative(pair.a(), pair.b(), &pose) else { continue };
        let touches = there.collide(&Settings::default(), scratch).verdict == Verdict::Yes;
        assert!(!touches || time >= found.free_until, "a contact at {time}: {found:?}");
    }
}

/// A path is its poses: the first that touches, the least distance of all, whatever is not asked.
fn check_path(pair: &Pair<'_>, scratch: &mut Scratch) {
    let size = pair.a().mesh().max_coordinate().max(pair.b().mesh().max_coordinate());
    let shift = |i: i32| Pose::from_translation([0.25 * size * f64::from(i - 4), 0.0, 0.125 * size * f64::from(i)]);
    let Ok(poses) = (0..8).map(|i| Ok(shift(i)? * *pair.a_from_b())).collect::<Result<Vec<_>, PoseError>>() else {
        return;
    };
    let [a, b] = [pair.a(), pair.b()].map(|model: &Model| Shape::mesh(model.clone()));
    let Ok(path) = PosePath::new(&a, &b, &poses) else { return };
    let settings = Settings::default();
    let mut ask = |pose: &Pose| {
        let there = Pair::relative(pair.a(), pair.b(), pose).expect("the path's");
        there.distance(Tolerance::EXACT, &settings, scratch).upper
    };
    let truth: Vec<f64> = poses.iter().map(&mut ask).collect();
    let least = truth.iter().copied().fold(f64::INFINITY, f64::min);
    let found = path.first_contact(&settings, scratch);
    assert_eq!(found.pose.filter(|_| found.verdict == Verdict::Yes), truth.iter().position(|&d| d == 0.0), "{truth:?}");
    let clearance = path.least_clearance(&settings, scratch);
    assert!(clearance.is_complete && clearance.clearance.upper == least, "{clearance:?} {truth:?}");
    let all = path.clearances(Tolerance::EXACT, Limit::None);
    assert!(all.iter().zip(&truth).all(|(found, truth)| found.upper == *truth), "{all:?} {truth:?}");
    for work in [0, 10, 100] {
        let settings = Settings::new().budget(Budget::work(work));
        let cut = path.least_clearance(&settings, scratch);
        assert!(cut.lower <= least && least <= cut.clearance.upper, "{work}: {cut:?} {truth:?}");
        assert!(!cut.is_complete || cut.clearance.upper == least, "{work}: {cut:?} {truth:?}");
        let cut = path.first_contact(&settings, scratch);
        assert!(truth[..cut.free].iter().all(|&d| d > 0.0), "{work}: {cut:?} {truth:?}");
        let known = cut.pose.filter(|_| cut.verdict == Verdict::Yes);
        assert!(known.is_none_or(|pose| truth[pose] == 0.0), "{work}: {cut:?} {truth:?}");
        assert!(cut.verdict != Verdict::No || least > 0.0, "{work}: {cut:?} {truth:?}");
    }
}

/// A scene of two bodies is a pair; with a limit, what is not told is named.
fn check_scene(setup: &Setup, truth: &Distance, scratch: &mut Scratch) {
    let mut scene = Scene::default();
    let bodies = [("a", &setup.a, Pose::IDENTITY), ("b", &setup.b, setup.a_from_b)];
    for (name, model, place) in bodies {
        let spec = BodySpec::rigid(name.to_owned(), Shape::mesh(model.clone()));
        if scene.insert(spec.at(place)).is_err() {
            return;
        }
    }
    let mut settled = scene.settle();
    let touching = truth.upper == 0.0;
    let Ok(found) = settled.colliding() else { return };
    assert_eq!((found.found.len(), found.undecided.len()), (usize::from(touching), 0), "{truth:?}");
    let pair = Pair::relative(&setup.a, &setup.b, &setup.a_from_b).expect("asked before");
    let count = pair.contacts(&Settings::default(), scratch).pairs.len();
    let contacts = settled.contacts().expect("asked before").found;
    assert_eq!(contacts.iter().map(|one| one.contacts.len()).sum::<usize>(), count, "{truth:?}");
    let closest = settled.closest().expect("asked before");
    assert!(closest.is_some_and(|gap| gap.distance.upper == truth.upper), "{closest:?} {truth:?}");
    for limit in [0.5 * truth.upper, truth.upper, 2.0 * truth.upper] {
        let near = settled.within(limit).expect("asked before");
        assert_eq!(near.found.len(), usize::from(truth.upper <= limit), "{limit}: {truth:?}");
    }
    for work in [0, 5, 50] {
        settled.limit = Limit::Work(work);
        let cut = settled.colliding().expect("asked before");
        let told = cut.found.len();
        assert!(
            told <= usize::from(touching) && told + cut.undecided.len() >= usize::from(touching),
            "{work}: {cut:?}"
        );
        let near = settled.within(truth.upper).expect("asked before");
        assert!(near.found.len() + near.undecided.len() >= 1, "{work}: {near:?} {truth:?}");
    }
}

/// Intervals of balls hold, and only become narrower.
fn check_balls(pair: &Pair<'_>, truth: &Distance) {
    // To make balls takes a hundred times as long as all other questions.
    if pair.a().mesh().triangles().len() + pair.b().mesh().triangles().len() > 6 {
        return;
    }
    let options = SphereOptions::new().depth(1).effort(BuildEffort::Quick);
    let [a, b] = [pair.a(), pair.b()].map(|model| SphereTree::build(model, &options));
    let spheres = SpherePair::new(*pair, &a, &b);
    let (mut refinement, mut known) = (Refinement::default(), [0.0, f64::INFINITY]);
    for work in [0, 10, 100, MOST_UNITS] {
        let found = refinement.run(&spheres, &Budget::work(work));
        let (lower, upper) = (found.separation.lower, found.separation.upper);
        assert!(lower <= truth.upper && truth.upper <= upper, "{work}: {found:?} {truth:?}");
        assert!(known[0] <= lower && upper <= known[1], "{work}: {found:?}, before {known:?}");
        assert!(found.verdict.known().is_none_or(|touches| touches == (truth.upper == 0.0)), "{found:?} {truth:?}");
        known = [lower, upper];
    }
}

/// A guess is a probability.
fn check_guess(setup: &Setup, scratch: &mut Scratch) {
    let [a, b] = [&setup.a, &setup.b].map(|model| setup.other_engine(model));
    let [of_a, of_b] = [&a, &b].map(|model| Averages::new(model, &Options::default()));
    let Ok(pair) = Pair::relative(&a, &b, &setup.a_from_b) else { return };
    let Ok(averaged) = pair.averaged(&of_a, &of_b) else { return };
    for work in [0, 20, MOST_UNITS] {
        let found = averaged.collide(&Quality::default(), &Settings::new().budget(Budget::work(work)), scratch);
        assert!((0.0..=1.0).contains(&found.raw()), "{work}: {}", found.raw());
    }
}
