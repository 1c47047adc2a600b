//! The check of a program: every move, every piece of the tool, every body.
//!
//! | module | content |
//! |---|---|
//! | `body`, `rules` | what stands around, and what may touch it |
//! | `search` | one piece, one body, one move |
//! | `report`, `surface` | what is found; bodies in pictures |

mod body;
mod report;
mod rules;
mod search;
mod surface;

pub use body::{Body, Role};
pub use report::{Class, Clearance, Finding, Report, Signed};
pub use rules::Rules;

use crate::error::NcError;
use crate::program::{Move, Program, ToolPath};
use crate::tool::{Label, Piece, Tool, ToolTable};
use glam::DVec3;
use rayon::prelude::*;
use rules::Limit;
use search::{Outcome, Search, Want, Work};
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
}

impl Default for CheckOptions {
    /// The default rules, a thousandth of a millimetre, 10,000 questions, no measures.
    fn default() -> Self {
        Self { rules: Rules::default(), resolution: 1e-3, work: 10_000, measure: 0.0 }
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
}

/// Moves that one thread takes at a time. The answer does not depend on it.
const CHUNK: usize = 64;

impl Checker {
    /// With these tools, bodies and rules.
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
                }
            }
        }
        if part.findings.len() == found {
            // Of an arrival the way is not known: nothing is proven of it but its end.
            let count = if one.is_arrival { &mut part.ends_only } else { &mut part.clear };
            *count += 1;
        }
        Ok(())
    }

    /// The tool of a move: the one that the program has changed to, or the only one.
    fn tool_of(&self, one: &Move) -> Option<&Tool> {
        match one.tool {
            Some(number) => self.tools.get(number),
            None => self.tools.iter().next().filter(|_| self.tools.len() == 1),
        }
    }

    fn no_tool(&self, one: &Move, file: &str) -> NcError {
        let numbers: Vec<String> = self.tools.iter().take(20).map(|tool| tool.number.to_string()).collect();
        let known = if numbers.is_empty() { "none".into() } else { numbers.join(", ") };
        let (file, line) = (file.to_owned(), one.line);
        match one.tool {
            Some(tool) => NcError::NoTool { file, line, tool, known },
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

/// Pieces of one label, one body, one move.
struct Case<'c> {
    checker: &'c Checker,
    tool: &'c Tool,
    one: &'c Move,
    body: &'c Body,
    label: Label,
}

impl<'c> Case<'c> {
    fn search(&self, path: &'c ToolPath, piece: &'c Piece, distance: f64) -> Search<'c> {
        let options = &self.checker.options;
        let length = path.length_bound(self.tool.length());
        let resolution = if length > 0.0 { options.resolution / length } else { 1.0 };
        Search { path, piece, body: self.body, distance, resolution, budget: options.work }
    }

    /// The first outcome of all pieces, and which pieces were asked about.
    fn judge<'p>(
        &self,
        pieces: &'p Pieces,
        limit: Limit,
        work: &mut Work,
    ) -> Result<(Class, Outcome, &'p [Piece]), NcError>
    where
        'p: 'c,
    {
        let list: &'p [Piece] = if limit.depth > 0.0 { &pieces.deep } else { &pieces.whole };
        let ToolPath::Anywhere { from, to } = self.one.path else {
            let outcome = self.first(&self.one.path, list, limit.distance, Want::First, work)?;
            let class = if matches!(outcome, Outcome::Undecided { .. }) { Class::Undecided } else { Class::Contact };
            return Ok((class, outcome, list));
        };
        // The box of all ways first, which mostly is clear.
        let mut is_near = false;
        for piece in list {
            let search = self.search(&self.one.path, piece, limit.distance);
            let cover = self.one.path.cover(piece, [0.0, 1.0]);
            is_near = is_near
                || search.is_near(&cover, work)?
                || self.body.holds(from + piece.height * DVec3::Z, &mut work.scratch);
        }
        if !is_near {
            return Ok((Class::Contact, Outcome::Clear, list));
        }
        let straight = ToolPath::Line { from, to };
        let class = match self.first(&straight, list, limit.distance, Want::First, work)? {
            Outcome::Clear => (Class::Possible, Outcome::Contact { after: 0.0, at: 1.0 }),
            outcome @ Outcome::Contact { .. } => (Class::Contact, outcome),
            outcome @ Outcome::Undecided { .. } => (Class::Undecided, outcome),
        };
        Ok((class.0, class.1, list))
    }

    /// The earliest of all pieces, or any.
    fn first(
        &self,
        path: &ToolPath,
        list: &[Piece],
        distance: f64,
        want: Want,
        work: &mut Work,
    ) -> Result<Outcome, NcError> {
        let mut first = Outcome::Clear;
        for piece in list {
            let case =
                Case { checker: self.checker, tool: self.tool, one: self.one, body: self.body, label: self.label };
            let outcome = case.search(path, piece, distance).run(want, work)?;
            first = earlier(first, outcome);
            // Nothing is earlier than the beginning.
            if matches!(first, Outcome::Contact { at, .. } if want == Want::Any || at == 0.0) {
                break;
            }
        }
        Ok(first)
    }

    fn clearance(&self, pieces: &'c Pieces, limit: Limit, cap: f64, work: &mut Work) -> Result<f64, NcError> {
        let mut least = cap;
        for piece in &pieces.whole {
            let search = self.search(&self.one.path, piece, limit.distance);
            least = least.min(search.clearance(least, work)?);
        }
        Ok(least)
    }

    fn finding(
        &self,
        index: usize,
        class: Class,
        outcome: Outcome,
        limit: Limit,
        list: &[Piece],
        work: &mut Work,
    ) -> Result<Finding, NcError> {
        let (after, at) = match outcome {
            Outcome::Contact { after, at } => (after, at),
            Outcome::Undecided { certain_until } => (certain_until, certain_until),
            Outcome::Clear => (0.0, 0.0),
        };
        let clearance = match class {
            Class::Contact => self.signed_clearance(limit, work)?,
            _ => Signed { lower: -self.deepest(), upper: f64::INFINITY },
        };
        Ok(Finding {
            class,
            line: self.one.line,
            index,
            kind: self.one.kind,
            tool: self.tool.number,
            piece: self.label,
            body: self.body.name.clone(),
            role: self.body.role,
            after,
            at,
            tip: self.one.path.tip(at).to_array(),
            point: self.point(at, list, work)?,
            needed: limit.as_signed(),
            clearance,
        })
    }

    /// A point of the body where the nearest piece is, at an instant.
    fn point(&self, at: f64, list: &[Piece], work: &mut Work) -> Result<[f64; 3], NcError> {
        let mut nearest = (f64::INFINITY, self.one.path.tip(at));
        for piece in list {
            let case =
                Case { checker: self.checker, tool: self.tool, one: self.one, body: self.body, label: self.label };
            let found = case.search(&self.one.path, piece, 0.0).distance_at(at, work)?;
            if found.upper < nearest.0 {
                nearest = (found.upper, self.body.pose.apply(found.on_a));
            }
        }
        Ok(nearest.1.to_array())
    }

    /// Nothing is deeper in a piece than this.
    fn deepest(&self) -> f64 {
        let pieces = self.tool.pieces().iter().filter(|piece| piece.label == self.label);
        pieces.fold(0.0, |most, piece| most.max(piece.half[0]))
    }

    /// Halves between a depth that is certainly not reached and the limit, which is not kept.
    fn signed_clearance(&self, limit: Limit, work: &mut Work) -> Result<Signed, NcError> {
        let (mut lower, mut upper) = (-self.deepest() * (1.0 + 1e-9), limit.as_signed());
        let straight;
        let path = match self.one.path {
            ToolPath::Anywhere { from, to } => {
                straight = ToolPath::Line { from, to };
                &straight
            }
            ref path => path,
        };
        let room = self.checker.options.resolution.max(1e-9);
        let mut guesses: Vec<f64> = Vec::new();
        if let Some(guess) = self.probable_clearance(path, upper, room, work)? {
            guesses.extend([guess + 0.4 * room, guess - 0.4 * room]);
        }
        while upper - lower > room {
            let is_inside = |guess: &f64| lower < *guess && *guess < upper;
            let middle = match guesses.pop().filter(is_inside) {
                Some(guess) => guess,
                // Whether they touch at all matters most.
                None if lower < 0.0 && upper > 0.0 => 0.0,
                None => 0.5 * (lower + upper),
            };
            let ask = Limit::signed(middle);
            let list = self.tool.eroded(self.label, ask.depth)?;
            match self.first(path, &list, ask.distance, Want::Any, work)? {
                Outcome::Clear => lower = middle,
                Outcome::Contact { .. } => upper = middle,
                Outcome::Undecided { .. } => break,
            }
        }
        Ok(Signed { lower, upper })
    }

    /// Where to look first; nothing rests on it. Pieces moved inwards as far as they go are as far
    /// from the body as it is away from being that deep: of a straight way that is one distance
    /// in place of a dozen questions.
    fn probable_clearance(
        &self,
        path: &ToolPath,
        upper: f64,
        room: f64,
        work: &mut Work,
    ) -> Result<Option<f64>, NcError> {
        if !matches!(path, ToolPath::Line { .. }) {
            return Ok(None);
        }
        let deepest = self.deepest() * (1.0 - 1e-6);
        let depths = [0.0, deepest].into_iter().filter(|&depth| depth > 0.0 || upper > 0.0);
        for depth in depths {
            let mut gap = f64::INFINITY;
            for piece in &self.tool.eroded(self.label, depth)? {
                gap = gap.min(self.search(path, piece, 0.0).gap_of_sweep(0.1 * room, work)?);
            }
            if gap > 0.0 && gap < f64::INFINITY {
                return Ok(Some(gap - depth));
            }
        }
        Ok(None)
    }
}

/// The one that is certain for less of the move.
fn earlier(first: Outcome, second: Outcome) -> Outcome {
    let start = |outcome: Outcome| match outcome {
        Outcome::Clear => f64::INFINITY,
        Outcome::Contact { after, .. } => after,
        Outcome::Undecided { certain_until } => certain_until,
    };
    match (first, second) {
        // A contact is known; what is undecided may come before it.
        (Outcome::Contact { after, at }, Outcome::Undecided { certain_until })
        | (Outcome::Undecided { certain_until }, Outcome::Contact { after, at }) => {
            Outcome::Contact { after: after.min(certain_until), at }
        }
        (Outcome::Contact { after, at }, Outcome::Contact { after: other, at: other_at }) => {
            Outcome::Contact { after: after.min(other), at: at.min(other_at) }
        }
        _ if start(second) < start(first) => second,
        _ => first,
    }
}
