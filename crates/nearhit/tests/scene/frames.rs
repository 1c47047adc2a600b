//! Frames under budgets: what they say is true, and the important comes first.

use crate::common;
use nearhit::research::SphereTreeExt;
use nearhit::research::broad::BroadKind;
use nearhit::research::pace::{Expected, Pacer, Reserve};
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions};
use nearhit::research::{DetectorExt, SceneExt};
use nearhit::scene::{BodySpec, Detector, PartId, Scene, Shape};
use nearhit::{Budget, Clock, Model, Pair, Pose, Scratch, Settings, SphereTree, Tolerance, Verdict};
use nearhit_testkit::Soup;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

fn shapes_with_spheres() -> Vec<Shape> {
    let soups = [shapes::torus(12, 6, 1.0, 0.2), shapes::axis_bars(1.0, 0.1), shapes::icosphere(2)];
    soups.iter().map(with_spheres).collect()
}

fn with_spheres(soup: &Soup) -> Shape {
    let options = SphereOptions::new().depth(3).method(SphereMethod::Octree).effort(BuildEffort::Quick);
    let model = Arc::new(Model::new(common::mesh(soup)));
    let tree = SphereTree::build(&model, &options);
    Shape::mesh(model).with_spheres(Arc::new(tree)).expect("its own")
}

fn scene(shapes: &[Shape], kind: BroadKind, seed: u64) -> Scene {
    let (mut rng, mut scene) = (Rng::new(seed), Scene::with_broad_phase(kind));
    for number in 0..20 {
        let pose = Pose::from_quaternion(rng.quaternion(), rng.point(0.0, 5.0)).expect("a unit quaternion");
        let shape = shapes[number % shapes.len()].clone();
        // Every fourth without spheres.
        let shape = if number % 4 == 3 { Shape::mesh(shape.model().expect("a mesh").clone()) } else { shape };
        let spec = BodySpec::rigid(format!("body {number}"), shape).at(pose).importance(f64::from(number == 7));
        scene.insert(if number % 6 == 5 { spec.fixed() } else { spec }).expect("new");
    }
    // A tree for each part (§4.1 of the sphere-trees' paper).
    let joint = Pose::from_translation([0.8, 0.1, 0.0]).expect("finite");
    let arm = BodySpec::articulated("arm").part("upper", shapes[0].clone(), None, Pose::IDENTITY).part(
        "lower",
        shapes[1].clone(),
        Some("upper"),
        joint,
    );
    scene.insert(arm.at(Pose::from_translation([2.5, 2.5, 2.5]).expect("finite"))).expect("new");
    scene
}

#[test]
fn frames_say_what_is_true_whenever_they_end() {
    let shapes = shapes_with_spheres();
    let (mut maybe, mut yes, mut unseen, mut complete) = (0, 0, 0, 0);
    let mut detector = Detector::default();
    for seed in 0..12 {
        let kind = BroadKind::ALL[seed % 4];
        let mut truths = scene(&shapes, kind, seed as u64);
        let all = truths.settle().near_pairs(100.0).expect("a length");
        let mut scratch = Scratch::new();
        let truth: Vec<((PartId, PartId), f64)> = all
            .into_iter()
            .map(|parts| {
                let [a, b] = [parts.0, parts.1].map(|id| {
                    (
                        truths.part(id).expect("there").shape.model().expect("a mesh").clone(),
                        truths.part(id).expect("there").world_from_part,
                    )
                });
                let pair = Pair::new(&a.0, &a.1, &b.0, &b.1).expect("near");
                (parts, pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper)
            })
            .collect();
        for units in [0, 1, 20, 100, 400, 2_000, 20_000, u64::MAX] {
            let mut scene = scene(&shapes, kind, seed as u64);
            let important = scene.find("body 7").expect("there");
            let frame = scene.detect(&mut detector, &Budget::work(units)).expect("an answer");
            let not_seen: Vec<PartId> = frame.unseen().map(|member| member.id).collect();
            let is_unseen = |id: PartId| not_seen.contains(&id);
            for &((a, b), distance) in &truth {
                let Some(pair) = frame.pairs.iter().find(|pair| (pair.a.id, pair.b.id) == (a, b)) else {
                    assert!(distance > 0.0 || is_unseen(a) || is_unseen(b), "{a:?} {b:?} touch after {units}");
                    continue;
                };
                assert!(pair.separation.lower <= distance && distance <= pair.separation.upper, "{pair:?}: {distance}");
                assert!(pair.separation.upper.is_finite());
                assert_eq!(pair.verdict.known().unwrap_or(distance == 0.0), distance == 0.0, "{pair:?}: {distance}");
            }
            // The important body is found before any other is, and its pairs come first.
            assert!(not_seen.is_empty() || not_seen.len() >= 16 || !is_unseen(PartId { body: important, part: 0 }));
            let of_important =
                |place: usize| [frame.pairs[place].a, frame.pairs[place].b].iter().any(|m| m.id.body == important);
            let first_other = (0..frame.pairs.len()).find(|&place| !of_important(place)).unwrap_or(frame.pairs.len());
            assert!((first_other..frame.pairs.len()).all(|place| !of_important(place)));
            maybe += frame.pairs.iter().filter(|pair| pair.verdict == Verdict::Maybe).count();
            yes += frame.pairs.iter().filter(|pair| pair.verdict == Verdict::Yes).count();
            unseen += not_seen.len();
            complete += usize::from(frame.is_complete);
            if units == u64::MAX {
                assert!(frame.is_complete);
                let found: Vec<_> = frame.pairs.iter().map(|pair| (pair.a.id, pair.b.id)).collect();
                let touching = truth.iter().filter(|(_, distance)| *distance == 0.0);
                assert_eq!(touching.clone().count(), found.len());
                assert!(touching.clone().all(|(parts, _)| found.contains(parts)));
            } else if units <= 1 {
                assert!(!frame.is_complete);
            }
        }
    }
    assert!(maybe > 100 && yes > 100 && unseen > 100 && complete >= 12, "{maybe} {yes} {unseen} {complete}");
}

/// Pairs that go on from the frame before: what is said is true whatever the budget was, complete
/// frames find the same, and less is done. Shapes that are replaced in between start afresh.
#[test]
fn followed_pairs_say_what_is_true() {
    let shapes = shapes_with_spheres();
    let mut scratch = Scratch::new();
    let (mut followed, mut cold, mut maybe, mut yes) = (0, 0, 0, 0);
    let mut detectors = [Detector::following(), Detector::default()];
    let mut scene = scene(&shapes, BroadKind::ALL[0], 12);
    let ids: Vec<_> = scene.ids().collect();
    let mut rng = Rng::new(12);
    for number in 0..24_u32 {
        for &id in &ids {
            let body = scene.body(id).expect("there");
            let moved = glam::DVec3::from_array(rng.point(-0.02, 0.02));
            let rows = body.pose.rotation().transpose().to_cols_array_2d();
            let pose = Pose::from_rows(rows, (body.pose.translation() + moved).to_array()).expect("a rotation");
            if !body.is_fixed {
                scene.set_pose(id, pose).expect("finite");
            }
        }
        if number % 8 == 5 {
            let part = PartId { body: ids[number as usize % 3], part: 0 };
            scene.set_shape(part, shapes[number as usize % shapes.len()].clone()).expect("there");
        }
        let units = [300, 5_000, u64::MAX][number as usize % 3];
        for (detector, work) in detectors.iter_mut().zip([&mut followed, &mut cold]) {
            let frame = scene.detect(detector, &Budget::work(units)).expect("an answer");
            *work += if units == u64::MAX { frame.stats.volume_tests + frame.stats.triangle_tests } else { 0 };
            let pairs: Vec<_> =
                frame.pairs.iter().map(|pair| (pair.a.id, pair.b.id, pair.verdict, pair.separation)).collect();
            assert!(units < u64::MAX || frame.is_complete);
            for (a, b, verdict, separation) in pairs {
                let [of_a, of_b] = [a, b].map(|id| {
                    let part = scene.part(id).expect("there");
                    (part.shape.model().expect("a mesh").clone(), part.world_from_part)
                });
                let pair = Pair::new(&of_a.0, &of_a.1, &of_b.0, &of_b.1).expect("near");
                let distance = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper;
                assert!(separation.lower <= distance && distance <= separation.upper, "{distance}: {separation:?}");
                assert_eq!(verdict.known().unwrap_or(distance == 0.0), distance == 0.0, "{distance}");
                maybe += usize::from(verdict == Verdict::Maybe);
                yes += usize::from(verdict == Verdict::Yes);
            }
        }
        if units == u64::MAX {
            let found = detectors.each_mut().map(|detector| {
                let frame = scene.detect(detector, &Budget::UNLIMITED).expect("an answer");
                frame.pairs.iter().map(|pair| (pair.a.id, pair.b.id)).collect::<Vec<_>>()
            });
            assert_eq!(found[0], found[1]);
        }
    }
    assert!(followed < cold && maybe > 20 && yes > 20, "{followed} {cold} {maybe} {yes}");
}

/// A ball in the hole of a ring is apart from it; bars put in its place reach through the ring.
#[test]
fn followed_pairs_forget_shapes_that_were_replaced() {
    let [ring, ball, bars] =
        [shapes::torus(24, 8, 3.0, 0.2), shapes::icosphere(2), shapes::axis_bars(3.0, 0.1)].map(|s| with_spheres(&s));
    let mut scene = Scene::with_broad_phase(BroadKind::ALL[0]);
    scene.insert(BodySpec::rigid("ring", ring)).expect("new");
    let body = scene.insert(BodySpec::rigid("inside", ball.clone())).expect("new");
    let part = PartId { body, part: 0 };
    let mut detector = Detector::following();
    for (shape, touches) in [(&ball, 0), (&bars, 1), (&ball, 0), (&bars, 1), (&bars, 1)] {
        scene.set_shape(part, shape.clone()).expect("there");
        let frame = scene.detect(&mut detector, &Budget::UNLIMITED).expect("an answer");
        assert!(frame.is_complete);
        assert_eq!(frame.pairs.len(), touches);
    }
}

/// What a frame had no time to tell the broad phase, a later one does.
#[test]
fn what_was_not_told_is_told_later() {
    let shapes = shapes_with_spheres();
    for kind in BroadKind::ALL {
        // Two scenes alike: in one all is told at once.
        let [mut scene, mut told] = [0; 2].map(|_| {
            let mut scene = scene(&shapes, kind, 77);
            scene.settle();
            let ids: Vec<_> = scene.ids().collect();
            // What is near each other changes for all of them.
            let poses: Vec<_> = ids.iter().map(|&id| scene.body(id).expect("there").pose).collect();
            for (place, &id) in ids.iter().enumerate() {
                scene.set_pose(id, poses[(7 * place + 3) % ids.len() / 5 * 5]).expect("finite");
            }
            scene
        });
        let expected = told.settle().colliding().expect("an answer").found.len();
        let mut detector = Detector::default();
        let started = scene.detect(&mut detector, &Budget::work(0)).expect("an answer");
        assert!(!started.is_complete && started.pairs.is_empty());
        let all = scene.detect(&mut detector, &Budget::UNLIMITED).expect("an answer");
        assert!(all.is_complete && all.pairs.len() == expected && expected > 10, "{} {expected}", all.pairs.len());
    }
}

/// Says that the time is over once, and then that it is not.
#[derive(Debug, Default)]
struct Wavering(AtomicU32);

impl Clock for Wavering {
    fn now(&self) -> Duration {
        Duration::from_secs(u64::from(self.0.fetch_add(1, Relaxed) == 1))
    }
}

/// A clock that is set back in a frame must not hide what the broad phase was not told.
#[test]
fn whatever_the_clock_says_nothing_is_hidden() {
    let mut scene = scene(&shapes_with_spheres(), BroadKind::Tree, 78);
    scene.settle();
    let ids: Vec<_> = scene.ids().collect();
    for &id in &ids {
        let pose = scene.body(ids[0]).expect("there").pose;
        scene.set_pose(id, pose).expect("finite");
    }
    let clock = Wavering::default();
    let frame =
        scene.detect(&mut Detector::default(), &Budget::until(&clock, Duration::from_secs(1))).expect("a frame");
    assert!(clock.0.load(Relaxed) > 1 && !frame.is_complete);
    // All parts but the three that are fixed.
    assert_eq!(frame.unseen().count(), 19);
}

#[test]
fn detection_gets_what_other_work_leaves() {
    let (second, tenth) = (Duration::from_secs(1), Duration::from_millis(100));
    let mut pacer = Pacer::new(second);
    assert_eq!(pacer.allotment(), second);
    pacer.other_work(tenth);
    assert_eq!(pacer.allotment(), 9 * tenth);
    pacer.other_work(3 * tenth);
    assert_eq!(pacer.allotment(), 8 * tenth);
    // A frame that took far too long is not what the next will be like.
    (0..7).for_each(|_| pacer.other_work(2 * tenth));
    pacer.other_work(500 * tenth);
    assert_eq!(pacer.allotment(), 8 * tenth);
    // Old frames are forgotten, and there is never less than no time.
    (0..10).for_each(|_| pacer.other_work(20 * tenth));
    assert_eq!(pacer.allotment(), Duration::ZERO);
}

/// §4.2 of the sphere-trees' paper takes the mean, which one long frame moves for ten frames.
#[test]
fn the_mean_of_other_work_is_a_choice() {
    let tenth = Duration::from_millis(100);
    let mut pacer = Pacer::new(10 * tenth).expecting(Expected::Mean);
    assert_eq!(pacer.allotment(), 10 * tenth);
    for took in [1, 3, 8] {
        pacer.other_work(took * tenth);
    }
    assert_eq!(pacer.allotment(), 6 * tenth);
    (0..7).for_each(|_| pacer.other_work(tenth));
    pacer.other_work(51 * tenth);
    assert_eq!(pacer.allotment(), 10 * tenth - 69 * tenth / 10);
    pacer.other_work(Duration::MAX);
    assert_eq!(pacer.allotment(), Duration::ZERO);
}

/// On a machine that interrupts its programs a hundred times a second, for 20 to 60 µs.
#[test]
fn a_reserve_makes_late_frames_rare() {
    let us = Duration::from_nanos(1_000);
    for budget in [200 * us, 1_000 * us] {
        let (mut rng, mut reserve) = (Rng::new(17), Reserve::default());
        let (mut late, mut late_without, mut given) = (0, 0, Duration::ZERO);
        let frames = 40_000;
        for _ in 0..frames {
            let interrupted_at = Duration::from_secs_f64(-0.01 * (1.0 - rng.f64()).ln());
            let lasts = Duration::from_secs_f64(rng.range(20e-6, 60e-6));
            // Whoever works until `end` looks at the clock all the time, but not in an
            // interruption.
            let ends = |end: Duration| if interrupted_at < end { end.max(interrupted_at + lasts) } else { end };
            let end = reserve.of(budget);
            given += end;
            let over = ends(end).saturating_sub(budget);
            late += usize::from(!over.is_zero());
            late_without += usize::from(ends(budget) > budget);
            reserve.ended(over);
        }
        assert!(1_000 * late < frames && 1_000 * late_without > 3 * frames, "{late} and {late_without} of {frames}");
        assert!(given > frames as u32 * (budget - 65 * us), "{given:?}");
    }
    // However late a frame was, half of the time is used.
    let mut reserve = Reserve::default();
    reserve.ended(Duration::from_secs(1));
    assert_eq!(reserve.of(100 * us), 50 * us);
}
