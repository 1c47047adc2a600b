//! Shapes of many pieces beside any shape: the questions of a pair, asked piece by piece.
//!
//! Each two pieces are convex: they are decided as two convex shapes are, exactly where both are
//! flat. Trees only cull.

use super::convex::{self, Bodies, Body, Goal};
use super::core::Core;
use super::descent::{Descent, Frames, Visit};
use super::mesh::MeshSide;
use super::octree::Cell;
use super::pair::{
    Margins, Near, Penetration, Separation, convex_penetration, convex_within, plane_distance, plane_penetration,
    plane_within, separation,
};
use super::pieces::{Part, Place, Set};
use super::{Kind, Shape, descent};
use crate::packed::ball_search;
use crate::packed::convex::Block;
use crate::packed::point;
use crate::pose::Pose;
use crate::query::{Distance, Scratch, Settings, Tolerance, TrianglePair, Verdict, Within};
use crate::traverse::Stats;
use crate::volume::slack;
use glam::DVec3;

/// Two shapes of which one at least has many pieces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sets<'s> {
    a: Set<'s>,
    b: Set<'s>,
    /// What the shapes are grown by.
    margins: Margins,
    a_from_b: Pose,
}

/// What a shape is made of; a half-space lies where the pose of b, if there is one, says.
fn set<'s>(shape: &'s Shape, pose: Option<&Pose>) -> Set<'s> {
    match shape.kind() {
        Kind::Cloud(cloud) => Set::Cloud(cloud),
        Kind::Field(field) => Set::Field(field),
        Kind::Cells(cells) => Set::Cells(cells),
        Kind::HalfSpace(plane) => Set::HalfSpace(pose.map_or(*plane, |pose| plane.posed(pose))),
        Kind::Mesh { model, is_solid } => Set::Mesh(model, *is_solid),
        _ => Set::One(shape.core().unwrap_or(Core::Point(DVec3::ZERO))),
    }
}

impl<'s> Sets<'s> {
    pub(super) fn new(a: &'s Shape, b: &'s Shape, a_from_b: &Pose) -> Self {
        let margins = Margins { a: a.margin(), b: b.margin() };
        Self { a: set(a, None), b: set(b, Some(a_from_b)), margins, a_from_b: *a_from_b }
    }

    #[inline]
    fn body_a(&self, piece: u32) -> Body<'_> {
        Body::own(self.a.core(piece))
    }

    #[inline]
    fn body_b(&self, piece: u32) -> Body<'_> {
        Body::posed(self.b.core(piece), &self.a_from_b)
    }

    /// What two pieces are grown by: their radii and the shapes' margins, each sum rounded once.
    #[inline]
    fn margins(&self, a: u32, b: u32) -> Margins {
        Margins { a: self.margins.a + self.a.radius(a), b: self.margins.b + self.b.radius(b) }
    }

    fn pieces_within(&self, a: u32, b: u32, limit: f64) -> Near {
        let margins = self.margins(a, b);
        match (self.a.plane(), self.b.plane()) {
            (Some(plane), _) => plane_within(plane, &self.body_b(b), &margins, limit),
            (_, Some(plane)) => plane_within(plane, &self.body_a(a), &margins, limit),
            _ => convex_within(&Bodies::new(self.body_a(a), self.body_b(b)), &margins, limit),
        }
    }

    /// None if the pieces are certainly farther apart than `upper`.
    fn pieces_distance(&self, a: u32, b: u32, upper: f64) -> Option<Separation> {
        let margins = self.margins(a, b);
        match (self.a.plane(), self.b.plane()) {
            (Some(plane), _) => Some(plane_distance(plane, &self.body_b(b), &margins, false)),
            (_, Some(plane)) => Some(plane_distance(plane, &self.body_a(a), &margins, true)),
            _ => {
                let bodies = Bodies::new(self.body_a(a), self.body_b(b));
                let far = (upper + margins.up()).next_up();
                let gap = convex::gap(&bodies, Goal::Below(far), None);
                (gap.lower <= far).then(|| separation(&bodies, &margins, &gap))
            }
        }
    }

    /// How deep two pieces overlap.
    pub(super) fn penetration(&self, pieces: TrianglePair, scratch: &mut Scratch) -> Penetration {
        let TrianglePair { a, b } = pieces;
        let margins = self.margins(a, b);
        match (self.a.plane(), self.b.plane()) {
            (Some(plane), _) => plane_penetration(plane, &self.body_b(b), &margins, false),
            (_, Some(plane)) => plane_penetration(plane, &self.body_a(a), &margins, true),
            _ => convex_penetration(&Bodies::new(self.body_a(a), self.body_b(b)), &margins, scratch.room()),
        }
    }

    /// A margin that thresholds are raised by, not rounded down.
    fn lengths(&self) -> f64 {
        self.margins.up() * (1.0 + 8.0 * f64::EPSILON)
    }

    /// Shows all pieces that may be within the threshold.
    fn search<V: Visit>(&self, visit: &mut V, settings: &Settings<'_>, scratch: &mut Scratch) -> (Stats, Option<f64>) {
        let found = match (&self.a, &self.b) {
            (Set::Cloud(cloud), Set::One(core)) => {
                let block = block(core, Some(&self.a_from_b));
                let near = &mut Balls { visit, is_b: false };
                let slack = self.slack(block.center);
                ball_search::search(cloud.tree(), &block, slack, near, scratch.room(), &settings.budget)
            }
            (Set::One(core), Set::Cloud(cloud)) => {
                let block = block(core, Some(&self.a_from_b.inverse()));
                let near = &mut Balls { visit, is_b: true };
                let slack = self.slack(block.center);
                ball_search::search(cloud.tree(), &block, slack, near, scratch.room(), &settings.budget)
            }
            _ => None,
        };
        found.unwrap_or_else(|| {
            let frames = Frames::new(&self.a, &self.b, &self.a_from_b, self.margins.up());
            let descent = Descent { a: &self.a, b: &self.b, frames, budget: &settings.budget };
            descent.run(visit, scratch.room::<descent::Room>())
        })
    }

    /// For all rounding of a block at this place of the cloud's frame.
    fn slack(&self, center: DVec3) -> f64 {
        let moved = self.a_from_b.translation().abs().max_element();
        slack(self.a.size() + 2.0 * self.b.size() + moved + center.abs().max_element() + self.margins.up())
    }

    /// Is some piece at most this far from one of the other shape?
    pub(super) fn within(&self, limit: f64, settings: &Settings<'_>, scratch: &mut Scratch) -> Within {
        let mut first = First { sets: self, limit, found: None };
        let (mut stats, left) = self.search(&mut first, settings, scratch);
        let mut verdict = match (first.found, left) {
            (Some(_), _) => Verdict::Yes,
            (None, None) => Verdict::No,
            (None, Some(_)) => Verdict::Maybe,
        };
        let mut witness = first.found.map(|(pieces, _)| pieces);
        let mut upper = first.found.map(|(_, upper)| upper);
        let mut lower = match left {
            None if verdict == Verdict::No => limit,
            _ => self.margins.lower(left.unwrap_or(0.0)),
        };
        if verdict == Verdict::No {
            match self.contained(settings, scratch, &mut stats) {
                (Verdict::No, _) => {}
                (inside, pieces) => {
                    (verdict, witness, lower) = (inside, pieces, 0.0);
                    upper = pieces.map(|_| 0.0);
                }
            }
        }
        Within { verdict, witness, lower, upper, is_complete: verdict != Verdict::Maybe, stats }
    }

    /// How far are the two shapes apart?
    pub(super) fn distance(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Distance {
        let mut closest = Closest::new(self, tolerance);
        let seed = settings.seed.map_or(TrianglePair { a: 0, b: 0 }, |seed| seed.0);
        let known = (seed.a as usize) < self.a.len() && (seed.b as usize) < self.b.len();
        let seed = if known { seed } else { TrianglePair { a: 0, b: 0 } };
        closest.look(seed.a, seed.b);
        let (mut stats, left) = self.search(&mut closest, settings, scratch);
        let Closest { mut best, pieces, mut lower, .. } = closest;
        if let Some(left) = left {
            lower = lower.min(self.margins.lower(left));
        }
        if tolerance != Tolerance::EXACT {
            // What was left out is not nearer than this.
            lower = lower.min(tolerance.threshold(best.upper));
        }
        let mut is_complete = left.is_none() || lower >= tolerance.threshold(best.upper);
        if best.upper > 0.0 {
            match self.contained(settings, scratch, &mut stats) {
                (Verdict::Yes, Some(inside)) => {
                    let shared = self.shared(inside);
                    best = Separation { lower: 0.0, upper: 0.0, on_a: shared, on_b: shared };
                    return best.answer(inside, true, stats);
                }
                (Verdict::Maybe, _) => (lower, is_complete) = (0.0, false),
                _ if left.is_some() && (self.a.solid().is_some() || self.b.solid().is_some()) => lower = 0.0,
                _ => {}
            }
        }
        best.lower = lower;
        best.answer(pieces, is_complete, stats)
    }

    /// All pieces that touch, in order.
    pub(super) fn touching(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> (Vec<TrianglePair>, bool, Stats) {
        let mut all = All { sets: self, found: Vec::new() };
        let (stats, left) = self.search(&mut all, settings, scratch);
        let mut found = all.found;
        found.sort_unstable_by_key(|pieces| (pieces.a, pieces.b));
        (found, left.is_none(), stats)
    }

    /// A piece inside of a mesh that is a solid, given that it touches none of its triangles.
    fn contained(
        &self,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> (Verdict, Option<TrianglePair>) {
        if let Some(model) = self.a.solid() {
            let solid = MeshSide::a(model, true);
            let (verdict, piece) = inside(&solid, &self.b, Some(&self.a_from_b), settings, scratch, stats);
            if verdict != Verdict::No {
                return (verdict, piece.map(|piece| TrianglePair { a: 0, b: piece }));
            }
        }
        if let Some(model) = self.b.solid() {
            let solid = MeshSide::b(model, &self.a_from_b, true);
            let (verdict, piece) = inside(&solid, &self.a, None, settings, scratch, stats);
            return (verdict, piece.map(|piece| TrianglePair { a: piece, b: 0 }));
        }
        (Verdict::No, None)
    }

    /// A point of a contained piece.
    fn shared(&self, pieces: TrianglePair) -> DVec3 {
        if self.a.solid().is_some() { self.body_b(pieces.b).middle() } else { self.body_a(pieces.a).middle() }
    }
}

/// An oriented box around a convex core, in a cloud's frame.
fn block(core: &Core<'_>, pose: Option<&Pose>) -> Block {
    let (middle, half) = core.bounds();
    let here = pose.copied().unwrap_or(Pose::IDENTITY);
    Block { center: here.apply(middle), axes: here.rotation(), half }
}

/// Is a piece of a set inside of a solid mesh? Where a box of pieces meets no triangle, one point
/// tells of all of them.
fn inside(
    solid: &MeshSide<'_>,
    inner: &Set<'_>,
    pose: Option<&Pose>,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
    stats: &mut Stats,
) -> (Verdict, Option<u32>) {
    let placed = |core| pose.map_or(Body::own(core), |pose| Body::posed(core, pose));
    // Taken out of the scratch memory, which the search needs, too.
    let mut room = std::mem::take(scratch.room::<Inside>());
    room.open.clear();
    room.open.push(inner.root());
    let mut answer = (Verdict::No, None);
    while let Some(part) = room.open.pop() {
        if settings.budget.is_spent(stats) {
            answer = (Verdict::Maybe, None);
            break;
        }
        let cell = Cell { low: part.middle - part.half, high: part.middle + part.half };
        let body = match part.place {
            Place::Piece(piece) => placed(inner.core(piece)),
            Place::Node(_) => placed(Core::Cell(cell)),
        };
        let mut any = Any { found: false };
        if let Place::Node(node) = part.place {
            let (work, left) = solid.search(&body, &mut any, &settings.after(stats), scratch);
            (stats.volume_tests, stats.triangle_tests) =
                (stats.volume_tests + work.volume_tests, stats.triangle_tests + work.triangle_tests);
            if any.found || left.is_some() {
                inner.open(node, &mut room.open);
                continue;
            }
        }
        stats.triangle_tests += 1;
        if solid.holds(&body, scratch) {
            answer = (Verdict::Yes, Some(some_piece(inner, part, &mut room.open)));
            break;
        }
    }
    *scratch.room::<Inside>() = room;
    answer
}

/// One of the pieces of a part.
fn some_piece(set: &Set<'_>, mut part: Part, parts: &mut Vec<Part>) -> u32 {
    loop {
        match part.place {
            Place::Piece(piece) => return piece,
            Place::Node(node) => {
                parts.clear();
                set.open(node, parts);
                match parts.first() {
                    Some(&first) => part = first,
                    None => return 0,
                }
            }
        }
    }
}

/// Working memory of [`inside`].
#[derive(Debug, Default)]
struct Inside {
    open: Vec<Part>,
}

/// Is there a triangle at all?
struct Any {
    found: bool,
}

impl point::Near for Any {
    fn threshold(&self) -> f64 {
        if self.found { -1.0 } else { 0.0 }
    }

    fn look(&mut self, _: u32) {
        self.found = true;
    }
}

/// Balls of a cloud beside one convex shape.
struct Balls<'v, V> {
    visit: &'v mut V,
    is_b: bool,
}

impl<V: Visit> point::Near for Balls<'_, V> {
    #[inline]
    fn threshold(&self) -> f64 {
        self.visit.threshold()
    }

    #[inline]
    fn look(&mut self, ball: u32) {
        if self.is_b { self.visit.look(0, ball) } else { self.visit.look(ball, 0) }
    }
}

/// Stops at the first two pieces near enough.
struct First<'q, 's> {
    sets: &'q Sets<'s>,
    limit: f64,
    found: Option<(TrianglePair, f64)>,
}

impl Visit for First<'_, '_> {
    #[inline]
    fn threshold(&self) -> f64 {
        if self.found.is_some() { -1.0 } else { (self.sets.lengths() + self.limit).next_up() }
    }

    fn look(&mut self, a: u32, b: u32) {
        let near = self.sets.pieces_within(a, b, self.limit);
        self.found = near.near.then_some((TrianglePair { a, b }, near.upper.min(self.limit)));
    }
}

/// Keeps all pieces that touch.
struct All<'q, 's> {
    sets: &'q Sets<'s>,
    found: Vec<TrianglePair>,
}

impl Visit for All<'_, '_> {
    fn threshold(&self) -> f64 {
        self.sets.lengths().next_up()
    }

    fn look(&mut self, a: u32, b: u32) {
        if self.sets.pieces_within(a, b, 0.0).near {
            self.found.push(TrianglePair { a, b });
        }
    }
}

/// Keeps the nearest two pieces.
struct Closest<'q, 's> {
    sets: &'q Sets<'s>,
    tolerance: Tolerance,
    best: Separation,
    pieces: TrianglePair,
    lower: f64,
}

impl<'q, 's> Closest<'q, 's> {
    fn new(sets: &'q Sets<'s>, tolerance: Tolerance) -> Self {
        let best = Separation { lower: 0.0, upper: f64::INFINITY, on_a: DVec3::ZERO, on_b: DVec3::ZERO };
        Self { sets, tolerance, best, pieces: TrianglePair { a: 0, b: 0 }, lower: f64::INFINITY }
    }
}

impl Visit for Closest<'_, '_> {
    fn threshold(&self) -> f64 {
        if self.best.upper == 0.0 {
            return -1.0;
        }
        let most = self.best.upper;
        let most = if self.tolerance == Tolerance::EXACT { most } else { self.tolerance.threshold(most) };
        (most + self.sets.lengths()).next_up()
    }

    fn look(&mut self, a: u32, b: u32) {
        let Some(found) = self.sets.pieces_distance(a, b, self.best.upper) else { return };
        self.lower = self.lower.min(found.lower);
        if found.upper < self.best.upper {
            (self.best, self.pieces) = (found, TrianglePair { a, b });
        }
    }
}
