//! Queries that list pairs of triangles: those of all poses one after the other, and where each
//! pose's start.

use crate::answer::{Answers, Fields, indices};
use crate::query::Query;
use glam::DVec3;
use nearhit::shape::ShapeContacts;
use nearhit::{NearPair, Pose, Stats, TrianglePair};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(contacts, module)?)?;
    module.add_function(wrap_pyfunction!(shape_contacts, module)?)?;
    module.add_function(wrap_pyfunction!(nearest_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(pairs_within, module)?)
}

/// The pairs of one pose that touch.
struct Touching {
    pairs: Vec<TrianglePair>,
    /// Corners of what each pair shares, if asked for: in a's frame.
    shared: Vec<Vec<DVec3>>,
    is_complete: bool,
    stats: Stats,
}

/// The fields of `Contacts`.
#[pyfunction]
fn contacts<'py>(py: Python<'py>, query: &Query, with_points: bool) -> Fields<'py> {
    let found = query.ask(py, |pair, settings, scratch| {
        let found = pair.contacts(settings, scratch);
        let wanted = if with_points { found.pairs } else { &[] };
        let shared = wanted.iter().map(|&touching| pair.overlap(touching).points().to_vec()).collect();
        let (pairs, is_complete, stats) = (found.pairs.to_vec(), found.is_complete, found.stats);
        (Touching { pairs, shared, is_complete, stats }, None)
    })?;
    found
        .rows(|one, _| one.pairs.iter().map(|&pair| indices(Some(pair))).collect())
        .starts(|one| vec![one.pairs.len()])
        .rows(|one, pose| one.shared.iter().flatten().map(|&point| pose.apply(point).to_array()).collect())
        .starts(|one| one.shared.iter().map(Vec::len).collect())
        .each(|one| one.is_complete)
        .each_work(|one| one.stats)
        .fields()
}

/// The fields of `Contacts` where one of the two is a shape: a point each, with its normal and
/// depth. None for two models.
#[pyfunction]
fn shape_contacts<'py>(py: Python<'py>, query: &Query) -> PyResult<Option<Bound<'py, PyTuple>>> {
    if query.is_of_models() {
        return Ok(None);
    }
    let found = query.ask_shapes(py, |pair, settings, scratch| (pair.contacts(settings, scratch), None))?;
    let sides = query.pieces();
    let row = |pieces: TrianglePair| {
        [(pieces.a, sides[0]), (pieces.b, sides[1])].map(|(piece, has)| if has { i64::from(piece) } else { -1 })
    };
    let turned = |normal: DVec3, pose: &Pose| (pose.rotation() * normal).to_array();
    let fields = found
        .rows(|one: &ShapeContacts, _| one.contacts.iter().map(|contact| row(contact.pieces)).collect())
        .starts(|one| vec![one.contacts.len()])
        .rows(|one, pose| one.contacts.iter().map(|contact| pose.apply(contact.point).to_array()).collect())
        .starts(|one| vec![1; one.contacts.len()])
        .each(|one| one.is_complete)
        .each_work(|one| one.stats)
        .rows(|one, pose| one.contacts.iter().map(|contact| turned(contact.normal, pose)).collect())
        .list(|one| one.contacts.iter().map(|contact| contact.depth.upper).collect())
        .fields()?;
    Ok(Some(fields))
}

/// The pairs of one pose with their distances.
struct Near {
    pairs: Vec<NearPair>,
    is_complete: bool,
    stats: Stats,
}

/// The fields of `NearPairs`.
fn near<'py>(found: Answers<'py, Near>) -> Fields<'py> {
    found
        .rows(|one, _| one.pairs.iter().map(|near| indices(Some(near.pair))).collect())
        .list(|one| one.pairs.iter().map(|near| near.distance).collect())
        .starts(|one| vec![one.pairs.len()])
        .each(|one| one.is_complete)
        .each_work(|one| one.stats)
        .fields()
}

#[pyfunction]
fn nearest_pairs<'py>(py: Python<'py>, query: &Query, count: usize) -> Fields<'py> {
    near(query.ask(py, |pair, settings, scratch| {
        let found = pair.nearest_pairs(count, settings, scratch);
        (Near { pairs: found.pairs.to_vec(), is_complete: found.is_complete, stats: found.stats }, None)
    })?)
}

#[pyfunction]
fn pairs_within<'py>(py: Python<'py>, query: &Query, limit: f64) -> Fields<'py> {
    near(query.ask(py, |pair, settings, scratch| {
        let found = pair.pairs_within(limit, settings, scratch);
        (Near { pairs: found.pairs.to_vec(), is_complete: found.is_complete, stats: found.stats }, None)
    })?)
}
