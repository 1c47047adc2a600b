//! Programs: what the tool is told to do, as moves whose geometry is exact.
//!
//! | module | content |
//! |---|---|
//! | `words`, `expression` | a line as words; parameters and expressions |
//! | `gcode`, `block`, `arc`, `cycle` | G-code: state, one block, arcs, drilling cycles |
//! | `rotary`, `turn` | words of rotary axes; the way of the tool while they turn |
//! | `control`, `run` | subprograms, branches and loops; the run of a program |
//! | `apt` | APT and CL files: `GOTO/x,y,z,i,j,k` |
//! | `poses` | CSV files of tool poses |

mod apt;
mod arc;
mod block;
mod control;
mod cycle;
mod expression;
mod gcode;
mod poses;
mod rotary;
mod run;
mod turn;
mod words;

pub use arc::Arc;
pub use turn::Turn;

use crate::error::NcError;
use crate::machine::Machine;
use crate::tool::read_text;
use glam::DVec3;
use serde::Serialize;

/// How a move is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveKind {
    /// At full speed: nothing may be cut.
    Rapid,
    /// At a feed rate: the cutter may cut stock.
    Feed,
    /// At full speed where the tool has just cut: the return of a drilling cycle.
    Retrace,
}

/// The way of the tool's tip. Lengths are millimetres, in the coordinates of the bodies.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ToolPath {
    /// Straight.
    Line {
        /// From here.
        from: DVec3,
        /// To here.
        to: DVec3,
    },
    /// A circular arc, helix or spiral.
    Arc(Arc),
    /// Any way inside the box of both ends along the axes: a rapid whose axes may arrive one after
    /// the other (dog-leg).
    Anywhere {
        /// From here.
        from: DVec3,
        /// To here.
        to: DVec3,
    },
    /// The tip along a straight line, while the axis turns evenly from one direction to the other.
    Tilt {
        /// From here.
        from: DVec3,
        /// To here.
        to: DVec3,
        /// Direction from the tip to the spindle at the start, of length one.
        from_axis: DVec3,
        /// And at the end.
        to_axis: DVec3,
    },
    /// Rotary axes of a machine that turn, all in step.
    Turn(Box<Turn>),
}

/// One move of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// Number of its line in the program, from 1.
    pub line: usize,
    /// The tool in the spindle; none if the program does not say.
    pub tool: Option<u32>,
    /// How it is made.
    pub kind: MoveKind,
    /// The way of the tip.
    pub path: ToolPath,
    /// Does it come from a place that only the machine knows? Then the path is only its end.
    pub is_arrival: bool,
}

/// Something in a program that has no meaning here, or that could not be followed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Number of the first such line, from 1.
    pub line: usize,
    /// How many lines.
    pub count: usize,
    /// The word, and what became of it.
    pub text: String,
}

/// A program as moves.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Program {
    /// The file's name, as it was given.
    pub file: String,
    /// In the order of the program.
    pub moves: Vec<Move>,
    /// Words that were ignored because they do not change the way of the tool.
    pub ignored: Vec<Note>,
    /// Moves to or from places that only the machine knows, which are not checked.
    pub unchecked: Vec<Note>,
}

/// How the axes of a rapid move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum RapidPath {
    /// Not known: anywhere in the box of both ends.
    #[default]
    Anywhere,
    /// Straight, as LinuxCNC and most newer controls do.
    Straight,
    /// Each axis at its own speed until it is there, which makes a dog-leg of straight lines.
    DogLeg {
        /// Speeds of the axes; their ratios count.
        speeds: [f64; 3],
    },
}

/// Where the tool is after a tool change.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum AfterChange {
    /// Only the machine knows.
    #[default]
    Unknown,
    /// Where it was.
    Same,
    /// Here.
    At([f64; 3]),
}

/// What a reader must be told.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// Where the tip is before the first move.
    pub start: Option<[f64; 3]>,
    /// Where it is after a tool change.
    pub after_change: AfterChange,
    /// How the axes of a rapid move.
    pub rapid: RapidPath,
    /// Offsets of G54, G55, …, G59, G59.1, G59.2, G59.3 in the coordinates of the bodies.
    pub offsets: [Option<[f64; 3]>; 9],
    /// The tool in the spindle before the program changes it.
    pub tool: Option<u32>,
    /// The machine's rotary axes, for words A, B and C.
    pub machine: Option<std::sync::Arc<Machine>>,
}

impl ReadOptions {
    /// Places are within the machine, speeds are above 0.
    fn check(&self) -> Result<(), NcError> {
        let change = if let AfterChange::At(place) = self.after_change { Some(place) } else { None };
        let places = [("the start", self.start), ("the place of tool changes", change)];
        let places = places.into_iter().chain(self.offsets.map(|offset| ("an offset", offset)));
        for (what, place) in places {
            if let Some(value) = place.into_iter().flatten().find(|value| !(value.abs() <= 1e7)) {
                return Err(NcError::Place { what, value });
            }
        }
        if let RapidPath::DogLeg { speeds } = self.rapid
            && let Some(value) = speeds.into_iter().find(|speed| !(*speed > 0.0 && *speed <= 1e12))
        {
            return Err(NcError::Place { what: "the speed of an axis", value });
        }
        Ok(())
    }
}

/// More moves than this are refused.
pub(crate) const MOST_MOVES: usize = 20_000_000;

impl Program {
    /// Reads a program: G-code, or by the file's ending APT (`.apt`, `.cl`, `.cls`, `.cldata`) or
    /// poses (`.csv`).
    ///
    /// ```no_run
    /// use nearhit_nc::{Program, ReadOptions};
    ///
    /// let program = Program::read("face.nc".as_ref(), &ReadOptions::default())?;
    /// println!("{} moves", program.moves.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(path: &std::path::Path, options: &ReadOptions) -> Result<Self, NcError> {
        Self::parse(&read_text(path)?, &path.display().to_string(), options)
    }

    /// Parses the text of a program. `name` is the file's name.
    ///
    /// ```
    /// use nearhit_nc::{Program, ReadOptions};
    ///
    /// let text = "G21 G90\nT1 M6\nG0 X0 Y0 Z1\nG1 X100 F600\n";
    /// let program = Program::parse(text, "face.nc", &ReadOptions::default())?;
    /// assert_eq!(program.moves.last().map(|last| last.line), Some(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(text: &str, name: &str, options: &ReadOptions) -> Result<Self, NcError> {
        options.check()?;
        if text.trim().is_empty() {
            return Err(NcError::Empty { file: name.to_owned() });
        }
        let ending = std::path::Path::new(name).extension();
        let ending = ending.map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let mut program = match ending.as_str() {
            "apt" | "cl" | "cls" | "cldata" => apt::read(text, name),
            "csv" => poses::read(text, name),
            _ => run::read(text, name, options),
        }?;
        if options.tool.is_some() {
            let first = program.moves.iter_mut().take_while(|one| one.tool.is_none());
            first.for_each(|one| one.tool = options.tool);
        }
        Ok(Self { file: name.to_owned(), ..program })
    }
}

/// More different notes than this are counted together.
const MOST_NOTES: usize = 100;

/// Adds a line to notes of the same text.
fn note(notes: &mut Vec<Note>, line: usize, text: &str) {
    if let Some(note) = notes.iter_mut().find(|note| note.text == text) {
        note.count += 1;
    } else if notes.len() < MOST_NOTES {
        notes.push(Note { line, count: 1, text: text.to_owned() });
    } else if let Some(last) = notes.get_mut(MOST_NOTES) {
        last.count += 1;
    } else {
        notes.push(Note { line, count: 1, text: "other words that do not change the way of the tool".to_owned() });
    }
}
