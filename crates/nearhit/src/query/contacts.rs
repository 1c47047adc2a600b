//! Which triangles intersect? All of them.

use super::{Pair, Question, Scratch, Settings, TrianglePair};
use crate::primitive::intersect::intersects;
use crate::traverse::{Outcome, PairVisitor, Stats};
use crate::volume::BoundingVolume;
use std::ops::ControlFlow;

/// The answer of [`Pair::contacts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contacts<'s> {
    /// Every pair of triangles that share a point, ordered by a's index, then b's: the same for every volume and agenda.
    pub pairs: &'s [TrianglePair],
    /// False when the budget ran out: then there may be more.
    pub complete: bool,
    /// Work done.
    pub stats: Stats,
}

impl Pair<'_> {
    /// All pairs of triangles that share a point. The list lives in `scratch`; along what each pair meets is told by [`Pair::overlap`].
    #[must_use]
    pub fn contacts<'s>(&self, settings: &Settings<'_>, scratch: &'s mut Scratch) -> Contacts<'s> {
        let mut found = std::mem::take(&mut scratch.found);
        found.clear();
        let mut question = AllContacts { pair: self, found };
        let (outcome, stats) = self.descend(&mut question, settings, scratch);
        scratch.found = question.found;
        scratch.found.sort_unstable();
        Contacts { pairs: &scratch.found, complete: outcome == Outcome::Complete, stats }
    }
}

struct AllContacts<'q, 'm> {
    pair: &'q Pair<'m>,
    found: Vec<TrianglePair>,
}

impl Question for AllContacts<'_, '_> {
    fn visitor<V: BoundingVolume>(&mut self) -> impl PairVisitor<V> {
        self
    }
}

impl<V: BoundingVolume> PairVisitor<V> for &mut AllContacts<'_, '_> {
    #[inline]
    fn enter(&mut self, a: &V::Placed, b: &V) -> Option<f64> {
        (!b.disjoint(a)).then_some(0.0)
    }

    fn leaves(&mut self, a: &[u32], b: &[u32]) -> (u64, ControlFlow<()>) {
        let AllContacts { pair, ref mut found } = **self;
        pair.each_pair(a, b, |contact, triangle_a, triangle_b| {
            if intersects(triangle_a, triangle_b) {
                found.push(contact);
            }
            ControlFlow::Continue(())
        })
    }
}
