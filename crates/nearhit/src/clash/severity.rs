//! How bad is a finding? By its class, depth, volume and gap, beside the sizes of its parts.

use super::assembly::Assembly;
use super::finding::{Class, Finding, Report};
use std::fmt;

/// Severity of a finding, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// A hard clash that goes through a part, or takes a tenth of the smaller part's least side, or
    /// a hundredth of its box.
    Critical,
    /// Other hard clashes, parts inside each other, duplicates, undecided pairs, gaps of less than
    /// half the clearance.
    Major,
    /// Hard clashes no deeper than ten tolerances, other gaps.
    Minor,
    /// Parts that touch.
    Info,
}

impl From<Severity> for &'static str {
    /// As in files: `critical`, `major`, `minor`, `info`.
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Critical => "critical",
            Severity::Major => "major",
            Severity::Minor => "minor",
            Severity::Info => "info",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str((*self).into())
    }
}

/// Of the smaller part: a depth, and a volume, that is critical.
const CRITICAL: [f64; 2] = [0.1, 0.01];
/// In tolerances: a depth that is minor.
const MINOR: f64 = 10.0;

impl Report {
    /// How bad a finding of this report is.
    #[must_use]
    pub fn severity(&self, assembly: &Assembly, finding: &Finding) -> Severity {
        match finding.class {
            Class::Touching => Severity::Info,
            Class::Close if finding.gap.is_some_and(|gap| gap >= 0.5 * self.clearance) => Severity::Minor,
            Class::Hard if is_critical(assembly, finding) => Severity::Critical,
            Class::Hard
                if finding.depth_at_most.or(finding.depth).is_some_and(|most| most <= MINOR * self.tolerance) =>
            {
                Severity::Minor
            }
            _ => Severity::Major,
        }
    }
}

fn is_critical(assembly: &Assembly, finding: &Finding) -> bool {
    let sides = finding.parts.map(|part| {
        let bounds = assembly.parts()[part].bounds;
        bounds.high - bounds.low
    });
    let least = sides.map(|sides| sides.min_element()).into_iter().fold(f64::INFINITY, f64::min);
    let volume = sides.map(|sides| sides.x * sides.y * sides.z).into_iter().fold(f64::INFINITY, f64::min);
    finding.depth.is_some_and(|depth| depth >= CRITICAL[0] * least)
        || finding.overlap.is_some_and(|overlap| {
            overlap.through.is_some() || overlap.volume.lower > 0.0 && overlap.volume.lower >= CRITICAL[1] * volume
        })
}
