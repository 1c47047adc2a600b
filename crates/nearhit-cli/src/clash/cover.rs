//! Which points of a surface are away from another surface, and which of those are inside it?
//!
//! Two parts in contact clash hard where a point of one lies inside the other, farther than the tolerance from its surface. Depths found by sampling cannot tell that apart from faces that only lie on
//! each other, so it is decided the other way round. From every triangle of a all that is near a triangle of b is cut off: the triangle of b, thickened to a slab. What is left keeps a distance from b's surface,
//! so every piece of it is wholly inside or wholly outside, and one point tells.
//!
//! A slab has the planes of the triangle moved by the radius up and down, of its edges moved outwards, and of its corners cut square: it contains everything within the radius, and no point of it is farther
//! than the square root of three times the radius. With a radius of 0.57 tolerances, all that is deeper than the tolerance is left over, and nothing that is left over is less deep than half of it.

use anyhow::Result;
use glam::DVec3;
use nearhit::{Model, NearPair, Pose, Scratch, Triangle};

/// Half the thickness of a slab, in tolerances.
pub(super) const RADIUS: f64 = 0.57;
/// Cuts by less than this share of the radius are not made: rounding would leave slivers.
const SLIVER: f64 = 1e-3;
/// More slabs than these are divided among halves of the piece first.
const MANY: usize = 24;
/// Depths are looked up at no more pieces than these.
const MOST_SAMPLES: usize = 2000;

/// What is left of a surface.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Leftover {
    /// Is anything left at all? If not, the whole surface lies on the other one.
    pub(super) any: bool,
    /// Is anything left outside the other part?
    pub(super) outside: bool,
    /// The deepest point seen inside it.
    pub(super) inside: Option<Sample>,
}

/// A point of one surface inside the other part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    /// In the frame of the part whose surface it is on.
    pub(super) point: DVec3,
    /// The nearest point of the other's surface, in the same frame.
    pub(super) closest: DVec3,
    pub(super) depth: f64,
}

/// One surface and another, from the side of the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'m> {
    pub(super) own: &'m Model,
    pub(super) other: &'m Model,
    pub(super) other_from_own: Pose,
    pub(super) tolerance: f64,
}

impl Side<'_> {
    /// `near`: all pairs of triangles (own first) within the tolerance, sorted.
    pub(super) fn leftover(&self, near: &[(u32, u32)], scratch: &mut Scratch) -> Result<Leftover> {
        let own_from_other = self.other_from_own.inverse();
        let mut look = Look { side: self, own_from_other, found: Leftover::default(), samples: 0, scratch };
        look.away(near)?;
        for group in near.chunk_by(|one, other| one.0 == other.0) {
            let radius = RADIUS * self.tolerance;
            let slab = |&(_, other): &(u32, u32)| {
                Slab::new(self.other.mesh().triangle(other).map(|corner| own_from_other.apply(corner)), radius)
            };
            let slabs: Vec<Slab> = group.iter().map(slab).collect();
            look.pieces(self.own.mesh().triangle(group[0].0).to_vec(), slabs)?;
        }
        Ok(look.found)
    }
}

struct Look<'l, 'm> {
    side: &'l Side<'m>,
    own_from_other: Pose,
    found: Leftover,
    samples: usize,
    scratch: &'l mut Scratch,
}

impl Look<'_, '_> {
    /// Triangles that are near nothing, connected ones together: one vertex tells of all.
    fn away(&mut self, near: &[(u32, u32)]) -> Result<()> {
        let mesh = self.side.own.mesh();
        let mut is_away = vec![true; mesh.triangles().len()];
        near.iter().for_each(|&(own, _)| is_away[own as usize] = false);
        let mut islands = Islands::new(mesh.vertices().len());
        let away =
            || (0..is_away.len()).filter(|&triangle| is_away[triangle]).map(|triangle| mesh.triangles()[triangle]);
        away().for_each(|[a, b, c]| {
            islands.join(a, b);
            islands.join(b, c);
        });
        let mut seen = vec![false; mesh.vertices().len()];
        for [vertex, ..] in away() {
            let island = islands.root(vertex) as usize;
            if !std::mem::replace(&mut seen[island], true) {
                self.piece(&[mesh.vertices()[vertex as usize]])?;
            }
        }
        Ok(())
    }

    fn pieces(&mut self, piece: Vec<DVec3>, mut slabs: Vec<Slab>) -> Result<()> {
        let (low, high) = bounds(&piece);
        slabs.retain(|slab| slab.low.cmple(high).all() && low.cmple(slab.high).all());
        if slabs.len() > MANY {
            let size = high - low;
            let axis = DVec3::AXES[if size.x >= size.y.max(size.z) { 0 } else { usize::from(size.z > size.y) + 1 }];
            let plane = Plane { normal: axis, offset: axis.dot(low * 0.5 + high * 0.5) };
            // Slabs that all lie on one another would be divided for ever.
            if size.max_element() > slabs[0].radius {
                let (inside, outside) = plane.cut(&piece, 0.0);
                for half in [inside, outside].into_iter().flatten() {
                    self.pieces(half, slabs.clone())?;
                }
                return Ok(());
            }
        }
        let mut pieces = vec![piece];
        for slab in &slabs {
            let mut left = Vec::with_capacity(pieces.len());
            pieces.drain(..).for_each(|piece| slab.subtract_from(piece, &mut left));
            pieces = left;
        }
        pieces.iter().try_for_each(|piece| self.piece(piece))
    }

    /// A piece that is away from the other surface.
    fn piece(&mut self, corners: &[DVec3]) -> Result<()> {
        self.found.any = true;
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let point = self.side.other_from_own.apply(middle);
        if !self.side.other.contains(point, self.scratch)?.is_in_solid() {
            self.found.outside = true;
            return Ok(());
        }
        for &corner in std::iter::once(&middle).chain(corners) {
            if self.samples < MOST_SAMPLES || self.found.inside.is_none() {
                self.sample(corner)?;
            }
        }
        Ok(())
    }

    fn sample(&mut self, point: DVec3) -> Result<()> {
        self.samples += 1;
        let closest = self.side.other.closest_point(self.side.other_from_own.apply(point), self.scratch)?;
        // Less deep than anything that a slab leaves over: the slab was lost to an overflow, and this is no clash.
        let is_left_over = closest.distance >= 0.5 * self.side.tolerance;
        if is_left_over && self.found.inside.is_none_or(|best| closest.distance > best.depth) {
            let (depth, closest) = (closest.distance, self.own_from_other.apply(closest.point));
            self.found.inside = Some(Sample { point, closest, depth });
        }
        Ok(())
    }
}

/// Points where `normal · x <= offset` are inside.
#[derive(Debug, Clone, Copy)]
struct Plane {
    normal: DVec3,
    offset: f64,
}

impl Plane {
    fn through(point: DVec3, normal: DVec3, moved: f64) -> Self {
        Self { normal, offset: normal.dot(point) + moved }
    }

    /// The parts of a convex polygon inside and outside. It is not cut where it juts out by no more than `sliver`.
    fn cut(&self, polygon: &[DVec3], sliver: f64) -> (Option<Vec<DVec3>>, Option<Vec<DVec3>>) {
        let heights: Vec<f64> = polygon.iter().map(|point| self.normal.dot(*point) - self.offset).collect();
        if heights.iter().all(|&height| height <= sliver) {
            return (Some(polygon.to_vec()), None);
        }
        if heights.iter().all(|&height| height >= 0.0) {
            return (None, Some(polygon.to_vec()));
        }
        let (mut inside, mut outside) = (Vec::with_capacity(polygon.len() + 1), Vec::with_capacity(polygon.len() + 1));
        for (i, (&point, &height)) in polygon.iter().zip(&heights).enumerate() {
            let (next, next_height) = (polygon[(i + 1) % polygon.len()], heights[(i + 1) % polygon.len()]);
            if height <= 0.0 {
                inside.push(point);
            }
            if height >= 0.0 {
                outside.push(point);
            }
            if height * next_height < 0.0 {
                let crossing = point + (next - point) * (height / (height - next_height));
                inside.push(crossing);
                outside.push(crossing);
            }
        }
        (Some(inside), Some(outside))
    }
}

/// A thickened triangle.
#[derive(Debug, Clone)]
struct Slab {
    planes: Vec<Plane>,
    radius: f64,
    low: DVec3,
    high: DVec3,
}

impl Slab {
    fn new(corners: Triangle, radius: f64) -> Self {
        let [a, b, c] = corners;
        let mut planes = Vec::with_capacity(8);
        // A triangle without area is left out: what is near it is near its neighbours, or a line.
        if let Some(up) = (b - a).cross(c - a).try_normalize() {
            planes.extend([Plane::through(a, up, radius), Plane::through(a, -up, radius)]);
            let sides =
                [(a, b, c), (b, c, a), (c, a, b)].map(|(p, q, r)| ((q - p).normalize(), (r - p).normalize(), p));
            for (along, _, p) in sides {
                planes.push(Plane::through(p, along.cross(up), radius));
            }
            for (along, other, p) in sides {
                if let Some(out) = (-along - other).try_normalize() {
                    planes.push(Plane::through(p, out, radius));
                }
            }
        }
        let (low, high) = bounds(&corners);
        Self { planes, radius, low: low - radius, high: high + radius }
    }

    /// Adds what is left of a piece.
    fn subtract_from(&self, piece: Vec<DVec3>, left: &mut Vec<Vec<DVec3>>) {
        let (low, high) = bounds(&piece);
        if self.planes.is_empty() || !(self.low.cmple(high).all() && low.cmple(self.high).all()) {
            left.push(piece);
            return;
        }
        let (mut rest, mut cut_off) = (piece.clone(), Vec::new());
        for plane in &self.planes {
            let (inside, outside) = plane.cut(&rest, SLIVER * self.radius);
            cut_off.extend(outside);
            match inside {
                Some(inside) => rest = inside,
                // Nothing of it is in the slab after all.
                None => return left.push(piece),
            }
        }
        left.append(&mut cut_off);
    }
}

fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), point| (low.min(*point), high.max(*point)))
}

/// Vertices joined by triangles.
struct Islands {
    parent: Vec<u32>,
}

impl Islands {
    fn new(vertices: usize) -> Self {
        Self { parent: (0..vertices as u32).collect() }
    }

    fn root(&mut self, mut vertex: u32) -> u32 {
        while self.parent[vertex as usize] != vertex {
            let above = self.parent[self.parent[vertex as usize] as usize];
            self.parent[vertex as usize] = above;
            vertex = above;
        }
        vertex
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.parent[one as usize] = other;
    }
}

/// The pairs as seen from a and from b.
pub(super) fn both_ways(near: &[NearPair]) -> [Vec<(u32, u32)>; 2] {
    let from_a: Vec<(u32, u32)> = near.iter().map(|near| (near.pair.a, near.pair.b)).collect();
    let mut from_b: Vec<(u32, u32)> = near.iter().map(|near| (near.pair.b, near.pair.a)).collect();
    from_b.sort_unstable();
    [from_a, from_b]
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    /// All that is within the radius, and nothing that is farther than the square root of three times it; needles included.
    #[test]
    fn a_slab_is_a_thick_triangle() {
        let mut rng = Rng::new(17);
        let (mut within, mut beyond, radius) = (0, 0, 0.05);
        for round in 0..300 {
            let squeeze = if round % 3 == 0 { 0.01 } else { 1.0 };
            let corners = [(); 3].map(|()| DVec3::from(rng.point(-1.0, 1.0)) * DVec3::new(1.0, squeeze, squeeze));
            let slab = Slab::new(corners, radius);
            for _ in 0..100 {
                let [u, v] = [rng.range(-0.2, 1.2), rng.range(-0.2, 1.2)];
                let on_plane = corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * v;
                let point = on_plane + DVec3::from(rng.point(-0.1, 0.1));
                let distance = nearhit::primitive::distance::distance(&corners, &[point; 3]).distance;
                let is_in = slab.planes.iter().all(|plane| plane.normal.dot(point) <= plane.offset);
                assert!(is_in || distance > radius * (1.0 - 1e-9), "{corners:?} {point} {distance}");
                assert!(!is_in || distance <= 3.0_f64.sqrt() * radius * (1.0 + 1e-9), "{corners:?} {point} {distance}");
                within += usize::from(distance <= radius);
                beyond += usize::from(distance > 2.0 * radius);
            }
        }
        assert!(within > 3000 && beyond > 3000, "{within} {beyond}");
    }

    #[test]
    fn a_cut_keeps_the_area() {
        let mut rng = Rng::new(18);
        let area = |polygon: &[DVec3]| {
            let fan = (1..polygon.len() - 1).map(|i| (polygon[i] - polygon[0]).cross(polygon[i + 1] - polygon[0]));
            fan.sum::<DVec3>().length() / 2.0
        };
        let mut cut_through = 0;
        for _ in 0..200 {
            let triangle = [(); 3].map(|()| DVec3::from(rng.point(-1.0, 1.0))).to_vec();
            let plane = Plane { normal: DVec3::from(rng.unit_vector()), offset: rng.range(-0.5, 0.5) };
            let (inside, outside) = plane.cut(&triangle, 0.0);
            cut_through += usize::from(inside.is_some() && outside.is_some());
            let parts: f64 = [inside, outside].iter().flatten().map(|part| area(part)).sum();
            assert!((parts - area(&triangle)).abs() < 1e-12);
        }
        assert!(cut_through > 50, "{cut_through}");
    }
}
