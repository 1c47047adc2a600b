//! Penetration depth of convex hulls, on their Minkowski difference: the shortest translation that
//! separates them, between two bounds.
//!
//! Solids a and b + t share a point exactly when t is in the body of differences of their points.
//! For convex solids that body is convex, and the depth is the distance from zero to its boundary.
//! Points of its boundary, found along chosen directions, span a polytope within it: the nearest
//! face of that is a lower bound, and the body's reach along the face's normal an upper bound.
//! Where they differ, the point found along that normal refines the polytope (van den Bergen 2001,
//! with the hull made anew by exact signs instead of being expanded in rounded ones).

use crate::inside::Envelope;
use crate::pose::Pose;
use crate::vector::unit;
use crate::volume::hull::faces;
use glam::DVec3;

/// What is known about the depth of two hulls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HullDepth {
    /// Along this unit direction b leaves a ...
    pub(super) direction: DVec3,
    /// ... after this length, ...
    pub(super) upper: f64,
    /// ... and no translation shorter than this separates the hulls.
    pub(super) lower: f64,
}

/// Bounds closer than this share of the depth are close enough.
const CLOSE: f64 = 1e-5;
/// Rounds of refinement, each with up to [`NEW_POINTS`] new points.
const ROUNDS: usize = 24;
const NEW_POINTS: usize = 12;

/// The body of differences of two hulls, b's posed in a's frame.
#[derive(Debug)]
pub(super) struct Difference<'e> {
    pub(super) a: &'e Envelope,
    pub(super) b: &'e Envelope,
    pub(super) a_from_b: &'e Pose,
}

impl Difference<'_> {
    fn support(&self, direction: DVec3) -> DVec3 {
        let back = self.a_from_b.rotation().transpose() * -direction;
        self.a.support(direction) - self.a_from_b.apply(self.b.support(back))
    }

    /// Bounds on the hulls' depth; directions that were tried are handed to `tried`, with their
    /// reach.
    pub(super) fn depth(&self, mut tried: impl FnMut(DVec3, f64)) -> HullDepth {
        let mut points: Vec<DVec3> = Vec::new();
        let mut best = HullDepth { direction: DVec3::X, upper: f64::INFINITY, lower: 0.0 };
        let offer =
            |direction: DVec3, points: &mut Vec<DVec3>, best: &mut HullDepth, tried: &mut dyn FnMut(DVec3, f64)| {
                let point = self.support(direction);
                let upper = direction.dot(point).max(0.0);
                tried(direction, upper);
                if upper < best.upper {
                    (best.direction, best.upper) = (direction, upper);
                }
                let new = !points.contains(&point);
                if new {
                    points.push(point);
                }
                new
            };
        for start in starts() {
            offer(start, &mut points, &mut best, &mut tried);
        }
        for _ in 0..ROUNDS {
            // Normals of the polytope's faces and their distances from zero, nearest first.
            let Some(triangles) = faces(&points) else { break };
            let mut sides: Vec<(f64, DVec3)> = triangles.iter().filter_map(|&face| plane(&points, face)).collect();
            sides.sort_by(|one, other| one.0.total_cmp(&other.0));
            // A face too thin to have a direction may be the nearest: then nothing is proven.
            if sides.len() == triangles.len() {
                best.lower = best.lower.max(sides.first().map_or(0.0, |side| side.0)).min(best.upper);
            }
            if best.upper - best.lower <= CLOSE * best.upper {
                break;
            }
            let worth = best.upper * (1.0 - CLOSE);
            let candidates = sides.into_iter().filter(|side| side.0 < worth).take(NEW_POINTS);
            let found = candidates.map(|(_, normal)| offer(normal, &mut points, &mut best, &mut tried));
            if found.filter(|&new| new).count() == 0 {
                break;
            }
        }
        best
    }
}

/// Distance from zero and unit normal of a face; none for one too thin to have a direction.
fn plane(points: &[DVec3], face: [u32; 3]) -> Option<(f64, DVec3)> {
    let [a, b, c] = face.map(|corner| points[corner as usize]);
    let normal = unit((b - a).cross(c - a))?;
    Some((normal.dot(a), normal))
}

/// Along the axes, the diagonals of faces and of cubes.
pub(super) fn starts() -> impl Iterator<Item = DVec3> {
    (0..27)
        .filter(|&i| i != 13)
        .map(|i| DVec3::from_array([i % 3, i / 3 % 3, i / 9].map(|step| f64::from(step) - 1.0)).normalize())
}
