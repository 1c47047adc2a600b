//! Parts that are made when they are first asked for, from wherever that is.
//!
//! Making a tree is parallel work, and whoever asks first may be a task of other parallel work: a query of a batch, a pair of an assembly. A thread of a pool that waits for parallel work takes up other tasks of its
//! pool meanwhile. If it did so while it holds the lock of a part, such a task could ask for the same part and wait for the thread it runs on: for ever. A thread outside of all pools is no better off: its work
//! goes to a pool whose threads may all be waiting for that lock.
//!
//! So parts are made in a pool of their own, whose tasks ask for no lazy part, and whoever asked waits without taking up anything else. What is made does not depend on the number of threads.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{LazyLock, OnceLock};

/// Threads for making parts, and for nothing else. None where no threads can be had.
static MAKERS: LazyLock<Option<ThreadPool>> =
    LazyLock::new(|| ThreadPoolBuilder::new().thread_name(|index| format!("nearhit-make-{index}")).build().ok());

/// A part that is made on first use.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lazy<T>(OnceLock<T>);

impl<T> Lazy<T> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The part, if it was made.
    pub(crate) fn get(&self) -> Option<&T> {
        self.0.get()
    }
}

impl<T: Send + Sync> Lazy<T> {
    /// The part, made now if need be. `make` must not ask for another lazy part: it takes what it needs ready-made.
    pub(crate) fn get_or_make(&self, make: impl FnOnce() -> T + Send) -> &T {
        self.0.get_or_init(|| apart(make))
    }
}

/// Runs parallel work in the makers' pool, and waits for it without taking up other tasks of this thread's own pool.
fn apart<T: Send>(make: impl FnOnce() -> T + Send) -> T {
    // Without threads there are no tasks to take up either.
    let Some(makers) = MAKERS.as_ref() else { return make() };
    debug_assert!(makers.current_thread_index().is_none(), "a lazy part was asked for while another was made");
    // Threads outside of all pools wait for a pool's work and do nothing else; those of a pool must not wait for another's themselves.
    if rayon::current_thread_index().is_none() {
        return makers.install(make);
    }
    std::thread::scope(|scope| match scope.spawn(|| makers.install(make)).join() {
        Ok(made) => made,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}
