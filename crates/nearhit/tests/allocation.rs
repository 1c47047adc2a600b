//! A warm query allocates nothing: on every volume, on the default engine, with every agenda.

mod common;

use common::{every_volume, model, poses, small_cases};
use glam::DVec3;
use nearhit::research::AgendaKind;
use nearhit::research::PairExt;
use nearhit::research::SettingsExt;
use nearhit::research::adb::{Averages, Options, Quality};
use nearhit::research::build::BuildOptions;
use nearhit::research::traverse::Front;
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Budget, Model, Pair, Pose, Ray, Scratch, Settings, Tolerance, Verdict};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// Of this thread alone: the test harness has others.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: hands every call on to the system's allocator.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Sums something of every answer, so that none is optimised away.
fn ask_everything(
    pair: &Pair<'_>,
    averages: [&Averages; 2],
    settings: &Settings<'_>,
    front: &mut Front,
    scratch: &mut Scratch,
) -> f64 {
    let collision = pair.collide(settings, scratch);
    let distance = pair.distance(Tolerance::EXACT, settings, scratch);
    let within = pair.within(distance.upper * 1.1, settings, scratch);
    let contacts = pair.contacts(settings, scratch).pairs.len();
    let nearest = pair.nearest_pairs(5, settings, scratch).pairs.len();
    let near = pair.pairs_within(distance.upper, settings, scratch).pairs.len();
    let hot = pair.contacts_from_front(front, settings, scratch).pairs.len();
    let hurried = settings.budget(Budget::work(500));
    let bound = pair.assess(&hurried, scratch).separation.upper;
    let averaged = pair.averaged(averages[0], averages[1]).expect("their own");
    let likely = averaged.collide(&Quality::default(), settings, scratch).probability();
    f64::from(u8::from(collision.witness.is_some()) + u8::from(within.witness.is_some()))
        + (contacts + nearest + near + hot) as f64
        + bound
        + likely
}

#[test]
fn warm_queries_allocate_nothing() {
    // Nothing degenerate or touching here: exact arithmetic on extreme input, and a contact's
    // witness point, may allocate.
    let cases = small_cases();
    let case = cases.iter().find(|case| case.name.starts_with("separated")).expect("a case of spheres apart");
    for volume in every_volume() {
        let (a, b) =
            (model(&case.a, volume, &BuildOptions::default()), model(&case.b, volume, &BuildOptions::default()));
        let averages = [&a, &b].map(|model| Averages::new(model, &Options::default()));
        let agendas = [AgendaKind::Depth, AgendaKind::BEST, AgendaKind::BestNested { queue: 9 }, AgendaKind::Breadth];
        for agenda in agendas.into_iter().chain([AgendaKind::Auto, AgendaKind::Plain]) {
            let settings = Settings::new().agenda(agenda);
            let (mut scratch, mut front) = (Scratch::new(), Front::new());
            let mut run = || {
                case.poses.iter().fold(0.0, |sum, pose| {
                    let (world_from_a, world_from_b) = poses(pose);
                    let pair = Pair::new(&a, &world_from_a, &b, &world_from_b).expect("in range");
                    sum + ask_everything(&pair, averages.each_ref(), &settings, &mut front, &mut scratch)
                })
            };
            // A front is two lists that change places: both must have grown.
            let cold = (0..4).map(|_| run()).fold(f64::NAN, |_, sum| sum);
            let before = ALLOCATIONS.with(Cell::get);
            let warm = run();
            let after = ALLOCATIONS.with(Cell::get);
            assert_eq!(cold, warm);
            assert_eq!(after - before, 0, "{volume:?}, {agenda:?}");
        }
    }
    assert!(ALLOCATIONS.with(Cell::get) > 1000, "the allocator counts");
}

/// A query of a point and a direction; sums something of the answer.
type Query = fn(&Model, DVec3, DVec3, &mut Scratch) -> f64;

/// Points, rays and solids apart. (Where surfaces meet, exact arithmetic may allocate.)
const SOLID_QUERIES: &[(&str, Query)] = &[
    ("first hit", |model, point, direction, scratch| {
        let ray = Ray::new(point, direction).expect("a direction");
        model.first_hit(&ray, scratch).map_or(0.0, |hit| hit.distance)
    }),
    ("all hits", |model, point, direction, scratch| {
        model.all_hits(&Ray::new(point, direction).expect("a direction"), scratch).len() as f64
    }),
    ("nearest triangles", |model, point, _, scratch| {
        model.nearest_triangles(point, 4, scratch).expect("finite").iter().map(|near| near.distance).sum()
    }),
    ("signed distance", |model, point, _, scratch| model.signed_distance(point, scratch).expect("finite").distance),
    ("solids apart", |model, point, direction, scratch| {
        let by = Pose::from_translation((direction * (2.1 + point.length())).to_array()).expect("finite");
        let pair = Pair::relative(model, model, &by).expect("in range").solid();
        let near = pair.within(0.1, &Settings::default(), scratch).verdict == Verdict::Yes;
        pair.distance(Tolerance::EXACT, &Settings::default(), scratch).upper + f64::from(u8::from(near))
    }),
    ("one inside the other", |model, point, direction, scratch| {
        let by = Pose::from_rows([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], (direction * 1e-3).to_array());
        let pair = Pair::relative(model, model, &by.expect("rigid")).expect("in range").solid();
        let half = Tolerance::new(0.5, point.length());
        pair.local_depth(half, &Settings::new().budget(Budget::work(300)), scratch).depth
    }),
];

/// On a closed mesh and on one with holes.
#[test]
fn warm_solid_queries_allocate_nothing() {
    let closed = nearhit_testkit::shapes::torus(24, 16, 0.7, 0.25);
    let mut open = closed.clone();
    open.triangles.retain(|corners| corners[0] % 9 != 0);
    let models = [&closed, &open].map(|soup| model(soup, None, &BuildOptions::default()));
    let mut rng = nearhit_testkit::rng::Rng::new(8);
    let probes: Vec<(DVec3, DVec3)> =
        (0..100).map(|_| (DVec3::from_array(rng.point(-1.0, 1.0)), DVec3::from_array(rng.unit_vector()))).collect();
    for model in &models {
        for (name, query) in SOLID_QUERIES {
            let mut scratch = Scratch::new();
            let mut run =
                || probes.iter().map(|&(point, direction)| query(model, point, direction, &mut scratch)).sum::<f64>();
            let cold = (0..2).map(|_| run()).fold(f64::NAN, |_, sum| sum);
            let before = ALLOCATIONS.with(Cell::get);
            let warm = run();
            let after = ALLOCATIONS.with(Cell::get);
            assert_eq!(cold, warm);
            assert_eq!(after - before, 0, "{name}, {:?}", model.inside_method());
        }
    }
}

#[test]
fn warm_queries_of_shapes_with_pieces_allocate_nothing() {
    let mut rng = nearhit_testkit::rng::Rng::new(9);
    let points: Vec<[f64; 3]> = (0..500).map(|_| rng.point(-1.0, 1.0)).collect();
    let heights: Vec<f64> = (0..400).map(|_| rng.range(-0.2, 0.2)).collect();
    let torus = nearhit_testkit::shapes::torus(24, 16, 0.7, 0.25);
    let shapes = [
        Shape::point_cloud(&points, &[0.02]).expect("legal"),
        Shape::height_field(&heights, 20, [0.1, 0.1]).expect("legal"),
        Shape::solid_height_field(&heights, 20, [0.1, 0.1], -1.0).expect("legal"),
        Shape::octree(&points, 0.1).expect("legal"),
        Shape::ball(0.1).expect("legal"),
        Shape::capsule(0.1, 0.4).expect("legal"),
        Shape::cuboid([0.1, 0.2, 0.3]).expect("legal"),
        Shape::mesh(model(&torus, None, &BuildOptions::default())),
    ];
    let poses: Vec<Pose> =
        (0..5).map(|_| Pose::from_rows(rng.rotation(), rng.point(-1.5, 1.5)).expect("rigid")).collect();
    for a in &shapes[..4] {
        for b in &shapes {
            let mut scratch = Scratch::new();
            let mut run = || {
                poses.iter().fold(0.0, |sum, pose| {
                    let pair = ShapePair::relative(a, b, pose).expect("in range");
                    let distance = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
                    let near = pair.within(0.1, &Settings::default(), &mut scratch);
                    let touching = pair.collide(&Settings::default(), &mut scratch);
                    sum + distance.upper + near.lower + f64::from(u8::from(touching.verdict == Verdict::Yes))
                })
            };
            let cold = (0..2).map(|_| run()).fold(f64::NAN, |_, sum| sum);
            let before = ALLOCATIONS.with(Cell::get);
            let warm = run();
            let after = ALLOCATIONS.with(Cell::get);
            assert_eq!(cold, warm);
            assert_eq!(after - before, 0, "{} and {}", a.name(), b.name());
        }
    }
}
