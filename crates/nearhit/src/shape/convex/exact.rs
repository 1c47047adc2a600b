//! Is the distance of two hulls of points smaller than, equal to or larger than a length? In big
//! integers: slow, and right whatever the input.
//!
//! Wolfe's search for the point of a polytope with the smallest norm, on the Minkowski difference:
//! the nearest point of a simplex, the corner least far along it, again with that corner, until no
//! corner is nearer. In exact arithmetic the norm falls with every step, no simplex comes twice,
//! and the search ends.

use super::Bodies;
use crate::primitive::exact::{digits, integer};
use glam::DVec3;
use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;

type Vector = [BigInt; 3];

/// The exact distance of two hulls of points, as far as anybody needs it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Exact {
    /// How the distance compares with the limit.
    pub(crate) order: Ordering,
    /// Doubles below and above the distance; both 0 for a distance of 0.
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// Points of the bodies that are this far apart, to rounding.
    pub(crate) on_a: DVec3,
    pub(crate) on_b: DVec3,
}

/// Compares the distance of two bodies made of corners with a sum of lengths.
#[cold]
pub(crate) fn compare(bodies: &Bodies<'_>, limit: &[f64]) -> Exact {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let flat = bodies.a.corners(&mut a) && bodies.b.corners(&mut b);
    debug_assert!(flat, "only asked of bodies with corners");
    let numbers = a.iter().chain(&b).flat_map(|point| point.to_array()).chain(limit.iter().copied());
    let lowest = numbers.filter(|&value| value != 0.0).map(|value| digits(value).0).min().unwrap_or(1);
    let vector = |point: &DVec3| point.to_array().map(|value| integer(value, lowest));
    let search = Search { a: a.iter().map(vector).collect(), b: b.iter().map(vector).collect() };
    let (simplex, Point { sum, share, weights }) = search.nearest();
    let limit = limit.iter().map(|&value| integer(value, lowest)).sum::<BigInt>();
    let square = dot(&sum, &sum);
    let order = square.cmp(&(&share * &share * &limit * &limit));
    let (lower, upper) = root_of_ratio(square.magnitude(), share.magnitude(), lowest);
    // Weights are the same share of the same sum for both bodies.
    let mut points = [DVec3::ZERO; 2];
    for (&(i, j), weight) in simplex.iter().zip(&weights) {
        let weight = ratio(weight.magnitude(), share.magnitude());
        points[0] += a[i] * weight;
        points[1] += b[j] * weight;
    }
    Exact { order, lower, upper, on_a: points[0], on_b: points[1] }
}

fn dot(a: &Vector, b: &Vector) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn difference(a: &Vector, b: &Vector) -> Vector {
    [&a[0] - &b[0], &a[1] - &b[1], &a[2] - &b[2]]
}

/// A point `sum / share` of the Minkowski difference, and the weights of the corners that carry it
/// in units of the share.
struct Point {
    sum: Vector,
    share: BigInt,
    weights: Vec<BigInt>,
}

/// A corner of the Minkowski difference, by the corners that it is the difference of.
type Corner = (usize, usize);

struct Search {
    a: Vec<Vector>,
    b: Vec<Vector>,
}

impl Search {
    fn at(&self, (i, j): Corner) -> Vector {
        difference(&self.a[i], &self.b[j])
    }

    fn nearest(&self) -> (Vec<Corner>, Point) {
        let mut simplex = vec![(0, 0)];
        loop {
            let (kept, point) = self.nearest_of(&simplex);
            let next = self.least_along(&point.sum);
            let square = dot(&point.sum, &point.sum);
            // No corner is less far along the nearest point than that point itself.
            if square.sign() == Sign::NoSign || &point.share * dot(&point.sum, &self.at(next)) >= square {
                return (kept, point);
            }
            simplex = kept;
            simplex.push(next);
        }
    }

    fn least_along(&self, direction: &Vector) -> Corner {
        let along = |points: &[Vector], sign: i32| {
            let values = points.iter().map(|point| dot(direction, point) * sign).enumerate();
            values.min_by(|p, q| p.1.cmp(&q.1)).map_or(0, |(index, _)| index)
        };
        (along(&self.a, 1), along(&self.b, -1))
    }

    /// The nearest point of the hull of up to four corners, and the corners that carry it: the
    /// smallest set of them whose plane's foot lies between them, and that no other of the corners
    /// is nearer to.
    fn nearest_of(&self, simplex: &[Corner]) -> (Vec<Corner>, Point) {
        let points: Vec<Vector> = simplex.iter().map(|&corner| self.at(corner)).collect();
        let mut sets: Vec<u32> = (1..1 << points.len()).collect();
        sets.sort_by_key(|set| set.count_ones());
        for set in sets {
            let chosen: Vec<usize> = (0..points.len()).filter(|i| set >> i & 1 == 1).collect();
            let Some(point) = foot_between(&chosen.iter().map(|&i| &points[i]).collect::<Vec<_>>()) else { continue };
            let square = dot(&point.sum, &point.sum);
            if points.iter().all(|other| &point.share * dot(&point.sum, other) >= square) {
                return (chosen.into_iter().map(|i| simplex[i]).collect(), point);
            }
        }
        unreachable!("some point of a simplex is nearest")
    }
}

/// The point of the plane through the points that is nearest to the origin, if it lies between
/// them, with weights that are all positive.
fn foot_between(points: &[&Vector]) -> Option<Point> {
    let (first, others) = points.split_first()?;
    let edges: Vec<Vector> = others.iter().map(|point| difference(point, first)).collect();
    let gram: Vec<Vec<BigInt>> = edges.iter().map(|e| edges.iter().map(|f| dot(e, f)).collect()).collect();
    let share = determinant(&gram);
    if share.sign() != Sign::Plus {
        return None;
    }
    let right: Vec<BigInt> = edges.iter().map(|edge| -dot(edge, first)).collect();
    let mut weights = vec![share.clone()];
    let mut sum = first.each_ref().map(|value| value * &share);
    for (column, edge) in edges.iter().enumerate() {
        let mut replaced = gram.clone();
        for (row, value) in right.iter().enumerate() {
            replaced[row][column] = value.clone();
        }
        let weight = determinant(&replaced);
        if weight.sign() != Sign::Plus {
            return None;
        }
        weights[0] -= &weight;
        for axis in 0..3 {
            sum[axis] += &weight * &edge[axis];
        }
        weights.push(weight);
    }
    (weights[0].sign() == Sign::Plus).then_some(Point { sum, share, weights })
}

fn determinant(m: &[Vec<BigInt>]) -> BigInt {
    match m.len() {
        0 => BigInt::from(1),
        1 => m[0][0].clone(),
        2 => &m[0][0] * &m[1][1] - &m[0][1] * &m[1][0],
        _ => {
            let minor = |i: usize, j: usize| &m[1][i] * &m[2][j] - &m[1][j] * &m[2][i];
            &m[0][0] * minor(1, 2) - &m[0][1] * minor(0, 2) + &m[0][2] * minor(0, 1)
        }
    }
}

/// Doubles around `sqrt(square) / share`, times the power of two that integers are counted in.
fn root_of_ratio(square: &BigUint, share: &BigUint, lowest: i64) -> (f64, f64) {
    if square.bits() == 0 {
        return (0.0, 0.0);
    }
    // An even shift that leaves about 140 bits of the ratio, so 70 of the root.
    let excess = square.bits() as i64 - 2 * share.bits() as i64;
    let shift = (140 - excess) / 2 * 2;
    let scaled = if shift >= 0 { square << shift } else { square >> -shift };
    let root = (scaled / (share * share)).sqrt();
    // Seventy bits to 64, and one unit either way for all that was cut off.
    let cut = (root.bits() as i64 - 64).max(0);
    let leading = u64::try_from(root >> cut).unwrap_or(u64::MAX);
    let exponent = cut - shift / 2 + lowest - 1075;
    let scale = |value: f64| times_power(value, exponent);
    let middle = scale(leading as f64);
    (middle.next_down().next_down().max(0.0), middle.next_up().next_up())
}

/// A ratio of at most one, to rounding.
fn ratio(part: &BigUint, whole: &BigUint) -> f64 {
    let shift = 64 + whole.bits() as i64 - part.bits() as i64;
    let scaled = (part << shift.max(0) as u64) / whole;
    times_power(u128::try_from(scaled).map_or(1.0, |value| value as f64), -shift.max(0))
}

/// Times a power of two that may be beyond the range of doubles.
fn times_power(value: f64, exponent: i64) -> f64 {
    let mut value = value;
    let mut left = exponent.clamp(-4000, 4000);
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        value *= f64::from_bits(((step + 1023) as u64) << 52);
        left -= step;
    }
    value
}

/// How the height of the lowest of some points above a plane, `normal · x - offset` in units of the
/// normal's length, compares with a sum of lengths that are not negative.
#[cold]
pub(crate) fn compare_plane(points: &[DVec3], normal: DVec3, offset: f64, limit: &[f64]) -> Ordering {
    // Three scales: of lengths, of the normal, and of their product.
    let lowest = |values: &mut dyn Iterator<Item = f64>| {
        values.filter(|&value| value != 0.0).map(|value| digits(value).0).min().unwrap_or(1)
    };
    let turning = lowest(&mut normal.to_array().into_iter());
    let numbers = points.iter().flat_map(|point| point.to_array()).chain(limit.iter().copied());
    // The offset is a product: its own power of two less the normal's.
    let offset_at = if offset == 0.0 { i64::MAX } else { digits(offset).0 - (turning - 1075) };
    let length = lowest(&mut numbers.into_iter()).min(offset_at);
    let normal = normal.to_array().map(|value| integer(value, turning));
    let vector = |point: &DVec3| point.to_array().map(|value| integer(value, length));
    let offset = match digits(offset) {
        (_, 0) => BigInt::ZERO,
        (exponent, digits) => BigInt::from(digits) << (exponent - (turning - 1075) - length),
    };
    let limit = limit.iter().map(|&value| integer(value, length)).sum::<BigInt>();
    let heights = points.iter().map(|point| dot(&normal, &vector(point)) - &offset);
    let Some(height) = heights.min() else { return Ordering::Greater };
    if height.sign() != Sign::Plus {
        return height.cmp(&BigInt::ZERO).then(limit.cmp(&BigInt::ZERO).reverse());
    }
    (&height * &height).cmp(&(&limit * &limit * dot(&normal, &normal)))
}

/// Do two vectors point exactly away from each other?
pub(crate) fn opposite(p: DVec3, q: DVec3) -> bool {
    let lowest = |vector: DVec3| {
        vector.to_array().into_iter().filter(|&value| value != 0.0).map(|value| digits(value).0).min().unwrap_or(1)
    };
    let vector = |vector: DVec3| vector.to_array().map(|value| integer(value, lowest(vector)));
    let (p, q) = (vector(p), vector(q));
    let across = |i: usize, j: usize| &p[i] * &q[j] == &p[j] * &q[i];
    across(0, 1) && across(1, 2) && across(2, 0) && dot(&p, &q).sign() == Sign::Minus
}
