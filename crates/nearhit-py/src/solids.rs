//! Queries of two solids: containment is contact, distance has a sign, and there is a way out.

use crate::answer::{Fields, in_world, indices};
use crate::query::Query;
use crate::results::Collision;
use crate::surfaces::distances;
use nearhit::{LocalDepth, Seed, Side, SolidContact, Tolerance, TrianglePair, Verdict};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(solid_collide, module)?)?;
    module.add_function(wrap_pyfunction!(solid_within, module)?)?;
    module.add_function(wrap_pyfunction!(solid_distance, module)?)?;
    module.add_function(wrap_pyfunction!(translational_depth, module)?)?;
    module.add_function(wrap_pyfunction!(local_depth, module)?)?;
    module.add_function(wrap_pyfunction!(overlap, module)?)?;
    module.add_function(wrap_pyfunction!(contact_regions, module)?)
}

fn side_name(side: Side) -> &'static str {
    if side == Side::A { "a" } else { "b" }
}

/// `Collision`, or the fields of `Collisions`.
#[pyfunction]
fn solid_collide<'py>(py: Python<'py>, query: &Query) -> PyResult<Bound<'py, PyAny>> {
    query.prepare_solids(py)?;
    let found = query.ask(py, |pair, settings, scratch| {
        let found = pair.solid().collide(settings, scratch);
        (found, found.contact.and_then(SolidContact::witness).map(Seed))
    })?;
    if let Some(one) = found.single() {
        let contained = one.contact.and_then(SolidContact::inside).map(side_name);
        let triangles = found.triangles(one.contact.and_then(SolidContact::witness));
        return Collision::found(one.verdict.known(), triangles, &one.stats, contained).into_bound_py_any(py);
    }
    let fields = found
        .verdict(|one| one.verdict.known())?
        .pair(|one| one.contact.and_then(SolidContact::witness))?
        .work(|one| one.stats)?
        .value(|one| one.contact.and_then(SolidContact::inside).map_or(-1, |side| i8::from(side == Side::B)))?;
    Ok(fields.fields()?.into_any())
}

/// The fields of `Within` or `Withins`: of solids the answer is all that is known of the distance.
#[pyfunction]
fn solid_within<'py>(py: Python<'py>, query: &Query, limit: f64) -> Fields<'py> {
    query.prepare_solids(py)?;
    let found = query.ask(py, |pair, settings, scratch| (pair.solid().within(limit, settings, scratch), None))?;
    found
        .verdict(|one| one.verdict.known())?
        .pair(|_| None)?
        .value(|one| if one.verdict == Verdict::No { limit } else { f64::NEG_INFINITY })?
        .value(|one| if one.verdict == Verdict::Yes { limit } else { f64::INFINITY })?
        .work(|one| one.stats)?
        .fields()
}

/// `Distance`, or the fields of `Distances`.
#[pyfunction]
fn solid_distance<'py>(py: Python<'py>, query: &Query, relative: f64, absolute: f64) -> PyResult<Bound<'py, PyAny>> {
    query.prepare_solids(py)?;
    let tolerance = Tolerance::new(relative, absolute);
    let found = query.ask(py, |pair, settings, scratch| (pair.solid().distance(tolerance, settings, scratch), None))?;
    distances(py, found)
}

/// The fields of `Depth` or `Depths`.
#[pyfunction]
fn translational_depth<'py>(py: Python<'py>, query: &Query) -> Fields<'py> {
    query.prepare_solids(py)?;
    let found = query.ask(py, |pair, settings, scratch| (pair.solid().translational_depth(settings, scratch), None))?;
    found
        .accepted()?
        .value(|one| one.lower)?
        .value(|one| one.upper)?
        .direction(|one| one.translation)
        .value(|one| one.is_convex)?
        .value(|one| one.is_complete)?
        .work(|one| one.stats)?
        .fields()
}

/// The fields of `LocalDepth` or `LocalDepths`.
#[pyfunction]
fn local_depth<'py>(py: Python<'py>, query: &Query, relative: f64, absolute: f64) -> Fields<'py> {
    query.prepare_solids(py)?;
    let tolerance = Tolerance::new(relative, absolute);
    let found =
        query.ask(py, |pair, settings, scratch| (pair.solid().local_depth(tolerance, settings, scratch), None))?;
    // Of a first.
    let order = |one: &LocalDepth, deepest, nearest| match one.body {
        Side::A => [deepest, nearest],
        Side::B => [nearest, deepest],
    };
    let triangles = |one: &LocalDepth| match one.body {
        Side::A => TrianglePair { a: one.triangle, b: one.closest_triangle },
        Side::B => TrianglePair { a: one.closest_triangle, b: one.triangle },
    };
    found
        .value(|one| one.depth)?
        .value(|one| one.at_most)?
        .points(|one| order(one, one.point, one.closest))
        .value(|one| u8::from(one.body == Side::B))?
        .pair(|one| Some(triangles(one)))?
        .value(|one| one.is_complete)?
        .work(|one| one.stats)?
        .fields()
}

/// The fields of `Overlap` or `Overlaps`. What is not known is NaN.
#[pyfunction]
fn overlap<'py>(py: Python<'py>, query: &Query) -> Fields<'py> {
    query.prepare_solids(py)?;
    let found = query.ask(py, |pair, settings, scratch| (pair.solid().overlap(settings, scratch), None))?;
    found
        .value(|one| one.volume.lower)?
        .value(|one| one.volume.upper)?
        .value(|one| one.area.map_or(f64::NAN, |area| area.lower))?
        .value(|one| one.area.map_or(f64::NAN, |area| area.upper))?
        .point(|one| one.center.map(|(center, _)| center))
        .value(|one| one.center.map_or(f64::NAN, |(_, error)| error))?
        .bounds(|one| one.bounds)
        .value(|one| one.through.map_or(-1, |side| i8::from(side == Side::B)))?
        .value(|one| one.is_complete)?
        .work(|one| one.stats)?
        .fields()
}

/// The fields of `Regions`.
#[pyfunction]
fn contact_regions<'py>(py: Python<'py>, query: &Query, most_points: usize) -> Fields<'py> {
    query.prepare_solids(py)?;
    let found = query.ask(py, |pair, settings, scratch| {
        let found = pair.solid().contact_regions(settings, scratch);
        let points: Vec<_> = found.regions.iter().map(|region| region.manifold(most_points)).collect();
        ((found, points), None)
    })?;
    found
        .rows(|(one, _), pose| one.regions.iter().map(|region| (pose.rotation() * region.normal).to_array()).collect())
        .list(|(one, _)| one.regions.iter().map(|region| region.depth).collect())
        .point_pairs(|(_, points), pose| {
            points.iter().flatten().map(|point| in_world(pose, [point.on_a, point.on_b])).collect()
        })
        .list(|(_, points)| points.iter().flatten().map(|point| point.depth).collect())
        .starts(|(_, points)| points.iter().map(Vec::len).collect())
        .rows(|(one, _), _| {
            one.regions.iter().flat_map(|region| &region.pairs).map(|&pair| indices(Some(pair))).collect()
        })
        .starts(|(one, _)| one.regions.iter().map(|region| region.pairs.len()).collect())
        .starts(|(one, _)| vec![one.regions.len()])
        .each(|(one, _)| one.is_complete)
        .each_work(|(one, _)| one.stats)
        .fields()
}
