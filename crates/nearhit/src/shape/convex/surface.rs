//! A closed surface of triangles around the origin, which grows: the polytope of
//! [EPA](super::epa), its faces linked across their edges and ordered by their distance.

use super::gjk::{ROUNDING, Vertex};
use super::simplex;
use crate::primitive::distance::double_double::Vector;
use glam::DVec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A triangle between three vertices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    corners: [u32; 3],
    /// The face beyond the edge that begins at each corner.
    beyond: [u32; 3],
    /// Unit vector, outwards.
    pub(super) normal: DVec3,
    /// Distance of the plane from the origin, negative if the origin is outside.
    pub(super) height: f64,
    /// How far the height may be off.
    pub(super) error: f64,
    /// Replaced by others.
    is_gone: bool,
}

/// How long triangles may be for their width, before their planes are computed with more digits.
/// Up to 8 their planes are off by no more than the bound of any other.
const SLENDER: f64 = 8.0;

impl Face {
    /// None for three points on a line, as far as rounding can tell.
    fn new(vertices: &[Vertex], corners: [u32; 3], thinnest: f64) -> Option<Self> {
        let [a, b, c] = corners.map(|corner| vertices[corner as usize].point);
        let (ab, ac, bc) = (b - a, c - a, c - b);
        let (ab_square, ac_square, bc_square) = (ab.length_squared(), ac.length_squared(), bc.length_squared());
        // From the corner between the two shorter edges: least cancellation.
        let longest = ab_square.max(ac_square).max(bc_square);
        let normal = if bc_square == longest {
            ab.cross(ac)
        } else if ac_square == longest {
            bc.cross(-ab)
        } else {
            ac.cross(bc)
        };
        let area = normal.length();
        // The plane of a thin triangle is turned by rounding: it needs more digits.
        if !(longest <= thinnest * area) {
            return Self::thin(vertices, corners);
        }
        let error = 9.0 * ROUNDING * (longest / (SLENDER * area)).max(1.0);
        let normal = normal / area;
        let height = normal.dot(a).min(normal.dot(b)).min(normal.dot(c));
        (area > 0.0).then_some(Self { corners, beyond: [0; 3], normal, height, error, is_gone: false })
    }

    /// In numbers of 106 bits.
    #[cold]
    fn thin(vertices: &[Vertex], corners: [u32; 3]) -> Option<Self> {
        let exact = |vertex: &Vertex| Vector::between(vertex.on_b, vertex.on_a);
        let [a, b, c] = corners.map(|corner| exact(&vertices[corner as usize]));
        let normal = (b - a).cross(c - a);
        let largest = normal.rounded().abs().max_element();
        let unit = (normal.rounded() / largest).normalize_or_zero();
        let longest = [b - a, c - a, c - b].map(|edge| edge.dot(edge).rounded()).into_iter().fold(0.0, f64::max);
        // Still off by the rounding of the corners themselves, if they are not exact.
        let error = 2.0 * ROUNDING + 1e-28 * (longest / largest);
        let points = corners.map(|corner| vertices[corner as usize].point);
        let face = |normal: DVec3, height: f64, error: f64| Self {
            corners,
            beyond: [0; 3],
            normal,
            height,
            error,
            is_gone: false,
        };
        if largest > 0.0 && error < 1e-12 {
            let height = points.map(|point| unit.dot(point)).into_iter().fold(f64::INFINITY, f64::min);
            return Some(face(unit, height, error));
        }
        // Next to nothing: not its plane, but itself is that far from the origin.
        let nearest = simplex::nearest(&points).point;
        let height = nearest.length();
        (height > ROUNDING).then(|| face(nearest / height, height, ROUNDING))
    }

    /// What is certain of its distance.
    pub(super) fn certain(&self) -> f64 {
        self.height - self.error
    }

    fn is_seen_from(&self, point: DVec3) -> bool {
        self.normal.dot(point) > self.height + VISIBLE
    }
}

/// A vertex this far above a face's plane sees it; less may be rounding, of a vertex in that plane.
pub(super) const VISIBLE: f64 = 2.0 * ROUNDING;

/// A face by what is certain of its distance: the nearest first.
#[derive(Debug, Clone, Copy)]
struct Entry {
    certain: f64,
    face: u32,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.certain.total_cmp(&self.certain).then(other.face.cmp(&self.face))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

/// An edge of the hole where faces were removed, and the face that is left beyond it.
#[derive(Debug, Clone, Copy)]
struct Edge {
    from: u32,
    to: u32,
    beyond: u32,
}

/// The surface.
#[derive(Debug, Default)]
pub(super) struct Surface {
    faces: Vec<Face>,
    order: BinaryHeap<Entry>,
    rim: Vec<Edge>,
    removed: Vec<u32>,
    /// How long triangles may be for their width.
    thinnest: f64,
    /// Farther faces do not matter.
    most: f64,
}

impl Surface {
    /// A tetrahedron, `above` if its last corner lies above the first three. False: it is flat.
    pub(super) fn begin(&mut self, vertices: &[Vertex], above: bool, is_flat: bool) -> bool {
        self.faces.clear();
        self.order.clear();
        self.most = f64::INFINITY;
        self.thinnest = if is_flat { 2.0 * SLENDER } else { 128.0 * SLENDER };
        // Beyond each edge: the other face that has it.
        let faces: [([u32; 3], [u32; 3]); 4] = if above {
            [([0, 2, 1], [3, 2, 1]), ([0, 1, 3], [0, 2, 3]), ([1, 2, 3], [0, 3, 1]), ([2, 0, 3], [0, 1, 2])]
        } else {
            [([0, 1, 2], [1, 2, 3]), ([1, 0, 3], [0, 3, 2]), ([2, 1, 3], [0, 1, 3]), ([0, 2, 3], [0, 2, 1])]
        };
        for (corners, beyond) in faces {
            let Some(face) = Face::new(vertices, corners, self.thinnest) else { return false };
            self.faces.push(Face { beyond, ..face });
        }
        for index in 0..4 {
            self.enter(index);
        }
        true
    }

    fn enter(&mut self, face: u32) {
        let certain = self.faces[face as usize].certain();
        // What is farther will not be asked for.
        if !(certain >= self.most) {
            self.order.push(Entry { certain, face });
        }
    }

    /// The face with the least certain distance, which is what a lower bound is made of; none if no
    /// face is nearer than `most`. That may not grow from one question to the next.
    pub(super) fn nearest(&mut self, most: f64) -> Option<(u32, Face)> {
        self.most = most;
        while let Some(&Entry { face, .. }) = self.order.peek() {
            let found = self.faces[face as usize];
            if !found.is_gone {
                return Some((face, found));
            }
            self.order.pop();
        }
        None
    }

    /// Leaves the nearest face as it is: it is not asked for again.
    pub(super) fn pass(&mut self) {
        self.order.pop();
    }

    /// Replaces the faces that the last vertex sees from outside by ones to it. False: rounding
    /// forbids it, and the surface is as it was. `inside` if the origin is known to be, and stays.
    pub(super) fn expand(&mut self, nearest: u32, vertices: &[Vertex], inside: bool) -> bool {
        let new = vertices.len() as u32 - 1;
        self.dig(nearest, vertices[new as usize].point);
        let first = self.faces.len() as u32;
        if !self.is_one_loop() || !self.fill(new, vertices, inside) {
            self.faces.truncate(first as usize);
            for &face in &self.removed {
                self.faces[face as usize].is_gone = false;
            }
            return false;
        }
        let count = self.rim.len() as u32;
        for (at, edge) in (first..).zip(&self.rim) {
            let neighbour = &mut self.faces[edge.beyond as usize];
            let side = (0..3).find(|&side| neighbour.corners[side] == edge.to);
            neighbour.beyond[side.unwrap_or(0)] = at;
            let (before, after) = ((at - first + count - 1) % count, (at - first + 1) % count);
            self.faces[at as usize].beyond = [edge.beyond, first + after, first + before];
        }
        for face in first..first + count {
            self.enter(face);
        }
        true
    }

    /// Removes what is connected with a face and is seen from a point; the rim is what is left.
    fn dig(&mut self, nearest: u32, point: DVec3) {
        self.rim.clear();
        self.removed.clear();
        self.removed.push(nearest);
        self.faces[nearest as usize].is_gone = true;
        let mut done = 0;
        while let Some(&index) = self.removed.get(done) {
            done += 1;
            let Face { corners, beyond, .. } = self.faces[index as usize];
            for side in 0..3 {
                let other = &mut self.faces[beyond[side] as usize];
                if !other.is_gone && other.is_seen_from(point) {
                    other.is_gone = true;
                    self.removed.push(beyond[side]);
                }
            }
            let (from, to) = (corners, [corners[1], corners[2], corners[0]]);
            self.rim.extend((0..3).map(|side| Edge { from: from[side], to: to[side], beyond: beyond[side] }));
        }
        let faces = &self.faces;
        self.rim.retain(|edge| !faces[edge.beyond as usize].is_gone);
    }

    /// Puts the edges of the rim in order. The bound needs a closed surface: a rim of several
    /// loops, or one that passes a vertex twice, could leave it open.
    fn is_one_loop(&mut self) -> bool {
        for at in 1..self.rim.len() {
            let end = self.rim[at - 1].to;
            let Some(next) = (at..self.rim.len()).find(|&i| self.rim[i].from == end) else { return false };
            self.rim.swap(at, next);
        }
        let closes = self.rim.len() > 2 && self.rim[self.rim.len() - 1].to == self.rim[0].from;
        let twice = |at: usize| self.rim[at + 1..].iter().any(|edge| edge.from == self.rim[at].from);
        closes && !(0..self.rim.len()).any(twice)
    }

    /// A face from each edge of the rim to the new vertex.
    fn fill(&mut self, new: u32, vertices: &[Vertex], inside: bool) -> bool {
        for edge in &self.rim {
            match Face::new(vertices, [edge.from, edge.to, new], self.thinnest) {
                // A face that the origin is outside of would undo what is proven.
                Some(face) if !inside || face.height > 0.0 => self.faces.push(face),
                _ => return false,
            }
        }
        true
    }
}
