//! The clash class of two parts: hard clash, containment, duplicate, touching, clearance clash.
//! Classes are about solids and one tolerance; every length and point is in a's frame.

use super::assembly::bounds;
use super::boxes::HALF_WIDTH;
use super::candidates::any_crossing;
use super::contact::Touching;
use super::facets::facet_error;
use super::finding::{Basis, Class};
use super::penetration::{Outcome, Sample, Search};
use super::surface::Surface;
use crate::error::MeshError;
use crate::point::Location;
use crate::pose::Pose;
use crate::query::{Pair, Scratch, Settings, Tolerance, Verdict};
use crate::solid::{Side, SolidContact, SolidOverlap};
use crate::traverse::{Budget, Stats};
use glam::DVec3;

/// Lengths that decide.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Parts no deeper in each other than this only touch, and so do parts this close.
    pub(super) tolerance: f64,
    /// Parts closer than this are too close.
    pub(super) clearance: f64,
    /// The largest clearance that rules ask for.
    pub(super) of_rules: f64,
    /// Overlaps with less volume are none.
    pub(super) min_volume: f64,
    /// What lengths of rules are multiplied by.
    pub(super) unit: f64,
}

/// What was found, in a's frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judgement {
    pub(super) class: Class,
    pub(super) touches: Option<bool>,
    pub(super) depth: Option<(f64, Basis)>,
    pub(super) depth_at_most: Option<f64>,
    pub(super) touching_with: Option<f64>,
    pub(super) gap: Option<f64>,
    pub(super) inside: Option<Side>,
    pub(super) overlap: Option<SolidOverlap>,
    pub(super) points: [DVec3; 2],
    /// Triangles of a and of b that are within the tolerance of the other part, sorted.
    pub(super) triangles: [Vec<u32>; 2],
}

impl Judgement {
    pub(super) fn new(class: Class, points: [DVec3; 2], triangles: [Vec<u32>; 2]) -> Self {
        let (depth_at_most, touching_with) = (None, None);
        Self {
            class,
            touches: match class {
                Class::Hard | Class::Duplicate | Class::Touching => Some(true),
                Class::Inside | Class::Close => Some(false),
                Class::Undecided => None,
            },
            depth: None,
            depth_at_most,
            touching_with,
            gap: None,
            inside: None,
            overlap: None,
            points,
            triangles,
        }
    }
}

/// Depths are sought to one part in a hundred.
const DEPTH: Tolerance = Tolerance { relative: 0.01, absolute: 0.0 };
/// Corners in one cell of this size, in tolerances, are one.
const CELL: f64 = 0.001;
/// Tests that the depth of a hard clash may take beyond the pair's limit, and those for each
/// triangle.
const DEPTH_WORK: [u64; 2] = [4_000_000, 100];

/// The same where a mesh has holes: no bound is told there, and inside tests take far longer.
const OPEN_DEPTH_WORK: [u64; 2] = [100_000, 60];

/// Tests that the volume of an overlap may take beyond the pair's limit, and those for each
/// triangle.
const OVERLAP_WORK: [u64; 2] = [4_000_000, 200];

/// Tests for triangles that pass through each other, and those for each triangle.
const CROSSING_WORK: [u64; 2] = [800_000, 240];

/// Two parts that are being judged.
#[derive(Debug)]
pub(super) struct Judge<'j, 'm, 'c> {
    pub(super) pair: Pair<'m>,
    pub(super) limits: Limits,
    /// Of the pair: work, and a cancellation.
    pub(super) budget: Budget<'c>,
    /// A cancellation alone.
    pub(super) until_cancelled: Budget<'c>,
    pub(super) scratch: &'j mut Scratch,
    pub(super) stats: &'j mut Stats,
}

impl<'m, 'c> Judge<'_, 'm, 'c> {
    /// `None`: they do not clash.
    pub(super) fn run(&mut self) -> Result<Option<Judgement>, MeshError> {
        let Limits { tolerance, clearance, .. } = self.limits;
        if self.is_copy() {
            return Ok(Some(self.copy()));
        }
        match self.within(clearance.max(tolerance)) {
            Verdict::No => return Ok(self.contained()),
            Verdict::Maybe => return Ok(Some(self.undecided(None))),
            Verdict::Yes => {}
        }
        match if clearance > tolerance { self.within(tolerance) } else { Verdict::Yes } {
            Verdict::No => Ok(self.contained().or_else(|| Some(self.too_close()))),
            Verdict::Maybe => Ok(Some(self.undecided(None))),
            Verdict::Yes => self.in_contact().map(Some),
        }
    }

    /// What both parts have in common, for classes where that is something. A hard clash with too
    /// little of it only touches.
    pub(super) fn add_overlap(&mut self, judgement: &mut Judgement) {
        let min_volume = self.limits.min_volume;
        let has_overlap = matches!(judgement.class, Class::Hard | Class::Inside | Class::Duplicate);
        if !has_overlap || self.basis() != Basis::Exact && min_volume == 0.0 {
            return;
        }
        let count = self.pair.a().mesh().triangles().len() + self.pair.b().mesh().triangles().len();
        let budget = self.until_cancelled.capped(OVERLAP_WORK[0] + OVERLAP_WORK[1] * count as u64);
        let settings = Settings { budget, ..Settings::default() };
        let found = self.pair.solid().overlap(&settings, self.scratch);
        *self.stats += found.stats;
        if judgement.class == Class::Hard && found.volume.upper < min_volume {
            judgement.class = Class::Touching;
        }
        // Of cells what is known is worth telling, however wide.
        judgement.overlap = (found.is_complete || found.volume.lower > 0.0).then_some(found);
    }

    /// What is left of the budget.
    pub(super) fn settings(&self) -> Settings<'c> {
        Settings { budget: self.budget.after(self.stats), ..Settings::default() }
    }

    fn within(&mut self, limit: f64) -> Verdict {
        let found = self.pair.within(limit, &self.settings(), self.scratch);
        *self.stats += found.stats;
        found.verdict
    }

    /// The same shape in the same place? This is quick, and the common duplicate.
    fn is_copy(&self) -> bool {
        let limit = HALF_WIDTH * self.limits.tolerance;
        let moved = |point: &DVec3| (self.pair.a_from_b().apply(*point) - *point).length() > limit;
        std::ptr::eq(self.pair.a(), self.pair.b()) && !self.pair.a().mesh().vertices().iter().any(moved)
    }

    fn copy(&self) -> Judgement {
        let triangles: Vec<u32> = (0..self.pair.a().mesh().triangles().len() as u32).collect();
        let point = self.pair.a().mesh().triangle(0)[0];
        Judgement::new(Class::Duplicate, [point; 2], [triangles.clone(), triangles])
    }

    /// One in the other, given that the surfaces are apart.
    fn contained(&mut self) -> Option<Judgement> {
        let found = self.pair.solid().collide(&self.settings(), self.scratch);
        *self.stats += found.stats;
        if found.verdict == Verdict::Maybe {
            return Some(self.undecided(Some(false)));
        }
        let Some(SolidContact::Contained { body, .. }) = found.contact else { return None };
        Some(Judgement { inside: Some(body), ..self.apart(Class::Inside, DEPTH) })
    }

    fn too_close(&mut self) -> Judgement {
        self.apart(Class::Close, Tolerance::EXACT)
    }

    /// Surfaces that do not touch: their distance.
    fn apart(&mut self, class: Class, tolerance: Tolerance) -> Judgement {
        let found = self.pair.distance(tolerance, &self.settings(), self.scratch);
        *self.stats += found.stats;
        let judgement = Judgement::new(class, [found.on_a, found.on_b], [vec![found.witness.a], vec![found.witness.b]]);
        Judgement { gap: Some(found.upper), ..judgement }
    }

    fn in_contact(&mut self) -> Result<Judgement, MeshError> {
        let tolerance = self.limits.tolerance;
        let solids = [Side::A, Side::B].map(|body| self.pair.solid().placed(body));
        let boxes =
            [bounds(solids[0].model.mesh(), &Pose::IDENTITY), bounds(solids[1].model.mesh(), self.pair.a_from_b())];
        let near = |side: usize| Surface::new(&solids[side], &boxes[1 - side].grown(tolerance), CELL * tolerance);
        let surfaces = [near(0)?, near(1)?];
        let mut outcomes = [Outcome::default(); 2];
        for side in [0, 1] {
            let search = Search {
                own: solids[side],
                other: solids[1 - side],
                own_near: surfaces[side].as_ref(),
                other_near: surfaces[1 - side].as_ref(),
                other_bounds: boxes[1 - side],
                tolerance,
            };
            outcomes[side] = search.run(self.budget, self.scratch, self.stats)?;
            if let Some(sample) = outcomes[side].inside {
                let touching = Touching::new(self, &surfaces);
                return Ok(self.hard(sample, side, touching));
            }
        }
        self.not_penetrating(outcomes, &surfaces)
    }

    /// No point of one was found inside the other.
    fn not_penetrating(
        &mut self,
        outcomes: [Outcome; 2],
        surfaces: &[Option<Surface>; 2],
    ) -> Result<Judgement, MeshError> {
        let near = Touching::new(self, surfaces);
        let (points, _) = self.touching_points();
        let touching = Judgement::new(Class::Touching, points, near.triangles.clone());
        if outcomes.iter().any(|outcome| !outcome.is_complete) {
            return Ok(Judgement { triangles: touching.triangles, ..self.undecided(Some(true)) });
        }
        if outcomes.iter().all(|outcome| !outcome.is_away) {
            return Ok(Judgement { class: Class::Duplicate, ..touching });
        }
        // A surface that lies wholly on the other: a plug in its hole, or a copy of a piece of the
        // other part?
        for side in [0, 1] {
            if let Some((depth, point)) = (!outcomes[side].is_away).then(|| self.shared_inside(side)).flatten() {
                let depth = Some((depth, self.basis()));
                return Ok(Judgement { class: Class::Hard, depth, points: [point; 2], ..touching });
            }
        }
        if self.basis() == Basis::Exact {
            return Ok(touching);
        }
        // Of a mesh with holes more may be inside than the search for penetration promises to see.
        let found = self.deepest(&near);
        if let Some((depth, points)) = found.filter(|(depth, _)| *depth > self.limits.tolerance) {
            return Ok(Judgement {
                class: Class::Hard,
                depth: Some((depth, Basis::WindingNumber)),
                points,
                ..touching
            });
        }
        let class = if self.is_crossing(surfaces) { Class::Hard } else { Class::Touching };
        Ok(Judgement { class, ..touching })
    }

    /// Do triangles pass through each other?
    fn is_crossing(&mut self, surfaces: &[Option<Surface>; 2]) -> bool {
        let [Some(a), Some(b)] = surfaces else { return false };
        let budget = self.until_cancelled.capped(CROSSING_WORK[0] + CROSSING_WORK[1] * (a.len() + b.len()) as u64);
        let settings = Settings { budget, ..Settings::default() };
        let (is_crossing, stats) = any_crossing(&a.model, &b.model, self.limits.tolerance, &settings, self.scratch);
        *self.stats += stats;
        is_crossing
    }

    fn basis(&self) -> Basis {
        if self.pair.solid().is_exact() { Basis::Exact } else { Basis::WindingNumber }
    }

    /// A hard clash, with the deepest point that can be found: at least the sample.
    fn hard(&mut self, sample: Sample, side: usize, touching: Touching) -> Judgement {
        let Sample { point, closest, depth } = sample;
        let points = if side == 0 { [point, closest] } else { [closest, point] };
        let found = self.local_depth(Some(&touching));
        let (depth, points) = self.checked(&found).filter(|(deeper, _)| *deeper > depth).unwrap_or((depth, points));
        let basis = self.basis();
        let at_most = (basis == Basis::Exact).then(|| found.at_most.max(depth));
        let facets = [self.pair.a(), self.pair.b()].into_iter().zip(&touching.triangles);
        let facets: f64 = facets.map(|(model, triangles)| facet_error(model, triangles)).sum();
        Judgement {
            depth: Some((depth, basis)),
            depth_at_most: at_most,
            // Nothing less deep than half the tolerance is hard.
            touching_with: (depth <= facets).then(|| 2.0 * at_most.unwrap_or(depth)),
            ..Judgement::new(Class::Hard, points, touching.triangles)
        }
    }

    /// The local depth, with work of its own.
    fn local_depth(&mut self, touching: Option<&Touching>) -> crate::solid::LocalDepth {
        let count = self.pair.a().mesh().triangles().len() + self.pair.b().mesh().triangles().len();
        let work = if self.basis() == Basis::Exact { DEPTH_WORK } else { OPEN_DEPTH_WORK };
        let budget = self.until_cancelled.capped(work[0] + work[1] * count as u64);
        let settings = Settings { budget, ..Settings::default() };
        let solid = self.pair.solid();
        let found = match touching.filter(|touching| touching.is_complete) {
            Some(Touching { triangles: [a, b], .. }) => solid.local_depth_given([a, b], DEPTH, &settings, self.scratch),
            None => solid.local_depth(DEPTH, &settings, self.scratch),
        };
        *self.stats += found.stats;
        found
    }

    fn deepest(&mut self, touching: &Touching) -> Option<(f64, [DVec3; 2])> {
        let found = self.local_depth(Some(touching));
        self.checked(&found)
    }

    /// The depth and its two points, if the point is inside for certain and as deep as it says.
    fn checked(&mut self, found: &crate::solid::LocalDepth) -> Option<(f64, [DVec3; 2])> {
        let other = self.pair.solid().placed(found.body.other());
        let place = other.contains_counted(found.point, self.scratch.room(), self.stats);
        let is_proven = found.depth > 0.0 && place.location == Location::Inside && place.is_certain();
        is_proven.then(|| {
            let swapped = found.body == Side::B;
            (found.depth, if swapped { [found.closest, found.point] } else { [found.point, found.closest] })
        })
    }

    /// Of a surface that lies on the other: how deep inside both parts a point is that lies below
    /// it. Nothing if they do not have the same inside there.
    fn shared_inside(&mut self, side: usize) -> Option<(f64, DVec3)> {
        let bodies = if side == 0 { [Side::A, Side::B] } else { [Side::B, Side::A] };
        let [own, other] = bodies.map(|body| self.pair.solid().placed(body));
        let facing = if own.model.inside().is_inside_out() { -1.0 } else { 1.0 };
        let count = own.model.mesh().triangles().len();
        let mut best: Option<(f64, DVec3)> = None;
        for triangle in (0..count as u32).step_by(count.div_ceil(64)) {
            let [a, b, c] = own.triangle(triangle);
            let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
            let size = (b - a).length().max((c - a).length());
            let point = (a + b + c) / 3.0 - normal * (facing * 0.25 * size);
            let room = self.scratch.room();
            let mut is_inside = |place: &crate::point::Placed<'_>| {
                let found = place.contains_counted(point, room, self.stats);
                found.location == Location::Inside && found.is_certain()
            };
            if is_inside(&own) && is_inside(&other) {
                let depth = own.closest_counted(point, room, self.stats).distance;
                let depth = depth.min(other.closest_counted(point, room, self.stats).distance);
                if depth > self.limits.tolerance && best.is_none_or(|(best, _)| depth > best) {
                    best = Some((depth, point));
                }
            }
        }
        best
    }

    /// The pair's limit was reached, or the search was cancelled. Whether the surfaces touch may be
    /// known by then; if not, the search for a place may tell.
    fn undecided(&mut self, touches: Option<bool>) -> Judgement {
        let (points, found) = self.touching_points();
        let at_most = (self.basis() == Basis::Exact).then(|| self.local_depth(None).at_most.max(self.limits.tolerance));
        Judgement {
            touches: touches.or(found),
            depth_at_most: at_most,
            ..Judgement::new(Class::Undecided, points, [Vec::new(), Vec::new()])
        }
    }

    /// A point of each of two triangles that touch, or nearly, and whether they do.
    fn touching_points(&mut self) -> ([DVec3; 2], Option<bool>) {
        let settings = Settings { budget: self.until_cancelled.capped(DEPTH_WORK[0]), ..Settings::default() };
        let found = self.pair.collide(&settings, self.scratch);
        *self.stats += found.stats;
        let shared = found.witness.map(|witness| self.pair.overlap(witness));
        if let Some(points) = shared.as_ref().map(|shared| shared.points()).filter(|points| !points.is_empty()) {
            return ([points.iter().sum::<DVec3>() / points.len() as f64; 2], Some(true));
        }
        let tolerance = Tolerance { relative: 0.0, absolute: self.limits.tolerance };
        let found = self.pair.distance(tolerance, &settings, self.scratch);
        *self.stats += found.stats;
        let limit = self.limits.tolerance;
        let touches = if found.upper <= limit { Some(true) } else { (found.lower > limit).then_some(false) };
        ([found.on_a, found.on_b], touches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;
    use crate::model::Model;

    /// A tetrahedron with a right angle at the origin.
    fn corner() -> Model {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Model::new(Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).expect("a mesh"))
    }

    /// What is said of two corners, one moved by this: the pair has no work, its place and depth
    /// this much.
    fn without_work(moved: [f64; 3], work: Option<u64>) -> Judgement {
        let (model, place) = (corner(), Pose::from_translation(moved).expect("finite"));
        let pair = Pair::new(&model, &Pose::IDENTITY, &model, &place).expect("a pair");
        let limits = Limits { tolerance: 1e-6, clearance: 0.0, of_rules: 0.0, min_volume: 0.0, unit: 1.0 };
        let until_cancelled = work.map_or(Budget::UNLIMITED, Budget::work);
        let (mut scratch, mut stats) = (Scratch::new(), Stats::default());
        let (scratch, stats, budget) = (&mut scratch, &mut stats, Budget::work(0));
        let found = Judge { pair, limits, budget, until_cancelled, scratch, stats }.run();
        found.expect("a judgement").expect("undecided")
    }

    /// A limit that ends before contact is known does not say that they touch.
    #[test]
    fn undecided_tells_what_is_known_of_contact() {
        let (crossed, end_to_end, beside) = ([0.5, 0.0, 0.0], [1.0, 0.0, 0.0], [0.4; 3]);
        for (moved, work, touches) in [
            (crossed, None, Some(true)),
            (end_to_end, None, Some(true)),
            (beside, None, Some(false)),
            (beside, Some(0), None),
        ] {
            let found = without_work(moved, work);
            assert_eq!((found.class, found.touches), (Class::Undecided, touches), "{moved:?} {work:?}");
        }
    }
}
