//! Two parts of a scene, whatever their shapes: are they in contact, and how far apart?
//!
//! Two meshes without margins are a [`MeshPair`]; all others are asked about by [`ShapePair`].

use super::solids::MeshPair;
use crate::error::QueryError;
use crate::pose::Pose;
use crate::query::{Distance, Pair, Scratch, Settings, Tolerance, TrianglePair, Verdict};
use crate::shape::{Shape, ShapeContact, ShapePair};
use crate::solid::{Side, SolidCollision, SolidContact};
use crate::traverse::Stats;

/// Two parts where they are.
#[derive(Debug, Clone, Copy)]
pub(super) enum PartPair<'m> {
    Meshes(MeshPair<'m>),
    Shapes(ShapePair<'m>),
}

/// All contacts of two parts.
pub(super) struct PartContacts {
    pub(super) pieces: Vec<TrianglePair>,
    pub(super) points: Vec<ShapeContact>,
    pub(super) inside: Option<Side>,
    pub(super) is_complete: bool,
    pub(super) stats: Stats,
}

/// How far apart two parts are, if that is at most a bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct UpTo {
    /// The upper end of the distance, if that is at most the bound.
    pub(super) upper: Option<f64>,
    /// The budget ran out: the distance may be as small as this.
    pub(super) open_from: Option<f64>,
    pub(super) stats: Stats,
}

impl UpTo {
    pub(super) fn new(found: &Distance, bound: f64, stats: Stats) -> Self {
        let upper = (found.upper <= bound).then_some(found.upper);
        Self { upper, open_from: (!found.is_complete && found.lower <= bound).then_some(found.lower), stats }
    }
}

impl<'m> PartPair<'m> {
    pub(super) fn new(
        a: &'m Shape,
        world_from_a: &Pose,
        b: &'m Shape,
        world_from_b: &Pose,
    ) -> Result<Self, QueryError> {
        Self::relative(a, b, &Pose::a_from_b(world_from_a, world_from_b))
    }

    /// The same, b placed in a's frame.
    pub(super) fn relative(a: &'m Shape, b: &'m Shape, a_from_b: &Pose) -> Result<Self, QueryError> {
        let is_grown = a.margin() > 0.0 || b.margin() > 0.0;
        match (a.model(), b.model()) {
            (Some(model_a), Some(model_b)) if !is_grown => {
                let pair = Pair::relative(model_a, model_b, a_from_b)?;
                Ok(Self::Meshes(MeshPair { pair, is_solid: [a.is_solid(), b.is_solid()] }))
            }
            _ => Ok(Self::Shapes(ShapePair::relative(a, b, a_from_b)?)),
        }
    }

    /// Makes what a model makes on first use, so that it is not made within a task.
    pub(super) fn prepare(&self) {
        match self {
            Self::Meshes(meshes) => meshes.pair.prepare(),
            Self::Shapes(shapes) => shapes.prepare(),
        }
    }

    /// Are they in contact, and how?
    pub(super) fn collide(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> SolidCollision {
        match self {
            Self::Meshes(meshes) => meshes.collide(settings, scratch),
            Self::Shapes(shapes) => shapes.touch(settings, scratch),
        }
    }

    /// Are they in contact but for a piece of one inside the other, of two meshes?
    pub(super) fn collide_surfaces(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> SolidCollision {
        match self {
            Self::Meshes(meshes) => {
                let found = meshes.pair.collide(settings, scratch);
                SolidCollision::new(found.verdict, found.witness.map(SolidContact::Surfaces), found.stats)
            }
            Self::Shapes(shapes) => shapes.touch(settings, scratch),
        }
    }

    /// What is left to ask when surfaces do not touch: of two meshes, a piece of one inside the
    /// other.
    pub(super) fn contained(
        &self,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> (Verdict, Option<SolidContact>) {
        match self {
            Self::Meshes(meshes) => meshes.contained(settings, scratch, stats),
            Self::Shapes(_) => (Verdict::No, None),
        }
    }

    /// Every contact; nothing if there is none.
    pub(super) fn contacts(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> PartContacts {
        let stats = Stats::default();
        let none = PartContacts { pieces: Vec::new(), points: Vec::new(), inside: None, is_complete: true, stats };
        match self {
            Self::Meshes(meshes) => {
                let found = meshes.pair.contacts(settings, scratch);
                let (pieces, mut is_complete, mut stats) = (found.pairs.to_vec(), found.is_complete, found.stats);
                let mut inside = None;
                if pieces.is_empty() && is_complete {
                    let (verdict, contact) = meshes.contained(&settings.after(&stats), scratch, &mut stats);
                    (is_complete, inside) = (verdict != Verdict::Maybe, contact.and_then(SolidContact::inside));
                }
                PartContacts { pieces, inside, is_complete, stats, ..none }
            }
            Self::Shapes(shapes) => {
                let touch = shapes.touch(settings, scratch);
                let (inside, mut stats) = (touch.contact.and_then(SolidContact::inside), touch.stats);
                if touch.contact.is_none() || inside.is_some() {
                    return PartContacts { inside, is_complete: touch.is_complete, stats, ..none };
                }
                let found = shapes.contacts(&settings.after(&stats), scratch);
                stats += found.stats;
                let mut pieces: Vec<TrianglePair> = found.contacts.iter().map(|contact| contact.pieces).collect();
                if pieces.is_empty() {
                    // Within a solid of pieces: no surface is touched.
                    pieces.extend(touch.contact.and_then(SolidContact::witness));
                }
                PartContacts { pieces, points: found.contacts, inside, is_complete: found.is_complete, stats }
            }
        }
    }

    /// Is the distance at most `limit`, which is not negative?
    pub(super) fn within(&self, limit: f64, settings: &Settings<'_>, scratch: &mut Scratch) -> (Verdict, Stats) {
        match self {
            Self::Meshes(meshes) => meshes.within(limit, settings, scratch),
            Self::Shapes(shapes) => {
                let found = shapes.within(limit, settings, scratch);
                (found.verdict, found.stats)
            }
        }
    }

    /// The distance, below zero where the two have a depth; not narrower than the tolerance asks.
    pub(super) fn distance(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Distance {
        match self {
            Self::Meshes(meshes) => meshes.distance(tolerance, settings, scratch),
            Self::Shapes(shapes) => signed(shapes, shapes.distance(tolerance, settings, scratch), scratch),
        }
    }

    /// The distance without a depth: zero where the two are in contact.
    pub(super) fn clearance(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Distance {
        match self {
            Self::Meshes(meshes) => meshes.clearance(tolerance, settings, scratch),
            Self::Shapes(shapes) => shapes.distance(tolerance, settings, scratch),
        }
    }

    /// The distance of two meshes' surfaces, of other shapes the distance without a depth.
    pub(super) fn separation(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Distance {
        match self {
            Self::Meshes(meshes) => meshes.pair.distance(tolerance, settings, scratch),
            Self::Shapes(shapes) => shapes.distance(tolerance, settings, scratch),
        }
    }

    /// How far apart, if that is at most `bound`.
    pub(super) fn distance_up_to(&self, bound: f64, settings: &Settings<'_>, scratch: &mut Scratch) -> UpTo {
        let shapes = match self {
            Self::Meshes(meshes) => return meshes.distance_up_to(bound, settings, scratch),
            Self::Shapes(shapes) => shapes,
        };
        let mut stats = Stats::default();
        if bound < f64::INFINITY {
            let near = shapes.within(bound.max(0.0), settings, scratch);
            stats += near.stats;
            if near.verdict == Verdict::No {
                return UpTo { upper: None, open_from: None, stats };
            }
        }
        let found = self.distance(Tolerance::EXACT, &settings.after(&stats), scratch);
        stats += found.stats;
        UpTo::new(&found, bound, stats)
    }
}

/// Of two convex shapes that overlap, minus their depth.
fn signed(shapes: &ShapePair<'_>, found: Distance, scratch: &mut Scratch) -> Distance {
    if found.upper > 0.0 {
        return found;
    }
    match shapes.penetration(scratch) {
        // No negative zeros: they would be less than others when pairs are sorted.
        Some(deep) => Distance {
            lower: 0.0 - deep.depth.upper,
            upper: 0.0 - deep.depth.lower,
            on_a: deep.on_a,
            on_b: deep.on_b,
            ..found
        },
        None => found,
    }
}
