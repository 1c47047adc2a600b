//! One piece of a tool, one body, one move: clear at every instant, or the first contact, or how
//! far it is certain.

use super::body::Body;
use crate::error::NcError;
use crate::motion::Cover;
use crate::program::ToolPath;
use crate::tool::Piece;
use glam::DVec3;
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Distance, Pose, Scratch, Settings, Tolerance, Verdict};

/// What is known of a piece and a body. Instants are shares of the move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Outcome {
    /// Farther apart than the limit at every instant.
    Clear,
    /// Not so at `at`, or between both instants; certainly so before `after`. Located: looked for
    /// down to the resolution, and not ended by the limit of work before.
    Contact { after: f64, at: f64, is_located: bool },
    /// Certainly so before this instant; after it nothing is known.
    Undecided { certain_until: f64, is_located: bool },
}

/// Working memory and counts of one thread.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) scratch: Scratch,
    /// Questions that were asked.
    pub(super) tests: u64,
    waiting: Vec<[f64; 2]>,
}

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// The first contact, located.
    First,
    /// Whether there is one.
    Any,
}

/// What does not change during a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search<'s> {
    pub(super) path: &'s ToolPath,
    pub(super) piece: &'s Piece,
    pub(super) body: &'s Body,
    /// They must be farther apart than this.
    pub(super) distance: f64,
    /// Instants are told apart down to this share.
    pub(super) resolution: f64,
    /// Questions that may be asked.
    pub(super) budget: u64,
}

/// Shares shorter than this are not halved: their ends would be the same number.
const SHORTEST: f64 = 1e-12;

impl Search<'_> {
    /// From the first instant on. All before the interval at hand is certain.
    pub(super) fn run(&self, want: Want, work: &mut Work) -> Result<Outcome, NcError> {
        let end = work.tests.saturating_add(self.budget);
        // A piece inside of a solid touches nothing of its surface.
        let middle = self.path.tip(0.0) + self.piece.height * self.path.axis(0.0);
        if self.body.holds(middle, &mut work.scratch) {
            return Ok(Outcome::Contact { after: 0.0, at: 0.0, is_located: true });
        }
        let shortest = self.resolution.max(SHORTEST);
        let mut contact: Option<f64> = None;
        work.waiting.clear();
        work.waiting.push([0.0, 1.0]);
        while let Some([start, stop]) = work.waiting.pop() {
            if let Some(at) = contact
                && at - start <= shortest
            {
                return Ok(Outcome::Contact { after: start, at, is_located: true });
            }
            let cover = self.path.cover(self.piece, [start, stop]);
            if !self.is_near(&cover, work)? {
                continue;
            }
            if cover.is_exact && want == Want::Any {
                // What is swept is covered: there is a contact in it.
                return Ok(Outcome::Contact { after: start, at: stop, is_located: stop - start <= shortest });
            }
            // Where a move before it ended in a contact, this one begins in it.
            if [start, stop] == [0.0, 1.0] && self.touches(0.0, work)? {
                return Ok(Outcome::Contact { after: 0.0, at: 0.0, is_located: true });
            }
            if cover.is_exact {
                contact = Some(stop);
                work.waiting.clear();
            }
            let is_located = stop - start <= shortest;
            if is_located || work.tests >= end {
                return Ok(match contact {
                    Some(at) => Outcome::Contact { after: start, at, is_located },
                    None => Outcome::Undecided { certain_until: start, is_located },
                });
            }
            let half = 0.5 * (start + stop);
            if !cover.is_exact && self.touches(half, work)? {
                contact = Some(half);
                work.waiting.clear();
                if want == Want::Any {
                    return Ok(Outcome::Contact { after: start, at: half, is_located: false });
                }
            } else {
                work.waiting.push([half, stop]);
            }
            work.waiting.push([start, half]);
        }
        // All halves of a contact were clear: it lies within rounding of the limit, at its end.
        Ok(contact.map_or(Outcome::Clear, |at| Outcome::Contact { after: at, at, is_located: true }))
    }

    /// May the piece come within the distance of the body while it covers this?
    pub(super) fn is_near(&self, cover: &Cover, work: &mut Work) -> Result<bool, NcError> {
        let limit = (self.distance + cover.deviation) * (1.0 + 4.0 * f64::EPSILON);
        if self.is_box_apart(cover, limit) {
            return Ok(false);
        }
        work.tests += 1;
        let shape = self.swept(cover)?;
        let pair = self.pair(&shape, &cover.world_from_piece)?;
        Ok(pair.within(limit, &Settings::default(), &mut work.scratch).verdict != Verdict::No)
    }

    /// By boxes along the axes; only ever too careful.
    fn is_box_apart(&self, cover: &Cover, limit: f64) -> bool {
        let [wide, high] = self.piece.half;
        let half = if cover.is_upright { DVec3::new(wide, wide, high) } else { DVec3::splat(self.piece.radius) };
        let room = half + limit + 1e-12 * (cover.low.abs().max_element() + cover.high.abs().max_element());
        (cover.low - room).cmpgt(self.body.high).any() || (cover.high + room).cmplt(self.body.low).any()
    }

    /// Is the piece within the distance of the body at an instant?
    fn touches(&self, t: f64, work: &mut Work) -> Result<bool, NcError> {
        work.tests += 1;
        let pose = self.path.instant(self.piece, t);
        let pair = self.pair(&self.piece.shape, &pose)?;
        let touches = pair.within(self.distance, &Settings::default(), &mut work.scratch).verdict != Verdict::No;
        Ok(touches || self.body.holds(pose.translation(), &mut work.scratch))
    }

    /// How far the piece is from the body at an instant; points in the body's frame.
    pub(super) fn distance_at(&self, t: f64, work: &mut Work) -> Result<Distance, NcError> {
        let pose = self.path.instant(self.piece, t);
        let pair = self.pair(&self.piece.shape, &pose)?;
        Ok(pair.distance(Tolerance::EXACT, &Settings::default(), &mut work.scratch))
    }

    /// A distance that the piece keeps from the body during the whole move, at most `cap`; for what
    /// is clear of it.
    pub(super) fn clearance(&self, cap: f64, work: &mut Work) -> Result<f64, NcError> {
        let capped = Self { distance: cap, ..*self };
        let mut least = cap;
        work.waiting.clear();
        work.waiting.push([0.0, 1.0]);
        while let Some([start, stop]) = work.waiting.pop() {
            let cover = self.path.cover(self.piece, [start, stop]);
            if !(Self { distance: least, ..capped }).is_near(&cover, work)? {
                continue;
            }
            let shape = self.swept(&cover)?;
            let pair = self.pair(&shape, &cover.world_from_piece)?;
            let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut work.scratch);
            let lower = (found.lower - cover.deviation).next_down();
            let splits = !cover.is_exact && !matches!(self.path, ToolPath::Anywhere { .. });
            if splits && cover.deviation > 0.01 * found.upper && stop - start > 1e-3 {
                let half = 0.5 * (start + stop);
                work.waiting.extend([[half, stop], [start, half]]);
            } else {
                least = least.min(lower.max(self.distance));
            }
        }
        Ok(least)
    }

    /// How far the piece is from the body where its sweep is nearest, about, or what is known if
    /// that is less.
    pub(super) fn gap_of_sweep(&self, known: f64, error: f64, work: &mut Work) -> Result<f64, NcError> {
        let cover = self.path.cover(self.piece, [0.0, 1.0]);
        if known.is_finite() && !(Self { distance: known, ..*self }).is_near(&cover, work)? {
            return Ok(known);
        }
        work.tests += 1;
        let shape = self.swept(&cover)?;
        let pair = self.pair(&shape, &cover.world_from_piece)?;
        Ok(pair.distance(Tolerance::absolute(error), &Settings::default(), &mut work.scratch).lower.min(known))
    }

    /// The piece, swept along the cover's segments.
    fn swept(&self, cover: &Cover) -> Result<Shape, NcError> {
        let mut shape = self.piece.shape.clone();
        for by in cover.by.into_iter().filter(|&by| by != DVec3::ZERO) {
            shape = shape.swept(by.into()).map_err(|error| self.wrong(&error.to_string()))?;
        }
        Ok(shape)
    }

    fn pair<'p>(&'p self, shape: &'p Shape, pose: &Pose) -> Result<ShapePair<'p>, NcError> {
        let pair = if self.body.pose == Pose::IDENTITY {
            ShapePair::relative(&self.body.shape, shape, pose)
        } else {
            ShapePair::new(&self.body.shape, &self.body.pose, shape, pose)
        };
        pair.map_err(|error| self.wrong(&error.to_string()))
    }

    fn wrong(&self, message: &str) -> NcError {
        NcError::Body { name: self.body.name.clone(), message: message.to_owned() }
    }
}
