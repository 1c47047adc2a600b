//! A query of two bodies: where they are, one pose or many, and its options. Every function that
//! asks about two models takes one, and asks with [`Query::ask`]; about a model or shape and
//! another, with [`Query::ask_shapes`].

use crate::answer::Answers;
use crate::errors::{self, QueryError, Refusal};
use crate::fork::on_threads;
use crate::model::Model;
use crate::poses::{Body, Held, Poses, View};
use crate::subject::Subject;
use crate::watch::{Watched, watched};
use glam::DVec3;
use nearhit::batch::{self, BatchError, BatchOptions, Seeding};
use nearhit::scene::{PathClearance, PathError, PosePath};
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Limit, Pair, Pose, Scratch, Seed, Settings, TrianglePair};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Two models or shapes, where they are, and options.
#[pyclass(frozen, module = "nearhit._native")]
pub(crate) struct Query {
    a: Subject,
    b: Subject,
    at_a: Poses,
    at_b: Poses,
    limit: Limit,
    seed: Option<Seed>,
    batch: Batch,
}

/// What only a batch heeds.
struct Batch {
    warm: bool,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
}

#[pymethods]
impl Query {
    /// Positional, in the order in which the package's functions list them.
    #[new]
    #[allow(clippy::too_many_arguments)] // As typed in Python.
    fn new(
        a: Subject,
        b: Subject,
        pose_a: Option<&Bound<'_, PyAny>>,
        pose_b: Option<&Bound<'_, PyAny>>,
        poses_a: Option<&Bound<'_, PyAny>>,
        poses_b: Option<&Bound<'_, PyAny>>,
        work: Option<i64>,
        budget_us: Option<f64>,
        seed: Option<&Bound<'_, PyAny>>,
        warm: bool,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let (at_a, at_b) = (Poses::new(pose_a, poses_a, Body::A)?, Poses::new(pose_b, poses_b, Body::B)?);
        let (limit, seed) = (limit(work, budget_us)?, seed.map(|seed| read_seed(seed, [&a, &b])).transpose()?);
        Ok(Self { a, b, at_a, at_b, limit, seed, batch: Batch { warm, threads, progress } })
    }
}

/// The limit of each query.
pub(crate) fn limit(work: Option<i64>, budget_us: Option<f64>) -> PyResult<Limit> {
    let refused = |message: String| Err(PyValueError::new_err(message));
    match (work, budget_us) {
        (None, None) => Ok(Limit::None),
        (Some(_), Some(_)) => refused("give work or budget_us, not both".to_owned()),
        (Some(work), None) => match u64::try_from(work) {
            Ok(units) => Ok(Limit::Work(units)),
            Err(_) => refused(format!("work must be at least 0, not {work}")),
        },
        (None, Some(microseconds)) => {
            Limit::microseconds(microseconds).map_err(|error| PyValueError::new_err(format!("budget_us {error}")))
        }
    }
}

/// Any two numbers: a tuple, or a row of an answer's triangles. A convex shape has no pieces: there
/// the number says nothing.
fn read_seed(given: &Bound<'_, PyAny>, of: [&Subject; 2]) -> PyResult<Seed> {
    let numbers: Vec<Bound<'_, PyAny>> = given.try_iter()?.collect::<PyResult<_>>()?;
    let triangle = |number: &Bound<'_, PyAny>, body: &Subject| match body.has_pieces() {
        true => number.extract::<u32>(),
        false => number.extract::<i64>().map(|_| 0),
    };
    match &numbers[..] {
        [a, b] => Ok(Seed(TrianglePair { a: triangle(a, of[0])?, b: triangle(b, of[1])? })),
        _ => {
            let count = numbers.len();
            Err(PyValueError::new_err(format!("a seed is a triangle of a and a triangle of b, not {count} numbers")))
        }
    }
}

impl Query {
    /// Asks about one pose, or about many on all cores, without the interpreter's lock. The
    /// question also says where the next query of a warm batch looks first.
    pub(crate) fn ask<'py, T: Send>(
        &self,
        py: Python<'py>,
        question: impl Fn(&Pair<'_>, &Settings<'_>, &mut Scratch) -> (T, Option<Seed>) + Sync,
    ) -> PyResult<Answers<'py, T>> {
        let (a, b) = self.models()?;
        let (a, b) = (&*a.native, &*b.native);
        self.ask_of(py, |at_a, at_b| Pair::new(a, at_a, b, at_b), question)
    }

    /// The same of shapes, of which meshes are one kind.
    pub(crate) fn ask_shapes<'py, T: Send>(
        &self,
        py: Python<'py>,
        question: impl Fn(&ShapePair<'_>, &Settings<'_>, &mut Scratch) -> (T, Option<Seed>) + Sync,
    ) -> PyResult<Answers<'py, T>> {
        let (a, b) = (self.a.shape(), self.b.shape());
        self.ask_of(py, |at_a, at_b| ShapePair::new(&a, at_a, &b, at_b), question)
    }

    /// Are both models?
    pub(crate) fn is_of_models(&self) -> bool {
        matches!((&self.a, &self.b), (Subject::Model(_), Subject::Model(_)))
    }

    /// Has each of them triangles, points or cells that an answer can name?
    pub(crate) fn pieces(&self) -> [bool; 2] {
        [&self.a, &self.b].map(|body| body.has_pieces())
    }

    /// A direction of the world in the frame of a, which is at one place.
    pub(crate) fn in_a(&self, direction: DVec3) -> DVec3 {
        match &self.at_a {
            Poses::One(pose) => pose.rotation().transpose() * direction,
            Poses::Many(_) => direction,
        }
    }

    /// The two models, for questions that only they answer.
    pub(crate) fn models(&self) -> PyResult<(&Model, &Model)> {
        Ok((self.a.model("a")?, self.b.model("b")?))
    }

    /// Refuses models and shapes of many pieces, for questions that only convex shapes answer.
    pub(crate) fn only_shapes(&self) -> PyResult<()> {
        for (body, name) in [(&self.a, "a"), (&self.b, "b")] {
            if let Subject::Model(_) = body {
                return Err(QueryError::new_err(format!(
                    "{name} is a model, a surface without an inside beside a shape; of two models ask depth or local_depth"
                )));
            }
            if let Subject::Shape(shape) = body
                && shape.get().has_pieces()
            {
                return Err(QueryError::new_err(format!(
                    "{name} is a {}: it has many pieces, penetration is of convex shapes and half-spaces",
                    shape.get().native().name()
                )));
            }
        }
        Ok(())
    }

    /// Makes what tells inside from outside before any thread asks for it: it is made on several
    /// threads itself.
    pub(crate) fn prepare_solids(&self, py: Python<'_>) -> PyResult<()> {
        let (a, b) = self.models()?;
        on_threads(py, || _ = (a.native.inside_method(), b.native.inside_method()))
    }

    /// Asks about all poses as a path: where the two are closest. Models are solids or surfaces.
    pub(crate) fn ask_path<'py>(&self, py: Python<'py>, solid: bool) -> PyResult<Answers<'py, PathClearance>> {
        let (held_a, held_b) = (self.at_a.hold(py), self.at_b.hold(py));
        let (at_a, at_b) = (held_a.view(), held_b.view());
        let no_poses = || PyValueError::new_err("a path needs many poses: give poses_a or poses_b");
        let count = count(&at_a, &at_b)?.ok_or_else(no_poses)?;
        let place = |index: usize| -> PyResult<Pose> {
            let poses = at_a.pose(index, Body::A).and_then(|a| Ok((a, at_b.pose(index, Body::B)?)));
            let (a, b) = poses.map_err(|refusal| refusal.into_error(Some(index)))?;
            Ok(Pose::a_from_b(&a, &b))
        };
        let poses = (0..count).map(place).collect::<PyResult<Vec<Pose>>>()?;
        let [a, b] = [&self.a, &self.b].map(|body| match (body, body.shape()) {
            (Subject::Model(model), _) if solid => Shape::solid(model.get().native.clone()),
            (_, shape) => shape,
        });
        let found = py.detach(|| {
            let (path, settings) = (PosePath::new(&a, &b, &poses)?, Settings::new().budget(self.limit).seed(self.seed));
            Ok(with_scratch(|scratch| path.least_clearance(&settings, scratch)))
        });
        let found = found.map_err(|error: PathError| QueryError::new_err(error.to_string()))?;
        let world_from_a = at_a.pose(found.pose, Body::A).map_err(|refusal| refusal.into_error(Some(found.pose)))?;
        Ok(Answers::new(py, Held::One(world_from_a), vec![found], false, self.pieces()))
    }

    fn ask_of<'py, P, T: Send>(
        &self,
        py: Python<'py>,
        place: impl Fn(&Pose, &Pose) -> Result<P, nearhit::QueryError> + Sync,
        question: impl Fn(&P, &Settings<'_>, &mut Scratch) -> (T, Option<Seed>) + Sync,
    ) -> PyResult<Answers<'py, T>> {
        let (held_a, held_b) = (self.at_a.hold(py), self.at_b.hold(py));
        let (at_a, at_b) = (held_a.view(), held_b.view());
        let count = count(&at_a, &at_b)?;
        let pair = |index: usize| {
            let (a, b) = (at_a.pose(index, Body::A)?, at_b.pose(index, Body::B)?);
            place(&a, &b).map_err(Refusal::Query)
        };
        let answers = match count {
            None => vec![self.ask_once(py, pair, question)?],
            Some(count) => self.ask_many(py, pair, count, question)?,
        };
        Ok(Answers::new(py, held_a, answers, count.is_some(), self.pieces()))
    }

    fn ask_once<P, T: Send>(
        &self,
        py: Python<'_>,
        pair: impl Fn(usize) -> Result<P, Refusal> + Sync,
        question: impl Fn(&P, &Settings<'_>, &mut Scratch) -> (T, Option<Seed>) + Sync,
    ) -> PyResult<T> {
        let found = py.detach(|| {
            let pair = pair(0)?;
            let settings = Settings::new().budget(self.limit).seed(self.seed);
            Ok(with_scratch(|scratch| question(&pair, &settings, scratch).0))
        });
        found.map_err(|refusal: Refusal| refusal.into_error(None))
    }

    fn ask_many<P, T: Send>(
        &self,
        py: Python<'_>,
        pair: impl Fn(usize) -> Result<P, Refusal> + Sync,
        count: usize,
        question: impl Fn(&P, &Settings<'_>, &mut Scratch) -> (T, Option<Seed>) + Sync,
    ) -> PyResult<Vec<T>> {
        drop(errors::room::<T>(count)?);
        let Batch { warm, threads, progress } = &self.batch;
        let (cancel, done) = (AtomicBool::new(false), AtomicUsize::new(0));
        let note = |now: usize| {
            done.fetch_max(now, Ordering::Relaxed);
        };
        let options = BatchOptions::new()
            .limit(self.limit)
            .seeding(if *warm { Seeding::Warm } else { Seeding::Cold })
            .seed(self.seed)
            .progress(&note)
            .cancel(&cancel);
        let look_up = |py: Python<'_>| -> PyResult<()> {
            py.check_signals()?;
            match progress {
                Some(progress) => progress.call1(py, (done.load(Ordering::Relaxed), count)).map(drop),
                None => Ok(()),
            }
        };
        let task = || batch::each(count, &pair, &options, &question);
        let Watched { result, interrupted } = watched(py, *threads, &cancel, look_up, task)?;
        if let Some(error) = interrupted {
            return Err(error);
        }
        if progress.is_some() {
            look_up(py)?;
        }
        result.map_err(|error| match error {
            BatchError::Refused { index, error } => error.into_error(Some(index)),
            error => PyRuntimeError::new_err(error.to_string()),
        })
    }
}

/// How many queries; none for a single one.
fn count(at_a: &View<'_>, at_b: &View<'_>) -> PyResult<Option<usize>> {
    match (at_a.count(), at_b.count()) {
        (Some(a), Some(b)) if a != b => Err(PyValueError::new_err(format!("there are {a} poses of a, but {b} of b"))),
        (a, b) => Ok(a.or(b)),
    }
}

/// Working memory that stays warm from call to call, one for each thread.
pub(crate) fn with_scratch<T>(work: impl FnOnce(&mut Scratch) -> T) -> T {
    thread_local!(static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new()));
    SCRATCH.with_borrow_mut(work)
}
