//! How far apart are two closed triangles? The one number that every engine means by "distance".
//!
//! Three stages, each only when the one before cannot answer:
//! 1. `search`: the closest points in doubles, handed out only with a proof that they are the
//!    closest to rounding;
//! 2. the exact test, [`intersects`]: contact is distance zero, and nothing else is;
//! 3. `features`: all pairs of vertices, edges and faces in numbers of twice the precision.
//!
//! The value is a function of the corners' bits: the same on every processor, and the same when the
//! two triangles are exchanged. Another order of a triangle's corners may change its last bits.

pub(crate) mod double_double;
mod features;
mod search;

use super::intersect::intersects;
use super::overlap::common_point;
use crate::mesh::Triangle;
use glam::DVec3;
use search::{Closest, GAP_ERROR, Search, search, search_from};

/// How far [`distance`] may be from the true distance, above or below: this many [`f64::EPSILON`]
/// times the largest magnitude of a coordinate, and the smallest double on top for results among
/// the denormals. See [`error_bound`].
///
/// Proof, with u = ε/2 the half-ulp, M the largest coordinate and Λ = 2√3·M, which no difference of
/// corners exceeds:
///
/// *Not too large.* A quick answer c is accepted when c ≤ g + 8uM, where g is the computed gap of
/// the triangles' shadows on some direction. The real gap is at most the true distance, and g
/// exceeds it by at most 6√3·uM (two scalar products of three terms) + ug (their difference).
/// Lengths and products in the comparison cost 3.5uc. With c, g ≤ Λ that is (8 + 10.4 +
/// 4.5·3.47)uM < 35uM.
///
/// *Not too small.* c is the computed length of a computed combination of at most three corner
/// differences with weights that are not negative and have the sum 1 to rounding: an actual point
/// of the body of differences but for rounding. That is uΛ for the differences, 4uΛ for their edges
/// and multiplication by weights, 2uΛ for the additions, 2uΛ for the weights' sum and 2.5uΛ for the
/// length: 11.5uΛ < 40uM.
///
/// The careful stage, with 106 bits, rounds once at the end: 3.5uΛ < 13uM.
///
/// The largest error seen in 1.6 million adversarial and badly conditioned pairs is 4.
pub const ERROR_ULPS: f64 = 20.0;

/// The largest coordinate's magnitude for which products of four lengths are harmless, and one over
/// it the smallest.
const TAME: f64 = f64::from_bits((1023 + 100) << 52);
/// The smallest positive double.
const SMALLEST: f64 = f64::from_bits(1);

/// How far apart two triangles are, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// The distance: zero exactly when the triangles share a point.
    pub distance: f64,
    /// A point of the first triangle, to rounding, that is this far from the second.
    pub on_a: DVec3,
    /// Its counterpart on the second; the same point when they touch.
    pub on_b: DVec3,
}

impl Nearest {
    fn scaled(self, factor: f64) -> Self {
        // Whoever is apart stays apart, below the smallest double too.
        let distance = (self.distance * factor).max(SMALLEST);
        Self { distance, on_a: self.on_a * factor, on_b: self.on_b * factor }
    }
}

/// The largest difference between [`distance`] and the truth for coordinates up to `size` in
/// magnitude.
#[must_use]
#[inline]
pub fn error_bound(size: f64) -> f64 {
    ERROR_ULPS * f64::EPSILON * size + SMALLEST
}

/// The distance of two closed triangles, degenerate ones included, for all coordinates up to 1e300
/// in magnitude.
///
/// It is zero exactly when [`intersects`] says so, and within [`error_bound`] of the truth.
/// Exchanging the triangles gives the same bits. Each point is within [`error_bound`] of its
/// triangle.
#[must_use]
#[inline]
pub fn distance(a: &Triangle, b: &Triangle) -> Nearest {
    let size = size(a, b);
    if let Search::Proven(closest) = tame_search(a, b, size, f64::INFINITY) {
        return nearest(&closest, a, b);
    }
    settle(a, b, size)
}

/// What [`distance`] says, bit for bit, if that is at most `limit`. Much faster where it is not.
#[must_use]
#[inline]
pub fn distance_within(a: &Triangle, b: &Triangle, limit: f64) -> Option<Nearest> {
    let size = size(a, b);
    let found = match tame_search(a, b, size, limit + margin(size)) {
        Search::Beyond => return None,
        Search::Proven(closest) => nearest(&closest, a, b),
        Search::Unsure => settle(a, b, size),
    };
    (found.distance <= limit).then_some(found)
}

/// The distance that [`distance_within`] finds, without the points: those of triangles that touch
/// take longer than the rest.
#[must_use]
#[inline]
pub(crate) fn length_within(a: &Triangle, b: &Triangle, limit: f64) -> Option<f64> {
    let size = size(a, b);
    let found = match tame_search(a, b, size, limit + margin(size)) {
        Search::Beyond => return None,
        Search::Proven(closest) => closest.length(),
        Search::Unsure if intersects(a, b) => 0.0,
        Search::Unsure => settle(a, b, size).distance,
    };
    (found <= limit).then_some(found)
}

/// What [`distance`] says of triangles that intersect, bit for bit: a search proves only distances
/// above zero.
#[must_use]
pub(crate) fn touching(a: &Triangle, b: &Triangle) -> Nearest {
    let point = common_point(a, b).unwrap_or_else(|| apart(a, b, power_of_two_below(size(a, b))).on_a);
    Nearest { distance: 0.0, on_a: point, on_b: point }
}

/// May the distance be at most `limit`? Never no where it is; yes also where doubles cannot tell.
/// Much faster than [`distance_within`] for triangles that touch.
#[must_use]
#[inline]
pub fn may_be_within(a: &Triangle, b: &Triangle, limit: f64) -> bool {
    let size = size(a, b);
    let limit = limit + margin(size);
    match tame_search(a, b, size, limit) {
        Search::Beyond => false,
        Search::Proven(closest) => closest.length() <= limit,
        Search::Unsure => true,
    }
}

/// [`distance_within`] of a point: of a triangle with three corners there.
#[must_use]
#[inline]
pub fn distance_from_within(point: DVec3, b: &Triangle, limit: f64) -> Option<Nearest> {
    let size = size(&[point; 3], b);
    let is_tame = (1.0 / TAME..=TAME).contains(&size);
    let found = match if is_tame { search_from(point, b, size, limit + margin(size)) } else { Search::Unsure } {
        Search::Beyond => return None,
        Search::Proven(closest) => Nearest { distance: closest.length(), on_a: point, on_b: closest.points(b, b).1 },
        // What a point on the triangle shares with it need not be computed.
        Search::Unsure if intersects(&[point; 3], b) => Nearest { distance: 0.0, on_a: point, on_b: point },
        Search::Unsure => settle(&[point; 3], b, size),
    };
    (found.distance <= limit).then_some(found)
}

/// A gap exceeds the canonical distance by at most its own error (7 ulps of the size with the last
/// subtraction), that of the distance (20), and what this sum and the comparison round away (8).
#[inline]
fn margin(size: f64) -> f64 {
    (GAP_ERROR + (ERROR_ULPS + 12.0) * f64::EPSILON) * size
}

#[inline]
fn tame_search(a: &Triangle, b: &Triangle, size: f64, limit: f64) -> Search {
    if (1.0 / TAME..=TAME).contains(&size) { search(a, b, size, limit) } else { Search::Unsure }
}

#[inline]
fn nearest(closest: &Closest, a: &Triangle, b: &Triangle) -> Nearest {
    let (on_a, on_b) = closest.points(a, b);
    Nearest { distance: closest.length(), on_a, on_b }
}

/// The largest magnitude of a coordinate.
#[inline]
fn size(a: &Triangle, b: &Triangle) -> f64 {
    let larger = |x: f64, y: f64| if y > x { y } else { x };
    let mut most = a[0].abs();
    for corner in [a[1], a[2], b[0], b[1], b[2]] {
        let corner = corner.abs();
        most = DVec3::new(larger(most.x, corner.x), larger(most.y, corner.y), larger(most.z, corner.z));
    }
    larger(larger(most.x, most.y), most.z)
}

/// Touching, nearly touching, badly shaped, huge or tiny.
#[cold]
fn settle(a: &Triangle, b: &Triangle, size: f64) -> Nearest {
    let unit = power_of_two_below(size);
    let scaled = |triangle: &Triangle| triangle.map(|corner| corner * (1.0 / unit));
    let (small_a, small_b) = (scaled(a), scaled(b));
    if !(1.0 / TAME..=TAME).contains(&size)
        && let Search::Proven(closest) = search(&small_a, &small_b, size / unit, f64::INFINITY)
    {
        return nearest(&closest, &small_a, &small_b).scaled(unit);
    }
    if intersects(a, b) { touching(a, b) } else { apart(a, b, unit) }
}

/// By all features, in units that make coordinates about one.
fn apart(a: &Triangle, b: &Triangle, unit: f64) -> Nearest {
    let scaled = |triangle: &Triangle| triangle.map(|corner| corner * (1.0 / unit));
    careful(&scaled(a), &scaled(b)).scaled(unit)
}

/// The power of two that takes `size` to between 1 and 2 when divided by; for denormals, to
/// below 1. Multiplying by it or by its inverse loses nothing but what vanishes beside `size`.
fn power_of_two_below(size: f64) -> f64 {
    f64::from_bits((size.to_bits() >> 52).clamp(1, 2045) << 52)
}

/// For disjoint triangles with coordinates below two.
fn careful(a: &Triangle, b: &Triangle) -> Nearest {
    let flat = |triangle: &Triangle| triangle.map(|corner| corner.to_array());
    // The features are not treated alike, so the order of the triangles is made a matter of their
    // corners.
    let exchanged = flat(b) < flat(a);
    let found = if exchanged { features::closest(b, a) } else { features::closest(a, b) };
    let (on_a, on_b) = if exchanged { (found.on_b, found.on_a) } else { (found.on_a, found.on_b) };
    Nearest { distance: length(found.difference), on_a, on_b }
}

/// The length of a vector whose squares may vanish.
fn length(vector: DVec3) -> f64 {
    let unit = power_of_two_below(vector.abs().max_element());
    (vector * (1.0 / unit)).length() * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::adversarial::{Kind, pair_of};
    use nearhit_testkit::rng::Rng;

    fn triangle(corners: [[f64; 3]; 3]) -> Triangle {
        corners.map(DVec3::from_array)
    }

    const FLAT: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    fn from_flat(other: [[f64; 3]; 3]) -> Nearest {
        distance(&triangle(FLAT), &triangle(other))
    }

    #[test]
    fn each_pair_of_features_by_hand() {
        let above_face = from_flat([[1.0, 1.0, 2.0], [1.0, 1.0, 5.0], [2.0, 1.0, 5.0]]);
        let expected = Nearest { distance: 2.0, on_a: DVec3::new(1.0, 1.0, 0.0), on_b: DVec3::new(1.0, 1.0, 2.0) };
        assert_eq!(above_face, expected);
        let beyond_edge = from_flat([[3.0, 3.0, 0.0], [5.0, 5.0, 1.0], [5.0, 5.0, -1.0]]);
        assert_eq!((beyond_edge.distance, beyond_edge.on_a), (2f64.sqrt(), DVec3::new(2.0, 2.0, 0.0)));
        let beyond_corner = from_flat([[7.0, -4.0, 0.0], [9.0, -4.0, 1.0], [9.0, -9.0, -1.0]]);
        assert_eq!((beyond_corner.distance, beyond_corner.on_b), (5.0, DVec3::new(7.0, -4.0, 0.0)));
        let crossing_edges = from_flat([[1.0, -1.0, -1.0], [1.0, -1.0, 1.0], [1.0, -5.0, 0.0]]);
        let expected = Nearest { distance: 1.0, on_a: DVec3::new(1.0, 0.0, 0.0), on_b: DVec3::new(1.0, -1.0, 0.0) };
        assert_eq!(crossing_edges, expected);
    }

    #[test]
    fn contact_is_zero_at_a_common_point() {
        let pierced = from_flat([[1.0, 1.0, -1.0], [1.0, 1.0, 3.0], [9.0, 9.0, 3.0]]);
        assert_eq!((pierced.distance, pierced.on_a), (0.0, pierced.on_b));
        assert_eq!(from_flat(FLAT).distance, 0.0);
        let corner = from_flat([[4.0, 0.0, 0.0], [5.0, 0.0, 1.0], [5.0, 1.0, 1.0]]);
        assert_eq!(corner, Nearest { distance: 0.0, on_a: DVec3::X * 4.0, on_b: DVec3::X * 4.0 });
    }

    /// Segments and points are triangles too, at all distances whose square is no double.
    #[test]
    fn small_gaps_do_not_vanish() {
        for gap in [5e-324, 1e-300, 1e-200, 1e-161, 1e-17] {
            assert_eq!(from_flat([[1.0, 1.0, gap]; 3]).distance, gap);
            assert_eq!(from_flat([[1.0, -gap, 0.0], [1.0, -3.0, 0.0], [1.0, -3.0, 0.0]]).distance, gap);
            assert_eq!(from_flat(FLAT.map(|[x, y, _]| [x, y, gap])).distance, gap);
        }
        let (huge, tiny) = (triangle(FLAT.map(|point| point.map(|x| x * 2.5e299))), triangle([[0.1, 0.2, 5e-324]; 3]));
        let apart = distance(&huge, &tiny).distance;
        assert!(apart > 0.0 && apart < error_bound(1e300));
    }

    #[test]
    fn the_largest_coordinates_do_not_overflow() {
        let far = |sign: f64| triangle([[sign * 1e300; 3]; 3]);
        let found = distance(&far(1.0), &far(-1.0));
        assert!((found.distance / (12f64.sqrt() * 1e300) - 1.0).abs() < 1e-15);
        assert_eq!((found.on_a, found.on_b), (far(1.0)[0], far(-1.0)[0]));
    }

    /// A point is a triangle whose corners coincide, to the bit.
    #[test]
    fn points_are_as_far_as_triangles_that_are_points() {
        let mut rng = Rng::new(6);
        let mut touching = 0;
        for _ in 0..20_000 {
            let scale = *rng.choice(&[1.0, 1e-40, 1e250]);
            let b = triangle(std::array::from_fn(|_| rng.point(-1.0, 1.0).map(|x| x * scale)));
            let point = if rng.chance(0.1) { b[1] } else { DVec3::from_array(rng.point(-1.5, 1.5)) * scale };
            let limit = scale * rng.range(0.0, 1.5);
            let (found, expected) = (distance_from_within(point, &b, limit), distance_within(&[point; 3], &b, limit));
            // On the triangle the point is the point, and not off by rounding.
            let told = |found: Nearest| (found.distance, if found.distance == 0.0 { point } else { found.on_b });
            assert_eq!(found.map(told), expected.map(told), "{point} {b:?}");
            touching += usize::from(found.is_some_and(|found| found.distance == 0.0));
        }
        assert!(touching > 1000, "{touching}");
    }

    /// What does without points gives the same lengths, and what skips the search the same points.
    #[test]
    fn shorter_ways_give_the_same_bits() {
        let mut rng = Rng::new(8);
        let (mut touching_pairs, mut near, mut beyond) = (0, 0, 0);
        for round in 0..6_000 {
            let kind = *rng.choice(&Kind::ALL);
            let (a, b) = pair_of(kind, &mut rng);
            let (a, b) = (triangle(a), triangle(b));
            let limit = [0.0, 1e-3, 0.5][round % 3];
            let expected = distance_within(&a, &b, limit);
            assert_eq!(length_within(&a, &b, limit), expected.map(|found| found.distance), "{a:?} {b:?}");
            if intersects(&a, &b) {
                assert_eq!(Some(touching(&a, &b)), expected, "{a:?} {b:?}");
                touching_pairs += 1;
            } else if expected.is_some() {
                near += 1;
            } else {
                beyond += 1;
            }
        }
        let seen = [touching_pairs, near, beyond];
        assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
    }

    /// The careful stage is right by itself, also where the quick search would have answered.
    #[test]
    fn both_stages_agree() {
        let mut rng = Rng::new(5);
        let mut compared = 0;
        for _ in 0..5_000 {
            let mut corners = |x: f64| triangle(std::array::from_fn(|_| rng.point(x - 1.0, x)));
            let (a, b) = (corners(0.5), corners(1.0));
            if let Search::Proven(closest) = search(&a, &b, 1.0, f64::INFINITY) {
                assert!((closest.length() - careful(&a, &b).distance).abs() < error_bound(1.0), "{a:?} {b:?}");
                compared += 1;
            }
        }
        assert!(compared > 3_000, "{compared}");
    }
}
