//! Local penetration depth: how deep does a point of one surface lie below the other surface?
//!
//! Branch and bound. The depth below a surface changes by no more than the way one goes, so a ball
//! of triangles is no deeper than its middle plus its radius; and no point of a triangle is deeper
//! than its farthest corner is from any one triangle of the other surface, because that distance is
//! convex. Nodes of the tree are opened, then triangles halved, those with the highest bound first.

use super::pair::{Side, SolidPair};
use crate::mesh::Triangle;
use crate::packed::{self, Ball};
use crate::point::ClosestPoint;
use crate::point::Placed;
use crate::point::Room;
use crate::query::{Scratch, Settings, Tolerance};
use crate::traverse::{Budget, Stats};
use crate::vector::length;
use glam::DVec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The answer of [`SolidPair::local_depth`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct LocalDepth {
    /// Whose surface the deepest point is on.
    pub body: Side,
    /// The triangle it is on.
    pub triangle: u32,
    /// The deepest point found, in a's frame. Where [`LocalDepth::depth`] is positive it is inside
    /// the other solid: exactly, or by a winding number that is certain.
    pub point: DVec3,
    /// The point of the other surface nearest to it.
    pub closest: DVec3,
    /// The triangle that one is on.
    pub closest_triangle: u32,
    /// How deep it is: the depth is at least this. Not positive if no point of one solid's surface
    /// is inside the other.
    pub depth: f64,
    /// The depth is at most this. Below a mesh with holes, where the inside may begin away from its
    /// surface, no better bound is told than how far from a surface of that area anything is
    /// inside, or how far the other body is from it.
    pub at_most: f64,
    /// As exact as asked for? False: the budget ran out or, below a mesh with holes or where
    /// doubles are sparse, no better bound is known.
    pub is_complete: bool,
    /// Work done.
    pub stats: Stats,
}

/// Relative errors below this would halve triangles for ever.
const LEAST_RELATIVE: f64 = 1e-4;
/// The same for errors relative to the size of the models: where faces lie on one another, the
/// depth is zero.
const LEAST_ABSOLUTE: f64 = 1e-3;

/// A depth below this share of the absolute tolerance is as good as none.
const NEGLIGIBLE: f64 = 1e-6;

/// Of a piece below this share of the smaller model's size nothing is known if its middle may be
/// inside or not: in the plane of a missing face, winding numbers are one half wherever one looks.
const COARSE: f64 = 1.0 / 32.0;

impl SolidPair<'_> {
    /// The deepest point of one surface below the other: the largest distance, to b's surface, of a
    /// point of a's surface inside b, or the other way round. An interval; it ends when `at_most <=
    /// (1 + relative) · depth` or `at_most <= depth + absolute` (at least 1e-4, and 1e-3 of the
    /// smaller model's size), or with the budget.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings, Tolerance};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // closed: they have an inside
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(1.5, 0.25, 0.25))?;
    /// let mut scratch = Scratch::new();
    /// let found = pair.solid().local_depth(Tolerance::relative(0.01), &Settings::default(), &mut scratch);
    /// assert!(found.depth <= 0.5 && 0.5 <= found.at_most);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "penetration depth")]
    #[must_use]
    pub fn local_depth(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> LocalDepth {
        let mut stats = Stats::default();
        let deepest = self.deepest(tolerance, None, settings, scratch, &mut stats);
        LocalDepth { stats, ..deepest }
    }

    /// The same, given all triangles of a and of b that meet the other surface, sorted, with others
    /// or without. All other triangles are inside or outside as a whole. Below meshes with holes,
    /// where budgets are short, it begins with the vertices.
    pub(crate) fn local_depth_given(
        &self,
        meeting: [&[u32]; 2],
        tolerance: Tolerance,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> LocalDepth {
        let mut stats = Stats::default();
        let deepest = self.deepest(tolerance, Some(meeting), settings, scratch, &mut stats);
        LocalDepth { stats, ..deepest }
    }

    pub(super) fn deepest(
        &self,
        tolerance: Tolerance,
        meeting: Option<[&[u32]; 2]>,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> LocalDepth {
        let mut search = Search { meeting, ..Search::new(self, tolerance) };
        let (room, parts) = scratch.rooms::<Room, BinaryHeap<Part>>();
        parts.clear();
        for body in [Side::A, Side::B] {
            search.begin(body, parts);
            if meeting.is_some() && !self.placed(body.other()).model.inside().is_exact() {
                search.offer_vertices(body, &settings.budget, room, stats);
            }
        }
        let (negligible, asked) = (search.negligible, search.tolerance);
        let deepest = search.finish(&settings.budget, room, parts, stats);
        let mut deepest = deepest.expect("a descent from the root looks at a triangle");
        // Solids that only touch: no halving of triangles shows that there is nothing deeper.
        if self.is_exact() && deepest.depth <= asked.absolute && deepest.at_most > deepest.depth.max(0.0) + negligible {
            let witnesses = [(deepest.body, deepest.triangle), (deepest.body.other(), deepest.closest_triangle)];
            deepest.at_most = deepest.at_most.min(self.least_overlap(witnesses)).max(deepest.depth);
        }
        for body in [Side::A, Side::B] {
            let below_holes = self.below_holes(body, room, stats);
            deepest.at_most = below_holes.map_or(deepest.at_most, |most| most.max(deepest.at_most));
        }
        // Nothing inside anywhere is all there is to know.
        deepest.is_complete = deepest.at_most <= enough(deepest.depth, asked).max(0.0);
        deepest
    }

    /// How deep a point of this body's surface may be below the other one, if that has holes:
    /// bounds by the way from points looked at would not hold, because sides change without a
    /// crossing.
    fn below_holes(&self, body: Side, room: &mut Room, stats: &mut Stats) -> Option<f64> {
        let (own, other) = (self.placed(body), self.placed(body.other()));
        if other.model.inside().is_exact() {
            return None;
        }
        let reach = other.model.inside().reach();
        let Some(tree) = own.model.point_tree() else { return Some(reach) };
        let mut farthest = 0.0_f64;
        for ball in tree.balls(packed::point::Part::ROOT) {
            let Ball::Part { middle, radius, .. } = ball else { return Some(reach) };
            let point = own.point(middle);
            let way = other.closest_counted(point, room, stats).distance + radius * (1.0 + 1e-9) + own.slack(middle);
            // What is not a number bounds nothing.
            farthest = if way.is_nan() { f64::INFINITY } else { farthest.max(way) };
        }
        Some(reach.min(farthest))
    }
}

/// A part of a surface that may have deep points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    /// Nothing in it is deeper.
    bound: f64,
    body: Side,
    content: Content,
}

#[derive(Debug, Clone, Copy)]
enum Content {
    Tree(packed::point::Part),
    Triangle(u32),
    /// Of a triangle; of a whole one the corners were not looked at.
    Piece {
        triangle: u32,
        corners: Triangle,
        is_whole: bool,
    },
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.bound == other.bound
    }
}
impl Eq for Part {}
impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

pub(super) struct Search<'m> {
    a: Placed<'m>,
    b: Placed<'m>,
    tolerance: Tolerance,
    /// Triangles of a and of b that may meet the other surface, if they are known: sorted.
    meeting: Option<[&'m [u32]; 2]>,
    /// Whether a point this near the other surface is inside or outside makes no difference.
    negligible: f64,
    /// Smaller pieces that may be inside or not are not cut.
    coarse: f64,
    best: Option<LocalDepth>,
    /// The largest bound of pieces that are not cut: too small, or undecided however small.
    undivided: f64,
}

/// What one point tells.
struct Look {
    /// How deep it is at most.
    at_most: f64,
    /// The triangle of the other surface that is nearest to it.
    nearest: u32,
    /// Is it known whether it is inside, if that was asked?
    is_certain: bool,
}

impl<'m> Search<'m> {
    pub(super) fn new(pair: &SolidPair<'m>, tolerance: Tolerance) -> Self {
        let (a, b) = (pair.placed(Side::A), pair.placed(Side::B));
        let size = a.model.inside().size().min(b.model.inside().size());
        let tolerance = Tolerance {
            relative: tolerance.relative.max(LEAST_RELATIVE),
            absolute: tolerance.absolute.max(LEAST_ABSOLUTE * size),
        };
        Self {
            a,
            b,
            tolerance,
            meeting: None,
            negligible: NEGLIGIBLE * tolerance.absolute,
            coarse: COARSE * size,
            best: None,
            undivided: 0.0,
        }
    }

    pub(super) fn placed(&self, body: Side) -> &Placed<'m> {
        match body {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    fn begin(&self, body: Side, parts: &mut BinaryHeap<Part>) {
        let model = self.placed(body).model;
        match model.point_tree() {
            Some(_) => {
                parts.push(Part { bound: f64::INFINITY, body, content: Content::Tree(packed::point::Part::ROOT) })
            }
            // One by one, with the budget asked in between.
            None => parts.extend((0..model.mesh().triangles().len() as u32).map(|triangle| Part {
                bound: f64::INFINITY,
                body,
                content: Content::Triangle(triangle),
            })),
        }
    }

    /// Takes in one triangle.
    pub(super) fn begin_with(
        &mut self,
        body: Side,
        triangle: u32,
        room: &mut Room,
        parts: &mut BinaryHeap<Part>,
        stats: &mut Stats,
    ) {
        let corners = self.placed(body).triangle(triangle);
        self.offer_piece(body, (triangle, corners), true, room, parts, stats);
    }

    /// Opens parts until nothing can be deeper than what is known, but for the tolerance.
    pub(super) fn finish(
        mut self,
        budget: &Budget<'_>,
        room: &mut Room,
        parts: &mut BinaryHeap<Part>,
        stats: &mut Stats,
    ) -> Option<LocalDepth> {
        let mut at_most = self.depth();
        while let Some(part) = parts.pop() {
            at_most = part.bound.max(self.depth());
            if self.best.is_some() && (part.bound <= self.enough() || part.bound <= 0.0) {
                break;
            }
            if self.best.is_some() && budget.is_spent(stats) {
                break;
            }
            at_most = self.depth();
            self.open(part, room, parts, stats);
        }
        let at_most = at_most.max(self.undivided);
        self.best.map(|best| LocalDepth { at_most: at_most.max(best.depth), ..best })
    }

    fn depth(&self) -> f64 {
        self.best.map_or(f64::NEG_INFINITY, |best| best.depth)
    }

    /// What is no deeper need not be looked at. A surface that is nowhere inside needs no more
    /// precision.
    pub(super) fn enough(&self) -> f64 {
        enough(self.depth(), self.tolerance)
    }

    fn open(&mut self, part: Part, room: &mut Room, parts: &mut BinaryHeap<Part>, stats: &mut Stats) {
        let Part { body, content, .. } = part;
        match content {
            Content::Tree(below) => {
                let placed = *self.placed(body);
                let Some(tree) = placed.model.point_tree() else { return };
                for ball in tree.balls(below) {
                    match ball {
                        Ball::Part { part: below, middle, radius } => {
                            let radius = radius * (1.0 + 1e-9) + placed.slack(middle);
                            let look = self.offer(body, None, placed.point(middle), radius, room, stats);
                            let bound = (look.at_most + radius).min(part.bound);
                            // A bound that is not a number proves nothing.
                            if bound > self.depth() || bound.is_nan() {
                                parts.push(Part { bound, body, content: Content::Tree(below) });
                            }
                        }
                        Ball::Triangle(triangle) => self.begin_with(body, triangle, room, parts, stats),
                    }
                }
            }
            Content::Triangle(triangle) => self.begin_with(body, triangle, room, parts, stats),
            Content::Piece { triangle, corners, is_whole } => {
                // The deepest point is a corner more often than not.
                for corner in corners.into_iter().filter(|_| is_whole) {
                    self.offer(body, Some(triangle), corner, 0.0, room, stats);
                }
                let halves = halves(&corners);
                // Far from the origin a piece may be a few numbers wide, its middle is rounded to
                // anywhere near, and halving would go on for ever.
                let reach = length(corners[1] - corners[0]).max(length(corners[2] - corners[0]));
                if corners.contains(&halves[0][1]) || reach <= self.placed(body).slack(corners[0]) {
                    self.undivided = self.undivided.max(part.bound);
                    return;
                }
                self.offer(body, Some(triangle), halves[0][1], 0.0, room, stats);
                for half in halves {
                    self.offer_piece(body, (triangle, half), false, room, parts, stats);
                }
            }
        }
    }

    /// Is a triangle known not to meet the other surface?
    fn is_apart(&self, body: Side, triangle: u32) -> bool {
        let meeting = self.meeting.map(|sides| sides[usize::from(body == Side::B)]);
        meeting.is_some_and(|meeting| meeting.binary_search(&triangle).is_err())
    }

    fn offer_piece(
        &mut self,
        body: Side,
        (triangle, corners): (u32, Triangle),
        is_whole: bool,
        room: &mut Room,
        parts: &mut BinaryHeap<Part>,
        stats: &mut Stats,
    ) {
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let radius = corners.iter().fold(0.0_f64, |radius, corner| radius.max(length(*corner - middle)));
        let look = self.offer(body, Some(triangle), middle, radius, room, stats);
        if is_whole && look.at_most < 0.0 && self.is_apart(body, triangle) {
            return;
        }
        let other = self.placed(body.other()).triangle(look.nearest);
        let convex = corners.iter().fold(0.0_f64, |most, corner| most.max(length(near(*corner, &other) - *corner)));
        let bound = (look.at_most + radius).min(convex) * (1.0 + 1e-9);
        if !look.is_certain && radius <= self.coarse {
            self.undivided = self.undivided.max(bound);
        } else if bound > self.depth() || bound.is_nan() {
            parts.push(Part { bound, body, content: Content::Piece { triangle, corners, is_whole } });
        }
    }

    /// Looks at a point. If it is on a triangle, its depth is one to beat. If nothing within the
    /// radius can beat what is known, it is not asked whether the point is inside.
    fn offer(
        &mut self,
        body: Side,
        triangle: Option<u32>,
        point: DVec3,
        radius: f64,
        room: &mut Room,
        stats: &mut Stats,
    ) -> Look {
        let other = *self.placed(body.other());
        let closest = other.closest_counted(point, room, stats);
        let nearest = closest.triangle;
        if self.best.is_some() && closest.distance + radius <= self.enough() {
            return Look { at_most: closest.distance, nearest, is_certain: true };
        }
        // Where faces lie on one another all points are that near, and inside tests would be most
        // of the work.
        let mut is_certain = true;
        let (depth, at_most) = if closest.distance <= self.negligible {
            (if closest.distance == 0.0 { 0.0 } else { -closest.distance }, closest.distance)
        } else {
            let place = other.contains_counted(point, room, stats);
            is_certain = place.is_certain();
            match (place.is_in_solid(), is_certain) {
                (true, true) => (closest.distance, closest.distance),
                (false, true) => (-closest.distance, -closest.distance),
                // A mesh with holes that winds around it by one half, as far as can be told:
                // perhaps inside, but no proof of a depth.
                (_, false) => (-closest.distance, closest.distance),
            }
        };
        if let Some(triangle) = triangle {
            self.keep(body, triangle, point, &closest, depth);
        }
        Look { at_most, nearest, is_certain }
    }

    /// A point of a triangle that is known to be inside the other solid.
    pub(super) fn offer_known(&mut self, body: Side, triangle: u32, point: DVec3, closest: &ClosestPoint) {
        self.keep(body, triangle, point, closest, closest.distance);
    }

    fn keep(&mut self, body: Side, triangle: u32, point: DVec3, closest: &ClosestPoint, depth: f64) {
        if depth > self.depth() {
            self.best = Some(LocalDepth {
                body,
                triangle,
                point,
                closest: closest.point,
                closest_triangle: closest.triangle,
                depth,
                at_most: depth,
                is_complete: false,
                stats: Stats::default(),
            });
        }
    }
}

/// With a depth known, what is no deeper than this is as good as known.
fn enough(depth: f64, tolerance: Tolerance) -> f64 {
    (depth.max(0.0) * (1.0 + tolerance.relative)).max(depth + tolerance.absolute)
}

/// A point of the triangle that is near the given one: the nearest but for rounding. Whichever it
/// is, the distance to it bounds that to the triangle.
fn near(point: DVec3, triangle: &Triangle) -> DVec3 {
    // About the point, and in units of the size: products neither overflow nor vanish.
    let corners = triangle.map(|corner| corner - point);
    let size = corners.iter().fold(0.0_f64, |size, corner| size.max(corner.abs().max_element()));
    let unit = if (1e-60..1e60).contains(&size) || size == 0.0 { 1.0 } else { size };
    let [a, b, c] = corners.map(|corner| corner / unit);
    let on_edge = |from: DVec3, to: DVec3| {
        let edge = to - from;
        let share = -from.dot(edge) / edge.length_squared().max(f64::MIN_POSITIVE);
        from + edge * share.clamp(0.0, 1.0)
    };
    let (u, v) = (b - a, c - a);
    let normal = u.cross(v);
    let squared = normal.length_squared();
    let (along_u, along_v) = (v.cross(a).dot(normal) / squared, a.cross(u).dot(normal) / squared);
    if along_u >= 0.0 && along_v >= 0.0 && along_u + along_v <= 1.0 {
        return point + (a + u * along_u + v * along_v) * unit;
    }
    let edges = [on_edge(a, b), on_edge(b, c), on_edge(c, a)];
    let nearer = |best: DVec3, next: DVec3| if next.length_squared() < best.length_squared() { next } else { best };
    point + edges.into_iter().fold(edges[0], nearer) * unit
}

/// Cut through the middle of the longest edge, the second corner of the first half.
fn halves(corners: &Triangle) -> [Triangle; 2] {
    let edge = |i: usize| length(corners[(i + 1) % 3] - corners[i]);
    let longest = (1..3).fold(0, |best, i| if edge(i) > edge(best) { i } else { best });
    let [p, q, r] = [corners[longest], corners[(longest + 1) % 3], corners[(longest + 2) % 3]];
    let middle = p * 0.5 + q * 0.5;
    [[p, middle, r], [middle, q, r]]
}
