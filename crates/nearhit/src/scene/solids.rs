//! Two meshes of a scene, each a surface or a solid: are they in contact, and how far apart?
//!
//! A piece of one part inside the other counts if the part around it is a solid. Where surfaces
//! touch all this is a matter of surfaces alone.

use super::part_pair::UpTo;
use crate::query::{Distance, DistanceStart, Pair, Scratch, Settings, Tolerance, Verdict};
use crate::solid::{Side, SolidCollision, SolidContact};
use crate::traverse::Stats;

/// Two meshes where they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeshPair<'m> {
    pub(super) pair: Pair<'m>,
    /// Is a, is b a solid?
    pub(super) is_solid: [bool; 2],
}

impl MeshPair<'_> {
    /// Are both solids, so that they have a depth?
    pub(super) fn are_solids(&self) -> bool {
        self.is_solid == [true, true]
    }

    /// Are they in contact, and how?
    pub(super) fn collide(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> SolidCollision {
        let surfaces = self.pair.collide(settings, scratch);
        let (mut verdict, mut contact) = (surfaces.verdict, surfaces.witness.map(SolidContact::Surfaces));
        let mut stats = surfaces.stats;
        if verdict == Verdict::No {
            (verdict, contact) = self.contained(settings, scratch, &mut stats);
        }
        SolidCollision::new(verdict, contact, stats)
    }

    /// A piece of one inside the other, if that is a solid; given that the surfaces do not touch.
    pub(super) fn contained(
        &self,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> (Verdict, Option<SolidContact>) {
        let [is_a_solid, is_b_solid] = self.is_solid;
        for (inner, counts) in [(Side::B, is_a_solid), (Side::A, is_b_solid)] {
            if !counts {
                continue;
            }
            let found = self.pair.solid().piece_inside(inner, settings, scratch, stats);
            if found.0 != Verdict::No {
                return found;
            }
        }
        (Verdict::No, None)
    }

    /// Is the distance at most `limit`, which is not negative?
    pub(super) fn within(&self, limit: f64, settings: &Settings<'_>, scratch: &mut Scratch) -> (Verdict, Stats) {
        let surfaces = self.pair.within(limit, settings, scratch);
        let mut stats = surfaces.stats;
        if surfaces.verdict != Verdict::No {
            return (surfaces.verdict, stats);
        }
        let (verdict, _) = self.contained(settings, scratch, &mut stats);
        (verdict, stats)
    }

    /// The distance: signed for two solids, then an interval where it is below zero; exact
    /// otherwise.
    pub(super) fn distance(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Distance {
        if self.are_solids() {
            let found = self.pair.solid().distance(tolerance, settings, scratch);
            // No negative zeros: they would be less than others when pairs are sorted.
            return Distance { lower: found.lower + 0.0, upper: found.upper + 0.0, ..found };
        }
        self.clearance(tolerance, settings, scratch)
    }

    /// The distance without a depth: zero where the two are in contact.
    pub(super) fn clearance(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Distance {
        let mut found = self.pair.distance(tolerance, settings, scratch);
        if found.upper == 0.0 || self.is_solid == [false, false] {
            return found;
        }
        let (verdict, contact) = self.contained(settings, scratch, &mut found.stats);
        if verdict == Verdict::Maybe {
            return Distance { lower: 0.0, is_complete: false, ..found };
        }
        if let Some(SolidContact::Contained { body, vertex }) = contact {
            let shared = self.pair.solid().shared_vertex(body, vertex, scratch);
            let mut stats = found.stats;
            stats += shared.stats;
            found = Distance { stats, ..shared };
        }
        found
    }

    /// How far apart, if that is at most `bound`.
    pub(super) fn distance_up_to(&self, bound: f64, settings: &Settings<'_>, scratch: &mut Scratch) -> UpTo {
        let collision = self.collide(settings, scratch);
        let mut stats = collision.stats;
        let settings = settings.after(&stats);
        let distance = if collision.verdict == Verdict::No {
            // One above it, so that what is as close as the bound is found.
            let limit = bound.next_up();
            let start = if bound == f64::INFINITY { DistanceStart::Witness } else { DistanceStart::AtMost(limit) };
            self.pair.distance_from(start, Tolerance::EXACT, &settings, scratch)
        } else if self.are_solids() || collision.verdict == Verdict::Maybe {
            self.distance(Tolerance::EXACT, &settings, scratch)
        } else {
            return UpTo { upper: (bound >= 0.0).then_some(0.0), open_from: None, stats };
        };
        stats += distance.stats;
        UpTo::new(&distance, bound, stats)
    }
}
