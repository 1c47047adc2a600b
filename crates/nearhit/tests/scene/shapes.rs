//! Scenes of all kinds of shapes, against asking about every pair.

use crate::common;
use glam::DVec3;
use nearhit::research::SceneExt;
use nearhit::research::broad::BroadKind;
use nearhit::scene::{BodySpec, Detector, Gap, Motion, Moving, Part, PartId, Scene, SceneError, Shape, first_contact};
use nearhit::shape::ShapePair;
use nearhit::{Budget, Model, Pair, Pose, Scratch, Settings, Side, Tolerance, Verdict};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;
use std::sync::Arc;

fn pose(rng: &mut Rng, side: f64) -> Pose {
    Pose::from_quaternion(rng.quaternion(), rng.point(-side, side)).expect("a unit quaternion")
}

fn model(soup: &nearhit_testkit::Soup) -> Arc<Model> {
    Arc::new(Model::new(common::mesh(soup)))
}

/// One of every kind, some grown; the last two are half-spaces.
fn kinds(rng: &mut Rng) -> Vec<Shape> {
    let mut size = || rng.range(0.2, 0.9);
    let mut made = vec![
        Shape::ball(size()).expect("legal"),
        Shape::capsule(0.3 * size(), 2.0 * size()).expect("legal"),
        Shape::cuboid([size(), size(), size()]).expect("legal"),
        Shape::cuboid([size(), size(), size()]).and_then(|shape| shape.grown(0.2)).expect("legal"),
        Shape::cylinder(size(), size()).expect("legal"),
        Shape::cone(size(), size()).expect("legal"),
        Shape::truncated_cone(size(), 0.3 * size(), size()).and_then(|shape| shape.grown(0.1)).expect("legal"),
        Shape::ellipsoid([size(), size(), size()]).expect("legal"),
    ];
    let points: Vec<[f64; 3]> = (0..40).map(|_| rng.point(0.2, 1.1)).collect();
    made.push(Shape::hull(&points).expect("legal"));
    made.push(Shape::mesh(model(&shapes::torus(10, 5, 0.7, 0.2))));
    made.push(Shape::solid(model(&shapes::cuboid([-0.9; 3], [0.6; 3]))));
    made.push(Shape::solid(model(&shapes::icosphere(1))));
    made.push(Shape::solid(model(&shapes::axis_bars(0.8, 0.1))).grown(0.15).expect("legal"));
    made.push(Shape::half_space(rng.unit_vector(), rng.range(-3.5, -2.0)).expect("legal"));
    made.push(Shape::half_space([0.0, 0.0, 1.0], rng.range(-3.5, -2.0)).expect("legal"));
    made
}

/// Bodies of one part and of several, fixed ones, a group that may touch itself.
fn scene(kind: BroadKind, side: f64, seed: u64) -> Scene {
    let mut rng = Rng::new(seed);
    let kinds = kinds(&mut rng);
    let mut scene = Scene::with_broad_phase(kind);
    for number in 0..14 {
        let chosen = if number < kinds.len() - 2 { number } else { rng.below(kinds.len() - 2) };
        let spec = BodySpec::rigid(format!("body {number}"), kinds[chosen].clone()).at(pose(&mut rng, side));
        let spec = if number % 4 == 0 { spec.group("drones") } else { spec };
        scene.insert(if number % 5 == 4 { spec.fixed() } else { spec }).expect("new");
    }
    for number in 0..2 {
        let mut part = || kinds[rng.below(kinds.len() - 2)].clone();
        let (first, second, third) = (part(), part(), part());
        let (body, joint) = (pose(&mut rng, side), pose(&mut rng, 1.0));
        let spec = BodySpec::articulated(format!("arm {number}"))
            .part("first", first, None, Pose::IDENTITY)
            .part("second", second, Some("first"), joint)
            .part("third", third, None, pose(&mut rng, 1.0));
        scene.insert(spec.at(body)).expect("new");
    }
    let half = kinds.len() - 2;
    scene.insert(BodySpec::rigid("slope", kinds[half].clone()).fixed()).expect("new");
    scene.insert(BodySpec::rigid("floor", kinds[half + 1].clone()).at(pose(&mut rng, 0.3))).expect("new");
    scene.allow("drones", "drones").expect("a group");
    scene
}

fn all_parts(scene: &Scene) -> Vec<PartId> {
    let parts = |body| (0..scene.body(body).expect("there").parts.len()).map(move |part| (body, part as u32));
    let mut ids: Vec<PartId> = scene.ids().flat_map(parts).map(|(body, part)| PartId { body, part }).collect();
    ids.sort_unstable();
    ids
}

/// The rules of filters again, in other words.
fn all_pairs(scene: &Scene) -> Vec<(PartId, PartId)> {
    let ids = all_parts(scene);
    let mut pairs = Vec::new();
    for (place, &a) in ids.iter().enumerate() {
        for &b in &ids[place + 1..] {
            let bodies = [a, b].map(|id| scene.body(id.body).expect("there"));
            let joined = a.body == b.body && (a.part, b.part) == (0, 1);
            let fixed = bodies.iter().all(|body| body.is_fixed);
            let group = bodies.iter().all(|body| body.group.is_some());
            if !(joined || fixed || group) {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

struct Truth {
    parts: (PartId, PartId),
    touches: bool,
    lower: f64,
    upper: f64,
}

fn shape_pair<'s>(a: &'s Part, b: &'s Part) -> ShapePair<'s> {
    ShapePair::new(&a.shape, &a.world_from_part, &b.shape, &b.world_from_part).expect("near")
}

/// By the pair's own questions, with what a scene says of depths.
fn truth_of(scene: &Scene, parts: (PartId, PartId), scratch: &mut Scratch) -> Truth {
    let settings = Settings::default();
    let [a, b] = [parts.0, parts.1].map(|id| scene.part(id).expect("there"));
    let pair = shape_pair(a, b);
    let touches = pair.collide(&settings, scratch).verdict == Verdict::Yes;
    let mut found = pair.distance(Tolerance::EXACT, &settings, scratch);
    let grown = a.shape.margin() + b.shape.margin() > 0.0;
    let solid = |part: &Part| part.shape.model().is_some() && format!("{:?}", part.shape).contains("is_solid: true");
    match (a.shape.model(), b.shape.model()) {
        (Some(model_a), Some(model_b)) if !grown => {
            let meshes = Pair::new(model_a, &a.world_from_part, model_b, &b.world_from_part).expect("near");
            if solid(a) && solid(b) {
                found = meshes.solid().distance(Tolerance::EXACT, &settings, scratch);
            }
        }
        _ => {
            if let Some(deep) = pair.penetration(scratch).filter(|_| found.upper == 0.0) {
                (found.lower, found.upper) = (-deep.depth.upper, -deep.depth.lower);
            }
        }
    }
    Truth { parts, touches, lower: found.lower + 0.0, upper: found.upper + 0.0 }
}

fn told(gap: &Gap<'_>) -> ((PartId, PartId), f64, f64) {
    ((gap.a.id, gap.b.id), gap.distance.lower, gap.distance.upper)
}

#[test]
fn scenes_of_shapes_answer_like_every_pair() {
    let (mut touching, mut apart, mut deep, mut by_margins, mut scratch) = (0, 0, 0, 0, Scratch::new());
    for seed in 0..24 {
        let side = if seed % 3 == 0 { 8.0 } else { 2.5 };
        let mut scene = scene(BroadKind::ALL[seed % 4], side, seed as u64);
        let mut truth: Vec<Truth> =
            all_pairs(&scene).into_iter().map(|parts| truth_of(&scene, parts, &mut scratch)).collect();
        let settled = scene.settle();
        let hits: Vec<_> = truth.iter().filter(|pair| pair.touches).map(|pair| pair.parts).collect();
        let found = settled.colliding().expect("an answer").found;
        assert_eq!(found.iter().map(|touch| (touch.a.id, touch.b.id)).collect::<Vec<_>>(), hits, "seed {seed}");
        let contacts = settled.contacts().expect("an answer").found;
        assert_eq!(contacts.iter().map(|touch| (touch.a.id, touch.b.id)).collect::<Vec<_>>(), hits, "seed {seed}");
        for touch in &contacts {
            let [a, b] = [touch.a.id, touch.b.id].map(|id| settled.scene().part(id).expect("there"));
            let meshes = a.shape.model().is_some() && b.shape.model().is_some();
            assert_eq!(touch.inside.is_some(), touch.contacts.is_empty());
            assert!(touch.points.len() == touch.contacts.len() || meshes && touch.points.is_empty());
            let pieces = shape_pair(a, b).contacts(&Settings::default(), &mut scratch);
            if !meshes {
                assert_eq!(pieces.contacts, touch.points);
            }
            // Two meshes that only their margins bring together have contacts, too.
            let found = pieces.contacts.iter().map(|contact| contact.pieces);
            let grown = a.shape.margin() + b.shape.margin() > 0.0;
            assert!(!meshes || touch.inside.is_some() || found.eq(touch.contacts.iter().copied()), "seed {seed}");
            by_margins += usize::from(meshes && grown && touch.inside.is_none() && !surfaces_meet(a, b, &mut scratch));
        }
        for limit in [0.0, 0.4] {
            let near: Vec<_> = truth.iter().filter(|pair| pair.lower <= limit).map(Truth::told).collect();
            let within = settled.within(limit).expect("an answer").found;
            assert_eq!(within.iter().map(told).collect::<Vec<_>>(), near, "seed {seed}");
        }
        touching += hits.len();
        deep += truth.iter().filter(|pair| pair.upper < 0.0).count();
        apart += truth.iter().filter(|pair| pair.lower > 0.0).count();
        truth.sort_by(|a, b| a.upper.total_cmp(&b.upper).then(a.parts.cmp(&b.parts)));
        for count in [1, 5, 60, 10_000] {
            let nearest = settled.nearest(count).expect("an answer").found;
            let expected: Vec<_> = truth.iter().take(count).map(Truth::told).collect();
            assert_eq!(nearest.iter().map(told).collect::<Vec<_>>(), expected, "seed {seed}, {count}");
        }
    }
    assert!(touching > 200 && apart > 1_000 && deep > 100, "{touching} touching, {apart} apart, {deep} deep");
    assert!(by_margins > 5, "{by_margins} pairs of meshes touch by their margins only");
}

/// Do the triangles of two meshes meet, without their margins?
fn surfaces_meet(a: &Part, b: &Part, scratch: &mut Scratch) -> bool {
    let (Some(model_a), Some(model_b)) = (a.shape.model(), b.shape.model()) else { return false };
    let pair = Pair::new(model_a, &a.world_from_part, model_b, &b.world_from_part).expect("near");
    pair.collide(&Settings::default(), scratch).verdict == Verdict::Yes
}

impl Truth {
    fn told(&self) -> ((PartId, PartId), f64, f64) {
        (self.parts, self.lower, self.upper)
    }
}

/// To the last bit.
#[test]
fn answers_about_shapes_do_not_depend_on_threads_or_broad_phase() {
    for seed in 60..64 {
        let mut said = Vec::new();
        for kind in BroadKind::ALL {
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                said.push(pool.install(|| {
                    let mut scene = scene(kind, 3.0, seed);
                    let settled = scene.settle();
                    let ids: Vec<_> = settled.scene().ids().collect();
                    let fall = Motion::linear(Pose::IDENTITY, Pose::from_translation([1.0, 2.0, -3.0]).expect("legal"));
                    let moves: Vec<_> = ids.iter().step_by(3).map(|&id| (id, fall)).collect();
                    let (colliding, within) = (settled.colliding(), settled.within(0.5));
                    let impact = settled.first_contact(&moves, 1e-5);
                    format!("{colliding:?}{within:?}{:?}{:?}{impact:?}", settled.contacts(), settled.nearest(9))
                }));
            }
        }
        assert!(said.iter().all(|other| *other == said[0]), "seed {seed}");
    }
}

/// A ball beside the point of a shape that is farthest along an axis of the world, where boxes are
/// tight: found at their distance, to the last bit, near the origin and far from it.
#[test]
fn bounds_of_shapes_are_tight_and_not_too_small() {
    let (mut rng, mut scratch, settings) = (Rng::new(20), Scratch::new(), Settings::default());
    let mut tight = 0;
    for round in 0..60 {
        for (number, shape) in kinds(&mut rng).into_iter().enumerate() {
            let far = if round % 2 == 0 { 1.0 } else { 1e6 };
            let world_from_shape = pose(&mut rng, far);
            let axis = DVec3::AXES[rng.below(3)] * if rng.chance(0.5) { 1.0 } else { -1.0 };
            // The lowest point of the shape along the axis: that next to a half-space far below.
            let wall = Shape::half_space(axis.to_array(), -4e6).expect("legal");
            let below = ShapePair::new(&wall, &Pose::IDENTITY, &shape, &world_from_shape).expect("near");
            let foot = below.distance(Tolerance::EXACT, &settings, &mut scratch).on_b;
            let (radius, gap) = (rng.range(0.0, 0.5), rng.range(0.0, 0.3));
            let there = if shape.name() == "half-space" { rng.point(-far, far).into() } else { foot };
            let at = Pose::from_translation((there - axis * (radius + gap)).to_array()).expect("legal");
            let ball = Shape::ball(radius).expect("legal");
            let pair = ShapePair::new(&shape, &world_from_shape, &ball, &at).expect("near");
            let limit = pair.distance(Tolerance::EXACT, &settings, &mut scratch).upper;
            let mut scene = Scene::with_broad_phase(BroadKind::ALL[round % 4]);
            scene.insert(BodySpec::rigid("shape", shape.clone()).at(world_from_shape)).expect("new");
            scene.insert(BodySpec::rigid("ball", ball).at(at)).expect("new");
            let settled = scene.settle();
            let found = settled.within(limit).expect("an answer").found;
            assert_eq!(found.len(), 1, "{} {number} at {far}, {limit}", shape.name());
            assert_eq!(found[0].distance.upper.max(0.0), limit);
            tight += usize::from(settled.near_pairs((limit - 1e-6 * far).max(0.0)).expect("legal").is_empty());
        }
    }
    // Half of the boxes are those of rotated boxes, which are larger.
    assert!(tight > 200, "{tight}");
}

/// A half-space far from the dot that it just touches: its plane comes with the rounding of where
/// it is, which is far larger than the dot's own. (The box of anything larger reaches into it.)
#[test]
fn half_spaces_from_afar_are_not_left_out() {
    let (mut rng, mut scratch, settings) = (Rng::new(22), Scratch::new(), Settings::default());
    for round in 0..200 {
        let far = [1e3, 1e6, 1e9][round % 3];
        let (rotation, translation) = (rng.rotation(), DVec3::from_array(rng.point(-far, far)));
        let world_from_space = Pose::from_rows(rotation, translation.to_array()).expect("a rotation");
        let normal = rng.unit_vector();
        let up = world_from_space.rotation() * DVec3::from_array(normal);
        let space = Shape::half_space(normal, -up.dot(translation)).expect("legal");
        let dot = Shape::ball(0.0).expect("legal");
        let at = |height: f64| Pose::from_translation((up * height).to_array()).expect("legal");
        let mut touches = |height: f64| {
            let pair = ShapePair::new(&space, &world_from_space, &dot, &at(height)).expect("near");
            pair.collide(&settings, &mut scratch).verdict == Verdict::Yes
        };
        let (mut low, mut high) = (-1.0, 2.0);
        assert!(touches(low) && !touches(high));
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if touches(middle) { low = middle } else { high = middle }
        }
        let mut scene = Scene::with_broad_phase(BroadKind::ALL[round % 4]);
        scene.insert(BodySpec::rigid("space", space.clone()).at(world_from_space)).expect("new");
        let body = scene.insert(BodySpec::rigid("dot", dot.clone())).expect("new");
        for (height, count) in [(low, 1), (high, 0)] {
            scene.set_pose(body, at(height)).expect("there");
            assert_eq!(scene.settle().colliding().expect("an answer").found.len(), count, "{round}: {height}");
        }
    }
}

#[test]
fn what_is_inside_a_solid_mesh_is_said_to_be() {
    let mut scene = Scene::default();
    let room = model(&shapes::cuboid([-2.0; 3], [2.0; 3]));
    scene.insert(BodySpec::rigid("room", room.clone()).solid()).expect("new");
    scene.insert(BodySpec::rigid("ball", Shape::ball(0.5).expect("legal"))).expect("new");
    let found = scene.settle().colliding().expect("an answer").found;
    assert_eq!(found[0].contact.inside(), Some(Side::B));
    assert_eq!(scene.settle().contacts().expect("an answer").found[0].inside, Some(Side::B));
    let frame = scene.detect(&mut Detector::default(), &Budget::default()).expect("an answer");
    assert_eq!((frame.pairs[0].verdict, frame.pairs[0].inside), (Verdict::Yes, Some(Side::B)));
    // A surface has no inside, whatever its shape said.
    let ball = scene.find("ball").expect("there");
    scene.remove(scene.find("room").expect("there")).expect("there");
    scene.insert(BodySpec::rigid("hall", Shape::solid(room)).surface()).expect("new");
    assert!(scene.settle().colliding().expect("an answer").found.is_empty());
    let hall = scene.find("hall").expect("there");
    assert!(scene.body(ball).expect("there").is_solid && !scene.body(hall).expect("there").is_solid);
    // Another shape, of another kind: what it was is forgotten.
    let part = PartId { body: hall, part: 0 };
    scene.set_shape(part, Shape::half_space([1.0, 0.0, 0.0], -0.75).expect("legal")).expect("there");
    let gap = scene.settle().closest().expect("an answer").expect("a pair").distance;
    assert!(gap.lower <= 0.25 && 0.25 <= gap.upper && gap.upper < 0.25 + 1e-12, "{gap:?}");
    scene.set_shape(part, Shape::cuboid([1.0; 3]).expect("legal")).expect("there");
    assert_eq!(scene.settle().colliding().expect("an answer").found.len(), 1);
    scene.remove(hall).expect("there");
    assert!(scene.settle().near_pairs(1e9).expect("legal").is_empty());
}

/// Whatever the budget: yes means touching, and what is neither told nor unseen is apart.
#[test]
fn frames_of_shapes_are_true() {
    let (mut scratch, mut complete, mut cut) = (Scratch::new(), 0, 0);
    for seed in 0..40 {
        let mut scene = scene(BroadKind::ALL[seed % 4], 2.0, 100 + seed as u64);
        let pairs = all_pairs(&scene);
        let truth: Vec<Truth> = pairs.into_iter().map(|parts| truth_of(&scene, parts, &mut scratch)).collect();
        let budget = if seed % 2 == 0 { Budget::default() } else { Budget::work(20 + 10 * seed as u64) };
        let frame = scene.detect(&mut Detector::default(), &budget).expect("an answer");
        let unseen: Vec<PartId> = frame.unseen().map(|member| member.id).collect();
        for pair in &truth {
            let [a, b] = [pair.parts.0, pair.parts.1];
            let told = frame.pairs.iter().find(|told| (told.a.id, told.b.id) == (a, b));
            match told {
                Some(told) if told.verdict == Verdict::Yes => assert!(pair.touches, "seed {seed}"),
                Some(told) => {
                    let Truth { lower, upper, .. } = *pair;
                    assert!(told.separation.lower <= upper.max(0.0) && lower <= told.separation.upper, "seed {seed}");
                }
                None => assert!(!pair.touches || unseen.contains(&a) || unseen.contains(&b), "seed {seed}"),
            }
        }
        complete += usize::from(frame.is_complete);
        cut += usize::from(!frame.is_complete);
    }
    assert!(complete >= 20 && cut > 10, "{complete} {cut}");
}

fn motion(rng: &mut Rng) -> Motion {
    let (from, to) = (pose(rng, 2.0), pose(rng, 2.0));
    match rng.below(5) {
        0 => Motion::linear(from, to),
        1 => Motion::screw(from, to),
        2 => Motion::still(from),
        3 => Motion::linear(from, Pose::from_translation(rng.point(-4.0, 4.0)).expect("legal") * from),
        _ => {
            let drift = DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 8.0);
            let turns = DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 6.0);
            Motion::spinning(from, drift, turns).expect("finite")
        }
    }
}

#[test]
fn no_shape_tunnels() {
    let long = std::env::var_os("NEARHIT_LONG").is_some();
    let (count, samples) = if long { (50_000, 1_000) } else { (1_200, 150) };
    let (mut rng, mut scratch, settings, tolerance) = (Rng::new(31), Scratch::new(), Settings::default(), 1e-3);
    let (mut touched, mut later, mut free, mut missed, mut planes) = (0, 0, 0, 0, 0);
    for case in 0..count {
        let kinds = kinds(&mut rng);
        let [a, b] = [(); 2].map(|()| rng.choice(&kinds));
        let [a, b] = [a, b].map(|shape| Moving { shape, motion: motion(&mut rng) });
        let both_planes = [a, b].iter().all(|body| body.shape.name() == "half-space");
        let found = first_contact(&a, &b, tolerance, &settings, &mut scratch).expect("an answer");
        let pair = |time: f64| {
            let [from_a, from_b] = [a, b].map(|body| body.motion.pose(time).expect("finite"));
            ShapePair::new(a.shape, &from_a, b.shape, &from_b).expect("near")
        };
        let touches = |time: &f64| pair(*time).collide(&settings, &mut Scratch::new()).verdict == Verdict::Yes;
        let first = (0..=samples).map(|sample| f64::from(sample) / f64::from(samples)).find(touches);
        match found.verdict {
            Verdict::Yes => {
                assert!(first.is_none_or(|first| first >= found.free_until), "case {case}: {first:?} before {found:?}");
                let there = pair(found.free_until).distance(Tolerance::EXACT, &settings, &mut scratch);
                assert!(there.lower <= tolerance, "case {case}: {there:?} at {found:?}");
                touched += 1;
                later += usize::from(found.free_until > 0.0);
                missed += usize::from(first.is_none());
            }
            Verdict::No => {
                assert_eq!(
                    (first, found.free_until),
                    (None, 1.0),
                    "case {case}: {} {}",
                    a.shape.name(),
                    b.shape.name()
                );
                free += 1;
            }
            Verdict::Maybe => assert!(both_planes, "case {case}: no budget was given, {found:?}"),
        }
        planes += usize::from(a.shape.name() == "half-space" || b.shape.name() == "half-space");
    }
    let enough = touched > count / 5 && later > count / 10 && free > count / 20 && planes > count / 10;
    assert!(enough && missed < touched / 3, "{touched} {later} {free} {planes}, {missed} missed by sampling");
}

/// Motion along a wall is no motion towards it.
#[test]
fn sliding_takes_few_steps() {
    let (ball, block) = (Shape::ball(0.5).expect("legal"), Shape::cuboid([200.0, 10.0, 1.0]).expect("legal"));
    let floor = Shape::half_space([0.0, 0.0, 1.0], 0.5).expect("legal");
    let at = |x: f64| Pose::from_translation([x, 0.0, 1.001]).expect("legal");
    let flight = Moving { shape: &ball, motion: Motion::linear(at(-50.0), at(50.0)) };
    for shape in [&block, &floor] {
        let still = Moving { shape, motion: Motion::still(Pose::IDENTITY) };
        let found = first_contact(&flight, &still, 1e-6, &Settings::default(), &mut Scratch::new()).expect("legal");
        assert!(found.verdict == Verdict::No && found.steps < 4, "{found:?}");
    }
}

#[test]
fn the_first_contact_of_a_scene_is_that_of_all_pairs() {
    let (mut scratch, mut hits, mut free, mut at_start) = (Scratch::new(), 0, 0, 0);
    for seed in 0..40 {
        let mut rng = Rng::new(500 + seed as u64);
        let mut scene = scene(BroadKind::ALL[seed % 4], 9.0, 300 + seed as u64);
        // Below all but the lowest.
        let deep = Pose::from_translation([0.0, 0.0, -9.0]).expect("legal");
        scene.set_pose(scene.find("floor").expect("there"), deep).expect("legal");
        scene.remove(scene.find("slope").expect("there")).expect("there");
        let settled = scene.settle();
        let bodies: Vec<_> = settled.scene().ids().collect();
        let moves: Vec<_> = bodies
            .iter()
            .filter_map(|&id| {
                // The floor and the slope stay: they would be in everything.
                if id.index() > 15 || !rng.chance(0.2) {
                    return None;
                }
                let start = settled.scene().body(id).expect("there").pose;
                let step = Pose::from_quaternion([0.8, 0.6, 0.0, 0.0], [3.0, -4.0, 2.0]).expect("of length one");
                Some((id, Motion::linear(start, if rng.chance(0.5) { step * start } else { pose(&mut rng, 9.0) })))
            })
            .collect();
        let found = settled.first_contact(&moves, 1e-4).expect("an answer");
        let mover = |id: PartId| moves.iter().find(|(body, _)| *body == id.body).map(|(_, motion)| *motion);
        let mut expected: Option<(f64, (PartId, PartId))> = None;
        for (a, b) in all_pairs(settled.scene()) {
            if a.body == b.body || mover(a).is_none() && mover(b).is_none() {
                continue;
            }
            let [a_moves, b_moves] = [a, b].map(|id| {
                let part = settled.scene().part(id).expect("there");
                let body = settled.scene().body(id.body).expect("there").pose;
                // Where the part is in its body's frame, carried along.
                let offset = body.inverse() * part.world_from_part;
                (part, mover(id).map(|motion| (motion, offset)))
            });
            let samples = 64;
            let touch = (0..=samples).map(|sample| f64::from(sample) / f64::from(samples)).find(|&time| {
                let place = |(part, motion): (&Part, Option<(Motion, Pose)>)| {
                    motion.map_or(part.world_from_part, |(motion, offset)| motion.pose(time).expect("legal") * offset)
                };
                let pair = ShapePair::new(&a_moves.0.shape, &place(a_moves), &b_moves.0.shape, &place(b_moves));
                pair.expect("near").collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes
            });
            if let Some(time) = touch.filter(|&time| expected.is_none_or(|(known, _)| time < known)) {
                expected = Some((time, (a, b)));
            }
        }
        match (found, expected) {
            (Some(found), expected) => {
                let until = found.contact.free_until;
                assert!(expected.is_none_or(|(time, _)| time >= until), "seed {seed}: {expected:?} {found:?}");
                // Sampling sees contact soon after, or it is a graze.
                hits += usize::from(expected.is_some_and(|(time, _)| time - until < 0.05));
                at_start += usize::from(until == 0.0);
            }
            (None, expected) => {
                assert!(expected.is_none(), "seed {seed}: {expected:?}");
                free += 1;
            }
        }
    }
    assert!(hits > 15 && free > 3 && at_start < 30, "{hits} hits, {at_start} at the start, {free} free");
}

#[test]
fn a_scene_refuses_motions_of_nobody() {
    let mut scene = Scene::default();
    let ball = BodySpec::rigid("ball", Shape::ball(1.0).expect("legal"));
    let id = scene.insert(ball).expect("new");
    scene.insert(BodySpec::rigid("other", Shape::ball(1.0).expect("legal"))).expect("new");
    let fall = Motion::linear(Pose::IDENTITY, Pose::from_translation([0.0, 0.0, -9.0]).expect("legal"));
    let refused = scene.settle().first_contact(&[(id, fall)], 0.0);
    assert!(matches!(refused, Err(SceneError::Motion { .. })), "{refused:?}");
    let refused = scene.settle().first_contact(&[(id, fall)], f64::NAN);
    assert!(matches!(refused, Err(SceneError::BadNumber { .. })), "{refused:?}");
    scene.remove(id).expect("there");
    assert_eq!(scene.settle().first_contact(&[(id, fall)], 1e-3), Err(SceneError::UnknownBody { id }));
    assert_eq!(scene.settle().first_contact(&[], 1e-3), Ok(None));
}
