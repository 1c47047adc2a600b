//! Surfaces as triangles in the world, for `nearhit.show`.

use crate::answer::table;
use crate::poses::{Body as Side, pose};
use crate::subject::Subject;
use nearhit::Pose;
use nearhit::shape::Shape;
use nearhit_nc::{Body, Role};
use numpy::PyArray2;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(surface, module)?)
}

/// Corners (n, 3) and triangles (m, 3).
pub(crate) type Surface<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<i64>>);

/// Of a body where it is; none of a half-space, which has no end.
#[pyfunction]
fn surface<'py>(py: Python<'py>, body: Subject, at: Option<Bound<'py, PyAny>>) -> PyResult<Option<Surface<'py>>> {
    let at = pose(at.as_ref(), Side::A)?;
    Ok(placed(py, &body.shape(), &at))
}

/// Of a shape in a place.
pub(crate) fn placed<'py>(py: Python<'py>, shape: &Shape, at: &Pose) -> Option<Surface<'py>> {
    let (points, triangles) = match shape.model() {
        Some(model) => {
            let mesh = model.mesh();
            (mesh.vertices().iter().map(|&corner| at.apply(corner)).collect(), mesh.triangles().to_vec())
        }
        None => Body::shape("shape", Role::Fixture, shape.clone(), *at).ok()?.surface(),
    };
    let corners = table(py, points.into_iter().map(|point| point.to_array()));
    Some((corners, table(py, triangles.into_iter().map(|triangle| triangle.map(i64::from)))))
}
