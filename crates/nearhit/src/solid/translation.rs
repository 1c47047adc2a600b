//! Penetration depth as minimum translation vector: the shortest translation of b after which the
//! solids are apart, as an interval.
//!
//! *Upper*: a translation that was tried, with [`SolidPair::collide`]. Hulls give the first; for
//! solids that are not convex, shorter ones are looked for along other directions. *Lower*: for two
//! convex solids what the hulls' difference proves; for others two balls with the same middle
//! (`concentric.rs`).
//!
//! Every loop ends by a count, not by a comparison of rounded numbers alone, and asks the budget.

use super::convex::{Difference, HullDepth, starts};
use super::local_depth::LocalDepth;
use super::pair::SolidPair;
use crate::error::QueryError;
use crate::pose::Pose;
use crate::query::{Interval, Pair, Scratch, Settings, Tolerance, Verdict};
use crate::traverse::{Budget, Stats};
use crate::vector::{length, unit};
use glam::DVec3;

/// The answer of [`SolidPair::translational_depth`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TranslationalDepth {
    /// No shorter translation separates the solids. Zero where a mesh has holes: its inside has no
    /// surface around it, and nothing is proven.
    pub lower: f64,
    /// The length of `translation`: the depth is at most this. Zero if the solids are known not to
    /// be in contact.
    pub upper: f64,
    /// Moves b, in a's frame, so that the solids do not touch: seen by [`SolidPair::collide`].
    /// Shortened by a millionth it does not, if the search is complete.
    pub translation: DVec3,
    /// Was everything tried that is tried? False: the budget ran out, and both bounds may be looser
    /// than they would be.
    pub is_complete: bool,
    /// Were both solids found to be convex? Then the two bounds are the same but for rounding and
    /// some 1e-5.
    pub is_convex: bool,
    /// Work done.
    pub stats: Stats,
}

impl From<&TranslationalDepth> for Interval {
    /// The depth.
    fn from(found: &TranslationalDepth) -> Self {
        Self { lower: found.lower, upper: found.upper }
    }
}

/// The translation of a complete search is not longer than it need be: shortened by this share of
/// its length, it leaves the solids in contact.
const HAIR: f64 = 1e-6;

/// What is taken off a lower bound for rounding, and for convex meshes whose faces are off by up to
/// 1e-11 of the size: a share of the size of both.
const ROUNDING: f64 = 1e-9;
/// Directions tried of those that the hulls' depth was found with.
const MOST_SUGGESTIONS: usize = 64;
/// Halvings of an interval along a direction.
const HALVINGS: u32 = 60;
/// Rounds of directions around the best one. Each shortens it by a hundredth or narrows the search;
/// five narrowings end it.
const MOST_ROUNDS: u32 = 64;
/// Shortenings of a translation along one direction, by three tenths each: to less than 1e-9 of it.
const MOST_SHORTENINGS: u32 = 60;
/// Attempts to get out of the hull, each by eight times as much more: from the smallest double to
/// beyond the largest coordinate.
const MOST_ATTEMPTS: u32 = 700;
/// How far two bodies are taken out of each other's hull where there is no time for less, as a
/// share of their size.
const WELL_APART: f64 = 1e-3;

impl SolidPair<'_> {
    /// The shortest translation of b that separates the two solids, as a certified interval.
    ///
    /// The budget limits the search for shorter translations and higher lower bounds; when it runs
    /// out the answer's translation is still verified, by a query or two about bodies whose hulls
    /// are apart. Makes the models' hulls when it is first asked, and allocates.
    ///
    /// Error: a translation would move b beyond 1e300.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // closed: they have an inside
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(1.5, 0.25, 0.25))?;
    /// let mut scratch = Scratch::new();
    /// let found = pair.solid().translational_depth(&Settings::default(), &mut scratch)?;
    /// assert!(found.lower <= 0.5 + 1e-9 && 0.5 - 1e-9 <= found.upper && found.upper < 0.51);
    /// assert!(found.translation.x > 0.49); // moving b by this separates the two
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "minimum translation vector")]
    #[doc(alias = "MTV")]
    #[doc(alias = "penetration depth")]
    #[doc(alias = "EPA")]
    pub fn translational_depth(
        &self,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Result<TranslationalDepth, QueryError> {
        let (a, b) = (self.pair.a(), self.pair.b());
        let floor = self.rounding();
        let mut search =
            Search { pair: self, settings, scratch, stats: Stats::default(), is_cut: false, best: None, floor };
        if !search.touches(DVec3::ZERO)? {
            let (translation, stats) = (DVec3::ZERO, search.stats);
            let (lower, upper, is_complete, is_convex) = (0.0, 0.0, true, false);
            return Ok(TranslationalDepth { lower, upper, translation, is_complete, is_convex, stats });
        }
        let (envelope_a, envelope_b) = (a.inside().envelope(a.mesh()), b.inside().envelope(b.mesh()));
        let is_convex = envelope_a.is_convex && envelope_b.is_convex;
        let difference = Difference { a: envelope_a, b: envelope_b, a_from_b: self.pair.a_from_b() };
        let mut directions = Vec::new();
        let hulls = difference.depth(|direction, reach| directions.push((reach, direction)));
        search.leave(&hulls)?;
        let size = a.inside().size() + b.inside().size();
        let mut lower = if is_convex { hulls.lower - ROUNDING * size } else { 0.0 };
        if !is_convex && !search.is_spent() {
            let deepest = search.deepest();
            // Balls stay inside as long as they do not reach the surface; through a hole they leave
            // without reaching it.
            if self.is_exact() {
                lower = search.concentric_balls(&deepest) - ROUNDING * size;
            }
            search.try_directions(&deepest, &mut directions)?;
        }
        search.shorten()?;
        let Some((shortest, direction)) = search.best else {
            return Err(QueryError::TooFarApart { value: hulls.upper });
        };
        let translation = direction * shortest;
        let upper = length(translation);
        let (is_complete, stats) = (!search.is_cut, search.stats);
        Ok(TranslationalDepth { lower: lower.clamp(0.0, upper), upper, translation, is_complete, is_convex, stats })
    }
}

impl SolidPair<'_> {
    /// A few ulps of the largest coordinate.
    fn rounding(&self) -> f64 {
        let pair = &self.pair;
        let size = pair.a().mesh().max_coordinate()
            + pair.b().mesh().max_coordinate()
            + pair.a_from_b().translation().abs().max_element();
        4.0 * f64::EPSILON * size + f64::MIN_POSITIVE
    }
}

pub(super) struct Search<'s, 'm, 'c> {
    pub(super) pair: &'s SolidPair<'m>,
    settings: &'s Settings<'c>,
    pub(super) scratch: &'s mut Scratch,
    pub(super) stats: Stats,
    /// Was anything left out because the budget was spent?
    is_cut: bool,
    /// Length and unit direction of the shortest translation that separates.
    best: Option<(f64, DVec3)>,
    /// Nothing shorter is looked for: rounding of the coordinates. Surfaces that only touch are
    /// parted by less and less, without end.
    floor: f64,
}

impl Search<'_, '_, '_> {
    fn verdict(&mut self, translation: DVec3, budget: Budget<'_>) -> Result<Verdict, QueryError> {
        let pair = &self.pair.pair;
        let by = Pose::from_translation(translation.to_array())
            .map_err(|_| QueryError::TooFarApart { value: translation.abs().max_element() })?;
        let moved = by * *pair.a_from_b();
        let moved = Pair::relative(pair.a(), pair.b(), &moved)?.solid();
        let found = moved.collide(&Settings { budget, ..*self.settings }, self.scratch);
        self.stats += found.stats;
        Ok(found.verdict)
    }

    /// May the solids be in contact after b was moved? They may, where the budget ends before it is
    /// known.
    fn touches(&mut self, translation: DVec3) -> Result<bool, QueryError> {
        let verdict = self.verdict(translation, self.settings.budget.after(&self.stats))?;
        self.is_cut |= verdict == Verdict::Maybe;
        Ok(verdict != Verdict::No)
    }

    /// Asked before everything that can be left out.
    pub(super) fn is_spent(&mut self) -> bool {
        let spent = self.settings.budget.is_spent(&self.stats);
        self.is_cut |= spent;
        spent
    }

    fn best_length(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |(length, _)| length)
    }

    /// Out of the hull: by its reach and a hair more until it is seen to be apart. A verdict is
    /// needed, whatever the budget: where that is spent, b goes far enough for the verdict to be
    /// cheap.
    fn leave(&mut self, hulls: &HullDepth) -> Result<(), QueryError> {
        let size = self.pair.pair.a().inside().size() + self.pair.pair.b().inside().size();
        let mut more = self.floor;
        // More than enough for the translation to become too long, which is an error.
        for _ in 0..MOST_ATTEMPTS {
            if self.is_spent() {
                more = more.max(WELL_APART * size);
            }
            let length = hulls.upper + more;
            if self.verdict(hulls.direction * length, Budget::UNLIMITED)? == Verdict::No {
                self.best = Some((length, hulls.direction));
                return Ok(());
            }
            more *= 8.0;
        }
        Ok(())
    }

    /// Looks for shorter translations along directions that the hulls suggest, those that leave the
    /// hulls soonest first, along those from the deepest point, and around the best of all.
    fn try_directions(&mut self, deepest: &LocalDepth, directions: &mut [(f64, DVec3)]) -> Result<(), QueryError> {
        directions.sort_by(|one, other| one.0.total_cmp(&other.0));
        let out = unit(deepest.closest - deepest.point).unwrap_or(DVec3::X);
        let suggested = directions.iter().map(|(_, direction)| *direction).take(MOST_SUGGESTIONS);
        for direction in [out, -out].into_iter().chain(suggested) {
            self.try_along(direction)?;
        }
        let mut spread = 0.5;
        for _ in 0..MOST_ROUNDS {
            if spread <= 0.02 || self.is_spent() {
                break;
            }
            let before = self.best_length();
            for around in starts() {
                let Some((_, direction)) = self.best else { break };
                self.try_along((direction + around * spread).normalize())?;
            }
            if self.best_length() > 0.99 * before {
                spread *= 0.4;
            }
        }
        Ok(())
    }

    /// Some deep point of one surface below the other.
    fn deepest(&mut self) -> LocalDepth {
        let rough = Tolerance { relative: 0.02, absolute: 0.0 };
        let settings = Settings { budget: self.settings.budget.after(&self.stats), ..*self.settings };
        let mut stats = Stats::default();
        let deepest = self.pair.deepest(rough, None, &settings, self.scratch, &mut stats);
        self.stats += stats;
        self.is_cut |= settings.budget.is_spent(&stats);
        deepest
    }

    /// A shorter way along a direction, if one is easily found: noticeably shorter first, then ever
    /// shorter, then by halves.
    fn try_along(&mut self, direction: DVec3) -> Result<(), QueryError> {
        let mut apart = 0.98 * self.best_length();
        if self.best_length() <= self.floor || self.is_spent() || self.touches(direction * apart)? {
            return Ok(());
        }
        let mut touching = 0.0;
        for _ in 0..MOST_SHORTENINGS {
            if apart <= self.floor.max(1e-9 * self.best_length()) || self.is_spent() {
                break;
            }
            let shorter = 0.7 * apart;
            if self.touches(direction * shorter)? {
                touching = shorter;
                break;
            }
            apart = shorter;
        }
        for _ in 0..4 {
            if self.is_spent() {
                break;
            }
            let middle = 0.5 * (touching + apart);
            if self.touches(direction * middle)? { touching = middle } else { apart = middle }
        }
        self.best = Some((apart, direction));
        Ok(())
    }

    /// Shortens the best translation until a hair less touches.
    fn shorten(&mut self) -> Result<(), QueryError> {
        let Some((mut apart, direction)) = self.best else { return Ok(()) };
        if self.is_spent() {
            return Ok(());
        }
        let hair = 0.5 * HAIR;
        let mut touching = apart * (1.0 - hair);
        if !self.touches(direction * touching)? {
            apart = touching;
            touching = 0.0;
        }
        for _ in 0..HALVINGS {
            if apart - touching <= hair * apart || self.is_spent() {
                break;
            }
            let middle = 0.5 * (touching + apart);
            if self.touches(direction * middle)? { touching = middle } else { apart = middle }
        }
        self.best = Some((apart, direction));
        Ok(())
    }
}
