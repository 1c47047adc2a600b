//! `nearhit papers`: do the papers' conclusions hold here?

use crate::exit::Finish;
use crate::terminal::{self, Style, plural};
use anyhow::{Context, Result};
use clap::Args;
use nearhit_bench::papers;
use nearhit_bench::report::{Report, Verdict, files, text};
use nearhit_bench::scale::Scale;
use std::path::PathBuf;

/// Rerun the papers' tables and figures here, their numbers beside ours.
#[derive(Debug, Clone, Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct Typed {
    /// Which: kdop, swept, spheres, adb (all if none is named).
    #[arg(value_name = "PAPER")]
    pub papers: Vec<String>,

    /// Smaller data: under two minutes for all, and the conclusions that count work still show.
    #[arg(long)]
    pub quick: bool,

    /// Where papers.html and papers.md are written.
    #[arg(long, value_name = "FOLDER", default_value = "nearhit-papers")]
    pub out: PathBuf,

    /// Print all tables here, too.
    #[arg(long)]
    pub tables: bool,
}

const ABOUT: &str = "\
Rerun the papers' tables and figures here, their numbers beside ours.

The report is one page (and the same as Markdown): tables, plots, and for each claim of a paper a sentence that says whether it \
was reproduced, was not, or is different and why. Counts of work repeat exactly; times are those of this machine.";

const EXAMPLES: &str = "\
Examples:
  nearhit papers --quick              all papers, in under two minutes
  nearhit papers kdop --out report    one paper at its own sizes, in some minutes";

/// Runs `nearhit papers`.
pub fn command(typed: &Typed) -> Result<Finish> {
    let (style, scale) = (Style::of_stdout(), if typed.quick { Scale::Quick } else { Scale::Full });
    let chosen = papers::chosen(&typed.papers)?;
    // Before the minutes of work, not after.
    files::prepare(&typed.out).context("--out")?;
    let mut all = Report::new("The papers' experiments, rerun with nearhit");
    for paper in chosen {
        let report = (paper.run)(scale);
        if typed.tables {
            terminal::print(&(text::render(&report) + "\n"))?;
        }
        terminal::print(&sentence(&report, style))?;
        all.append(report);
    }
    files::write(&all, "papers", &typed.out)?;
    terminal::print(&format!("\nThe report: {}\n", style.bold(&typed.out.join("papers.html").display().to_string())))?;
    Ok(Finish::Done)
}

fn sentence(report: &Report, style: Style) -> String {
    let count = |verdict| report.claims().filter(|claim| claim.verdict == verdict).count() as u64;
    let (holds, differs, fails) = (count(Verdict::Holds), count(Verdict::Differs), count(Verdict::Fails));
    format!("{}: {} reproduced, {differs} different, {fails} not.\n", style.bold(&report.title), plural(holds, "claim"))
}
