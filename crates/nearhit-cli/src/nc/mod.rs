//! `nearhit nc`: check an NC program against part, stock and fixture. The check is that of
//! [`nearhit_nc`].
//!
//! | module | content |
//! |---|---|
//! | `bodies`, `places` | files and shapes as bodies; coordinates as they are typed |
//! | `summary`, `page` | the report: table, JSON, CSV; a page to scrub through |

mod bodies;
mod page;
mod places;
mod summary;

use crate::exit::Finish;
use crate::interrupt::Interrupt;
use crate::output::{check_different, check_output};
use crate::progress::Progress;
use crate::terminal::{self, Style};
use crate::tolerance::length as parse_length;
use anyhow::{Context, Result, bail};
use nearhit_nc::{Body, CheckOptions, Checker, Demo, Machine, Program, ReadOptions, Rules, ToolTable, Unit, Watch};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use summary::Summary;

/// Check an NC program: tool, shank and holder against part, stock and fixture.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for the roles, and examples.")]
pub struct Args {
    /// The program: G-code (nc, ngc, gcode, tap, …), APT/CL (apt, cl, cls, cldata), or poses (csv).
    #[arg(required_unless_present = "demo", value_name = "PROGRAM")]
    pub program: Option<PathBuf>,

    /// Tools: our own JSON, CAMotics (json, camotics), LinuxCNC (tbl) or FreeCAD (fctb, fctl). Can
    /// be repeated.
    #[arg(long, value_name = "FILE", required_unless_present = "demo")]
    pub tools: Vec<PathBuf>,

    /// The unit of tables that do not say theirs, such as those of LinuxCNC: mm or inch.
    #[arg(long, value_name = "UNIT", default_value = "mm")]
    pub tool_unit: String,

    /// The finished part: a mesh file, or a shape such as box:80,60,20@40,30,-10. Can be repeated.
    #[arg(long, value_name = "BODY", help_heading = BODIES)]
    pub part: Vec<String>,

    /// The stock as it is before this program. Can be repeated.
    #[arg(long, value_name = "BODY", help_heading = BODIES)]
    pub stock: Vec<String>,

    /// What holds the stock: vise, clamps, table. Can be repeated.
    #[arg(long, value_name = "BODY", help_heading = BODIES)]
    pub fixture: Vec<String>,

    /// Other bodies of the machine. Can be repeated.
    #[arg(long, value_name = "BODY", help_heading = BODIES)]
    pub machine: Vec<String>,

    /// How deep the cutter may cut into the part.
    #[arg(long, value_name = "T", default_value = "0.01", allow_hyphen_values = true, help_heading = RULES)]
    pub gouge: String,

    /// The least distance of cutter and shank from what they may not touch.
    #[arg(long, value_name = "T", default_value = "0", allow_hyphen_values = true, help_heading = RULES)]
    pub clearance: String,

    /// The least distance of holder and spindle from everything [default: that of --clearance]
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = RULES)]
    pub holder_clearance: Option<String>,

    /// Also check rapids straight up the tool's axis against the stock.
    #[arg(long, help_heading = RULES)]
    pub strict_retracts: bool,

    /// Where the tip is before the first move.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, help_heading = PLACES)]
    pub start: Option<String>,

    /// Where the tip is after a tool change: unknown, same, or a place.
    #[arg(long, value_name = "WHERE", default_value = "unknown", allow_hyphen_values = true, help_heading = PLACES)]
    pub tool_change: String,

    /// The tool in the spindle before the program changes it, by its number.
    #[arg(long, value_name = "N", help_heading = PLACES)]
    pub tool: Option<u32>,

    /// How axes move at rapid: anywhere (in the box of both ends), straight, or the speeds of x, y
    /// and z, which make a dog-leg.
    #[arg(long, value_name = "HOW", default_value = "anywhere", help_heading = PLACES)]
    pub rapid: String,

    /// Origin of a coordinate system, in the coordinates of the bodies. Can be repeated.
    #[arg(long, value_name = "G55=X,Y,Z", allow_hyphen_values = true, help_heading = PLACES)]
    pub offset: Vec<String>,

    /// The machine's rotary axes, for words A, B and C.
    #[arg(long, value_name = "FILE", help_heading = PLACES)]
    pub kinematics: Option<PathBuf>,

    /// Measure how far the tool stays away from bodies, up to this distance.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub measure: Option<String>,

    /// Locate contacts and measure depths to this length.
    #[arg(long, value_name = "T", default_value = "0.001", allow_hyphen_values = true)]
    pub resolution: String,

    /// Limit of work for a piece of the tool, a body and a move, in questions about two shapes.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub work: u64,

    /// Write the findings as CSV.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Write a line for every move as CSV: clear or not, by how much at least, and from what.
    /// Measures up to 10 mm unless --measure says otherwise; with --json, the moves are there too.
    #[arg(long, value_name = "FILE")]
    pub moves: Option<PathBuf>,

    /// Write an HTML page that plays the tool path, with findings in red.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Print one line of JSON instead of the table.
    #[arg(long)]
    pub json: bool,

    /// Check the built-in job, which has faults, instead of files.
    #[arg(long, conflicts_with_all = ["program", "tools", "part", "stock", "fixture", "machine"])]
    pub demo: bool,
}

/// How far `--moves` looks unless `--measure` says otherwise, in millimetres.
const MEASURED: f64 = 10.0;

const BODIES: &str = "Bodies (millimetres, in the coordinates of the program)";
const RULES: &str = "Rules (millimetres)";
const PLACES: &str = "What a program does not say";

const ABOUT: &str = "\
Check an NC program: tool, shank and holder against part, stock and fixture. Exits with 1 if anything is found.

Of every move it is proven that it is clear at every instant, or the first contact is reported: line
of the program, piece of the tool, body, place, and how deep. Lines, arcs and helices are exact;
tools are true bodies of revolution. Removal of material is not simulated.

  part       the cutter may touch it, and be in it no deeper than --gouge; nothing else may touch it
  stock      the cutter may cut it, but not at rapid; nothing else may touch it
  fixture    nothing may touch it, or come closer than the clearances
  machine    the same

A place on a move is given as a share of it, from 0 to 1. Feeds and accelerations are not simulated,
so no times are given.

A finding is a contact; or possible, if the straight path of a rapid is clear but another path that
its axes may take meets the body; or undecided, where the limit of work was reached.

Words of a program that are not understood are errors with line and word. Ignored words, which do
not change the tool path, are listed.";

const EXAMPLES: &str = "\
Examples:
  A program with everything around it:
      nearhit nc op1.nc --tools tools.json --part part.stl --stock block.stl --fixture vise.stl --gouge 0.02

  Clearances; the machine moves straight at rapid and changes tools in place:
      nearhit nc op1.nc --tools tools.json --fixture vise.stl --clearance 1 --holder-clearance 2 --rapid straight --tool-change same

  A block as stock, without a file; the findings for a spreadsheet:
      nearhit nc op1.nc --tools mill.tbl --stock box:80,60,20@40,30,-10 --csv findings.csv

  Every move with the distance that it keeps, for a spreadsheet:
      nearhit nc op1.nc --tools mill.tbl --tool-unit inch --fixture vise.stl --moves moves.csv --measure 25

  Five axes, from a CL file; how close it gets:
      nearhit nc blade.cls --tools tools.json --part blade.stl --measure 50

  Five axes in G-code, on a machine whose table tips about x and turns about z:
      nearhit nc blade.nc --tools tools.json --part blade.stl --kinematics trunnion.json

A machine: axes of tables (with a point) and heads, from the machine's frame outwards, all at 0:
  {\"axes\": [{\"letter\": \"A\", \"on\": \"table\", \"direction\": [1, 0, 0],
      \"point\": [0, 0, -50]},
    {\"letter\": \"C\", \"on\": \"table\", \"direction\": [0, 0, 1], \"point\": [0, 0, 0]}]}

A table of tools with shank, holder and spindle:
  {\"units\": \"mm\", \"tools\": [{\"number\": 1, \"shape\": \"ball\", \"diameter\": 6,
    \"cutting_length\": 12, \"shank_diameter\": 6, \"stick_out\": 40,
    \"holder\": [{\"diameter\": 28, \"top_diameter\": 50, \"length\": 30}]}]}

Shapes: flat, ball, bull (corner_radius), chamfer (angle, tip_diameter), drill (angle), taper (angle of the
side, tip_diameter), lollipop, dovetail (angle).

Ctrl-C stops the check: what was found by then is reported, with exit code 3.

Exit codes: 0 what was checked is clear, 1 something found, 2 error, 3 stopped with a partial report, or of no
move more than its end could be checked.";

/// Runs `nearhit nc`.
pub fn command(args: &Args) -> Result<Finish> {
    let options = check_options(args)?;
    let reading = read_options(args)?;
    let outputs: Vec<&Path> =
        [&args.csv, &args.moves, &args.html].into_iter().flatten().map(PathBuf::as_path).collect();
    for output in &outputs {
        check_output(output, inputs(args).iter().map(PathBuf::as_path), "is one of the inputs")?;
    }
    check_different(&outputs)?;
    let (name, program, tools, bodies) = job(args, &reading)?;
    let interrupt = Interrupt::of_process()?;
    let checker = Checker::new(tools, bodies, options)?;
    let line = Progress::new(program.moves.len() as u64, "moves");
    let tell = |done: usize, _: usize| line.reach(done as u64);
    let report = checker.check(&program, &Watch::new().cancel(interrupt.flag()).progress(&tell))?;
    drop(line);
    // From here on there is a report to lose.
    interrupt.finish();
    let summary = Summary::new(name, &program, &checker, &report);
    if let Some(path) = &args.csv {
        std::fs::write(path, summary.csv()).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    if let Some(path) = &args.moves {
        std::fs::write(path, summary.moves_csv()).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    if let Some(path) = &args.html {
        let page = page::page(&summary, &program, &checker)?;
        std::fs::write(path, page).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    if args.json {
        terminal::print(&(serde_json::to_string(&summary)? + "\n"))?;
    } else {
        terminal::print(&summary.sentences(Style::of_stdout()))?;
    }
    Ok(match (report.is_complete, report.findings.is_empty()) {
        (false, _) => Finish::Partial,
        (true, false) => Finish::Found,
        // A program of which no move was checked along its whole way is not clear.
        (true, true) if report.clear == 0 => Finish::Partial,
        (true, true) => Finish::Done,
    })
}

/// Everything that is read.
fn inputs(args: &Args) -> Vec<PathBuf> {
    let bodies = [&args.part, &args.stock, &args.fixture, &args.machine].into_iter().flatten().map(PathBuf::from);
    args.program.iter().chain(&args.tools).chain(&args.kinematics).cloned().chain(bodies).collect()
}

/// The program's name, the program, tools and bodies.
fn job(args: &Args, reading: &ReadOptions) -> Result<(String, Program, ToolTable, Vec<Body>)> {
    let Some(path) = args.program.as_ref().filter(|_| !args.demo) else {
        let program = Program::parse(Demo::PROGRAM, "demo.nc", reading)?;
        let tools = ToolTable::parse(Demo::TOOLS, "demo.tools.json")?;
        return Ok(("demo.nc".into(), program, tools, Demo::bodies()?));
    };
    let unit = match args.tool_unit.as_str() {
        "mm" => Unit::Millimetre,
        "inch" => Unit::Inch,
        other => bail!("--tool-unit is '{other}'; known: mm, inch"),
    };
    let program = Program::read(path, reading)?;
    let mut tools = ToolTable::default();
    for file in &args.tools {
        tools.extend(ToolTable::read_in(file, unit)?);
    }
    let bodies = bodies::read(args)?;
    if bodies.is_empty() {
        bail!("there is nothing to check against: give --part, --stock, --fixture or --machine");
    }
    if let Some(machine) = &reading.machine {
        machine.check_bodies(&bodies)?;
    }
    Ok((path.display().to_string(), program, tools, bodies))
}

fn check_options(args: &Args) -> Result<CheckOptions> {
    let length = |text: &str, what: &str| parse_length(text, &format!("--{what} "), what);
    let clearance = length(&args.clearance, "clearance")?;
    let holder_clearance = match &args.holder_clearance {
        Some(text) => length(text, "holder-clearance")?,
        None => clearance,
    };
    let rules = Rules {
        gouge: length(&args.gouge, "gouge")?,
        clearance,
        holder_clearance,
        retract_through_stock: !args.strict_retracts,
    };
    let each = args.moves.is_some();
    let unsaid = if each { MEASURED } else { 0.0 };
    let measure = args.measure.as_deref().map_or(Ok(unsaid), |text| length(text, "measure"))?;
    Ok(CheckOptions { rules, measure, work: args.work, resolution: length(&args.resolution, "resolution")?, each })
}

fn read_options(args: &Args) -> Result<ReadOptions> {
    Ok(ReadOptions {
        start: args.start.as_deref().map(|text| places::place(text, "--start")).transpose()?,
        after_change: places::after_change(&args.tool_change)?,
        rapid: places::rapid(&args.rapid)?,
        offsets: places::offsets(&args.offset)?,
        tool: args.tool,
        machine: args.kinematics.as_deref().map(Machine::read).transpose()?.map(Arc::new),
    })
}
