//! Meshes that change: vertices move, triangles come and go, and the tree is refitted.

use crate::answer::table;
use crate::errors::MeshError;
use crate::fork::on_threads;
use crate::meshes;
use crate::model::Model;
use nearhit::Mesh;
use nearhit::scene::{DeformError, Deforming as Native};
use numpy::PyArray2;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A mesh that changes, with its tree. Its `model` is what questions are asked of, and answers as
/// one built afresh does.
///
/// Taken are `(vertices, faces)` or anything with .vertices and .faces. Its tree is of obb: models
/// beside it are made with `Model(..., volume="obb")`.
///
/// >>> import numpy as np
/// >>> import nearhit as nh
/// >>> sheet = nh.Deforming(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
/// >>> floor = nh.HalfSpace([0, 0, 1], -1)
/// >>> round(nh.distance(sheet.model(), floor).upper, 9)
/// 1.0
/// >>> sheet.move_vertices(sheet.vertices + np.array([0, 0, 0.5]))
/// 1
/// >>> round(nh.distance(sheet.model(), floor).upper, 9)
/// 1.5
#[pyclass(frozen, module = "nearhit", name = "Deforming")]
pub(crate) struct Deforming {
    native: Mutex<Native>,
}

impl Deforming {
    fn lock(&self) -> MutexGuard<'_, Native> {
        // A change that was refused has changed nothing.
        self.native.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(error: DeformError) -> PyErr {
    MeshError::new_err(error.to_string())
}

#[pymethods]
impl Deforming {
    #[new]
    fn new(py: Python<'_>, mesh: &Bound<'_, PyAny>) -> PyResult<Self> {
        let [vertices, faces] = meshes::parts(mesh)?;
        let mesh: Mesh = meshes::from_arrays(&vertices, &faces)?;
        let native = on_threads(py, || Native::new(&mesh))?.map_err(refused)?;
        Ok(Self { native: Mutex::new(native) })
    }

    /// Moves all vertices, (n, 3): how many triangles have left the room they had.
    fn move_vertices(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<usize> {
        let positions = meshes::points(positions, "positions")?;
        on_threads(py, || self.lock().move_vertices(&positions))?.map_err(refused)
    }

    /// The corners, as an array (n, 3).
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let native = self.lock();
        table(py, native.mesh().vertices.iter().copied())
    }

    /// The triangles, as an array (m, 3) of indices.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        let native = self.lock();
        table(py, native.mesh().triangles.iter().map(|triangle| triangle.map(i64::from)))
    }

    /// The model as it is now; it does not change when the mesh does.
    fn model(&self, py: Python<'_>) -> PyResult<Model> {
        let native = on_threads(py, || self.lock().model())?.map_err(refused)?;
        Ok(Model::shared(native))
    }

    /// The number of triangles.
    fn __len__(&self) -> usize {
        self.lock().mesh().triangles.len()
    }

    fn __repr__(&self) -> String {
        format!("Deforming({} triangles)", self.lock().mesh().triangles.len())
    }
}
