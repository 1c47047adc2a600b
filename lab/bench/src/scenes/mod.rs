//! Many bodies: a simulator after the sphere-tree paper's (§11.3), broad phases as scenes grow,
//! meshes that change, and long runs.

mod budgets;
mod edits;
mod growth;
mod runs;
mod soak;
mod statistics;

use lab_report::Report;
use lab_report::scale::Scale;

/// A part: its name on the command line, and what runs it.
pub type Part = (&'static str, fn(Scale) -> anyhow::Result<Report>);

/// All parts.
pub const PARTS: &[Part] = &[
    ("runs", runs::run),
    ("budgets", budgets::run),
    ("growth", growth::run),
    ("edits", edits::run),
    ("soak", soak::run),
];

/// Those named, or all.
pub fn run(scale: Scale, named: &[String]) -> anyhow::Result<Report> {
    let mut report = Report::new("Scenes");
    for (name, part) in PARTS.iter().filter(|(name, _)| named.is_empty() || named.iter().any(|named| named == name)) {
        lab_report::progress::begins(name);
        report.append(part(scale)?);
    }
    Ok(report)
}
