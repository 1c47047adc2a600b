//! Is a point of one surface inside another solid, deeper than the tolerance? Penetration, decided
//! with a cost that is polynomial and a budget that is asked throughout.
//!
//! Let d be the distance of a point of the own surface from the other surface. The points with d
//! above [`COVERED`] tolerances fall into connected regions. Such a region does not meet the other
//! surface, so it is wholly inside the other solid or wholly outside, and one point of it tells. It
//! remains to find a point of every region that has a point deeper than the tolerance. A region is
//! a whole connected piece of the own surface, and then a vertex of each piece tells; or it ends
//! somewhere. There it enters the boxes around the other's feature edges and flat faces
//! ([`super::boxes`]), which hold all that is near the other surface and nothing that is farther
//! than the tolerance: on the way from its deep point to its end it crosses a side of such a box.
//! So only segments matter: where sides of boxes cut own triangles. What is near a triangle of the
//! other surface is an interval of the segment ([`super::cover`]); what no triangle covers lies in
//! one region, and its middle is the point to test.
//!
//! **Cost.** With k pairs of own triangles and boxes near each other there are at most 6 k
//! segments; each is compared with the triangles of the other surface within reach of it: O(k · m)
//! for m triangles, where flat faces count once however they are cut into triangles. For faces that
//! lie on each other k is about the number of corners of their outlines, and a segment has a few
//! triangles in reach. A triangle that one triangle of the other covers is left out.
//!
//! **What is promised** for closed meshes: all that is deeper than one tolerance is found, and
//! nothing that is less deep than half of it. For meshes with holes a region may change sides
//! without meeting the surface: points found are inside, but some may be missed.

use super::boxes::{Boxes, HALF_WIDTH, Segment};
use super::candidates::{candidates, few_candidates};
use super::cover::{Line, Stretch, gaps};
use super::surface::Surface;
use crate::bounds::Bounds;
use crate::error::MeshError;
use crate::mesh::{Mesh, Triangle};
use crate::model::Model;
use crate::point::{Location, Placed};
use crate::pose::Pose;
use crate::query::{Pair, Scratch, Settings};
use crate::traverse::{Budget, Stats};
use glam::DVec3;

/// Points this near the other surface, in tolerances, are on it: less than the boxes' half width,
/// and all errors of that.
pub(super) const COVERED: f64 = 0.56;
/// No point less deep than this, in tolerances, is reported.
const DEEP: f64 = 0.5;
/// Segments that are compared with the other surface at once.
const BATCH: usize = 4096;
/// Triangles asked for one by one before a segment is left for the batch.
const QUICK: usize = 3;
/// Own triangles with at most so many boxes in reach, and so many triangles near them, are looked
/// at one by one.
const FEW_BOXES: usize = 64;
const FEW_TRIANGLES: usize = 48;
/// Own triangles with more boxes in reach than these are looked at as a whole first.
const MANY: usize = 1;

/// Tests before own triangles are thinned out, and those for each triangle.
const REACH_WORK: [u64; 2] = [300_000, 100];

/// A point of one surface inside the other solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    pub(super) point: DVec3,
    /// The nearest point of the other surface.
    pub(super) closest: DVec3,
    pub(super) depth: f64,
}

/// What is known about the own surface.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Outcome {
    /// Is any of it away from the other surface?
    pub(super) is_away: bool,
    /// Inside, if a point is.
    pub(super) inside: Option<Sample>,
    /// False: the budget ran out.
    pub(super) is_complete: bool,
}

/// One surface against another solid. All in the pair's frame.
#[derive(Debug)]
pub(super) struct Search<'s, 'm> {
    pub(super) own: Placed<'m>,
    pub(super) other: Placed<'m>,
    /// What of the two is near the other one.
    pub(super) own_near: Option<&'s Surface>,
    pub(super) other_near: Option<&'s Surface>,
    pub(super) other_bounds: Bounds,
    pub(super) tolerance: f64,
}

/// Goes on or ends, with a point that is inside.
type Step = Option<Sample>;

impl Search<'_, '_> {
    /// Seeks a point inside; stops at the first. The budget is for all work in `stats`, with what
    /// was done before.
    pub(super) fn run(
        &self,
        budget: Budget<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> Result<Outcome, MeshError> {
        let mut work = Work {
            search: self,
            budget,
            found: Outcome { is_complete: true, ..Outcome::default() },
            scratch,
            stats,
            last: None,
            asked: vec![false; self.own_near.map_or(0, |own| own.model.mesh().vertices().len())],
            cuts: Vec::new(),
            covered: Vec::new(),
        };
        if let Some(sample) = work.pieces() {
            return Ok(Outcome { inside: Some(sample), ..work.found });
        }
        let (Some(own), Some(other)) = (self.own_near, self.other_near) else {
            work.found.is_away = true;
            return Ok(work.found);
        };
        let inside = work.surface(own, other)?;
        Ok(Outcome { inside, ..work.found })
    }
}

struct Work<'w, 's, 'm, 'c> {
    search: &'w Search<'s, 'm>,
    budget: Budget<'c>,
    found: Outcome,
    scratch: &'w mut Scratch,
    stats: &'w mut Stats,
    /// The triangle that covered something last.
    last: Option<u32>,
    /// The side of these own vertices is known.
    asked: Vec<bool>,
    /// Working memory.
    cuts: Vec<Segment>,
    covered: Vec<Stretch>,
}

impl<'c> Work<'_, '_, '_, 'c> {
    /// One vertex of each connected piece.
    fn pieces(&mut self) -> Step {
        let Search { own, other_near, other_bounds, tolerance, .. } = self.search;
        for &vertex in own.model.inside().pieces() {
            if self.is_over() {
                return None;
            }
            let point = own.point(own.model.mesh().vertices()[vertex as usize]);
            // Beyond the box there is only the outside.
            let is_beyond =
                point.cmplt(other_bounds.low - *tolerance).any() || point.cmpgt(other_bounds.high + *tolerance).any();
            self.found.is_away |= is_beyond;
            let step = other_near.filter(|_| !is_beyond).and_then(|near| self.witness(near, point));
            if step.is_some() {
                return step;
            }
        }
        None
    }

    fn surface(&mut self, own: &Surface, other: &Surface) -> Result<Step, MeshError> {
        let boxes = Boxes::new(other.model.mesh(), self.search.tolerance)?;
        self.stats.volume_tests += other.len() as u64;
        let near = self.boxes_in_reach(own, &boxes)?;
        let mut segments: Vec<Segment> = Vec::new();
        for group in near.chunk_by(|one, next| one.0 == next.0) {
            if self.is_over() {
                return Ok(None);
            }
            let step = self.look(own, group, &boxes, other, &mut segments)?;
            if step.is_some() {
                return Ok(step);
            }
            if segments.len() >= BATCH {
                if let Some(sample) = self.batch(&segments, other)? {
                    return Ok(Some(sample));
                }
                segments.clear();
            }
        }
        self.batch(&segments, other)
    }

    /// Own triangles and the boxes near them, sorted. If these are many (the tips of cones, where
    /// all meet all), triangles that lie wholly on the other surface are left out first.
    fn boxes_in_reach(&mut self, own: &Surface, boxes: &Boxes) -> Result<Vec<(u32, u32)>, MeshError> {
        let left = self.budget.after(self.stats);
        let work = REACH_WORK[0] + REACH_WORK[1] * (own.len() + boxes.model.mesh().triangles().len()) as u64;
        if let (near, true) = self.pairs_in_reach(&own.model, boxes, left.capped(work)) {
            return Ok(near);
        }
        let Some(other) = self.search.other_near else { return Ok(Vec::new()) };
        let covered = COVERED * self.search.tolerance;
        let kept: Vec<u32> = (0..own.len() as u32)
            .filter(|&index| !other.covers(&own.triangle(index), covered, self.scratch.room(), self.stats))
            .collect();
        if kept.is_empty() {
            return Ok(Vec::new());
        }
        let corners: Vec<[u32; 3]> = kept.iter().map(|&index| own.model.mesh().triangles()[index as usize]).collect();
        let vertices: Vec<[f64; 3]> = own.model.mesh().vertices().iter().map(|vertex| vertex.to_array()).collect();
        let reduced = Model::new(Mesh::new(&vertices, &corners)?);
        let (mut near, is_complete) = self.pairs_in_reach(&reduced, boxes, self.budget.after(self.stats));
        self.found.is_complete &= is_complete;
        near.iter_mut().for_each(|(index, _)| *index = kept[*index as usize]);
        Ok(near)
    }

    fn pairs_in_reach(&mut self, own: &Model, boxes: &Boxes, budget: Budget<'_>) -> (Vec<(u32, u32)>, bool) {
        let reach = 1.8 * HALF_WIDTH * self.search.tolerance;
        let settings = Settings { budget, ..Settings::default() };
        let found = candidates(own, &boxes.model, reach, &settings, self.scratch);
        *self.stats += found.stats;
        let mut near: Vec<(u32, u32)> = found.pairs.iter().map(|&(own, index)| (own, boxes.of(index))).collect();
        near.sort_unstable();
        near.dedup();
        (near, found.is_complete)
    }

    /// Looks at one own triangle: at once if few triangles of the other surface are near it,
    /// otherwise its segments are left for the batch.
    fn look(
        &mut self,
        own: &Surface,
        group: &[(u32, u32)],
        boxes: &Boxes,
        other: &Surface,
        segments: &mut Vec<Segment>,
    ) -> Result<Step, MeshError> {
        let triangle = own.triangle(group[0].0);
        if group.len() <= FEW_BOXES
            && let Some(near) = self.neighbours(&triangle, other)?
        {
            let mut cuts = std::mem::take(&mut self.cuts);
            cuts.clear();
            self.cuts_of(&triangle, group, boxes, &mut cuts);
            let step = self.gaps_beside(own, group[0].0, &near, &cuts);
            self.cuts = cuts;
            return Ok(step);
        }
        self.cut(triangle, group, boxes, other, segments);
        Ok(None)
    }

    /// All triangles of the other surface that come near one of the own; nothing if they are many.
    fn neighbours(&mut self, triangle: &Triangle, other: &Surface) -> Result<Option<Vec<Triangle>>, MeshError> {
        let limit = COVERED * self.search.tolerance;
        let alone = Model::new(Mesh::new(&triangle.map(|corner| corner.to_array()), &[[0, 1, 2]])?);
        let found = few_candidates(&alone, &other.model, limit, FEW_TRIANGLES, self.scratch);
        *self.stats += found.stats;
        let few = found.is_complete.then(|| found.pairs.iter().map(|&(_, index)| other.triangle(index)).collect());
        Ok(few)
    }

    /// What these triangles, which are all that are near, leave of the segments of an own triangle
    /// is tested: one point of each connected part.
    fn gaps_beside(&mut self, own: &Surface, index: u32, near: &[Triangle], cuts: &[Segment]) -> Step {
        let limit = COVERED * self.search.tolerance;
        let is_free = |segment: Segment| near.iter().all(|other| Line::new(segment).near(other, limit).is_none());
        let (corners, triangle) = (own.model.mesh().triangles()[index as usize], own.triangle(index));
        let mut known: Vec<DVec3> = Vec::new();
        let mut last = 0;
        let mut covered = std::mem::take(&mut self.covered);
        for &segment in cuts {
            let line = Line::new(segment);
            self.stats.triangle_tests += cover(&line, near, limit, &mut last, &mut covered);
            for [from, to] in gaps(&mut covered, line.length) {
                let point = line.at(0.5 * from + 0.5 * to);
                if known.is_empty() {
                    // Corners are shared with other triangles: they are asked for once.
                    for (vertex, corner) in corners.into_iter().zip(triangle) {
                        if is_free([corner; 2]) {
                            let step = if self.asked[vertex as usize] { None } else { self.side(corner) };
                            if step.is_some() {
                                return step;
                            }
                            self.asked[vertex as usize] = true;
                            known.push(corner);
                        }
                    }
                }
                self.stats.triangle_tests += (known.len() * near.len()) as u64;
                if known.iter().rev().any(|&known| is_free([known, point])) {
                    continue;
                }
                let step = self.side(point);
                if step.is_some() {
                    return step;
                }
                known.push(point);
            }
        }
        self.covered = covered;
        None
    }

    /// Adds the segments of one own triangle that are not covered at first sight.
    fn cut(
        &mut self,
        triangle: Triangle,
        group: &[(u32, u32)],
        boxes: &Boxes,
        other: &Surface,
        segments: &mut Vec<Segment>,
    ) {
        let covered = COVERED * self.search.tolerance;
        if group.len() > MANY && other.covers(&triangle, covered, self.scratch.room(), self.stats) {
            return;
        }
        let first = segments.len();
        self.cuts_of(&triangle, group, boxes, segments);
        let mut kept = first;
        for index in first..segments.len() {
            if !self.is_covered(segments[index], other) {
                segments[kept] = segments[index];
                kept += 1;
            }
        }
        segments.truncate(kept);
    }

    /// Where the sides of the boxes cut a triangle.
    fn cuts_of(&mut self, triangle: &Triangle, group: &[(u32, u32)], boxes: &Boxes, segments: &mut Vec<Segment>) {
        match needle(triangle, super::boxes::FLAT * self.search.tolerance) {
            Some(edge) => segments.push(edge),
            None => group.iter().for_each(|&(_, index)| boxes.cuts(index, triangle, segments)),
        }
        self.stats.volume_tests += 6 * group.len() as u64;
    }

    /// Is a segment covered by a few triangles, found one by one?
    fn is_covered(&mut self, segment: Segment, other: &Surface) -> bool {
        let (line, limit) = (Line::new(segment), COVERED * self.search.tolerance);
        let mut covered: Vec<Stretch> = Vec::with_capacity(QUICK + 1);
        // Neighbours of a segment are mostly covered by the same triangle.
        covered.extend(self.last.and_then(|triangle| line.near(&other.triangle(triangle), limit)));
        self.stats.triangle_tests += covered.len() as u64;
        for _ in 0..QUICK {
            let open = gaps(&mut covered, line.length);
            let Some(&[from, to]) = open.first() else { return true };
            let middle = line.at(0.5 * from + 0.5 * to);
            let Some(triangle) = other.any_near(middle, limit, self.scratch.room(), self.stats) else {
                return false;
            };
            self.last = Some(triangle);
            covered.extend(line.near(&other.triangle(triangle), limit));
        }
        gaps(&mut covered, line.length).is_empty()
    }

    /// What no triangle covers of these segments is tested.
    fn batch(&mut self, segments: &[Segment], other: &Surface) -> Result<Step, MeshError> {
        if segments.is_empty() || self.is_over() {
            return Ok(None);
        }
        let vertices: Vec<[f64; 3]> = segments.iter().flatten().map(|end| end.to_array()).collect();
        let triangles: Vec<[u32; 3]> = (0..segments.len() as u32).map(|i| [2 * i, 2 * i + 1, 2 * i + 1]).collect();
        let model = Model::new(Mesh::new(&vertices, &triangles)?);
        let limit = COVERED * self.search.tolerance;
        let settings = Settings { budget: self.budget.after(self.stats), ..Settings::default() };
        let found = candidates(&model, &other.model, limit, &settings, self.scratch);
        *self.stats += found.stats;
        if !found.is_complete {
            self.found.is_complete = false;
            return Ok(None);
        }
        let mut rest = &found.pairs[..];
        for (index, &segment) in segments.iter().enumerate() {
            let count = rest.partition_point(|&(own, _)| own <= index as u32);
            let (own, later) = rest.split_at(count);
            rest = later;
            if let Some(sample) = self.segment(segment, own, other) {
                return Ok(Some(sample));
            }
        }
        Ok(None)
    }

    fn segment(&mut self, segment: Segment, near: &[(u32, u32)], other: &Surface) -> Step {
        let (line, limit) = (Line::new(segment), COVERED * self.search.tolerance);
        self.stats.triangle_tests += near.len() as u64;
        for [from, to] in line.left_by(near.iter().map(|&(_, triangle)| other.triangle(triangle)), limit) {
            if self.is_over() {
                return None;
            }
            let step = self.side(line.at(0.5 * from + 0.5 * to));
            if step.is_some() {
                return step;
            }
        }
        None
    }

    /// Tests a point: is it away from the other surface, and then inside?
    fn witness(&mut self, near: &Surface, point: DVec3) -> Step {
        let room = self.scratch.room();
        if near.any_within(point, DEEP * self.search.tolerance, room, self.stats).is_some() {
            return None;
        }
        self.side(point)
    }

    /// On which side of the other surface is a point that is away from it?
    fn side(&mut self, point: DVec3) -> Step {
        self.found.is_away = true;
        let room = self.scratch.room();
        let other = &self.search.other;
        let place = other.contains_counted(point, room, self.stats);
        if place.location != Location::Inside || !place.is_certain() {
            return None;
        }
        let closest = other.closest_counted(point, room, self.stats);
        // A mesh that coarse beside the tolerance that the two searches differ: no clash that could
        // be told.
        (closest.distance >= DEEP * self.search.tolerance).then_some(Sample {
            point,
            closest: closest.point,
            depth: closest.distance,
        })
    }

    fn is_over(&mut self) -> bool {
        let is_over = self.budget.is_spent(self.stats);
        self.found.is_complete &= !is_over;
        is_over
    }
}

/// What triangles cover of a line, into `covered`; all of it, if it is one of them alone. `last` is
/// the one that covered the whole line before: neighbours are mostly covered by the same. Returns
/// how many triangles were tested.
fn cover(line: &Line, near: &[Triangle], limit: f64, last: &mut usize, covered: &mut Vec<Stretch>) -> u64 {
    let is_whole = |stretch: Stretch| stretch[0] <= 0.0 && stretch[1] >= line.length;
    covered.clear();
    if let Some(stretch) = near.get(*last).and_then(|other| line.near(other, limit)).filter(|&it| is_whole(it)) {
        covered.push(stretch);
        return 1;
    }
    for (index, other) in near.iter().enumerate() {
        let Some(stretch) = line.near(other, limit) else { continue };
        covered.push(stretch);
        if is_whole(stretch) {
            *last = index;
            break;
        }
    }
    near.len() as u64
}

/// Two meshes of one frame.
pub(super) fn local<'m>(a: &'m Model, b: &'m Model) -> Pair<'m> {
    Pair::relative(a, b, &Pose::IDENTITY).expect("both are of the default engine, and nothing moves")
}

/// The longest edge of a triangle that is as thin as a line.
fn needle(&[a, b, c]: &Triangle, thin: f64) -> Option<Segment> {
    let longest = [[a, b], [b, c], [c, a]].into_iter().fold([a, b], |best, next| {
        if (next[1] - next[0]).length() > (best[1] - best[0]).length() { next } else { best }
    });
    let length = (longest[1] - longest[0]).length();
    ((b - a).cross(c - a).length() <= thin * length).then_some(longest)
}
