//! `nearhit-bench`: runs measurements, prints their tables, and writes reports.

use clap::{Parser, Subcommand};
use lab_report::scale::Scale;
use lab_report::{Report, files, text};
use nearhit_bench::batch;
use nearhit_bench::peers;
use nearhit_bench::scenes;
use nearhit_bench::shapes;
use nearhit_bench::solids;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Measurements of nearhit
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Inside tests on open scans, bounds on depths, points and rays a second
    Solids {
        /// Which of them (all if none is named)
        #[arg(value_parser = ["scans", "depths", "speed"])]
        parts: Vec<String>,
        /// Smaller data, in seconds
        #[arg(long)]
        quick: bool,
        /// Also write the report as HTML and Markdown into this folder
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
    /// How batches scale from one thread to two, beside pure arithmetic
    Batch {
        /// Folders with a.obj, b.obj and poses.txt
        #[arg(required = true)]
        cases: Vec<PathBuf>,
        /// Also write the report as HTML and Markdown into this folder
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
    /// How building, collide and distance grow with the number of triangles, beside other
    /// libraries; scripts/peers growth makes what this needs and runs it
    Growth {
        /// Where the other libraries' harnesses are
        #[arg(long, value_name = "FOLDER")]
        programs: PathBuf,
        /// Bodies of up to so many triangles
        #[arg(long, default_value_t = 4_000_000)]
        largest: usize,
        /// How long each may take for one question of one size
        #[arg(long, default_value_t = 5.0)]
        seconds: f64,
        /// Also write the report as HTML and Markdown into this folder
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
    /// A simulator after the sphere-tree paper's, budgets of frames, broad phases as scenes grow,
    /// meshes that change, a long run
    Scenes {
        /// Which of them (all if none is named)
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(scenes::PARTS.iter().map(|(name, _)| *name)))]
        parts: Vec<String>,
        /// Smaller data
        #[arg(long)]
        quick: bool,
        /// Also write the report as HTML and Markdown into this folder
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
    /// Primitives and hulls beside other libraries; scripts/peers shapes makes what this needs and
    /// runs it
    Shapes {
        /// Where the other libraries' harnesses are
        #[arg(long, value_name = "FOLDER")]
        programs: PathBuf,
        /// Wrong distances of 3,000 pairs of hulls instead of times
        #[arg(long)]
        hunt: bool,
        /// Turns of each library
        #[arg(long, default_value_t = 15)]
        turns: usize,
        /// Only pairs whose names, such as "ball + box", contain this
        #[arg(long, default_value = "")]
        only: String,
        /// Also write the report as HTML and Markdown into this folder
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
    /// Compare with other libraries on case folders; scripts/peers makes what this needs and runs
    /// it
    Peers {
        /// Folders with a.obj, b.obj and poses.txt
        #[arg(required = true)]
        cases: Vec<PathBuf>,
        /// Where the other libraries' harnesses are
        #[arg(long, value_name = "FOLDER")]
        programs: PathBuf,
        /// How long each may take for one question of one case
        #[arg(long, default_value_t = 2.0)]
        seconds: f64,
        /// Only this question (may be repeated)
        #[arg(long = "query", value_parser = clap::builder::PossibleValuesParser::new(peers::QUESTIONS))]
        questions: Vec<String>,
        /// Also write the report as HTML and Markdown into this folder
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().what) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("nearhit-bench: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(what: What) -> anyhow::Result<()> {
    let size = |quick| if quick { Scale::Quick } else { Scale::Full };
    match what {
        What::Peers { cases, programs, seconds, questions, out } => {
            prepare(out.as_deref())?;
            let report = peers::run(&peers::Options { programs, cases, seconds, questions })?;
            show(&report, "peers", out.as_deref())?;
        }
        What::Batch { cases, out } => {
            prepare(out.as_deref())?;
            show(&batch::run(&cases)?, "batch", out.as_deref())?;
        }
        What::Growth { programs, largest, seconds, out } => {
            prepare(out.as_deref())?;
            show(&peers::growth::run(programs, largest, seconds)?, "growth", out.as_deref())?;
        }
        What::Scenes { parts, quick, out } => {
            prepare(out.as_deref())?;
            show(&scenes::run(size(quick), &parts)?, "scenes", out.as_deref())?;
        }
        What::Shapes { programs, hunt: true, out, .. } => {
            prepare(out.as_deref())?;
            show(&shapes::hunt::run(&programs)?, "hulls", out.as_deref())?;
        }
        What::Shapes { programs, turns, only, out, .. } => {
            prepare(out.as_deref())?;
            show(&shapes::run(&shapes::Options { programs, turns, only })?, "shapes", out.as_deref())?;
        }
        What::Solids { parts, quick, out } => {
            prepare(out.as_deref())?;
            show(&solids::run(size(quick), &parts), "solids", out.as_deref())?;
        }
    }
    Ok(())
}

fn prepare(out: Option<&Path>) -> anyhow::Result<()> {
    out.map_or(Ok(()), files::prepare)
}

fn show(report: &Report, name: &str, out: Option<&Path>) -> anyhow::Result<()> {
    println!("{}", text::render(report));
    out.map_or(Ok(()), |folder| files::write(report, name, folder))
}
