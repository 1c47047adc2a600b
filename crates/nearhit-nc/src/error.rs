//! What can be wrong with a program, a tool table or a question, said with file, line and word.
//!
//! Every message is complete in itself: no error here has a `source`.

use std::path::PathBuf;
use thiserror::Error;

/// Why something was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NcError {
    /// The operating system would not hand a file over.
    #[error("{}: cannot be read: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// A word of a program.
    #[error("{file}:{line}: {word}: {problem}")]
    Program {
        /// The file.
        file: String,
        /// Number of the line, from 1.
        line: usize,
        /// The word as the file has it.
        word: String,
        /// What is wrong with it.
        problem: Problem,
    },
    /// A program of nothing but blanks.
    #[error("{file}: the program is empty")]
    Empty {
        /// The file.
        file: String,
    },
    /// A tool of a table.
    #[error("{file}: {at}: {message}")]
    Tool {
        /// The file.
        file: String,
        /// Which tool or line.
        at: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// A description of a machine.
    #[error("{file}: {at}: {message}")]
    Machine {
        /// The file.
        file: String,
        /// Which axis or line.
        at: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// A move needs a tool that no table has.
    #[error("{file}:{line}: tool {tool} is not in the tool table, which has {known}")]
    NoTool {
        /// The file.
        file: String,
        /// Number of the line, from 1.
        line: usize,
        /// The number that the program asks for.
        tool: u32,
        /// Numbers of the tools that there are.
        known: String,
    },
    /// A move needs a tool that a table has, but that cannot be checked.
    #[error("{file}:{line}: tool {tool} was left out of the tool table: {why}")]
    ToolLeftOut {
        /// The file.
        file: String,
        /// Number of the line, from 1.
        line: usize,
        /// The number that the program asks for.
        tool: u32,
        /// What the table's file says of it, and what is wrong with that.
        why: String,
    },
    /// A move before the first change of tools, where the table has not just one.
    #[error(
        "{file}:{line}: no tool was changed to before this move, and the tool table has {known}: say which one is in the spindle"
    )]
    ToolNotSaid {
        /// The file.
        file: String,
        /// Number of the line, from 1.
        line: usize,
        /// Numbers of the tools that there are.
        known: String,
    },
    /// A length that is not a number, or below zero.
    #[error("{what} is {value}; it must be a number from 0 to 1e6")]
    Length {
        /// Which.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// A coordinate or speed that no machine has.
    #[error("{what} is {value}; places are numbers up to 1e7 in size, speeds are above 0")]
    Place {
        /// Which.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// A body that cannot be checked.
    #[error("{name}: {message}")]
    Body {
        /// Its name.
        name: String,
        /// Why.
        message: String,
    },
}

/// What is wrong with a word of a program.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// Not a letter followed by a number.
    #[error("this is not a word of G-code: a letter and a number, or a comment, is expected here")]
    NotAWord,
    /// A number that is none.
    #[error("is not a number")]
    NotANumber,
    /// A number beyond all machines.
    #[error("is beyond 1e7 mm in size")]
    TooLarge,
    /// A code whose meaning is not known here, so that the way of the tool is not.
    #[error("is not understood, and the way of the tool may depend on it")]
    Unknown,
    /// A code that is known, and changes the way of the tool as it is not followed here.
    #[error("is not supported: {0}")]
    Unsupported(&'static str),
    /// The same letter twice in a block.
    #[error("stands twice in one block")]
    Twice,
    /// Two codes of which only one can hold.
    #[error("contradicts {0} in the same block")]
    Contradicts(String),
    /// A code lacks a word.
    #[error("needs {0}")]
    Needs(&'static str),
    /// Axis words without a motion.
    #[error("moves an axis, but no motion (G0, G1, G2, G3) was chosen before")]
    NoMotion,
    /// An arc that is none.
    #[error("the arc ends {off} mm off its circle: its radius is {start} mm at the start and {end} mm at the end")]
    BadArc {
        /// Radius at the start.
        start: f64,
        /// Radius at the end.
        end: f64,
        /// Their difference.
        off: f64,
    },
    /// An arc with a radius too short for its chord.
    #[error("the radius {radius} mm is shorter than half of the way, {half} mm")]
    ShortRadius {
        /// The radius.
        radius: f64,
        /// Half of the chord.
        half: f64,
    },
    /// A place that only the machine knows.
    #[error("starts at a place that is not known here; give the place where the program starts")]
    UnknownPlace,
    /// A coordinate system without an offset.
    #[error("its offset is not known; give it, as G55=100,0,0")]
    NoOffset,
    /// A tool length that belongs to another tool.
    #[error("is the length of tool {0}, but tool {1} is in the spindle")]
    OtherLength(u32, u32),
    /// An expression or parameter.
    #[error("{0}")]
    Expression(String),
    /// More than a program has.
    #[error("makes more than {0} moves")]
    TooMany(usize),
    /// A call of what is not there.
    #[error("there is no subprogram O{0} in this file")]
    NoSubprogram(String),
    /// Calls inside of each other.
    #[error("calls subprograms more than {0} deep: does one call itself?")]
    TooDeep(usize),
    /// A loop that does not end, or takes too long.
    #[error("subprograms and loops run more than {0} lines: does one not end?")]
    Endless(u64),
    /// A record that cannot be read.
    #[error("{0}")]
    Record(String),
}

/// What is wrong with JSON, without names of types that are not those of the file.
pub(crate) fn of_json(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.replace("expected u32", "expected a whole number from 0 to 4294967295");
    shown(&text.replace("expected f64", "expected a number"), 200)
}

/// What errors repeat of a file: no more than so many letters, and none that is not shown.
pub(crate) fn shown(text: &str, letters: usize) -> String {
    let mut rest = text.chars().filter(|letter| !letter.is_control());
    let mut shown: String = rest.by_ref().take(letters).collect();
    if rest.next().is_some() {
        shown.push('…');
    }
    shown
}
