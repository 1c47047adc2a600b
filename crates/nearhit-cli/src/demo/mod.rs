//! `nearhit demo`: what the command does, on built-in data. A ring flies along a knotted wire: what
//! users ask, answered at every pose; then the other jobs (clash, robots, NC). For researchers
//! every volume answers, and the answers are compared; at the narrowest pose sphere-trees are
//! refined under small budgets. The results are tables and an HTML page.

mod balls;
mod intervals;
mod jobs;
mod page;
mod plot;
mod questions;
mod record;
mod refine;
mod scene;
mod shapes;
mod table;
mod trial;

use crate::browser;
use crate::exit::Finish;
use crate::terminal::{self, Style};
use anyhow::{Context, Result};
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

/// Run a demonstration on built-in data: a table, and a 3-D page in the browser.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Write the page, but do not open it.
    #[arg(long)]
    pub no_open: bool,

    /// The page to write.
    #[arg(long, value_name = "FILE", default_value = "nearhit-demo.html")]
    pub out: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  nearhit demo                              writes nearhit-demo.html here and opens it
  nearhit demo --no-open --out flight.html  writes the page elsewhere and does not open the browser";

/// Runs `nearhit demo`.
pub fn command(args: &Args) -> Result<Finish> {
    let style = Style::of_stdout();
    let unwritable = || format!("{}: cannot be written; choose another file with --out", args.out.display());
    // Before the seconds of work, not after.
    OpenOptions::new().append(true).create(true).open(&args.out).with_context(unwritable)?;
    let case = scene::case()?;
    terminal::print(&table::heading(&case, style))?;
    let trials = trial::all(&case)?;
    trial::agree(&trials)?;
    terminal::print(&questions::answered(&case, &trials, style)?)?;
    terminal::print(&jobs::done(style)?)?;
    let flight = record::flight(&case)?;
    terminal::print(&table::show(&trials, style))?;
    let story = refine::story(&case)?;
    terminal::print(&table::refined(&story, style))?;
    std::fs::write(&args.out, page::page(&case, &trials, &flight, &story)?).with_context(unwritable)?;
    terminal::print(&format!("\nPage: {}\n", style.bold(&shown(&args.out))))?;
    if !args.no_open {
        let path = args.out.canonicalize().unwrap_or_else(|_| args.out.clone());
        terminal::print(&browser::open(path.as_os_str(), "drag to turn it, move the slider to fly"))?;
    }
    Ok(Finish::Done)
}

/// The whole path, if it can be told.
fn shown(path: &Path) -> String {
    path.canonicalize().as_deref().unwrap_or(path).display().to_string()
}
