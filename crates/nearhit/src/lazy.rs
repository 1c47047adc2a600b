//! Parts that are made when they are first asked for, from wherever that is.
//!
//! Making a tree is parallel work, and whoever asks first may be a task of other parallel work: a
//! query of a batch, a pair of an assembly. A thread of a pool that waits for parallel work takes
//! up other tasks of its pool meanwhile. If it did so while it holds the lock of a part, such a
//! task could ask for the same part and wait for the thread it runs on: for ever. A thread outside
//! of all pools is no better off: its work goes to a pool whose threads may all be waiting for that
//! lock.
//!
//! So parts are made in a pool of their own, whose tasks ask for no lazy part, and whoever asked
//! waits without taking up anything else. What is made does not depend on the number of threads.

use crate::parallel::apart;
use std::sync::OnceLock;

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

    /// Keeps a part that was made elsewhere, unless there is one already, which is then the same.
    pub(crate) fn keep(&self, made: T) -> &T {
        self.0.get_or_init(|| made)
    }
}

impl<T: Send + Sync> Lazy<T> {
    /// The part, made now if need be. `make` must not ask for another lazy part: it takes what it
    /// needs ready-made.
    pub(crate) fn get_or_make(&self, make: impl FnOnce() -> T + Send) -> &T {
        self.0.get_or_init(|| apart(make))
    }
}
