//! Queries of one mesh, and of what is made of meshes: self-contacts, nearest triangles, signed
//! distances, refinement, average-case estimates, scenes.

use crate::setup::{Setup, mesh};
use crate::surfaces::{kinds, model};
use dashu_ratio::RBig;
use glam::DVec3;
use nearhit::research::adb::{Averages, Options, Quality};
use nearhit::research::sphere_tree::SphereOptions;
use nearhit::research::{PairExt, SphereTreeExt};
use nearhit::scene::{BodySpec, Gap, Scene};
use nearhit::{
    Budget, InsideMethod, Limit, Location, Model, Pair, Pose, Refinement, Scratch, Settings, SpherePair, SphereTree,
    Tolerance,
};
use nearhit_testkit::{Point, Soup, exact, solid};
use std::sync::Arc;

/// Do two triangles that share no corner's place meet, exactly? Those must be told; those that do
/// not meet at all must not.
pub(crate) fn self_contacts(setup: &Setup) -> Result<u64, String> {
    let (mut rng, mut scratch) = (setup.rng(), Scratch::new());
    let mut soup = setup.a.clone();
    // Two bodies in one mesh meet more often.
    if let Some(pose) = setup.pose() {
        soup.append(&setup.posed(&pose));
    }
    let model = model(&soup, *rng.choice(&kinds().collect::<Vec<_>>()))?;
    let found = model.self_contacts(&Settings::default(), &mut scratch);
    let is_told = |a: usize, b: usize| found.pairs.iter().any(|pair| (pair.a as usize, pair.b as usize) == (a, b));
    let corners: Vec<[Point; 3]> = soup.corners().collect();
    // Without area, or with the corners of another: nothing is asked of them.
    let has_area = |[a, b, c]: &[Point; 3]| !is_flat(a, b, c);
    let mut count = 0;
    for (a, first) in corners.iter().enumerate() {
        for (b, second) in corners.iter().enumerate().skip(a + 1) {
            let shares = first.iter().any(|corner| second.contains(corner));
            let meets = exact::intersects(first, second);
            if is_told(a, b) && !meets {
                return Err(format!("{a} and {b} do not meet"));
            }
            if meets && !shares && has_area(first) && has_area(second) && is_first(&corners, a) && is_first(&corners, b)
            {
                count += 1;
                if !is_told(a, b) {
                    return Err(format!("{a} and {b} meet"));
                }
            }
        }
    }
    Ok(1 + count)
}

/// Is a triangle the first with these corners, in any order?
fn is_first(corners: &[[Point; 3]], index: usize) -> bool {
    let sorted = |triangle: &[Point; 3]| {
        let mut bits = triangle.map(|corner| corner.map(|x| (x + 0.0).to_bits()));
        bits.sort_unstable();
        bits
    };
    let own = sorted(&corners[index]);
    corners[..index].iter().all(|earlier| sorted(earlier) != own)
}

fn is_flat(a: &Point, b: &Point, c: &Point) -> bool {
    let flat = |i: usize, j: usize| exact::orient2d([a[i], a[j]], [b[i], b[j]], [c[i], c[j]]) == 0;
    flat(0, 1) && flat(1, 2) && flat(0, 2)
}

/// Is a number the root of a square, within an error?
fn is_root(value: f64, square: &RBig, error: f64) -> bool {
    let low = (value - error).next_down();
    exact::square_of((value + error).next_up()) >= *square && (low <= 0.0 || exact::square_of(low) <= *square)
}

/// Points by every engine: closest, nearest triangles, inside and outside, signed distance.
pub(crate) fn points(setup: &Setup) -> Result<u64, String> {
    let (point, mut scratch, mut count) = (DVec3::from_array(setup.point), Scratch::new(), 0);
    let squares = solid::squared_distances(&setup.a, setup.point);
    let mut sorted = squares.clone();
    sorted.sort();
    let size = setup.a.vertices.iter().chain([&setup.point]).flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    let error = nearhit::research::primitive::distance::error_bound(size);
    let on_surface = sorted.first().is_some_and(RBig::is_zero);
    let winding = solid::exact_winding_number(&setup.a, setup.point).map(f64::from);
    for kind in kinds() {
        let model = model(&setup.a, kind)?;
        let refused = |error: nearhit::QueryError| format!("{kind:?}: refused: {error}");
        let nearest = model.nearest_triangles(point, 3, &mut scratch).map_err(refused)?.to_vec();
        let all_near = nearest.iter().zip(&sorted).all(|(found, square)| is_root(found.distance, square, error));
        let all_own = nearest.iter().all(|found| is_root(found.distance, &squares[found.triangle as usize], error));
        let is_sorted = nearest.is_sorted_by(|one, other| one.distance <= other.distance);
        if nearest.len() != squares.len().min(3) || !all_near || !all_own || !is_sorted {
            return Err(format!("{kind:?}: {nearest:?}"));
        }
        let found = model.signed_distance(point, &mut scratch).map_err(refused)?;
        if found.distance.abs() != nearest[0].distance || (found.distance == 0.0) != on_surface {
            return Err(format!("{kind:?}: {found:?}, {nearest:?}"));
        }
        let place = found.containment;
        let is_inside = place.location == Location::Inside;
        if (place.location == Location::Surface) != on_surface || is_inside != (found.distance < 0.0) {
            return Err(format!("{kind:?}: {found:?}, on the surface: {on_surface}"));
        }
        let is_other = place.winding.map(f64::abs) != winding.map(f64::abs);
        if place.method == InsideMethod::Exact && !on_surface && is_other {
            return Err(format!("{kind:?}: {place:?}, it winds {winding:?} times"));
        }
        count += 3;
    }
    Ok(count)
}

/// Balls, level by level: every interval holds, and none is wider than the one before.
pub(crate) fn refine(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let (a, b) = (Model::new(mesh(&setup.a)?), Model::new(mesh(&setup.b)?));
    let pair = Pair::relative(&a, &b, &pose).map_err(|error| error.to_string())?;
    let mut scratch = Scratch::new();
    let truth = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper;
    let [of_a, of_b] = [&a, &b].map(|model| SphereTree::build(model, &SphereOptions::new().depth(3)));
    let spheres = SpherePair::new(pair, &of_a, &of_b);
    let (mut refinement, mut known) = (Refinement::default(), (0.0_f64, f64::INFINITY));
    for work in [0, 5, 20, 100, 400, 1_000_000] {
        let found = refinement.run(&spheres, &Budget::work(work));
        let (lower, upper) = (found.separation.lower, found.separation.upper);
        let said = found.verdict.known();
        if !(lower <= truth && truth <= upper) || said.is_some_and(|touching| touching != (truth == 0.0)) {
            return Err(format!("work {work}: {found:?}, the distance is {truth}"));
        }
        if lower < known.0 || upper > known.1 {
            return Err(format!("work {work}: {found:?}, before {known:?}"));
        }
        known = (lower, upper);
    }
    Ok(6)
}

/// Guesses: a probability, and no more work than asked for. What is certain is right.
pub(crate) fn estimates(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let [a, b] =
        [&setup.a, &setup.b].map(|soup| model(soup, crate::surfaces::Kind::Volume(nearhit::research::VolumeKind::Obb)));
    let (a, b) = (a?, b?);
    let pair = Pair::relative(&a, &b, &pose).map_err(|error| error.to_string())?;
    let mut scratch = Scratch::new();
    let apart = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper;
    let [of_a, of_b] = [&a, &b].map(|model| Averages::new(model, &Options::default()));
    let averaged = pair.averaged(&of_a, &of_b).map_err(|error| error.to_string())?;
    for work in [0, 10, 1000] {
        let settings = Settings::new().budget(Budget::work(work));
        let found = averaged.collide(&Quality::default(), &settings, &mut scratch);
        if !(0.0..=1.0).contains(&found.raw()) {
            return Err(format!("work {work}: {} at a distance of {apart}", found.raw()));
        }
    }
    Ok(3)
}

/// A scene of both, twice: each pair's distance is that of the pair.
pub(crate) fn scenes(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let models = [&setup.a, &setup.b].map(|soup: &Soup| mesh(soup).map(|mesh| Arc::new(Model::new(mesh))));
    let [a, b] = models;
    let (a, b) = (a?, b?);
    let places = [Pose::IDENTITY, pose, Pose::IDENTITY, pose];
    let bodies = [&a, &b, &b, &a];
    let (mut scene, mut ids) = (Scene::default(), Vec::new());
    for (number, (model, place)) in bodies.iter().zip(places).enumerate() {
        let spec = BodySpec::rigid(format!("{number}"), Arc::clone(model)).at(place);
        let Ok(id) = scene.insert(spec) else { return Ok(0) };
        ids.push(id);
    }
    let (mut scratch, mut truth) = (Scratch::new(), Vec::new());
    for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        let Ok(pair) = Pair::new(bodies[i], &places[i], bodies[j], &places[j]) else { return Ok(0) };
        truth.push(((i, j), pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper));
    }
    let number = |id| ids.iter().position(|&known| known == id).unwrap_or(usize::MAX);
    let of = |gap: &Gap<'_>| ((number(gap.a.id.body), number(gap.b.id.body)), gap.distance.upper);
    let mut sorted = truth.clone();
    sorted.sort_by(|one, other| one.1.total_cmp(&other.1).then(one.0.cmp(&other.0)));
    let refused = |error: nearhit::scene::SceneError| format!("refused: {error}");
    let mut settled = scene.settle();
    let nearest: Vec<_> = settled.nearest(6).map_err(refused)?.found.iter().map(of).collect();
    if nearest != sorted {
        return Err(format!("{nearest:?} instead of {sorted:?}"));
    }
    let closest = settled.closest().map_err(refused)?.as_ref().map(of);
    if closest != sorted.first().copied() {
        return Err(format!("{closest:?} instead of {:?}", sorted.first()));
    }
    let limit = sorted[setup.dice as usize % 6].1;
    let near: Vec<_> = settled.within(limit).map_err(refused)?.found.iter().map(of).collect();
    let expected: Vec<_> = truth.iter().filter(|(_, distance)| *distance <= limit).copied().collect();
    if near != expected {
        return Err(format!("within {limit}: {near:?} instead of {expected:?}"));
    }
    for work in [0, 5, 50] {
        settled.limit = Limit::Work(work);
        let answer = settled.within(limit).map_err(refused)?;
        let found: Vec<_> = answer.found.iter().map(|gap| of(gap).0).collect();
        let open: Vec<_> = answer.undecided.iter().map(|(a, b)| (number(a.body), number(b.body))).collect();
        let all_right = truth.iter().all(|(pair, distance)| {
            let is_near = *distance <= limit;
            if found.contains(pair) { is_near } else { !is_near || open.contains(pair) }
        });
        if !all_right {
            return Err(format!("work {work}, within {limit}: {found:?}, open {open:?}, {truth:?}"));
        }
    }
    Ok(6)
}
