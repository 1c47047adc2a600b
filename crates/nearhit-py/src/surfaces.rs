//! Do two bodies touch, are they near, how far apart are they? Two models are surfaces, and asked
//! about as a `Pair`; where one of them is a shape it is a `ShapePair`.

use crate::answer::{Answers, Fields, in_world};
use crate::query::Query;
use crate::results::{Collision, Distance};
use nearhit::{Seed, Tolerance};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(collide, module)?)?;
    module.add_function(wrap_pyfunction!(within, module)?)?;
    module.add_function(wrap_pyfunction!(distance, module)?)?;
    module.add_function(wrap_pyfunction!(path, module)?)
}

/// `Collision`, or the fields of `Collisions`.
#[pyfunction]
fn collide<'py>(py: Python<'py>, query: &Query) -> PyResult<Bound<'py, PyAny>> {
    let next = |found: nearhit::Collision| (found, found.witness.map(Seed));
    let found = match query.is_of_models() {
        true => query.ask(py, |pair, settings, scratch| next(pair.collide(settings, scratch))),
        false => query.ask_shapes(py, |pair, settings, scratch| next(pair.collide(settings, scratch))),
    }?;
    if let Some(one) = found.single() {
        return Collision::found(one.verdict.known(), found.triangles(one.witness), &one.stats, None)
            .into_bound_py_any(py);
    }
    let fields = found.verdict(|one| one.verdict.known())?.pair(|one| one.witness)?.work(|one| one.stats)?;
    Ok(fields.fields()?.into_any())
}

/// The fields of `Within` or `Withins`.
#[pyfunction]
fn within<'py>(py: Python<'py>, query: &Query, limit: f64) -> Fields<'py> {
    let next = |found: nearhit::Within| (found, found.witness.map(Seed));
    let found = match query.is_of_models() {
        true => query.ask(py, |pair, settings, scratch| next(pair.within(limit, settings, scratch))),
        false => query.ask_shapes(py, |pair, settings, scratch| next(pair.within(limit, settings, scratch))),
    }?;
    found
        .verdict(|one| one.verdict.known())?
        .pair(|one| one.witness)?
        .value(|one| one.lower)?
        .value(|one| one.upper.unwrap_or(f64::INFINITY))?
        .work(|one| one.stats)?
        .fields()
}

/// `Distance`, or the fields of `Distances`.
#[pyfunction]
fn distance<'py>(py: Python<'py>, query: &Query, relative: f64, absolute: f64) -> PyResult<Bound<'py, PyAny>> {
    let tolerance = Tolerance::new(relative, absolute);
    let next = |found: nearhit::Distance| (found, Some(found.seed()));
    let found = match query.is_of_models() {
        true => query.ask(py, |pair, settings, scratch| next(pair.distance(tolerance, settings, scratch))),
        false => query.ask_shapes(py, |pair, settings, scratch| next(pair.distance(tolerance, settings, scratch))),
    }?;
    distances(py, found)
}

/// The fields of `PathClearance`.
#[pyfunction]
fn path<'py>(py: Python<'py>, query: &Query, solid: bool) -> Fields<'py> {
    query
        .ask_path(py, solid)?
        .value(|one| one.pose)?
        .value(|one| one.lower)?
        .value(|one| one.clearance.upper)?
        .points(|one| [one.clearance.on_a, one.clearance.on_b])
        .pair(|one| Some(one.clearance.witness))?
        .work(|one| one.stats)?
        .value(|one| one.asked)?
        .value(|one| one.is_complete)?
        .fields()
}

/// `Distance`, or the fields of `Distances`, of surfaces, shapes or solids.
pub(crate) fn distances<'py>(py: Python<'py>, found: Answers<'py, nearhit::Distance>) -> PyResult<Bound<'py, PyAny>> {
    if let Some(one) = found.single() {
        let points = in_world(&found.pose_a(0), [one.on_a, one.on_b]);
        return Distance::found(one, points, found.sides(one.witness)).into_bound_py_any(py);
    }
    let fields = found
        .value(|one| one.lower)?
        .value(|one| one.upper)?
        .points(|one| [one.on_a, one.on_b])
        .pair(|one| Some(one.witness))?
        .work(|one| one.stats)?
        .value(|one| one.is_complete)?;
    Ok(fields.fields()?.into_any())
}
