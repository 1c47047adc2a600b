//! Translational depth: the shortest translation of b after which the solids are apart, as an interval.
//!
//! *Upper*: a translation that was tried, with [`SolidPair::collide`]. Hulls give the first; for solids that are not convex, shorter ones are looked for along other directions.
//! *Lower*: for two convex solids what the hulls' difference proves; for others balls: where a point is d below a's surface and e below b's, a ball of radius d in a and one of radius e in b have the same middle,
//! and any translation shorter than d + e leaves them in contact.

use super::Body;
use super::convex::{Difference, HullDepth, starts};
use super::deepest::Deepest;
use super::pair::SolidPair;
use crate::error::QueryError;
use crate::pose::Pose;
use crate::query::{Pair, Scratch, Settings, Tolerance, Verdict};
use crate::traverse::Stats;
use crate::vector::length;
use glam::DVec3;

/// The answer of [`SolidPair::translational_depth`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TranslationalDepth {
    /// No shorter translation separates the solids. Proven for closed meshes.
    pub lower: f64,
    /// The length of `translation`: the depth is at most this. Zero if the solids are not in contact.
    pub upper: f64,
    /// Moves b, in a's frame, so that the solids do not touch: seen by [`SolidPair::collide`]. Shortened by [`TranslationalDepth::HAIR`] it does not.
    pub translation: DVec3,
    /// Were both solids found to be convex? Then the two bounds are the same but for rounding and some 1e-5.
    pub is_convex: bool,
    /// Work done.
    pub stats: Stats,
}

impl TranslationalDepth {
    /// The translation is not longer than it need be: shortened by this share of its length, it leaves the solids in contact.
    pub const HAIR: f64 = 1e-6;
}

/// What is taken off a lower bound for rounding, and for convex meshes whose faces are off by up to 1e-11 of the size: a share of the size of both.
const ROUNDING: f64 = 1e-9;
/// Directions tried of those that the hulls' depth was found with.
const MOST_SUGGESTIONS: usize = 64;
/// Halvings of an interval along a direction.
const HALVINGS: u32 = 60;

impl SolidPair<'_> {
    /// The shortest translation of b that separates the two solids, as a certified interval.
    ///
    /// The budget limits the search for shorter translations and higher lower bounds; the answer's translation is verified in any case. Makes the models' hulls when it is first asked, and allocates.
    ///
    /// Error: a translation would move b beyond 1e300.
    pub fn translational_depth(
        &self,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Result<TranslationalDepth, QueryError> {
        let (a, b) = (self.pair.a(), self.pair.b());
        let floor = self.rounding();
        let mut search = Search { pair: self, settings, scratch, stats: Stats::default(), best: None, floor };
        if !search.touches(DVec3::ZERO)? {
            let stats = search.stats;
            return Ok(TranslationalDepth {
                lower: 0.0,
                upper: 0.0,
                translation: DVec3::ZERO,
                is_convex: false,
                stats,
            });
        }
        let (envelope_a, envelope_b) = (a.inside().envelope(a.mesh()), b.inside().envelope(b.mesh()));
        let is_convex = envelope_a.is_convex && envelope_b.is_convex;
        let difference = Difference { a: envelope_a, b: envelope_b, a_from_b: self.pair.a_from_b() };
        let mut directions = Vec::new();
        let hulls = difference.depth(|direction, reach| directions.push((reach, direction)));
        search.leave(&hulls)?;
        let size = a.inside().size() + b.inside().size();
        let mut lower = if is_convex { hulls.lower - ROUNDING * size } else { 0.0 };
        if !is_convex {
            let deepest = search.deepest();
            lower = search.balls(&deepest) - ROUNDING * size;
            search.try_directions(&deepest, &mut directions)?;
        }
        search.shorten()?;
        let (shortest, direction) = search.best.expect("leaving the hull separates");
        let translation = direction * shortest;
        let upper = length(translation);
        let stats = search.stats;
        Ok(TranslationalDepth { lower: lower.clamp(0.0, upper), upper, translation, is_convex, stats })
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

struct Search<'s, 'm, 'c> {
    pair: &'s SolidPair<'m>,
    settings: &'s Settings<'c>,
    scratch: &'s mut Scratch,
    stats: Stats,
    /// Length and unit direction of the shortest translation that separates.
    best: Option<(f64, DVec3)>,
    /// Nothing shorter is looked for: rounding of the coordinates. Surfaces that only touch are parted by less and less, without end.
    floor: f64,
}

impl Search<'_, '_, '_> {
    /// Are the solids in contact after b was moved?
    fn touches(&mut self, translation: DVec3) -> Result<bool, QueryError> {
        let pair = &self.pair.pair;
        let by = Pose::from_translation(translation.to_array())
            .map_err(|_| QueryError::TooFarApart { value: translation.abs().max_element() })?;
        let moved = by * *pair.a_from_b();
        let moved = Pair::relative(pair.a(), pair.b(), &moved)?.solid();
        // A verdict is needed: the budget is asked before, not here.
        let found = moved.collide(&Settings { budget: Default::default(), ..*self.settings }, self.scratch);
        self.stats += found.stats;
        Ok(found.verdict == Verdict::Yes)
    }

    fn is_spent(&self) -> bool {
        self.settings.budget.is_spent(&self.stats)
    }

    fn best_length(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |(length, _)| length)
    }

    /// Out of the hull: by its reach and a hair more until it is seen to be apart.
    fn leave(&mut self, hulls: &HullDepth) -> Result<(), QueryError> {
        let mut more = self.floor;
        loop {
            let length = hulls.upper + more;
            if !self.touches(hulls.direction * length)? {
                self.best = Some((length, hulls.direction));
                return Ok(());
            }
            more *= 8.0;
        }
    }

    /// Looks for shorter translations along directions that the hulls suggest, those that leave the hulls soonest first, along those from the deepest point, and around the best of all.
    fn try_directions(&mut self, deepest: &Deepest, directions: &mut [(f64, DVec3)]) -> Result<(), QueryError> {
        directions.sort_by(|one, other| one.0.total_cmp(&other.0));
        let out = (deepest.closest - deepest.point).normalize_or(DVec3::X);
        let suggested = directions.iter().map(|(_, direction)| *direction).take(MOST_SUGGESTIONS);
        for direction in [out, -out].into_iter().chain(suggested) {
            self.try_along(direction)?;
        }
        let mut spread = 0.5;
        while spread > 0.02 && !self.is_spent() {
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
    fn deepest(&mut self) -> Deepest {
        let rough = Tolerance { relative: 0.02, absolute: 0.0 };
        self.pair.deepest(rough, self.settings, self.scratch, &mut self.stats)
    }

    /// A shorter way along a direction, if one is easily found: noticeably shorter first, then ever shorter, then by halves.
    fn try_along(&mut self, direction: DVec3) -> Result<(), QueryError> {
        let mut apart = 0.98 * self.best_length();
        if self.best_length() <= self.floor || self.is_spent() || self.touches(direction * apart)? {
            return Ok(());
        }
        let mut touching = 0.0;
        while apart > self.floor.max(1e-9 * self.best_length()) {
            let shorter = 0.7 * apart;
            if self.touches(direction * shorter)? {
                touching = shorter;
                break;
            }
            apart = shorter;
        }
        for _ in 0..4 {
            let middle = 0.5 * (touching + apart);
            if self.touches(direction * middle)? { touching = middle } else { apart = middle }
        }
        self.best = Some((apart, direction));
        Ok(())
    }

    /// Shortens the best translation until a hair less touches.
    fn shorten(&mut self) -> Result<(), QueryError> {
        let Some((mut apart, direction)) = self.best else { return Ok(()) };
        let hair = 0.5 * TranslationalDepth::HAIR;
        let mut touching = apart * (1.0 - hair);
        if !self.touches(direction * touching)? {
            apart = touching;
            touching = 0.0;
        }
        for _ in 0..HALVINGS {
            if apart - touching <= hair * apart {
                break;
            }
            let middle = 0.5 * (touching + apart);
            if self.touches(direction * middle)? { touching = middle } else { apart = middle }
        }
        self.best = Some((apart, direction));
        Ok(())
    }

    /// The largest sum of the depths below both surfaces that a short climb from the deepest point finds.
    fn balls(&mut self, deepest: &Deepest) -> f64 {
        let mut stats = Stats::default();
        let (a, b) = (self.pair.placed(Body::A), self.pair.placed(Body::B));
        let room = &mut self.scratch.solid;
        let mut sum_at = |point: DVec3| {
            [a, b].iter().fold(0.0, |sum, placed| {
                let distance = placed.closest_counted(point, room, &mut stats).distance;
                let inside = placed.contains_counted(point, room, &mut stats).is_in_solid();
                sum + if inside { distance } else { -distance }
            })
        };
        let (mut at, mut best) = (deepest.point, deepest.depth.max(sum_at(deepest.point)));
        let mut step = 0.5 * deepest.depth.max(0.0);
        while step > 0.02 * best.max(0.0) && best > 0.0 {
            let tried = starts().map(|direction| (at + direction * step, sum_at(at + direction * step)));
            let (point, sum) = tried.fold((at, best), |best, next| if next.1 > best.1 { next } else { best });
            if sum > best { (at, best) = (point, sum) } else { step *= 0.5 }
        }
        self.stats += stats;
        best
    }
}
