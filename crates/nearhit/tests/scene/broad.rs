//! Every broad phase finds what looking at all pairs finds, frame after frame.

use crate::world::World;
use glam::DVec3;
use nearhit::Pose;
use nearhit::research::SceneExt;
use nearhit::research::SettledExt;
use nearhit::research::broad::Bounds;
use nearhit::research::broad::BroadKind;
use nearhit::research::broad::near_pairs;
use nearhit::scene::{BodySpec, PartId, Scene};
use nearhit_testkit::rng::Rng;
use std::collections::BTreeSet;

/// Frames, bodies, side of the room; every tenth frame asks for near pairs too.
fn follow(count: usize, side: f64, frames: usize, seed: u64) -> World {
    let mut world = World::new(count, side, &BroadKind::ALL, seed);
    let (mut found, mut changes, mut before) = (0, 0, BTreeSet::new());
    for frame in 0..frames {
        world.step();
        let reach = if frame % 10 == 9 { 0.3 } else { 0.0 };
        let pairs: Vec<Vec<(PartId, PartId)>> =
            world.scenes.iter_mut().map(|scene| scene.settle().near_pairs(reach).expect("a length")).collect();
        for (kind, pairs_of_kind) in world.kinds.iter().zip(&pairs) {
            assert!(
                pairs_of_kind == &pairs[0],
                "{kind:?}, frame {frame}, reach {reach}: {}",
                differ(pairs_of_kind, &pairs[0])
            );
        }
        if reach == 0.0 {
            let now: BTreeSet<_> = pairs[0].iter().copied().collect();
            changes += now.symmetric_difference(&before).count();
            found += now.len();
            before = now;
        }
    }
    assert!(found > frames && changes > frames / 4, "too little happens: {found} pairs, {changes} changes");
    world
}

fn differ(found: &[(PartId, PartId)], expected: &[(PartId, PartId)]) -> String {
    let (found, expected): (BTreeSet<_>, BTreeSet<_>) = (found.iter().collect(), expected.iter().collect());
    let missing: Vec<_> = expected.difference(&found).take(3).collect();
    let extra: Vec<_> = found.difference(&expected).take(3).collect();
    format!("missing {missing:?}, too many {extra:?}")
}

#[test]
fn all_find_the_same_pairs() {
    let world = follow(250, 12.0, 600, 1);
    assert!(world.returns > 100, "{}", world.returns);
    follow(12, 3.0, 600, 2);
}

#[test]
fn ten_thousand_bodies() {
    let long = std::env::var_os("NEARHIT_LONG").is_some();
    follow(if long { 10_000 } else { 2_000 }, if long { 43.0 } else { 25.0 }, if long { 2_000 } else { 12 }, 3);
}

/// What was fixed beside a fixed body and was no pair is one when its place is taken by a body that
/// moves.
#[test]
fn a_place_used_again_is_another_part() {
    let shape = crate::world::small_shapes().swap_remove(1);
    for kind in BroadKind::ALL {
        let mut scene = Scene::with_broad_phase(kind);
        let spec = |name: &str| BodySpec::rigid(name, shape.clone());
        scene.insert(spec("wall").fixed()).expect("new");
        let floor = scene.insert(spec("floor").fixed()).expect("new");
        for number in 0..40 {
            let far = Pose::from_translation([10.0 + 5.0 * f64::from(number), 0.0, 0.0]).expect("finite");
            scene.insert(spec(&number.to_string()).at(far)).expect("new");
        }
        assert!(scene.settle().near_pairs(0.0).expect("a length").is_empty());
        scene.remove(floor).expect("there");
        let ball = scene.insert(spec("ball")).expect("new");
        assert_eq!(ball.index(), floor.index());
        assert_eq!(scene.settle().near_pairs(0.0).expect("a length").len(), 1, "{kind:?}");
    }
}

#[test]
fn boxes_that_do_not_move_are_swept_once() {
    let mut rng = Rng::new(4);
    let mut point = |high: f64| DVec3::from_array(rng.point(0.0, high));
    let boxes: Vec<Bounds> = (0..300)
        .map(|_| {
            let low = point(1.0);
            Bounds { low, high: low + point(0.25) }
        })
        .collect();
    for reach in [0.0, 0.05] {
        let near =
            |a: Bounds, b: Bounds| (a.low - b.high).max_element() <= reach && (b.low - a.high).max_element() <= reach;
        let all: Vec<(usize, usize)> = (0..boxes.len())
            .flat_map(|i| (i + 1..boxes.len()).map(move |j| (i, j)))
            .filter(|&(i, j)| near(boxes[i], boxes[j]))
            .collect();
        assert_eq!(near_pairs(&boxes, reach), all);
        assert!(all.len() > 50 && all.len() < 20_000);
    }
    assert!(near_pairs(&[], 1.0).is_empty());
    let touching =
        [[0.0, 1.0], [1.0, 2.0]].map(|[low, high]| Bounds { low: DVec3::splat(low), high: DVec3::splat(high) });
    assert_eq!(near_pairs(&touching, 0.0), [(0, 1)]);
}

/// A broad phase that looks ahead names a time before which nothing new comes near; flying on until
/// then shows it.
#[test]
fn nothing_comes_near_before_the_earliest_contact() {
    // Balls, whose boxes are as large as what looks ahead makes of them.
    let (mut rng, ball) = (Rng::new(5), crate::world::small_shapes().swap_remove(3));
    let (mut steps, mut meetings) = (0, 0);
    for _ in 0..40 {
        let mut scene = Scene::with_broad_phase(BroadKind::SpaceTime);
        let mut flyers = Vec::new();
        for number in 0..8 {
            let at = DVec3::from_array(rng.point(0.0, 12.0));
            let velocity = DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 0.5);
            let place = Pose::from_translation(at.to_array()).expect("finite");
            let id = scene.insert(BodySpec::rigid(number.to_string(), ball.clone()).at(place)).expect("new");
            // Most of them push with all they have.
            let push = DVec3::from_array(rng.unit_vector()) * if number % 4 == 0 { 0.0 } else { 2.0 };
            flyers.push((id, at, velocity, push));
        }
        let mut time = 0.0_f64;
        let mut known = BTreeSet::new();
        while time < 4.0 {
            for &(id, at, velocity, push) in &flyers {
                let now = at + velocity * time + push * (0.5 * time * time);
                scene.set_pose(id, Pose::from_translation(now.to_array()).expect("finite")).expect("there");
                scene.set_motion(id, velocity + push * time, push.length() * (1.0 + 1e-12)).expect("finite");
            }
            let settled = scene.settle();
            let near: BTreeSet<_> = settled.near_pairs(0.0).expect("a length").into_iter().collect();
            let step = settled.next_step(1e-3, 1.0);
            let until = time + step;
            steps += 1;
            // Flying towards it in small steps: only what was near already is.
            for part in 1..8 {
                let then = time + step * f64::from(part) / 8.0;
                if step <= 1e-3 {
                    break;
                }
                let mut other = Scene::with_broad_phase(BroadKind::Brute);
                for (number, &(_, at, velocity, push)) in flyers.iter().enumerate() {
                    let place = at + velocity * then + push * (0.5 * then * then);
                    let place = Pose::from_translation(place.to_array()).expect("finite");
                    other.insert(BodySpec::rigid(number.to_string(), ball.clone()).at(place)).expect("new");
                }
                let then: BTreeSet<_> = other.settle().near_pairs(0.0).expect("a length").into_iter().collect();
                assert!(then.is_subset(&near), "{:?} before {until}", then.difference(&near));
            }
            meetings += near.difference(&known).count();
            known = near;
            scene.advance(until - time).expect("finite");
            time = until;
        }
    }
    assert!(meetings > 20 && steps < 40 * 3000, "{meetings} meetings in {steps} steps");
}
