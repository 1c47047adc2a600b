//! All pairs of triangles closer than a tolerance.

use super::within::just_above;
use super::{Pair, Scratch, Settings, TrianglePair};
use crate::mesh::Triangle;
use crate::primitive::distance::distance_within;
use crate::traverse::{Outcome, Question, Stats};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Two triangles and how far apart they are.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct NearPair {
    /// The triangles.
    pub pair: TrianglePair,
    /// Their canonical distance.
    pub distance: f64,
}

impl NearPair {
    /// Nearest first, ties by index: a total order, the same for every volume.
    pub(super) fn by_distance(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.pair.cmp(&other.pair))
    }
}

/// The answer of [`Pair::pairs_within`] and [`Pair::nearest_pairs`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct NearPairs<'s> {
    /// Those within a limit are ordered by a's index, then b's; the nearest ones by distance, ties
    /// by index.
    pub pairs: &'s [NearPair],
    /// No pair that is missing is nearer than this.
    pub lower: f64,
    /// Was everything looked at? False: the budget ran out, and near pairs may be missing.
    pub is_complete: bool,
    /// Work done.
    pub stats: Stats,
}

impl Pair<'_> {
    /// All pairs of triangles with a distance of at most `limit`. The list lives in `scratch`.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(3.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// let found = pair.pairs_within(1.0, &Settings::default(), &mut scratch);
    /// assert!(found.is_complete && found.pairs.iter().all(|near| near.distance == 1.0));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn pairs_within<'s>(&self, limit: f64, settings: &Settings<'_>, scratch: &'s mut Scratch) -> NearPairs<'s> {
        let mut found = std::mem::take(&mut scratch.near);
        found.clear();
        let mut search = Search { limit, found };
        let (outcome, stats) = self.descend(&mut search, settings, scratch);
        scratch.near = search.found;
        scratch.near.sort_unstable_by_key(|near| near.pair);
        // Tiles of a triangle are met one by one.
        scratch.near.dedup();
        // A limit that is no number finds nothing.
        let limit = limit.max(0.0);
        let lower = if let Outcome::OutOfBudget { open } = outcome { open.min(limit) } else { limit };
        NearPairs { pairs: &scratch.near, lower, is_complete: outcome == Outcome::Complete, stats }
    }
}

struct Search {
    limit: f64,
    found: Vec<NearPair>,
}

impl Question for Search {
    fn only_contact(&self) -> bool {
        false
    }

    #[inline]
    fn threshold(&self) -> f64 {
        just_above(self.limit)
    }

    #[inline]
    fn look(&mut self, pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()> {
        let near = distance_within(a, b, self.limit);
        self.found.extend(near.map(|nearest| NearPair { pair, distance: nearest.distance }));
        ControlFlow::Continue(())
    }
}
