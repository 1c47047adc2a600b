//! Bad input: a typed error that names what was wrong, and a scene as it was before.

use crate::world::{shape, small_shapes};
use glam::DVec3;
use nearhit::research::ModelExt;
use nearhit::research::SceneExt;
use nearhit::research::SphereTreeExt;
use nearhit::research::VolumeKind;
use nearhit::research::broad::BroadKind;
use nearhit::research::build::BuildOptions;
use nearhit::research::sphere_tree::SphereOptions;
use nearhit::scene::{BodySpec, PartId, Scene, SceneError, Shape};
use nearhit::{Model, Pose, SphereTree};
use nearhit_testkit::shapes;
use std::sync::Arc;

fn message<T: std::fmt::Debug>(result: Result<T, SceneError>) -> String {
    result.expect_err("refused").to_string()
}

#[test]
fn refusals_say_what_is_wrong() {
    let shape = small_shapes()[0].clone();
    let mut scene = Scene::default();
    let id = scene.insert(BodySpec::rigid("ship", shape.clone())).expect("new");
    let again = message(scene.insert(BodySpec::rigid("ship", shape.clone())));
    assert_eq!(again, "there is a body \"ship\" already");
    assert_eq!(message(scene.insert(BodySpec::articulated("ghost"))), "body \"ghost\" has no parts");
    let part =
        |spec: BodySpec, name: &str, parent: Option<&str>| spec.part(name, shape.clone(), parent, Pose::IDENTITY);
    let twice = part(part(BodySpec::articulated("arm"), "link", None), "link", None);
    assert_eq!(message(scene.insert(twice)), "body \"arm\" has two parts \"link\"");
    let orphan = part(BodySpec::articulated("arm"), "link", Some("hand"));
    assert_eq!(
        message(scene.insert(orphan)),
        "part \"link\" of body \"arm\": parent \"hand\" is not defined before it"
    );
    let heavy = BodySpec::rigid("heavy", shape.clone()).importance(f64::NAN);
    assert_eq!(message(scene.insert(heavy)), "the importance of \"heavy\" is NaN: it must be a finite number");
    let boxes = Model::with(shape.model().expect("a mesh").mesh().clone(), VolumeKind::Aabb, &BuildOptions::default());
    let other = message(scene.insert(BodySpec::rigid("boxes", Arc::new(boxes))));
    assert!(other.contains("\"boxes\"") && other.contains("aabb") && other.contains("auto"), "{other}");
    assert_eq!(scene.len(), 1);

    let nan = message(scene.set_motion(id, DVec3::new(0.0, f64::NAN, 0.0), 1.0));
    assert_eq!(nan, "the velocity of \"ship\" is NaN: it must be a finite number");
    assert!(message(scene.set_motion(id, DVec3::ZERO, -1.0)).contains("largest acceleration of \"ship\" is -1"));
    assert!(message(scene.set_motion(id, DVec3::ZERO, f64::NAN)).contains("NaN"));
    for time in [-0.1, f64::NAN, f64::INFINITY] {
        assert!(message(scene.advance(time)).starts_with("the time to pass is"));
    }
    for limit in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(message(scene.settle().within(limit)).starts_with("the limit is"));
    }
    let far = Pose::from_translation([0.0, 2e300, 0.0]).expect("finite");
    assert!(message(scene.set_pose(id, far)).contains("2e300"));
    assert_eq!(scene.body(id).expect("there").pose, Pose::IDENTITY);
    assert!(message(scene.set_joint(PartId { body: id, part: 1 }, Pose::IDENTITY)).contains("no part 1"));
    assert!(message(scene.find("boat")).contains("\"boat\""));
    assert!(message(scene.find_part(id, "wing")).contains("\"wing\""));
    assert_eq!(message(scene.allow("drones", id)), "there is no group \"drones\"");
}

/// Time without end would make every look ahead a matter of luck.
#[test]
fn time_stays_a_number() {
    for kind in BroadKind::ALL {
        let (mut scene, ball) = (Scene::with_broad_phase(kind), small_shapes().swap_remove(3));
        let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]).expect("finite");
        let a = scene.insert(BodySpec::rigid("a", ball.clone()).at(at(0.0))).expect("new");
        let b = scene.insert(BodySpec::rigid("b", ball).at(at(5.0))).expect("new");
        // As fast as numbers go, and faster still beside each other.
        scene.set_motion(a, DVec3::splat(f64::MAX), 1.0).expect("finite");
        scene.set_motion(b, DVec3::splat(-f64::MAX), 1.0).expect("finite");
        assert_eq!(scene.settle().near_pairs(0.0), Ok(Vec::new()));
        scene.advance(f64::MAX).expect("finite");
        assert_eq!(message(scene.advance(f64::MAX)), "the time of the scene is inf: it must be a finite number");
        assert_eq!(scene.time(), f64::MAX);
        scene.set_pose(b, at(0.5)).expect("finite");
        assert_eq!(scene.settle().colliding().expect("an answer").found.len(), 1, "{kind:?}");
    }
}

#[test]
fn removed_bodies_stay_removed() {
    let cube: Shape = shape(&shapes::cuboid([0.0; 3], [1.0; 3]));
    let mut scene = Scene::default();
    let spec = |name: &str| BodySpec::rigid(name, cube.clone());
    let (a, b) = (scene.insert(spec("a")).expect("new"), scene.insert(spec("b")).expect("new"));
    scene.allow(a, b).expect("both there");
    assert!(scene.settle().colliding().expect("an answer").found.is_empty());
    scene.remove(a).expect("there");
    for refused in [
        message(scene.remove(a)),
        message(scene.set_pose(a, Pose::IDENTITY)),
        message(scene.set_motion(a, DVec3::ZERO, 0.0)),
        message(scene.body(a)),
        message(scene.allow(a, b)),
        message(scene.part(PartId { body: a, part: 0 })),
    ] {
        assert!(refused.contains("it was removed"), "{refused}");
    }
    // The place is used again, the name too; the id and the allowance are not.
    let again = scene.insert(spec("a")).expect("the name is free");
    assert_eq!(again.index(), a.index());
    assert_ne!(again, a);
    assert_eq!(scene.settle().colliding().expect("an answer").found.len(), 1);
    scene.remove(again).expect("there");
    scene.remove(b).expect("there");
    assert!(scene.is_empty());
    // With nothing in it, a scene takes any volume.
    let boxes = Model::with(cube.model().expect("a mesh").mesh().clone(), VolumeKind::Aabb, &BuildOptions::default());
    scene.insert(BodySpec::rigid("boxes", Arc::new(boxes))).expect("any volume");
}

/// What is allowed holds whichever is named first, between sides of any kind, and outlives the
/// removal of others.
#[test]
fn allowances_hold_both_ways_and_stay() {
    let cube: Shape = shape(&shapes::cuboid([0.0; 3], [1.0; 3]));
    let mut scene = Scene::default();
    let mut insert = |name: &str, group: Option<&str>| {
        let spec = BodySpec::rigid(name, cube.clone());
        scene.insert(match group {
            Some(group) => spec.group(group),
            None => spec,
        })
    };
    let [a, b] = [("a", Some("walls")), ("b", None)].map(|(name, group)| insert(name, group).expect("new"));
    let [c, d] = ["c", "d"].map(|name| insert(name, None).expect("new"));
    let part = |body| PartId { body, part: 0 };
    let pairs = |scene: &mut Scene| scene.settle().colliding().expect("an answer").found.len();
    assert_eq!(pairs(&mut scene), 6);
    // The group is of the first body, the part of the second.
    scene.allow(part(b), "walls").expect("there");
    assert_eq!(pairs(&mut scene), 5);
    scene.forbid("walls", part(b)).expect("there");
    scene.allow("walls", part(b)).expect("there");
    assert_eq!(pairs(&mut scene), 5);
    scene.allow(part(d), c).expect("there");
    scene.allow(part(a), part(d)).expect("there");
    scene.allow(part(d), part(b)).expect("there");
    assert_eq!(pairs(&mut scene), 2);
    scene.remove(a).expect("there");
    // Of b, c and d: d may touch both.
    assert_eq!(pairs(&mut scene), 1);
}

/// A sphere-tree of another mesh would make frames miss contacts.
#[test]
fn spheres_of_another_mesh_are_refused() {
    let [one, other] = [shapes::icosphere(1), shapes::icosphere(1).scaled(1.5)].map(|soup| shape(&soup));
    let tree =
        |shape: &Shape| Arc::new(SphereTree::build(shape.model().expect("a mesh"), &SphereOptions::new().depth(1)));
    assert!(one.clone().with_spheres(tree(&one)).is_ok());
    // The same numbers in another model are the same mesh.
    let copy = Shape::mesh(Arc::new(Model::new(one.model().expect("a mesh").mesh().clone())));
    assert!(one.clone().with_spheres(tree(&copy)).is_ok());
    let refused = one.with_spheres(tree(&other)).expect_err("of another mesh").to_string();
    assert_eq!(
        refused,
        "the sphere-tree was made of another mesh than this one of 20 triangles: build it of the shape's own model"
    );
}
