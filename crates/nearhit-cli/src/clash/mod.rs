//! `nearhit clash`: find clashes between the parts of an assembly. The search is the library's
//! ([`nearhit::clash`]).
//!
//! | module | content |
//! |---|---|
//! | `read`, `rules` | files as an assembly; rules |
//! | `summary`, `page`, `pictures` | the report: table, JSON, CSV, one HTML file |

mod page;
mod pictures;
mod read;
mod rules;
mod summary;

use crate::exit::Finish;
use crate::interrupt::Interrupt;
use crate::output::keep_inputs;
use crate::progress::Progress;
use crate::terminal::{self, Style, plain};
use crate::tolerance::length as parse_length;
use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use nearhit::clash::{Assembly, Class, Finding, Options, Progress as Step};
use read::Files;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use summary::Summary;
pub(crate) use summary::quoted;

/// Find clashes between the parts of an assembly. Exits with 1 if any are found.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for the classes, and examples.")]
pub struct Args {
    /// A glTF or GLB file whose nodes are the parts, or several mesh files (gltf, glb, obj, stl,
    /// ply, off).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Report parts that are closer than this.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub clearance: Option<String>,

    /// Parts no deeper in each other than this only touch (default: a millionth of the assembly's
    /// size).
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub tolerance: Option<String>,

    /// A pair that may be in contact: two names, patterns with * and ?, or groups as @bolts; \: is
    /// a colon in a name. Can be repeated.
    #[arg(long, value_name = "A:B", help_heading = RULES)]
    pub allow: Vec<String>,

    /// A group of names, for --allow @NAME:B; \, is a comma in a name. Can be repeated.
    #[arg(long, value_name = "NAME=PATTERN,…", help_heading = RULES)]
    pub group: Vec<String>,

    /// A file of rules: one `A:B` or `group NAME=PATTERN,…` per line; # begins a comment,
    /// \# does not.
    #[arg(long, value_name = "FILE", help_heading = RULES)]
    pub rules: Option<PathBuf>,

    /// Classes that are not reported, separated by commas.
    #[arg(long, value_name = "CLASS,…", value_delimiter = ',', value_parser = classes(), help_heading = RULES)]
    pub ignore: Vec<Class>,

    /// Limit of work for each pair, in tests of volumes and triangles; pairs that reach it are
    /// reported as undecided (default: 30 million and 5,000 for each triangle).
    #[arg(long, value_name = "N")]
    pub pair_work: Option<u64>,

    /// Write an HTML page with a 3-D picture of each finding.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write the findings as CSV.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Print one line of JSON instead of the table.
    #[arg(long)]
    pub json: bool,
}

const RULES: &str = "Rules";

const ABOUT: &str = "\
Find clashes between the parts of an assembly. Exits with 1 if any are found.

Every pair of parts is judged as two solids. It has one of these classes, or it does not clash:

  hard       a point of one surface is inside the other part, deeper than the tolerance; with the penetration depth
  inside     the surfaces do not touch, and one part (or a piece of it) is inside the other
  duplicate  both surfaces are in the same place, however they are cut into triangles
  undecided  the limit of work for a pair was reached: touching, or no deeper than the depth given
  touching   the surfaces touch, but no deeper than the tolerance: faces that lie on each other, a pin in its hole
  close      they do not touch, but are closer than --clearance

Parts whose mesh has holes have no exact inside: depths there rest on winding numbers and are
marked. Where such surfaces pass through each other and no point is inside for certain, it is a
hard clash without a depth.";

const EXAMPLES: &str = "\
Examples:
  All parts of a machine, with a page of pictures:
      nearhit clash machine.glb --html clashes.html

  Faces may lie on each other; parts must be half a millimetre apart otherwise:
      nearhit clash machine.glb --clearance 0.5 --ignore touching

  Bolts may be in plates, and what is welded may be in anything:
      nearhit clash machine.glb --group fasteners='bolt_*,nut_*' --allow '@fasteners:plate_*' --allow 'weld_*:*'

  The same rules from a file, the findings for a spreadsheet:
      nearhit clash parts/*.stl --rules allowed.txt --csv clashes.csv

Ctrl-C stops the search: what was found by then is reported, with exit code 3.
Exit codes: 0 no clashes, 1 clashes found, 2 error, 3 stopped with a partial report.";

fn classes() -> impl TypedValueParser<Value = Class> {
    let class = |name: String| Class::ALL.into_iter().find(|class| class.to_string() == name);
    PossibleValuesParser::new(Class::ALL.map(<&str>::from))
        .map(move |name| class(name).expect("the parser knows only names of classes"))
}

/// Runs `nearhit clash`.
pub fn command(args: &Args) -> Result<Finish> {
    let rules = rules::read(&args.allow, &args.group, args.rules.as_deref())?;
    let length = |text: &Option<String>, what: &str| {
        text.as_deref().map(|text| parse_length(text, &format!("--{what} "), what)).transpose()
    };
    let (clearance, tolerance) = (length(&args.clearance, "clearance")?, length(&args.tolerance, "tolerance")?);
    for output in [&args.csv, &args.html].into_iter().flatten() {
        keep_inputs(output, args.files.iter().map(PathBuf::as_path), "is one of the meshes")?;
    }
    let mut files = Files::read(&args.files)?;
    // Not before: there is nothing to report while files are read, and Ctrl-C ends that at once.
    let interrupt = Interrupt::of_process()?;
    let line = ProgressLine::default();
    let tell = |step: Step<'_>| line.tell(step);
    let mut options =
        Options::new().clearance(clearance.unwrap_or(0.0)).rules(&rules).cancel(interrupt.flag()).progress(&tell);
    options = tolerance.map_or(options, |tolerance| options.tolerance(tolerance));
    options = args.pair_work.map_or(options, |units| options.pair_work(units));
    options = args.ignore.iter().fold(options, |options, &class| options.ignore(class));
    let report = files.assembly.clashes(&options).map_err(|error| anyhow::anyhow!("{}{error}", flag_of(&error)))?;
    drop(line);
    // From here on there is a report to lose.
    interrupt.finish();
    let names = args.files.iter().map(|path| path.display().to_string()).collect();
    let summary = Summary::new(names, &files, &report);
    write_all(args, &summary, &files.assembly, &report.findings)?;
    Ok(match (summary.clash.is_complete, summary.clash.findings.is_empty()) {
        (false, _) => Finish::Partial,
        (true, true) => Finish::Done,
        (true, false) => Finish::Found,
    })
}

/// The two dashes of the option that an error is about.
fn flag_of(error: &nearhit::clash::ClashError) -> &'static str {
    match error {
        nearhit::clash::ClashError::Tolerance { .. } | nearhit::clash::ClashError::Clearance { .. } => "--",
        _ => "",
    }
}

/// Trees first, then pairs; the pair that began last is named.
#[derive(Debug, Default)]
struct ProgressLine {
    shapes: OnceLock<Progress>,
    pairs: OnceLock<Progress>,
}

impl ProgressLine {
    fn tell(&self, step: Step<'_>) {
        match step {
            Step::Shape { done, count } => {
                self.shapes.get_or_init(|| Progress::new(count as u64, "shapes")).reach(done as u64);
            }
            Step::Begun { parts: [a, b], count } => {
                let pairs = self.pairs.get_or_init(|| Progress::naming(count as u64, "pairs of parts"));
                pairs.name(&format!("{} and {}", plain(a), plain(b)));
            }
            Step::Judged { done, .. } => {
                if let Some(pairs) = self.pairs.get() {
                    pairs.reach(done as u64);
                }
            }
            _ => {}
        }
    }
}

fn write_all(args: &Args, summary: &Summary<'_>, assembly: &Assembly, findings: &[Finding]) -> Result<()> {
    let write = |path: &Path, text: String| {
        std::fs::write(path, text).with_context(|| format!("{}: cannot be written", path.display()))
    };
    if let Some(path) = &args.csv {
        write(path, summary.csv())?;
    }
    if let Some(path) = &args.html {
        write(path, page::page(summary, assembly, findings)?)?;
    }
    if args.json {
        return terminal::print(&(serde_json::to_string(summary)? + "\n"));
    }
    terminal::print(&summary.sentences(Style::of_stdout()))
}
