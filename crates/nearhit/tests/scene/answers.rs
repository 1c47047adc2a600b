//! Scene-wide answers against asking about every pair, over broad phases and threads.

use crate::world::{shape, small_shapes};
use nearhit::research::SceneExt;
use nearhit::research::broad::BroadKind;
use nearhit::scene::{BodySpec, Gap, PartId, Scene, Settled, Shape};
use nearhit::{Model, Pair, Pose, Scratch, Settings, Tolerance, TrianglePair};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;

fn model(shape: &Shape) -> &Model {
    shape.model().expect("a mesh")
}

fn pose(rng: &mut Rng, side: f64) -> Pose {
    Pose::from_quaternion(rng.quaternion(), rng.point(0.0, side)).expect("a unit quaternion")
}

/// Rigid, articulated and fixed bodies, and two kinds of filter.
fn scene(kind: BroadKind, side: f64, seed: u64) -> Scene {
    let mut rng = Rng::new(seed);
    let (mut scene, shapes) = (Scene::with_broad_phase(kind), small_shapes());
    // Loose chains in a large room, so that there are scenes in which nothing touches.
    let stretch = if side > 10.0 { 4.0 } else { 1.0 };
    let ring = shape(&shapes::torus(12, 6, 1.0, 0.3));
    for number in 0..14 {
        let spec = BodySpec::rigid(format!("body {number}"), shapes[number % 4].clone()).at(pose(&mut rng, side));
        let spec = if number % 3 == 0 { spec.group("drones") } else { spec };
        scene.insert(if number % 5 == 4 { spec.fixed() } else { spec }).expect("new");
    }
    for number in 0..3 {
        let joint = |x: f64| Pose::from_translation([x, 0.0, 0.0]).expect("finite");
        let spec = BodySpec::articulated(format!("chain {number}"))
            .part("first", ring.clone(), None, Pose::IDENTITY)
            .part("second", ring.clone(), Some("first"), joint(1.2 * stretch))
            .part("third", ring.clone(), Some("second"), pose(&mut rng, stretch))
            .part("side", shapes[2].clone(), Some("first"), joint(-stretch));
        scene.insert(spec.at(pose(&mut rng, side))).expect("new");
    }
    scene.allow("drones", "drones").expect("a group");
    let (first, second) = (scene.find("chain 0").expect("there"), scene.find("chain 1").expect("there"));
    let part = scene.find_part(first, "third").expect("a part");
    scene.allow(part, second).expect("both there");
    let joint = scene.find_part(second, "second").expect("a part");
    scene.set_joint(joint, pose(&mut rng, 1.5 * stretch)).expect("finite");
    scene
}

/// The rules again, in other words: who is asked about.
fn all_pairs(scene: &Scene) -> Vec<(PartId, PartId)> {
    let mut parts = Vec::new();
    for body in scene.ids() {
        parts.extend((0..scene.body(body).expect("there").parts.len()).map(|part| PartId { body, part: part as u32 }));
    }
    let mut pairs = Vec::new();
    for (place, &a) in parts.iter().enumerate() {
        for &b in &parts[place + 1..] {
            let name = |id: PartId| scene.body(id.body).expect("there").name.to_string();
            let is_fixed =
                |name: &str| name.strip_prefix("body ").is_some_and(|n| n.parse::<u32>().expect("n") % 5 == 4);
            let group = |id: PartId| scene.body(id.body).expect("there").group.is_some();
            // The parts of a chain: 1 hangs on 0, 2 on 1, 3 on 0.
            let joined = a.body == b.body && [(0, 1), (1, 2), (0, 3)].contains(&(a.part, b.part));
            let matrix = name(a) == "chain 0" && a.part == 2 && name(b) == "chain 1";
            let both = |of: &dyn Fn(PartId) -> bool| of(a) && of(b);
            if [joined, matrix, both(&|id| is_fixed(&name(id))), both(&group)] == [false; 4] {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

struct Truth {
    parts: (PartId, PartId),
    distance: f64,
    contacts: Vec<TrianglePair>,
}

fn truth(scene: &Scene) -> Vec<Truth> {
    let mut scratch = Scratch::new();
    let of = |parts: (PartId, PartId)| {
        let [a, b] = [parts.0, parts.1].map(|id| scene.part(id).expect("there"));
        let pair = Pair::new(model(&a.shape), &a.world_from_part, model(&b.shape), &b.world_from_part).expect("near");
        let contacts = pair.contacts(&Settings::default(), &mut scratch).pairs.to_vec();
        let distance = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper;
        Truth { parts, distance, contacts }
    };
    all_pairs(scene).into_iter().map(of).collect()
}

fn parts_of(gap: &Gap<'_>) -> (PartId, PartId) {
    (gap.a.id, gap.b.id)
}

#[test]
fn answers_are_those_of_every_pair() {
    let (mut touching, mut apart) = (0, 0);
    for seed in 0..30 {
        let side = if seed % 2 == 0 { 5.0 } else { 40.0 };
        let mut scene = scene(BroadKind::ALL[seed % 4], side, seed as u64);
        let mut truth = truth(&scene);
        let settled = scene.settle();
        let found = settled.colliding().expect("an answer").found;
        assert_eq!(settled.collides().expect("an answer"), !found.is_empty());
        let hits: Vec<&Truth> = truth.iter().filter(|pair| !pair.contacts.is_empty()).collect();
        assert_eq!(
            found.iter().map(|touch| (touch.a.id, touch.b.id)).collect::<Vec<_>>(),
            hits.iter().map(|hit| hit.parts).collect::<Vec<_>>()
        );
        for (touch, hit) in found.iter().zip(&hits) {
            assert!(hit.contacts.contains(&touch.contact.witness().expect("surfaces")));
        }
        let contacts = settled.contacts().expect("an answer").found;
        assert_eq!(contacts.len(), hits.len());
        for (touching, hit) in contacts.iter().zip(&hits) {
            assert_eq!(((touching.a.id, touching.b.id), &touching.contacts), (hit.parts, &hit.contacts));
        }
        touching += hits.len();
        let limit = 0.7;
        let near: Vec<_> =
            truth.iter().filter(|pair| pair.distance <= limit).map(|pair| (pair.parts, pair.distance)).collect();
        let within = settled.within(limit).expect("an answer").found;
        assert_eq!(within.iter().map(|gap| (parts_of(gap), gap.distance.upper)).collect::<Vec<_>>(), near);
        truth.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.parts.cmp(&b.parts)));
        for count in [0, 1, 2, 7, 40, 10_000] {
            let nearest = settled.nearest(count).expect("an answer").found;
            let expected: Vec<_> = truth.iter().take(count).map(|pair| (pair.parts, pair.distance)).collect();
            assert_eq!(
                nearest.iter().map(|gap| (parts_of(gap), gap.distance.upper)).collect::<Vec<_>>(),
                expected,
                "{count}"
            );
            assert!(nearest.iter().all(|gap| gap.distance.lower == gap.distance.upper));
        }
        let closest = settled.closest().expect("an answer").expect("there are pairs");
        assert_eq!(closest.distance.upper, truth[0].distance);
        apart += usize::from(truth[0].distance > 0.0);
    }
    assert!(touching > 200 && apart > 1, "{touching} touching pairs, {apart} scenes without any");
}

/// To the last bit, work included where it does not depend on the broad phase.
#[test]
fn answers_do_not_depend_on_threads_or_broad_phase() {
    let everything = |settled: Settled<'_>| {
        let [colliding, within] = [
            format!("{:?}", settled.colliding().expect("an answer")),
            format!("{:?}", settled.within(0.5).expect("an answer")),
        ];
        format!(
            "{colliding}{within}{:?}{:?}",
            settled.contacts().expect("an answer"),
            settled.nearest(9).expect("an answer")
        )
    };
    for seed in 40..46 {
        let mut said = Vec::new();
        for kind in BroadKind::ALL {
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                said.push(pool.install(|| everything(scene(kind, 7.0, seed).settle())));
            }
        }
        assert!(said.iter().all(|other| *other == said[0]));
    }
}

#[test]
fn an_empty_or_lonely_scene_has_no_pairs() {
    let mut scene = Scene::default();
    assert_eq!(scene.settle().closest().expect("an answer"), None);
    scene.insert(BodySpec::rigid("alone", small_shapes()[0].clone())).expect("new");
    let settled = scene.settle();
    assert_eq!(settled.closest().expect("an answer"), None);
    assert!(settled.nearest(3).expect("an answer").found.is_empty());
    assert!(settled.colliding().expect("an answer").found.is_empty());
}

/// A part moves with all that it hangs on; what hangs elsewhere stays.
#[test]
fn parts_hang_on_one_another() {
    let (mut rng, mut scene, link) = (Rng::new(10), Scene::default(), small_shapes().swap_remove(0));
    let poses = [(); 5].map(|()| pose(&mut rng, 3.0));
    let arm = BodySpec::articulated("arm")
        .part("upper", link.clone(), None, poses[1])
        .part("lower", link.clone(), Some("upper"), poses[2])
        .part("hand", link.clone(), Some("lower"), poses[3])
        .part("lamp", link, None, poses[4]);
    let arm = scene.insert(arm.at(poses[0])).expect("new");
    let check = |scene: &Scene, [body, upper, lower, hand, lamp]: [Pose; 5]| {
        let expected = [body * upper, body * upper * lower, body * upper * lower * hand, body * lamp];
        for (part, expected) in (0..).zip(expected) {
            assert_eq!(scene.part(PartId { body: arm, part }).expect("there").world_from_part, expected, "part {part}");
        }
    };
    check(&scene, poses);
    let (moved, bent) = (pose(&mut rng, 3.0), pose(&mut rng, 3.0));
    scene.set_pose(arm, moved).expect("finite");
    check(&scene, [moved, poses[1], poses[2], poses[3], poses[4]]);
    scene.set_joint(PartId { body: arm, part: 1 }, bent).expect("finite");
    check(&scene, [moved, poses[1], bent, poses[3], poses[4]]);
}

/// A floor under ships that are far from each other says nothing about how far: the search begins
/// with gaps as wide as a ship, not as a floor.
#[test]
fn a_floor_does_not_make_the_closest_a_matter_of_all_pairs() {
    let (mut rng, mut scene) = (Rng::new(9), Scene::default());
    let floor = shape(&shapes::cuboid([-500.0, -500.0, -200.0], [500.0, 500.0, -199.0]));
    scene.insert(BodySpec::rigid("floor", floor).fixed()).expect("new");
    let ball = small_shapes().swap_remove(3);
    for number in 0..512 {
        let place = [number % 8, number / 8 % 8, number / 64].map(|cell| 12.0 * f64::from(cell) + rng.range(0.0, 3.0));
        let place = Pose::from_translation(place).expect("finite");
        scene.insert(BodySpec::rigid(number.to_string(), ball.clone()).at(place)).expect("new");
    }
    let nearest = scene.settle().nearest(1).expect("an answer");
    assert!(nearest.found[0].distance.upper > 6.0 && nearest.asked < 20 * 512, "{} pairs", nearest.asked);
}

/// Far from the origin boxes must give for the rounding of coordinates; two faces that just touch
/// there must be found.
#[test]
fn faces_that_touch_far_away_are_found() {
    let (mut rng, mut touching) = (Rng::new(8), 0);
    for _ in 0..2_000 {
        // Two boxes of different sizes, neither with a corner at its origin: of equal ones the
        // boxes around them are rounded alike, and touch whenever they do.
        let far = rng.range(-1e6, 1e6);
        let [(low_a, side_a), (low_b, side_b)] = [(); 2].map(|()| (rng.range(-0.3, 0.3), rng.range(0.7, 1.5)));
        let cuboid = |low: f64, side: f64| shape(&shapes::cuboid([low; 3], [low + side; 3]));
        let (cube_a, cube_b) = (cuboid(low_a, side_a), cuboid(low_b, side_b));
        let at = |x: f64| Pose::from_translation([far + x, far, -far]).expect("finite");
        let (left, right) = (at(0.0), at(low_a + side_a - low_b));
        let pair = Pair::new(model(&cube_a), &left, model(&cube_b), &right).expect("near");
        let touches = pair.collide(&Settings::default(), &mut Scratch::new()).witness.is_some();
        for kind in BroadKind::ALL {
            let mut scene = Scene::with_broad_phase(kind);
            scene.insert(BodySpec::rigid("left", cube_a.clone()).at(left)).expect("new");
            scene.insert(BodySpec::rigid("right", cube_b.clone()).at(right)).expect("new");
            let found = scene.settle().colliding().expect("an answer").found.len();
            assert_eq!(found, usize::from(touches), "{kind:?} {far}");
        }
        touching += usize::from(touches);
    }
    assert!(touching > 500, "{touching}");
}
