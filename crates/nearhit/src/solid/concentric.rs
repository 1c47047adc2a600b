//! A lower bound on the depth: two balls with the same centre.
//!
//! Where a point is d below a's surface and e below b's, a ball of radius d in a and one of radius
//! e in b have the same middle, and any translation shorter than d + e leaves them in contact. The
//! point with the largest sum is looked for by a pattern search (Hooke and Jeeves, 1961): steps
//! along 26 directions, halved where none climbs.
//!
//! **Why it ends.** The sum is constant along ridges: wherever the nearest faces of both solids are
//! parallel, in unions of boxes for example. There rounding decides which of two points is higher,
//! and a search that takes every higher point may walk along the ridge for ever. So a step counts
//! only if it gains a share of its own length, which rounding cannot give; and steps are counted.

use super::convex::starts;
use super::local_depth::LocalDepth;
use super::pair::Side;
use super::translation::Search;
use glam::DVec3;

/// A step climbs if it gains this share of its length; the steepest gains twice its length.
const LEAST_GAIN: f64 = 1.0 / 64.0;
/// Steps and halvings of steps.
const MOST_STEPS: u32 = 96;
/// Steps shorter than this share of the sum are not worth taking.
const SHORTEST: f64 = 0.02;

impl Search<'_, '_, '_> {
    /// The largest sum of the depths below both surfaces that a short climb from the deepest point
    /// finds.
    pub(super) fn concentric_balls(&mut self, deepest: &LocalDepth) -> f64 {
        let (mut at, mut best) = (deepest.point, deepest.depth.max(self.sum_of_depths(deepest.point)));
        let mut step = 0.5 * deepest.depth.max(0.0);
        for _ in 0..MOST_STEPS {
            if best <= 0.0 || step <= SHORTEST * best || self.is_spent() {
                break;
            }
            let enough = best + LEAST_GAIN * step;
            let mut highest = (at, best);
            for direction in starts() {
                let point = at + direction * step;
                let sum = self.sum_of_depths(point);
                if sum > highest.1 {
                    highest = (point, sum);
                }
            }
            // Every sum found is a bound; only a real gain is worth going there.
            best = highest.1;
            if best >= enough { at = highest.0 } else { step *= 0.5 }
        }
        best
    }

    /// Below zero for a point farther outside of one than inside of the other.
    fn sum_of_depths(&mut self, point: DVec3) -> f64 {
        let (room, stats) = (self.scratch.room(), &mut self.stats);
        [Side::A, Side::B].into_iter().fold(0.0, |sum, body| {
            let placed = self.pair.placed(body);
            let distance = placed.closest_counted(point, room, stats).distance;
            let inside = placed.contains_counted(point, room, stats).is_in_solid();
            sum + if inside { distance } else { -distance }
        })
    }
}
