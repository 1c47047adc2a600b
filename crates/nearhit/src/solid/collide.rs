//! Collision of solids, containment included: do two solids share a point?

use super::pair::{Side, SolidPair};
use crate::query::{Distance, Scratch, Settings, TrianglePair, Verdict};
use crate::traverse::Stats;

/// Reason of contact of two solids: surfaces that touch, or containment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolidContact {
    /// Their surfaces share a point: for one, these two triangles.
    Surfaces(TrianglePair),
    /// The surfaces do not touch, and a piece of one lies inside the other.
    #[non_exhaustive]
    Contained {
        /// Whose.
        body: Side,
        /// A vertex of the piece.
        vertex: u32,
    },
}

impl SolidContact {
    /// Two triangles that share a point, if the surfaces touch.
    #[must_use]
    pub fn witness(self) -> Option<TrianglePair> {
        match self {
            Self::Surfaces(witness) => Some(witness),
            Self::Contained { .. } => None,
        }
    }

    /// Which of the two, or a piece of it, is inside the other, if the surfaces do not touch.
    #[must_use]
    pub fn inside(self) -> Option<Side> {
        match self {
            Self::Surfaces(_) => None,
            Self::Contained { body, .. } => Some(body),
        }
    }
}

/// The answer of [`SolidPair::collide`] and [`SolidPair::within`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolidCollision {
    /// Do the solids share a point, or are they within the limit?
    pub verdict: Verdict,
    /// Why, when the verdict is yes.
    pub contact: Option<SolidContact>,
    /// Is the verdict known? False: the budget ran out, and the verdict is maybe.
    pub is_complete: bool,
    /// Work done.
    pub stats: Stats,
}

impl SolidCollision {
    pub(crate) fn new(verdict: Verdict, contact: Option<SolidContact>, stats: Stats) -> Self {
        Self { verdict, contact, is_complete: verdict != Verdict::Maybe, stats }
    }
}

impl SolidPair<'_> {
    /// Collision test: do the two solids share a point? As exact as [`crate::Pair::collide`] if
    /// both meshes are closed.
    ///
    /// If the surfaces do not touch, every connected piece of one lies wholly inside or wholly
    /// outside the other, and the solids have a point in common exactly when some piece is inside:
    /// one vertex of each is tested.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings, Verdict};
    ///
    /// let (a, b) = (cube(2.0), cube(0.5)); // closed: they have an inside
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(1.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new();
    /// // The surfaces are apart; one solid is inside the other.
    /// assert_eq!(pair.collide(&Settings::default(), &mut scratch).verdict, Verdict::No);
    /// assert_eq!(pair.solid().collide(&Settings::default(), &mut scratch).verdict, Verdict::Yes);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "containment")]
    #[must_use]
    pub fn collide(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> SolidCollision {
        let surfaces = self.pair.collide(settings, scratch);
        let mut stats = surfaces.stats;
        if surfaces.verdict != Verdict::No {
            let contact = surfaces.witness.map(SolidContact::Surfaces);
            return SolidCollision::new(surfaces.verdict, contact, stats);
        }
        let (verdict, contact) = self.contained(settings, scratch, &mut stats);
        SolidCollision::new(verdict, contact, stats)
    }

    /// A piece of one inside the other, given that the surfaces do not touch.
    pub(crate) fn contained(
        &self,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> (Verdict, Option<SolidContact>) {
        for body in [Side::B, Side::A] {
            let found = self.piece_inside(body, settings, scratch, stats);
            if found.0 != Verdict::No {
                return found;
            }
        }
        (Verdict::No, None)
    }

    /// A piece of this body's surface inside the other one, given that the surfaces do not touch.
    pub(crate) fn piece_inside(
        &self,
        body: Side,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> (Verdict, Option<SolidContact>) {
        let (inner, outer) = (self.placed(body), self.placed(body.other()));
        for &vertex in inner.model.inside().pieces() {
            if settings.budget.is_spent(stats) {
                return (Verdict::Maybe, None);
            }
            let point = inner.point(inner.model.mesh().vertices()[vertex as usize]);
            if outer.contains_counted(point, scratch.room(), stats).is_in_solid() {
                return (Verdict::Yes, Some(SolidContact::Contained { body, vertex }));
            }
        }
        (Verdict::No, None)
    }

    /// A vertex of one body and the point of the other's surface nearest to it, as an answer of no
    /// length: both points are the vertex, which both bodies have.
    pub(crate) fn shared_vertex(&self, body: Side, vertex: u32, scratch: &mut Scratch) -> Distance {
        let (inner, outer) = (self.placed(body), self.placed(body.other()));
        let (mesh, mut stats) = (inner.model.mesh(), Stats::default());
        let point = inner.point(mesh.vertices()[vertex as usize]);
        let own = mesh.triangles().iter().position(|corners| corners.contains(&vertex)).unwrap_or(0) as u32;
        let other = outer.closest_counted(point, scratch.room(), &mut stats).triangle;
        let witness = match body {
            Side::A => TrianglePair { a: own, b: other },
            Side::B => TrianglePair { a: other, b: own },
        };
        Distance { lower: 0.0, upper: 0.0, witness, on_a: point, on_b: point, is_complete: true, stats }
    }
}
