//! The point of a simplex nearest to the origin, for up to four corners.
//!
//! Whatever rounding does, the answer is a convex combination of corners with weights that are not
//! negative: a point of the simplex, and an upper bound of the distance.

use super::gjk::{ROUNDING, Vertex};
use glam::DVec3;

/// One to four vertices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Simplex {
    pub(super) vertices: [Vertex; 4],
    pub(super) count: usize,
}

impl std::ops::Deref for Simplex {
    type Target = [Vertex];

    #[inline]
    fn deref(&self) -> &[Vertex] {
        &self.vertices[..self.count]
    }
}

impl Simplex {
    #[inline]
    pub(super) fn push(&mut self, vertex: Vertex) {
        self.vertices[self.count] = vertex;
        self.count += 1;
    }

    pub(super) fn is_full(&self) -> bool {
        self.count == self.vertices.len()
    }

    /// Forgets all vertices but these.
    #[inline]
    pub(super) fn keep(&mut self, kept: impl ExactSizeIterator<Item = usize>) {
        let (old, count) = (self.vertices, kept.len());
        for (at, known) in kept.enumerate() {
            if at != known {
                self.vertices[at] = old[known];
            }
        }
        self.count = count;
    }
}

/// A point of a simplex, as weights of the corners that it lies between.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// How many corners carry it.
    pub(super) count: usize,
    /// Which ones.
    pub(super) corners: [u8; 4],
    /// Their weights: none negative, the sum is one.
    pub(super) weights: [f64; 4],
    pub(super) point: DVec3,
}

impl Nearest {
    fn at(corner: u8, point: DVec3) -> Self {
        Self { count: 1, corners: [corner, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0], point }
    }

    fn nearer(self, other: Self) -> Self {
        if other.point.length_squared() < self.point.length_squared() { other } else { self }
    }
}

/// Of one to four corners. With four of them and the origin inside, the point is the origin to
/// rounding.
#[inline]
pub(super) fn nearest(corners: &[DVec3]) -> Nearest {
    nearest_of(corners.len(), |corner| corners[corner])
}

/// The same of corners by their numbers.
#[inline]
pub(super) fn nearest_of(count: usize, at: impl Fn(usize) -> DVec3) -> Nearest {
    match count {
        1 => Nearest::at(0, at(0)),
        2 => segment([0, 1], at(0), at(1)),
        3 => triangle([0, 1, 2], at(0), at(1), at(2)),
        4 => tetrahedron(at(0), at(1), at(2), at(3)),
        _ => unreachable!("a simplex in space has one to four corners"),
    }
}

#[inline]
fn segment([i, j]: [u8; 2], a: DVec3, b: DVec3) -> Nearest {
    let edge = b - a;
    let (along, square) = (-a.dot(edge), edge.length_squared());
    // Written so that a segment without length is its first corner.
    if !(along > 0.0) {
        return Nearest::at(i, a);
    }
    if along >= square {
        return Nearest::at(j, b);
    }
    let t = along / square;
    Nearest { count: 2, corners: [i, j, 0, 0], weights: [1.0 - t, t, 0.0, 0.0], point: a + edge * t }
}

/// By the regions of the triangle's corners, edges and face.
#[inline]
fn triangle([i, j, k]: [u8; 3], a: DVec3, b: DVec3, c: DVec3) -> Nearest {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let area = normal.length_squared();
    // Twice the areas that the origin's projection makes with the edges, times the normal.
    let (u, v, w) = (normal.dot(b.cross(c)), normal.dot(c.cross(a)), normal.dot(a.cross(b)));
    if u > 0.0 && v > 0.0 && w > 0.0 && area > 0.0 {
        let sum = u + v + w;
        let weights = [u / sum, v / sum, w / sum, 0.0];
        // The foot on the plane: better than the weighted sum where the triangle is near.
        let point = normal * (normal.dot(a) / area);
        return Nearest { count: 3, corners: [i, j, k, 0], weights, point };
    }
    // Beyond at most two edges; all three where the triangle is flat.
    let flat = !(area > 0.0);
    let mut best: Option<Nearest> = None;
    let mut offer = |candidate: Nearest| best = Some(best.map_or(candidate, |known| known.nearer(candidate)));
    if w <= 0.0 || flat {
        offer(segment([i, j], a, b));
    }
    if u <= 0.0 || flat {
        offer(segment([j, k], b, c));
    }
    if v <= 0.0 || flat {
        offer(segment([k, i], c, a));
    }
    best.unwrap_or_else(|| segment([i, j], a, b))
}

fn tetrahedron(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Nearest {
    let (ad, bd, cd) = (a - d, b - d, c - d);
    let volume = ad.dot(bd.cross(cd));
    // Volumes with the origin in a corner's place: weights of that corner, times the volume.
    let volumes = [-b.dot(c.cross(d)), a.dot(c.cross(d)), -a.dot(b.cross(d)), a.dot(b.cross(c))];
    let sign = if volume == 0.0 { f64::NAN } else { volume.signum() };
    let weights = volumes.map(|part| part * sign);
    if weights.iter().all(|&weight| weight > 0.0) {
        let sum: f64 = weights.iter().sum();
        let weights = weights.map(|weight| weight / sum);
        // Not the origin itself: of a thin tetrahedron the signs may be wrong.
        let point = a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3];
        return Nearest { count: 4, corners: [0, 1, 2, 3], weights, point };
    }
    let mut best: Option<Nearest> = None;
    let faces = [([1, 2, 3], b, c, d), ([0, 2, 3], a, c, d), ([0, 1, 3], a, b, d), ([0, 1, 2], a, b, c)];
    for (weight, (names, p, q, r)) in weights.into_iter().zip(faces) {
        if !(weight > 0.0) {
            let candidate = triangle(names, p, q, r);
            best = Some(best.map_or(candidate, |known| known.nearer(candidate)));
        }
    }
    best.unwrap_or_else(|| triangle([0, 1, 2], a, b, c))
}

/// How far the origin is inside a tetrahedron, at least: the distance from the nearest face's plane
/// less what rounding may have added. Negative or not a number where that is not certain.
pub(super) fn depth_inside([a, b, c, d]: [DVec3; 4]) -> f64 {
    let faces = [(b, c, d, a), (c, d, a, b), (d, a, b, c), (a, b, c, d)];
    let mut least = f64::INFINITY;
    for (p, q, r, opposite) in faces {
        let (e, f, g) = (q - p, r - p, r - q);
        let normal = e.cross(f);
        let area = normal.length();
        let inward = normal * normal.dot(opposite - p).signum();
        // The plane of a thin face is turned by rounding.
        let longest = e.length_squared().max(f.length_squared()).max(g.length_squared());
        let depth = -inward.dot(p) / area - ROUNDING * (longest / area);
        least = if depth >= least { least } else { depth };
    }
    least
}
