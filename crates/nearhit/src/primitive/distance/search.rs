//! The quick search for the closest points, in doubles, with its own proof.
//!
//! The differences `b - a` of points of two triangles form a convex body whose corners are the nine
//! differences of corners; its point nearest to the origin is what is looked for. The search keeps
//! one to three corners of the body, replaces them by those that carry the point of their hull
//! nearest to the origin, and adds the corner that lies farthest back along that point's direction
//! (Gilbert, Johnson and Keerthi, 1988).
//!
//! Nothing is believed because the search stopped. *Every* direction gives a lower bound: the gap
//! between the two triangles' shadows on it. An answer is handed out only when such a gap proves
//! it; otherwise the search says that it is unsure, which costs time and no truth.

use crate::mesh::Triangle;
use glam::DVec3;

/// An answer is accepted when its length exceeds a proven gap by at most this much of the
/// coordinates' size.
pub(super) const ACCEPTED: f64 = 4.0 * f64::EPSILON;
/// A computed gap exceeds the real one by at most this much of the coordinates' size: two scalar
/// products of three terms, each at most three half-ulps of |corner| ≤ √3·size off, which makes
/// 10.4 half-ulps.
pub(super) const GAP_ERROR: f64 = 6.0 * f64::EPSILON;

/// From the closest vertex on it takes three steps to a face; more happen when rounding misleads a
/// step.
const MOST_STEPS: usize = 12;
/// Shorter directions, squared, may have lost bits below the smallest double. Coordinates are
/// 2^-100 and more.
const SHORTEST_SQUARED: f64 = 1e-200;

/// How a search ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum Search {
    /// Proven to be the distance, to [`ACCEPTED`] and rounding.
    Proven(Closest),
    /// Proven to be farther than the limit.
    Beyond,
    /// Neither: the triangles touch, nearly touch, or are badly shaped.
    Unsure,
}

/// A point of the hull of one to three corners of the body of differences.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closest {
    difference: DVec3,
    squared: f64,
    weights: [f64; 3],
    corners: [Name; 3],
    count: u8,
}

/// A corner of the body is named by a corner of `a` and one of `b`.
type Name = (u8, u8);

/// The difference `b[name.1] - a[name.0]`.
#[derive(Debug, Clone, Copy)]
struct Corner {
    difference: DVec3,
    name: Name,
}

impl Corner {
    #[inline(always)]
    fn new(a: &Triangle, b: &Triangle, name: Name) -> Self {
        Self { difference: b[usize::from(name.1)] - a[usize::from(name.0)], name }
    }
}

impl Closest {
    /// How far the point is from the origin.
    #[inline]
    pub(super) fn length(&self) -> f64 {
        self.squared.sqrt()
    }

    /// The points of the two triangles.
    #[inline]
    pub(super) fn points(&self, a: &Triangle, b: &Triangle) -> (DVec3, DVec3) {
        let part = |i: usize| {
            let (on_a, on_b) = self.corners[i];
            (a[usize::from(on_a)] * self.weights[i], b[usize::from(on_b)] * self.weights[i])
        };
        // Corners that do not count have weight zero.
        let [first, second, third] = [part(0), part(1), part(2)];
        (first.0 + second.0 + third.0, first.1 + second.1 + third.1)
    }

    #[inline]
    fn holds(&self, name: Name) -> bool {
        // Places that do not count repeat one that does.
        self.corners.contains(&name)
    }

    /// Its corners. Written out, here and in [`gap`]: an array's `map` may be left a call.
    #[inline(always)]
    fn bodies_corners(&self, a: &Triangle, b: &Triangle) -> [Corner; 3] {
        let [first, second, third] = self.corners;
        [Corner::new(a, b, first), Corner::new(a, b, second), Corner::new(a, b, third)]
    }

    /// A single corner.
    #[inline]
    fn at(corner: Corner) -> Self {
        Self {
            difference: corner.difference,
            squared: corner.difference.length_squared(),
            weights: [1.0, 0.0, 0.0],
            corners: [corner.name; 3],
            count: 1,
        }
    }

    /// On the edge from `corner` to `other`.
    #[inline]
    fn on_edge(corner: Corner, other: Corner) -> Self {
        let edge = other.difference - corner.difference;
        let along = -corner.difference.dot(edge);
        if along <= 0.0 {
            return Self::at(corner);
        }
        let fraction = (along / edge.length_squared()).min(1.0);
        let difference = corner.difference + edge * fraction;
        Self {
            difference,
            squared: difference.length_squared(),
            weights: [1.0 - fraction, fraction, 0.0],
            corners: [corner.name, other.name, other.name],
            count: 2,
        }
    }

    /// In the triangle of `corner` and two others; never on the edge of those two alone, on which
    /// `corner` improves.
    #[inline]
    fn in_triangle(corner: Corner, first: Corner, second: Corner) -> Self {
        let (u, v) = (first.difference - corner.difference, second.difference - corner.difference);
        let normal = u.cross(v);
        let inverse = 1.0 / normal.length_squared();
        // Seen from the corner, the origin is at minus the corner.
        let along_u = v.cross(corner.difference).dot(normal) * inverse;
        let along_v = corner.difference.cross(u).dot(normal) * inverse;
        let rest = 1.0 - along_u - along_v;
        if along_u > 0.0 && along_v > 0.0 && rest > 0.0 {
            let difference = corner.difference + u * along_u + v * along_v;
            return Self {
                difference,
                squared: difference.length_squared(),
                weights: [rest, along_u, along_v],
                corners: [corner.name, first.name, second.name],
                count: 3,
            };
        }
        nearer(Self::on_edge(corner, first), Self::on_edge(corner, second))
    }

    /// In the hull of its own corners and another.
    #[inline]
    fn extended(&self, a: &Triangle, b: &Triangle, corner: Corner) -> Self {
        let [first, second, third] = self.bodies_corners(a, b);
        match self.count {
            1 => Self::on_edge(corner, first),
            2 => Self::in_triangle(corner, first, second),
            _ => nearer(
                Self::in_triangle(corner, first, second),
                nearer(Self::in_triangle(corner, second, third), Self::in_triangle(corner, third, first)),
            ),
        }
    }

    /// The direction from the origin to the point, freed of most of its rounding error.
    ///
    /// The point is known to rounding of the corners, and where it is close to the origin that
    /// turns its direction. But the direction is perpendicular to the hull of the corners, which is
    /// known better.
    #[inline]
    fn sharpened(&self, a: &Triangle, b: &Triangle) -> DVec3 {
        let [first, second, third] = self.bodies_corners(a, b);
        let (first, second, third) = (first.difference, second.difference, third.difference);
        match self.count {
            1 => self.difference,
            2 => {
                let edge = second - first;
                self.difference - edge * (self.difference.dot(edge) / edge.length_squared())
            }
            _ => {
                let normal = (second - first).cross(third - first);
                if normal.dot(first) < 0.0 { -normal } else { normal }
            }
        }
    }
}

#[inline]
fn nearer(one: Closest, other: Closest) -> Closest {
    if other.squared < one.squared { other } else { one }
}

/// The gap between the triangles' shadows on `direction`, times its length, and the corner of the
/// body that bounds it.
#[inline(always)]
fn gap(a: &Triangle, b: &Triangle, direction: DVec3) -> (f64, Name) {
    // Exchanging the triangles and turning the direction round gives the same gap and the same
    // corner, ties included.
    let (last_of_a, on_a) = greatest([a[0].dot(direction), a[1].dot(direction), a[2].dot(direction)]);
    let (minus_first_of_b, on_b) = greatest([-b[0].dot(direction), -b[1].dot(direction), -b[2].dot(direction)]);
    (-minus_first_of_b - last_of_a, (on_a, on_b))
}

/// The greatest of three values, and which.
#[inline(always)]
fn greatest([x, y, z]: [f64; 3]) -> (f64, u8) {
    let (greater, which) = if y > x { (y, 1) } else { (x, 0) };
    if z > greater { (z, 2) } else { (greater, which) }
}

/// Looks for the closest points of triangles whose largest coordinate has the magnitude `size`,
/// between 2^-100 and 2^100. Stops when a gap exceeds `limit`.
#[inline]
pub(super) fn search(a: &Triangle, b: &Triangle, size: f64, limit: f64) -> Search {
    steps(a, b, size, limit)
}

/// The same from a point: the same numbers, as the compiler sees that three corners are one.
#[inline]
pub(super) fn search_from(point: DVec3, b: &Triangle, size: f64, limit: f64) -> Search {
    steps(&[point; 3], b, size, limit)
}

#[inline(always)]
fn steps(a: &Triangle, b: &Triangle, size: f64, limit: f64) -> Search {
    let toward_b = (b[0] + b[1] + b[2]) - (a[0] + a[1] + a[2]);
    let (first_gap, name) = gap(a, b, toward_b);
    if first_gap > limit * toward_b.length() {
        return Search::Beyond;
    }
    let mut closest = Closest::at(Corner::new(a, b, name));
    for _ in 0..MOST_STEPS {
        let length = closest.length();
        let (gap, name) = gap(a, b, closest.difference);
        if gap > limit * length {
            return Search::Beyond;
        }
        if proves(closest.squared, gap, length, size) {
            return Search::Proven(closest);
        }
        if closest.holds(name) {
            break;
        }
        let extended = closest.extended(a, b, Corner::new(a, b, name));
        // False for a NaN too, which corners that coincide can give.
        if extended.squared < closest.squared {
            closest = extended;
        } else {
            break;
        }
    }
    let direction = closest.sharpened(a, b);
    let (length, (gap, _)) = (direction.length(), gap(a, b, direction));
    if proves(closest.length() * length, gap, length, size) { Search::Proven(closest) } else { Search::Unsure }
}

/// Does the gap, times `length`, exclude contact, and is the distance, times `length`, hardly more
/// than the gap?
#[inline]
fn proves(distance: f64, gap: f64, length: f64, size: f64) -> bool {
    length * length > SHORTEST_SQUARED && gap > GAP_ERROR * size * length && distance - gap <= ACCEPTED * size * length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitive::intersect::intersects;
    use nearhit_testkit::Tri;
    use nearhit_testkit::adversarial::{Kind, pair_of};
    use nearhit_testkit::rng::Rng;

    fn corners(triangle: Tri) -> Triangle {
        triangle.map(DVec3::from_array)
    }

    /// How many pairs of a kind that are apart the search settles, out of how many.
    fn settled(kind: Kind) -> (u32, u32) {
        let mut rng = Rng::new(41);
        let (mut proven, mut apart) = (0, 0);
        for _ in 0..4_000 {
            let (a, b) = pair_of(kind, &mut rng);
            let (a, b) = (corners(a), corners(b));
            let size = a.iter().chain(&b).fold(0.0_f64, |most, corner| most.max(corner.abs().max_element()));
            let answer = search(&a, &b, size, f64::INFINITY);
            if intersects(&a, &b) {
                assert!(matches!(answer, Search::Unsure), "{a:?} {b:?} touch: {answer:?}");
            } else {
                apart += 1;
                proven += u32::from(matches!(answer, Search::Proven(_)));
            }
        }
        (proven, apart)
    }

    /// A mistake in a step would only cost time, as the careful stage repairs it: so the share it
    /// leaves over is watched.
    #[test]
    fn pairs_in_general_position_are_settled_quickly() {
        let (proven, apart) = settled(Kind::Generic);
        assert!(apart > 2_000 && apart - proven <= 2, "{proven} of {apart}");
    }

    #[test]
    fn flat_and_parallel_pairs_are_settled_quickly() {
        for kind in [Kind::Grid, Kind::Coplanar, Kind::Collinear] {
            let (proven, apart) = settled(kind);
            assert!(apart > 1_000 && proven * 100 >= apart * 97, "{kind:?}: {proven} of {apart}");
        }
    }

    #[test]
    fn limits_are_noticed() {
        let flat = corners([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
        let above = flat.map(|corner| corner + DVec3::Z);
        assert!(matches!(search(&flat, &above, 4.0, 0.9), Search::Beyond));
        assert!(matches!(search(&flat, &above, 4.0, 1.1), Search::Proven(_)));
    }
}
