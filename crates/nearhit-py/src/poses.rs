//! Where the bodies are: a 4 × 4 matrix, or an array of them, read where it is.

use crate::errors::Refusal;
use nearhit::Pose;
use numpy::ndarray::{ArrayView2, ArrayView3, Axis};
use numpy::{PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// A pose that is not one is refused under this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    A,
    B,
}

impl Body {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
        }
    }
}

/// Of one body: a pose, or one for each query of a batch.
#[derive(Debug)]
pub(crate) enum Poses {
    One(Pose),
    Many(Py<PyArray3<f64>>),
}

impl Poses {
    /// What users have, put in order in Python unless it is a matrix already.
    pub(crate) fn new(one: Option<&Bound<'_, PyAny>>, many: Option<&Bound<'_, PyAny>>, body: Body) -> PyResult<Self> {
        match many {
            None => pose(one, body).map(Self::One),
            Some(many) => Ok(Self::Many(ordered(many.py(), one, Some(many), body)?.extract()?)),
        }
    }

    pub(crate) fn hold<'py>(&self, py: Python<'py>) -> Held<'py> {
        match self {
            Self::One(pose) => Held::One(*pose),
            Self::Many(array) => Held::Many(array.bind(py).readonly()),
        }
    }
}

/// Poses that nobody writes to meanwhile.
pub(crate) enum Held<'py> {
    One(Pose),
    Many(PyReadonlyArray3<'py, f64>),
}

impl Held<'_> {
    pub(crate) fn view(&self) -> View<'_> {
        match self {
            Self::One(pose) => View::One(*pose),
            Self::Many(array) => View::Many(array.as_array()),
        }
    }
}

/// The same for threads without the interpreter's lock.
#[derive(Debug, Clone, Copy)]
pub(crate) enum View<'a> {
    One(Pose),
    Many(ArrayView3<'a, f64>),
}

impl View<'_> {
    /// How many queries there are; none if it is a single one.
    pub(crate) fn count(&self) -> Option<usize> {
        match self {
            Self::One(_) => None,
            Self::Many(array) => Some(array.len_of(Axis(0))),
        }
    }

    /// Of query `index`.
    pub(crate) fn pose(&self, index: usize, body: Body) -> Result<Pose, Refusal> {
        match self {
            Self::One(pose) => Ok(*pose),
            Self::Many(array) => read(array.index_axis(Axis(0), index), body),
        }
    }
}

/// A matrix as most callers have it is read at once; everything else is put in order in Python
/// first.
pub(crate) fn pose(given: Option<&Bound<'_, PyAny>>, body: Body) -> PyResult<Pose> {
    let Some(given) = given else { return Ok(Pose::IDENTITY) };
    let pose = match given.cast::<PyArray2<f64>>() {
        Ok(array) if array.shape() == [4, 4] => read(array.readonly().as_array(), body),
        _ => {
            let array = ordered(given.py(), Some(given), None, body)?;
            read(array.extract::<numpy::PyReadonlyArray2<'_, f64>>()?.as_array(), body)
        }
    };
    pose.map_err(|refusal| refusal.into_error(None))
}

fn ordered<'py>(
    py: Python<'py>,
    one: Option<&Bound<'py, PyAny>>,
    many: Option<&Bound<'py, PyAny>>,
    body: Body,
) -> PyResult<Bound<'py, PyAny>> {
    static MATRICES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    MATRICES.import(py, "nearhit._poses", "matrices")?.call1((one, many, body.name()))
}

fn read(array: ArrayView2<'_, f64>, body: Body) -> Result<Pose, Refusal> {
    let rows = [0, 1, 2, 3].map(|row| [0, 1, 2, 3].map(|column| array[[row, column]]));
    Pose::from_matrix(rows).map_err(|error| Refusal::Pose { body, error })
}
