//! Two meshes as shapes: each a surface or a solid, perhaps grown, perhaps with a hull that it
//! keeps.

use super::{ONE, Separation, ShapePair};
use crate::model::Model;
use crate::query::{Collision, Distance, Pair, Scratch, Seed, Settings, Tolerance, TrianglePair, Verdict, Within};
use crate::shape::extremes::{self, Extremes};
use crate::solid::{Side, SolidContact};
use crate::traverse::Stats;

/// Two meshes, each a surface or a solid.
#[derive(Debug, Clone, Copy)]
pub(in crate::shape) struct Meshes<'s> {
    pub(in crate::shape) a: &'s Model,
    pub(in crate::shape) b: &'s Model,
    pub(super) is_solid: [bool; 2],
}

impl<'s> ShapePair<'s> {
    /// The two models as a pair of surfaces.
    pub(in crate::shape) fn surfaces(&self, meshes: &Meshes<'s>) -> Pair<'s> {
        Pair::relative(meshes.a, meshes.b, &self.a_from_b).expect("checked when this pair was made")
    }

    pub(super) fn meshes_within(
        &self,
        meshes: &Meshes<'s>,
        limit: f64,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Within {
        let (margins, pair) = (self.margins(), self.surfaces(meshes));
        let limit = margins.up() + limit;
        if limit > 0.0 && self.extremes().is_some_and(|both| extremes::are_beyond(&pair, both, limit)) {
            let (verdict, lower) = (Verdict::No, margins.lower(limit));
            return Within { verdict, witness: None, lower, upper: None, is_complete: true, stats: ONE };
        }
        let mut found = if limit == 0.0 {
            let found = pair.collide(settings, scratch);
            let upper = (found.verdict == Verdict::Yes).then_some(0.0);
            let Collision { verdict, witness, is_complete, stats } = found;
            Within { verdict, witness, lower: 0.0, upper, is_complete, stats }
        } else {
            let found = pair.within(limit, settings, scratch);
            let upper = found.upper.map(|upper| margins.upper(upper));
            Within { lower: margins.lower(found.lower), upper, ..found }
        };
        if found.verdict == Verdict::No {
            let (verdict, contact) = meshes.contained(&pair, settings, scratch, &mut found.stats);
            (found.verdict, found.is_complete) = (verdict, verdict != Verdict::Maybe);
            if contact.is_some() {
                (found.witness, found.lower, found.upper) = (Some(TrianglePair { a: 0, b: 0 }), 0.0, Some(0.0));
            } else if verdict == Verdict::Maybe {
                found.lower = 0.0;
            }
        }
        found
    }

    pub(super) fn mesh_distance(
        &self,
        meshes: &Meshes<'s>,
        tolerance: Tolerance,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Distance {
        let (margins, pair) = (self.margins(), self.surfaces(meshes));
        // A share of the distance of what is grown is much less than one of the meshes' distance.
        let tolerance = if margins.up() > 0.0 { Tolerance::EXACT } else { tolerance };
        let mut found = match self.extreme_distance(&pair, settings, scratch) {
            Ok(found) => {
                let separation =
                    Separation { lower: found.lower, upper: found.upper, on_a: found.on_a, on_b: found.on_b };
                return separation.grown(&margins).answer(found.witness, true, found.stats);
            }
            Err(seed) => pair.distance(tolerance, &settings.seed(seed), scratch),
        };
        if found.upper > 0.0 {
            let (verdict, contact) = meshes.contained(&pair, settings, scratch, &mut found.stats);
            if let Some(SolidContact::Contained { body, vertex }) = contact {
                let shared = pair.solid().shared_vertex(body, vertex, scratch);
                found = Distance { stats: found.stats, ..shared };
            } else if verdict == Verdict::Maybe {
                (found.lower, found.is_complete) = (0.0, false);
            }
        }
        let separation = Separation { lower: found.lower, upper: found.upper, on_a: found.on_a, on_b: found.on_b };
        separation.grown(&margins).answer(found.witness, found.is_complete, found.stats)
    }

    /// The hulls that both meshes keep.
    fn extremes(&self) -> Option<[&'s Extremes; 2]> {
        Some([self.a.extremes()?, self.b.extremes()?])
    }

    /// The distance of the surfaces, where hulls tell it: then neither is inside the other. If not,
    /// what is known to be near.
    fn extreme_distance(
        &self,
        pair: &Pair<'s>,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Result<Distance, Option<Seed>> {
        let Some(both) = self.extremes().filter(|_| settings.budget.is_unlimited()) else { return Err(settings.seed) };
        match extremes::distance(pair, both, scratch.room()) {
            extremes::Known::All(witness, nearest, stats) => {
                let (lower, upper) = (nearest.distance, nearest.distance);
                let (on_a, on_b) = (nearest.on_a, nearest.on_b);
                Ok(Distance { lower, upper, witness, on_a, on_b, is_complete: true, stats })
            }
            extremes::Known::Some(pieces) => Err(Some(Seed(pieces))),
            extremes::Known::Nothing => Err(settings.seed),
        }
    }
}

impl Meshes<'_> {
    /// A piece of one inside the other, if that is a solid; given that the surfaces do not touch.
    pub(super) fn contained(
        &self,
        pair: &Pair<'_>,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> (Verdict, Option<SolidContact>) {
        for (inner, counts) in [(Side::B, self.is_solid[0]), (Side::A, self.is_solid[1])] {
            if counts {
                let found = pair.solid().piece_inside(inner, settings, scratch, stats);
                if found.0 != Verdict::No {
                    return found;
                }
            }
        }
        (Verdict::No, None)
    }
}
