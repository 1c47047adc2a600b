//! A part that is made when it is first asked for, by any thread, also one of a pool.
//!
//! No lock is held while it is made: a thread that waits for parallel work takes up other tasks of
//! its pool, and one of those may ask for the same part. Threads that ask at the same time each
//! make it, and keep the first.

use std::sync::OnceLock;

pub(crate) struct Once<T>(OnceLock<T>);

impl<T> Once<T> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The part; `make` makes the same each time.
    pub(crate) fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        if let Some(made) = self.0.get() {
            return made;
        }
        let made = make();
        self.0.get_or_init(|| made)
    }
}
