//! Solids, and the rooms above the queries: clash, scenes, files.

use crate::setup::{Setup, mesh};
use nearhit::clash::{Assembly, Class, Options};
use nearhit::scene::{BodySpec, Scene};
use nearhit::{Budget, Model, Pair, Pose, Scratch, Settings, Tolerance, Verdict};
use nearhit_testkit::{Soup, shapes, solid};
use std::sync::Arc;

fn is_closed(soup: &Soup) -> bool {
    shapes::unmatched_edges(soup) == 0
}

/// One vertex of each connected piece would do; all are asked.
fn has_vertex_inside(inner: &Soup, outer: &Soup) -> bool {
    let mut used = inner.triangles.iter().flatten().map(|&vertex| inner.vertices[vertex as usize]);
    used.any(|vertex| solid::exact_winding_number(outer, vertex).is_some_and(|winding| winding != 0))
}

pub(crate) fn solids(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let (a, b) = (Model::new(mesh(&setup.a)?), Model::new(mesh(&setup.b)?));
    let pair = Pair::relative(&a, &b, &pose).map_err(|error| error.to_string())?;
    let (settings, mut scratch) = (Settings::new().budget(Budget::work(300_000)), Scratch::new());
    let surfaces = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper;
    let found = pair.solid().collide(&settings, &mut scratch);
    let posed = setup.posed(&pose);
    if is_closed(&setup.a) && is_closed(&setup.b) {
        let truth = surfaces == 0.0 || has_vertex_inside(&setup.a, &posed) || has_vertex_inside(&posed, &setup.a);
        if found.verdict.known().is_some_and(|said| said != truth) {
            return Err(format!("collide {:?}, but {truth}", found.verdict));
        }
    }
    let signed = pair.solid().distance(Tolerance::relative(0.05), &settings, &mut scratch);
    let is_interval = signed.lower <= signed.upper && !signed.lower.is_nan() && !signed.upper.is_nan();
    if !is_interval
        || found.verdict == Verdict::Yes && signed.lower > 0.0
        || found.verdict == Verdict::No && signed.upper <= 0.0
    {
        return Err(format!("{:?} and {signed:?}", found.verdict));
    }
    let deep = pair.solid().local_depth(Tolerance::relative(0.05), &settings, &mut scratch);
    if deep.depth.is_nan() || deep.depth > deep.at_most {
        return Err(format!("{deep:?}"));
    }
    let way = pair.solid().translational_depth(&settings, &mut scratch);
    if let Ok(way) = way {
        if way.lower.is_nan() || way.lower > way.upper {
            return Err(format!("{way:?}"));
        }
        // That translation, and no other: where sheets slide along each other, rounding decides what
        // touches a hair farther.
        let moved = Pose::from_translation(way.translation.to_array()).ok().map(|push| push * pose);
        if let Some(moved) = moved.and_then(|moved| Pair::relative(&a, &b, &moved).ok())
            && way.upper > 0.0
            && moved.solid().collide(&settings, &mut scratch).verdict == Verdict::Yes
        {
            return Err(format!("still in contact after {way:?}"));
        }
    }
    let regions = pair.solid().contact_regions(&settings, &mut scratch);
    if regions.is_complete && regions.regions.is_empty() != (surfaces > 0.0) {
        return Err(format!("{} regions at a distance of {surfaces}", regions.regions.len()));
    }
    Ok(5)
}

/// Clash, scene and file say what the pair says.
pub(crate) fn rooms(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let (a, b) = (Arc::new(Model::new(mesh(&setup.a)?)), Arc::new(Model::new(mesh(&setup.b)?)));
    let pair = Pair::relative(&a, &b, &pose).map_err(|error| error.to_string())?;
    let mut scratch = Scratch::new();
    let distance = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper;
    let mut count = file(&a, &b, &pose, distance)?;
    // The world is a's frame, so that the same bits decide.
    let mut scene = Scene::default();
    let refused = |error: nearhit::scene::SceneError| format!("refused: {error}");
    scene.insert(BodySpec::rigid("a", Arc::clone(&a))).map_err(refused)?;
    let Ok(id) = scene.insert(BodySpec::rigid("b", Arc::clone(&b))) else { return Ok(count) };
    if scene.set_pose(id, pose).is_ok() {
        let touching = scene.settle().colliding().map_err(refused)?.found.len();
        if (touching == 0) != (distance > 0.0) {
            return Err(format!("scene: {touching} pairs at a distance of {distance}"));
        }
        count += 1;
    }
    count += clash(setup, &pose, &pair, distance)?;
    Ok(count)
}

fn file(a: &Model, b: &Model, pose: &Pose, distance: f64) -> Result<u64, String> {
    let mut bytes = Vec::new();
    a.save(&mut bytes).map_err(|error| format!("save: {error}"))?;
    let again = Model::load(bytes.as_slice()).map_err(|error| format!("load: {error}"))?;
    let pair = Pair::relative(&again, b, pose).map_err(|error| error.to_string())?;
    let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new()).upper;
    if found.to_bits() == distance.to_bits() { Ok(1) } else { Err(format!("from a file: {found}, not {distance}")) }
}

fn clash(setup: &Setup, pose: &Pose, pair: &Pair<'_>, distance: f64) -> Result<u64, String> {
    let mut assembly = Assembly::new();
    let shapes = [assembly.add_mesh(mesh(&setup.a)?), assembly.add_mesh(mesh(&setup.b)?)];
    let refused = |error: nearhit::clash::ClashError| format!("clash refused: {error}");
    let placed =
        assembly.add_part("a", shapes[0], Pose::IDENTITY).and_then(|_| assembly.add_part("b", shapes[1], *pose));
    if placed.is_err() {
        return Ok(0);
    }
    let report = assembly.clashes(&Options::new()).map_err(refused)?;
    let class = report.findings.first().map(|finding| finding.class);
    let contained =
        pair.solid().collide(&Settings::default(), &mut Scratch::new()).verdict == Verdict::Yes && distance > 0.0;
    let is_right = match class {
        None => distance > 0.999 * report.tolerance && !contained,
        Some(Class::Inside) => contained,
        Some(Class::Undecided) => true,
        Some(_) => distance <= 1.001 * report.tolerance,
    };
    if is_right {
        Ok(1)
    } else {
        Err(format!("{class:?} at {distance}, tolerance {}, contained: {contained}", report.tolerance))
    }
}
