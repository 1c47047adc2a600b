//! Which threads there are: a child process made with `fork` has none of its parent's, whose pool
//! would be waited for without end. A child has a pool of its own, made when it is first needed.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::mem::forget;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The process that has loaded the module.
static HOME: OnceLock<u32> = OnceLock::new();

/// Of a child: its number, so that its own children know that it is not theirs.
static CHILD: Mutex<Option<(u32, Arc<Pool>)>> = Mutex::new(None);

/// Threads of a child process.
pub(crate) struct Pool {
    pub(crate) threads: ThreadPool,
    /// One question at a time: a thread that waits takes up other tasks, and must not meet in them
    /// a scene that it has locked itself.
    gate: Mutex<()>,
}

/// Remembers which process this is.
pub(crate) fn begin() {
    HOME.get_or_init(std::process::id);
}

/// The pool to use in place of rayon's own; none where that is alive.
pub(crate) fn pool() -> PyResult<Option<Arc<Pool>>> {
    let process = std::process::id();
    if *HOME.get_or_init(|| process) == process {
        return Ok(None);
    }
    let mut known = CHILD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, pool)) = &*known
        && *of == process
    {
        return Ok(Some(pool.clone()));
    }
    let threads = ThreadPoolBuilder::new().build().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let pool = Arc::new(Pool { threads, gate: Mutex::new(()) });
    // Threads of another process cannot be ended from here.
    forget(known.replace((process, pool.clone())));
    Ok(Some(pool))
}

/// Does what may use a pool's threads, without the interpreter's lock.
pub(crate) fn on_threads<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool()?;
    Ok(py.detach(|| match pool {
        None => work(),
        Some(pool) => {
            let _alone = pool.gate.lock().unwrap_or_else(PoisonError::into_inner);
            pool.threads.install(work)
        }
    }))
}
