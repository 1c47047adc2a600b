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
use super::curvature::{self, Cap};
use super::gjk::{ROUNDING, Vertex};
use super::surface::{Surface, VISIBLE};
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
    surface: Surface,
}

/// Vertices of a polytope: more than any search needs that still narrows its interval.
const MANY: usize = 1_000;

/// How wide the interval of round bodies may stay, in the common unit: a billionth of their size.
/// Each digit takes as many vertices as the one before.
const NARROW: f64 = 1e-10;

/// With so many vertices a cap is sought for the first time.
const FIRST_CAP: usize = 6;

/// The depth of two bodies that touch or overlap. Lengths in the bodies' ordinary unit.
pub(crate) fn depth(bodies: &Bodies<'_>, room: &mut Room) -> Depth {
    let (covered, next_cap) = (f64::INFINITY, FIRST_CAP);
    let mut search = Search { bodies, room, best: None, lower: 0.0, cap: None, covered, next_cap };
    search.run();
    search.finish()
}

struct Search<'d, 's> {
    bodies: &'d Bodies<'s>,
    room: &'d mut Room,
    /// The smallest support so far, its direction and vertex.
    best: Option<(f64, DVec3, Vertex)>,
    lower: f64,
    /// Around the best direction, where the bodies are smooth.
    cap: Option<Cap>,
    /// What is proven of the faces that caps have covered.
    covered: f64,
    /// With so many vertices the next cap is sought.
    next_cap: usize,
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
        let is_flat = self.bodies.are_flat();
        let narrow = if is_flat { 0.5 * ROUNDING } else { NARROW };
        loop {
            let upper = self.best.map_or(f64::INFINITY, |(upper, ..)| upper);
            let Some((index, nearest)) = self.room.surface.nearest(upper) else {
                // No face is nearer than that.
                self.lower = upper.min(self.covered);
                return;
            };
            if let Some(cap) = self.cap.filter(|cap| cap.covers(nearest.normal, nearest.certain())) {
                self.covered = self.covered.min(cap.floor);
                self.room.surface.pass();
                continue;
            }
            // Each surface proves its own bound.
            self.lower = self.lower.max(nearest.certain().min(self.covered));
            let (reach, vertex) = self.ask(nearest.normal);
            let is_narrow = upper.min(reach) - nearest.height.min(self.covered) <= narrow;
            let stuck = reach - nearest.height <= VISIBLE || self.is_known(&vertex);
            let count = self.room.vertices.len();
            if is_narrow || stuck || count >= MANY {
                return;
            }
            self.room.vertices.push(vertex);
            let inside = self.lower > 0.0;
            if !self.room.surface.expand(index, &self.room.vertices, inside) {
                return;
            }
            if !is_flat && inside && count >= self.next_cap {
                self.seek_cap(count);
            }
        }
    }

    /// Where the bodies are smooth, looks for the least support next to the best so far, and how
    /// far around it nothing is less.
    fn seek_cap(&mut self, count: usize) {
        self.next_cap = 2 * count;
        let Some((upper, direction, _)) = self.best else { return };
        // One that was found is good until something better is known.
        if self.cap.is_some_and(|cap| cap.floor <= upper + NARROW) {
            self.next_cap = count + 1;
            return;
        }
        self.cap = None;
        let Some(least) = curvature::least_near(self.bodies, direction) else { return };
        if least.height < upper {
            self.best = Some((least.height, least.direction, least.vertex));
        }
        self.cap = Cap::around(self.bodies, &least);
    }

    fn is_known(&self, vertex: &Vertex) -> bool {
        self.room.vertices.iter().any(|known| known.point == vertex.point)
    }

    /// A first tetrahedron. False: the difference is flat, and the bound for its normal is known.
    fn begin(&mut self) -> bool {
        self.room.vertices.clear();
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
        self.room.surface.begin(&self.room.vertices, above, self.bodies.are_flat())
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
