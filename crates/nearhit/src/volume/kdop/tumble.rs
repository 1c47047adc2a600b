//! Re-bounding a rotated k-DOP from an outline (k-DOP paper, §4.1): method II from its corners,
//! method I from the hull of what it encloses.
//!
//! **Rounding.** The corners come from [`super::brep`]: the half-spaces' exact corner points
//! enclose the k-DOP whatever its shape, and each is stored within two units in the last place. So
//! a stored corner may lie inside the true k-DOP, by at most 2 half-ulps twice of a coordinate of
//! a, never more. Turning the direction, the scalar product and the offset add under 20 half-ulps
//! of the magnitudes that meet, each entering a slab at most [`KDop::LARGEST_SUM`] times. The
//! motion's slack is (1 + that sum) times 512 half-ulps, of which the rounding of the pose and of
//! the exact questions takes under 200: it covers both. The contract suite, kissing cases included,
//! is run for all three ways.

use super::{KDop, KDopMotion};
use crate::volume::outline::Outline;

/// The smallest k-DOP in b's frame around the outline, grown by the slack.
pub(super) fn tumble<const N: usize>(outline: &Outline<'_>, motion: &KDopMotion<N>) -> KDop<N> {
    let mut placed = KDop { low: [0.0; N], high: [0.0; N] };
    for slab in 0..N {
        let (low, high) = outline.extent_of_slab(slab, motion.turned[slab]);
        placed.low[slab] = low + motion.offset[slab] - motion.slack;
        placed.high[slab] = high + motion.offset[slab] + motion.slack;
    }
    placed
}

#[cfg(test)]
#[path = "tumble_tests.rs"]
mod tests;
