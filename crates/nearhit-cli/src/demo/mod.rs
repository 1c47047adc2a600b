//! `nearhit demo`: a ring flies along a knotted wire and must not touch it. Every volume answers at every pose; the
//! answers are compared. Where it is narrow, sphere-trees say what is certain after little work. All of it is shown in a
//! table and on a page that needs nothing else.

mod balls;
mod intervals;
mod page;
mod plot;
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

/// See it work on built-in data: a table here, a picture to turn in the browser.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Write the page, but do not open it.
    #[arg(long)]
    pub no_open: bool,

    /// Where to write the page.
    #[arg(long, value_name = "FILE", default_value = "nearhit-demo.html")]
    pub out: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  nearhit demo                              writes nearhit-demo.html here and opens it
  nearhit demo --no-open --out flight.html  writes the page elsewhere and leaves the browser alone";

/// Runs `nearhit demo`.
pub fn command(args: &Args) -> Result<Finish> {
    let style = Style::of_stdout();
    let unwritable = || format!("{}: cannot be written; choose another place with --out", args.out.display());
    // Before the seconds of work, not after.
    OpenOptions::new().append(true).create(true).open(&args.out).with_context(unwritable)?;
    let case = scene::case()?;
    terminal::print(&table::heading(&case, style))?;
    let trials = trial::all(&case)?;
    trial::agree(&trials)?;
    let flight = record::flight(&case)?;
    terminal::print(&table::show(&trials, style))?;
    let story = refine::story(&case)?;
    terminal::print(&table::refined(&story, style))?;
    std::fs::write(&args.out, page::page(&case, &trials, &flight, &story)?).with_context(unwritable)?;
    terminal::print(&format!("\nThe picture: {}\n", style.bold(&shown(&args.out))))?;
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
