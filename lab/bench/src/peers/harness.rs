//! Another library as a process that answers questions about a case, timed by itself. The protocol
//! is in `peers/harness.hpp`.

use super::contender::{Answer, Contender, Made};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running peer.
#[derive(Debug)]
pub(super) struct Harness {
    name: &'static str,
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    made: Made,
}

/// A peer: its name, the program in the folder of harnesses, and what the program is told before
/// the case.
pub(super) type Peer = (&'static str, &'static str, &'static [&'static str]);

/// Those that `scripts/peers` can make.
pub(super) const PEERS: &[Peer] = &[
    ("fcl", "fcl", &[]),
    ("coal", "coal", &[]),
    ("parry f64", "peer-parry", &["f64"]),
    ("parry f32", "peer-parry", &["f32"]),
    ("embree", "embree", &[]),
];

/// A peer that is not made here: the environment variable with the path of its program, and its
/// name. Its program speaks the same protocol.
///
/// PQP has a licence that keeps it out of this bench. It starts every distance from the last pair,
/// so its program answers `warm`, and says `unsupported` to `distance`.
pub(super) const GIVEN: (&str, &str) = ("NEARHIT_PQP", "PQP");

/// The peer whose program is given, if it is.
pub(super) fn given() -> Option<Peer> {
    let program: &'static str = std::env::var(GIVEN.0).ok().filter(|path| !path.is_empty())?.leak();
    Some((GIVEN.1, program, &[]))
}

impl Harness {
    /// Starts a peer on a case; returns when it has built its models.
    pub(super) fn start(peer: &Peer, programs: &Path, case: &Path) -> Result<Self> {
        let &(name, program, arguments) = peer;
        let mut command = Command::new(programs.join(program));
        command.args(arguments).arg(case).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().with_context(|| format!("cannot start {program}"))?;
        let questions = process.stdin.take().context("no standard input")?;
        let mut answers = BufReader::new(process.stdout.take().context("no standard output")?);
        let mut line = String::new();
        answers.read_line(&mut line)?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let &["ready", milliseconds, bytes] = words.as_slice() else {
            bail!("{name} is not ready, but says {line:?}");
        };
        let made = Made { milliseconds: milliseconds.parse()?, bytes: bytes.parse()? };
        Ok(Self { name, process, questions, answers, made })
    }
}

impl Contender for Harness {
    fn name(&self) -> &str {
        self.name
    }

    fn made(&self) -> Made {
        self.made
    }

    fn ask(&mut self, question: &str, first: usize, count: usize) -> Result<Option<Vec<Answer>>> {
        writeln!(self.questions, "{question} {first} {count}")?;
        self.questions.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        if line.trim() == "unsupported" {
            return Ok(None);
        }
        let numbers: Vec<f64> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        if numbers.len() != 2 * count {
            bail!("{} gave {} numbers for {count} answers to {question}", self.name, numbers.len());
        }
        let answer = |pair: &[f64]| Answer { microseconds: pair[0] / 1e3, value: pair[1] };
        Ok(Some(numbers.chunks(2).map(answer).collect()))
    }
}

impl Drop for Harness {
    fn drop(&mut self) {
        // It may be deep in a query nobody waits for.
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
