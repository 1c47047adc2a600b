//! `nearhit robot check`: which bodies of a robot touch, and which are closest.

use super::limits::{self, Outside, outside};
use super::read::{RobotArgs, WorldArgs, configuration, configurations, names};
use crate::exit::Finish;
use crate::format;
use crate::terminal::{self, Style, grouped, plain};
use anyhow::{Result, anyhow, bail};
use nearhit::batch::{BatchError, BatchOptions};
use nearhit_robot::{CheckError, CheckScratch, Checker, Random};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Test configurations of a robot for collision. Exits with 1 if any collides.
#[derive(Debug, Clone, clap::Args)]
#[command(after_long_help = EXAMPLES, after_help = "See --help for examples.")]
#[group(id = "which", required = true, multiple = false, args = ["q", "file", "random"])]
pub(super) struct Args {
    #[command(flatten)]
    robot: RobotArgs,

    #[command(flatten)]
    world: WorldArgs,

    /// A configuration: all its numbers, the name of a state of the SRDF, or some coordinates by
    /// name (elbow=1.2,lift=0.3), the others at 0. Can be repeated.
    #[arg(long, value_name = "Q", allow_hyphen_values = true)]
    q: Vec<String>,

    /// A file with one configuration on each line.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Test this number of random configurations within the limits.
    #[arg(long, value_name = "N")]
    random: Option<usize>,

    /// Seed of --random.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Count pairs that are at most this far apart as collisions too.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    within: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  nearhit robot check arm.urdf --q \"0 1.9 2.5 0 0.02\"
  nearhit robot check arm.urdf --srdf arm.srdf --q rest --world \"table=box:2,2,0.1@0,0,-0.1\"
  nearhit robot check arm.urdf --random 10000 --json
  nearhit robot check arm.urdf --file path.txt --within 0.01 --attach \"hand=cylinder:0.01,0.3@0,0,0.2\"

Exit codes: 0 nothing touches, 1 a configuration collides, 2 error.";

/// What is known of one configuration.
#[derive(Debug, Serialize)]
struct Found {
    collides: bool,
    pairs: Vec<[String; 2]>,
    closest: Option<Gap>,
    outside: Vec<Outside>,
}

#[derive(Debug, Serialize)]
struct Gap {
    pair: [String; 2],
    lower: f64,
    upper: f64,
    points: [[f64; 3]; 2],
}

#[derive(Debug, Serialize)]
struct Report {
    robot: String,
    configurations: usize,
    colliding: usize,
    /// Of each configuration, but for --random.
    found: Option<Vec<Found>>,
    /// Of --random: how often each pair touched, most often first.
    pairs: Option<Vec<Count>>,
}

#[derive(Debug, Serialize)]
struct Count {
    pair: [String; 2],
    count: usize,
}

/// Runs `nearhit robot check`.
pub(super) fn command(args: &Args) -> Result<Finish> {
    let limit = match &args.within {
        Some(text) => crate::tolerance::length(text, "--within ", "distance")?,
        None => 0.0,
    };
    let checker = args.robot.placed(&args.world)?;
    let robot = checker.robot();
    let report = match (args.random, &args.file) {
        (Some(count), _) => at_random(&checker, count, args.seed, limit)?,
        (_, Some(path)) => Report::of_each(&checker, each(&checker, &configurations(robot, path)?, limit)?),
        _ => {
            let all: Result<Vec<_>> = args.q.iter().map(|text| configuration(robot, text, "--q")).collect();
            Report::of_each(&checker, each(&checker, &all?, limit)?)
        }
    };
    let text = match args.robot.json {
        true => serde_json::to_string(&report)? + "\n",
        false => report.sentences(limit, Style::of_stdout()),
    };
    terminal::print(&text)?;
    Ok(if report.colliding > 0 { Finish::Found } else { Finish::Done })
}

fn each(checker: &Checker, all: &[Vec<f64>], limit: f64) -> Result<Vec<Found>> {
    let ask = |checker: &Checker, q: &[f64], scratch: &mut CheckScratch| look(checker, q, limit, true, scratch);
    if checker.robot().coordinates() == 0 {
        // Without numbers a batch does not show how many there are.
        let mut scratch = checker.scratch();
        return Ok(all.iter().map(|q| ask(checker, q, &mut scratch)).collect::<Result<_, _>>()?);
    }
    checker.each(&all.concat(), &BatchOptions::new(), ask).map_err(|error| refused(error, 0))
}

fn refused(error: BatchError<CheckError>, first: usize) -> anyhow::Error {
    match error {
        BatchError::Refused { index, error } => anyhow!("configuration {}: {error}", first + index),
        error => anyhow!("{error}"),
    }
}

/// More than this takes days, and is a slip of the hand.
const MOST_RANDOM: usize = 1_000_000_000;

/// Only so many are in memory at a time.
const CHUNK: usize = 4096;

fn at_random(checker: &Checker, count: usize, seed: u64, limit: f64) -> Result<Report> {
    if !(1..=MOST_RANDOM).contains(&count) {
        bail!("--random {count}: must be from 1 to {MOST_RANDOM}");
    }
    if checker.robot().coordinates() == 0 {
        bail!("--random {count}: no joint of the robot moves; ask with --q \"\"");
    }
    let ask = |checker: &Checker, q: &[f64], scratch: &mut CheckScratch| look(checker, q, limit, false, scratch);
    let (mut random, mut colliding) = (Random::new(seed), 0);
    let mut counts = BTreeMap::<[String; 2], usize>::new();
    for first in (0..count).step_by(CHUNK) {
        let some = first..count.min(first + CHUNK);
        let flat: Vec<f64> = some.flat_map(|_| checker.robot().random_configuration(&mut random)).collect();
        let found = checker.each(&flat, &BatchOptions::new(), ask).map_err(|error| refused(error, first))?;
        colliding += found.iter().filter(|one| one.collides).count();
        for pair in found.into_iter().flat_map(|one| one.pairs) {
            *counts.entry(pair).or_default() += 1;
        }
    }
    let mut pairs: Vec<Count> = counts.into_iter().map(|(pair, count)| Count { pair, count }).collect();
    pairs.sort_by_key(|one| std::cmp::Reverse(one.count));
    let robot = checker.robot().name().to_owned();
    Ok(Report { robot, configurations: count, colliding, found: None, pairs: Some(pairs) })
}

fn look(
    checker: &Checker,
    q: &[f64],
    limit: f64,
    with_closest: bool,
    scratch: &mut CheckScratch,
) -> Result<Found, CheckError> {
    let mut pairs = Vec::new();
    checker.pairs_within(q, limit, scratch, &mut pairs)?;
    let closest = if with_closest { checker.closest(q, scratch)? } else { None };
    let gap = |closest: nearhit_robot::Closest| Gap {
        pair: names(checker, closest.pair),
        lower: closest.lower,
        upper: closest.upper,
        points: [closest.on_a, closest.on_b],
    };
    let pairs: Vec<[String; 2]> = pairs.into_iter().map(|pair| names(checker, pair)).collect();
    let outside = if with_closest { outside(checker.robot(), q) } else { Vec::new() };
    Ok(Found { collides: !pairs.is_empty(), pairs, closest: closest.map(gap), outside })
}

impl Report {
    fn of_each(checker: &Checker, found: Vec<Found>) -> Self {
        let (configurations, colliding) = (found.len(), found.iter().filter(|one| one.collides).count());
        let robot = checker.robot().name().to_owned();
        Self { robot, configurations, colliding, found: Some(found), pairs: None }
    }

    fn sentences(&self, limit: f64, style: Style) -> String {
        let (colliding, count) = (grouped(self.colliding as u64), grouped(self.configurations as u64));
        let mut text = String::new();
        for (index, found) in self.found.iter().flatten().enumerate() {
            let number = if self.configurations == 1 { String::new() } else { format!("configuration {index}: ") };
            text += &format!("{number}{}", found.sentences(limit, style));
        }
        if self.configurations != 1 {
            text += &format!("{colliding} of {count} configurations collide.\n");
        }
        for Count { pair: [a, b], count } in self.pairs.iter().flatten().take(10) {
            text += &format!("  {:>8}  {} and {}\n", grouped(*count as u64), plain(a), plain(b));
        }
        text
    }
}

impl Found {
    fn sentences(&self, limit: f64, style: Style) -> String {
        let nearest = self.closest.as_ref().filter(|gap| gap.upper > 0.0).map_or(String::new(), |gap| {
            let ([a, b], [at_a, at_b]) = (gap.pair.each_ref().map(|name| plain(name)), gap.points.map(format::point));
            format!("Closest: {a} at {at_a} and {b} at {at_b}, {} apart.\n", format::number(gap.upper))
        });
        let nearest = nearest + &limits::sentences(&self.outside);
        if self.pairs.is_empty() {
            let said =
                if limit > 0.0 { format!("all pairs are more than {limit} apart") } else { "nothing touches".into() };
            return format!("{}.\n{nearest}", style.good(&said));
        }
        let said = match (self.pairs.len(), limit > 0.0) {
            (1, false) => "1 pair touches".to_owned(),
            (1, true) => format!("1 pair is at most {limit} apart"),
            (count, false) => format!("{count} pairs touch"),
            (count, true) => format!("{count} pairs are at most {limit} apart"),
        };
        let pairs: String = self.pairs.iter().map(|[a, b]| format!("  {} and {}\n", plain(a), plain(b))).collect();
        format!("{}:\n{pairs}{nearest}", style.bold(&said))
    }
}
