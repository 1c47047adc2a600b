//! Shapes against oracles that share no code with them: exact rational arithmetic where all is
//! flat, certified brackets in high precision where something is round.

#[path = "shape_points/mod.rs"]
mod points;

use nearhit::glam::DVec3;
use nearhit::research::build::BuildOptions;
use nearhit::research::{ModelExt, VolumeKind};
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Budget, Mesh, Model, Pose, Preset, Scratch, Settings, Tolerance, Verdict};
use nearhit_testkit::convex::{
    BITS, Core, Solid, compare_distance, depth_bracket, distance_bracket, exact_distance, hull_contains, pair_size,
    touches_half_space,
};
use nearhit_testkit::pose::pose_point;
use nearhit_testkit::rng::{Rng, axis_angle_to_rows};
use nearhit_testkit::shape_pairs::{self, Family, Kind};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How many pairs: more with `NEARHIT_LONG=1`.
fn rounds(few: usize, many: usize) -> usize {
    if std::env::var("NEARHIT_LONG").is_ok_and(|told| told != "0") { many } else { few }
}

fn shape(told: &shape_pairs::Shape) -> Shape {
    use shape_pairs::Shape as Told;
    let made = match told {
        Told::Ball { radius } => Shape::ball(*radius),
        Told::Capsule { half_length, radius } => Shape::capsule(*radius, 2.0 * half_length),
        Told::Box { half_extents, margin } => {
            Shape::cuboid(half_extents.map(|half| 2.0 * half)).and_then(|shape| shape.grown(*margin))
        }
        Told::Triangle { corners, margin } => Shape::hull(corners).and_then(|shape| shape.grown(*margin)),
        Told::Hull { corners, margin } => Shape::hull(corners).and_then(|shape| shape.grown(*margin)),
        Told::Cylinder { radius, half_height, margin } => {
            Shape::cylinder(*radius, 2.0 * half_height).and_then(|shape| shape.grown(*margin))
        }
        Told::Cone { bottom_radius, top_radius, half_height, margin } => {
            Shape::truncated_cone(*bottom_radius, *top_radius, 2.0 * half_height).and_then(|shape| shape.grown(*margin))
        }
        Told::Ellipsoid { radii } => Shape::ellipsoid(*radii),
        Told::HalfSpace { normal, offset } => Shape::half_space(*normal, *offset),
    };
    made.unwrap_or_else(|error| panic!("{told:?}: {error}"))
}

/// The pose of b, unless the library refuses or changes its matrix.
fn pose(pair: &shape_pairs::ShapePair) -> Option<Pose> {
    let pose = Pose::from_rows(pair.rotation, pair.translation).ok()?;
    let rows = pose.rotation().transpose().to_cols_array_2d();
    (rows == pair.rotation).then_some(pose)
}

/// Without overflow or underflow.
fn length(vector: DVec3) -> f64 {
    let largest = vector.abs().max_element();
    if largest == 0.0 { 0.0 } else { (vector / largest).length() * largest }
}

/// How far a half-space's plane is from the origin.
fn offset(told: &shape_pairs::Shape) -> f64 {
    match told {
        shape_pairs::Shape::HalfSpace { offset, .. } => offset.abs(),
        _ => 0.0,
    }
}

fn flat_kinds() -> Vec<Kind> {
    Kind::ALL.into_iter().filter(|kind| kind.is_flat()).collect()
}

/// The two solids for the oracles. Of a hull, only the corners are posed: a point inside could be
/// outside of them once all are rounded.
fn solids(told: &shape_pairs::ShapePair, pair: &ShapePair<'_>) -> [Solid; 2] {
    let mut solids = told.solids();
    for (solid, shape, is_b) in [(0, pair.a(), false), (1, pair.b(), true)] {
        if let (Core::Points(points), "hull") = (&mut solids[solid].core, shape.name()) {
            let corners = shape.corners().into_iter().map(|corner| corner.to_array());
            let posed = |corner| if is_b { pose_point(&told.rotation, &told.translation, corner) } else { corner };
            *points = corners.map(posed).collect();
        }
    }
    solids
}

/// Do two flat solids share a point? None for two half-spaces.
fn touch(a: &Solid, b: &Solid) -> Option<bool> {
    match (&a.core, &b.core) {
        (Core::Points(p), Core::Points(q)) => Some(compare_distance(p, q, &[a.margin, b.margin]) != Ordering::Greater),
        (Core::Points(points), Core::HalfSpace { normal, offset }) => {
            Some(touches_half_space(points, a.margin, *normal, *offset, b.margin))
        }
        (Core::HalfSpace { normal, offset }, Core::Points(points)) => {
            Some(touches_half_space(points, b.margin, *normal, *offset, a.margin))
        }
        _ => None,
    }
}

/// Yes and no of flat shapes, grown or not, are those of exact arithmetic; the distance is zero
/// exactly then.
#[test]
fn flat_shapes_touch_as_in_exact_arithmetic() {
    let kinds = flat_kinds();
    let mut scratch = Scratch::new();
    let mut seen: BTreeMap<(Family, bool), usize> = BTreeMap::new();
    let mut refused = 0;
    let count = rounds(30_000, 1_000_000);
    for told in shape_pairs::pairs(1, &kinds).take(count) {
        let (a, b) = (shape(&told.a), shape(&told.b));
        let Some(pose) = pose(&told) else {
            refused += 1;
            continue;
        };
        let Ok(pair) = ShapePair::relative(&a, &b, &pose) else {
            refused += 1;
            continue;
        };
        let [solid_a, solid_b] = solids(&told, &pair);
        let Some(truth) = touch(&solid_a, &solid_b) else { continue };
        let found = pair.collide(&Settings::default(), &mut scratch);
        assert_eq!(found.verdict == Verdict::Yes, truth, "{told:?}");
        let distance = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
        assert_eq!(distance.upper == 0.0, truth, "{told:?}: {distance:?}");
        // Apart by less than the smallest number: only the upper bound tells.
        let hair = match (&solid_a.core, &solid_b.core) {
            (Core::Points(p), Core::Points(q)) => {
                compare_distance(p, q, &[solid_a.margin, solid_b.margin, f64::from_bits(1)]) == Ordering::Less
            }
            _ => distance.upper <= 1e-300,
        };
        assert!((distance.lower == 0.0) == truth || hair, "{told:?}: {distance:?}");
        assert!(distance.lower <= distance.upper, "{told:?}: {distance:?}");
        *seen.entry((told.family, truth)).or_default() += 1;
    }
    assert!(refused * 50 < count, "{refused} of {count} pairs were not asked about");
    for family in Family::ALL {
        let [yes, no] = [true, false].map(|truth| seen.get(&(family, truth)).copied().unwrap_or(0));
        assert!(yes > count / 500 && (no > count / 500 || family == Family::Concentric), "{family:?}: {yes} {no}");
    }
}

/// The distance of flat shapes lies in the interval, the interval is narrow, `within` decides
/// exactly, and the points are as far apart as said.
#[test]
fn distances_of_flat_shapes_hold() {
    let kinds: Vec<Kind> = flat_kinds().into_iter().filter(|kind| *kind != Kind::HalfSpace).collect();
    let mut scratch = Scratch::new();
    let mut rng = Rng::new(7);
    let (mut apart, mut widest) = (0, 0.0_f64);
    let count = rounds(10_000, 300_000);
    for told in shape_pairs::pairs(2, &kinds).take(count) {
        let (a, b) = (shape(&told.a), shape(&told.b));
        let Some(pose) = pose(&told) else { continue };
        let Ok(pair) = ShapePair::relative(&a, &b, &pose) else { continue };
        let [solid_a, solid_b] = solids(&told, &pair);
        let (Core::Points(p), Core::Points(q)) = (&solid_a.core, &solid_b.core) else { unreachable!() };
        let margins = [solid_a.margin, solid_b.margin];
        let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
        // The largest coordinate, before and after posing.
        let given: Vec<f64> = pair.b().corners().iter().flat_map(|corner| corner.to_array()).collect();
        let numbers = p.iter().chain(q).flatten().chain(&margins).chain(&told.translation).chain(&given);
        let size = numbers.fold(0.0_f64, |most, value| most.max(value.abs()));
        // lower + margins <= d and d <= upper + margins, exactly.
        let with = |bound: f64| compare_distance(p, q, &[margins[0], margins[1], bound]);
        if found.upper > 0.0 {
            apart += 1;
            assert_ne!(with(found.lower), Ordering::Less, "{told:?}: {found:?}");
            assert_ne!(with(found.upper), Ordering::Greater, "{told:?}: {found:?}");
        }
        widest = widest.max((found.upper - found.lower) / size);
        assert!(found.upper - found.lower <= 512.0 * f64::EPSILON * size, "{told:?}: {found:?}");
        let gap = length(found.on_a - found.on_b);
        assert!((gap - found.upper).abs() <= 1024.0 * f64::EPSILON * size, "{told:?}: {found:?} {gap:e}");
        let limit = match rng.below(4) {
            0 => found.upper,
            1 => found.lower,
            2 => exact_distance(p, q).high,
            _ => found.upper * rng.range(0.5, 1.5),
        };
        let within = pair.within(limit, &Settings::default(), &mut scratch).verdict == Verdict::Yes;
        assert_eq!(within, with(limit) != Ordering::Greater, "{told:?}: within {limit:e}, {found:?}");
    }
    assert!(apart * 4 > count, "{apart} of {count} are apart");
    println!("widest interval: {widest:e} of the size");
}

/// Where something is round, the distance lies in the interval, and the interval is narrow.
#[test]
fn distances_of_round_shapes_hold() {
    let mut scratch = Scratch::new();
    let (mut asked, mut apart, mut wide) = (0, 0, 0);
    let count = rounds(6_000, 200_000);
    let mut rng = Rng::new(3);
    while asked < count {
        let kinds = [*rng.choice(&Kind::ALL), *rng.choice(&Kind::ALL)];
        if kinds.iter().all(|kind| kind.is_flat()) {
            continue;
        }
        let told = shape_pairs::pair(kinds[0], kinds[1], *rng.choice(&Family::ALL), &mut rng);
        let (a, b) = (shape(&told.a), shape(&told.b));
        let Some(pose) = pose(&told) else { continue };
        let Ok(pair) = ShapePair::relative(&a, &b, &pose) else { continue };
        asked += 1;
        let [solid_a, solid_b] = solids(&told, &pair);
        let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
        let [lower, upper] = distance_bracket(&solid_a, &solid_b, BITS).doubles();
        assert!(found.lower <= upper && lower <= found.upper, "{told:?}: {found:?} is not {lower:e} to {upper:e}");
        let touching = pair.collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes;
        assert_eq!(touching, found.lower == 0.0, "{told:?}: {found:?}");
        apart += usize::from(!touching);
        let reach = told.translation.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let size = pair_size(&solid_a, &solid_b).max(reach).max(offset(&told.a)).max(offset(&told.b));
        // Sizes of almost nothing are measured by the smallest number there is.
        let width = (found.upper - found.lower) / (f64::EPSILON * size + 1e-300);
        // Where round shapes touch along a curve, points beside each other may be as good as any:
        // the upper bound is wide there, and only there.
        let tangent = found.lower == 0.0 && upper <= 512.0 * f64::EPSILON * size;
        assert!(width <= if tangent { 1e9 } else { 512.0 }, "{told:?}: {found:?} is {lower:e} to {upper:e}");
        wide += usize::from(width > 512.0);
        for limit in [found.lower, found.upper, 0.5 * upper] {
            let within = pair.within(limit, &Settings::default(), &mut scratch).verdict == Verdict::Yes;
            assert_eq!(within, found.lower <= limit, "{told:?}: within {limit:e}, {found:?}");
        }
    }
    assert!(apart * 4 > asked, "{apart} of {asked} are apart");
    assert!(wide * 1000 < asked, "{wide} of {asked} intervals are wide");
}

/// The corners of a hull are among the points that were given, and none of those lies outside.
#[test]
fn hulls_enclose_what_they_were_made_of() {
    let mut rng = Rng::new(11);
    let mut dropped = 0;
    for round in 0..rounds(600, 20_000) {
        let kind = if round % 3 == 0 { Kind::FlatHull } else { Kind::Hull };
        let told = shape_pairs::pair(kind, Kind::Point, *rng.choice(&Family::ALL), &mut rng);
        let shape_pairs::Shape::Hull { corners: given, .. } = &told.a else { continue };
        let corners: Vec<[f64; 3]> = shape(&told.a).corners().into_iter().map(|corner| corner.to_array()).collect();
        assert!(corners.iter().all(|corner| given.contains(corner)), "{given:?}: {corners:?}");
        for &point in given {
            assert!(hull_contains(&corners, point), "{given:?}: {point:?} is outside of {corners:?}");
        }
        dropped += given.len() - corners.len();
    }
    assert!(dropped > 500, "{dropped} points were no corners");
}

/// A simplified hull has few corners, holds every point, and the more corners it may have the less
/// it adds.
#[test]
fn simplified_hulls_enclose_what_they_stand_for() {
    let mut rng = Rng::new(12);
    let mut sums = [0.0; 3];
    for round in 0..rounds(30, 2_000) {
        let size = *rng.choice(&[1e-80, 0.1, 1.0, 1e90]);
        let flat = if round % 5 == 0 { 0.0 } else { rng.range(0.01, 1.0) };
        let off = if round % 2 == 0 { 0.0 } else { 30.0 };
        let points: Vec<[f64; 3]> = (0..80)
            .map(|_| rng.unit_vector())
            .map(|[x, y, z]| [size * (x + off), size * 0.5 * y, size * flat * z])
            .collect();
        let whole = Shape::hull(&points).expect("points");
        for (most, sum) in [4, 10, 40].into_iter().zip(&mut sums) {
            let few = whole.simplified(most).unwrap_or_else(|error| panic!("{most} corners of {points:?}: {error}"));
            let corners: Vec<[f64; 3]> = few.corners().into_iter().map(|corner| corner.to_array()).collect();
            assert!(corners.len() <= most, "{} corners instead of {most}", corners.len());
            for &point in &points {
                assert!(hull_contains(&corners, point), "{most}: {point:?} is outside of {corners:?}");
            }
            let (low, high) = few.bounds().expect("not a half-space");
            *sum += (high - low).max_element() / size;
        }
    }
    let [four, ten, forty] = sums;
    assert!(four > ten && ten > forty && forty < 2.5 * rounds(30, 2_000) as f64, "{sums:?}");
    assert!(Shape::ball(1.0).expect("a ball").simplified(4).is_ok());
    assert!(Shape::cylinder(1.0, 1.0).expect("a cylinder").simplified(8).is_err());
    assert!(Shape::cuboid([1.0; 3]).expect("a box").simplified(3).is_err());
}

/// Some triangles about the origin, of a size.
fn soup(rng: &mut Rng, count: usize, size: f64) -> Mesh {
    let vertices: Vec<[f64; 3]> = (0..count)
        .flat_map(|_| {
            let middle = rng.point(-1.0, 1.0);
            let spread = *rng.choice(&[0.0, 0.01, 0.3]);
            let corner = |rng: &mut Rng| rng.point(-spread, spread);
            let corners = [corner(rng), corner(rng), corner(rng)];
            corners.map(|corner| std::array::from_fn(|axis| size * (middle[axis] + corner[axis])))
        })
        .collect();
    let triangles: Vec<[u32; 3]> = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(&vertices, &triangles).expect("legal")
}

/// The corners of a mesh's triangles, where they lie.
fn posed_triangles(mesh: &Mesh, pose: Option<&Pose>) -> Vec<[[f64; 3]; 3]> {
    let place = |point: DVec3| pose.map_or(point, |pose| pose.apply(point)).to_array();
    (0..mesh.triangles().len() as u32).map(|triangle| mesh.triangle(triangle).map(place)).collect()
}

/// The distance of one solid from triangles: doubles around the least.
fn least(triangles: &[[[f64; 3]; 3]], solid: &Solid) -> [f64; 2] {
    let brackets = triangles.iter().map(|triangle| {
        let triangle = Solid { core: Core::Points(triangle.to_vec()), margin: 0.0 };
        distance_bracket(&triangle, solid, BITS).doubles()
    });
    brackets.fold([f64::INFINITY; 2], |least, [lower, upper]| [least[0].min(lower), least[1].min(upper)])
}

/// A mesh beside every kind of shape, either first, for every engine: the truth about every
/// triangle one by one.
#[test]
fn meshes_beside_shapes_hold() {
    let mut rng = Rng::new(5);
    let mut scratch = Scratch::new();
    let (mut touching, mut asked) = (0, 0);
    for round in 0..rounds(500, 10_000) {
        let size = *rng.choice(&[1.0, 1.0, 1e-6, 1e8]);
        let count = 1 + rng.below(40);
        let mesh = soup(&mut rng, count, size);
        let model = match round % 3 {
            0 => Model::with_preset(mesh.clone(), Preset::Compact),
            1 => Model::with(mesh.clone(), VolumeKind::Obb, &BuildOptions::default()),
            _ => Model::new(mesh.clone()),
        };
        let kind = *rng.choice(&Kind::ALL);
        let told = shape_pairs::Shape::random(kind, shape_pairs::Sizes::Ordinary, &mut rng).scaled(0.4 * size);
        let (shape, margin) = (shape(&told), if rng.chance(0.3) { 0.05 * size } else { 0.0 });
        let soup = Shape::mesh(model).grown(margin).expect("legal");
        let rotation = axis_angle_to_rows(rng.unit_vector(), rng.range(-3.0, 3.0));
        let translation = rng.point(-1.0, 1.0).map(|value| value * size);
        let Ok(pose) = Pose::from_rows(rotation, translation) else { continue };
        let rows = pose.rotation().transpose().to_cols_array_2d();
        let mesh_first = rng.chance(0.5);
        let (pair, truth) = if mesh_first {
            let solid = told.posed(&rows, &translation);
            (ShapePair::relative(&soup, &shape, &pose), least(&posed_triangles(&mesh, None), &solid))
        } else {
            (ShapePair::relative(&shape, &soup, &pose), least(&posed_triangles(&mesh, Some(&pose)), &told.solid()))
        };
        let pair = pair.expect("in range");
        let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
        let [lower, upper] = truth.map(|bound| (bound - margin).max(0.0));
        let slack = 1e-12 * size;
        assert!(
            found.lower <= upper + slack && lower <= found.upper + slack,
            "{told:?}: {found:?} {lower:e} {upper:e}"
        );
        assert!(found.upper - found.lower <= slack, "{told:?}: {found:?}");
        let verdict = pair.collide(&Settings::default(), &mut scratch).verdict;
        assert_eq!(verdict == Verdict::Yes, found.lower == 0.0, "{told:?}: {found:?}");
        assert!(found.is_complete, "{told:?}");
        for limit in [0.5 * found.lower, found.upper * 1.5 + slack] {
            let near = pair.within(limit, &Settings::default(), &mut scratch);
            assert_eq!(near.verdict == Verdict::Yes, found.lower <= limit, "{told:?}: {found:?} within {limit:e}");
        }
        let gap = length(found.on_a - found.on_b);
        assert!((gap - found.upper).abs() <= slack, "{told:?}: {found:?}");
        // A budget widens the interval, and never breaks it.
        let budget = Settings::new().budget(Budget::work(1 + rng.below(20) as u64));
        let rough = pair.distance(Tolerance::EXACT, &budget, &mut scratch);
        assert!(rough.lower <= found.upper && found.lower <= rough.upper, "{told:?}: {rough:?} {found:?}");
        let near = pair.collide(&budget, &mut scratch).verdict;
        assert!(near == Verdict::Maybe || near == verdict, "{told:?}");
        touching += usize::from(verdict == Verdict::Yes);
        asked += 1;
    }
    assert!(touching * 6 > asked && touching * 6 < asked * 5, "{touching} of {asked} touch");
}

/// The depth of two solids lies in the interval; moving b by it along the normal takes them apart,
/// and less does not.
#[test]
fn depths_hold() {
    let mut rng = Rng::new(9);
    let mut scratch = Scratch::new();
    let (mut deep, mut asked, mut wide, mut widest) = (0, 0, 0, [0.0_f64; 2]);
    while asked < rounds(4_000, 100_000) {
        let kinds = [*rng.choice(&Kind::ALL), *rng.choice(&Kind::ALL)];
        let family = *rng.choice(&Family::ALL);
        let told = shape_pairs::pair(kinds[0], kinds[1], family, &mut rng);
        let (a, b) = (shape(&told.a), shape(&told.b));
        let Some(pose) = pose(&told) else { continue };
        let Ok(pair) = ShapePair::relative(&a, &b, &pose) else { continue };
        asked += 1;
        let found = pair.penetration(&mut scratch).expect("no meshes");
        let [solid_a, solid_b] = solids(&told, &pair);
        let Some(truth) = depth_bracket(&solid_a, &solid_b, 40) else {
            assert_eq!(found.depth.lower, f64::INFINITY, "{told:?}: {found:?}");
            continue;
        };
        let [lower, upper] = truth.bounds.doubles();
        assert!(
            found.depth.lower <= upper && lower <= found.depth.upper,
            "{told:?}: {found:?} is not {lower:e} to {upper:e}"
        );
        let reach = told.translation.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let size = pair_size(&solid_a, &solid_b).max(reach).max(offset(&told.a)).max(offset(&told.b));
        let size = size.max(solid_a.margin).max(solid_b.margin);
        let width = (found.depth.upper - found.depth.lower) / (size + 1e-290);
        let flat = kinds.iter().all(|kind| kind.is_flat());
        widest[usize::from(flat)] = widest[usize::from(flat)].max(width);
        // About an axis of symmetry all directions are equal, and none is better than the others.
        assert!(width <= if flat { 1e-12 } else { 1e-2 }, "{told:?}: {found:?} {width:e}");
        wide += usize::from(width > 1e-9);
        assert!((found.normal.length() - 1.0).abs() < 1e-12, "{told:?}: {found:?}");
        if found.depth.lower == 0.0 || !(1e-200..1e200).contains(&size) {
            continue;
        }
        deep += 1;
        let slack = 1e-12 * size;
        let moved = |by: f64| {
            let pose = Pose::from_rows(told.rotation, (pose.translation() + found.normal * by).to_array());
            let pair = ShapePair::relative(&a, &b, &pose.expect("rigid")).expect("near");
            pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new())
        };
        assert!(moved(found.depth.upper + slack).upper > 0.0, "{told:?}: {found:?} does not take them apart");
        assert_eq!(moved((found.depth.lower - slack).max(0.0)).lower, 0.0, "{told:?}: {found:?} is too much");
    }
    println!("widest intervals: {widest:?} of the size, round and flat");
    assert!(wide * 20 < asked, "{wide} of {asked} intervals are wide");
    assert!(deep * 3 > asked, "{deep} of {asked} overlap");
}

fn cube(half: f64) -> Model {
    let corners: Vec<[f64; 3]> =
        (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| if bit == 0 { -half } else { half })).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Model::new(Mesh::new(&corners, &triangles).expect("legal"))
}

/// What is inside of a solid mesh touches it; inside of a surface it does not.
#[test]
fn solids_hold_what_is_inside() {
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    let (solid, surface) = (Shape::solid(cube(2.0)), Shape::mesh(cube(2.0)));
    let small = [
        Shape::ball(0.5).expect("legal"),
        Shape::cylinder(0.3, 0.8).expect("legal"),
        Shape::mesh(cube(0.5)),
        Shape::hull(&[[0.0; 3], [0.2, 0.0, 0.0], [0.0, 0.1, 0.3]]).expect("legal"),
    ];
    let inside = Pose::from_translation([0.5, -0.25, 0.125]).expect("rigid");
    let outside = Pose::from_translation([5.0, 0.0, 0.0]).expect("rigid");
    for inner in &small {
        let mut ask = |outer: &Shape, pose: &Pose| {
            let pairs = [
                ShapePair::new(outer, &Pose::IDENTITY, inner, pose),
                ShapePair::new(inner, pose, outer, &Pose::IDENTITY),
            ];
            let [one, other] = pairs.map(|pair| {
                let pair = pair.expect("in range");
                let touching = pair.collide(&settings, &mut scratch).verdict == Verdict::Yes;
                let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
                assert_eq!(distance.upper == 0.0, touching, "{inner:?}: {distance:?}");
                let near = pair.within(0.01, &settings, &mut scratch).verdict == Verdict::Yes;
                assert_eq!(near, touching, "{inner:?}");
                touching
            });
            assert_eq!(one, other);
            one
        };
        assert!(ask(&solid, &inside), "{inner:?} in a solid");
        assert!(!ask(&surface, &inside), "{inner:?} in a surface");
        assert!(!ask(&solid, &outside), "{inner:?} beside a solid");
    }
}

/// Contacts are there exactly when shapes touch; moving b out along the deepest one's normal leaves
/// no contact of those pieces.
#[test]
fn contacts_say_where_and_how_deep() {
    let mut rng = Rng::new(21);
    let mut scratch = Scratch::new();
    let settings = Settings::default();
    let (mut touching, mut pieces) = (0, 0);
    for round in 0..rounds(300, 5_000) {
        let count = 1 + rng.below(12);
        let mesh = Shape::mesh(Model::new(soup(&mut rng, count, 1.0)));
        let kind = *rng.choice(&Kind::ALL);
        let other = shape(&shape_pairs::Shape::random(kind, shape_pairs::Sizes::Ordinary, &mut rng).scaled(0.5));
        let other = if round % 5 == 0 { Shape::mesh(cube(0.4)) } else { other };
        let rotation = axis_angle_to_rows(rng.unit_vector(), rng.range(-3.0, 3.0));
        let Ok(pose) = Pose::from_rows(rotation, rng.point(-1.0, 1.0)) else { continue };
        let pair = if rng.chance(0.5) {
            ShapePair::relative(&mesh, &other, &pose)
        } else {
            ShapePair::relative(&other, &mesh, &pose)
        };
        let pair = pair.expect("in range");
        let found = pair.contacts(&settings, &mut scratch);
        let yes = pair.collide(&settings, &mut scratch).verdict == Verdict::Yes;
        assert_eq!(!found.contacts.is_empty(), yes, "{found:?}");
        assert!(found.is_complete);
        touching += usize::from(yes);
        pieces += found.contacts.len();
        for contact in &found.contacts {
            assert!((contact.normal.length() - 1.0).abs() < 1e-12, "{contact:?}");
            assert!(contact.depth.lower <= contact.depth.upper, "{contact:?}");
            if contact.depth.upper > 1e6 {
                continue;
            }
            let moved = pose.translation() + contact.normal * (contact.depth.upper + 1e-9);
            let moved = Pose::from_rows(pose.rotation().transpose().to_cols_array_2d(), moved.to_array());
            let pair = ShapePair::relative(pair.a(), pair.b(), &moved.expect("rigid")).expect("in range");
            let after = pair.contacts(&settings, &mut scratch);
            assert!(after.contacts.iter().all(|left| left.pieces != contact.pieces), "{contact:?}");
        }
    }
    assert!(touching > 60 && pieces > 2 * touching, "{touching} touch, {pieces} contacts");
}
