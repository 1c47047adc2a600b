//! NC verification, the check of a program for contacts and gouges: every move, every piece of the
//! tool, every body.
//!
//! | module | content |
//! |---|---|
//! | `body`, `rules` | what stands around, and what may touch it |
//! | `case`, `search` | pieces of one label, or one piece; one body, one move |
//! | `report`, `each`, `surface` | what is found; what is certain of each move; bodies in pictures |

mod body;
mod case;
mod each;
mod report;
mod rules;
mod search;
mod surface;

pub use body::{Body, Role};
pub use each::{MoveClass, MoveReport};
pub use report::{Class, Clearance, Finding, Report, Signed};
pub use rules::Rules;

use crate::error::NcError;
use crate::program::{Move, Program};
use crate::tool::{Label, Piece, Tool, ToolTable};
use case::Case;
use each::Nearest;
use rayon::prelude::*;
use search::{Outcome, Work};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How a program is checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckOptions {
    /// What may touch what.
    pub rules: Rules,
    /// Contacts are located, and depths measured, to this length.
    pub resolution: f64,
    /// Questions that may be asked about one piece, one body and one move.
    pub work: u64,
    /// Measure how far the tool stays away from bodies, up to this distance; 0 for not at all.
    pub measure: f64,
    /// Keep what is certain of every move ([`Report::each`]).
    pub each: bool,
}

impl Default for CheckOptions {
    /// The default rules, a thousandth of a millimetre, 10,000 questions, no measures.
    fn default() -> Self {
        Self { rules: Rules::default(), resolution: 1e-3, work: 10_000, measure: 0.0, each: false }
    }
}

/// How a check is watched and ended early.
#[derive(Default, Clone, Copy)]
#[non_exhaustive]
pub struct Watch<'w> {
    /// When this becomes true, the moves checked by then are reported.
    pub cancel: Option<&'w AtomicBool>,
    /// Told how many of all moves are checked, from any thread.
    pub progress: Option<&'w (dyn Fn(usize, usize) + Sync)>,
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Watch").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

impl<'w> Watch<'w> {
    /// Nobody watches.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends early when the flag is set.
    #[must_use]
    pub fn cancel(self, flag: &'w AtomicBool) -> Self {
        Self { cancel: Some(flag), ..self }
    }

    /// Tells how many moves are checked, and of how many.
    #[must_use]
    pub fn progress(self, tell: &'w (dyn Fn(usize, usize) + Sync)) -> Self {
        Self { progress: Some(tell), ..self }
    }
}

/// Tools, bodies and rules: what programs are checked against.
#[derive(Debug)]
pub struct Checker {
    tools: ToolTable,
    bodies: Vec<Body>,
    options: CheckOptions,
    /// For each tool: its pieces with one label, as they are and as deep as the cutter may cut.
    pieces: BTreeMap<u32, Vec<Pieces>>,
}

#[derive(Debug)]
struct Pieces {
    label: Label,
    whole: Vec<Piece>,
    /// Moved inwards by the gouge that is allowed.
    deep: Vec<Piece>,
}

/// What a chunk of moves has to say.
#[derive(Debug, Default)]
struct Part {
    findings: Vec<Finding>,
    clear: usize,
    ends_only: usize,
    tests: u64,
    /// Least clearance, and where, of each label and body.
    clearances: BTreeMap<(Label, usize), (f64, usize)>,
    /// Of each move, if that is asked for.
    each: Vec<MoveReport>,
}

/// Moves that one thread takes at a time. The answer does not depend on it.
const CHUNK: usize = 64;

impl Checker {
    /// With these tools, bodies and rules.
    ///
    /// ```
    /// use nearhit_nc::{CheckOptions, Checker, Demo, ToolTable};
    ///
    /// let tools = ToolTable::parse(Demo::TOOLS, "demo.tools.json")?;
    /// let checker = Checker::new(tools, Demo::bodies()?, CheckOptions::default())?;
    /// assert!(checker.remarks().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(tools: ToolTable, bodies: Vec<Body>, options: CheckOptions) -> Result<Self, NcError> {
        options.rules.check()?;
        for (what, value) in [("the resolution", options.resolution), ("the measure", options.measure)] {
            if !(0.0..=1e6).contains(&value) {
                return Err(NcError::Length { what, value });
            }
        }
        let mut pieces = BTreeMap::new();
        for tool in tools.iter() {
            pieces.insert(tool.number, labelled(tool, options.rules.gouge)?);
        }
        Ok(Self { tools, bodies, options, pieces })
    }

    /// The tools.
    #[must_use]
    pub fn tools(&self) -> &ToolTable {
        &self.tools
    }

    /// The bodies.
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// What tool tables leave open, and which bodies are surfaces without inside.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let open = self.bodies.iter().filter(|body| body.is_open());
        let open =
            open.map(|body| format!("{}: its mesh has holes, so that it is a surface without inside", body.name()));
        self.tools.notes().iter().cloned().chain(open).collect()
    }

    /// Checks all moves of a program, on all threads of the current pool.
    ///
    /// ```
    /// use nearhit_nc::{CheckOptions, Checker, Demo, Program, ReadOptions, ToolTable, Watch};
    ///
    /// let tools = ToolTable::parse(Demo::TOOLS, "demo.tools.json")?;
    /// let checker = Checker::new(tools, Demo::bodies()?, CheckOptions::default())?;
    /// let program = Program::parse(Demo::PROGRAM, "demo.nc", &ReadOptions::default())?;
    /// let report = checker.check(&program, &Watch::new())?;
    /// assert!(report.is_complete);
    /// for finding in &report.findings {
    ///     println!("line {}: {:?} against {}", finding.line, finding.piece, finding.body);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, program: &Program, watch: &Watch<'_>) -> Result<Report, NcError> {
        let count = program.moves.len();
        if let Some(one) = program.moves.iter().find(|one| self.tool_of(one).is_none()) {
            return Err(self.no_tool(one, &program.file));
        }
        let done = AtomicUsize::new(0);
        let chunk = |(index, moves): (usize, &[Move])| {
            if watch.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Ok(None);
            }
            let part = self.check_chunk(index * CHUNK, moves)?;
            let now = done.fetch_add(moves.len(), Ordering::Relaxed) + moves.len();
            if let Some(tell) = watch.progress {
                tell(now, count);
            }
            Ok(Some(part))
        };
        let parts: Result<Vec<Option<Part>>, NcError> =
            program.moves.par_chunks(CHUNK).enumerate().map(chunk).collect();
        Ok(self.report(count, parts?))
    }

    /// Checks one move: what is found, in the order of labels and bodies.
    ///
    /// ```
    /// use nearhit_nc::{CheckOptions, Checker, Demo, Program, ReadOptions, ToolTable};
    ///
    /// let tools = ToolTable::parse(Demo::TOOLS, "demo.tools.json")?;
    /// let checker = Checker::new(tools, Demo::bodies()?, CheckOptions::default())?;
    /// let program = Program::parse(Demo::PROGRAM, "demo.nc", &ReadOptions::default())?;
    /// let found = checker.check_move(0, &program.moves[0])?;
    /// assert!(found.iter().all(|finding| finding.line == program.moves[0].line));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_move(&self, index: usize, one: &Move) -> Result<Vec<Finding>, NcError> {
        let (mut part, mut work) = (Part::default(), Work::default());
        self.check_one(index, one, &mut part, &mut work)?;
        Ok(part.findings)
    }

    fn check_chunk(&self, first: usize, moves: &[Move]) -> Result<Part, NcError> {
        let (mut part, mut work) = (Part::default(), Work::default());
        for (offset, one) in moves.iter().enumerate() {
            self.check_one(first + offset, one, &mut part, &mut work)?;
        }
        part.tests = work.tests;
        Ok(part)
    }

    fn check_one(&self, index: usize, one: &Move, part: &mut Part, work: &mut Work) -> Result<(), NcError> {
        let tool = self.tool_of(one).ok_or_else(|| self.no_tool(one, "program"))?;
        let found = part.findings.len();
        let mut nearest = Nearest::default();
        for pieces in self.pieces.get(&tool.number).into_iter().flatten() {
            for (number, body) in self.bodies.iter().enumerate() {
                let Some(limit) = self.options.rules.limit(pieces.label, body.role, one) else { continue };
                let case = Case { checker: self, tool, one, body, label: pieces.label };
                let (class, outcome, list) = case.judge(pieces, limit, work)?;
                if outcome != Outcome::Clear {
                    part.findings.push(case.finding(index, class, outcome, limit, list, work)?);
                } else if self.options.measure > limit.distance && limit.depth == 0.0 {
                    let least = case.clearance(pieces, limit, self.options.measure, work)?;
                    let slot = part.clearances.entry((pieces.label, number)).or_insert((f64::INFINITY, 0));
                    if least < slot.0 {
                        *slot = (least, one.line);
                    }
                    nearest.offer(pieces.label, body.role, number, least);
                } else if self.options.each {
                    let least = case.clearance_of_part(pieces, limit, self.options.measure, work)?;
                    nearest.offer(pieces.label, body.role, number, least);
                }
            }
        }
        if part.findings.len() == found {
            // Of an arrival the way is not known: nothing is proven of it but its end.
            let count = if one.is_arrival { &mut part.ends_only } else { &mut part.clear };
            *count += 1;
        }
        if self.options.each {
            part.each.push(nearest.of(one, &part.findings[found..], self));
        }
        Ok(())
    }

    /// The tool of a move: the one that the program has changed to, or the only one.
    fn tool_of(&self, one: &Move) -> Option<&Tool> {
        match one.tool {
            Some(number) => self.tools.get(number),
            None => self.tools.only(),
        }
    }

    fn no_tool(&self, one: &Move, file: &str) -> NcError {
        let numbers: Vec<String> = self.tools.iter().take(20).map(|tool| tool.number.to_string()).collect();
        let known = if numbers.is_empty() { "none".into() } else { numbers.join(", ") };
        let (file, line) = (file.to_owned(), one.line);
        match one.tool.map(|tool| (tool, self.tools.left_out(tool))) {
            Some((tool, Some(why))) => NcError::ToolLeftOut { file, line, tool, why: why.to_owned() },
            Some((tool, None)) => NcError::NoTool { file, line, tool, known },
            None => NcError::ToolNotSaid { file, line, known },
        }
    }

    /// Puts the parts together, as far as they go without a gap.
    fn report(&self, count: usize, parts: Vec<Option<Part>>) -> Report {
        let mut report = Report { moves: count, ..Report::default() };
        let mut clearances: BTreeMap<(Label, usize), (f64, usize)> = BTreeMap::new();
        let length = parts.len();
        for (index, part) in parts.into_iter().map_while(|part| part).enumerate() {
            report.checked = if index + 1 == length { count } else { (index + 1) * CHUNK };
            report.clear += part.clear;
            report.ends_only += part.ends_only;
            report.tests += part.tests;
            report.findings.extend(part.findings);
            report.each.extend(part.each);
            for (key, value) in part.clearances {
                let slot = clearances.entry(key).or_insert(value);
                if value.0 < slot.0 {
                    *slot = value;
                }
            }
        }
        report.is_complete = report.checked == count;
        report.clearances = clearances
            .into_iter()
            .map(|((piece, body), (at_least, line))| Clearance {
                piece,
                body: self.bodies[body].name.clone(),
                at_least,
                line,
            })
            .collect();
        report
    }
}

fn labelled(tool: &Tool, gouge: f64) -> Result<Vec<Pieces>, NcError> {
    let mut found = Vec::new();
    for label in [Label::Cutter, Label::Shank, Label::Holder, Label::Spindle] {
        let whole: Vec<Piece> = tool.pieces().iter().filter(|piece| piece.label == label).cloned().collect();
        let deep = if label == Label::Cutter { tool.eroded(label, gouge)? } else { Vec::new() };
        if !whole.is_empty() {
            found.push(Pieces { label, whole, deep });
        }
    }
    Ok(found)
}
