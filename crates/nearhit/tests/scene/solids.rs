//! Solids in scenes against every pair by brute force: nested, mixed with surfaces, with holes,
//! articulated, deforming.

use crate::common::{mesh, plain};
use glam::DVec3;
use nearhit::research::DeformingExt;
use nearhit::research::ModelExt;
use nearhit::research::SceneExt;
use nearhit::research::broad::BroadKind;
use nearhit::scene::first_contact;
use nearhit::scene::{BodyId, BodySpec, Motion, Moving, PartId, Scene, Settled, Shape};
use nearhit::{Budget, Distance, Model, Pair, Pose, Scratch, Settings, Side, Tolerance, Verdict};
use nearhit_testkit::pose::pose_soup;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Soup, brute, shapes, solid};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Large enough to hold others, with and without cavities and holes, and small enough to be held.
pub(crate) fn soups() -> Vec<Soup> {
    let ball = shapes::icosphere(2);
    let mut hollow = ball.scaled(1.9);
    let mut cavity = ball.scaled(1.1);
    cavity.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    hollow.append(&cavity);
    let mut open = ball.scaled(1.6);
    open.triangles.retain(|triangle| triangle[0] % 17 != 3);
    vec![
        shapes::cuboid([-1.5, -1.2, -1.4], [1.5, 1.3, 1.2]),
        shapes::icosphere(1).scaled(0.2),
        hollow,
        shapes::cuboid([-0.1, -0.15, -0.1], [0.2, 0.1, 0.15]),
        shapes::torus(14, 8, 1.4, 0.5),
        shapes::tetrahedron([[-0.2; 3], [0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]]),
        open,
        shapes::torus(8, 5, 0.15, 0.05),
    ]
}

/// The soups of all parts, and which are solids.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bodies {
    pub(crate) parts: BTreeMap<PartId, (usize, bool)>,
}

fn pose(rng: &mut Rng, side: f64) -> Pose {
    Pose::from_quaternion(rng.quaternion(), rng.point(0.0, side)).expect("a unit quaternion")
}

/// Rigid and articulated bodies; every fourth says that it is what the scene's are not.
fn scene(shapes: &[Shape], kind: BroadKind, is_solid: bool, seed: u64) -> (Scene, Bodies) {
    let (mut rng, scene) = (Rng::new(seed), Scene::with_broad_phase(kind));
    let (mut scene, mut bodies) = (if is_solid { scene.solid() } else { scene }, Bodies::default());
    for number in 0..16 {
        let shape = number % shapes.len();
        let spec = BodySpec::rigid(format!("body {number}"), shapes[shape].clone()).at(pose(&mut rng, 3.5));
        let (spec, is_solid) = match (rng.below(4), is_solid) {
            (0, true) => (spec.surface(), false),
            (0, false) => (spec.solid(), true),
            _ => (spec, is_solid),
        };
        let body = scene.insert(spec).expect("new");
        assert_eq!(scene.body(body).expect("there").is_solid, is_solid);
        bodies.parts.insert(PartId { body, part: 0 }, (shape, is_solid));
    }
    let arm = BodySpec::articulated("arm")
        .part("base", shapes[0].clone(), None, Pose::IDENTITY)
        .part("link", shapes[3].clone(), Some("base"), pose(&mut rng, 2.0))
        .part("tip", shapes[1].clone(), Some("link"), pose(&mut rng, 1.0));
    let body = scene.insert(arm.at(pose(&mut rng, 3.5)).solid()).expect("new");
    for (part, shape) in [0, 3, 1].into_iter().enumerate() {
        bodies.parts.insert(PartId { body, part: part as u32 }, (shape, true));
    }
    (scene, bodies)
}

/// What is true of two parts, by brute force.
#[derive(Debug, Clone)]
pub(crate) struct Truth {
    pub(crate) parts: (PartId, PartId),
    pub(crate) touch: bool,
    /// Of a in b, and of b in a, whoever is a solid.
    pub(crate) inside: [bool; 2],
    pub(crate) are_solids: [bool; 2],
    /// With holes a part may lie half inside without touching: nothing is said of such.
    pub(crate) is_clear: bool,
    pub(crate) a_from_b: Pose,
}

impl Truth {
    pub(crate) fn contact(&self) -> bool {
        self.touch || self.inside[0] && self.are_solids[1] || self.inside[1] && self.are_solids[0]
    }

    /// Only because one is inside the other.
    fn contained(&self) -> bool {
        self.contact() && !self.touch
    }
}

/// Every pair that is asked about.
pub(crate) fn truths(scene: &Scene, bodies: &Bodies, soups: &[Soup]) -> Vec<Truth> {
    let parts: Vec<_> = bodies.parts.iter().map(|(&id, &(soup, is_solid))| (id, &soups[soup], is_solid)).collect();
    let mut truths = Vec::new();
    for (place, &(a, soup_a, solid_a)) in parts.iter().enumerate() {
        for &(b, soup_b, solid_b) in &parts[place + 1..] {
            // Of the arm: each part hangs on the one before.
            if a.body == b.body && b.part == a.part + 1 {
                continue;
            }
            let [at_a, at_b] = [a, b].map(|id| scene.part(id).expect("there").world_from_part);
            let (model_a, model_b) = (
                scene.part(a).expect("there").shape.model().expect("a mesh"),
                scene.part(b).expect("there").shape.model().expect("a mesh"),
            );
            let a_from_b = *Pair::new(model_a, &at_a, model_b, &at_b).expect("near").a_from_b();
            let (rotation, translation) = plain(&a_from_b);
            let posed = pose_soup(&rotation, &translation, soup_b);
            let touch = brute::collides(soup_a, soup_b, &rotation, &translation);
            let counts = [solid::vertices_inside(soup_a, &posed), solid::vertices_inside(&posed, soup_a)];
            let inside = [counts[0] > 0, counts[1] > 0];
            // The hollow ball alone has two pieces, the outer one first.
            let whole = [soup_a, soup_b].map(|soup| if soup.vertices.len() > 80 { 0 } else { soup.vertices.len() });
            let is_clear = touch || counts.iter().zip(whole).all(|(&count, whole)| count == 0 || count >= whole);
            truths.push(Truth { parts: (a, b), touch, inside, are_solids: [solid_a, solid_b], is_clear, a_from_b });
        }
    }
    truths
}

/// As the pair says it, by the rules in the words of the documentation.
fn distance(scene: &Scene, truth: &Truth, scratch: &mut Scratch) -> (f64, f64) {
    let [a, b] = [truth.parts.0, truth.parts.1].map(|id| scene.part(id).expect("there").shape.model().expect("a mesh"));
    let [at_a, at_b] = [truth.parts.0, truth.parts.1].map(|id| scene.part(id).expect("there").world_from_part);
    let pair = Pair::new(a, &at_a, b, &at_b).expect("near");
    let settings = Settings::default();
    if truth.contact() && truth.are_solids == [true; 2] {
        let Distance { lower, upper, .. } = pair.solid().distance(Tolerance::EXACT, &settings, scratch);
        assert!(lower <= upper && upper <= 0.0);
        return (lower + 0.0, upper + 0.0);
    }
    if truth.contact() {
        return (0.0, 0.0);
    }
    let Distance { lower, upper, .. } = pair.distance(Tolerance::EXACT, &settings, scratch);
    (lower, upper)
}

#[test]
fn solids_answer_as_every_pair_by_brute_force() {
    let soups = soups();
    let shapes: Vec<Shape> = soups.iter().map(|soup| Shape::mesh(Arc::new(Model::new(mesh(soup))))).collect();
    let (mut touching, mut contained, mut free_inside, mut apart, mut unclear) = (0, [0, 0], 0, 0, 0);
    let mut scratch = Scratch::new();
    for seed in 0..16 {
        let (mut scene, bodies) = scene(&shapes, BroadKind::ALL[seed % 4], seed % 3 != 0, 300 + seed as u64);
        let all = truths(&scene, &bodies, &soups);
        let clear: BTreeMap<(PartId, PartId), &Truth> =
            all.iter().filter(|truth| truth.is_clear).map(|truth| (truth.parts, truth)).collect();
        unclear += all.len() - clear.len();
        let distances: BTreeMap<(PartId, PartId), (f64, f64)> =
            clear.iter().map(|(&parts, truth)| (parts, distance(&scene, truth, &mut scratch))).collect();
        let settled = scene.settle();
        let hits: Vec<(PartId, PartId)> =
            clear.iter().filter(|(_, truth)| truth.contact()).map(|(&parts, _)| parts).collect();
        let found = settled.colliding().expect("an answer").found;
        assert_eq!(settled.collides().expect("an answer"), !found.is_empty());
        let found: Vec<_> = found.iter().filter(|touch| clear.contains_key(&(touch.a.id, touch.b.id))).collect();
        assert_eq!(found.iter().map(|touch| (touch.a.id, touch.b.id)).collect::<Vec<_>>(), hits, "seed {seed}");
        for touch in &found {
            let truth = clear[&(touch.a.id, touch.b.id)];
            assert_eq!(
                (touch.contact.witness().is_some(), touch.contact.inside().is_some()),
                (truth.touch, truth.contained())
            );
            if let Some(body) = touch.contact.inside() {
                let place = usize::from(body == Side::B);
                assert!(truth.inside[place] && truth.are_solids[1 - place], "{truth:?}");
                contained[place] += 1;
            }
        }
        let contacts = settled.contacts().expect("an answer").found;
        let contacts: Vec<_> = contacts.iter().filter(|hit| clear.contains_key(&(hit.a.id, hit.b.id))).collect();
        assert_eq!(contacts.len(), found.len());
        for (all, touch) in contacts.iter().zip(&found) {
            assert_eq!((all.a, all.b, all.inside), (touch.a, touch.b, touch.contact.inside()));
            assert_eq!(all.contacts.is_empty(), touch.contact.witness().is_none());
        }
        for limit in [0.0, 0.4] {
            let within = settled.within(limit).expect("an answer").found;
            let told = |parts: &(PartId, PartId)| clear.contains_key(parts);
            let within: Vec<_> = within
                .iter()
                .map(|gap| ((gap.a.id, gap.b.id), (gap.distance.lower, gap.distance.upper)))
                .filter(|(parts, _)| told(parts))
                .collect();
            let expected: Vec<_> =
                distances.iter().filter(|(_, found)| found.1 <= limit).map(|(&parts, &found)| (parts, found)).collect();
            assert_eq!(within, expected, "seed {seed}");
        }
        if clear.len() == all.len() {
            let mut order: Vec<_> = distances.iter().map(|(&parts, &found)| (found.1, parts)).collect();
            order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for count in [1, 3, 12, 10_000] {
                let nearest = settled.nearest(count).expect("an answer").found;
                let nearest: Vec<_> = nearest.iter().map(|gap| (gap.distance.upper, (gap.a.id, gap.b.id))).collect();
                assert_eq!(nearest, order[..count.min(order.len())], "seed {seed}, {count}");
            }
            let closest = settled.closest().expect("an answer").expect("there are pairs");
            assert_eq!(closest.distance.upper, order[0].0);
        }
        touching += clear.values().filter(|truth| truth.touch).count();
        free_inside += clear.values().filter(|truth| !truth.contact() && truth.inside != [false; 2]).count();
        apart += clear.values().filter(|truth| !truth.contact() && truth.inside == [false; 2]).count();
    }
    let fair = touching > 100 && contained.iter().all(|&count| count > 15) && free_inside > 15 && apart > 100;
    assert!(fair && unclear < 20, "{touching} {contained:?} {free_inside} {apart} {unclear}");
}

/// No vertex of one is deeper in the other than the interval of a signed distance says, and what is
/// said to be inside is below zero.
#[test]
fn signed_distances_hold_the_depth_of_every_vertex() {
    let soups = soups();
    let shapes: Vec<Shape> = soups.iter().map(|soup| Shape::mesh(Arc::new(Model::new(mesh(soup))))).collect();
    let (mut deep, mut judged) = (0, 0);
    for seed in 0..3 {
        let (mut scene, bodies) = scene(&shapes, BroadKind::Tree, true, 340 + seed);
        let all = truths(&scene, &bodies, &soups);
        let gaps = scene.settle().within(0.0).expect("an answer").found;
        for truth in all.iter().filter(|truth| truth.is_clear && truth.contained() && truth.are_solids == [true; 2]) {
            let gap = gaps.iter().find(|gap| (gap.a.id, gap.b.id) == truth.parts).expect("in contact");
            let soup = |id: PartId| &soups[bodies.parts[&id].0];
            let (rotation, translation) = plain(&truth.a_from_b);
            let (a, b) = (soup(truth.parts.0), pose_soup(&rotation, &translation, soup(truth.parts.1)));
            for (inner, outer, is_inside) in [(a, &b, truth.inside[0]), (&b, a, truth.inside[1])] {
                for &vertex in inner.vertices.iter().filter(|_| is_inside) {
                    if solid::vertices_inside(&Soup { vertices: vec![vertex], triangles: Vec::new() }, outer) == 0 {
                        continue;
                    }
                    let nearest = solid::squared_distances(outer, vertex).into_iter().min().expect("some");
                    let depth = nearhit_testkit::exact::square_root(&nearest).low;
                    assert!(gap.distance.lower <= -depth + 1e-12, "{depth}: {gap:?}");
                    judged += 1;
                }
            }
            assert!(gap.distance.upper < 0.0, "{gap:?}");
            deep += usize::from(gap.distance.upper < -0.3);
        }
    }
    assert!(deep > 5 && judged > 100, "{deep} deep, {judged} vertices");
}

#[test]
fn answers_about_solids_do_not_depend_on_threads_or_broad_phase() {
    let shapes: Vec<Shape> = soups().iter().map(|soup| Shape::mesh(Arc::new(Model::new(mesh(soup))))).collect();
    let everything = |settled: Settled<'_>| {
        let answers = (settled.colliding(), settled.contacts(), settled.within(0.3), settled.nearest(9));
        format!("{answers:?}")
    };
    for seed in 60..63 {
        let mut said = Vec::new();
        for kind in BroadKind::ALL {
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                said.push(pool.install(|| everything(scene(&shapes, kind, true, seed).0.settle())));
            }
        }
        assert!(said[0].contains("Contained") && said.iter().all(|other| *other == said[0]));
    }
}

/// Questions run in parallel, and making what tells inside from outside does, too: it is made
/// before, for surfaces that are in the scene already, for solids, and for new shapes.
#[test]
fn no_question_makes_anything() {
    let make = |soup: &Soup| Arc::new(Model::new(mesh(soup)));
    let (plate, chip, bead) = (make(&soups()[0]), make(&soups()[3]), make(&soups()[7]));
    let mut scene = Scene::default();
    scene.insert(BodySpec::rigid("chip", chip.clone())).expect("new");
    let before = chip.bytes();
    let ask = |scene: &mut Scene| {
        let settled = scene.settle();
        let _answers = (settled.colliding(), settled.contacts(), settled.within(1.0), settled.nearest(9));
    };
    ask(&mut scene);
    assert_eq!(chip.bytes(), before, "surfaces alone pay nothing");
    scene.insert(BodySpec::rigid("plate", plate.clone()).solid()).expect("new");
    assert!(chip.bytes() > before, "against a solid it must know its pieces");
    let part = PartId { body: scene.find("chip").expect("there"), part: 0 };
    scene.set_shape(part, bead.clone()).expect("the same volume");
    // Within the plate, so that the question comes to what is inside.
    let bytes = [&plate, &chip, &bead].map(|model| model.bytes());
    ask(&mut scene);
    assert_eq!([&plate, &chip, &bead].map(|model| model.bytes()), bytes);
}

/// A bubble grows around a chip that hangs in the air, and shrinks again.
#[test]
fn what_deforms_comes_to_be_around_others() {
    let bubble = shapes::icosphere(2);
    let chip = Shape::mesh(Arc::new(Model::with(
        mesh(&soups()[3]),
        nearhit::research::VolumeKind::Aabb,
        &nearhit::research::build::BuildOptions::default(),
    )));
    let buffer = nearhit::research::Buffer::new(2.0, 0.01);
    let mut deforming =
        nearhit::scene::Deforming::with_volume(&mesh(&bubble), nearhit::research::VolumeKind::Aabb, buffer)
            .expect("one");
    let mut scene = Scene::with_broad_phase(BroadKind::Sweep).solid();
    let at = |x: f64| Pose::from_translation([x, 0.1, 0.0]).expect("finite");
    let body = scene.insert(BodySpec::rigid("bubble", deforming.model().expect("a mesh"))).expect("new");
    scene.insert(BodySpec::rigid("chip", chip).at(at(2.0))).expect("new");
    let (mut inside, mut touching, mut free) = (0, 0, 0);
    for step in 0..24 {
        let size = 1.0 + 2.5 * (f64::from(step) * 0.27).sin().powi(2);
        let grown = bubble.map(|[x, y, z]| [x * size, y * size * 0.9, z * size * 1.1]);
        deforming.move_vertices(&grown.vertices).expect("as many");
        scene.set_shape(PartId { body, part: 0 }, deforming.model().expect("a mesh")).expect("the same volume");
        let (rotation, translation) = plain(&at(2.0));
        let posed = pose_soup(&rotation, &translation, &soups()[3]);
        let touch = brute::collides(&grown, &soups()[3], &rotation, &translation);
        let holds = solid::vertices_inside(&posed, &grown) > 0;
        let found = scene.settle().colliding().expect("an answer").found;
        assert_eq!(found.len(), usize::from(touch || holds), "step {step}");
        assert_eq!(found.first().and_then(|touch| touch.contact.inside()), (holds && !touch).then_some(Side::B));
        inside += usize::from(holds && !touch);
        touching += usize::from(touch);
        free += usize::from(!touch && !holds);
    }
    assert!(inside > 5 && free > 5 && touching > 0, "{inside} {touching} {free}");
}

/// What is inside is in contact, also where only the first contact is asked for.
#[test]
fn a_solid_inside_of_another_collides() {
    let shapes = soups().into_iter().map(|soup| Shape::mesh(Arc::new(Model::new(mesh(&soup))))).collect::<Vec<_>>();
    for is_solid in [false, true] {
        let scene = Scene::default();
        let mut scene = if is_solid { scene.solid() } else { scene };
        scene.insert(BodySpec::rigid("outer", shapes[0].clone())).expect("new");
        scene.insert(BodySpec::rigid("inner", shapes[1].clone())).expect("new");
        assert_eq!(scene.settle().collides().expect("an answer"), is_solid);
    }
}

/// A solid that starts inside is in contact at time 0, whichever way it goes; others as surfaces
/// are.
#[test]
fn first_contacts_of_solids() {
    let soups = soups();
    let models: Vec<Arc<Model>> = soups.iter().map(|soup| Arc::new(Model::new(mesh(soup)))).collect();
    let solids: Vec<Shape> = models.iter().cloned().map(Shape::solid).collect();
    let meshes: Vec<Shape> = models.iter().cloned().map(Shape::mesh).collect();
    let (mut rng, mut scratch, settings) = (Rng::new(91), Scratch::new(), Settings::default());
    let (mut started_inside, mut later, mut free) = (0, 0, 0);
    for case in 0..300 {
        // The open ball left out: it has no inside to be sure of.
        let numbers = [*rng.choice(&[0, 2, 4]), *rng.choice(&[1, 3, 5, 7])];
        let [a, b] = numbers.map(|number| {
            let (from, to) = (pose(&mut rng, 2.5), pose(&mut rng, 2.5));
            (number, Motion::linear(from, to))
        });
        let (a, b) = if case % 2 == 0 { (a, b) } else { (b, a) };
        let [solid_a, solid_b] = [a, b].map(|(number, motion)| Moving { shape: &solids[number], motion });
        let [surface_a, surface_b] = [a, b].map(|(number, motion)| Moving { shape: &meshes[number], motion });
        let found = first_contact(&solid_a, &solid_b, 1e-3, &settings, &mut scratch).expect("an answer");
        let surfaces = first_contact(&surface_a, &surface_b, 1e-3, &settings, &mut scratch).expect("an answer");
        let pair = |time: f64| {
            let [at_a, at_b] = [a, b].map(|(_, motion)| motion.pose(time).expect("finite"));
            Pair::new(&models[a.0], &at_a, &models[b.0], &at_b).expect("near")
        };
        let start = pair(0.0);
        let (rotation, translation) = plain(start.a_from_b());
        let (soup_a, posed) = (&soups[a.0], pose_soup(&rotation, &translation, &soups[b.0]));
        let is_inside = solid::vertices_inside(soup_a, &posed) + solid::vertices_inside(&posed, soup_a) > 0;
        let touch = start.collide(&settings, &mut scratch).verdict == Verdict::Yes;
        if is_inside && !touch {
            assert_eq!((found.verdict, found.free_until), (Verdict::Yes, 0.0), "case {case}: {found:?}");
            assert!(surfaces.distance.upper <= 1e-3 && surfaces.free_until == 0.0 || found.distance.upper < 0.0);
            started_inside += 1;
        } else {
            assert_eq!((found.verdict, found.free_until), (surfaces.verdict, surfaces.free_until), "case {case}");
            let hit = (0..=100)
                .map(|sample| f64::from(sample) / 100.0)
                .find(|&time| pair(time).solid().collide(&settings, &mut scratch).verdict == Verdict::Yes);
            assert!(hit.is_none_or(|hit| hit >= found.free_until), "case {case}: {hit:?} {found:?}");
            later += usize::from(found.verdict == Verdict::Yes && found.free_until > 0.0);
            free += usize::from(found.verdict == Verdict::No);
        }
        let short = settings.budget(Budget::work(1));
        let early = first_contact(&solid_a, &solid_b, 1e-3, &short, &mut scratch).expect("an answer");
        let is_same = (early.verdict, early.free_until) == (found.verdict, found.free_until);
        assert!(early.verdict == Verdict::Maybe && early.free_until <= found.free_until || is_same, "{early:?}");
    }
    assert!(started_inside > 20 && later > 20 && free > 20, "{started_inside} {later} {free}");
}

/// Bodies come and go; ids of solids and surfaces are not mixed up.
#[test]
fn a_body_is_what_it_was_said_to_be() {
    let shapes: Vec<Shape> = soups().iter().map(|soup| Shape::mesh(Arc::new(Model::new(mesh(soup))))).collect();
    let mut scene = Scene::default();
    let insert = |scene: &mut Scene, name: &str, shape: usize, is_solid: bool| -> BodyId {
        let spec = BodySpec::rigid(name, shapes[shape].clone());
        scene.insert(if is_solid { spec.solid() } else { spec }).expect("new")
    };
    let count = |scene: &mut Scene| scene.settle().colliding().expect("an answer").found.len();
    let plate = insert(&mut scene, "plate", 0, false);
    insert(&mut scene, "chip", 3, true);
    assert_eq!(count(&mut scene), 0, "a surface has no inside");
    scene.remove(plate).expect("there");
    let plate = insert(&mut scene, "plate", 0, true);
    assert_eq!(count(&mut scene), 1);
    let settled = scene.settle();
    let gap = settled.closest().expect("an answer").expect("a pair");
    let solid_chip = gap.distance.upper;
    assert!(solid_chip < -1.0, "{gap:?}");
    scene.remove(plate).expect("there");
    let chip = scene.find("chip").expect("there");
    scene.remove(chip).expect("there");
    insert(&mut scene, "plate", 0, true);
    insert(&mut scene, "chip", 3, false);
    let gap = scene.settle().closest().expect("an answer").expect("a pair");
    assert_eq!((gap.distance.lower, gap.distance.upper), (0.0, 0.0), "a solid and a surface have no depth");
    assert_eq!(gap.distance.on_a, gap.distance.on_b);
    assert!(gap.distance.on_a.abs().max_element() <= 0.2 && gap.distance.on_a != DVec3::ZERO, "a corner of the chip");
}
