//! Queries of two surfaces: do they touch, are they near, how far apart are they?

use crate::answer::{Fields, in_world};
use crate::query::Query;
use crate::results::{Collision, Distance};
use nearhit::{Seed, Tolerance};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(collide, module)?)?;
    module.add_function(wrap_pyfunction!(within, module)?)?;
    module.add_function(wrap_pyfunction!(distance, module)?)
}

/// `Collision`, or the fields of `Collisions`.
#[pyfunction]
fn collide<'py>(py: Python<'py>, query: &Query) -> PyResult<Bound<'py, PyAny>> {
    let found = query.ask(py, |pair, settings, scratch| {
        let found = pair.collide(settings, scratch);
        (found, found.witness.map(Seed))
    })?;
    if let Some(one) = found.single() {
        return Collision::found(one.verdict.known(), one.witness, &one.stats, None).into_bound_py_any(py);
    }
    let fields = found.verdict(|one| one.verdict.known())?.pair(|one| one.witness)?.work(|one| one.stats)?;
    Ok(fields.fields()?.into_any())
}

/// The fields of `Within` or `Withins`.
#[pyfunction]
fn within<'py>(py: Python<'py>, query: &Query, limit: f64) -> Fields<'py> {
    let found = query.ask(py, |pair, settings, scratch| {
        let found = pair.within(limit, settings, scratch);
        (found, found.witness.map(Seed))
    })?;
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
    let found = query.ask(py, |pair, settings, scratch| {
        let found = pair.distance(tolerance, settings, scratch);
        (found, Some(found.seed()))
    })?;
    if let Some(one) = found.single() {
        let points = in_world(&found.pose_a(0), [one.on_a, one.on_b]);
        return Distance::found(one.lower, one.upper, points, one.witness, &one.stats).into_bound_py_any(py);
    }
    let fields = found
        .value(|one| one.lower)?
        .value(|one| one.upper)?
        .points(|one| [one.on_a, one.on_b])
        .pair(|one| Some(one.witness))?
        .work(|one| one.stats)?;
    Ok(fields.fields()?.into_any())
}
