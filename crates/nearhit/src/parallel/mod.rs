//! Threads, by rayon; without the feature `parallel` the same in one thread.
//!
//! All of the library's parallel work goes through this room. Its answers do not depend on the
//! number of threads, so that both kinds of build give the same ones.
//!
//! The names are those of rayon's iterators, as far as they are used here. The difference is what
//! is compiled: rayon's loop of tasks is compiled anew for every closure, and was a third of this
//! library's code; here one loop over numbered tasks ([`each`](tasks::each)) serves all.

mod iterator;
mod pieces;
mod tasks;

pub(crate) use iterator::{IntoParallelIterator, ParallelIterator, ParallelSlice};
#[cfg(test)]
pub(crate) use tasks::with_threads;
pub(crate) use tasks::{apart, join, made_in_place};
