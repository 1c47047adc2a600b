//! The four papers, one module each.

pub mod kdop;
pub mod swept;

use crate::report::Report;
use crate::scale::Scale;

/// A paper's experiments.
#[derive(Debug, Clone, Copy)]
pub struct Paper {
    /// As on the command line.
    pub name: &'static str,
    /// Runs them all.
    pub run: fn(Scale) -> Report,
}

/// Every paper whose experiments exist.
pub const ALL: &[Paper] = &[Paper { name: "kdop", run: kdop::run }, Paper { name: "swept", run: swept::run }];
