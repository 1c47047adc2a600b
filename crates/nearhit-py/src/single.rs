//! One query, one answer: what is asked a hundred thousand times a second, so poses are read and answers made here and not in Python.

use crate::answers::{pair_of, table, verdict};
use crate::ask::with_scratch;
use crate::errors::Refusal;
use crate::model::Model;
use nearhit::{Pair, Pose, Settings, Stats, Tolerance};
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Collision>()?;
    module.add_class::<Distance>()?;
    module.add_function(wrap_pyfunction!(collide_once, module)?)?;
    module.add_function(wrap_pyfunction!(distance_once, module)?)
}

/// N_v, N_p, N_u as the package's `Work`.
fn work<'py>(py: Python<'py>, (n_v, n_p, n_u): (u64, u64, u64)) -> PyResult<Bound<'py, PyAny>> {
    static WORK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    WORK.import(py, "nearhit._results", "Work")?.call1((n_v, n_p, n_u))
}

fn counts(stats: &Stats) -> (u64, u64, u64) {
    (stats.volume_tests, stats.triangle_tests, stats.updates)
}

/// Do they touch? True in an `if` when they do; an error there when the budget ran out.
#[pyclass(frozen, eq, hash, module = "nearhit", name = "Collision")]
#[derive(PartialEq, Hash)]
pub(crate) struct Collision {
    /// None when the budget ran out first.
    #[pyo3(get)]
    touching: Option<bool>,
    /// Two triangles that touch: of a, of b.
    #[pyo3(get)]
    triangles: Option<(i64, i64)>,
    work: (u64, u64, u64),
    /// As solids, where the surfaces do not touch: "a" or "b", of which a piece is inside the other.
    #[pyo3(get)]
    contained: Option<String>,
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

/// How far apart they are: an interval, closed to a number unless a tolerance or a budget was given.
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
    /// The triangles the points are on; a seed for the next query.
    #[pyo3(get)]
    triangles: (i64, i64),
    work: (u64, u64, u64),
}

#[pymethods]
impl Distance {
    #[new]
    fn new(
        lower: f64,
        upper: f64,
        points: PyReadonlyArray2<'_, f64>,
        triangles: (i64, i64),
        work: (u64, u64, u64),
    ) -> PyResult<Self> {
        if points.shape() != [2, 3] {
            return Err(PyValueError::new_err(format!("points must have the shape (2, 3), not {:?}", points.shape())));
        }
        let array = points.as_array();
        let points = [0, 1].map(|row| [0, 1, 2].map(|column| array[[row, column]]));
        Ok(Self { lower, upper, points, triangles, work })
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
        said(slf.as_any(), "Distance", &["lower", "upper", "points", "triangles", "work"])
    }

    #[allow(clippy::type_complexity)] // The constructor's arguments.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyAny>, (f64, f64, Bound<'py, PyArray2<f64>>, (i64, i64), (u64, u64, u64))) {
        let arguments = (self.lower, self.upper, self.points(py), self.triangles, self.work);
        (py.get_type::<Self>().into_any(), arguments)
    }
}

/// As of a dataclass.
fn said(object: &Bound<'_, PyAny>, name: &str, fields: &[&str]) -> PyResult<String> {
    let said = |field: &&str| Ok(format!("{field}={}", object.getattr(*field)?.repr()?));
    let fields: Vec<String> = fields.iter().map(said).collect::<PyResult<_>>()?;
    Ok(format!("{name}({})", fields.join(", ")))
}

/// A matrix as most callers have it is read at once; everything else is put in order in Python first.
pub(crate) fn pose(given: Option<&Bound<'_, PyAny>>, body: &'static str) -> PyResult<Pose> {
    let Some(given) = given else { return Ok(Pose::IDENTITY) };
    match given.cast::<PyArray2<f64>>() {
        Ok(array) if array.shape() == [4, 4] => read(&array.readonly(), body),
        _ => {
            static PLACE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let place = PLACE.import(given.py(), "nearhit._poses", "place")?;
            let array = place.call1((given, given.py().None(), body))?;
            read(&array.extract()?, body)
        }
    }
}

fn read(array: &PyReadonlyArray2<'_, f64>, body: &'static str) -> PyResult<Pose> {
    let array = array.as_array();
    let rows = [0, 1, 2, 3].map(|row| [0, 1, 2, 3].map(|column| array[[row, column]]));
    let body = if body == "a" { 'a' } else { 'b' };
    Pose::from_matrix(rows).map_err(|error| Refusal::Pose { body, error }.into_error(None))
}

fn pair<'m>(a: &'m Model, b: &'m Model, world_from_a: &Pose, world_from_b: &Pose) -> PyResult<Pair<'m>> {
    Pair::new(&a.native, world_from_a, &b.native, world_from_b).map_err(|error| Refusal::Query(error).into_error(None))
}

#[pyfunction]
fn collide_once(
    py: Python<'_>,
    a: &Model,
    b: &Model,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
) -> PyResult<Collision> {
    let pair = pair(a, b, &pose(pose_a, "a")?, &pose(pose_b, "b")?)?;
    let found = py.detach(|| with_scratch(|scratch| pair.collide(&Settings::default(), scratch)));
    Ok(Collision {
        touching: (verdict(found.verdict) >= 0).then_some(verdict(found.verdict) == 1),
        triangles: found.witness.map(|pair| (pair.a.into(), pair.b.into())),
        work: counts(&found.stats),
        contained: None,
    })
}

#[pyfunction]
fn distance_once(
    py: Python<'_>,
    a: &Model,
    b: &Model,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
    relative: f64,
    absolute: f64,
) -> PyResult<Distance> {
    let world_from_a = pose(pose_a, "a")?;
    let pair = pair(a, b, &world_from_a, &pose(pose_b, "b")?)?;
    let tolerance = Tolerance::new(relative, absolute);
    let found = py.detach(|| with_scratch(|scratch| pair.distance(tolerance, &Settings::default(), scratch)));
    let [on_a, on_b] = pair_of(Some(found.witness));
    Ok(Distance {
        lower: found.lower,
        upper: found.upper,
        points: [found.on_a, found.on_b].map(|point| world_from_a.apply(point).to_array()),
        triangles: (on_a, on_b),
        work: counts(&found.stats),
    })
}
