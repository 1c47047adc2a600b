//! How a robot is asked: about one configuration, or every row of an array on all cores, without
//! the interpreter's lock.

use crate::errors::RobotError;
use crate::robot::{Names, RobotChecker, names};
use crate::watch::{Watched, watched};
use nearhit::batch::{BatchError, BatchOptions};
use nearhit_robot::{CheckError, CheckScratch, Checker, Closest, PathOptions, PathVerdict, Undecided};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub(crate) fn refused(error: CheckError) -> PyErr {
    RobotError::new_err(error.to_string())
}

fn of_batch(error: BatchError<CheckError>) -> PyErr {
    match error {
        BatchError::Refused { index, error } => RobotError::new_err(format!("configuration {index}: {error}")),
        error => PyRuntimeError::new_err(error.to_string()),
    }
}

/// Working memory that stays warm from call to call, one for each thread.
pub(crate) fn with_scratch<T>(work: impl FnOnce(&mut CheckScratch) -> T) -> T {
    thread_local!(static SCRATCH: RefCell<CheckScratch> = RefCell::new(CheckScratch::default()));
    SCRATCH.with_borrow_mut(work)
}

/// How a batch is run.
#[derive(FromPyObject)]
pub(crate) struct Batch {
    #[pyo3(item)]
    threads: Option<usize>,
    #[pyo3(item)]
    progress: Option<Py<PyAny>>,
}

impl RobotChecker {
    /// Asks about every row of an array, on all cores.
    pub(crate) fn each<T: Send>(
        &self,
        py: Python<'_>,
        q: &PyReadonlyArray2<'_, f64>,
        batch: &Batch,
        ask: impl Fn(&Checker, &[f64], &mut CheckScratch) -> Result<T, CheckError> + Sync,
    ) -> PyResult<Vec<T>> {
        let (configurations, count) = (q.as_slice()?, q.shape()[0]);
        let (cancel, done) = (AtomicBool::new(false), AtomicUsize::new(0));
        let note = |now: usize| _ = done.fetch_max(now, Ordering::Relaxed);
        let look_up = |py: Python<'_>| -> PyResult<()> {
            py.check_signals()?;
            match &batch.progress {
                Some(progress) => progress.call1(py, (done.load(Ordering::Relaxed), count)).map(drop),
                None => Ok(()),
            }
        };
        let ask = &ask;
        let task = || self.read().each(configurations, &BatchOptions::new().progress(&note).cancel(&cancel), ask);
        let Watched { result, interrupted } = watched(py, batch.threads, &cancel, look_up, task)?;
        if let Some(error) = interrupted {
            return Err(error);
        }
        if batch.progress.is_some() {
            look_up(py)?;
        }
        result.map_err(of_batch)
    }

    /// Asks about one configuration.
    pub(crate) fn one<T: Send>(
        &self,
        py: Python<'_>,
        q: &PyReadonlyArray1<'_, f64>,
        ask: impl FnOnce(&Checker, &[f64], &mut CheckScratch) -> Result<T, CheckError> + Send,
    ) -> PyResult<T> {
        let q = q.as_slice()?;
        py.detach(|| with_scratch(|scratch| ask(&self.read(), q, scratch))).map_err(refused)
    }
}

/// A closest pair and its gradient.
type Found = (Option<Closest>, Option<Vec<f64>>);

pub(crate) fn closest(
    checker: &Checker,
    q: &[f64],
    with_gradient: bool,
    scratch: &mut CheckScratch,
) -> Result<Found, CheckError> {
    let Some(closest) = checker.closest(q, scratch)? else { return Ok((None, None)) };
    if !with_gradient {
        return Ok((Some(closest), None));
    }
    let mut gradient = Vec::new();
    if !checker.gradient(q, &closest, scratch, &mut gradient)? {
        gradient = vec![0.0; checker.robot().velocities()];
    }
    Ok((Some(closest), Some(gradient)))
}

/// Clear or not or unknown, certain until, contact at, names of the pair, why, configurations,
/// tests.
pub(crate) type PathRow = (Option<bool>, f64, Option<f64>, Option<Names>, Option<&'static str>, u64, u64);

/// What is known of a line, as a row.
pub(crate) fn path_row(checker: &Checker, [q0, q1]: [&[f64]; 2], options: &PathOptions) -> Result<PathRow, CheckError> {
    let found = with_scratch(|scratch| checker.path_clear(q0, q1, options, scratch))?;
    let (configurations, tests) = (found.configurations, found.tests);
    Ok(match found.verdict {
        PathVerdict::Clear => (Some(true), 1.0, None, None, None, configurations, tests),
        PathVerdict::Contact { after, at, pair, .. } => {
            (Some(false), after, Some(at), Some(names(checker, pair)), None, configurations, tests)
        }
        PathVerdict::Undecided { certain_until, pair, why, .. } => {
            let why = if why == Undecided::Budget { "budget" } else { "too close" };
            (None, certain_until, None, Some(names(checker, pair)), Some(why), configurations, tests)
        }
        _ => (None, 0.0, None, None, None, configurations, tests),
    })
}
