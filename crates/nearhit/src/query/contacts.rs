//! Contact pairs: all pairs of triangles that intersect.

use super::{Pair, Scratch, Settings, TrianglePair};
use crate::mesh::Triangle;
use crate::primitive::intersect::intersects;
use crate::traverse::{Front, Outcome, Question, Stats};
use std::ops::ControlFlow;

/// The answer of [`Pair::contacts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contacts<'s> {
    /// Every pair of triangles that share a point, ordered by a's index, then b's: the same for
    /// every volume and agenda.
    pub pairs: &'s [TrianglePair],
    /// Was everything looked at? False: the budget ran out, and there may be more contacts.
    pub is_complete: bool,
    /// Work done.
    pub stats: Stats,
}

impl Pair<'_> {
    /// All contact pairs: pairs of triangles that share a point. The list lives in `scratch`; along
    /// what each pair meets is told by [`Pair::overlap`].
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(1.5, 0.25, 0.25))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// let found = pair.contacts(&Settings::default(), &mut scratch);
    /// assert!(found.is_complete && !found.pairs.is_empty());
    /// let along = pair.overlap(found.pairs[0]); // a point, a segment or a polygon
    /// assert!(!along.points().is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "contact pairs")]
    #[doc(alias = "intersecting triangles")]
    #[must_use]
    pub fn contacts<'s>(&self, settings: &Settings<'_>, scratch: &'s mut Scratch) -> Contacts<'s> {
        self.all_contacts(None, settings, scratch)
    }

    /// [`Pair::contacts`], started from the front of an earlier query: the same list.
    #[must_use]
    pub(crate) fn contacts_from_front<'s>(
        &self,
        front: &mut Front,
        settings: &Settings<'_>,
        scratch: &'s mut Scratch,
    ) -> Contacts<'s> {
        self.all_contacts(Some(front), settings, scratch)
    }

    fn all_contacts<'s>(
        &self,
        front: Option<&mut Front>,
        settings: &Settings<'_>,
        scratch: &'s mut Scratch,
    ) -> Contacts<'s> {
        let mut found = std::mem::take(&mut scratch.found);
        found.clear();
        let mut question = AllContacts { found };
        let (outcome, stats) = self.descend_from(front, &mut question, settings, scratch);
        scratch.found = question.found;
        // One comparison of one number: the same order as that of the pairs.
        scratch.found.sort_unstable_by_key(|pair| u64::from(pair.a) << 32 | u64::from(pair.b));
        // Tiles of a triangle are met one by one.
        scratch.found.dedup();
        Contacts { pairs: &scratch.found, is_complete: outcome == Outcome::Complete, stats }
    }
}

struct AllContacts {
    found: Vec<TrianglePair>,
}

impl Question for AllContacts {
    fn only_contact(&self) -> bool {
        true
    }

    fn only_meeting(&self) -> bool {
        true
    }

    fn threshold(&self) -> f64 {
        f64::MIN_POSITIVE
    }

    #[inline]
    fn met(&mut self, pair: TrianglePair) -> ControlFlow<()> {
        self.found.push(pair);
        ControlFlow::Continue(())
    }

    #[inline]
    fn look(&mut self, pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()> {
        if intersects(a, b) { self.met(pair) } else { ControlFlow::Continue(()) }
    }
}
