//! The experiments of the four papers, one module each, rerun with nearhit.
//!
//! A paper's experiments come in parts; each adds to a [`lab_report::Report`]: tables, plots, and a
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
    /// The paper's own.
    pub title: &'static str,
    /// What a reader of the tables must know.
    pub about: &'static str,
    /// In the order of the report.
    pub parts: &'static [Part],
}

/// Some experiments of a paper that can be run apart from the others.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// As on the command line, after the paper's.
    pub name: &'static str,
    /// Runs them.
    pub run: fn(&mut Report, Scale),
}

impl Paper {
    /// A report without findings.
    #[must_use]
    pub fn begin(&self) -> Report {
        let mut report = Report::new(self.title);
        report.text(self.about);
        report
    }

    /// Runs every part.
    #[must_use]
    pub fn run(&self, scale: Scale) -> Report {
        let mut report = self.begin();
        self.parts.iter().for_each(|part| (part.run)(&mut report, scale));
        report
    }
}

/// Every paper whose experiments exist.
pub const ALL: &[Paper] = &[kdop::PAPER, swept::PAPER, adb::PAPER, spheres::PAPER];

/// A paper and which of its parts.
pub type Chosen = (&'static Paper, Vec<&'static Part>);

/// Those of these names (`kdop`, or `kdop/rules` for a part of it), all if there are none.
pub fn chosen(names: &[String]) -> anyhow::Result<Vec<Chosen>> {
    let every = |paper: &'static Paper| (paper, paper.parts.iter().collect());
    let find = |name: &String| {
        let (of, part) = name.split_once('/').map_or((name.as_str(), None), |(of, part)| (of, Some(part)));
        let known = || ALL.iter().map(|paper| paper.name).collect::<Vec<_>>().join(", ");
        let paper = ALL.iter().find(|paper| paper.name == of);
        let paper = paper.with_context(|| format!("there are no experiments \"{name}\"; known: {}", known()))?;
        let Some(part) = part else { return Ok(every(paper)) };
        let found = paper.parts.iter().find(|of| of.name == part).with_context(|| {
            let known: Vec<&str> = paper.parts.iter().map(|part| part.name).collect();
            format!("{of} has no part \"{part}\"; known: {}", known.join(", "))
        })?;
        Ok((paper, vec![found]))
    };
    if names.is_empty() { Ok(ALL.iter().map(every).collect()) } else { names.iter().map(find).collect() }
}

/// Verdicts that rest on counters, which repeat exactly, as lines.
#[cfg(test)]
fn conclusions(report: &Report) -> Vec<String> {
    let line = |claim: &lab_report::Claim| format!("{}: {} {}", claim.verdict.words(), claim.place, claim.claim);
    report.claims().filter(|claim| claim.counts_work).map(line).collect()
}
