//! Shapes against certified brackets in rational arithmetic: two convex ones, and a mesh with one.

use crate::setup::{Setup, mesh};
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Budget, Model, Pose, Scratch, Settings, Tolerance, Verdict};
use nearhit_testkit::convex::{
    BITS, Core, Solid, depth_bracket, distance_bracket, flat_solids_touch, pair_size, soup_contacts, soup_distance,
};
use nearhit_testkit::pose::{Rows, pose_point};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shape_pairs::{self, Family, Kind};
use nearhit_testkit::{Point, Soup};

fn shape(told: &shape_pairs::Shape) -> Result<Shape, String> {
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
    made.map_err(|error| format!("{told:?}: {error}"))
}

/// The pose of b, unless the library refuses or changes its matrix.
fn pose(rotation: &Rows, translation: &Point) -> Option<Pose> {
    let pose = Pose::from_rows(*rotation, *translation).ok()?;
    (pose.rotation().transpose().to_cols_array_2d() == *rotation).then_some(pose)
}

/// Of a hull only the corners are posed: a point inside could be outside of them once all are
/// rounded.
fn as_posed(solid: &mut Solid, shape: &Shape, place: impl Fn(Point) -> Point) {
    if let (Core::Points(points), "hull") = (&mut solid.core, shape.name()) {
        *points = shape.corners().into_iter().map(|corner| place(corner.to_array())).collect();
    }
}

fn offset(told: &shape_pairs::Shape) -> f64 {
    match told {
        shape_pairs::Shape::HalfSpace { offset, .. } => offset.abs(),
        _ => 0.0,
    }
}

/// Intervals are at most this wide, as a share of the largest number given.
const WIDEST: f64 = 4096.0 * f64::EPSILON;

/// Several pairs of convex shapes, of kinds, sizes and families from the dice.
pub(crate) fn convex(setup: &Setup) -> Result<u64, String> {
    let (mut rng, mut scratch, mut count) = (setup.rng(), Scratch::new(), 0);
    for _ in 0..4 {
        let kinds = [*rng.choice(&Kind::ALL), *rng.choice(&Kind::ALL)];
        let told = shape_pairs::pair(kinds[0], kinds[1], *rng.choice(&Family::ALL), &mut rng);
        count += two(&told, &mut rng, &mut scratch).map_err(|text| format!("{told:?}: {text}"))?;
    }
    Ok(count)
}

fn two(told: &shape_pairs::ShapePair, rng: &mut Rng, scratch: &mut Scratch) -> Result<u64, String> {
    let (a, b) = (shape(&told.a)?, shape(&told.b)?);
    let Some(pose) = pose(&told.rotation, &told.translation) else { return Ok(0) };
    let Ok(pair) = ShapePair::relative(&a, &b, &pose) else { return Ok(0) };
    let mut solids = told.solids();
    as_posed(&mut solids[0], &a, |corner| corner);
    as_posed(&mut solids[1], &b, |corner| pose_point(&told.rotation, &told.translation, corner));
    let [solid_a, solid_b] = &solids;
    let settings = Settings::default();
    let found = pair.distance(Tolerance::EXACT, &settings, scratch);
    let touches = pair.collide(&settings, scratch).verdict == Verdict::Yes;
    if found.lower.is_nan() || found.lower > found.upper || touches != (found.lower == 0.0) {
        return Err(format!("{found:?}, they touch: {touches}"));
    }
    if flat_solids_touch(solid_a, solid_b).is_some_and(|truth| truth != touches) {
        return Err(format!("they touch: {touches}, {found:?}"));
    }
    let truth = distance_bracket(solid_a, solid_b, BITS);
    let [low, high] = truth.doubles();
    if low > found.upper || high < found.lower {
        return Err(format!("{found:?}, but {low:e} to {high:e}"));
    }
    let far = told.translation.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let size = pair_size(solid_a, solid_b).max(far).max(offset(&told.a)).max(offset(&told.b));
    let are_flat = [solid_a, solid_b].iter().all(|solid| matches!(solid.core, Core::Points(_)));
    if are_flat && found.upper - found.lower > WIDEST * size.max(f64::MIN_POSITIVE) {
        return Err(format!("wide: {found:?}, size {size:e}"));
    }
    let limit = rng.range(0.0, 2.0) * high.min(1e299);
    let said = pair.within(limit, &settings, scratch).verdict == Verdict::Yes;
    if said && limit < low.min(found.lower) || !said && limit > high.max(found.upper) {
        return Err(format!("within {limit:e}: {said}, but {low:e} to {high:e}"));
    }
    Ok(3 + deep(&pair, &solids, scratch)?)
}

fn deep(pair: &ShapePair<'_>, [a, b]: &[Solid; 2], scratch: &mut Scratch) -> Result<u64, String> {
    let Some(found) = pair.penetration(scratch) else { return Ok(0) };
    if !(found.depth.lower >= 0.0 && found.depth.lower <= found.depth.upper) {
        return Err(format!("{found:?}"));
    }
    // The bracket of balls about one point and of slivers takes seconds.
    let is_quick = |solid: &Solid| matches!(solid.core, Core::Points(_) | Core::HalfSpace { .. });
    if !(is_quick(a) && is_quick(b)) {
        return Ok(1);
    }
    let Some(truth) = depth_bracket(a, b, BITS) else { return Ok(1) };
    let [low, high] = truth.bounds.doubles();
    if low > found.depth.upper || high < found.depth.lower {
        return Err(format!("{found:?}, but {low:e} to {high:e} deep"));
    }
    Ok(1)
}

/// The setup's first soup as a mesh, with convex shapes about its size near it.
pub(crate) fn meshes(setup: &Setup) -> Result<u64, String> {
    let (mut rng, mut scratch, mut count) = (setup.rng(), Scratch::new(), 0);
    let far = setup.a.vertices.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    if !(1e-290..1e280).contains(&far) {
        return Ok(0);
    }
    let model = Model::new(mesh(&setup.a)?);
    let surface = Shape::mesh(model);
    for _ in 0..2 {
        let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| *kind != Kind::HalfSpace).collect();
        let made = shape_pairs::pair(Kind::Ball, *rng.choice(&kinds), Family::Random, &mut rng);
        let told = made.b.scaled(far * rng.range(0.01, 0.5));
        let at = *rng.choice(&setup.a.vertices);
        let translation: Point = std::array::from_fn(|axis| at[axis] + far * rng.range(-0.25, 0.25));
        count += with_mesh(&surface, &setup.a, &told, (&made.rotation, &translation), &mut scratch)
            .map_err(|text| format!("{told:?} at {translation:?}, {:?}: {text}", made.rotation))?;
    }
    Ok(count)
}

fn with_mesh(
    surface: &Shape,
    soup: &Soup,
    told: &shape_pairs::Shape,
    (rotation, translation): (&Rows, &Point),
    scratch: &mut Scratch,
) -> Result<u64, String> {
    let made = shape(told)?;
    let Some(pose) = pose(rotation, translation) else { return Ok(0) };
    let Ok(pair) = ShapePair::relative(surface, &made, &pose) else { return Ok(0) };
    let mut solid = told.posed(rotation, translation);
    as_posed(&mut solid, &made, |corner| pose_point(rotation, translation, corner));
    let settings = Settings::default();
    let contacts = pair.contacts(&settings, scratch);
    let touches = pair.collide(&settings, scratch).verdict == Verdict::Yes;
    let mut touching: Vec<usize> = contacts.contacts.iter().map(|contact| contact.pieces.a as usize).collect();
    touching.sort_unstable();
    touching.dedup();
    if soup_contacts(soup, &solid).is_some_and(|truth| truth != touching) {
        return Err(format!("{touching:?} touch, not {:?}", soup_contacts(soup, &solid)));
    }
    if touches == touching.is_empty() {
        return Err(format!("they touch: {touches}, {touching:?}"));
    }
    let found = pair.distance(Tolerance::EXACT, &settings, scratch);
    let Some(truth) = soup_distance(soup, &solid, BITS) else { return Ok(0) };
    let [low, high] = truth.doubles();
    if !(low <= found.upper && found.lower <= high) {
        return Err(format!("{found:?}, but {low:e} to {high:e}"));
    }
    for work in [0, 3, 20] {
        let cut = pair.distance(Tolerance::EXACT, &Settings::new().budget(Budget::work(work)), scratch);
        if !(low <= cut.upper && cut.lower <= high) {
            return Err(format!("work {work}: {cut:?}, but {low:e} to {high:e}"));
        }
    }
    Ok(6)
}
