//! Penetration depth of two convex bodies: the shortest translation that takes them apart. The
//! expanding polytope algorithm (EPA) with a certificate.
//!
//! The depth is the distance of the origin from the boundary of the Minkowski difference. A closed
//! surface of triangles between its points, each seen from the origin from behind, leaves room for
//! a ball: the depth is not smaller than the distance of the nearest triangle, or of its plane. And
//! no point of the difference is farther along a direction than its support: the depth is not
//! larger. The triangle that is nearest is replaced by three that reach as far as the difference
//! does, until the bounds meet.

use super::Bodies;
use super::gjk::{ROUNDING, Vertex};
use super::simplex;
use crate::primitive::distance::double_double::Vector;
use glam::DVec3;

/// The depth of two bodies that overlap, as an interval.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Depth {
    /// Not below this; 0 where no overlap was proven.
    pub(crate) lower: f64,
    /// Not above this: moving b by this length along the normal leaves no overlap.
    pub(crate) upper: f64,
    /// Unit vector, from a to b.
    pub(crate) normal: DVec3,
    /// The points of the bodies farthest into each other along the normal, to rounding.
    pub(crate) on_a: DVec3,
    pub(crate) on_b: DVec3,
}

/// Working memory of a search for the depth.
#[derive(Debug, Default)]
pub(crate) struct Room {
    vertices: Vec<Vertex>,
    faces: Vec<Face>,
    /// Edges of the hole where faces were removed.
    rim: Vec<[u32; 2]>,
}

#[derive(Debug, Clone, Copy)]
struct Face {
    corners: [u32; 3],
    /// Unit vector, outwards.
    normal: DVec3,
    /// Distance of the plane from the origin, negative if the origin is outside.
    height: f64,
    /// How far the height may be off.
    error: f64,
}

impl Face {
    /// None for three points on a line, as far as rounding can tell.
    fn new(vertices: &[Vertex], corners: [u32; 3]) -> Option<Self> {
        let [a, b, c] = corners.map(|corner| vertices[corner as usize].point);
        let (ab, ac, bc) = (b - a, c - a, c - b);
        // From the corner between the two shorter edges: least cancellation.
        let longest = ab.length_squared().max(ac.length_squared()).max(bc.length_squared());
        let normal = if bc.length_squared() == longest {
            ab.cross(ac)
        } else if ac.length_squared() == longest {
            bc.cross(-ab)
        } else {
            ac.cross(bc)
        };
        let area = normal.length();
        // The plane of a thin triangle is turned by rounding: it needs more digits.
        if longest > 8.0 * area {
            return Self::thin(vertices, corners);
        }
        let error = 9.0 * ROUNDING;
        let normal = normal / area;
        let height = normal.dot(a).min(normal.dot(b)).min(normal.dot(c));
        (area > 0.0).then_some(Self { corners, normal, height, error })
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
        if largest > 0.0 && error < 1e-12 {
            let height = points.map(|point| unit.dot(point)).into_iter().fold(f64::INFINITY, f64::min);
            return Some(Self { corners, normal: unit, height, error });
        }
        // Next to nothing: not its plane, but itself is that far from the origin.
        let nearest = simplex::nearest(&points).point;
        let height = nearest.length();
        (height > ROUNDING).then(|| Self { corners, normal: nearest / height, height, error: ROUNDING })
    }

    fn edges(&self) -> [[u32; 2]; 3] {
        let [a, b, c] = self.corners;
        [[a, b], [b, c], [c, a]]
    }
}

/// A vertex this far above a face's plane sees it; less may be rounding, of a vertex in that plane.
const VISIBLE: f64 = 2.0 * ROUNDING;

/// Vertices of a polytope: more than any search needs that still narrows its interval.
const MANY: usize = 1_000;

/// The depth of two bodies that touch or overlap. Lengths in the bodies' ordinary unit.
pub(crate) fn depth(bodies: &Bodies<'_>, room: &mut Room) -> Depth {
    let mut search = Search { bodies, room, best: None, lower: 0.0 };
    search.run();
    search.finish()
}

struct Search<'d, 's> {
    bodies: &'d Bodies<'s>,
    room: &'d mut Room,
    /// The smallest support so far, its direction and vertex.
    best: Option<(f64, DVec3, Vertex)>,
    lower: f64,
}

impl Search<'_, '_> {
    /// The vertex farthest along a unit vector, which is also an upper bound.
    fn ask(&mut self, direction: DVec3) -> (f64, Vertex) {
        let vertex = self.bodies.vertex(-direction);
        let reach = direction.dot(vertex.point);
        if self.best.is_none_or(|(known, ..)| reach < known) {
            self.best = Some((reach, direction, vertex));
        }
        (reach, vertex)
    }

    fn run(&mut self) {
        if !self.begin() {
            return;
        }
        while let Some((index, nearest)) = self.nearest_face() {
            // Each surface proves its own bound.
            self.lower = self.lower.max(nearest.height - nearest.error);
            let (reach, vertex) = self.ask(nearest.normal);
            let upper = self.best.map_or(f64::INFINITY, |(upper, ..)| upper);
            let narrow = upper - nearest.height <= 0.5 * ROUNDING;
            let stuck = reach - nearest.height <= VISIBLE || self.is_known(&vertex);
            if narrow || stuck || self.room.vertices.len() >= MANY || !self.expand(index, vertex) {
                return;
            }
        }
    }

    fn is_known(&self, vertex: &Vertex) -> bool {
        self.room.vertices.iter().any(|known| known.point == vertex.point)
    }

    /// The face with the least certain height: what the lower bound is made of.
    fn nearest_face(&self) -> Option<(usize, Face)> {
        let by_height =
            |(_, p): &(usize, &Face), (_, q): &(usize, &Face)| (p.height - p.error).total_cmp(&(q.height - q.error));
        self.room.faces.iter().enumerate().min_by(by_height).map(|(index, face)| (index, *face))
    }

    /// A first tetrahedron. False: the difference is flat, and the bound for its normal is known.
    fn begin(&mut self) -> bool {
        self.room.vertices.clear();
        self.room.faces.clear();
        let ends: [Vertex; 6] =
            [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z].map(|axis| self.ask(axis).1);
        let widest = [0, 2, 4].into_iter().max_by(|&i, &j| {
            let width = |i: usize| (ends[i].point - ends[i + 1].point).length();
            width(i).total_cmp(&width(j))
        });
        let first = widest.unwrap_or(0);
        let (a, b) = (ends[first], ends[first + 1]);
        let Some(along) = (b.point - a.point).try_normalize() else { return false };
        // Across the line, both ways in two directions.
        let across = along.any_orthonormal_vector();
        let sideways = [across, along.cross(across)].into_iter().flat_map(|side| [side, -side]);
        let from_line = |vertex: &Vertex| (vertex.point - a.point).reject_from_normalized(along);
        let candidates = sideways.map(|side| self.ask(side).1).collect::<arrayvec::ArrayVec<_, 4>>();
        let far = candidates.into_iter().max_by(|p, q| from_line(p).length().total_cmp(&from_line(q).length()));
        let Some(c) = far.filter(|vertex| from_line(vertex).length() > ROUNDING) else { return false };
        let Some(normal) = along.cross(from_line(&c)).try_normalize() else { return false };
        let ups = [normal, -normal].map(|up| self.ask(up).1);
        let height = |vertex: &Vertex| normal.dot(vertex.point - a.point).abs();
        let d = if height(&ups[0]) >= height(&ups[1]) { ups[0] } else { ups[1] };
        if height(&d) <= ROUNDING {
            return false;
        }
        self.room.vertices.extend([a, b, c, d]);
        let above = normal.dot(d.point - a.point) > 0.0;
        let faces = if above {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        } else {
            [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]]
        };
        for corners in faces {
            let Some(face) = Face::new(&self.room.vertices, corners) else { return false };
            self.room.faces.push(face);
        }
        true
    }

    /// Replaces all faces that see the vertex from outside. False: rounding forbids it, and the
    /// surface is as it was.
    fn expand(&mut self, nearest: usize, vertex: Vertex) -> bool {
        let Room { vertices, faces, rim } = &mut *self.room;
        let sees = |face: &Face| face.normal.dot(vertex.point) > face.height + VISIBLE;
        let mut seen: Vec<usize> = (0..faces.len()).filter(|&index| index != nearest && sees(&faces[index])).collect();
        // Those that hang together with the nearest one: the hole has one rim.
        let mut removed = vec![nearest];
        rim.clear();
        rim.extend(faces[nearest].edges());
        while let Some(at) =
            seen.iter().position(|&index| faces[index].edges().iter().any(|&[from, to]| rim.contains(&[to, from])))
        {
            let index = seen.swap_remove(at);
            removed.push(index);
            rim.extend(faces[index].edges());
        }
        removed.sort_unstable();
        // Edges between two removed faces are inside of the hole. The bound needs a closed surface:
        // an edge that is there twice could leave it open.
        rim.sort_unstable();
        if rim.windows(2).any(|pair| pair[0] == pair[1]) {
            return false;
        }
        let all = std::mem::take(rim);
        rim.extend(all.iter().filter(|edge| all.binary_search(&[edge[1], edge[0]]).is_err()));
        let new = vertices.len() as u32;
        vertices.push(vertex);
        let mut made = Vec::with_capacity(rim.len());
        for &[from, to] in rim.iter() {
            match Face::new(vertices, [from, to, new]) {
                // A face that the origin is outside of would undo what is proven.
                Some(face) if self.lower <= 0.0 || face.height > 0.0 => made.push(face),
                _ => {
                    vertices.pop();
                    return false;
                }
            }
        }
        for index in removed.into_iter().rev() {
            faces.swap_remove(index);
        }
        faces.extend(made);
        true
    }

    fn finish(&self) -> Depth {
        let length = self.bodies.length;
        let Some((reach, normal, vertex)) = self.best else {
            let zero = DVec3::ZERO;
            return Depth { lower: 0.0, upper: 0.0, normal: DVec3::X, on_a: zero, on_b: zero };
        };
        let upper = (reach + ROUNDING).max(0.0);
        Depth {
            lower: self.lower.clamp(0.0, upper) * length,
            upper: upper * length,
            normal,
            on_a: vertex.on_a * length,
            on_b: vertex.on_b * length,
        }
    }
}
