//! A search as text, to be resumed later: `nearhit matrix 1`, the robot, and for each pair its
//! witnesses and the boxes that are left. Numbers are written so that the same bits are read back.

use super::link_pair::{Block, LinkPair, Phase};
use super::search::{MatrixOptions, MatrixSearch};
use crate::check::Checker;
use crate::error::CheckError;
use std::fmt::Write;
use thiserror::Error;

/// Why a search cannot be resumed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// Not what [`MatrixSearch::save`] writes.
    #[error("line {line}: {message}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// The robot, its bodies or its limits are not those of the search.
    #[error("the search is of another robot, or of other shapes or limits; begin a new one")]
    OtherRobot,
    /// The robot cannot be asked about.
    #[error("{0}")]
    Check(CheckError),
}

const FIRST: &str = "nearhit matrix 1";

impl<'c> MatrixSearch<'c> {
    /// The state of the search as text.
    #[must_use]
    pub fn save(&self) -> String {
        let mut text = format!("{FIRST}\nrobot {:016x}\n", fingerprint(self.checker));
        let _ = writeln!(text, "options {} {}", self.options.samples, self.options.seed);
        for index in 0..self.pairs.len() {
            write_pair(&mut text, &self.pair(index));
        }
        text
    }

    /// Goes on with a search that was saved. The checker must be the same.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::{Checker, MatrixSearch, Robot};
    ///
    /// let checker = Checker::new(Robot::example(), Default::default())?;
    /// let mut search = MatrixSearch::new(&checker, Default::default())?;
    /// search.advance(100, None)?;
    /// let text = search.save();
    /// let resumed = MatrixSearch::resume(&checker, &text)?;
    /// assert!(resumed.entries().eq(search.entries()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn resume(checker: &'c Checker, text: &str) -> Result<Self, MatrixError> {
        let mut lines = Lines { lines: text.lines().enumerate(), line: 0 };
        if lines.next() != Some(FIRST) {
            return Err(lines.wrong(format!("it does not begin with {FIRST:?}")));
        }
        let words = lines.words("robot", 1)?;
        if words[0] != format!("{:016x}", fingerprint(checker)) {
            return Err(MatrixError::OtherRobot);
        }
        let words = lines.words("options", 2)?;
        let options = MatrixOptions { samples: lines.parse(words[0])?, seed: lines.parse(words[1])? };
        let search = Self::new(checker, options).map_err(MatrixError::Check)?;
        for index in 0..search.pairs.len() {
            read_pair(&mut lines, checker.robot().coordinates(), &mut search.pair(index))?;
        }
        Ok(search)
    }
}

fn write_pair(text: &mut String, pair: &LinkPair) {
    let ([a, b], phase) = (pair.entry.links, phase_name(pair.phase));
    let blocks = pair.open.len() + pair.stuck.len();
    let _ = writeln!(text, "pair {a} {b} {phase} {} {:?} {blocks}", pair.entry.tests, pair.entry.closest);
    let mut numbers = |name: &str, values: &mut dyn Iterator<Item = f64>| {
        text.push_str(name);
        values.for_each(|value| _ = write!(text, " {value:?}"));
        text.push('\n');
    };
    for (name, witness) in [("touching", &pair.touching), ("clear", &pair.clear)] {
        numbers(name, &mut witness.iter().flatten().copied());
    }
    for (name, blocks) in [("open", &pair.open), ("stuck", &pair.stuck)] {
        for block in blocks {
            numbers(name, &mut block.low.iter().chain(&block.high).copied());
        }
    }
}

fn read_pair(lines: &mut Lines<'_>, length: usize, pair: &mut LinkPair) -> Result<(), MatrixError> {
    let words = lines.words("pair", 6)?;
    let [a, b] = pair.entry.links;
    if words[0] != a.to_string() || words[1] != b.to_string() {
        return Err(lines.wrong(format!("the links are {} {}, not {a} {b}", words[0], words[1])));
    }
    let phase = [Phase::Sampling, Phase::Never, Phase::Always, Phase::Done];
    let known = phase.into_iter().find(|&phase| phase_name(phase) == words[2]);
    pair.phase = known.ok_or_else(|| lines.wrong(format!("there is no phase {:?}", words[2])))?;
    (pair.entry.tests, pair.entry.closest) = (lines.parse(words[3])?, lines.parse(words[4])?);
    let blocks: usize = lines.parse(words[5])?;
    pair.touching = lines.configuration("touching", length)?;
    pair.clear = lines.configuration("clear", length)?;
    (pair.open, pair.stuck) = (Vec::new(), Vec::new());
    for _ in 0..blocks {
        let (name, numbers) = lines.numbers()?;
        let place = match name {
            "open" => &mut pair.open,
            "stuck" => &mut pair.stuck,
            _ => return Err(lines.wrong(format!("{name:?} is not \"open\" or \"stuck\""))),
        };
        let (low, high) = numbers.split_at(numbers.len() / 2);
        let inside = |index: usize| {
            pair.whole.low[index] <= low[index] && low[index] <= high[index] && high[index] <= pair.whole.high[index]
        };
        if low.len() != pair.whole.low.len() || high.len() != low.len() || !(0..low.len()).all(inside) {
            return Err(lines.wrong("the box is not within the limits".into()));
        }
        place.push(Block { low: low.into(), high: high.into() });
    }
    Ok(())
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Sampling => "sampling",
        Phase::Never => "never",
        Phase::Always => "always",
        Phase::Done => "done",
    }
}

/// Lines one after the other, with their numbers for complaints.
struct Lines<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    line: usize,
}

impl<'t> Lines<'t> {
    fn next(&mut self) -> Option<&'t str> {
        self.line += 1;
        self.lines.next().map(|(_, text)| text)
    }

    fn wrong(&self, message: String) -> MatrixError {
        MatrixError::Line { line: self.line, message }
    }

    /// The words behind a name.
    fn words(&mut self, name: &str, count: usize) -> Result<Vec<&'t str>, MatrixError> {
        let mut words = self.next().unwrap_or("").split(' ');
        let (first, rest) = (words.next(), words.collect::<Vec<_>>());
        if first == Some(name) && rest.len() == count {
            return Ok(rest);
        }
        Err(self.wrong(format!("{name:?} and {count} words should be here")))
    }

    fn parse<T: std::str::FromStr>(&self, word: &str) -> Result<T, MatrixError> {
        word.parse().map_err(|_| self.wrong(format!("{word:?} is not a number")))
    }

    /// A name and the numbers behind it.
    fn numbers(&mut self) -> Result<(&'t str, Vec<f64>), MatrixError> {
        let mut words = self.next().unwrap_or("").split(' ');
        let name = words.next().unwrap_or("");
        Ok((name, words.map(|word| self.parse(word)).collect::<Result<_, _>>()?))
    }

    fn configuration(&mut self, expected: &str, length: usize) -> Result<Option<Vec<f64>>, MatrixError> {
        let (name, q) = self.numbers()?;
        if name != expected || !(q.is_empty() || q.len() == length && q.iter().all(|value| value.is_finite())) {
            return Err(self.wrong(format!("{expected:?} and a configuration should be here")));
        }
        Ok(Some(q).filter(|q| !q.is_empty()))
    }
}

/// Of everything that a proof rests on (FNV-1a): joints, limits, bodies and their shapes.
fn fingerprint(checker: &Checker) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let robot = checker.robot();
    for joint in robot.joints() {
        // Every number in it is written with all its digits.
        add(format!("{joint:?}").as_bytes());
    }
    for body in checker.bodies() {
        add(format!("{} {:?} {:?} {:?}", body.name, body.parent, body.parent_from_body, body.shape.margin()).as_bytes());
        add(format!("{} {:?} {:?}", body.shape.name(), body.shape.bounds(), checker.options()).as_bytes());
        for vertex in body.shape.model().iter().flat_map(|model| model.mesh().vertices()) {
            vertex.to_array().iter().for_each(|value| add(&value.to_le_bytes()));
        }
    }
    hash
}
