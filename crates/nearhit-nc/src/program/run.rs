//! Runs a program line by line: subprograms, branches and loops, within limits that end every
//! program.

use super::block::Block;
use super::control::{Control, Controls};
use super::expression::{Parameters, evaluate};
use super::gcode::{Jump, State};
use super::note;
use super::words::{Word, Wrong, words, wrong};
use super::{Program, ReadOptions};
use crate::error::{NcError, Problem, shown};

/// Calls inside of each other; more are a program that calls itself.
const DEEPEST: usize = 64;
/// Lines that subprograms and loops may run beside those of the file.
const MOST_LINES: u64 = 2_000_000;

/// Runs a program and returns its moves.
pub(super) fn read(text: &str, name: &str, options: &ReadOptions) -> Result<Program, NcError> {
    let lines: Vec<&str> = text.lines().collect();
    let failed = |line: usize, Wrong { word, problem }: Wrong| NcError::Program {
        file: name.to_owned(),
        line: line + 1,
        word,
        problem,
    };
    let controls = Controls::new(&lines).map_err(|(line, wrong)| failed(line, wrong))?;
    let mut run = Run {
        left: MOST_LINES + lines.len() as u64,
        lines,
        controls,
        state: State::new(options),
        parameters: Parameters::default(),
        frames: Vec::new(),
        repeats: Vec::new(),
        words: Vec::new(),
        at: 0,
        has_begun: false,
    };
    while run.at < run.lines.len() && !run.state.ended {
        let line = run.at;
        run.state.line = line + 1;
        run.step().map_err(|wrong| failed(line, wrong))?;
    }
    match run.frames.first().filter(|_| !run.state.ended) {
        Some(frame) => {
            Err(failed(frame.start, wrong(run.lines[frame.start], Problem::Needs("M99 that ends the subprogram"))))
        }
        None => Ok(run.state.program),
    }
}

/// A call that has not returned.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// The line that goes on.
    back: usize,
    /// The line of the label or `sub`.
    start: usize,
    /// Runs after this one.
    left: u32,
    /// Loops around the call.
    loops: usize,
    /// By `call`: with parameters of its own.
    is_sub: bool,
}

struct Run<'t, 'o> {
    lines: Vec<&'t str>,
    controls: Controls<'t>,
    state: State<'o>,
    parameters: Parameters,
    frames: Vec<Frame>,
    /// Lines of `repeat`, and how often they run after this time.
    repeats: Vec<(usize, u64)>,
    words: Vec<Word>,
    /// Index of the line.
    at: usize,
    /// Lines that may still run.
    left: u64,
    /// Was there a line before the number of the program?
    has_begun: bool,
}

impl<'t> Run<'t, '_> {
    fn step(&mut self) -> Result<(), Wrong> {
        let line = self.lines[self.at];
        self.left = self.left.checked_sub(1).ok_or_else(|| wrong(line, Problem::Endless(MOST_LINES)))?;
        if line.trim_start().starts_with('/') {
            // With the switch on the way is another one, which is not checked.
            self.state.ignore("/: the line runs, as with block delete off");
        }
        if let Some(control) = self.controls.lines.get(&self.at).cloned() {
            return self.control(control).map_err(|problem| wrong(line, problem));
        }
        words(line, &mut self.parameters, &mut self.words)?;
        let block = Block::new(&self.words)?;
        self.has_begun |= !self.words.is_empty();
        self.state.execute(&block)?;
        let jump = self.state.jump.take();
        self.at += 1;
        match jump {
            Some(Jump::Call { number, runs }) => {
                self.call_program(number, runs).map_err(|problem| wrong(line, problem))?;
            }
            Some(Jump::Back) => self.back(),
            None => {}
        }
        Ok(())
    }

    fn control(&mut self, control: Control<'t>) -> Result<(), Problem> {
        match control {
            Control::Label => self.label()?,
            Control::Sub { end } => self.at = end + 1,
            Control::Call { name, arguments } => self.call_sub(&name, arguments)?,
            Control::Return(value) => self.leave_sub(value)?,
            Control::If { condition, next } => self.branch(Some(condition), next)?,
            Control::Branch { end, .. } => self.at = end + 1,
            Control::While { condition, end } => self.at = if self.holds(condition)? { self.at + 1 } else { end + 1 },
            Control::Do => self.at += 1,
            Control::DoWhile { condition, start } => {
                self.at = if self.holds(condition)? { start + 1 } else { self.at + 1 };
            }
            Control::Repeat { count, end } => self.repeat(count, end)?,
            Control::Again { start } => self.again(start),
            Control::Break { start, end } => {
                self.leave_loop(start);
                self.at = end + 1;
            }
            Control::Continue { end } => self.at = end,
        }
        Ok(())
    }

    /// The number of a program: the main one, or the end of the one before.
    fn label(&mut self) -> Result<(), Problem> {
        if !self.frames.is_empty() {
            return Err(Problem::Needs("M99 before it: a subprogram runs into the next"));
        }
        self.state.ended = self.has_begun;
        self.at += 1;
        Ok(())
    }

    /// The first branch whose condition holds.
    fn branch(&mut self, mut condition: Option<&'t str>, mut next: usize) -> Result<(), Problem> {
        let mut at = self.at;
        while let Some(asked) = condition {
            if self.holds(asked)? {
                break;
            }
            at = next;
            let Some(Control::Branch { condition: another, next: following, .. }) = self.controls.lines.get(&next)
            else {
                break;
            };
            (condition, next) = (*another, *following);
        }
        self.at = at + 1;
        Ok(())
    }

    fn holds(&self, condition: &str) -> Result<bool, Problem> {
        Ok(self.value(condition)? != 0.0)
    }

    /// An expression and nothing else.
    fn value(&self, text: &str) -> Result<f64, Problem> {
        if !text.starts_with('[') {
            return Err(Problem::Needs("a condition or number in brackets"));
        }
        let (value, rest) = evaluate(text, &self.parameters)?;
        if rest.trim().is_empty() && !value.is_nan() { Ok(value) } else { Err(Problem::NotAWord) }
    }

    fn repeat(&mut self, count: &str, end: usize) -> Result<(), Problem> {
        let count = self.value(count)?.round();
        if count < 1.0 {
            self.at = end + 1;
            return Ok(());
        }
        // More than may run anyhow.
        self.repeats.push((self.at, count.min(1e15) as u64 - 1));
        self.at += 1;
        Ok(())
    }

    fn again(&mut self, start: usize) {
        if !matches!(self.controls.lines.get(&start), Some(Control::Repeat { .. })) {
            self.at = start;
            return;
        }
        let first = self.frames.last().map_or(0, |frame| frame.loops);
        let found = self.repeats[first..].iter().rposition(|&(line, _)| line == start).map(|index| first + index);
        match found {
            Some(index) if self.repeats[index].1 > 0 => {
                self.repeats.truncate(index + 1);
                self.repeats[index].1 -= 1;
                self.at = start + 1;
            }
            _ => {
                self.leave_loop(start);
                self.at += 1;
            }
        }
    }

    /// Forgets a loop and all inside of it.
    fn leave_loop(&mut self, start: usize) {
        let first = self.frames.last().map_or(0, |frame| frame.loops);
        if let Some(index) = self.repeats[first..].iter().position(|&(line, _)| line == start) {
            self.repeats.truncate(first + index);
        }
    }

    fn enter(&mut self, frame: Frame) -> Result<(), Problem> {
        if self.frames.len() >= DEEPEST {
            return Err(Problem::TooDeep(DEEPEST));
        }
        self.frames.push(frame);
        self.at = frame.start + 1;
        Ok(())
    }

    fn call_sub(&mut self, name: &str, arguments: &str) -> Result<(), Problem> {
        let start = self.controls.subs.get(name).copied();
        let start = start.ok_or_else(|| Problem::NoSubprogram(shown(name, 40)))?;
        let mut values = Vec::new();
        let mut rest = arguments;
        while !rest.is_empty() {
            if !rest.starts_with('[') || values.len() >= 30 {
                return Err(Problem::Needs("up to 30 arguments in brackets"));
            }
            let (value, after) = evaluate(rest, &self.parameters)?;
            values.push(value);
            rest = after.trim_start();
        }
        self.enter(Frame { back: self.at + 1, start, left: 0, loops: self.repeats.len(), is_sub: true })?;
        self.parameters.enter(&values);
        Ok(())
    }

    fn leave_sub(&mut self, value: &str) -> Result<(), Problem> {
        let value = if value.is_empty() { None } else { Some(self.value(value)?) };
        match self.frames.pop() {
            Some(frame) if frame.is_sub => {
                self.parameters.leave(value);
                self.repeats.truncate(frame.loops);
                self.at = frame.back;
                Ok(())
            }
            _ => Err(Problem::Needs("a call before it")),
        }
    }

    /// M98.
    fn call_program(&mut self, number: u64, runs: Option<u32>) -> Result<(), Problem> {
        let known = |number: u64| self.controls.labels.get(&number).copied();
        let (start, runs) = match (known(number), runs) {
            (Some(start), runs) => (start, runs.unwrap_or(1)),
            // P51000: five runs of O1000.
            (None, None) if number > 9999 && known(number % 10_000).is_some() => {
                (known(number % 10_000).unwrap_or(0), (number / 10_000).min(u64::from(u32::MAX)) as u32)
            }
            _ => return Err(Problem::NoSubprogram(shown(&number.to_string(), 40))),
        };
        if runs == 0 {
            return Ok(());
        }
        self.enter(Frame { back: self.at, start, left: runs - 1, loops: self.repeats.len(), is_sub: false })
    }

    /// M99.
    fn back(&mut self) {
        match self.frames.last_mut() {
            Some(frame) if !frame.is_sub => {
                if frame.left > 0 {
                    frame.left -= 1;
                    self.at = frame.start + 1;
                } else {
                    self.at = frame.back;
                    self.repeats.truncate(frame.loops);
                    self.frames.pop();
                }
            }
            // In the main program: from the beginning, for ever.
            _ => {
                note(&mut self.state.program.unchecked, self.state.line, "starts again (M99): one pass is checked");
                self.state.ended = true;
            }
        }
    }
}
