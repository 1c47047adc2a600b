//! Results of single queries that are asked a hundred thousand times a second: classes that are
//! made here and not in Python.

use crate::answer::{counts, table, work};
use nearhit::Stats;
use numpy::{PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Collision>()?;
    module.add_class::<Distance>()
}

/// Do they touch? True in an `if` when they do; an error there when the budget ran out.
#[pyclass(frozen, eq, hash, module = "nearhit", name = "Collision")]
#[derive(PartialEq, Hash)]
pub(crate) struct Collision {
    /// None when the budget ran out first.
    #[pyo3(get)]
    touching: Option<bool>,
    /// Two triangles that touch: of a, of b. -1 stands for a convex shape, None for two.
    #[pyo3(get)]
    triangles: Option<(i64, i64)>,
    work: (u64, u64, u64),
    /// As solids, where the surfaces do not touch: "a" or "b", of which a piece is inside the
    /// other.
    #[pyo3(get)]
    contained: Option<String>,
}

impl Collision {
    pub(crate) fn found(
        touching: Option<bool>,
        triangles: Option<(i64, i64)>,
        stats: &Stats,
        contained: Option<&str>,
    ) -> Self {
        let work = counts(stats);
        Self { touching, triangles, work, contained: contained.map(str::to_owned) }
    }
}

#[pymethods]
impl Collision {
    #[new]
    #[pyo3(signature = (touching, triangles, work, contained = None))]
    fn new(
        touching: Option<bool>,
        triangles: Option<(i64, i64)>,
        work: (u64, u64, u64),
        contained: Option<String>,
    ) -> Self {
        Self { touching, triangles, work, contained }
    }

    /// Tests of volumes and triangles.
    #[getter]
    fn work<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        work(py, self.work)
    }

    /// False when the budget ran out first.
    #[getter]
    fn complete(&self) -> bool {
        self.touching.is_some()
    }

    fn __bool__(&self) -> PyResult<bool> {
        self.touching.ok_or_else(|| PyValueError::new_err("undecided: the budget ran out first"))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        said(slf.as_any(), "Collision", &["touching", "triangles", "work", "contained"])
    }

    #[allow(clippy::type_complexity)] // The constructor's arguments.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyAny>, (Option<bool>, Option<(i64, i64)>, (u64, u64, u64), Option<String>)) {
        let arguments = (self.touching, self.triangles, self.work, self.contained.clone());
        (py.get_type::<Self>().into_any(), arguments)
    }
}

/// How far apart they are: an interval, closed to a number unless a tolerance or a budget was
/// given.
#[pyclass(frozen, eq, module = "nearhit", name = "Distance")]
#[derive(PartialEq)]
pub(crate) struct Distance {
    /// The distance is at least this.
    #[pyo3(get)]
    lower: f64,
    /// The distance is at most this. Of surfaces zero exactly when they touch.
    #[pyo3(get)]
    upper: f64,
    points: [[f64; 3]; 2],
    /// The triangles the points are on, -1 for a convex shape; a seed for the next query.
    #[pyo3(get)]
    triangles: (i64, i64),
    work: (u64, u64, u64),
    /// False when the budget ran out first.
    #[pyo3(get)]
    complete: bool,
}

impl Distance {
    /// Points are in the world; the triangles are -1 for shapes.
    pub(crate) fn found(found: &nearhit::Distance, points: [[f64; 3]; 2], triangles: (i64, i64)) -> Self {
        let nearhit::Distance { lower, upper, is_complete, stats, .. } = found;
        Self { lower: *lower, upper: *upper, points, triangles, work: counts(stats), complete: *is_complete }
    }
}

#[pymethods]
impl Distance {
    #[new]
    #[pyo3(signature = (lower, upper, points, triangles, work, complete = true))]
    fn new(
        lower: f64,
        upper: f64,
        points: PyReadonlyArray2<'_, f64>,
        triangles: (i64, i64),
        work: (u64, u64, u64),
        complete: bool,
    ) -> PyResult<Self> {
        if points.shape() != [2, 3] {
            return Err(PyValueError::new_err(format!("points must have the shape (2, 3), not {:?}", points.shape())));
        }
        let array = points.as_array();
        let points = [0, 1].map(|row| [0, 1, 2].map(|column| array[[row, column]]));
        Ok(Self { lower, upper, points, triangles, work, complete })
    }

    /// (2, 3): a point of a and a point of b that are `upper` apart, in the world.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        table(py, self.points.into_iter())
    }

    /// Tests of volumes and triangles.
    #[getter]
    fn work<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        work(py, self.work)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        said(slf.as_any(), "Distance", &["lower", "upper", "points", "triangles", "work", "complete"])
    }

    #[allow(clippy::type_complexity)] // The constructor's arguments.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyAny>, (f64, f64, Bound<'py, PyArray2<f64>>, (i64, i64), (u64, u64, u64), bool)) {
        let arguments = (self.lower, self.upper, self.points(py), self.triangles, self.work, self.complete);
        (py.get_type::<Self>().into_any(), arguments)
    }
}

/// As of a dataclass.
fn said(object: &Bound<'_, PyAny>, name: &str, fields: &[&str]) -> PyResult<String> {
    let said = |field: &&str| Ok(format!("{field}={}", object.getattr(*field)?.repr()?));
    let fields: Vec<String> = fields.iter().map(said).collect::<PyResult<_>>()?;
    Ok(format!("{name}({})", fields.join(", ")))
}
