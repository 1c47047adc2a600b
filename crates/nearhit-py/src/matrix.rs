//! Certified collision matrices, for `python/nearhit/_matrix.py`.

use crate::errors::RobotError;
use crate::robot::RobotChecker;
use crate::watch::{Watched, watched};
use nearhit_robot::{Checker, MatrixEntry, MatrixOptions, MatrixSearch, PairVerdict};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(collision_matrix, module)?)
}

/// Tests for each open pair, between looks at the clock.
const STEP: u64 = 2000;

/// What is asked, beside the robot.
#[derive(FromPyObject)]
struct Asked {
    #[pyo3(item)]
    tests: u64,
    #[pyo3(item)]
    seconds: Option<f64>,
    #[pyo3(item)]
    samples: u32,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    state: Option<String>,
    #[pyo3(item)]
    threads: Option<usize>,
    #[pyo3(item)]
    progress: Option<Py<PyAny>>,
}

/// Links, verdict, share left, smallest distance, two witnesses, tests.
type Row<'py> =
    (String, String, &'static str, f64, f64, Option<Bound<'py, PyArray1<f64>>>, Option<Bound<'py, PyArray1<f64>>>, u64);

/// What a search found.
struct Found {
    entries: Vec<MatrixEntry>,
    srdf: String,
    state: String,
}

/// Rows, an SRDF, and the state of the search.
#[pyfunction]
fn collision_matrix<'py>(
    py: Python<'py>,
    robot: &RobotChecker,
    asked: Asked,
) -> PyResult<(Vec<Row<'py>>, String, String)> {
    // Its own: nothing waits for a search that may take long.
    let checker = robot.snapshot();
    let (cancel, done, count) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let look_up = |py: Python<'_>| -> PyResult<()> {
        py.check_signals()?;
        let now = (done.load(Ordering::Relaxed), count.load(Ordering::Relaxed));
        asked.progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, now).map(drop))
    };
    let tell = |decided: usize, all: usize| {
        done.store(decided, Ordering::Relaxed);
        count.store(all, Ordering::Relaxed);
    };
    let task = || search(&checker, &asked, &cancel, tell);
    let Watched { result, interrupted } = watched(py, asked.threads, &cancel, look_up, task)?;
    if let Some(error) = interrupted {
        return Err(error);
    }
    let found = result.map_err(RobotError::new_err)?;
    let rows = found.entries.into_iter().map(|entry| row(py, &checker, entry)).collect();
    Ok((rows, found.srdf, found.state))
}

fn search(checker: &Checker, asked: &Asked, cancel: &AtomicBool, tell: impl Fn(usize, usize)) -> Result<Found, String> {
    let (started, limit) = (Instant::now(), asked.seconds.map(|seconds| Duration::from_secs_f64(seconds.max(0.0))));
    let options = MatrixOptions::new().samples(asked.samples).seed(asked.seed);
    let mut search = match &asked.state {
        Some(state) => MatrixSearch::resume(checker, state).map_err(|error| error.to_string())?,
        None => MatrixSearch::new(checker, options).map_err(|error| error.to_string())?,
    };
    let mut given = 0;
    while given < asked.tests && !search.is_done() && !cancel.load(Ordering::Relaxed) {
        search.advance(STEP.min(asked.tests - given), Some(cancel)).map_err(|error| error.to_string())?;
        given += STEP;
        let is_decided = |entry: &MatrixEntry| !matches!(entry.verdict, PairVerdict::Open { .. });
        tell(search.entries().filter(is_decided).count(), search.entries().count());
        if limit.is_some_and(|limit| started.elapsed() >= limit) {
            break;
        }
    }
    Ok(Found { entries: search.entries().collect(), srdf: search.srdf(), state: search.save() })
}

fn row<'py>(py: Python<'py>, checker: &Checker, entry: MatrixEntry) -> Row<'py> {
    let [a, b] = entry.links.map(|link| checker.robot().links()[link].name.clone());
    let (verdict, left, touching, clear) = match entry.verdict {
        PairVerdict::Never => ("never", 0.0, None, None),
        PairVerdict::Always => ("always", 0.0, None, None),
        PairVerdict::Sometimes { touching, clear, .. } => ("sometimes", 0.0, Some(touching), Some(clear)),
        PairVerdict::Open { left, .. } => ("open", left, None, None),
        _ => ("open", 1.0, None, None),
    };
    let array = |q: Option<Vec<f64>>| q.map(|q| q.into_pyarray(py));
    (a, b, verdict, left, entry.closest, array(touching), array(clear), entry.tests)
}
