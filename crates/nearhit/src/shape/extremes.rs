//! Distances by the triangles that reach farthest: of meshes whose nearest points are on their
//! convex hulls, as they mostly are where two links of a robot are apart.
//!
//! The hulls' distance gives a direction. A mesh reaches up to a plane across it, the other begins
//! at a plane beyond. A triangle that stays some depth below its plane is farther from everything
//! on the other side than the planes are apart, by that depth. So when two triangles are known to
//! be `d` apart, and the planes are `p` apart, nothing deeper than `d - p` below a plane can be
//! nearer. Where the hulls' nearest points are points of the meshes, that is nothing but rounding,
//! and a few triangles are left to be looked at.
//!
//! Trees of boxes cannot tell so soon: over a distance much larger than the boxes many pairs of
//! them are nearly as near as the nearest.
//!
//! Rounding. Corners moved by a pose, their products with a direction of length one to three ulps,
//! the canonical distance of two triangles: all are off by less than the bound that trees take for
//! themselves ([`slack`]); it is taken four times.

use super::convex::{self, Bodies, Body, Goal};
use super::core::{Convex, Core};
use super::hull::Corners;
use crate::bounds::Bounds;
use crate::mesh::{Mesh, Triangle};
use crate::point::Placed;
use crate::pose::Pose;
use crate::primitive::distance::{Nearest, distance_within};
use crate::query::{Pair, TrianglePair};
use crate::traverse::Stats;
use crate::volume::slack;
use glam::DVec3;

/// Corners that are looked at together.
const RUN: usize = 32;
/// With more triangles on one side than these, a tree is faster.
const MOST: usize = 128;

/// The convex hull of a mesh, and its corners in runs with boxes around them.
#[derive(Debug)]
pub(crate) struct Extremes {
    hull: Corners,
    boxes: Vec<(DVec3, DVec3)>,
    /// Corners of triangles, near ones together.
    corners: Vec<DVec3>,
    /// Where the triangles of each corner begin, and where the last one's end.
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

/// Working memory.
#[derive(Debug, Default)]
pub(super) struct Found {
    a: Vec<u32>,
    b: Vec<u32>,
    seen_a: Vec<Seen>,
    seen_b: Vec<Seen>,
    gaps: Vec<(f64, u32)>,
}

/// A triangle, and the box around it along a [`View`].
#[derive(Debug, Clone, Copy)]
struct Seen {
    corners: Triangle,
    low: DVec3,
    high: DVec3,
}

/// Three axes at right angles, the first from one mesh to the other: along them the triangles that
/// face each other are flat, and boxes around them are about as far apart as they are.
#[derive(Debug, Clone, Copy)]
struct View([DVec3; 3]);

impl View {
    fn along(direction: DVec3) -> Self {
        let (one, other) = direction.any_orthonormal_pair();
        Self([direction, one, other])
    }

    fn of(&self, point: DVec3) -> DVec3 {
        DVec3::from(self.0.map(|axis| axis.dot(point)))
    }

    fn seen(&self, corners: Triangle) -> Seen {
        let [p, q, r] = corners.map(|corner| self.of(corner));
        Seen { corners, low: p.min(q).min(r), high: p.max(q).max(r) }
    }

    /// A box around a body, to rounding.
    fn around(&self, body: &Body<'_>) -> (DVec3, DVec3) {
        let low = self.0.map(|axis| body.lowest(axis).dot(axis));
        let high = self.0.map(|axis| body.lowest(-axis).dot(axis));
        (low.into(), high.into())
    }
}

impl Seen {
    /// How far the box is from another, squared; to rounding.
    #[inline]
    fn squared_gap(&self, low: DVec3, high: DVec3) -> f64 {
        (self.low - high).max(low - self.high).max(DVec3::ZERO).length_squared()
    }
}

/// A mesh's distance from something else, as far as it is known.
pub(super) enum Known {
    /// This is it.
    All(TrianglePair, Nearest, Stats),
    /// No triangles are nearer than these, but for some that were not looked at.
    Some(TrianglePair),
    Nothing,
}

impl Extremes {
    /// Of a mesh with at least one triangle.
    pub(crate) fn new(mesh: &Mesh) -> Option<Self> {
        let mut uses: Vec<[u32; 2]> = Vec::with_capacity(3 * mesh.triangles().len());
        for (triangle, corners) in (0_u32..).zip(mesh.triangles()) {
            uses.extend(corners.map(|vertex| [vertex, triangle]));
        }
        if uses.is_empty() {
            return None;
        }
        let vertices = mesh.vertices();
        let places = places(vertices, &uses);
        uses.sort_unstable_by_key(|&[vertex, triangle]| (places[vertex as usize], vertex, triangle));
        let (mut corners, mut starts, mut last) = (Vec::new(), Vec::new(), None);
        for (at, &[vertex, _]) in (0_u32..).zip(&uses) {
            if last != Some(vertex) {
                last = Some(vertex);
                corners.push(vertices[vertex as usize]);
                starts.push(at);
            }
        }
        starts.push(uses.len() as u32);
        let boxes = corners.chunks(RUN).map(super::core::around).collect();
        let triangles = uses.into_iter().map(|[_, triangle]| triangle).collect();
        Some(Self { hull: Corners::new(&corners), boxes, corners, starts, triangles })
    }

    /// The hull where the mesh lies.
    fn body(&self, pose: Option<&Pose>) -> Body<'_> {
        let core = Core::Corners(&self.hull);
        pose.map_or(Body::own(core), |pose| Body::posed(core, pose))
    }

    /// Collects the triangles with a corner at least this far along a direction, each once, all in
    /// the mesh's frame; false if there are too many.
    fn beyond(&self, direction: DVec3, least: f64, found: &mut Vec<u32>) -> bool {
        found.clear();
        let across = direction.abs();
        for (run, &(middle, half)) in self.boxes.iter().enumerate() {
            if middle.dot(direction) + half.dot(across) < least {
                continue;
            }
            let first = run * RUN;
            for at in first..self.corners.len().min(first + RUN) {
                if self.corners[at].dot(direction) >= least {
                    found.extend(&self.triangles[self.starts[at] as usize..self.starts[at + 1] as usize]);
                }
            }
            if found.len() > 4 * MOST {
                return false;
            }
        }
        found.sort_unstable();
        found.dedup();
        found.len() <= MOST
    }

    /// How far the mesh reaches along a direction of its own frame, to rounding.
    fn reach(&self, direction: DVec3) -> f64 {
        self.hull.support(direction).dot(direction)
    }
}

/// A number for each vertex that is used: those of near vertices are mostly near (Morton's order).
fn places(vertices: &[DVec3], uses: &[[u32; 2]]) -> Vec<u32> {
    let used = || uses.iter().map(|&[vertex, _]| vertices[vertex as usize]);
    let Bounds { low, high } = used().collect();
    let size = (high - low).max_element();
    let scale = if size > 0.0 { 1023.0 / size } else { 0.0 };
    let spread = |value: f64| (0..10).fold(0_u32, |code, bit| code | ((value as u32 >> bit & 1) << (3 * bit)));
    let place = |&vertex: &DVec3| {
        let [x, y, z] = ((vertex - low) * scale).to_array().map(spread);
        x | y << 1 | z << 2
    };
    vertices.iter().map(place).collect()
}

/// Are two meshes certainly more than this apart, by their hulls?
pub(super) fn are_beyond(pair: &Pair<'_>, [a, b]: [&Extremes; 2], limit: f64) -> bool {
    let bodies = Bodies::new(a.body(None), b.body(Some(pair.a_from_b())));
    let least = limit + 4.0 * pair.slack();
    convex::gap(&bodies, Goal::Decide(least), None).lower > least
}

/// The distance of two meshes.
pub(super) fn distance(pair: &Pair<'_>, [a, b]: [&Extremes; 2], found: &mut Found) -> Known {
    let pose = pair.a_from_b();
    let gap = convex::gap(&Bodies::new(a.body(None), b.body(Some(pose))), Goal::Narrow, None);
    let slack = 4.0 * pair.slack();
    if !(gap.lower > slack) {
        return Known::Nothing;
    }
    // From a to b, in either frame.
    let along_a = -gap.normal;
    let along_b = pose.rotation().transpose() * along_a;
    let (reach_a, reach_b) = (a.reach(along_a), b.reach(-along_b));
    let apart = along_a.dot(pose.translation()) - reach_b - reach_a;
    let mut best = Best { pair, view: View::along(along_a), slack, nearest: None, stats: Stats::default() };
    let mut depth = slack;
    for _ in 0..2 {
        let few = a.beyond(along_a, reach_a - depth, &mut found.a) && b.beyond(-along_b, reach_b - depth, &mut found.b);
        if !few {
            return best.nearest.map_or(Known::Nothing, |(pieces, _)| Known::Some(pieces));
        }
        best.look(found);
        let least = best.nearest.map_or(f64::INFINITY, |(_, nearest)| nearest.distance);
        // Deeper triangles may be nearer yet. Those of the second round are all.
        let deeper = least - apart + slack;
        if deeper <= depth {
            break;
        }
        depth = deeper;
    }
    best.nearest.map_or(Known::Nothing, |(pieces, nearest)| Known::All(pieces, nearest, best.stats))
}

/// The nearest triangles of those looked at.
struct Best<'p, 'm> {
    pair: &'p Pair<'m>,
    view: View,
    /// For the rounding of boxes.
    slack: f64,
    nearest: Option<(TrianglePair, Nearest)>,
    stats: Stats,
}

impl Best<'_, '_> {
    /// All pairs; first the one whose boxes are nearest.
    fn look(&mut self, found: &mut Found) {
        let Found { a, b, seen_a, seen_b, .. } = found;
        seen_a.clear();
        seen_a.extend(a.iter().map(|&index| self.view.seen(self.pair.a().mesh().triangle(index))));
        seen_b.clear();
        seen_b.extend(b.iter().map(|&index| self.view.seen(self.pair.posed_b(index))));
        let mut first = (f64::INFINITY, 0, 0);
        for (j, of_b) in seen_b.iter().enumerate() {
            for (i, of_a) in seen_a.iter().enumerate() {
                let gap = of_a.squared_gap(of_b.low, of_b.high);
                if gap < first.0 {
                    first = (gap, i, j);
                }
            }
        }
        let (gap, i, j) = first;
        if gap == f64::INFINITY {
            return;
        }
        self.ask((a[i], &seen_a[i]), (b[j], &seen_b[j]));
        for (j, of_b) in seen_b.iter().enumerate() {
            for (i, of_a) in seen_a.iter().enumerate() {
                if of_a.squared_gap(of_b.low, of_b.high) <= self.limit_squared() {
                    self.ask((a[i], of_a), (b[j], of_b));
                }
            }
        }
    }

    /// Boxes farther apart do not matter.
    fn limit_squared(&self) -> f64 {
        let least = self.nearest.map_or(f64::INFINITY, |(_, nearest)| nearest.distance) + self.slack;
        least * least
    }

    fn ask(&mut self, (a, of_a): (u32, &Seen), (b, of_b): (u32, &Seen)) {
        let least = self.nearest.map_or(f64::INFINITY, |(_, nearest)| nearest.distance);
        self.stats.triangle_tests += 1;
        let nearer = distance_within(&of_a.corners, &of_b.corners, least);
        if let Some(nearest) = nearer.filter(|nearest| nearest.distance < least) {
            self.nearest = Some((TrianglePair { a, b }, nearest));
        }
    }
}

/// Shows the triangles of a mesh that may be nearest to the core of a convex shape, given what is
/// above the distance of those seen so far; false if there are too many, or if it cannot be told.
pub(super) fn search(
    mesh: &Extremes,
    placed: &Placed<'_>,
    body: &Body<'_>,
    found: &mut Found,
    mut look: impl FnMut(u32) -> f64,
) -> Option<Stats> {
    let pose = placed.pose();
    let bodies = Bodies::new(mesh.body(pose), *body);
    let gap = convex::gap(&bodies, Goal::Narrow, None);
    let slack = 4.0 * slack(bodies.a.size() + bodies.b.size());
    if !(gap.lower > slack) {
        return None;
    }
    // From the mesh to the shape, here and in the mesh's frame.
    let along = -gap.normal;
    let own = pose.map_or(along, |pose| pose.rotation().transpose() * along);
    let reach = mesh.reach(own);
    let moved = pose.map_or(0.0, |pose| along.dot(pose.translation()));
    let apart = body.lowest(along).dot(along) - moved - reach;
    let view = View::along(along);
    let (low, high) = view.around(body);
    let mut stats = Stats::default();
    let (mut depth, mut least) = (slack, f64::INFINITY);
    for _ in 0..2 {
        if !mesh.beyond(own, reach - depth, &mut found.a) {
            return None;
        }
        found.gaps.clear();
        let gap = |&triangle: &u32| (view.seen(placed.triangle(triangle)).squared_gap(low, high), triangle);
        found.gaps.extend(found.a.iter().map(gap));
        // The nearest box first: the others are mostly too far then.
        found.gaps.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        for &(gap, triangle) in &found.gaps {
            if gap > (least + slack) * (least + slack) {
                break;
            }
            stats.triangle_tests += 1;
            least = look(triangle);
        }
        // Deeper triangles may be nearer yet. Those of the second round are all.
        let deeper = least - apart + slack;
        if deeper <= depth {
            break;
        }
        depth = deeper;
    }
    Some(stats)
}
