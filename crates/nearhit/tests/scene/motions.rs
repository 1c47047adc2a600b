//! First contacts against dense sampling: nothing tunnels.

use crate::common;
use glam::DVec3;
use nearhit::scene::{Motion, MotionError, Moving, first_contact};
use nearhit::shape::Shape;
use nearhit::{Budget, Model, Pair, Pose, Scratch, Settings, Tolerance, Verdict};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;

pub(crate) fn meshes() -> Vec<Shape> {
    let soups = [
        shapes::tetrahedron([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        // A thin plate and a thin rod: what tunnels.
        shapes::cuboid([-0.6, -0.6, -0.005], [0.6, 0.6, 0.005]),
        shapes::cuboid([-0.01, -0.01, -1.0], [0.01, 0.01, 1.0]),
        shapes::axis_bars(0.7, 0.05),
        shapes::torus(8, 4, 0.6, 0.1),
    ];
    soups.iter().map(|soup| Shape::mesh(Model::new(common::mesh(soup)))).collect()
}

pub(crate) fn motion(rng: &mut Rng) -> Motion {
    let pose =
        |rng: &mut Rng| Pose::from_quaternion(rng.quaternion(), rng.point(-1.0, 1.0)).expect("a unit quaternion");
    let (from, to) = (pose(rng), pose(rng));
    match rng.below(4) {
        0 => Motion::linear(from, to),
        1 => Motion::screw(from, to),
        2 => Motion::still(from),
        _ => {
            // Through everything and several times round.
            let drift = DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 8.0);
            let turns = DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 12.0);
            Motion::spinning(from, drift, turns).expect("finite")
        }
    }
}

#[test]
fn nothing_tunnels() {
    let long = std::env::var_os("NEARHIT_LONG").is_some();
    let (count, samples) = if long { (100_000, 1_000) } else { (2_000, 300) };
    let (meshes, mut rng, mut scratch) = (meshes(), Rng::new(11), Scratch::new());
    let settings = Settings::default();
    let (mut through, mut touched, mut free, mut sampled_early) = (0, 0, 0, 0);
    for case in 0..count {
        let (a, b) = (rng.choice(&meshes), rng.choice(&meshes));
        let [a, b] = [a, b].map(|shape| Moving { shape, motion: motion(&mut rng) });
        let tolerance = 1e-3;
        let found = first_contact(&a, &b, tolerance, &settings, &mut scratch).expect("an answer");
        let pair = |time: f64| {
            let [from_a, from_b] = [a, b].map(|body| body.motion.pose(time).expect("finite"));
            let [of_a, of_b] = [a, b].map(|body| body.shape.model().expect("a mesh"));
            Pair::new(of_a, &from_a, of_b, &from_b).expect("near")
        };
        let mut hits = (0..=samples)
            .map(|sample| f64::from(sample) / f64::from(samples))
            .filter(|&time| pair(time).collide(&settings, &mut scratch).verdict == Verdict::Yes);
        let first = hits.next();
        let last = hits.last();
        match found.verdict {
            Verdict::Yes => {
                assert!(first.is_none_or(|first| first >= found.free_until), "case {case}: {first:?} before {found:?}");
                let there = pair(found.free_until).distance(Tolerance::EXACT, &settings, &mut Scratch::new());
                assert!(there.upper <= tolerance, "case {case}: {} at {found:?}", there.upper);
                touched += 1;
                through += usize::from(found.free_until > 0.0 && last.or(first).is_some_and(|last| last < 1.0));
                sampled_early += usize::from(first.is_none());
            }
            Verdict::No => {
                assert_eq!((first, found.free_until), (None, 1.0), "case {case}");
                free += 1;
            }
            Verdict::Maybe => panic!("case {case}: no budget was given, {found:?}"),
        }
    }
    assert!(through > count / 20 && touched > count / 5 && free > count / 5, "{through} {touched} {free}");
    // Some contacts are missed by sampling, or are within the tolerance only: few.
    assert!(sampled_early < touched / 3, "{sampled_early} of {touched}");
}

/// Both ends of a motion are where they were said to be, and a screw keeps to its axis.
#[test]
fn motions_end_where_they_should() {
    let mut rng = Rng::new(12);
    let pose =
        |rng: &mut Rng| Pose::from_quaternion(rng.quaternion(), rng.point(-5.0, 5.0)).expect("a unit quaternion");
    for _ in 0..500 {
        let (from, to, point) = (pose(&mut rng), pose(&mut rng), DVec3::from_array(rng.point(-1.0, 1.0)));
        for motion in [Motion::linear(from, to), Motion::screw(from, to)] {
            let [start, end] = [0.0, 1.0].map(|time| motion.pose(time).expect("finite").apply(point));
            assert!(start.distance(from.apply(point)) < 1e-12 && end.distance(to.apply(point)) < 1e-10);
        }
        // On a screw equal times mean equal maps: what takes 0 to ½ takes ½ to 1.
        let [p, q, r] = [0.0, 0.5, 1.0].map(|time| Motion::screw(from, to).pose(time).expect("finite"));
        let (first, second) = (q * p.inverse(), r * q.inverse());
        assert!(first.apply(point).distance(second.apply(point)) < 1e-9);
    }
}

#[test]
fn a_plate_is_hit_at_the_right_time() {
    let meshes = meshes();
    let plate = Moving { shape: &meshes[1], motion: Motion::still(Pose::IDENTITY) };
    let place = |z: f64| Pose::from_translation([0.1, 0.1, z]).expect("finite");
    let rod = Moving { shape: &meshes[2], motion: Motion::linear(place(101.005), place(-898.995)) };
    let mut scratch = Scratch::new();
    let found = first_contact(&rod, &plate, 1e-6, &Settings::default(), &mut scratch).expect("an answer");
    // 100 of 1000 units away.
    assert_eq!(found.verdict, Verdict::Yes);
    assert!(found.free_until <= 0.1 && found.free_until > 0.1 - 1e-8, "{found:?}");
    let short = Settings::new().budget(Budget::work(1));
    let found = first_contact(&rod, &plate, 1e-6, &short, &mut scratch).expect("an answer");
    assert!(found.verdict == Verdict::Maybe && found.free_until < 0.1, "{found:?}");
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = first_contact(&rod, &plate, tolerance, &Settings::default(), &mut scratch);
        assert!(matches!(refused, Err(MotionError::Tolerance { .. })), "{refused:?}");
    }
    assert!(Motion::spinning(Pose::IDENTITY, DVec3::ZERO, DVec3::new(0.0, f64::NAN, 0.0)).is_err());
    // After a billion turns an angle is known to a millionth: so is where the tip of the rod is.
    let turns = |count: f64| Motion::spinning(place(5.0), DVec3::ZERO, DVec3::X * std::f64::consts::TAU * count);
    for (count, tolerance, is_possible) in [(1.0, 1e-9, true), (1e9, 1e-9, false), (1e9, 1e-1, true)] {
        let rod = Moving { motion: turns(count).expect("finite"), ..rod };
        let short = Settings::new().budget(Budget::work(1));
        let found = first_contact(&rod, &plate, tolerance, &short, &mut scratch);
        assert_eq!(found.is_ok(), is_possible, "{count} turns, {tolerance}: {found:?}");
    }
}
