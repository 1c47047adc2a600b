//! What a check found.

use super::body::Role;
use super::each::MoveReport;
use crate::program::MoveKind;
use crate::tool::Label;
use serde::Serialize;

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// The tool comes closer, or cuts deeper, than it may.
    Contact,
    /// It does on some way that the axes of a rapid may take, but not on the straight one.
    Possible,
    /// Not known: so close to the limit, or so much work, that it was not decided.
    Undecided,
}

/// Bounds of how far a piece stays away from a body during a move. Below zero: how deep the body is
/// below the surface of the piece.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Signed {
    /// Not less than this.
    pub lower: f64,
    /// Not more than this.
    pub upper: f64,
}

/// A piece of the tool that comes closer to a body than it may.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// How sure it is.
    pub class: Class,
    /// Number of the program's line, from 1.
    pub line: usize,
    /// Which move, from 0.
    pub index: usize,
    /// How the move is made.
    pub kind: MoveKind,
    /// Number of the tool.
    pub tool: u32,
    /// Which piece of the tool.
    pub piece: Label,
    /// Name of the body.
    pub body: String,
    /// Its role.
    pub role: Role,
    /// Before this share of the move it is clear, for certain.
    pub after: f64,
    /// At this share, or since `after`, it is not; of an undecided one, the same as `after`.
    pub at: f64,
    /// Where the tip is then. None: the limit of work was reached, or it depends on the way of the
    /// axes, so that nothing after `after` is certain and no place is known.
    pub tip: Option<[f64; 3]>,
    /// A point of the body there: where it is touched first, or is nearest.
    pub point: Option<[f64; 3]>,
    /// What the piece must keep: a distance, or below zero the depth that is allowed.
    pub needed: f64,
    /// What it keeps during the whole move.
    pub clearance: Signed,
}

/// How close pieces of the tool came to a body, over all moves that were clear of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Clearance {
    /// Which piece of the tool.
    pub piece: Label,
    /// Name of the body.
    pub body: String,
    /// It kept at least this distance.
    pub at_least: f64,
    /// In this line of the program it was least.
    pub line: usize,
}

/// All findings of a program.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// How many moves the program has.
    pub moves: usize,
    /// How many were checked, from the first on: fewer after an end was asked for.
    pub checked: usize,
    /// Were all moves checked?
    #[serde(rename = "complete")]
    pub is_complete: bool,
    /// How many of those that were checked are clear at every instant.
    pub clear: usize,
    /// How many come from a place that is not known, and are clear at their end, which is all that
    /// is checked of them.
    pub ends_only: usize,
    /// In the order of the program.
    pub findings: Vec<Finding>,
    /// The least clearances, if they were asked for.
    pub clearances: Vec<Clearance>,
    /// What is certain of each move that was checked, in the order of the program, if that was
    /// asked for.
    pub each: Vec<MoveReport>,
    /// How many questions were asked about two shapes.
    pub tests: u64,
}
