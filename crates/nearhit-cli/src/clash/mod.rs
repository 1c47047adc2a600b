//! `nearhit clash`: find clashes between the parts of an assembly. The search is the library's
//! ([`nearhit::clash`]).
//!
//! | module | content |
//! |---|---|
//! | `read`, `table`, `rules`, `baseline` | files as an assembly; rules; an earlier run |
//! | `summary`, `page`, `pictures` | the report: table, JSON, CSV, one HTML file |
//! | `bcf`, `snapshot` | the report for coordination tools, with a picture of each finding |

mod baseline;
mod bcf;
mod page;
mod pictures;
mod read;
mod rules;
mod snapshot;
mod summary;
mod table;

use crate::exit::Finish;
use crate::interrupt::Interrupt;
use crate::output::{check_different, check_output};
use crate::progress::Progress;
use crate::terminal::{self, Style, plain};
use crate::tolerance::length as parse_length;
use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use nearhit::clash::{Assembly, ClashError, Class, Finding, GroupBy, Options, Progress as Step};
pub(crate) use page::{escaped, filled};
use read::Files;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use summary::Summary;
pub(crate) use summary::quoted;

/// Find clashes between the parts of an assembly. Exits with 1 if any are found.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for the classes, and examples.")]
pub struct Args {
    /// A glTF, COLLADA or 3MF file whose nodes are the parts, or several mesh files.
    #[arg(required_unless_present = "table", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// A table of mesh files in their places, one part per line: FILE,NAME and the three rows of
    /// its transform, twelve numbers. Paths are relative to the table's folder.
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,

    /// Merge vertices no farther apart than this: meshes whose corners are rounded differently in
    /// each triangle become closed again.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub weld: Option<String>,

    /// Report parts that are closer than this.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub clearance: Option<String>,

    /// Parts that overlap no deeper than this count as touching [default: a millionth of the
    /// assembly's size]
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub tolerance: Option<String>,

    /// Hard clashes whose overlap has less volume than this count as touching: slivers of parts
    /// that were meant to touch. In cubic units of the file.
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub min_volume: Option<String>,

    /// A pair that may be in contact: two names, patterns with * and ?, or groups as @bolts; \: is
    /// a colon in a name. A pattern without a slash matches the last name of a path, or all of it.
    /// Can be repeated.
    #[arg(long, value_name = "A:B", help_heading = RULES)]
    pub allow: Vec<String>,

    /// Check only these pairs, written as for --allow: parts that match one side against parts that
    /// match the other, such as pipes against walls. Can be repeated.
    #[arg(long, value_name = "A:B", help_heading = RULES)]
    pub only: Vec<String>,

    /// A group of names, for --allow @NAME:B; \, is a comma in a name. Can be repeated.
    #[arg(long, value_name = "NAME=PATTERN,…", help_heading = RULES)]
    pub group: Vec<String>,

    /// A file of rules, one per line: `A:B`, `only A:B`, `group NAME=PATTERN,…`, `clearance A:B T`,
    /// `tolerance T`, `min-volume V`, `assert NAME = A:B clears T`; # begins a comment, \# does
    /// not.
    #[arg(long, value_name = "FILE", help_heading = RULES)]
    pub rules: Option<PathBuf>,

    /// A claim about parts that is checked: NAME = A:B clears T, or NAME = A:B touches. Can be
    /// repeated.
    #[arg(long, value_name = "NAME = A:B …", help_heading = RULES)]
    pub assert: Vec<String>,

    /// Classes that are not reported, separated by commas. If all classes are ignored, no clashes
    /// are searched for, and only assertions are checked.
    #[arg(long, value_name = "CLASS,…", value_delimiter = ',', value_parser = classes(), help_heading = RULES)]
    pub ignore: Vec<Class>,

    /// Limit of work for each pair, in tests of volumes and triangles; pairs that reach it are
    /// reported as undecided [default: 30 million and 1,000 for each triangle]
    #[arg(long, value_name = "N")]
    pub pair_work: Option<u64>,

    /// Compare with an earlier run: a file that --json printed. Findings are new, changed or
    /// persistent; those that are gone are listed, and only new and changed ones make the exit code
    /// 1.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Group the findings: by the parts' names without their numbers, by place, or by repetition
    /// (the same two shapes beside each other in the same way).
    #[arg(long, value_name = "WHAT", value_parser = ["names", "place", "repetition"])]
    pub group_by: Option<String>,

    /// Write an HTML page with a 3-D picture of each finding.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write the findings as CSV.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Write the findings as a BCF file for coordination tools: a topic with a viewpoint and a
    /// snapshot for each.
    #[arg(long, value_name = "FILE")]
    pub bcf: Option<PathBuf>,

    /// The version of the BCF file.
    #[arg(long, value_name = "V", value_parser = ["2.1", "3.0"], default_value = "2.1")]
    pub bcf_version: String,

    /// The unit of length of the files, for the page and for BCF, which is in metres.
    #[arg(long, value_name = "UNIT", value_parser = UNITS.map(|(name, _)| name), default_value = "m")]
    pub unit: String,

    /// Memory that reading, the assembly and the search may take, as 500M or 4G; more is an error
    /// before the search begins [default: no limit but that of sixteen million pairs of parts]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub max_memory: Option<u64>,

    /// Print one line of JSON instead of the table.
    #[arg(long)]
    pub json: bool,
}

const RULES: &str = "Rules";

/// Units of length, and how many metres they have.
const UNITS: [(&str, f64); 5] = [("mm", 0.001), ("cm", 0.01), ("m", 1.0), ("in", 0.0254), ("ft", 0.3048)];

const ABOUT: &str = "\
Find clashes between the parts of an assembly. Exits with 1 if any are found.

Every pair of parts is judged as two solids. It has one of these classes, or it does not clash:

  hard       a point of one surface is inside the other part, deeper than the tolerance; with the penetration depth
             and the volume of the overlap
  inside     the surfaces do not touch, and one part (or a piece of it) is inside the other
  duplicate  both surfaces are in the same place, however they are cut into triangles
  undecided  the limit of work for a pair was reached; with what is known by then: whether the surfaces touch,
             and an upper bound on the depth
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

  Bolts may be in plates, and weld seams in any part:
      nearhit clash machine.glb --group fasteners='bolt_*,nut_*' --allow '@fasteners:plate_*' --allow 'weld_*:*'

  The same rules from a file, the findings for a spreadsheet:
      nearhit clash parts/*.stl --rules allowed.txt --csv clashes.csv

  Pipes and ducts beside the building, not beside each other:
      nearhit clash building.glb --group services='pipe_*,duct_*' --only '@services:building/*'

  Topics for a coordination tool, of files in millimetres:
      nearhit clash building.glb --unit mm --bcf clashes.bcf

  In continuous integration, only what is new since the last accepted run:
      nearhit clash machine.glb --json > accepted.json
      nearhit clash machine.glb --baseline accepted.json --rules rules.txt

  A file of rules:
      group fasteners=bolt_*,nut_*
      @fasteners:plate_*                                # may be in contact
      clearance @fasteners:cover 2.5                    # the last that names a pair counts
      assert room for a spanner = bolt_12:cover clears 30

Ctrl-C stops the search: what was found by then is reported, with exit code 3.
Exit codes: 0 no clashes, 1 clashes found (with --baseline: new or changed ones) or an assertion does not hold, 2 error, 3 stopped with a partial report.";

/// Bytes: a number, and K, M, G or T for thousands of them.
fn memory(text: &str) -> Result<u64, String> {
    let of_letter =
        |letter: &str| ["K", "M", "G", "T"].iter().position(|known| *known == letter).map(|at| at as u32 + 1);
    let (digits, power) = match text.find(|letter: char| !letter.is_ascii_digit()) {
        Some(at) => (&text[..at], of_letter(&text[at..])),
        None => (text, Some(0)),
    };
    let bytes = digits.parse::<u64>().ok().zip(power).and_then(|(count, power)| count.checked_mul(1000_u64.pow(power)));
    bytes.ok_or_else(|| "must be a whole number of bytes, or of thousands of them as 500M or 4G".to_owned())
}

/// The most memory that this process has had in use, in bytes: to read files takes more than what
/// is kept of them. 0 where the system does not tell.
fn memory_used() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.map_or(0, |count| count.saturating_mul(1024))
}

fn classes() -> impl TypedValueParser<Value = Class> {
    let class = |name: String| Class::ALL.into_iter().find(|class| class.to_string() == name);
    PossibleValuesParser::new(Class::ALL.map(<&str>::from))
        .map(move |name| class(name).expect("the parser knows only names of classes"))
}

/// Runs `nearhit clash`.
pub fn command(args: &Args) -> Result<Finish> {
    check_outputs(args)?;
    let typed = rules::Args { allow: &args.allow, only: &args.only, groups: &args.group, assertions: &args.assert };
    let read = rules::read(typed, args.rules.as_deref())?;
    let rules = &read.rules;
    let length = |text: &Option<String>, what: &str| {
        text.as_deref().map(|text| parse_length(text, &format!("--{what} "), what)).transpose()
    };
    let (clearance, tolerance) = (length(&args.clearance, "clearance")?, length(&args.tolerance, "tolerance")?);
    let min_volume = length(&args.min_volume, "min-volume")?.or(read.min_volume);
    let (clearance, tolerance) = (clearance.or(read.clearance), tolerance.or(read.tolerance));
    let known = args.baseline.as_deref().map(baseline::read).transpose()?;
    let mut files = Files::read(&args.files, args.table.as_deref(), length(&args.weld, "weld")?)?;
    // Not before: there is nothing to report while files are read, and Ctrl-C ends that at once.
    let interrupt = Interrupt::of_process()?;
    let line = ProgressLine::default();
    let tell = |step: Step<'_>| line.tell(step);
    let mut options =
        Options::new().clearance(clearance.unwrap_or(0.0)).rules(rules).cancel(interrupt.flag()).progress(&tell);
    options = options.fold_copies();
    options = tolerance.map_or(options, |tolerance| options.tolerance(tolerance));
    options = min_volume.map_or(options, |volume| options.min_volume(volume));
    options = args.pair_work.map_or(options, |units| options.pair_work(units));
    let used = args.max_memory.map_or(0, |bytes| memory_used().min(bytes));
    options = args.max_memory.map_or(options, |bytes| options.memory(bytes - used));
    options = args.ignore.iter().fold(options, |options, &class| options.ignore(class));
    let report = files.assembly.clashes(&options).map_err(|error| told(error, used))?;
    let asserted = match read.has_assertions && report.is_complete {
        true => files.assembly.check(rules, &options)?,
        false => Vec::new(),
    };
    drop(line);
    // From here on there is a report to lose.
    interrupt.finish();
    let names = args.files.iter().map(|path| path.display().to_string()).collect();
    let mut summary = Summary::new(names, &files, &report);
    if let Some(by) = args.group_by.as_deref() {
        summary.clash.add_groups(&report.groups(&files.assembly, group_by(by, &files.assembly)));
    }
    summary.clash.add_assertions(&files.assembly, &asserted);
    if let Some(known) = &known {
        summary.clash.compare(known);
    }
    write_all(args, &summary, &files.assembly, &report.findings)?;
    Ok(finish(&summary.clash))
}

fn check_outputs(args: &Args) -> Result<()> {
    let inputs = || args.files.iter().chain(&args.table).chain(&args.rules).chain(&args.baseline).map(PathBuf::as_path);
    let outputs: Vec<&Path> = [&args.csv, &args.html, &args.bcf].into_iter().flatten().map(PathBuf::as_path).collect();
    outputs.iter().try_for_each(|output| check_output(output, inputs(), "is one of the inputs"))?;
    check_different(&outputs)
}

/// Findings and assertions that do not hold; of a baseline only what is new or has changed.
fn finish(clash: &nearhit::report::Clash) -> Finish {
    let failed = clash.assertions.iter().any(|assertion| assertion.standing != "holds");
    let found = match &clash.baseline {
        None => !clash.findings.is_empty(),
        Some(baseline) => baseline.new + baseline.changed > 0,
    };
    match (clash.is_complete, failed || found) {
        (false, _) => Finish::Partial,
        (true, false) => Finish::Done,
        (true, true) => Finish::Found,
    }
}

/// Of places: a fiftieth of the assembly's size belongs together.
fn group_by(what: &str, assembly: &Assembly) -> GroupBy {
    match what {
        "names" => GroupBy::Names,
        "repetition" => GroupBy::Repetition,
        _ => {
            let boxes = assembly.parts().iter().map(|part| part.bounds);
            let whole = boxes.reduce(|one, other| one.join(&other));
            GroupBy::Place(whole.map_or(0.0, |whole| (whole.high - whole.low).max_element() / 50.0))
        }
    }
}

/// What a search complains about, if so much memory was in use before it.
fn told(error: ClashError, used: u64) -> anyhow::Error {
    let error = match error {
        ClashError::Memory { needed, limit } => {
            ClashError::Memory { needed: needed.saturating_add(used), limit: limit.saturating_add(used) }
        }
        other => other,
    };
    anyhow::anyhow!("{}{error}", flag_of(&error))
}

/// The two dashes of the option that an error is about.
fn flag_of(error: &ClashError) -> &'static str {
    match error {
        ClashError::Tolerance { .. } | ClashError::Clearance { .. } | ClashError::MinVolume { .. } => "--",
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

/// Now, or what SOURCE_DATE_EPOCH says, for files that are the same in every run.
fn seconds_since_1970() -> u64 {
    let set = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    set.unwrap_or_else(|| {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs())
    })
}

fn write_all(args: &Args, summary: &Summary<'_>, assembly: &Assembly, findings: &[Finding]) -> Result<()> {
    let write = |path: &Path, text: String| {
        std::fs::write(path, text).with_context(|| format!("{}: cannot be written", path.display()))
    };
    if let Some(path) = &args.csv {
        write(path, summary.csv())?;
    }
    if let Some(path) = &args.html {
        write(path, page::page(summary, assembly, findings, &args.unit)?)?;
    }
    if let Some(path) = &args.bcf {
        let date = bcf::date(seconds_since_1970());
        let version = if args.bcf_version == "3.0" { bcf::Version::V30 } else { bcf::Version::V21 };
        let metres = UNITS.into_iter().find(|(name, _)| *name == args.unit).map_or(1.0, |(_, metres)| metres);
        let bytes = bcf::file(summary, assembly, bcf::Settings { version, metres, date: &date })?;
        std::fs::write(path, bytes).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    if args.json {
        return terminal::print(&(serde_json::to_string(summary)? + "\n"));
    }
    terminal::print(&summary.sentences(Style::of_stdout()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::tests::Screen;

    /// A pair may take long: it is named when it begins, without the escape sequences of its file.
    #[test]
    fn the_pair_at_work_is_named() {
        let (screen, line) = (Screen::default(), ProgressLine::default());
        line.pairs.set(Progress::naming_on(&screen, 3, "pairs of parts")).expect("not made before");
        line.tell(Step::Begun { parts: ["bolt", "nut\u{1b}[2J"], count: 3 });
        let text = screen.text();
        assert!(text.contains("0/3 pairs of parts") && text.contains(": bolt and nut\\u{1b}[2J"), "{text}");
        line.tell(Step::Judged { parts: ["bolt", "nut"], done: 1, count: 3 });
        line.tell(Step::Begun { parts: ["bolt", "washer"], count: 3 });
        assert!(screen.text().contains("bolt and washer"), "{}", screen.text());
    }
}
