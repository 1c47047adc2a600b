//! Do two solids share a point?

use super::pair::{Body, SolidPair};
use crate::query::{Scratch, Settings, TrianglePair, Verdict};
use crate::traverse::Stats;

/// Why two solids are in contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolidContact {
    /// Their surfaces share a point: for one, these two triangles.
    Surfaces(TrianglePair),
    /// The surfaces do not touch, and a piece of one lies inside the other.
    Contained {
        /// Whose.
        body: Body,
        /// A vertex of the piece.
        vertex: u32,
    },
}

/// The answer of [`SolidPair::collide`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolidCollision {
    /// Do the solids share a point?
    pub verdict: Verdict,
    /// Why, when the verdict is yes.
    pub contact: Option<SolidContact>,
    /// Work done.
    pub stats: Stats,
}

impl SolidPair<'_> {
    /// Do the two solids share a point? As exact as [`crate::Pair::collide`] if both meshes are closed.
    ///
    /// If the surfaces do not touch, every connected piece of one lies wholly inside or wholly outside the other, and the solids have a point in common exactly when some piece is inside: one vertex of each is
    /// tested.
    #[must_use]
    pub fn collide(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> SolidCollision {
        let surfaces = self.pair.collide(settings, scratch);
        let mut stats = surfaces.stats;
        if surfaces.verdict != Verdict::No {
            let contact = surfaces.witness.map(SolidContact::Surfaces);
            return SolidCollision { verdict: surfaces.verdict, contact, stats };
        }
        let (verdict, contact) = self.contained(settings, scratch, &mut stats);
        SolidCollision { verdict, contact, stats }
    }

    /// A piece of one inside the other, given that the surfaces do not touch.
    pub(super) fn contained(
        &self,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> (Verdict, Option<SolidContact>) {
        for body in [Body::B, Body::A] {
            let (inner, outer) = (self.placed(body), self.placed(body.other()));
            for &vertex in inner.model.inside().pieces() {
                if settings.budget.is_spent(stats) {
                    return (Verdict::Maybe, None);
                }
                let point = inner.point(inner.model.mesh().vertices()[vertex as usize]);
                if outer.contains_counted(point, &mut scratch.solid, stats).is_in_solid() {
                    return (Verdict::Yes, Some(SolidContact::Contained { body, vertex }));
                }
            }
        }
        (Verdict::No, None)
    }
}
