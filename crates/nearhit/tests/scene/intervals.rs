//! All instants of contact against dense sampling, and against what can be calculated.

use super::motions::{meshes, motion};
use crate::common;
use glam::DVec3;
use nearhit::research::motion::{Meeting, contact_intervals, meetings};
use nearhit::scene::{BodySpec, Motion, MotionError, Moving, Scene};
use nearhit::shape::Shape;
use nearhit::{Budget, Model, Pair, Pose, Scratch, Settings, Tolerance, Verdict};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;

/// Outside of the intervals nothing touches; inside, nothing is farther apart than twice the
/// tolerance.
#[test]
fn every_instant_is_in_an_interval() {
    let long = std::env::var_os("NEARHIT_LONG").is_some();
    let (count, samples) = if long { (20_000, 1_000) } else { (400, 200) };
    let (meshes, mut rng, mut scratch) = (meshes(), Rng::new(12), Scratch::new());
    let (settings, tolerance) = (Settings::default(), 5e-3);
    let (mut several, mut none, mut seen) = (0, 0, 0);
    for case in 0..count {
        let (a, b) = (rng.choice(&meshes), rng.choice(&meshes));
        let [a, b] = [a, b].map(|shape| Moving { shape, motion: motion(&mut rng) });
        let found = contact_intervals(&a, &b, tolerance, &settings, &mut scratch).expect("an answer");
        assert!(found.is_complete, "case {case}");
        let ordered = found.intervals.windows(2).all(|two| two[0][1] < two[1][0]);
        assert!(
            ordered && found.intervals.iter().all(|[from, to]| 0.0 <= *from && from < to && *to <= 1.0),
            "{found:?}"
        );
        for sample in 0..=samples {
            let time = f64::from(sample) / f64::from(samples);
            let [from_a, from_b] = [a, b].map(|body| body.motion.pose(time).expect("finite"));
            let [of_a, of_b] = [a, b].map(|body| body.shape.model().expect("a mesh"));
            let pair = Pair::new(of_a, &from_a, of_b, &from_b).expect("near");
            let is_in = found.intervals.iter().any(|[from, to]| (*from..=*to).contains(&time));
            let touches = pair.collide(&settings, &mut scratch).verdict == Verdict::Yes;
            assert!(is_in || !touches, "case {case}: a contact at {time}, {found:?}");
            seen += usize::from(touches);
            if is_in {
                let apart = pair.distance(Tolerance::EXACT, &settings, &mut scratch).upper;
                assert!(apart <= 2.0 * tolerance, "case {case}: {apart} at {time}");
            }
        }
        several += usize::from(found.intervals.len() > 1);
        none += usize::from(found.intervals.is_empty());
    }
    assert!(several > count / 20 && none > count / 10 && seen > 1000, "{several} {none} {seen}");
}

/// A bar that turns three times about its middle meets a post beside it six times.
#[test]
fn a_turning_bar_meets_a_post_again_and_again() {
    let (bar, post) = (Shape::cuboid([2.0, 0.1, 0.1]).expect("a box"), Shape::ball(0.1).expect("a ball"));
    let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]).expect("finite");
    let turns = DVec3::Z * (3.0 * std::f64::consts::TAU);
    // Begins upright, so that the first contact is not at the start.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let upright = Pose::from_quaternion([0.0, 0.0, half, half], [0.0; 3]).expect("a turn");
    let turning = Moving { shape: &bar, motion: Motion::spinning(upright, DVec3::ZERO, turns).expect("finite") };
    let still = Moving { shape: &post, motion: Motion::still(at(0.8)) };
    let found = contact_intervals(&turning, &still, 1e-3, &Settings::default(), &mut Scratch::new()).expect("fine");
    assert_eq!(found.intervals.len(), 6, "{found:?}");
    // The bar's side, 0.05 from its middle line, reaches a ball of 0.1 at 0.8 when the line is
    // asin(0.15 / 0.8) from it.
    let half = (0.15_f64 / 0.8).asin() / (3.0 * std::f64::consts::TAU);
    for (index, [from, to]) in found.intervals.iter().enumerate() {
        let middle = (0.5 * index as f64 + 0.25) / 3.0;
        assert!((from - (middle - half)).abs() < 1e-3 && (to - (middle + half)).abs() < 1e-3, "{found:?}");
    }
}

/// A small cube flies through a large hollow one: as surfaces they touch twice, as solids from the
/// first wall to the last.
#[test]
fn what_is_inside_of_a_solid_is_in_contact() {
    let cube = |half: f64| common::mesh(&shapes::cuboid([-half; 3], [half; 3]));
    let at = |x: f64| Pose::from_translation([x, 0.01, 0.02]).expect("finite");
    let ask = |shape: fn(Model) -> Shape| {
        let (large, small) = (shape(Model::new(cube(1.0))), shape(Model::new(cube(0.1))));
        let still = Moving { shape: &large, motion: Motion::still(at(0.0)) };
        let moving = Moving { shape: &small, motion: Motion::linear(at(-4.0), at(4.0)) };
        let found = contact_intervals(&still, &moving, 1e-3, &Settings::default(), &mut Scratch::new()).expect("fine");
        assert!(found.is_complete);
        found.intervals
    };
    let near = |found: Vec<[f64; 2]>, expected: &[[f64; 2]]| {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        let all = found.iter().flatten().zip(expected.iter().flatten());
        all.for_each(|(time, x)| assert!((time - (x + 4.0) / 8.0).abs() < 1e-3, "{found:?}"));
    };
    near(ask(Shape::mesh), &[[-1.1, -0.9], [0.9, 1.1]]);
    near(ask(Shape::solid), &[[-1.1, 1.1]]);
}

#[test]
fn budgets_and_refusals() {
    let ball = Shape::ball(1.0).expect("a ball");
    let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]).expect("finite");
    let still = Moving { shape: &ball, motion: Motion::still(at(0.0)) };
    let moving = Moving { shape: &ball, motion: Motion::linear(at(4.0), at(-4.0)) };
    let ask = |tolerance: f64, settings: &Settings<'_>| {
        contact_intervals(&still, &moving, tolerance, settings, &mut Scratch::new())
    };
    let whole = ask(1e-3, &Settings::default()).expect("fine");
    assert_eq!((whole.intervals.len(), whole.is_complete), (1, true));
    assert!(matches!(ask(0.0, &Settings::default()), Err(MotionError::Tolerance { .. })));
    assert!(matches!(ask(f64::NAN, &Settings::default()), Err(MotionError::Tolerance { .. })));
    let spent = ask(1e-3, &Settings::new().budget(Budget::work(3))).expect("what is known");
    assert!(!spent.is_complete && spent.known_until < 0.5, "{spent:?}");
    // Two that rest in each other are in contact all the time, in one step.
    let both = contact_intervals(&still, &still, 1e-3, &Settings::default(), &mut Scratch::new()).expect("fine");
    assert_eq!((both.intervals, both.steps), (vec![[0.0, 1.0]], 1));
}

/// A scene's meetings are those of its pairs asked one by one, each with the same intervals; what
/// is filtered out or does not move is not there.
#[test]
fn a_scene_tells_what_its_pairs_tell() {
    let (meshes, mut rng) = (meshes(), Rng::new(21));
    let (mut met, mut order) = (0, 0);
    for case in 0..12 {
        let mut scene = Scene::default();
        let mut bodies = Vec::new();
        for number in 0..7 {
            let (shape, motion) = (rng.choice(&meshes).clone(), motion(&mut rng));
            let spec = BodySpec::rigid(format!("{number}"), shape.clone()).at(motion.pose(0.0).expect("finite"));
            let id = scene.insert(spec).expect("a body");
            bodies.push((
                id,
                shape,
                if number < 5 { motion } else { Motion::still(motion.pose(0.0).expect("finite")) },
            ));
        }
        scene.allow(bodies[0].0, bodies[1].0).expect("two of the scene");
        let motions: Vec<_> = bodies[..5].iter().map(|(id, _, motion)| (*id, *motion)).collect();
        let found = meetings(&scene.settle(), &motions, 1e-2).expect("an answer");
        let rests = |motion: &Motion| motion.pose(0.0) == motion.pose(1.0);
        let mut expected = Vec::new();
        for (i, (_, shape, motion)) in bodies.iter().enumerate() {
            for (j, (_, other, of_other)) in bodies.iter().enumerate().skip(i + 1) {
                let [a, b] =
                    [(shape, motion), (other, of_other)].map(|(shape, motion)| Moving { shape, motion: *motion });
                let settings = Settings::default();
                let alone = contact_intervals(&a, &b, 1e-2, &settings, &mut Scratch::new()).expect("an answer");
                if (i, j) != (0, 1) && !(rests(motion) && rests(of_other)) && !alone.intervals.is_empty() {
                    expected.push((format!("{i}"), format!("{j}"), alone.intervals));
                }
            }
        }
        let firsts: Vec<f64> = found.iter().map(|it| it.contact.intervals[0][0]).collect();
        assert!(firsts.is_sorted(), "case {case}: {firsts:?}");
        order += usize::from(firsts.last() > firsts.first());
        let told = |it: &Meeting<'_>| (it.a.body.to_owned(), it.b.body.to_owned(), it.contact.intervals.clone());
        let mut told: Vec<_> = found.iter().map(told).collect();
        told.sort_by(|p, q| (&p.0, &p.1).cmp(&(&q.0, &q.1)));
        assert_eq!(told, expected, "case {case}");
        met += told.len();
    }
    assert!(met > 40 && order > 6, "{met} {order}");
    let mut scene = Scene::default();
    scene.insert(BodySpec::rigid("one", meshes[0].clone())).expect("a body");
    assert!(meetings(&scene.settle(), &[], f64::NAN).is_err());
}
