//! Which triangles are closer than t? All of them.

use super::{Pair, Question, Scratch, Settings, TrianglePair};
use crate::primitive::distance::distance_within;
use crate::traverse::{Outcome, PairVisitor, Stats};
use crate::volume::BoundingVolume;
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Two triangles and how far apart they are.
#[derive(Debug, Clone, Copy, PartialEq)]
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

/// The answer of [`Pair::pairs_within`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairsWithin<'s> {
    /// Every pair of triangles at most that far apart, ordered by a's index, then b's.
    pub pairs: &'s [NearPair],
    /// False when the budget ran out: then there may be more.
    pub complete: bool,
    /// Work done.
    pub stats: Stats,
}

impl Pair<'_> {
    /// All pairs of triangles with a distance of at most `limit`. The list lives in `scratch`.
    #[must_use]
    pub fn pairs_within<'s>(&self, limit: f64, settings: &Settings<'_>, scratch: &'s mut Scratch) -> PairsWithin<'s> {
        let mut found = std::mem::take(&mut scratch.near);
        found.clear();
        let mut search = Search { pair: self, limit, found };
        let (outcome, stats) = self.descend(&mut search, settings, scratch);
        scratch.near = search.found;
        scratch.near.sort_unstable_by_key(|near| near.pair);
        PairsWithin { pairs: &scratch.near, complete: outcome == Outcome::Complete, stats }
    }
}

struct Search<'q, 'm> {
    pair: &'q Pair<'m>,
    limit: f64,
    found: Vec<NearPair>,
}

impl Question for Search<'_, '_> {
    fn visitor<V: BoundingVolume>(&mut self) -> impl PairVisitor<V> {
        self
    }
}

impl<V: BoundingVolume> PairVisitor<V> for &mut Search<'_, '_> {
    #[inline]
    fn enter(&mut self, a: &V::Placed, b: &V) -> Option<f64> {
        let bound = b.lower_bound(a);
        (bound <= self.limit).then_some(bound)
    }

    fn leaves(&mut self, a: &[u32], b: &[u32]) -> (u64, ControlFlow<()>) {
        let Search { pair, limit, ref mut found } = **self;
        pair.each_pair(a, b, |near, triangle_a, triangle_b| {
            found.extend(
                distance_within(triangle_a, triangle_b, limit).map(|it| NearPair { pair: near, distance: it.distance }),
            );
            ControlFlow::Continue(())
        })
    }
}
