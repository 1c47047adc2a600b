//! A query of two models: where they are, one pose or many, and its options. Every function that
//! asks about two models takes one, and asks with [`Query::ask`].

use crate::answer::Answers;
use crate::errors::Refusal;
use crate::model::Model;
use crate::poses::{Body, Poses, View};
use crate::watch::{Watched, watched};
use nearhit::batch::{self, BatchError, BatchOptions, Seeding};
use nearhit::{Limit, Pair, Scratch, Seed, Settings, TrianglePair};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Two models, where they are, and options.
#[pyclass(frozen, module = "nearhit._native")]
pub(crate) struct Query {
    a: Py<Model>,
    b: Py<Model>,
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
        a: Py<Model>,
        b: Py<Model>,
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
        let (limit, seed) = (limit(work, budget_us)?, seed.map(read_seed).transpose()?);
        Ok(Self { a, b, at_a, at_b, limit, seed, batch: Batch { warm, threads, progress } })
    }
}

/// The limit of each query.
fn limit(work: Option<i64>, budget_us: Option<f64>) -> PyResult<Limit> {
    let refused = |message: String| Err(PyValueError::new_err(message));
    match (work, budget_us) {
        (None, None) => Ok(Limit::None),
        (Some(_), Some(_)) => refused("give work or budget_us, not both".to_owned()),
        (Some(work), None) => match u64::try_from(work) {
            Ok(units) => Ok(Limit::Work(units)),
            Err(_) => refused(format!("work must be at least 0, not {work}")),
        },
        (None, Some(microseconds)) => match Limit::microseconds(microseconds) {
            Ok(limit) => Ok(limit),
            Err(_) => refused(format!("budget_us must be at least 0, not {microseconds}")),
        },
    }
}

/// Any two numbers: a tuple, or a row of an answer's triangles.
fn read_seed(given: &Bound<'_, PyAny>) -> PyResult<Seed> {
    let triangles: Vec<u32> = given.try_iter()?.map(|one| one?.extract()).collect::<PyResult<_>>()?;
    match triangles[..] {
        [a, b] => Ok(Seed(TrianglePair { a, b })),
        _ => {
            let count = triangles.len();
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
        let (at_a, at_b) = (self.at_a.hold(py), self.at_b.hold(py));
        let placed = Placed { a: &self.a.get().native, b: &self.b.get().native, at_a: at_a.view(), at_b: at_b.view() };
        let count = placed.count()?;
        let answers = match count {
            None => vec![self.ask_once(py, &placed, question)?],
            Some(count) => self.ask_many(py, &placed, count, question)?,
        };
        Ok(Answers::new(py, at_a, answers, count.is_some()))
    }

    /// Makes what tells inside from outside before any thread asks for it: it is made on several
    /// threads itself.
    pub(crate) fn prepare_solids(&self, py: Python<'_>) {
        let (a, b) = (self.a.get(), self.b.get());
        py.detach(|| _ = (a.native.inside_method(), b.native.inside_method()));
    }

    pub(crate) fn models(&self) -> (&Model, &Model) {
        (self.a.get(), self.b.get())
    }

    fn ask_once<T: Send>(
        &self,
        py: Python<'_>,
        placed: &Placed<'_>,
        question: impl Fn(&Pair<'_>, &Settings<'_>, &mut Scratch) -> (T, Option<Seed>) + Sync,
    ) -> PyResult<T> {
        let pair = placed.pair(0).map_err(|refusal| refusal.into_error(None))?;
        Ok(py.detach(|| {
            let settings = Settings::new().budget(self.limit).seed(self.seed);
            with_scratch(|scratch| question(&pair, &settings, scratch).0)
        }))
    }

    fn ask_many<T: Send>(
        &self,
        py: Python<'_>,
        placed: &Placed<'_>,
        count: usize,
        question: impl Fn(&Pair<'_>, &Settings<'_>, &mut Scratch) -> (T, Option<Seed>) + Sync,
    ) -> PyResult<Vec<T>> {
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
        let task = || batch::each(count, |index| placed.pair(index), &options, &question);
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

/// Two models and where they are, for threads without the interpreter's lock.
struct Placed<'a> {
    a: &'a nearhit::Model,
    b: &'a nearhit::Model,
    at_a: View<'a>,
    at_b: View<'a>,
}

impl<'a> Placed<'a> {
    /// How many queries; none for a single one.
    fn count(&self) -> PyResult<Option<usize>> {
        match (self.at_a.count(), self.at_b.count()) {
            (Some(a), Some(b)) if a != b => {
                Err(PyValueError::new_err(format!("there are {a} poses of a, but {b} of b")))
            }
            (a, b) => Ok(a.or(b)),
        }
    }

    fn pair(&self, index: usize) -> Result<Pair<'a>, Refusal> {
        let (a, b) = (self.at_a.pose(index, Body::A)?, self.at_b.pose(index, Body::B)?);
        Pair::new(self.a, &a, self.b, &b).map_err(Refusal::Query)
    }
}

/// Working memory that stays warm from call to call, one for each thread.
pub(crate) fn with_scratch<T>(work: impl FnOnce(&mut Scratch) -> T) -> T {
    thread_local!(static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new()));
    SCRATCH.with_borrow_mut(work)
}
