//! What is certain of each move: clear, and by how much, or the worst that was found.

use super::Checker;
use super::body::Role;
use super::report::{Class, Finding};
use crate::program::Move;
use crate::tool::Label;
use serde::Serialize;

/// What is certain of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveClass {
    /// Clear at every instant.
    Clear,
    /// Clear at its end, which is all that is known of its way.
    End,
    /// The tool comes closer to a body, or cuts deeper, than it may.
    Contact,
    /// It does on some way that the axes of a rapid may take, but not on the straight one.
    Possible,
    /// Not known.
    Undecided,
}

/// One move, and how far the tool stays away from everything during it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MoveReport {
    /// Number of its line in the program, from 1.
    pub line: usize,
    /// What is certain of it.
    pub class: MoveClass,
    /// What may not touch stays at least this far apart, as far as [`measure`] looks. Of a move
    /// with findings the worst one counts; below zero: nothing is deeper than this.
    ///
    /// [`measure`]: super::CheckOptions::measure
    pub clear_by: f64,
    /// The piece of the tool that comes as close, or that the finding is about. None: nothing
    /// comes as close as `measure`.
    pub piece: Option<Label>,
    /// The body it comes close to: which of [`Checker::bodies`].
    pub body: Option<usize>,
    /// The cutter stays at least this far away from every part, which it may touch; below zero it
    /// is no deeper in one than this. None: there is no part.
    pub from_part: Option<f64>,
}

/// The least distances of a move so far.
#[derive(Debug, Default)]
pub(super) struct Nearest {
    pair: Option<(f64, Label, usize)>,
    from_part: Option<f64>,
}

impl Nearest {
    /// A distance that is kept, at least.
    pub(super) fn offer(&mut self, piece: Label, role: Role, body: usize, least: f64) {
        if piece == Label::Cutter && role == Role::Part {
            self.offer_part(least);
        } else if self.pair.is_none_or(|(known, ..)| least < known) {
            self.pair = Some((least, piece, body));
        }
    }

    fn offer_part(&mut self, least: f64) {
        self.from_part = Some(self.from_part.map_or(least, |known| known.min(least)));
    }

    /// The move, with what was found of it.
    pub(super) fn of(mut self, one: &Move, findings: &[Finding], checker: &Checker) -> MoveReport {
        for finding in findings.iter().filter(|finding| finding.piece == Label::Cutter && finding.role == Role::Part) {
            self.offer_part(finding.clearance.lower);
        }
        let order = |finding: &&Finding| (finding.class, finding.clearance.lower);
        let worse = |a: &&Finding, b: &&Finding| {
            let ((class, lower), (other, other_lower)) = (order(a), order(b));
            class.cmp(&other).then(lower.total_cmp(&other_lower))
        };
        let line = one.line;
        if let Some(worst) = findings.iter().min_by(worse) {
            let class = match worst.class {
                Class::Contact => MoveClass::Contact,
                Class::Possible => MoveClass::Possible,
                Class::Undecided => MoveClass::Undecided,
            };
            let body = checker.bodies.iter().position(|body| body.name == worst.body);
            let (piece, from_part) = (Some(worst.piece), self.from_part);
            return MoveReport { line, class, clear_by: worst.clearance.lower, piece, body, from_part };
        }
        let class = if one.is_arrival { MoveClass::End } else { MoveClass::Clear };
        let far = checker.options.measure;
        // Where nothing was nearer than is measured, no pair is the nearest.
        let near = self.pair.filter(|(least, ..)| far == 0.0 || *least < far);
        let clear_by = self.pair.map_or(far, |(least, ..)| least);
        let (piece, body) = (near.map(|(_, piece, _)| piece), near.map(|(.., body)| body));
        MoveReport { line, class, clear_by, piece, body, from_part: self.from_part }
    }
}
