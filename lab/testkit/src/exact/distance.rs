//! The squared distance of two closed triangles as a rational number.
//!
//! When the triangles are apart, a closest pair of points lies on a vertex and a face or on two
//! edges; the infimum over each such feature pair is computed where its unclamped optimum is
//! inside, and the features' borders are features themselves. When they share a point without an
//! edge or vertex feature noticing, an edge of one passes through the inside of the other, which is
//! tested by construction of the piercing point.

use dashu_int::{IBig, ops::UnsignedAbs};
use dashu_ratio::RBig;

use super::integers::{Vector, along, cross, dot, scale, sign, subtract};
use crate::Tri;

/// The exact squared distance of the closed triangles, degenerate ones included; zero when they
/// share a point.
pub fn squared_distance(a: &Tri, b: &Tri) -> RBig {
    let coordinate = |index: usize| if index < 9 { a[index / 3][index % 3] } else { b[index / 3 - 3][index % 3] };
    let scaled = scale(&std::array::from_fn::<f64, 18, _>(coordinate));
    let corner = |index: usize| -> Vector { std::array::from_fn(|axis| scaled.integers[3 * index + axis].clone()) };
    let (a, b) = ([corner(0), corner(1), corner(2)], [corner(3), corner(4), corner(5)]);
    let best = smallest(&a, &b);
    let shift = 2 * scaled.exponent.unsigned_abs() as usize;
    let (numerator, denominator) =
        if scaled.exponent < 0 { (best.above, best.below << shift) } else { (best.above << shift, best.below) };
    // The denominator is a squared length or one, and therefore positive.
    RBig::from_parts(numerator, denominator.unsigned_abs())
}

type Corners = [Vector; 3];

/// `above / below` with `below > 0`.
struct Ratio {
    above: IBig,
    below: IBig,
}

impl Ratio {
    fn zero() -> Ratio {
        Ratio { above: IBig::ZERO, below: IBig::ONE }
    }

    fn less_than(&self, other: &Ratio) -> bool {
        &self.above * &other.below < &other.above * &self.below
    }
}

fn smallest(a: &Corners, b: &Corners) -> Ratio {
    let mut best: Option<Ratio> = None;
    let mut offer = |candidate: Option<Ratio>| {
        if let Some(candidate) = candidate
            && best.as_ref().is_none_or(|best| candidate.less_than(best))
        {
            best = Some(candidate);
        }
    };
    for (points, triangle) in [(a, b), (b, a)] {
        if edges(points).iter().any(|[from, to]| pierces(from, to, triangle)) {
            return Ratio::zero();
        }
        for point in points {
            offer(point_to_face(point, triangle));
            edges(triangle).iter().for_each(|[from, to]| offer(Some(point_to_segment(point, from, to))));
        }
    }
    for [a_from, a_to] in edges(a) {
        for [b_from, b_to] in edges(b) {
            offer(line_to_line([a_from, a_to], [b_from, b_to]));
        }
    }
    // A point and a segment always have a distance, so there is a candidate.
    best.unwrap_or_else(Ratio::zero)
}

fn edges(triangle: &Corners) -> [[&Vector; 2]; 3] {
    [0, 1, 2].map(|index| [&triangle[index], &triangle[(index + 1) % 3]])
}

fn point_to_segment(point: &Vector, from: &Vector, to: &Vector) -> Ratio {
    let direction = subtract(to, from);
    let offset = subtract(point, from);
    let along_segment = dot(&offset, &direction);
    let length = dot(&direction, &direction);
    let offset_squared = || dot(&offset, &offset);
    if sign(&along_segment) <= 0 {
        return Ratio { above: offset_squared(), below: IBig::ONE };
    }
    if along_segment >= length {
        let beyond = subtract(point, to);
        return Ratio { above: dot(&beyond, &beyond), below: IBig::ONE };
    }
    Ratio { above: offset_squared() * &length - &along_segment * &along_segment, below: length }
}

/// Only when the point projects into the triangle; `None` also for a triangle without area.
fn point_to_face(point: &Vector, triangle: &Corners) -> Option<Ratio> {
    let normal = normal(triangle);
    if !projects_inside(point, triangle, &normal) {
        return None;
    }
    let height = dot(&normal, &subtract(point, &triangle[0]));
    Some(Ratio { above: &height * &height, below: dot(&normal, &normal) })
}

/// Only when the closest points of the two lines are unique and inside both segments.
fn line_to_line([a_from, a_to]: [&Vector; 2], [b_from, b_to]: [&Vector; 2]) -> Option<Ratio> {
    let (u, v) = (subtract(a_to, a_from), subtract(b_to, b_from));
    let common = cross(&u, &v);
    let denominator = dot(&common, &common);
    if denominator.is_zero() {
        return None;
    }
    let between = subtract(b_from, a_from);
    let inside = |parameter: IBig| sign(&parameter) >= 0 && parameter <= denominator;
    if !inside(dot(&cross(&between, &v), &common)) || !inside(dot(&cross(&between, &u), &common)) {
        return None;
    }
    let gap = dot(&between, &common);
    Some(Ratio { above: &gap * &gap, below: denominator })
}

/// Whether the segment crosses the triangle's plane, ends strictly on both sides, inside the
/// triangle. An end in the plane is left to the vertex features.
fn pierces(from: &Vector, to: &Vector, triangle: &Corners) -> bool {
    let normal = normal(triangle);
    let height_from = dot(&normal, &subtract(from, &triangle[0]));
    let height_to = dot(&normal, &subtract(to, &triangle[0]));
    if sign(&height_from) * sign(&height_to) >= 0 {
        return false;
    }
    // Everything multiplied by a positive weight so that the piercing point is an integer vector.
    let turn = IBig::from(sign(&height_from));
    let weight = (&height_from - height_to) * &turn;
    let piercing = along(from, &weight, &subtract(to, from), &(height_from * turn));
    let grown = [0, 1, 2].map(|index| -> Vector { std::array::from_fn(|axis| &triangle[index][axis] * &weight) });
    projects_inside(&piercing, &grown, &normal)
}

fn normal(triangle: &Corners) -> Vector {
    cross(&subtract(&triangle[1], &triangle[0]), &subtract(&triangle[2], &triangle[0]))
}

fn projects_inside(point: &Vector, triangle: &Corners, normal: &Vector) -> bool {
    normal.iter().any(|coordinate| !coordinate.is_zero())
        && edges(triangle).iter().all(|[from, to]| {
            let inward = cross(normal, &subtract(to, from));
            sign(&dot(&inward, &subtract(point, from))) >= 0
        })
}

#[cfg(test)]
mod tests {
    use super::super::intersects;
    use super::*;
    use crate::rng::Rng;

    const FLAT: Tri = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    fn rational(above: i64, below: u64) -> RBig {
        RBig::from_parts(above.into(), below.into())
    }

    #[test]
    fn features_by_hand() {
        let above_face = [[1.0, 1.0, 2.0], [1.0, 1.0, 5.0], [2.0, 1.0, 5.0]];
        assert_eq!(squared_distance(&FLAT, &above_face), rational(4, 1));
        let beyond_edge = [[3.0, 3.0, 0.0], [5.0, 5.0, 1.0], [5.0, 5.0, -1.0]];
        assert_eq!(squared_distance(&FLAT, &beyond_edge), rational(2, 1));
        let crossed = [[2.0, -1.0, 1.0], [2.0, -1.0, 1.0], [2.0, 9.0, 1.5]];
        assert_eq!(squared_distance(&[[0.0; 3], [4.0, 0.0, 0.0], [4.0, 0.0, 0.0]], &crossed), rational(441, 401));
        let points = ([[0.5, 0.5, 0.0]; 3], [[0.5, 0.5, 5e-324]; 3]);
        assert_eq!(squared_distance(&points.0, &points.1), RBig::from_parts(1.into(), dashu_int::UBig::ONE << 2148));
    }

    #[test]
    fn agrees_with_intersection_on_small_grids() {
        let mut rng = Rng::new(11);
        let mut touching = 0;
        for round in 0..6000 {
            let reach = 1 + round % 3;
            let mut triangle =
                || -> Tri { std::array::from_fn(|_| std::array::from_fn(|_| rng.integer(-reach, reach) as f64)) };
            let (a, b) = (triangle(), triangle());
            let zero = squared_distance(&a, &b).is_zero();
            assert_eq!(zero, intersects(&a, &b), "{a:?} {b:?}");
            assert_eq!(squared_distance(&b, &a), squared_distance(&a, &b));
            touching += usize::from(zero);
        }
        assert!((1500..5500).contains(&touching), "{touching}");
    }

    #[test]
    fn no_sampled_pair_is_closer() {
        let mut rng = Rng::new(12);
        for _ in 0..300 {
            let mut triangle = |shift: f64| -> Tri { std::array::from_fn(|_| rng.point(shift, shift + 1.0)) };
            let (a, b) = (triangle(0.0), triangle(0.6));
            let exact = squared_distance(&a, &b).to_f64().value();
            let mut closest = f64::INFINITY;
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let at = |t: &Tri, i: i32, j: i32| -> [f64; 3] {
                        let weights = [f64::from(20 - i - j), f64::from(i), f64::from(j)].map(|w| w / 20.0);
                        std::array::from_fn(|axis| (0..3).map(|k| weights[k] * t[k][axis]).sum())
                    };
                    let p = at(&a, i, j);
                    for k in 0..=20 {
                        for l in 0..=20 - k {
                            let q = at(&b, k, l);
                            closest = f64::min(closest, (0..3).map(|x| (p[x] - q[x]).powi(2)).sum());
                        }
                    }
                }
            }
            assert!(closest >= exact - 1e-12);
            // The samples are at most 0.1 away from any point of either triangle.
            assert!(closest.sqrt() <= exact.sqrt() + 0.2);
        }
    }
}
