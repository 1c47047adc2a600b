//! `nearhit robot matrix`: which links can touch at all, proven over the joint ranges.

use super::read::RobotArgs;
use crate::exit::Finish;
use crate::format;
use crate::interrupt::Interrupt;
use crate::output::{check_different, check_output};
use crate::progress::Progress;
use crate::terminal::{self, Style, grouped, plain};
use anyhow::{Context, Result};
use nearhit_robot::{Allowed, Checker, MatrixEntry, MatrixOptions, MatrixSearch, PairVerdict};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Prove which pairs of links touch never, always or sometimes.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub(super) struct Args {
    #[command(flatten)]
    robot: RobotArgs,

    /// Write the pairs that need no check as an SRDF file.
    #[arg(short, long, value_name = "FILE.srdf")]
    output: Option<PathBuf>,

    /// Limit of tests for each pair.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    tests: u64,

    /// Stop after this many seconds.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,

    /// Keep the state of the search in this file: read if it is there, written at the end, so that
    /// the next call goes on.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Configurations that are tried for each pair before anything is proven.
    #[arg(long, value_name = "N", default_value_t = 500)]
    samples: u32,
}

const ABOUT: &str = "\
Prove which pairs of links touch never, always or sometimes.

For each pair the ranges of the joints between the two links are searched (branch and bound): a box
of configurations is done when the links are farther apart at its middle than they can move within
it. So \"never\" and \"always\" hold for every configuration within the limits; sampled collision
matrices, as MoveIt's setup assistant makes them, do not. \"Sometimes\" comes with two
configurations, one in contact and one not. A pair that is not decided within the limits of tests
and time stays open, with the share of the range that is left and the smallest distance seen.

A pair that the SRDF disables with the reason \"Never\" and that is found to touch is reported.";

const EXAMPLES: &str = "\
Examples:
  nearhit robot matrix arm.urdf -o proven.srdf
  nearhit robot matrix arm.urdf --srdf arm.srdf --json           are its \"Never\" pairs true?
  nearhit robot matrix arm.urdf --tests 10000000 --seconds 600 --state arm.state    go on for ten minutes more

Ctrl-C stops the search and keeps what is proven.
Exit codes: 0 every pair decided, 1 a pair that the SRDF calls \"Never\" touches, 2 error, 3 pairs are open.";

#[derive(Debug, Serialize)]
struct Report {
    robot: String,
    never: usize,
    always: usize,
    sometimes: usize,
    open: usize,
    tests: u64,
    seconds: f64,
    /// Pairs that the SRDF calls "Never": proven, found to touch, not decided.
    srdf_never: [usize; 3],
    pairs: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    links: [String; 2],
    /// "never", "always", "sometimes" or "open".
    verdict: &'static str,
    /// Why the pair is not checked now, if so.
    allowed: Option<String>,
    coordinates: usize,
    /// The share of the range that is not proven.
    left: f64,
    /// The smallest distance seen; null if bodies were always far apart.
    closest: Option<f64>,
    touching: Option<Vec<f64>>,
    clear: Option<Vec<f64>>,
    tests: u64,
}

/// Tests for each open pair, between looks at the clock.
const STEP: u64 = 2000;

/// Runs `nearhit robot matrix`.
pub(super) fn command(args: &Args) -> Result<Finish> {
    let inputs = || std::iter::once(args.robot.urdf.as_path()).chain(args.robot.srdf.as_deref());
    let outputs: Vec<&Path> = args.output.iter().chain(&args.state).map(PathBuf::as_path).collect();
    for output in &outputs {
        check_output(output, inputs(), "is one of the robot's files")?;
    }
    check_different(&outputs)?;
    let checker = args.robot.checker()?;
    let mut search = begin(&checker, args)?;
    let started = Instant::now();
    run(&mut search, args, started)?;
    if let Some(path) = &args.state {
        write(path, &search.save())?;
    }
    if let Some(path) = &args.output {
        write(path, &search.srdf())?;
    }
    let report = Report::new(&checker, &search, started.elapsed());
    let text = match args.robot.json {
        true => serde_json::to_string(&report)? + "\n",
        false => report.table(Style::of_stdout()),
    };
    terminal::print(&text)?;
    Ok(match (report.srdf_never[1], report.open) {
        (1.., _) => Finish::Found,
        (0, 0) => Finish::Done,
        _ => Finish::Partial,
    })
}

fn begin<'c>(checker: &'c Checker, args: &Args) -> Result<MatrixSearch<'c>> {
    if let Some(path) = args.state.as_deref().filter(|path| path.exists()) {
        nearhit_io::check_regular(path)?;
        let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        return MatrixSearch::resume(checker, &text).with_context(|| path.display().to_string());
    }
    Ok(MatrixSearch::new(checker, MatrixOptions::new().samples(args.samples))?)
}

fn run(search: &mut MatrixSearch<'_>, args: &Args, started: Instant) -> Result<()> {
    let interrupt = Interrupt::of_process()?;
    let limit = args.seconds.map(Duration::from_secs);
    let progress = Progress::new(search.entries().count() as u64, "pairs of links decided");
    let mut given = 0;
    while given < args.tests && !search.is_done() {
        search.advance(STEP.min(args.tests - given), Some(interrupt.flag()))?;
        given += STEP;
        progress.reach(search.entries().filter(|entry| !is_open(entry)).count() as u64);
        if interrupt.is_set() || limit.is_some_and(|limit| started.elapsed() >= limit) {
            break;
        }
    }
    interrupt.finish();
    Ok(())
}

fn is_open(entry: &MatrixEntry) -> bool {
    matches!(entry.verdict, PairVerdict::Open { .. })
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("{}: cannot be written", path.display()))
}

impl Report {
    fn new(checker: &Checker, search: &MatrixSearch<'_>, time: Duration) -> Self {
        let pairs: Vec<Row> = search.entries().map(|entry| Row::new(checker, entry)).collect();
        let count = |verdict: &str| pairs.iter().filter(|row| row.verdict == verdict).count();
        let claimed = |verdicts: &[&str]| {
            let is_claimed = |row: &&Row| row.allowed.as_deref() == Some("Never");
            pairs.iter().filter(is_claimed).filter(|row| verdicts.contains(&row.verdict)).count()
        };
        Self {
            robot: checker.robot().name().to_owned(),
            never: count("never"),
            always: count("always"),
            sometimes: count("sometimes"),
            open: count("open"),
            tests: pairs.iter().map(|row| row.tests).sum(),
            seconds: time.as_secs_f64(),
            srdf_never: [claimed(&["never"]), claimed(&["sometimes", "always"]), claimed(&["open"])],
            pairs,
        }
    }

    fn table(&self, style: Style) -> String {
        let decided = self.pairs.len() - self.open;
        let share = if self.pairs.is_empty() { 100.0 } else { 100.0 * decided as f64 / self.pairs.len() as f64 };
        let mut text = format!(
            "{}: {} pairs of links, {share:.0} % decided: {} never touch, {} always, {} sometimes; {} open \
             ({} tests, {:.1} s)\n",
            style.bold(&plain(&self.robot)),
            self.pairs.len(),
            self.never,
            self.always,
            self.sometimes,
            self.open,
            grouped(self.tests),
            self.seconds
        );
        if let [proven, refuted, open] = self.srdf_never
            && proven + refuted + open > 0
        {
            text += &format!("Of the SRDF's \"Never\": {proven} proven, {refuted} refuted, {open} open.\n");
        }
        for row in &self.pairs {
            text += &row.line();
        }
        text
    }
}

impl Row {
    fn new(checker: &Checker, entry: MatrixEntry) -> Self {
        let [a, b] = entry.links;
        let links = [a, b].map(|link| checker.robot().links()[link].name.clone());
        let allowed = checker.allowed().reason(a, b).map(|reason| match reason {
            Allowed::Srdf(reason) => reason.clone(),
            other => format!("{other:?}"),
        });
        let (verdict, left, touching, clear) = match entry.verdict {
            PairVerdict::Never => ("never", 0.0, None, None),
            PairVerdict::Always => ("always", 0.0, None, None),
            PairVerdict::Sometimes { touching, clear, .. } => ("sometimes", 0.0, Some(touching), Some(clear)),
            PairVerdict::Open { left, .. } => ("open", left, None, None),
            _ => ("open", 1.0, None, None),
        };
        let closest = Some(entry.closest).filter(|closest| closest.is_finite());
        let (coordinates, tests) = (entry.coordinates.len(), entry.tests);
        Self { links, verdict, allowed, coordinates, left, closest, touching, clear, tests }
    }

    fn line(&self) -> String {
        let [a, b] = self.links.each_ref().map(|name| plain(name));
        let allowed = self.allowed.as_ref().map_or(String::new(), |reason| format!("  [{}]", plain(reason)));
        let known = match (self.verdict, self.closest) {
            ("open", Some(closest)) => {
                format!(", {:.3} % left, closest {}", 100.0 * self.left, format::number(closest))
            }
            ("open", None) => format!(", {:.3} % left", 100.0 * self.left),
            _ => String::new(),
        };
        format!("  {:9}  {a} and {b}{known}{allowed}\n", self.verdict)
    }
}
