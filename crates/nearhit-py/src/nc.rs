//! NC programs: a program, tools and bodies as Python has them, and what is found.

use crate::answer::column;
use crate::errors;
use crate::poses::{Body as Side, pose};
use crate::subject::Subject;
use crate::watch::{Watched, watched};
use nearhit_nc::{
    AfterChange, Body, CheckOptions, Checker, Class, Clearance, Demo, Finding, Machine, MoveClass, MoveKind,
    MoveReport, Note, Program, RapidPath, ReadOptions, Report, Role, Rules, ToolTable, Unit, Watch,
};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("NC_DEMO_PROGRAM", Demo::PROGRAM)?;
    module.add("NC_DEMO_TOOLS", Demo::TOOLS)?;
    module.add_function(wrap_pyfunction!(nc, module)?)
}

/// A file, or a text with the name that tells its format.
#[derive(FromPyObject)]
enum Source {
    Text(String, String),
    File(PathBuf),
}

impl Source {
    fn program(&self, options: &ReadOptions) -> PyResult<Program> {
        let read = match self {
            Self::Text(text, name) => Program::parse(text, name, options),
            Self::File(path) => Program::read(path, options),
        };
        read.map_err(errors::of_nc)
    }

    fn machine(&self) -> PyResult<Machine> {
        let read = match self {
            Self::Text(text, name) => Machine::parse(text, name),
            Self::File(path) => Machine::read(path),
        };
        read.map_err(errors::of_nc)
    }

    fn tools(&self, unit: Unit) -> PyResult<ToolTable> {
        let read = match self {
            Self::Text(text, name) => ToolTable::parse_in(text, name, unit),
            Self::File(path) => ToolTable::read_in(path, unit),
        };
        read.map_err(errors::of_nc)
    }
}

/// Name, role, what it is, where it is.
type Placed<'py> = (String, String, Subject, Option<Bound<'py, PyAny>>);

fn body((name, role, subject, at): Placed<'_>) -> PyResult<Body> {
    let roles = [Role::Part, Role::Stock, Role::Fixture, Role::Machine];
    let role = roles.into_iter().find(|known| known.to_string() == role);
    let role = role.ok_or_else(|| PyValueError::new_err("a role is part, stock, fixture or machine"))?;
    let at = pose(at.as_ref(), Side::B).map_err(|error| errors::of_part(&name, &error))?;
    match subject {
        Subject::Model(model) => Ok(Body::mesh_at(name, role, model.get().native.clone(), at)),
        Subject::Shape(shape) => Body::shape(name, role, shape.get().native().clone(), at).map_err(errors::of_nc),
    }
}

/// A word, or three numbers.
#[derive(FromPyObject)]
enum Place {
    At([f64; 3]),
    Word(String),
}

/// What a program does not say.
#[derive(FromPyObject)]
struct Reading {
    start: Option<[f64; 3]>,
    tool_change: Place,
    tool: Option<u32>,
    rapid: Place,
    /// Of G54 to G59.3.
    offsets: [Option<[f64; 3]>; 9],
    kinematics: Option<Source>,
    /// Are lengths of tables that do not say inches?
    tool_inches: bool,
}

impl Reading {
    fn options(&self) -> PyResult<ReadOptions> {
        let unknown = |what: &str, word: &str, known: &str| {
            Err(PyValueError::new_err(format!("{what} is '{word}'; known: {known}, or three numbers")))
        };
        let after_change = match &self.tool_change {
            Place::At(place) => AfterChange::At(*place),
            Place::Word(word) if word == "unknown" => AfterChange::Unknown,
            Place::Word(word) if word == "same" => AfterChange::Same,
            Place::Word(word) => return unknown("tool_change", word, "unknown, same"),
        };
        let rapid = match &self.rapid {
            Place::At(speeds) => RapidPath::DogLeg { speeds: *speeds },
            Place::Word(word) if word == "anywhere" => RapidPath::Anywhere,
            Place::Word(word) if word == "straight" => RapidPath::Straight,
            Place::Word(word) => return unknown("rapid", word, "anywhere, straight"),
        };
        let machine = self.kinematics.as_ref().map(Source::machine).transpose()?.map(Arc::new);
        Ok(ReadOptions { start: self.start, after_change, rapid, offsets: self.offsets, tool: self.tool, machine })
    }
}

/// What is asked, beside program, tools and bodies.
#[derive(FromPyObject)]
struct Asked {
    gouge: f64,
    clearance: f64,
    holder_clearance: f64,
    strict_retracts: bool,
    measure: f64,
    each: bool,
    resolution: f64,
    work: u64,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
}

impl Asked {
    fn options(&self) -> CheckOptions {
        let rules = Rules {
            gouge: self.gouge,
            clearance: self.clearance,
            holder_clearance: self.holder_clearance,
            retract_through_stock: !self.strict_retracts,
        };
        CheckOptions { rules, measure: self.measure, each: self.each, work: self.work, resolution: self.resolution }
    }
}

/// Findings as the fields of `NcFinding` each, the other fields of `NcReport`, and the exception
/// that interrupted the check, if one did.
type Found<'py> = (Bound<'py, PyList>, Summary, Option<PyErr>);

#[pyfunction]
fn nc<'py>(
    py: Python<'py>,
    program: Source,
    tools: Vec<Source>,
    bodies: Vec<Placed<'py>>,
    reading: Reading,
    asked: Asked,
) -> PyResult<Found<'py>> {
    let unit = if reading.tool_inches { Unit::Inch } else { Unit::Millimetre };
    let reading = reading.options()?;
    let program = py.detach(|| program.program(&reading))?;
    let mut table = ToolTable::default();
    for source in &tools {
        table.extend(source.tools(unit)?);
    }
    let bodies: Vec<Body> = bodies.into_iter().map(body).collect::<PyResult<_>>()?;
    if let Some(machine) = &reading.machine {
        machine.check_bodies(&bodies).map_err(errors::of_nc)?;
    }
    let checker = Checker::new(table, bodies, asked.options()).map_err(errors::of_nc)?;
    let (cancel, done) = (AtomicBool::new(false), AtomicUsize::new(0));
    let count = program.moves.len();
    let note = |now: usize, _: usize| _ = done.fetch_max(now, Ordering::Relaxed);
    let look_up = |py: Python<'_>| -> PyResult<()> {
        py.check_signals()?;
        let Some(progress) = &asked.progress else { return Ok(()) };
        // False, and nothing else, ends the check.
        let told = progress.call1(py, (done.load(Ordering::Relaxed), count))?;
        if told.bind(py).extract::<bool>().is_ok_and(|goes_on| !goes_on) {
            cancel.store(true, Ordering::Relaxed);
        }
        Ok(())
    };
    let task = || checker.check(&program, &Watch::new().cancel(&cancel).progress(&note));
    let Watched { result, interrupted } = watched(py, asked.threads, &cancel, look_up, task)?;
    let report = result.map_err(errors::of_nc)?;
    let interrupted = match interrupted {
        // The last word on progress; it can fail like the others.
        None if asked.progress.is_some() => look_up(py).err(),
        interrupted => interrupted,
    };
    let findings: Vec<Row<'_>> = report.findings.iter().map(|finding| row(py, finding)).collect();
    Ok((PyList::new(py, findings)?, summary(&program, &checker, &report), interrupted))
}

/// Kind, line, move, motion, tool, piece, body, role; after and at; tip and point; needed;
/// clearance from and to.
type Row<'py> = (
    (&'static str, usize, usize, &'static str, u32, String, String, String),
    (f64, f64),
    (Option<Bound<'py, PyArray1<f64>>>, Option<Bound<'py, PyArray1<f64>>>),
    f64,
    (f64, f64),
);

fn row<'py>(py: Python<'py>, finding: &Finding) -> Row<'py> {
    let kind = match finding.class {
        Class::Contact => "contact",
        Class::Possible => "possible",
        Class::Undecided => "undecided",
    };
    let motion = match finding.kind {
        MoveKind::Rapid => "rapid",
        MoveKind::Feed => "feed",
        MoveKind::Retrace => "retrace",
    };
    let (piece, body, role) = (finding.piece.to_string(), finding.body.clone(), finding.role.to_string());
    let point = |place: Option<[f64; 3]>| place.map(|place| column(py, place.into_iter()));
    (
        (kind, finding.line, finding.index, motion, finding.tool, piece, body, role),
        (finding.after, finding.at),
        (point(finding.tip), point(finding.point)),
        finding.needed,
        (finding.clearance.lower, finding.clearance.upper),
    )
}

/// Line, how many, text.
type Notes = Vec<(usize, usize, String)>;
/// Line, class, how far, piece, body, how far from the part.
type Each = (usize, &'static str, f64, Option<String>, Option<String>, Option<f64>);
/// Piece, body, clearance and line of each; moves.
type Measured = (Vec<(String, String, f64, usize)>, Vec<Each>);
/// Moves; checked, clear, clear at their ends; complete; what was measured; notes; remarks; tests.
type Summary = (usize, [usize; 3], bool, Measured, Notes, Notes, Vec<String>, u64);

fn each(one: &MoveReport, checker: &Checker) -> Each {
    let class = match one.class {
        MoveClass::Clear => "clear",
        MoveClass::End => "end",
        MoveClass::Contact => "contact",
        MoveClass::Possible => "possible",
        MoveClass::Undecided => "undecided",
    };
    let body = one.body.and_then(|body| checker.bodies().get(body)).map(|body| body.name().to_owned());
    (one.line, class, one.clear_by, one.piece.map(|piece| piece.to_string()), body, one.from_part)
}

fn summary(program: &Program, checker: &Checker, report: &Report) -> Summary {
    let notes = |notes: &[Note]| notes.iter().map(|note| (note.line, note.count, note.text.clone())).collect();
    let clearance = |least: &Clearance| (least.piece.to_string(), least.body.clone(), least.at_least, least.line);
    (
        report.moves,
        [report.checked, report.clear, report.ends_only],
        report.is_complete,
        (report.clearances.iter().map(clearance).collect(), report.each.iter().map(|one| each(one, checker)).collect()),
        notes(&program.ignored),
        notes(&program.unchecked),
        checker.remarks(),
        report.tests,
    )
}
