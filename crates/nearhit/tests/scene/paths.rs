//! Paths against asking at every pose: the same answers to the last bit, with few questions.

use crate::common;
use glam::DVec3;
use nearhit::scene::{Motion, PathClearance, PathContact, PathError, PosePath};
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Budget, Limit, Model, Pose, Scratch, Settings, Tolerance, Verdict};
use nearhit_testkit::brute;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;

/// Whether they touch, and both ends of the clearance: asked at every pose, alone and cold.
fn one_by_one(a: &Shape, b: &Shape, poses: &[Pose]) -> Vec<(bool, f64, f64)> {
    let ask = |pose: &Pose| {
        let (pair, mut scratch, settings) =
            (ShapePair::relative(a, b, pose).expect("near"), Scratch::new(), Settings::default());
        let touches = pair.collide(&settings, &mut scratch).verdict == Verdict::Yes;
        let found = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
        (touches, found.lower, found.upper)
    };
    poses.iter().map(ask).collect()
}

/// What asking at every pose says.
fn expected(alone: &[(bool, f64, f64)]) -> (Option<usize>, usize) {
    let height = |&(touches, _, upper): &(bool, f64, f64)| if touches { 0.0 } else { upper };
    let least = (0..alone.len()).min_by(|&i, &j| height(&alone[i]).total_cmp(&height(&alone[j])));
    (alone.iter().position(|answer| answer.0), least.expect("some poses"))
}

fn asked(a: &Shape, b: &Shape, poses: &[Pose]) -> (PathContact, PathClearance) {
    let (path, settings, mut scratch) =
        (PosePath::new(a, b, poses).expect("legal"), Settings::default(), Scratch::new());
    (path.first_contact(&settings, &mut scratch), path.least_clearance(&settings, &mut scratch))
}

/// Both answers are those of asking at every pose; which are returned.
fn agree(a: &Shape, b: &Shape, poses: &[Pose], what: &str) -> (PathContact, PathClearance) {
    let alone = one_by_one(a, b, poses);
    let (first, least) = expected(&alone);
    let (contact, closest) = asked(a, b, poses);
    assert_eq!(contact.pose, first, "{what}");
    assert_eq!(contact.verdict, if first.is_some() { Verdict::Yes } else { Verdict::No }, "{what}");
    assert_eq!(contact.free, first.unwrap_or(poses.len()), "{what}");
    assert_eq!(closest.pose, least, "{what}: {} and {}", closest.clearance.upper, alone[least].2);
    let ends = (closest.clearance.lower.to_bits(), closest.clearance.upper.to_bits());
    assert_eq!(ends, (alone[least].1.to_bits(), alone[least].2.to_bits()), "{what}");
    assert!(closest.is_complete && closest.lower == closest.clearance.lower, "{what}");
    let every = PosePath::new(a, b, poses).expect("legal").clearances(Tolerance::EXACT, Limit::None);
    let bits = |lower: f64, upper: f64| (lower.to_bits(), upper.to_bits());
    assert!(
        every.iter().zip(&alone).all(|(one, other)| bits(one.lower, one.upper) == bits(other.1, other.2)),
        "{what}"
    );
    (contact, closest)
}

/// A contact one step away, by a step that is hardly longer than the clearance: nothing proves it
/// free. With a step that is hardly shorter there is none.
#[test]
fn steps_hardly_longer_than_the_clearance_are_asked_about() {
    let cube = shapes::cuboid([-1.0; 3], [1.0; 3]);
    let [a, b] = [0, 1].map(|_| Shape::mesh(Model::new(common::mesh(&cube))));
    let (ball, capsule) = (Shape::ball(1.0).expect("a ball"), Shape::capsule(1.0, 0.5).expect("a capsule"));
    for (a, b) in [(&a, &b), (&ball, &b), (&ball, &capsule)] {
        for gap in [1e-3, 0.3, 7.0] {
            for (step, touches) in [(1.003, true), (0.997, false)] {
                let at = |x: f64| Pose::from_translation([2.0 + x, 0.0, 0.0]).expect("finite");
                let poses: Vec<Pose> = (0..40).map(|i| at(if i % 7 == 5 { gap - step * gap } else { gap })).collect();
                let (contact, _) = agree(a, b, &poses, &format!("gap {gap}, step {step}"));
                assert_eq!(contact.pose, touches.then_some(5), "gap {gap}, step {step}");
            }
        }
    }
}

/// Cases against exact arithmetic: paths and random poses, contacts and none.
#[test]
fn cases_agree_with_brute_force() {
    let (mut touched, mut free) = (0, 0);
    for case in common::small_cases() {
        let [a, b] = [&case.a, &case.b].map(|soup| Shape::mesh(Model::new(common::mesh(soup))));
        let poses: Vec<Pose> = case
            .poses
            .iter()
            .map(|pose| {
                let (of_a, of_b) = common::poses(pose);
                Pose::a_from_b(&of_a, &of_b)
            })
            .collect();
        let (contact, _) = agree(&a, &b, &poses, &case.name);
        let is_hit = |pose: &Pose| {
            let (rows, translation) = common::plain(pose);
            brute::collides(&case.a, &case.b, &rows, &translation)
        };
        assert_eq!(contact.pose, poses.iter().position(is_hit), "{}", case.name);
        match contact.pose {
            Some(_) => touched += 1,
            None => free += 1,
        }
    }
    assert!(touched >= 3 && free >= 1, "{touched} {free}");
}

fn bodies() -> Vec<Shape> {
    let legal = "a legal shape";
    let model = |soup: &nearhit_testkit::Soup| Model::new(common::mesh(soup));
    vec![
        Shape::mesh(model(&shapes::wrinkled_torus(24, 12, 1))),
        Shape::solid(model(&shapes::cuboid([-0.8, -0.7, -0.6], [0.8, 0.7, 0.6]))),
        Shape::solid(model(&shapes::icosphere(2))).grown(0.05).expect(legal),
        Shape::mesh(model(&shapes::axis_bars(0.9, 0.05))),
        Shape::capsule(0.1, 1.0).expect(legal),
        Shape::cylinder(0.3, 0.8).expect(legal),
        Shape::half_space([0.1, 0.2, 1.0], -1.2).expect(legal),
        Shape::point_cloud(&[[0.5, 0.0, 0.0], [0.0, -0.5, 0.3], [0.2, 0.2, 0.9]], &[0.05]).expect(legal),
    ]
}

/// A smooth path: towards the middle or past it, turning on the way.
fn smooth(rng: &mut Rng, count: usize) -> Vec<Pose> {
    let start = Pose::from_quaternion(rng.quaternion(), rng.point(-3.0, 3.0)).expect("a unit quaternion");
    let drift = (DVec3::from_array(rng.point(-1.8, 1.8)) - start.translation()) * rng.range(0.6, 1.6);
    let turn = DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 4.0);
    let motion = Motion::spinning(start, drift, turn).expect("finite");
    (0..count).map(|i| motion.pose(i as f64 / count as f64).expect("finite")).collect()
}

/// Any two shapes, surfaces and solids, on smooth paths: the same answers, and at least five times
/// fewer questions than poses that asking in turn needs.
#[test]
fn smooth_paths_need_a_fifth_of_the_questions() {
    let long = std::env::var_os("NEARHIT_LONG").is_some();
    let (paths, count) = if long { (400, 1_000) } else { (40, 300) };
    let (bodies, mut rng) = (bodies(), Rng::new(77));
    let (mut in_turn, mut contacts, mut clearances, mut hits, mut inside) = (0, 0, 0, 0, 0);
    for path in 0..paths {
        let (a, b) = (rng.choice(&bodies), rng.choice(&bodies));
        let poses = smooth(&mut rng, count);
        let (contact, closest) = agree(a, b, &poses, &format!("path {path}: {} and {}", a.name(), b.name()));
        in_turn += contact.pose.map_or(count, |pose| pose + 1);
        contacts += contact.asked;
        clearances += closest.asked;
        hits += usize::from(contact.pose.is_some_and(|pose| pose > 0));
        inside += usize::from(contact.pose == Some(0));
    }
    println!("{contacts} of {in_turn}, {clearances} of {} questions", paths * count);
    assert!(hits > paths / 8 && inside > paths / 50 && hits < paths * 3 / 4, "{hits} {inside}");
    assert!(5 * contacts <= in_turn, "first contact: {contacts} of {in_turn}");
    assert!(5 * clearances <= paths * count, "least clearance: {clearances} of {}", paths * count);
}

/// Poses that jump about, and ties: nothing is skipped that may not be.
#[test]
fn rough_paths_agree_too() {
    let (bodies, mut rng) = (bodies(), Rng::new(78));
    for path in 0..40 {
        let (a, b) = (rng.choice(&bodies), rng.choice(&bodies));
        let mut poses: Vec<Pose> = (0..30)
            .map(|_| Pose::from_quaternion(rng.quaternion(), rng.point(-2.5, 2.5)).expect("a unit quaternion"))
            .collect();
        // There and back again: every clearance twice.
        let back: Vec<Pose> = poses.iter().rev().copied().collect();
        poses.extend(back);
        agree(a, b, &poses, &format!("path {path}: {} and {}", a.name(), b.name()));
    }
}

/// What is inside a mesh with holes is not decided by distances: there every pose is asked about.
#[test]
fn open_solids_are_asked_about_at_every_pose() {
    let mut soup = shapes::icosphere(2);
    soup.triangles.truncate(soup.triangles.len() - 2);
    let a = Shape::solid(Model::new(common::mesh(&soup)));
    let b = Shape::ball(0.05).expect("legal");
    let poses: Vec<Pose> =
        (0..40).map(|i| Pose::from_translation([3.0 - 0.1 * f64::from(i), 0.0, 0.0]).expect("finite")).collect();
    let (contact, _) = agree(&a, &b, &poses, "open");
    assert_eq!(contact.asked, contact.pose.expect("it goes in") + 1);
}

/// A part that is inside a solid touches it, inside a surface it does not.
#[test]
fn a_solid_has_an_inside() {
    let model = std::sync::Arc::new(Model::new(common::mesh(&shapes::icosphere(3))));
    let small = Shape::mesh(Model::new(common::mesh(&shapes::cuboid([-0.1; 3], [0.1; 3]))));
    let poses: Vec<Pose> =
        (0..50).map(|i| Pose::from_translation([0.01 * f64::from(i), 0.0, 0.0]).expect("finite")).collect();
    let (contact, closest) = asked(&Shape::mesh(model.clone()), &small, &poses);
    assert_eq!((contact.verdict, closest.pose), (Verdict::No, 49));
    let (contact, closest) = asked(&Shape::solid(model), &small, &poses);
    assert_eq!((contact.pose, closest.pose, closest.clearance.upper), (Some(0), 0, 0.0));
}

/// A budget leaves what is certain.
#[test]
fn a_budget_leaves_what_is_certain() {
    let bodies = bodies();
    let (a, b) = (&bodies[0], &bodies[3]);
    // Over a long bar, close to it.
    let along = |i: u32| Pose::from_translation([0.01 * f64::from(i) - 1.0, 0.2, 1.4]).expect("finite");
    let poses: Vec<Pose> = (0..200).map(along).collect();
    let alone = one_by_one(a, b, &poses);
    let (first, least) = expected(&alone);
    let (path, mut scratch) = (PosePath::new(a, b, &poses).expect("legal"), Scratch::new());
    let (mut maybe, mut partial) = (0, 0);
    let works: Vec<u64> = (0..80).map(|i| i * i * i / 4).chain([10_000_000]).collect();
    for &work in &works {
        let settings = Settings::new().budget(Budget::work(work));
        let contact = path.first_contact(&settings, &mut scratch);
        assert!(contact.free <= first.unwrap_or(poses.len()), "{work}: {contact:?}");
        assert!(contact.verdict == Verdict::Maybe || contact.pose == first, "{work}: {contact:?}");
        let closest = path.least_clearance(&settings, &mut scratch);
        let there = alone[closest.pose];
        assert!(closest.lower <= alone[least].2 && there.1 <= closest.clearance.upper, "{work}: {closest:?}");
        assert!(!closest.is_complete || closest.pose == least, "{work}: {closest:?}");
        maybe += usize::from(contact.verdict == Verdict::Maybe);
        partial += usize::from(!closest.is_complete);
    }
    assert!((1..works.len()).contains(&maybe) && (1..works.len()).contains(&partial), "{maybe} {partial}");
}

#[test]
fn says_which_pose_is_refused() {
    let bodies = bodies();
    assert_eq!(PosePath::new(&bodies[0], &bodies[1], &[]).err(), Some(PathError::NoPoses));
    let far = [Pose::IDENTITY, Pose::from_translation([0.0, 2e300, 0.0]).expect("finite")];
    let refused = PosePath::new(&bodies[0], &bodies[1], &far).expect_err("too far").to_string();
    assert!(refused.starts_with("pose 1: "), "{refused}");
}

/// With a limit for each pose the clearances are intervals, and the true ones lie in them.
#[test]
fn clearances_keep_to_their_limit() {
    let torus = Shape::solid(Model::new(common::mesh(&shapes::torus(24, 12, 1.0, 0.3))));
    let at = |i: u32| Pose::from_translation([0.1 * f64::from(i) - 2.0, 0.3, 0.2]).expect("finite");
    let poses: Vec<Pose> = (0..40).map(at).collect();
    let path = PosePath::new(&torus, &torus, &poses).expect("legal");
    let truth = path.clearances(Tolerance::EXACT, Limit::None);
    assert!(truth.iter().all(|found| found.is_complete));
    for limit in [0, 30, 300] {
        let found = path.clearances(Tolerance::EXACT, Limit::Work(limit));
        let cut = found.iter().filter(|found| !found.is_complete).count();
        assert!(cut > 3, "{limit}: {cut} were cut");
        for (one, truth) in found.iter().zip(&truth) {
            assert!(one.lower <= truth.upper && truth.upper <= one.upper, "{limit}: {one:?}, {truth:?}");
            // What was opened is finished.
            assert!(one.stats.volume_tests + one.stats.triangle_tests <= limit + 400, "{limit}: {one:?}");
        }
    }
}
