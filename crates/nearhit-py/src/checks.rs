//! What is wrong with a mesh, and where it touches itself: one model, no pose.

use crate::answer::{column, indices, table};
use crate::model::Model;
use crate::query::with_scratch;
use nearhit::Settings;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(diagnostics, module)?)?;
    module.add_function(wrap_pyfunction!(self_contacts, module)?)
}

type Lists<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<i64>>);

/// Whether it is closed, counts (triangles, vertices, unused and coincident vertices, open, crowded
/// and flipped edges), lists (degenerate, duplicate, self-intersections), and whether it is known.
#[pyfunction]
#[allow(clippy::type_complexity)] // The fields of `Diagnostics`.
fn diagnostics<'py>(py: Python<'py>, model: &Model) -> (bool, [usize; 7], Lists<'py>, bool) {
    let found = py.detach(|| model.native.mesh().diagnostics());
    let counts = [
        found.triangles,
        found.vertices,
        found.unused_vertices,
        found.coincident_vertices,
        found.open_edges,
        found.crowded_edges,
        found.flipped_edges,
    ];
    let triangles = |list: &[u32]| column(py, list.iter().map(|&triangle| i64::from(triangle)));
    let pairs = table(py, found.self_intersections.iter().map(|&pair| indices(Some(pair))));
    (found.is_closed(), counts, (triangles(&found.degenerate), triangles(&found.duplicate), pairs), found.is_complete)
}

/// (n, 2): pairs of triangles that touch elsewhere than in corners and edges they share.
#[pyfunction]
fn self_contacts<'py>(py: Python<'py>, model: &Model) -> Bound<'py, PyArray2<i64>> {
    let ask = || with_scratch(|scratch| model.native.self_contacts(&Settings::default(), scratch).pairs.to_vec());
    let pairs = py.detach(ask);
    table(py, pairs.into_iter().map(|pair| indices(Some(pair))))
}
