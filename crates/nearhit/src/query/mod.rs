//! Narrow-phase queries on a pair of meshes: collision, contacts, distance, tolerance. One file per
//! question.
//!
//! A [`Pair`] is two models placed; the questions are its methods. Every question takes `&self`;
//! working memory is the caller's [`Scratch`]. Warm starts (temporal coherence, triangle caching):
//! the witness of one answer is the [`Seed`] of the next.

pub(crate) mod assess;
mod collide;
mod contacts;
pub(crate) mod distance;
mod nearest_pairs;
mod pairs_within;
mod scratch;
mod self_contacts;
mod within;

pub use assess::{Assessment, Interval};
pub use collide::{Collision, Verdict};
pub use contacts::Contacts;
pub(crate) use distance::DistanceStart;
pub use distance::{Distance, Tolerance};
pub use pairs_within::{NearPair, NearPairs};
pub use scratch::Scratch;
pub(crate) use self_contacts::Faces;
pub use within::Within;

pub use crate::traverse::TrianglePair;

use crate::error::{MAX_COORDINATE, QueryError};
use crate::hierarchy::Hierarchy;
use crate::hierarchy::PairOperation;
use crate::mesh::{Mesh, Triangle};
use crate::model::Model;
use crate::packed::{self, Packed};
use crate::pose::Pose;
use crate::primitive::overlap::{Overlap, overlap};
use crate::traverse::{
    Agenda, AgendaKind, BestFirst, BreadthFirst, Budget, DepthFirst, Front, Guided, Memo, NestedBestFirst, Opening,
    Outcome, PlainDepthFirst, PosedMeshes, Question, Record, Stats, Trees, traverse,
};
use crate::volume::BoundingVolume;
use glam::DVec3;

/// Settings of a query: budget and warm start. The default is right for nearly everyone.
///
/// ```
/// use nearhit::Settings;
/// use std::time::Duration;
///
/// let settings = Settings::new().budget(Duration::from_millis(2));
/// # let _ = settings;
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Settings<'c> {
    /// Order of traversal.
    pub agenda: AgendaKind,
    /// Which of two nodes to open.
    pub opening: Opening,
    /// When to stop.
    pub budget: Budget<'c>,
    /// Where to look first: the witness of an earlier answer, for a question that can end or prune
    /// early by it. It never changes an answer.
    pub seed: Option<Seed>,
    /// A direction along which two convex shapes were apart: tried first. It never changes an
    /// answer.
    pub direction: Option<DVec3>,
    /// Do climbs on hulls begin where those of the last query with the same [`Scratch`] ended?
    pub(crate) remembers_climbs: bool,
}

impl<'c> Settings<'c> {
    /// Default settings.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the budget: a [`Budget`], or a [`Duration`](std::time::Duration) from now on.
    #[must_use]
    pub fn budget(self, budget: impl Into<Budget<'c>>) -> Self {
        Self { budget: budget.into(), ..self }
    }

    /// The same with what is left of the budget after some work.
    pub(crate) fn after(&self, spent: &Stats) -> Self {
        Self { budget: self.budget.after(spent), ..*self }
    }

    /// Sets the seed of a warm start, typically the witness of the last frame.
    #[must_use]
    pub fn seed(self, seed: impl Into<Option<Seed>>) -> Self {
        Self { seed: seed.into(), ..self }
    }

    /// Sets the direction of a warm start for shapes: the normal of the last
    /// [`SeparatingPlane`](crate::shape::SeparatingPlane).
    #[must_use]
    pub fn direction(self, direction: impl Into<Option<DVec3>>) -> Self {
        Self { direction: direction.into(), ..self }
    }
}

/// Seed of a warm start: a pair of triangles to test first, typically the last witness. Owned by
/// the caller; one that does not fit the models is ignored.
#[doc(alias = "warm start")]
#[doc(alias = "triangle caching")]
#[doc(alias = "temporal coherence")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub TrianglePair);

/// A pair of placed models, to be queried.
#[doc(alias = "narrow phase")]
#[derive(Debug, Clone, Copy)]
pub struct Pair<'m> {
    a: &'m Model,
    b: &'m Model,
    pub(crate) meshes: PosedMeshes<'m>,
}

impl<'m> Pair<'m> {
    /// A pair of models, each placed in the world.
    ///
    /// Errors: the two trees have different volumes (presets of the default engine are one), or a
    /// coordinate of b in a's frame exceeds 1e300.
    #[inline]
    pub fn new(a: &'m Model, world_from_a: &Pose, b: &'m Model, world_from_b: &Pose) -> Result<Self, QueryError> {
        Self::relative(a, b, &Pose::a_from_b(world_from_a, world_from_b))
    }

    /// A pair of models, b placed in a's frame. The exact questions are asked of a's vertices as
    /// they are and of b's as [`Pose::apply`] moves them.
    #[inline]
    pub fn relative(a: &'m Model, b: &'m Model, a_from_b: &Pose) -> Result<Self, QueryError> {
        if !(a.is_default_engine() && b.is_default_engine()) {
            let (name_a, name_b) = (a.engine_name(), b.engine_name());
            if name_a != name_b {
                return Err(QueryError::DifferentVolumes { a: name_a, b: name_b });
            }
        }
        check_reach(b.mesh(), a_from_b)?;
        Ok(Self { a, b, meshes: PosedMeshes::new(a.mesh(), b.mesh(), a_from_b) })
    }

    /// Model a.
    #[must_use]
    pub fn a(&self) -> &'m Model {
        self.a
    }

    /// Model b.
    #[must_use]
    pub fn b(&self) -> &'m Model {
        self.b
    }

    /// The pose of b in a's frame.
    #[must_use]
    pub fn a_from_b(&self) -> &Pose {
        &self.meshes.a_from_b
    }

    /// Two triangles as exact tests see them, both in a's frame.
    #[must_use]
    pub fn triangles(&self, pair: TrianglePair) -> (Triangle, Triangle) {
        self.meshes.triangles(pair)
    }

    /// Intersection of two triangles: a point, segment or polygon in a's frame.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(1.5, 0.25, 0.25))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// let contacts = pair.contacts(&Settings::default(), &mut scratch);
    /// for &triangles in contacts.pairs {
    ///     assert!(!pair.overlap(triangles).points().is_empty());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "intersection curve")]
    #[must_use]
    pub fn overlap(&self, pair: TrianglePair) -> Overlap {
        let (a, b) = self.triangles(pair);
        overlap(&a, &b)
    }

    /// The seed, if both triangles exist.
    fn seed(&self, settings: &Settings<'_>) -> Option<TrianglePair> {
        let fits = |pair: &TrianglePair| {
            (pair.a as usize) < self.a.mesh().triangles().len() && (pair.b as usize) < self.b.mesh().triangles().len()
        };
        settings.seed.map(|seed| seed.0).filter(fits)
    }

    /// Triangle `index` of b in a's frame.
    #[inline]
    pub(crate) fn posed_b(&self, index: u32) -> Triangle {
        self.meshes.posed_b(index)
    }

    /// Puts a question to the two trees.
    pub(crate) fn descend<Q: Question>(
        &self,
        question: &mut Q,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> (Outcome, Stats) {
        self.descend_from(None, question, settings, scratch)
    }

    /// The same, from a front if there is one.
    pub(crate) fn descend_from<Q: Question>(
        &self,
        front: Option<&mut Front>,
        question: &mut Q,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> (Outcome, Stats) {
        if let Some(trees) = self.packed() {
            let (agendas, room) = scratch.packed_parts();
            return match settings.agenda {
                // The usual ones without a virtual call for every pair.
                AgendaKind::Auto if question.improves() => {
                    packed::descend(trees, &self.meshes, question, &mut agendas.guided, room, &settings.budget)
                }
                AgendaKind::Auto => {
                    packed::descend(trees, &self.meshes, question, &mut agendas.depth, room, &settings.budget)
                }
                kind => packed::descend(trees, &self.meshes, question, agendas.of(kind), room, &settings.budget),
            };
        }
        let descent = DescentOperation { pair: self, front, question, settings, scratch };
        self.a.hierarchy().with_pair(self.b.hierarchy(), descent).expect("checked when the pair was made")
    }

    /// Both default-engine trees, unless the models are too far apart for single precision.
    fn packed(&self) -> Option<(&'m Packed, &'m Packed)> {
        let near = self.meshes.a_from_b.translation().abs().max_element() <= packed::MAX_PACKED;
        self.a.packed().zip(self.b.packed()).filter(|_| near)
    }

    /// Makes what the models make on first use, before many threads want it at the same time.
    pub(crate) fn prepare(&self) {
        if self.packed().is_none() {
            let _ = (self.a.hierarchy(), self.b.hierarchy());
        }
    }

    /// The bound on double-precision rounding.
    pub(crate) fn slack(&self) -> f64 {
        self.meshes.slack()
    }
}

struct DescentOperation<'q, 'm, 'c> {
    pair: &'q Pair<'m>,
    front: Option<&'q mut Front>,
    question: &'q mut dyn Question,
    settings: &'q Settings<'c>,
    scratch: &'q mut Scratch,
}

impl PairOperation for DescentOperation<'_, '_, '_> {
    type Output = (Outcome, Stats);

    fn run<V: BoundingVolume>(self, a: &Hierarchy<V>, b: &Hierarchy<V>) -> (Outcome, Stats) {
        let motion = V::motion(&self.pair.meshes.placement());
        let (memo, agendas, climbs): (&mut Memo<V::Placed>, _, _) = self.scratch.parts();
        memo.start(a.nodes().len());
        let mut climbs = self.settings.remembers_climbs.then_some(climbs);
        if let Some(climbs) = &mut climbs {
            a.prepare_climbs(climbs);
        }
        let Settings { mut opening, agenda, ref budget, .. } = *self.settings;
        if self.front.is_some() {
            opening = opening.beginning_with_front();
        }
        let trees = Trees { a, b, motion: &motion, opening, memo, climbs, meshes: &self.pair.meshes };
        let agenda = agendas.of(agenda);
        let Some(front) = self.front else {
            return traverse(trees, self.question, agenda, budget, &mut Record::new(None));
        };
        front.begin((a.id(), b.id()));
        let (outcome, stats) = traverse(trees, self.question, agenda, budget, &mut Record::new(Some(&mut *front)));
        front.end(stats.volume_tests);
        (outcome, stats)
    }
}

/// One of each, kept warm.
#[derive(Debug, Default)]
pub(crate) struct Agendas {
    guided: Guided,
    depth: DepthFirst,
    best: BestFirst,
    nested: NestedBestFirst,
    breadth: BreadthFirst,
    plain: PlainDepthFirst,
}

impl Agendas {
    fn of(&mut self, kind: AgendaKind) -> &mut dyn Agenda {
        match kind {
            AgendaKind::Auto | AgendaKind::Depth => &mut self.depth,
            AgendaKind::Best { queue } => self.best.set_capacity(queue),
            AgendaKind::BestNested { queue } => self.nested.set_capacity(queue),
            AgendaKind::Breadth => &mut self.breadth,
            AgendaKind::Plain => &mut self.plain,
        }
    }
}

/// Do all of b's vertices stay within the limit in a's frame?
#[inline]
fn check_reach(b: &Mesh, a_from_b: &Pose) -> Result<(), QueryError> {
    // A rotated point is at most √3 times as far along an axis. False for what is not a number.
    let translation = a_from_b.translation().abs();
    let farthest = translation.x + translation.y + translation.z;
    if 2.0 * b.max_coordinate() + farthest <= MAX_COORDINATE { Ok(()) } else { check_each(b, a_from_b) }
}

/// The same where a sum of magnitudes does not tell.
#[cold]
fn check_each(b: &Mesh, a_from_b: &Pose) -> Result<(), QueryError> {
    let translation = a_from_b.translation();
    if let Some(&value) = translation.to_array().iter().find(|value| value.is_nan() || value.abs() > MAX_COORDINATE) {
        return Err(QueryError::TooFarApart { value });
    }
    for (vertex, &point) in b.vertices().iter().enumerate() {
        let moved = a_from_b.apply(point).to_array();
        if let Some(&value) = moved.iter().find(|value| value.is_nan() || value.abs() > MAX_COORDINATE) {
            return Err(QueryError::PosedTooLarge { vertex, value });
        }
    }
    Ok(())
}
