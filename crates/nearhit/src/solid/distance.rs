//! Signed distance of two solids: how far apart, or how deep in each other?

use super::collide::SolidCollision;
use super::local_depth::LocalDepth;
use super::pair::{Side, SolidPair};
use crate::query::{Distance, Scratch, Settings, Tolerance, TrianglePair, Verdict};

impl SolidPair<'_> {
    /// The signed distance of the two solids, as an interval: the distance of the surfaces if they
    /// are apart, the negative of the local depth ([`SolidPair::local_depth`]) if they are in
    /// contact. Continuous: it goes through zero where the surfaces touch without crossing.
    ///
    /// The tolerance is that of [`crate::Pair::distance`] for solids apart and that of
    /// `local_depth` for others. The points of the answer are the nearest ones of solids apart; of
    /// solids in contact they show the depth. An answer is complete when it is as exact as asked
    /// for; of a depth below a mesh with holes it seldom is.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings, Tolerance};
    ///
    /// let (a, b) = (cube(2.0), cube(0.5)); // closed: they have an inside
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(1.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new();
    /// let found = pair.solid().distance(Tolerance::relative(0.01), &Settings::default(), &mut scratch);
    /// assert!(found.lower <= -1.5 && found.upper < 0.0); // negative: that deep
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "signed distance")]
    #[doc(alias = "penetration depth")]
    #[must_use]
    pub fn distance(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Distance {
        let collision = self.collide(settings, scratch);
        let mut stats = collision.stats;
        if collision.verdict == Verdict::No {
            let found = self.pair.distance(tolerance, &settings.after(&stats), scratch);
            stats += found.stats;
            return Distance { stats, ..found };
        }
        let deepest = self.deepest(tolerance, None, settings, scratch, &mut stats);
        let LocalDepth { body, triangle, point, closest, closest_triangle, depth, at_most, .. } = deepest;
        let (on_a, on_b, witness) = match body {
            Side::A => (point, closest, TrianglePair { a: triangle, b: closest_triangle }),
            Side::B => (closest, point, TrianglePair { a: closest_triangle, b: triangle }),
        };
        // In contact the distance is at most zero, also where they only touch and no point looked
        // at is inside.
        let (lower, mut upper) = ((-at_most).min(0.0), (-depth).min(0.0));
        if collision.verdict == Verdict::Maybe && depth <= 0.0 {
            // Not even contact is known.
            let surfaces = self.pair.distance(tolerance, &settings.after(&stats), scratch);
            stats += surfaces.stats;
            upper = surfaces.upper;
        }
        let is_complete = deepest.is_complete && collision.verdict != Verdict::Maybe;
        Distance { lower, upper, witness, on_a, on_b, is_complete, stats }
    }

    /// Is the signed distance at most `limit`? With a negative limit: are they at least that deep
    /// in each other? The answer has a contact only where one solid is inside the other.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings, Verdict};
    ///
    /// let (a, b) = (cube(2.0), cube(0.5)); // closed: they have an inside
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(1.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new();
    /// assert_eq!(pair.solid().within(0.0, &Settings::default(), &mut scratch).verdict, Verdict::Yes);
    /// assert_eq!(pair.solid().within(-1.0, &Settings::default(), &mut scratch).verdict, Verdict::Yes); // one deep
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn within(&self, limit: f64, settings: &Settings<'_>, scratch: &mut Scratch) -> SolidCollision {
        if limit < 0.0 {
            let found = self.distance(Tolerance { relative: 0.001, absolute: 0.0 }, settings, scratch);
            let verdict = match (found.upper <= limit, found.lower > limit) {
                (true, _) => Verdict::Yes,
                (_, true) => Verdict::No,
                _ => Verdict::Maybe,
            };
            return SolidCollision::new(verdict, None, found.stats);
        }
        let surfaces = self.pair.within(limit, settings, scratch);
        let mut stats = surfaces.stats;
        if surfaces.verdict != Verdict::No || limit.is_nan() {
            return SolidCollision::new(surfaces.verdict, None, stats);
        }
        let (verdict, contact) = self.contained(settings, scratch, &mut stats);
        SolidCollision::new(verdict, contact, stats)
    }
}
