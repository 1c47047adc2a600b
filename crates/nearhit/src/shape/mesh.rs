//! A mesh beside a convex shape or a half-space: triangles one by one, found by the default
//! engine's tree.

use super::convex::{self, Bodies, Body, Goal};
use super::core::Core;
use super::extremes::{self, Extremes};
use super::half_space::Plane;
use super::pair::{Margins, Penetration, Separation, convex_within, separation};
use crate::mesh::Triangle;
use crate::model::Model;
use crate::packed::convex::{Block, search};
use crate::packed::point::Near;
use crate::point::{Placed, Room};
use crate::pose::Pose;
use crate::query::{Distance, Scratch, Settings, Tolerance, TrianglePair, Verdict, Within};
use crate::solid::Side;
use crate::traverse::Stats;
use crate::volume::slack;
use glam::DVec3;
use std::cmp::Ordering;

/// A mesh of a pair, where it lies in a's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeshSide<'s> {
    placed: Placed<'s>,
    /// From a's frame to the mesh's, if that is another.
    mesh_from_a: Option<Pose>,
    is_b: bool,
    is_solid: bool,
    extremes: Option<&'s Extremes>,
}

impl<'s> MeshSide<'s> {
    /// The mesh is a.
    pub(super) fn a(model: &'s Model, is_solid: bool) -> Self {
        Self { placed: Placed::own(model), mesh_from_a: None, is_b: false, is_solid, extremes: None }
    }

    /// The mesh is b.
    pub(super) fn b(model: &'s Model, a_from_b: &Pose, is_solid: bool) -> Self {
        let (placed, mesh_from_a) = (Placed::posed(model, a_from_b), Some(a_from_b.inverse()));
        Self { placed, mesh_from_a, is_b: true, is_solid, extremes: None }
    }

    /// With the hull that the mesh keeps.
    pub(super) fn with_extremes(self, extremes: Option<&'s Extremes>) -> Self {
        Self { extremes, ..self }
    }

    /// Is the shape, whose core does not touch the surface, inside of a solid? One point tells.
    pub(super) fn holds(&self, body: &Body<'_>, scratch: &mut Scratch) -> bool {
        self.is_solid && self.placed.contains(body.middle(), scratch.room()).is_in_solid()
    }

    /// Does what is inside of it touch it?
    pub(super) fn is_solid(&self) -> bool {
        self.is_solid
    }

    /// The side of the other shape.
    pub(super) fn other(&self) -> Side {
        if self.is_b { Side::A } else { Side::B }
    }

    /// The mesh's triangle of two pieces.
    pub(super) fn triangle_of(&self, pieces: TrianglePair) -> u32 {
        if self.is_b { pieces.b } else { pieces.a }
    }

    pub(super) fn triangles(&self) -> std::ops::Range<u32> {
        0..self.placed.model.mesh().triangles().len() as u32
    }

    /// A triangle where it lies.
    pub(super) fn corners(&self, triangle: u32) -> Triangle {
        self.placed.triangle(triangle)
    }

    /// Margins of the mesh and of the other shape.
    pub(super) fn margins(&self, margins: &Margins) -> Margins {
        if self.is_b { Margins { a: margins.b, b: margins.a } } else { *margins }
    }

    /// A depth found with the mesh as a, for the pair as it is.
    pub(super) fn turned(&self, found: Penetration) -> Penetration {
        if self.is_b {
            Penetration { normal: -found.normal, on_a: found.on_b, on_b: found.on_a, ..found }
        } else {
            found
        }
    }

    /// Which of the pair's pieces a triangle is.
    pub(super) fn witness(&self, triangle: u32) -> TrianglePair {
        if self.is_b { TrianglePair { a: 0, b: triangle } } else { TrianglePair { a: triangle, b: 0 } }
    }

    /// A triangle as a, the convex shape as b; both in the pair's frame.
    #[inline]
    pub(super) fn bodies<'b>(&self, triangle: u32, body: &Body<'b>) -> Bodies<'b> {
        Bodies::new(Body::own(Core::Triangle(self.placed.triangle(triangle))), *body)
    }

    /// A box around the shape, in the mesh's frame.
    fn block(&self, body: &Body<'_>) -> Block {
        let (middle, half) = body.core.bounds();
        let here = match (&body.pose, &self.mesh_from_a) {
            (None, None) => Pose::IDENTITY,
            (Some(pose), None) | (None, Some(pose)) => *pose,
            (Some(pose), Some(mesh_from_a)) => *mesh_from_a * *pose,
        };
        Block { center: here.apply(middle), axes: here.rotation(), half }
    }

    /// Shows every triangle that may be within the threshold of the shape's core.
    pub(super) fn search<N: Near>(
        &self,
        body: &Body<'_>,
        near: &mut N,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> (Stats, Option<f64>) {
        let block = self.block(body);
        let Some(tree) = self.placed.tree_at(block.center) else {
            return self.look_at_all(near, settings);
        };
        let size = self.placed.model.mesh().max_coordinate() + 2.0 * body.size() + block.center.abs().max_element();
        let moved = self.mesh_from_a.map_or(0.0, |pose| pose.translation().abs().max_element());
        let room: &mut Room = scratch.room();
        search(tree, &block, slack(size + moved), near, &mut room.open, &settings.budget)
    }

    /// Shows the triangles that may be nearest, where the mesh's hull tells them.
    fn look_at_extremes(
        &self,
        body: &Body<'_>,
        closest: &mut Closest<'_, '_>,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Option<Stats> {
        let mesh = self.extremes.filter(|_| settings.budget.is_unlimited())?;
        extremes::search(mesh, &self.placed, body, scratch.room(), |triangle| {
            closest.look(triangle);
            closest.core
        })
    }

    fn look_at_all<N: Near>(&self, near: &mut N, settings: &Settings<'_>) -> (Stats, Option<f64>) {
        let mut stats = Stats::default();
        for triangle in self.triangles() {
            if near.threshold() < 0.0 {
                break;
            }
            if settings.budget.is_spent(&stats) {
                return (stats, Some(0.0));
            }
            stats.triangle_tests += 1;
            near.look(triangle);
        }
        (stats, None)
    }

    /// Is some triangle at most this far from the shape?
    pub(super) fn within(
        &self,
        body: &Body<'_>,
        margins: &Margins,
        limit: f64,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Within {
        let mut first = First { side: self, body, margins, limit, found: None };
        let (stats, left) = self.search(body, &mut first, settings, scratch);
        if first.found.is_none() && left.is_none() && self.holds(body, scratch) {
            let witness = Some(self.witness(0));
            return Within { verdict: Verdict::Yes, witness, lower: 0.0, upper: Some(0.0), is_complete: true, stats };
        }
        let verdict = match (first.found, left) {
            (Some(_), _) => Verdict::Yes,
            (None, None) => Verdict::No,
            (None, Some(_)) => Verdict::Maybe,
        };
        let lower = match left {
            None if first.found.is_none() => limit,
            _ => margins.lower(left.unwrap_or(0.0)),
        };
        let upper = first.found.map(|(_, upper)| upper);
        let witness = first.found.map(|(triangle, _)| self.witness(triangle));
        Within { verdict, witness, lower, upper, is_complete: verdict != Verdict::Maybe, stats }
    }

    /// All triangles that the shape touches, in order.
    pub(super) fn touching(
        &self,
        body: &Body<'_>,
        margins: &Margins,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> (Vec<u32>, bool, Stats) {
        let mut all = All { side: self, body, margins, found: Vec::new() };
        let (stats, left) = self.search(body, &mut all, settings, scratch);
        let mut found = all.found;
        found.sort_unstable();
        (found, left.is_none(), stats)
    }

    /// How far is the shape from the surface?
    pub(super) fn distance(
        &self,
        body: &Body<'_>,
        margins: &Margins,
        tolerance: Tolerance,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Distance {
        let seed = settings.seed.map_or(0, |seed| if self.is_b { seed.0.b } else { seed.0.a });
        let seed = if self.triangles().contains(&seed) { seed } else { 0 };
        let mut closest = Closest::new(self, body, margins, tolerance);
        closest.look(seed);
        let by_hull = self.look_at_extremes(body, &mut closest, settings, scratch);
        let (stats, left) = match by_hull {
            Some(stats) => (stats, None),
            None => self.search(body, &mut closest, settings, scratch),
        };
        let Closest { best, triangle, mut lower, .. } = closest;
        if let Some(left) = left {
            lower = lower.min(margins.lower(left));
        }
        if tolerance != Tolerance::EXACT {
            // What was left out is not nearer than this.
            lower = lower.min(tolerance.threshold(best.upper));
        }
        // What is apart from the hull is not inside.
        if best.upper > 0.0 && self.is_solid && by_hull.is_none() {
            if self.holds(body, scratch) {
                let middle = body.middle();
                let inside = Separation { lower: 0.0, upper: 0.0, on_a: middle, on_b: middle };
                return inside.answer(self.witness(triangle), true, stats);
            }
            if left.is_some() {
                // The surface may cut the shape yet.
                lower = 0.0;
            }
        }
        let complete = left.is_none() || lower >= tolerance.threshold(best.upper);
        let best = Separation { lower, ..best };
        let best = if self.is_b { best.swapped() } else { best };
        best.answer(self.witness(triangle), complete, stats)
    }

    /// The corners of all triangles over a plane: the least height, how certain it is, whose it is,
    /// and the corners that may be lowest.
    fn lowest(&self, plane: &Plane) -> (f64, f64, u32, Vec<DVec3>) {
        let corners = || self.triangles().flat_map(|triangle| self.placed.triangle(triangle).map(|p| (triangle, p)));
        let above = plane.above(corners().map(|(_, point)| point));
        let lowest = corners().map(|(_, point)| point);
        let rest = lowest.filter(|&point| plane.height(point) <= above.upper + (above.upper - above.lower)).collect();
        (above.lower, above.upper, (above.lowest / 3) as u32, rest)
    }

    pub(super) fn above_within(&self, plane: &Plane, margins: &Margins, limit: f64) -> Within {
        let (lower, upper, triangle, rest) = self.lowest(plane);
        let near = plane.compare(&rest, &[margins.a, margins.b, limit]) != Ordering::Greater;
        let stats = Stats { triangle_tests: self.triangles().len() as u64, ..Stats::default() };
        Within {
            verdict: if near { Verdict::Yes } else { Verdict::No },
            witness: near.then(|| self.witness(triangle)),
            lower: if near { 0.0 } else { margins.lower(lower.max(0.0)) },
            upper: Some(margins.upper(upper.max(0.0))),
            is_complete: true,
            stats,
        }
    }

    pub(super) fn above_distance(&self, plane: &Plane, margins: &Margins) -> Distance {
        let (lower, upper, triangle, rest) = self.lowest(plane);
        let touching = plane.compare(&rest, &[margins.a, margins.b]) != Ordering::Greater;
        let point = rest.iter().copied().min_by(|p, q| plane.height(*p).total_cmp(&plane.height(*q)));
        let point = point.unwrap_or(DVec3::ZERO);
        let foot = point - plane.normal * plane.height(point).max(0.0);
        let found = Separation { lower: lower.max(0.0), upper: upper.max(0.0), on_a: point, on_b: foot };
        let found = if touching {
            found.touching_at(margins)
        } else {
            found.grown(margins).apart(|hair| plane.compare(&rest, &[margins.a, margins.b, hair]))
        };
        let found = if self.is_b { found.swapped() } else { found };
        let stats = Stats { triangle_tests: self.triangles().len() as u64, ..Stats::default() };
        found.answer(self.witness(triangle), true, stats)
    }
}

/// Stops at the first triangle near enough.
struct First<'q, 's> {
    side: &'q MeshSide<'s>,
    body: &'q Body<'q>,
    margins: &'q Margins,
    limit: f64,
    found: Option<(u32, f64)>,
}

impl Near for First<'_, '_> {
    fn threshold(&self) -> f64 {
        if self.found.is_some() {
            return -1.0;
        }
        ((self.margins.up() + self.limit) * (1.0 + 8.0 * f64::EPSILON)).next_up()
    }

    fn look(&mut self, triangle: u32) {
        let bodies = self.side.bodies(triangle, self.body);
        if self.found.is_none() {
            let near = convex_within(&bodies, self.margins, self.limit);
            self.found = near.near.then_some((triangle, near.upper.min(self.limit)));
        }
    }
}

/// Keeps every triangle that the shape touches.
struct All<'q, 's> {
    side: &'q MeshSide<'s>,
    body: &'q Body<'q>,
    margins: &'q Margins,
    found: Vec<u32>,
}

impl Near for All<'_, '_> {
    fn threshold(&self) -> f64 {
        (self.margins.up() * (1.0 + 8.0 * f64::EPSILON)).next_up()
    }

    fn look(&mut self, triangle: u32) {
        if convex_within(&self.side.bodies(triangle, self.body), self.margins, 0.0).near {
            self.found.push(triangle);
        }
    }
}

/// Keeps the nearest triangle.
struct Closest<'q, 's> {
    side: &'q MeshSide<'s>,
    body: &'q Body<'q>,
    margins: &'q Margins,
    tolerance: Tolerance,
    best: Separation,
    /// The upper bound of the cores' distance.
    core: f64,
    triangle: u32,
    lower: f64,
}

impl<'q, 's> Closest<'q, 's> {
    fn new(side: &'q MeshSide<'s>, body: &'q Body<'q>, margins: &'q Margins, tolerance: Tolerance) -> Self {
        let best = Separation { lower: 0.0, upper: f64::INFINITY, on_a: DVec3::ZERO, on_b: DVec3::ZERO };
        let (core, lower) = (f64::INFINITY, f64::INFINITY);
        Self { side, body, margins, tolerance, best, core, triangle: 0, lower }
    }
}

impl Near for Closest<'_, '_> {
    fn threshold(&self) -> f64 {
        if self.best.upper == 0.0 {
            return -1.0;
        }
        if self.tolerance == Tolerance::EXACT {
            return self.core;
        }
        (self.tolerance.threshold(self.best.upper) + self.margins.up()).min(self.core)
    }

    fn look(&mut self, triangle: u32) {
        if self.best.upper == 0.0 {
            return;
        }
        let bodies = self.side.bodies(triangle, self.body);
        let gap = convex::gap(&bodies, Goal::Below(self.core), None);
        if gap.lower > self.core {
            return;
        }
        let found = separation(&bodies, &self.side.margins(self.margins), &gap);
        self.lower = self.lower.min(found.lower);
        if found.upper < self.best.upper {
            (self.best, self.triangle, self.core) = (found, triangle, gap.upper);
        }
    }
}
