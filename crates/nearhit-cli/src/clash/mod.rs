//! `nearhit clash`: what is the matter with the parts of an assembly?
//!
//! | module | question |
//! |---|---|
//! | `assembly` | what is in the files: shapes, parts, places |
//! | `judge`, `cover` | what is the matter with two of them |
//! | `allow` | which pairs may be in contact |
//! | `search` | all of that for all pairs, until Ctrl-C |
//! | `finding`, `summary`, `page` | what is said |

mod allow;
mod assembly;
mod cover;
mod finding;
mod judge;
mod page;
mod pictures;
mod search;
mod summary;

use crate::exit::Finish;
use crate::interrupt::Interrupt;
use crate::output::keep_inputs;
use crate::terminal::{self, Style};
use crate::tolerance::limit;
use allow::Allowed;
use anyhow::{Context, Result, bail};
use assembly::Assembly;
use clap::Args;
pub use finding::Class;
use judge::Limits;
use search::Request;
use std::path::{Path, PathBuf};
use summary::Summary;

/// What is the matter with the parts of an assembly? Exit code 1 if anything is.
#[derive(Debug, Clone, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for what the classes mean, and examples.")]
pub struct Typed {
    /// A glTF or GLB file whose nodes are the parts, or several files (gltf, glb, obj, stl, ply, off).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Also report parts that are closer than this.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub clearance: Option<String>,

    /// Parts no deeper in each other than this only touch (default: a millionth of the assembly's size).
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub tolerance: Option<String>,

    /// A pair that may be in contact: two names, patterns with * and ?, or groups as @bolts. Can be repeated.
    #[arg(long, value_name = "A:B", help_heading = RULES)]
    pub allow: Vec<String>,

    /// Names for --allow to use as @NAME. Can be repeated.
    #[arg(long, value_name = "NAME=PATTERN,…", help_heading = RULES)]
    pub group: Vec<String>,

    /// A file with rules: a line `A:B` or `group NAME=PATTERN,…` each, # begins a comment.
    #[arg(long, value_name = "FILE", help_heading = RULES)]
    pub rules: Option<PathBuf>,

    /// Classes to leave out, with commas between them.
    #[arg(long, value_name = "CLASS,…", value_delimiter = ',', help_heading = RULES)]
    pub ignore: Vec<Class>,

    /// Write a page with a picture of each finding: one file, to look at, to sort, to print.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write the findings as a table for other programs.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// One line of JSON on stdout instead of the table.
    #[arg(long)]
    pub json: bool,
}

const RULES: &str = "What is allowed";

const ABOUT: &str = "\
What is the matter with the parts of an assembly? Exit code 1 if anything is.

Every pair of parts is looked at as two solids and is one of these, or nothing is the matter with it:

  hard       a point of one surface is inside the other part, deeper than the tolerance; the depth of the deepest is told
  inside     the surfaces do not touch, and one part (or a piece of it) is inside the other
  duplicate  both surfaces are in the same place, however they are cut into triangles
  touching   the surfaces touch, but no deeper than the tolerance: faces that lie on each other, a pin in its hole
  close      they do not touch, but are closer than --clearance

Parts whose mesh has holes have an inside only roughly; where such surfaces pass through each other it is a hard clash \
without a depth.";

const EXAMPLES: &str = "\
Examples:
  All parts of a machine, with a page to look at:
      nearhit clash machine.glb --html clashes.html

  Faces that lie on each other are meant; half a millimetre of air is not enough:
      nearhit clash machine.glb --clearance 0.5 --ignore touching

  Bolts may be in plates, and what is welded may be in anything:
      nearhit clash machine.glb --group fasteners='bolt_*,nut_*' --allow '@fasteners:plate_*' --allow 'weld_*:*'

  The same rules from a file, the findings for a spreadsheet:
      nearhit clash parts/*.stl --rules allowed.txt --csv clashes.csv

Ctrl-C ends the search: what is known by then is reported, with exit code 3.
Exit codes: 0 nothing found, 1 something found, 2 error, 3 stopped with a partial report.";

/// The default tolerance, and the least there may be: shares of the assembly's size.
const DEFAULT_TOLERANCE: f64 = 1e-6;
const LEAST_TOLERANCE: f64 = 1e-11;

/// Runs `nearhit clash`.
pub fn command(typed: &Typed) -> Result<Finish> {
    let allowed = Allowed::new(&typed.allow, &typed.group, typed.rules.as_deref())?;
    let length = |text: &Option<String>, what: &str| {
        text.as_deref().map(|text| limit(text, &format!("--{what} "), what)).transpose()
    };
    let (clearance, tolerance) = (length(&typed.clearance, "clearance")?, length(&typed.tolerance, "tolerance")?);
    for output in [&typed.csv, &typed.html].into_iter().flatten() {
        keep_inputs(output, typed.files.iter().map(PathBuf::as_path), "is one of the meshes")?;
    }
    let mut assembly = Assembly::read(&typed.files)?;
    // Not before: there is nothing to report while files are read, and Ctrl-C should end that at once.
    let interrupt = Interrupt::of_process()?;
    let least = LEAST_TOLERANCE * assembly.size();
    let tolerance = match tolerance {
        None => DEFAULT_TOLERANCE * assembly.size(),
        Some(given) if given >= least => given,
        Some(given) => {
            bail!("--tolerance {given}: must be at least {least:e} here, for numbers of this size are rounded")
        }
    };
    let limits = Limits { tolerance, clearance: clearance.unwrap_or(0.0) };
    let request = Request { limits, allowed, ignored: typed.ignore.clone() };
    let found = search::search(&mut assembly, &request, interrupt)?;
    let files = typed.files.iter().map(|path| path.display().to_string()).collect();
    let summary = Summary::new(files, &assembly, &request, &found);
    tell(typed, &summary, &assembly)?;
    Ok(match (summary.complete, summary.findings.is_empty()) {
        (false, _) => Finish::Partial,
        (true, true) => Finish::Done,
        (true, false) => Finish::Found,
    })
}

fn tell(typed: &Typed, summary: &Summary<'_>, assembly: &Assembly) -> Result<()> {
    let write = |path: &Path, text: String| {
        std::fs::write(path, text).with_context(|| format!("{}: cannot be written", path.display()))
    };
    if let Some(path) = &typed.csv {
        write(path, summary.csv())?;
    }
    if let Some(path) = &typed.html {
        write(path, page::page(summary, assembly)?)?;
    }
    if typed.json {
        return terminal::print(&(serde_json::to_string(summary)? + "\n"));
    }
    terminal::print(&summary.sentences(Style::of_stdout()))
}
