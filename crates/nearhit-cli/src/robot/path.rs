//! `nearhit robot path`: is a straight line in joint space clear at every instant?

use super::limits::{self, Outside};
use super::read::{RobotArgs, WorldArgs, configuration, configurations, names};
use crate::exit::Finish;
use crate::format;
use crate::terminal::{self, Style, grouped, plain};
use anyhow::{Result, bail};
use nearhit_robot::{Checker, PathCheck, PathOptions, PathVerdict, Undecided};
use serde::Serialize;
use std::path::PathBuf;

/// Certify straight lines in joint space: clear at every instant, or the first contact. Exits with
/// 1 at a contact.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub(super) struct Args {
    #[command(flatten)]
    robot: RobotArgs,

    #[command(flatten)]
    world: WorldArgs,

    /// Where the line begins: numbers, a state of the SRDF, or some coordinates by name.
    #[arg(long, value_name = "Q", allow_hyphen_values = true, requires = "to", required_unless_present = "file")]
    from: Option<String>,

    /// Where it ends.
    #[arg(long, value_name = "Q", allow_hyphen_values = true, requires = "from")]
    to: Option<String>,

    /// Instead: a file with one configuration on each line, and straight lines between them.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to"])]
    file: Option<PathBuf>,

    /// Bodies must be farther apart than this at every instant.
    #[arg(long, value_name = "T", allow_hyphen_values = true, default_value = "0")]
    clearance: String,

    /// Limit of distance queries on each line [default: none]
    #[arg(long, value_name = "N")]
    budget: Option<u64>,

    /// Locate a contact to this share of the line.
    #[arg(long, value_name = "R", allow_hyphen_values = true, default_value = "1e-6")]
    resolution: String,
}

const ABOUT: &str = "\
Certify straight lines in joint space: clear at every instant, or the first contact. Exits with 1
at a contact.

\"Clear\" is proven for every instant, by bounds on how far any point of a link can move, not by
samples: a sheet of paper between two samples is found. Where a budget ends the search the answer
says up to which share of the line it is certain.";

const EXAMPLES: &str = "\
Examples:
  nearhit robot path arm.urdf --from \"0 0 0 0 0\" --to \"1 0.5 1 0 0\" --clearance 0.005
  nearhit robot path arm.urdf --srdf arm.srdf --from rest --to \"lift=1.9,elbow=2.5\"
  nearhit robot path arm.urdf --file plan.txt --world \"sheet=box:0.0001,1,1@0.6,0,0.5\" --json

Exit codes: 0 clear, 1 contact found, 2 error, 3 not known: the budget ran out, or bodies come too
close to the clearance to tell.";

#[derive(Debug, Serialize)]
struct Report {
    robot: String,
    lines: usize,
    /// Null if not known.
    clear: Option<bool>,
    clearance: f64,
    /// The first line that is not clear, from 0.
    line: Option<usize>,
    /// Shares of that line.
    certain_until: f64,
    contact: Option<f64>,
    pair: Option<[String; 2]>,
    why: Option<&'static str>,
    configurations: u64,
    tests: u64,
    /// Of the ends of the lines; in between joints are within, if they are at both.
    outside: Vec<Outside>,
}

/// Runs `nearhit robot path`.
pub(super) fn command(args: &Args) -> Result<Finish> {
    let options = PathOptions::new()
        .clearance(crate::tolerance::length(&args.clearance, "--clearance ", "clearance")?)
        .resolution(crate::tolerance::length(&args.resolution, "--resolution ", "resolution")?)
        .budget(args.budget.unwrap_or(u64::MAX));
    let checker = args.robot.placed(&args.world)?;
    let robot = checker.robot();
    let waypoints = match (&args.file, &args.from, &args.to) {
        (Some(path), ..) => configurations(robot, path)?,
        (_, Some(from), Some(to)) => vec![configuration(robot, from, "--from")?, configuration(robot, to, "--to")?],
        _ => bail!("give --from and --to, or --file"),
    };
    if waypoints.len() < 2 {
        bail!("a path needs two configurations, but there are {}", waypoints.len());
    }
    let report = report(&checker, &waypoints, &options)?;
    let text = match args.robot.json {
        true => serde_json::to_string(&report)? + "\n",
        false => report.sentences(Style::of_stdout()),
    };
    terminal::print(&text)?;
    Ok(match report.clear {
        Some(true) => Finish::Done,
        Some(false) => Finish::Found,
        None => Finish::Partial,
    })
}

fn report(checker: &Checker, waypoints: &[Vec<f64>], options: &PathOptions) -> Result<Report> {
    let mut report = Report {
        robot: checker.robot().name().to_owned(),
        lines: waypoints.len() - 1,
        clear: Some(true),
        clearance: options.clearance,
        line: None,
        certain_until: 1.0,
        contact: None,
        pair: None,
        why: None,
        configurations: 0,
        tests: 0,
        outside: waypoints.iter().flat_map(|q| limits::outside(checker.robot(), q)).collect(),
    };
    let mut scratch = checker.scratch();
    for (line, ends) in waypoints.windows(2).enumerate() {
        let found = checker.path_clear(&ends[0], &ends[1], options, &mut scratch)?;
        report.add(checker, line, &found);
        if report.clear != Some(true) {
            break;
        }
    }
    Ok(report)
}

impl Report {
    fn add(&mut self, checker: &Checker, line: usize, found: &PathCheck) {
        self.configurations += found.configurations;
        self.tests += found.tests;
        match found.verdict {
            PathVerdict::Clear => return,
            PathVerdict::Contact { after, at, pair, .. } => {
                (self.clear, self.certain_until, self.contact) = (Some(false), after, Some(at));
                self.pair = Some(names(checker, pair));
            }
            PathVerdict::Undecided { certain_until, pair, why, .. } => {
                (self.clear, self.certain_until) = (None, certain_until);
                self.pair = Some(names(checker, pair));
                self.why = Some(if why == Undecided::Budget { "budget" } else { "too close" });
            }
            _ => (self.clear, self.certain_until) = (None, 0.0),
        }
        self.line = Some(line);
    }

    fn sentences(&self, style: Style) -> String {
        let far = if self.clearance > 0.0 { format!(" by more than {}", self.clearance) } else { String::new() };
        let work = format!("{} configurations, {} distances.\n", grouped(self.configurations), grouped(self.tests));
        let work = work + &limits::sentences(&self.outside);
        let line = match self.line {
            Some(line) if self.lines > 1 => format!("line {line} of {}: ", self.lines),
            _ => String::new(),
        };
        let pair = self.pair.as_ref().map_or(String::new(), |[a, b]| format!("{} and {}", plain(a), plain(b)));
        let until = format::number(self.certain_until);
        match (self.clear, self.contact) {
            (Some(true), _) => format!("{}.\n{work}", style.good(&format!("Clear{far} at every instant"))),
            (_, Some(at)) => {
                let met = if self.clearance > 0.0 { "come too close" } else { "touch" };
                let found = style.bold(&format!("{pair} {met} at {}", format::number(at)));
                format!("{line}{found} of the line; before {until} it is clear{far}.\n{work}")
            }
            _ => {
                let why = if self.why == Some("budget") { "the budget ran out" } else { "they come too close to tell" };
                format!("{line}Not known for {pair} ({why}); before {until} of the line it is clear{far}.\n{work}")
            }
        }
    }
}
