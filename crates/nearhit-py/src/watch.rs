//! Runs something long on a pool's threads without the interpreter's lock. The thread that asked
//! comes back for the lock now and then, to see whether the
//! user wants to stop (Ctrl-C) and to tell how far it is.

use crate::fork;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How often the asking thread looks up.
const LOOK_UP: Duration = Duration::from_millis(50);

/// What came of it, and what interrupted it: an exception of a signal handler (Ctrl-C) or of the
/// user's function.
pub(crate) struct Watched<T> {
    pub(crate) result: T,
    pub(crate) interrupted: Option<PyErr>,
}

/// Runs `task` on so many threads, all cores if not said. `look_up` is called some times a second;
/// when it fails, `cancel` is set, which the task heeds.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    cancel: &AtomicBool,
    look_up: impl Fn(Python<'_>) -> PyResult<()> + Sync,
    task: impl FnOnce() -> T + Send,
) -> PyResult<Watched<T>> {
    let (asked, child) = match threads {
        Some(threads) => (Some(pool(threads)?), None),
        None => (None, fork::pool()?),
    };
    let pool = asked.as_ref().or(child.as_deref().map(|child| &child.threads));
    let mut interrupted = None;
    let result = py.detach(|| {
        let (send, receive) = mpsc::channel();
        scoped(pool, |scope| {
            // The sender goes along: should the task not end well, the receiver hears of it.
            scope.spawn(move |_| drop(send.send(task())));
            loop {
                match receive.recv_timeout(LOOK_UP) {
                    Ok(result) => return Some(result),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) if interrupted.is_none() => {
                        if let Err(error) = Python::attach(&look_up) {
                            cancel.store(true, Ordering::Relaxed);
                            interrupted = Some(error);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    });
    match result {
        Some(result) => Ok(Watched { result, interrupted }),
        None => Err(PyRuntimeError::new_err("a thread ended without an answer")),
    }
}

/// The tasks run in the pool, the function itself here.
fn scoped<'s, T>(pool: Option<&rayon::ThreadPool>, function: impl FnOnce(&rayon::Scope<'s>) -> T) -> T {
    match pool {
        Some(pool) => pool.in_place_scope(function),
        None => rayon::in_place_scope(function),
    }
}

/// As in the command: more than any machine has use for. A million would be started all the same.
const MOST_THREADS: usize = 1024;

fn pool(threads: usize) -> PyResult<rayon::ThreadPool> {
    if threads == 0 {
        return Err(PyValueError::new_err("threads must be at least 1"));
    }
    if threads > MOST_THREADS {
        return Err(PyValueError::new_err(format!("threads must be at most {MOST_THREADS}, not {threads}")));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
