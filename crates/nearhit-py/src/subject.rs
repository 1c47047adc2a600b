//! What a query is about: a model, a shape, or a mesh of which a model is made.

use crate::errors::QueryError;
use crate::model::Model;
use crate::shape::Shape;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

/// A body of a query.
pub(crate) enum Subject {
    Model(Py<Model>),
    Shape(Py<Shape>),
}

impl FromPyObject<'_, '_> for Subject {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(model) = given.cast::<Model>() {
            return Ok(Self::Model(model.to_owned().unbind()));
        }
        if let Ok(shape) = given.cast::<Shape>() {
            return Ok(Self::Shape(shape.to_owned().unbind()));
        }
        Self::mesh(given)
    }
}

impl Subject {
    /// A mesh as users have it, of which the package makes a model.
    fn mesh(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        static MODEL_OF: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = given.py();
        let has_faces = given.hasattr("vertices")? && given.hasattr("faces")?;
        if !has_faces && !given.is_instance_of::<PyTuple>() {
            let found = given.get_type().name()?.to_string();
            let known = "a body is a Model, a Shape, or a mesh: (vertices, faces) or what has .vertices and .faces";
            return Err(PyTypeError::new_err(format!("{known}; not {found}")));
        }
        let model = MODEL_OF.import(py, "nearhit._models", "model_of")?.call1((given,))?;
        Ok(Self::Model(model.cast::<Model>()?.clone().unbind()))
    }

    /// As one shape of a pair of shapes. Cheap.
    pub(crate) fn shape(&self) -> nearhit::shape::Shape {
        match self {
            Self::Model(model) => nearhit::shape::Shape::mesh(model.get().native.clone()),
            Self::Shape(shape) => shape.get().native().clone(),
        }
    }

    /// Has it triangles, points or cells that an answer can name?
    pub(crate) fn has_pieces(&self) -> bool {
        match self {
            Self::Model(_) => true,
            Self::Shape(shape) => shape.get().has_pieces(),
        }
    }

    /// As a body of a robot: a closed mesh is a solid or a surface, as the robot's are.
    pub(crate) fn solid(&self, solids: nearhit_robot::Solids) -> nearhit::shape::Shape {
        match self {
            Self::Model(model) => solids.shape(model.get().native.clone()),
            Self::Shape(shape) => shape.get().native().clone(),
        }
    }

    /// For questions that only models answer.
    pub(crate) fn model(&self, body: &str) -> PyResult<&Model> {
        match self {
            Self::Model(model) => Ok(model.get()),
            Self::Shape(shape) => Err(QueryError::new_err(format!(
                "{body} is a {}: this question is of two models. Shapes are asked about by collide, within, distance and \
                 penetration; they are solids without solid=True, a model beside one is a surface",
                shape.get().native().name()
            ))),
        }
    }
}
