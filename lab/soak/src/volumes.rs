//! How much, and how deep: volumes in common against rational volumes, depths of boxes against what
//! can be said of boxes, depths of convex solids against rational depths of hulls.

use crate::setup::{Setup, mesh};
use crate::surfaces::{kinds, model};
use nearhit::{Budget, Model, Pair, Pose, Scratch, Settings, Tolerance};
use nearhit_testkit::convex::{BITS, Core, Solid, depth_bracket};
use nearhit_testkit::overlap::Common;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Point, Soup, shapes, solid};

fn is_closed(soup: &Soup) -> bool {
    shapes::unmatched_edges(soup) == 0
}

/// The overlap of closed meshes; `Common` says what their winding numbers say.
pub(crate) fn overlap(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    // Rationals of many triangles, or of sizes far apart, take long. Bars that cross in one mesh
    // count twice where they do.
    let bars = shapes::axis_bars(1.0, 0.5).len();
    let is_small = setup.a.len().max(setup.b.len()) < bars && ["solids", "copies"].contains(&setup.family);
    if !is_small || !is_closed(&setup.a) || !is_closed(&setup.b) {
        return Ok(0);
    }
    let (a, b) = (Model::new(mesh(&setup.a)?), Model::new(mesh(&setup.b)?));
    let pair = Pair::relative(&a, &b, &pose).map_err(|error| error.to_string())?;
    let mut scratch = Scratch::new();
    let found = pair.solid().overlap(&Settings::default(), &mut scratch);
    let truth = Common::new(&setup.a, &setup.posed(&pose));
    let sign = shapes::signed_volume(&setup.a).signum() * shapes::signed_volume(&setup.b).signum();
    let ends = [found.volume.lower * sign, found.volume.upper * sign];
    if !truth.volume_is_within(ends[0].min(ends[1]), ends[0].max(ends[1])) || !found.is_complete {
        return Err(format!("{found:?}, but {}", truth.volume()));
    }
    let volume = truth.volume().abs();
    for work in [0, 100, 2000] {
        let settings = Settings::new().budget(Budget::work(work));
        let cut = pair.solid().overlap(&settings, &mut scratch);
        if !(cut.volume.lower <= found.volume.upper && found.volume.lower <= cut.volume.upper) {
            return Err(format!("work {work}: {cut:?}, but {volume}"));
        }
    }
    Ok(4)
}

/// Two boxes along the axes, with corners on a grid at any size.
struct Boxes {
    a: [Point; 2],
    b: [Point; 2],
}

impl Boxes {
    fn random(rng: &mut Rng) -> Self {
        let scale = 2_f64.powi(rng.integer(-900, 900) as i32);
        let mut one = || {
            let low: Point = std::array::from_fn(|_| rng.integer(-8, 8) as f64);
            let high: Point = std::array::from_fn(|axis| low[axis] + rng.integer(1, 12) as f64);
            [low, high].map(|corner| corner.map(|x| x * scale))
        };
        Self { a: one(), b: one() }
    }

    /// How deep the deepest point of one box's surface is below the other's, which is all products
    /// of intervals: along each axis the distance to the nearer side is a roof, its least over the
    /// axes is the depth, and a face is an interval along two axes and a number along the third.
    fn deepest(&self) -> f64 {
        let below = |own: &[Point; 2], other: &[Point; 2]| {
            let roof = |axis: usize, x: f64| (x - other[0][axis]).min(other[1][axis] - x);
            let top = |axis: usize| {
                let middle = 0.5 * other[0][axis] + 0.5 * other[1][axis];
                roof(axis, middle.clamp(own[0][axis], own[1][axis]))
            };
            let face = |axis: usize, x: f64| {
                (0..3).map(|along| if along == axis { roof(axis, x) } else { top(along) }).fold(f64::INFINITY, f64::min)
            };
            let faces = (0..3).flat_map(|axis| [face(axis, own[0][axis]), face(axis, own[1][axis])]);
            faces.fold(f64::NEG_INFINITY, f64::max)
        };
        below(&self.a, &self.b).max(below(&self.b, &self.a))
    }

    /// The least that one must be moved; negative if they are apart.
    fn way_out(&self) -> f64 {
        let along = |axis: usize| (self.a[1][axis] - self.b[0][axis]).min(self.b[1][axis] - self.a[0][axis]);
        (0..3).map(along).fold(f64::INFINITY, f64::min)
    }

    fn shared(&self) -> f64 {
        let along = |axis: usize| self.a[1][axis].min(self.b[1][axis]) - self.a[0][axis].max(self.b[0][axis]);
        (0..3).map(|axis| along(axis).max(0.0)).product()
    }
}

/// Depths and volumes of boxes, by an engine of the dice.
pub(crate) fn boxes(setup: &Setup) -> Result<u64, String> {
    let (mut rng, mut scratch) = (setup.rng(), Scratch::new());
    let boxes = Boxes::random(&mut rng);
    let kind = *rng.choice(&kinds().collect::<Vec<_>>());
    let soups = [&boxes.a, &boxes.b].map(|[low, high]| shapes::cuboid(*low, *high));
    let (a, b) = (model(&soups[0], kind)?, model(&soups[1], kind)?);
    let pair = Pair::relative(&a, &b, &Pose::IDENTITY).map_err(|error| error.to_string())?;
    let context = |text: String| format!("{kind:?}, {:?} and {:?}: {text}", boxes.a, boxes.b);
    let size = soups.iter().flat_map(|soup| soup.vertices.iter().flatten()).fold(0.0, |most: f64, x| most.max(x.abs()));
    let (deepest, way_out, rounding) = (boxes.deepest(), boxes.way_out(), 1e-12 * size);
    for work in [200, 5_000, 5_000_000] {
        let settings = Settings::new().budget(Budget::work(work));
        let found = pair.solid().local_depth(Tolerance::relative(0.01), &settings, &mut scratch);
        // Of boxes apart only that they are is known this way.
        if found.depth > deepest.max(0.0) + rounding || deepest > 0.0 && found.at_most + rounding < deepest {
            return Err(context(format!("work {work}: {found:?}, but {deepest} deep")));
        }
        let enough = (found.depth.max(0.0) * 1.01).max(found.depth + 1e-3 * 40.0 * size);
        if found.is_complete && found.at_most > enough.max(0.0) + rounding || !found.is_complete && work > 1_000_000 {
            return Err(context(format!("work {work}: {found:?} is not as exact as it says")));
        }
        let Ok(way) = pair.solid().translational_depth(&settings, &mut scratch) else { continue };
        let truth = way_out.max(0.0);
        // The way out ends just beyond touching.
        if way.lower > truth + rounding || way.upper + rounding < truth {
            return Err(context(format!("work {work}: {way:?}, but {truth}")));
        }
    }
    let shared = boxes.shared();
    // A volume is a number only between the cube roots of the smallest and the largest.
    if (1e-90..1e90).contains(&size) {
        let found = pair.solid().overlap(&Settings::default(), &mut scratch);
        if found.volume.lower > shared * (1.0 + 1e-9) || found.volume.upper < shared * (1.0 - 1e-9) {
            return Err(context(format!("{found:?}, but {shared}")));
        }
    }
    Ok(7)
}

/// Depths of closed convex solids against those of the hulls of their corners.
pub(crate) fn hulls(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let mut rng = setup.rng();
    let is_small = setup.a.len() <= 20 && setup.b.len() <= 20;
    if !is_small || !is_closed(&setup.a) || !is_closed(&setup.b) || !["solids", "copies"].contains(&setup.family) {
        return Ok(0);
    }
    let posed = setup.posed(&pose);
    let hull = |soup: &Soup| Solid { core: Core::Points(soup.vertices.clone()), margin: 0.0 };
    let Some(truth) = depth_bracket(&hull(&setup.a), &hull(&posed), BITS) else { return Ok(0) };
    let [_, most] = truth.bounds.doubles();
    let kind = *rng.choice(&kinds().collect::<Vec<_>>());
    let (a, b) = (model(&setup.a, kind)?, model(&setup.b, kind)?);
    let pair = Pair::relative(&a, &b, &pose).map_err(|error| error.to_string())?;
    let mut scratch = Scratch::new();
    let found =
        pair.solid().translational_depth(&Settings::default(), &mut scratch).map_err(|error| error.to_string())?;
    let size = setup.a.vertices.iter().chain(&posed.vertices).flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    // What is not convex may be parted by less than its hull.
    let is_right = found.lower <= most + 1e-12 * size && (!found.is_convex || found.upper + 1e-12 * size >= most);
    if !is_right || found.is_convex && found.upper > most + 1e-4 * size {
        return Err(format!("{kind:?}: {found:?}, but the hulls are {most} deep"));
    }
    let local = pair.solid().local_depth(
        Tolerance::relative(0.05),
        &Settings::new().budget(Budget::work(300_000)),
        &mut scratch,
    );
    // No vertex is deeper than the deepest point.
    for (inner, outer) in [(&setup.a, &posed), (&posed, &setup.a)] {
        for vertex in &inner.vertices {
            let is_inside = solid::exact_winding_number(outer, *vertex).is_some_and(|winding| winding != 0);
            let square = solid::squared_distances(outer, *vertex).into_iter().min();
            let Some(depth) = square.map(|square| nearhit_testkit::exact::square_root(&square).low) else { continue };
            if is_inside && depth > local.at_most * (1.0 + 1e-12) {
                return Err(format!("{vertex:?} is {depth} deep, {local:?}"));
            }
        }
    }
    Ok(2)
}
