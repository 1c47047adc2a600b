//! NC programs checked before the machine runs them: every move of the tool, its shank and its
//! holder, against part, stock and fixture.
//!
//! A [`Program`] is moves with exact geometry: lines, arcs and helices without chord error, tilting
//! axes, and rapids whose way is not known. A [`Tool`] is convex pieces with labels. A [`Checker`]
//! says of every move, for *every* instant of it: clear, or the first contact with its line, place
//! and depth, or how far it is certain.
//!
//! ```
//! use nearhit::{Pose, shape::Shape};
//! use nearhit_nc::{Body, CheckOptions, Checker, Cutter, Program, ReadOptions, Role, Tool, ToolTable, Watch};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut tools = ToolTable::default();
//! tools.insert(Tool::new(1, Cutter::Ball, 6.0, 20.0)?);
//! // A pin, thinner than any step of a simulation.
//! let pin = Shape::cylinder(0.01, 10.0)?;
//! let pin = Body::shape("pin", Role::Fixture, pin, Pose::from_translation([50.0, 0.0, 0.0])?)?;
//! let program = "G21 G90\nT1 M6\nG0 X0 Y0 Z1\nG1 X100 F600\n";
//! let program = Program::parse(program, "face.nc", &ReadOptions::default())?;
//! let checker = Checker::new(tools, vec![pin], CheckOptions::default())?;
//! let report = checker.check(&program, &Watch::new())?;
//! assert_eq!((report.findings.len(), report.findings[0].line), (1, 4));
//! assert!(report.findings[0].tip.is_some_and(|tip| (tip[0] - 47.0).abs() < 0.2));
//! # Ok(())
//! # }
//! ```
//!
//! # What an answer means
//!
//! * Bodies stand still in the coordinates of the program ([`Role`] says what may touch them).
//!   Closed meshes are solid; those with holes are surfaces. Nothing is removed from the stock:
//!   give the stock as it is before the operation.
//! * "Clear" is proven for every instant, after all rounding (`motion.rs` has the proof). A contact
//!   is located between two instants; its depth is an interval.
//! * A gouge is as deep as the deepest point of the part below the cutter's surface.
//! * Words of a program that are not understood are errors with line and word, or are listed
//!   ([`Program::ignored`], [`Program::unchecked`]).
//!
//! Lengths are millimetres, angles of tools degrees.

#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "what is not a number falls on the side that refuses")]

mod check;
mod demo;
mod error;
mod machine;
mod motion;
mod program;
mod tool;

pub use check::{
    Body, CheckOptions, Checker, Class, Clearance, Finding, MoveClass, MoveReport, Report, Role, Rules, Signed, Watch,
};
pub use demo::Demo;
pub use error::{NcError, Problem};
pub use machine::Machine;
pub use program::{AfterChange, Arc, Move, MoveKind, Note, Program, RapidPath, ReadOptions, ToolPath, Turn};
pub use tool::{Cutter, Label, Piece, Stage, Tool, ToolTable, Unit};

/// The code of the crate's README is compiled with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
