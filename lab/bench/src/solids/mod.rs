//! Solids: how much of a scan may be missing, how wide the bounds on depths are, and how many
//! points and rays a second.

mod depths;
mod scans;
mod speed;

use lab_report::Report;
use lab_report::scale::Scale;

/// A part: its name on the command line, and what runs it.
pub type Part = (&'static str, fn(Scale) -> Report);

/// All parts.
pub const PARTS: &[Part] = &[("scans", scans::run), ("depths", depths::run), ("speed", speed::run)];

/// Those named, or all.
#[must_use]
pub fn run(scale: Scale, named: &[String]) -> Report {
    let mut report = Report::new("Solids");
    for (_, part) in PARTS.iter().filter(|(name, _)| named.is_empty() || named.iter().any(|named| named == name)) {
        report.append(part(scale));
    }
    report
}
