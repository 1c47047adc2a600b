//! Frames of solids that move: whenever they end, no pair of which one is inside the other is said
//! to be apart.

use crate::common::mesh;
use crate::solids::{Bodies, soups, truths};
use nearhit::research::SceneExt;
use nearhit::research::SphereTreeExt;
use nearhit::research::broad::BroadKind;
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions};
use nearhit::scene::{BodySpec, Detector, PartId, Scene, Shape};
use nearhit::{Budget, Model, Pose, Side, SphereTree, Verdict};
use nearhit_testkit::rng::Rng;
use std::sync::Arc;

fn shapes_with_spheres() -> Vec<Shape> {
    let options = SphereOptions::new().depth(3).method(SphereMethod::Octree).effort(BuildEffort::Quick);
    let shape = |soup| {
        let model = Arc::new(Model::new(mesh(soup)));
        let tree = SphereTree::build(&model, &options);
        Shape::mesh(model).with_spheres(Arc::new(tree)).expect("its own")
    };
    soups().iter().map(shape).collect()
}

fn pose(rng: &mut Rng) -> Pose {
    Pose::from_quaternion(rng.quaternion(), rng.point(0.0, 3.5)).expect("a unit quaternion")
}

/// Every third without spheres, every fifth a surface.
fn scene(shapes: &[Shape], kind: BroadKind, rng: &mut Rng) -> (Scene, Bodies) {
    let (mut scene, mut bodies) = (Scene::with_broad_phase(kind).solid(), Bodies::default());
    for number in 0..14 {
        let shape = number % shapes.len();
        let (given, is_solid) = (shapes[shape].clone(), number % 5 != 4);
        let given = if number % 3 == 2 { Shape::mesh(given.model().expect("a mesh").clone()) } else { given };
        let spec = BodySpec::rigid(format!("body {number}"), given).at(pose(rng));
        let body = scene.insert(if is_solid { spec } else { spec.surface() }).expect("new");
        bodies.parts.insert(PartId { body, part: 0 }, (shape, is_solid));
    }
    (scene, bodies)
}

#[test]
fn frames_never_lose_what_is_inside() {
    let (shapes, soups) = (shapes_with_spheres(), soups());
    let (mut maybe, mut inside, mut touching, mut free) = (0, [0, 0], 0, 0);
    for (number, kind) in BroadKind::ALL.into_iter().enumerate() {
        let mut rng = Rng::new(500 + number as u64);
        let (mut scene, bodies) = scene(&shapes, kind, &mut rng);
        let mut detector = Detector::default();
        for _ in 0..4 {
            let all = truths(&scene, &bodies, &soups);
            for units in [0, 30, 300, 3_000, 30_000, u64::MAX] {
                let frame = scene.detect(&mut detector, &Budget::work(units)).expect("an answer");
                let unseen: Vec<PartId> = frame.unseen().map(|member| member.id).collect();
                for truth in all.iter().filter(|truth| truth.is_clear) {
                    let (a, b) = truth.parts;
                    let found = frame.pairs.iter().find(|pair| (pair.a.id, pair.b.id) == (a, b));
                    let Some(pair) = found else {
                        assert!(!truth.contact() || unseen.contains(&a) || unseen.contains(&b), "{units}: {truth:?}");
                        free += usize::from(unseen.is_empty());
                        continue;
                    };
                    assert_eq!(pair.verdict.known().unwrap_or(truth.contact()), truth.contact(), "{pair:?}: {truth:?}");
                    let lower = pair.separation.lower;
                    assert!(lower == 0.0 || !truth.contact(), "{pair:?}: {truth:?}");
                    assert!(lower <= pair.separation.upper && pair.separation.upper.is_finite(), "{pair:?}");
                    if pair.verdict == Verdict::Yes {
                        assert_eq!((pair.inside.is_some(), pair.witness.is_some()), (!truth.touch, truth.touch));
                        assert_eq!(pair.separation.upper, 0.0);
                    }
                    if let Some(body) = pair.inside {
                        let place = usize::from(body == Side::B);
                        assert!(truth.inside[place] && truth.are_solids[1 - place], "{pair:?}: {truth:?}");
                        inside[place] += 1;
                    }
                    maybe += usize::from(pair.verdict == Verdict::Maybe);
                    touching += usize::from(pair.verdict == Verdict::Yes && truth.touch);
                }
                assert!(units < u64::MAX || frame.is_complete);
            }
            for body in scene.ids().collect::<Vec<_>>() {
                scene.set_pose(body, pose(&mut rng)).expect("finite");
            }
        }
    }
    let fair = maybe > 100 && touching > 100 && free > 100 && inside.iter().all(|&count| count > 10);
    assert!(fair, "{maybe} maybe, {inside:?} inside, {touching} touching, {free} free");
}

/// Surfaces that are known to be apart are not all there is to know: with no time to look inside,
/// the answer is "maybe".
#[test]
fn without_time_to_look_inside_nothing_is_said_to_be_apart() {
    let shapes = shapes_with_spheres();
    for with_spheres in [true, false] {
        let (mut maybe, mut yes) = (0, 0);
        for units in (0..100).chain((1..60).map(|k| k * k * 10)) {
            let mut scene = Scene::with_broad_phase(BroadKind::Brute).solid();
            for (name, shape) in [("plate", 0), ("chip", 3)] {
                let shape = shapes[shape].clone();
                let shape = if with_spheres { shape } else { Shape::mesh(shape.model().expect("a mesh").clone()) };
                scene.insert(BodySpec::rigid(name, shape)).expect("new");
            }
            let frame = scene.detect(&mut Detector::default(), &Budget::work(units)).expect("an answer");
            match frame.pairs.first() {
                None => assert!(frame.unseen().next().is_some(), "{units}"),
                Some(pair) if pair.verdict == Verdict::Yes => {
                    assert_eq!((pair.inside, pair.separation.upper), (Some(Side::B), 0.0));
                    yes += 1;
                }
                Some(pair) => {
                    assert_eq!((pair.verdict, pair.separation.lower), (Verdict::Maybe, 0.0), "{units}");
                    maybe += 1;
                }
            }
        }
        assert!(maybe > 3 && yes > 3, "{with_spheres}: {maybe} maybe, {yes} yes");
    }
}
