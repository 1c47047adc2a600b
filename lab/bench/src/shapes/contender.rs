//! Who takes part: ours in this process, the others in theirs.

use super::bodies::Body;
use super::pairs::Placed;
use anyhow::{Context, Result};
use nearhit::shape::ShapePair;
use nearhit::{Pose, Scratch, Settings, Tolerance, Verdict};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

/// A peer's name and its program.
pub(super) const PEERS: &[(&str, &str)] =
    &[("coal", "coal-shapes"), ("fcl", "fcl-shapes"), ("parry", "peer-parry-shapes")];

/// Another library, in a process of its own; see `peers/shapes/harness.hpp`.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) name: &'static str,
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    pub(super) fn start(name: &'static str, program: &Path, file: &Path) -> Result<Self> {
        let mut command = Command::new(program);
        command.arg(file).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
        let questions = process.stdin.take().context("no standard input")?;
        let mut answers = BufReader::new(process.stdout.take().context("no standard output")?);
        answers.read_line(&mut String::new())?;
        Ok(Self { name, process, questions, answers })
    }

    fn say(&mut self, line: &str) -> Result<Option<Vec<f64>>> {
        writeln!(self.questions, "{line}")?;
        self.questions.flush()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        if answer.trim() == "unsupported" {
            return Ok(None);
        }
        let numbers = answer.split_whitespace().map(str::parse).collect::<Result<_, _>>();
        Ok(Some(numbers.with_context(|| format!("{} says {answer:?}", self.name))?))
    }

    /// Nanoseconds a query.
    pub(super) fn time(&mut self, question: &str, pair: usize, repeats: usize) -> Result<Option<f64>> {
        Ok(self.say(&format!("time {question} {pair} {repeats}"))?.and_then(|numbers| numbers.first().copied()))
    }

    /// One number a pose.
    pub(super) fn answers(&mut self, question: &str, pair: usize) -> Result<Option<Vec<f64>>> {
        self.say(&format!("answers {question} {pair}"))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

/// The poses that a question is about.
fn poses<'p>(question: &str, placed: &'p Placed) -> &'p [Pose] {
    match question {
        "distance" | "warm" => &placed.poses[placed.touching..],
        "depth" => &placed.poses[..placed.touching],
        _ => &placed.poses,
    }
}

/// Ours: nanoseconds a query.
pub(super) fn time(question: &str, bodies: &[Body], placed: &Placed, repeats: usize) -> f64 {
    let count = poses(question, placed).len();
    let mut scratch = Scratch::new();
    let mut sum = 0.0;
    let mut once = || all(question, bodies, placed, &mut scratch, |answer| sum += answer);
    once();
    let start = Instant::now();
    for _ in 0..repeats {
        once();
    }
    let took = start.elapsed().as_nanos() as f64;
    std::hint::black_box(sum);
    took / (repeats * count) as f64
}

/// Ours: one number a pose.
pub(super) fn answers(question: &str, bodies: &[Body], placed: &Placed) -> Vec<f64> {
    let mut found = Vec::new();
    all(question, bodies, placed, &mut Scratch::new(), |answer| found.push(answer));
    found
}

fn all(question: &str, bodies: &[Body], placed: &Placed, scratch: &mut Scratch, mut take: impl FnMut(f64)) {
    let (a, b) = (&bodies[placed.a].shape, &bodies[placed.b].shape);
    let pair = |pose: &Pose| ShapePair::relative(a, b, pose).expect("bodies of size one");
    let mut settings = Settings::default();
    for pose in poses(question, placed) {
        let pair = pair(pose);
        take(match question {
            "collide" => f64::from(pair.collide(&settings, scratch).verdict == Verdict::Yes),
            "depth" => pair.penetration(scratch).map_or(f64::NAN, |found| found.depth.upper),
            _ => {
                let found = pair.distance(Tolerance::EXACT, &settings, scratch);
                if question == "warm" {
                    settings = Settings::new().seed(Some(found.seed()));
                }
                found.upper
            }
        });
    }
}
