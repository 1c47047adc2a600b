//! `nearhit-papers`: reruns the papers' experiments and says which of their claims hold here.

use clap::{Parser, Subcommand};
use lab_report::scale::Scale;
use lab_report::{Report, Verdict, files, progress, text};
use nearhit_papers::adb::{self, fit};
use nearhit_papers::{Paper, Part};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Rerun the papers' tables and figures, their numbers beside ours.
///
/// The report is one page (and the same as Markdown): tables, plots, and for each claim of a paper
/// a sentence that says whether it was reproduced, was not, or is different and why. Counts of work
/// repeat exactly; times are those of this machine.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    other: Option<Other>,

    /// Which: kdop, swept, spheres, adb (all if none is named); kdop/rules for one part of it,
    /// kdop/? names the parts.
    #[arg(value_name = "PAPER[/PART]")]
    papers: Vec<String>,

    /// Smaller data: under three minutes for all, and the conclusions that count work still show.
    #[arg(long)]
    quick: bool,

    /// The papers' numbers of triangles, steps and queries: hours.
    #[arg(long, conflicts_with = "quick")]
    paper: bool,

    /// Where papers.html and papers.md are written.
    #[arg(long, value_name = "FOLDER", default_value = "nearhit-papers")]
    out: PathBuf,

    /// Print all tables here, too.
    #[arg(long)]
    tables: bool,
}

#[derive(Debug, Subcommand)]
enum Other {
    /// Fit the map from what an average-case search has seen to a probability, and print it as the
    /// library's source file adb/fitted.rs; stderr says how it does on other models.
    Calibrate {
        /// Smaller data, in seconds.
        #[arg(long)]
        quick: bool,
    },
}

const EXAMPLES: &str = "\
Examples:
  nearhit-papers --quick              all papers, in under three minutes
  nearhit-papers kdop --out report    one paper, in some minutes
  nearhit-papers kdop --paper         the same at the paper's sizes and counts, in an hour or more
  nearhit-papers kdop/rules --paper   one part of it";

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("nearhit-papers: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let size = |quick| if quick { Scale::Quick } else { Scale::Full };
    match arguments.other {
        Some(Other::Calibrate { quick }) => {
            let fitted = fit::fit(size(quick));
            eprintln!("{}", text::render(&adb::judged(&fitted, size(quick))));
            print!("{}", fit::source(&fitted));
            Ok(())
        }
        None if arguments.paper => papers(arguments, Scale::Paper),
        None => papers(arguments, size(arguments.quick)),
    }
}

fn papers(arguments: &Arguments, scale: Scale) -> anyhow::Result<()> {
    let chosen = nearhit_papers::chosen(&arguments.papers)?;
    // Before the minutes of work, not after.
    files::prepare(&arguments.out)?;
    let mut all = Report::new("The papers' experiments, rerun with nearhit");
    for (paper, parts) in chosen {
        let mut report = paper.begin();
        for part in parts {
            let found = run_part(paper, part, scale);
            if arguments.tables {
                println!("{}", text::render(&found));
            }
            report.blocks.extend(found.blocks);
            // What is stopped in the middle has told all that it knew.
            let mut known = all.clone();
            known.append(report.clone());
            files::write(&known, "papers", &arguments.out)?;
        }
        println!("{}", summary(&report));
        all.append(report);
    }
    println!("\nThe report: {}", page(&arguments.out).display());
    Ok(())
}

fn run_part(paper: &Paper, part: &Part, scale: Scale) -> Report {
    let mut found = Report::new(format!("{}: {}", paper.title, part.name));
    let started = Instant::now();
    (part.run)(&mut found, scale);
    progress::begins(&format!("{}/{} took {:.0} s", paper.name, part.name, started.elapsed().as_secs_f64()));
    found
}

fn page(folder: &Path) -> PathBuf {
    folder.join("papers.html")
}

fn summary(report: &Report) -> String {
    let count = |verdict| report.claims().filter(|claim| claim.verdict == verdict).count();
    let (holds, differs, fails) = (count(Verdict::Holds), count(Verdict::Differs), count(Verdict::Fails));
    format!("{}: {holds} claims reproduced, {differs} different, {fails} not.", report.title)
}
