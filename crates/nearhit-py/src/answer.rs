//! What a query gave, as the fields of a Python class: of one pose a value each, of a batch an
//! array each. The order of the fields is that of the class.

use crate::poses::{Body, Held};
use glam::DVec3;
use nearhit::{Pose, QueryError, Stats, TrianglePair};
use numpy::ndarray::{Array1, Array2, Array3};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

pub(crate) type Fields<'py> = PyResult<Bound<'py, PyTuple>>;

/// Answers of one pose or of many, and the fields made of them so far.
pub(crate) struct Answers<'py, T> {
    py: Python<'py>,
    at_a: Held<'py>,
    answers: Vec<T>,
    is_batch: bool,
    /// Of a, of b: shapes have none.
    has_triangles: [bool; 2],
    fields: Vec<Bound<'py, PyAny>>,
}

impl<'py, T> Answers<'py, T> {
    pub(crate) fn new(
        py: Python<'py>,
        at_a: Held<'py>,
        answers: Vec<T>,
        is_batch: bool,
        has_triangles: [bool; 2],
    ) -> Self {
        Self { py, at_a, answers, is_batch, has_triangles, fields: Vec::new() }
    }

    /// For classes that are made here: the answer to a single query.
    pub(crate) fn single(&self) -> Option<&T> {
        if self.is_batch { None } else { self.answers.first() }
    }

    /// Yes, no or undecided. One: `bool | None`. Batch: two arrays, whether it is certain and
    /// whether it is known.
    pub(crate) fn verdict(self, of: impl Fn(&T) -> Option<bool>) -> PyResult<Self> {
        if !self.is_batch {
            return self.scalar(of);
        }
        let yes = column(self.py, self.answers.iter().map(|one| of(one) == Some(true)));
        let known = column(self.py, self.answers.iter().map(|one| of(one).is_some()));
        Ok(self.with(yes.into_any()).with(known.into_any()))
    }

    /// A number or a bool. Batch: (k,).
    pub(crate) fn value<V: Element + IntoPyObject<'py>>(self, of: impl Fn(&T) -> V) -> PyResult<Self> {
        if !self.is_batch {
            return self.scalar(of);
        }
        let values = column(self.py, self.answers.iter().map(of));
        Ok(self.with(values.into_any()))
    }

    /// Two triangles. One: `(a, b)` or `None`. Batch: (k, 2), -1 where there are none. A shape's is
    /// always -1.
    pub(crate) fn pair(self, of: impl Fn(&T) -> Option<TrianglePair>) -> PyResult<Self> {
        if let Some(one) = self.single() {
            let field = self.triangles(of(one)).into_bound_py_any(self.py)?;
            return Ok(self.with(field));
        }
        let row = |one: &T| self.triangles(of(one)).map_or([-1; 2], |(a, b)| [a, b]);
        let pairs = table(self.py, self.answers.iter().map(row));
        Ok(self.with(pairs.into_any()))
    }

    /// Two triangles, if one of the bodies has any.
    pub(crate) fn triangles(&self, witness: Option<TrianglePair>) -> Option<(i64, i64)> {
        witness.filter(|_| self.has_triangles != [false; 2]).map(|witness| self.sides(witness))
    }

    /// Two triangles, -1 for a convex shape.
    pub(crate) fn sides(&self, witness: TrianglePair) -> (i64, i64) {
        let [a, b] = self.has_triangles;
        (if a { witness.a.into() } else { -1 }, if b { witness.b.into() } else { -1 })
    }

    /// Points of a and of b, given in a's frame, in the world. One: (2, 3). Batch: (k, 2, 3).
    pub(crate) fn points(self, of: impl Fn(&T) -> [DVec3; 2]) -> Self {
        if !self.is_batch {
            let rows: Vec<[f64; 3]> = self.placed().flat_map(|(one, pose)| in_world(&pose, of(one))).collect();
            let points = table(self.py, rows.into_iter());
            return self.with(points.into_any());
        }
        self.point_pairs(|one, pose| vec![in_world(pose, of(one))])
    }

    /// A direction of a's frame, in the world. One: (3,). Batch: (k, 3).
    pub(crate) fn direction(self, of: impl Fn(&T) -> DVec3) -> Self {
        let rows: Vec<[f64; 3]> = self.placed().map(|(one, pose)| (pose.rotation() * of(one)).to_array()).collect();
        let field = match rows[..] {
            [row] if !self.is_batch => column(self.py, row.into_iter()).into_any(),
            _ => table(self.py, rows.into_iter()).into_any(),
        };
        self.with(field)
    }

    /// A point of a's frame, in the world; NaN where there is none. One: (3,). Batch: (k, 3).
    pub(crate) fn point(self, of: impl Fn(&T) -> Option<DVec3>) -> Self {
        let row = |(one, pose): (&T, Pose)| of(one).map_or([f64::NAN; 3], |point| pose.apply(point).to_array());
        let rows: Vec<[f64; 3]> = self.placed().map(row).collect();
        let field = match rows[..] {
            [row] if !self.is_batch => column(self.py, row.into_iter()).into_any(),
            _ => table(self.py, rows.into_iter()).into_any(),
        };
        self.with(field)
    }

    /// A box of a's frame: the least and the greatest corner of the box around it in the world; NaN
    /// where there is none. One: (2, 3). Batch: (k, 2, 3).
    pub(crate) fn bounds(self, of: impl Fn(&T) -> Option<[DVec3; 2]>) -> Self {
        let around = |one: &T, pose: &Pose| of(one).map_or([[f64::NAN; 3]; 2], |corners| box_around(corners, pose));
        if !self.is_batch {
            let rows: Vec<[f64; 3]> = self.placed().flat_map(|(one, pose)| around(one, &pose)).collect();
            let corners = table(self.py, rows.into_iter());
            return self.with(corners.into_any());
        }
        self.point_pairs(|one, pose| vec![around(one, pose)])
    }

    /// N_v, N_p and N_u. One: the package's `Work`. Batch: (k, 3).
    pub(crate) fn work(self, of: impl Fn(&T) -> Stats) -> PyResult<Self> {
        if let Some(one) = self.single() {
            let work = work(self.py, counts(&of(one)))?;
            return Ok(self.with(work));
        }
        Ok(self.each_work(of))
    }

    /// Lists of rows, those of one pose after those of the other: (n, N). The pose is a's.
    pub(crate) fn rows<V: Element, const N: usize>(self, of: impl Fn(&T, &Pose) -> Vec<[V; N]>) -> Self {
        let rows: Vec<[V; N]> = self.placed().flat_map(|(one, pose)| of(one, &pose)).collect();
        let rows = table(self.py, rows.into_iter());
        self.with(rows.into_any())
    }

    /// Lists of points of a and of b, in the world: (n, 2, 3).
    pub(crate) fn point_pairs(self, of: impl Fn(&T, &Pose) -> Vec<[[f64; 3]; 2]>) -> Self {
        let points: Vec<[[f64; 3]; 2]> = self.placed().flat_map(|(one, pose)| of(one, &pose)).collect();
        let points = Array3::from_shape_fn((points.len(), 2, 3), |(pair, side, axis)| points[pair][side][axis]);
        let points = points.into_pyarray(self.py);
        self.with(points.into_any())
    }

    /// Lists of numbers: (n,).
    pub(crate) fn list<V: Element>(self, of: impl Fn(&T) -> Vec<V>) -> Self {
        let values = column(self.py, self.answers.iter().flat_map(of));
        self.with(values.into_any())
    }

    /// Where lists of these lengths start, and the last ends: (n + 1,).
    pub(crate) fn starts(self, lengths: impl Fn(&T) -> Vec<usize>) -> Self {
        let starts = column(self.py, starts(self.answers.iter().flat_map(lengths)));
        self.with(starts.into_any())
    }

    /// Of each pose, also of a single one: (k,).
    pub(crate) fn each<V: Element>(self, of: impl Fn(&T) -> V) -> Self {
        let values = column(self.py, self.answers.iter().map(of));
        self.with(values.into_any())
    }

    /// N_v, N_p and N_u of each pose: (k, 3).
    pub(crate) fn each_work(self, of: impl Fn(&T) -> Stats) -> Self {
        let works = table(self.py, self.answers.iter().map(|one| counts(&of(one)).into()));
        self.with(works.into_any())
    }

    /// All fields.
    pub(crate) fn fields(self) -> Fields<'py> {
        PyTuple::new(self.py, self.fields)
    }

    /// Where a is in query `index`; it was accepted when the query was asked.
    pub(crate) fn pose_a(&self, index: usize) -> Pose {
        self.at_a.view().pose(index, Body::A).unwrap_or(Pose::IDENTITY)
    }

    fn placed(&self) -> impl Iterator<Item = (&T, Pose)> {
        self.answers.iter().enumerate().map(|(index, one)| (one, self.pose_a(index)))
    }

    fn with(mut self, field: Bound<'py, PyAny>) -> Self {
        self.fields.push(field);
        self
    }

    fn scalar<V: IntoPyObject<'py>>(self, of: impl Fn(&T) -> V) -> PyResult<Self> {
        let field = self.answers.first().map(of).into_bound_py_any(self.py)?;
        Ok(self.with(field))
    }
}

impl<'py, T> Answers<'py, Result<T, QueryError>> {
    /// If no query was refused.
    pub(crate) fn accepted(self) -> PyResult<Answers<'py, T>> {
        let Self { py, at_a, answers, is_batch, has_triangles, fields } = self;
        let answers = answers.into_iter().collect::<Result<_, _>>().map_err(crate::errors::of_query)?;
        Ok(Answers { py, at_a, answers, is_batch, has_triangles, fields })
    }
}

pub(crate) fn in_world(pose: &Pose, points: [DVec3; 2]) -> [[f64; 3]; 2] {
    points.map(|point| pose.apply(point).to_array())
}

/// N_v, N_p and N_u as the package's `Work`.
pub(crate) fn work<'py>(py: Python<'py>, counts: (u64, u64, u64)) -> PyResult<Bound<'py, PyAny>> {
    static WORK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    WORK.import(py, "nearhit._results", "Work")?.call1(counts)
}

pub(crate) fn counts(stats: &Stats) -> (u64, u64, u64) {
    (stats.volume_tests, stats.triangle_tests, stats.updates)
}

pub(crate) fn indices(pair: Option<TrianglePair>) -> [i64; 2] {
    pair.map_or([-1; 2], |pair| [pair.a.into(), pair.b.into()])
}

/// (n, N)
pub(crate) fn table<'py, T: Element, const N: usize>(
    py: Python<'py>,
    rows: impl ExactSizeIterator<Item = [T; N]>,
) -> Bound<'py, PyArray2<T>> {
    let shape = (rows.len(), N);
    Array2::from_shape_vec(shape, rows.flatten().collect()).expect("N numbers a row").into_pyarray(py)
}

/// (n,)
pub(crate) fn column<T: Element>(py: Python<'_>, values: impl Iterator<Item = T>) -> Bound<'_, PyArray1<T>> {
    Array1::from_iter(values).into_pyarray(py)
}

/// Where runs of these lengths start, and the last ends.
pub(crate) fn starts(lengths: impl Iterator<Item = usize>) -> impl Iterator<Item = i64> {
    std::iter::once(0).chain(lengths).scan(0, |end, length| {
        *end += length as i64;
        Some(*end)
    })
}

/// The box around a moved box.
fn box_around([low, high]: [DVec3; 2], pose: &Pose) -> [[f64; 3]; 2] {
    let corner = |index: u32| {
        let end = |axis: usize| if index >> axis & 1 == 1 { high[axis] } else { low[axis] };
        pose.apply(DVec3::new(end(0), end(1), end(2)))
    };
    let (least, most) = (1..8).map(corner).fold((corner(0), corner(0)), |(l, h), point| (l.min(point), h.max(point)));
    [least.to_array(), most.to_array()]
}
