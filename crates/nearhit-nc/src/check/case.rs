//! Contact and gouge check of one move: the pieces of one label and one body, their first contact,
//! how deep it is, how far they stay apart.

use super::body::Body;
use super::report::{Class, Finding, Signed};
use super::rules::Limit;
use super::search::{Outcome, Search, Want, Work};
use super::{Checker, Pieces};
use crate::error::NcError;
use crate::program::{Move, ToolPath};
use crate::tool::{Label, Piece, Tool};
use glam::DVec3;

/// Depths are settled on shares of a move that are so much shorter than the resolution.
const FINER: f64 = 0.02;

/// Pieces of one label, one body, one move.
#[derive(Clone, Copy)]
pub(super) struct Case<'c> {
    pub(super) checker: &'c Checker,
    pub(super) tool: &'c Tool,
    pub(super) one: &'c Move,
    pub(super) body: &'c Body,
    pub(super) label: Label,
}

impl<'c> Case<'c> {
    fn search(&self, path: &'c ToolPath, piece: &'c Piece, distance: f64) -> Search<'c> {
        let options = &self.checker.options;
        let length = path.length_bound(self.tool.length());
        let resolution = if length > 0.0 { options.resolution / length } else { 1.0 };
        Search { path, piece, body: self.body, distance, resolution, budget: options.work }
    }

    /// The first outcome of all pieces, and which pieces were asked about.
    pub(super) fn judge<'p>(
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
            Outcome::Clear => (Class::Possible, Outcome::Contact { after: 0.0, at: 1.0, is_located: false }),
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
            let mut search = self.search(path, piece, distance);
            if want == Want::Any {
                // Where the tool turns, what is swept in a share is known to less than its length.
                search.resolution *= FINER;
            }
            let outcome = search.run(want, work)?;
            first = earlier(first, outcome);
            // Nothing is earlier than the beginning.
            if matches!(first, Outcome::Contact { at, .. } if want == Want::Any || at == 0.0) {
                break;
            }
        }
        Ok(first)
    }

    /// A distance that all pieces keep during the whole move, at most `cap`; for what is clear.
    pub(super) fn clearance(
        &self,
        pieces: &'c Pieces,
        limit: Limit,
        cap: f64,
        work: &mut Work,
    ) -> Result<f64, NcError> {
        let mut least = cap;
        for piece in &pieces.whole {
            let search = self.search(&self.one.path, piece, limit.distance);
            least = least.min(search.clearance(least, work)?);
        }
        Ok(least)
    }

    /// The same of a cutter and a part, which may touch: below zero, how deep it certainly is not.
    /// Of others, of which nothing is measured, the limit, which is proven.
    pub(super) fn clearance_of_part(
        &self,
        pieces: &'c Pieces,
        limit: Limit,
        cap: f64,
        work: &mut Work,
    ) -> Result<f64, NcError> {
        if cap == 0.0 || limit.depth == 0.0 {
            return Ok(limit.as_signed());
        }
        // What is inside of the part touches nothing of its surface; a cutter that is thinner than
        // the gouge that is allowed may be.
        let (tip, axis) = (self.one.path.tip(0.0), self.one.path.axis(0.0));
        let is_inside = |piece: &Piece, work: &mut Work| self.body.holds(tip + piece.height * axis, &mut work.scratch);
        if pieces.whole.iter().any(|piece| is_inside(piece, work)) {
            return Ok(limit.as_signed());
        }
        let touching = Limit::signed(0.0);
        let least = self.clearance(pieces, touching, cap, work)?;
        Ok(if least > 0.0 { least } else { limit.as_signed() })
    }

    pub(super) fn finding(
        &self,
        index: usize,
        class: Class,
        outcome: Outcome,
        limit: Limit,
        list: &[Piece],
        work: &mut Work,
    ) -> Result<Finding, NcError> {
        let (after, at, is_located) = match outcome {
            Outcome::Contact { after, at, is_located } => (after, at, is_located),
            Outcome::Undecided { certain_until, is_located } => (certain_until, certain_until, is_located),
            Outcome::Clear => (0.0, 0.0, false),
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
            tip: is_located.then(|| self.one.path.tip(at).to_array()),
            point: if is_located { Some(self.point(at, list, work)?) } else { None },
            needed: limit.as_signed(),
            clearance,
        })
    }

    /// A point of the body where the nearest piece is, at an instant.
    fn point(&self, at: f64, list: &[Piece], work: &mut Work) -> Result<[f64; 3], NcError> {
        let mut nearest = (f64::INFINITY, self.one.path.tip(at));
        for piece in list {
            let found = self.search(&self.one.path, piece, 0.0).distance_at(at, work)?;
            if found.upper < nearest.0 {
                nearest = (found.upper, self.body.pose.apply(found.on_a));
            }
            // Nothing is nearer than what is touched.
            if nearest.0 == 0.0 {
                break;
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
                gap = self.search(path, piece, 0.0).gap_of_sweep(gap, 0.1 * room, work)?;
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
        Outcome::Undecided { certain_until, .. } => certain_until,
    };
    match (first, second) {
        // A contact is known; what is undecided may come before it.
        (Outcome::Contact { after, at, is_located }, Outcome::Undecided { certain_until, is_located: other })
        | (Outcome::Undecided { certain_until, is_located: other }, Outcome::Contact { after, at, is_located }) => {
            let is_located = is_located && (other || at <= certain_until);
            Outcome::Contact { after: after.min(certain_until), at, is_located }
        }
        (
            Outcome::Contact { after, at, is_located },
            Outcome::Contact { after: other, at: other_at, is_located: other_is },
        ) => {
            // One that comes later says nothing of where the first is.
            let is_located = (is_located || other_at <= after) && (other_is || at <= other);
            Outcome::Contact { after: after.min(other), at: at.min(other_at), is_located }
        }
        _ if start(second) < start(first) => second,
        _ => first,
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, earlier};

    fn contact(after: f64, at: f64, is_located: bool) -> Outcome {
        Outcome::Contact { after, at, is_located }
    }

    fn undecided(certain_until: f64, is_located: bool) -> Outcome {
        Outcome::Undecided { certain_until, is_located }
    }

    /// Of two pieces the place of the first contact is known if it is certain which of them is
    /// first.
    #[test]
    fn the_first_of_two_is_located_if_it_is_known() {
        let early = contact(0.3, 0.4, true);
        for (other, both) in [
            (Outcome::Clear, early),
            // Later for certain, wherever it is.
            (contact(0.5, 0.9, false), early),
            (undecided(0.5, false), contact(0.3, 0.4, true)),
            // Perhaps before it.
            (contact(0.1, 0.9, false), contact(0.1, 0.4, false)),
            (contact(0.35, 0.38, false), contact(0.3, 0.38, false)),
            (undecided(0.1, false), contact(0.1, 0.4, false)),
            // Before it, and known.
            (contact(0.1, 0.2, true), contact(0.1, 0.2, true)),
            (undecided(0.1, true), contact(0.1, 0.4, true)),
        ] {
            assert_eq!(earlier(early, other), both, "{other:?}");
            assert_eq!(earlier(other, early), both, "{other:?}");
        }
        assert_eq!(earlier(undecided(0.2, false), undecided(0.1, true)), undecided(0.1, true));
    }
}
