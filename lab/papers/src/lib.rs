//! The experiments of the four papers, one module each, rerun with nearhit.
//!
//! A paper's experiments are a function that returns a [`lab_report::Report`]: tables, plots, and a
//! verdict on each claim of the paper. Work counters in them repeat exactly; times are of the
//! machine at hand.

pub mod adb;
pub mod kdop;
pub mod spheres;
pub mod swept;

use anyhow::Context;
use lab_report::Report;
use lab_report::scale::Scale;

/// A paper's experiments.
#[derive(Debug, Clone, Copy)]
pub struct Paper {
    /// As on the command line.
    pub name: &'static str,
    /// Runs them all.
    pub run: fn(Scale) -> Report,
}

/// Every paper whose experiments exist.
pub const ALL: &[Paper] = &[
    Paper { name: "kdop", run: kdop::run },
    Paper { name: "swept", run: swept::run },
    Paper { name: "adb", run: adb::run },
    Paper { name: "spheres", run: spheres::run },
];

/// Those of these names, all if there are none.
pub fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Paper>> {
    let find = |name: &String| {
        let known = || ALL.iter().map(|paper| paper.name).collect::<Vec<_>>().join(", ");
        let found = ALL.iter().find(|paper| paper.name == name);
        found.with_context(|| format!("there are no experiments \"{name}\"; known: {}", known()))
    };
    if names.is_empty() { Ok(ALL.iter().collect()) } else { names.iter().map(find).collect() }
}
