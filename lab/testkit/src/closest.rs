//! Fast certified bounds on the distance of two triangles, so that most pairs need no exact
//! arithmetic.
//!
//! How good the bounds are depends on plain double arithmetic; that they hold does not: the upper
//! bound is the distance of two points on the triangles, the lower one the gap that a plane between
//! the triangles leaves, each widened by more than its rounding.

use crate::vector::{along, dot, length, subtract};
use crate::{Point, Tri};

/// Bounds on a distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

/// Bounds on the distance of the closed triangles; `[0, infinity]` when the arithmetic leaves its
/// range.
pub(crate) fn bounds(a: &Tri, b: &Tri) -> Bounds {
    let nothing_known = Bounds { lower: 0.0, upper: f64::INFINITY };
    let largest = a.iter().chain(b).flatten().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    if largest > 1e100 {
        return nothing_known;
    }
    // The points are rounded combinations of corners: a few units in the last place of the
    // coordinates.
    let slack = 1e-14 * largest + 1e-200;
    let (on_a, on_b) = closest_points(a, b);
    let apart = subtract(on_a, on_b);
    let distance = length(apart);
    if distance < 1e-100 {
        return Bounds { lower: 0.0, upper: distance + slack };
    }
    // Measured from a point between the triangles, so that far from the origin nothing is lost.
    let height = |p: &Point| dot(subtract(*p, on_b), apart) / distance;
    let lowest = a.iter().map(height).fold(f64::INFINITY, f64::min);
    let highest = b.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
    let reach = a.iter().chain(b).map(|p| length(subtract(*p, on_b))).fold(0.0, f64::max);
    let lower = (lowest - highest) - 1e-14 * reach - 1e-200;
    Bounds { lower: lower.max(0.0), upper: distance + slack }
}

/// Nearly closest points: edge against edge, and vertex against face.
fn closest_points(a: &Tri, b: &Tri) -> (Point, Point) {
    let mut best = (a[0], b[0]);
    let mut best_square = f64::INFINITY;
    let mut offer = |p: Point, q: Point| {
        let apart = subtract(p, q);
        let square = dot(apart, apart);
        if square < best_square {
            (best, best_square) = ((p, q), square);
        }
    };
    for i in 0..3 {
        for j in 0..3 {
            let (p, q) = between_segments([a[i], a[(i + 1) % 3]], [b[j], b[(j + 1) % 3]]);
            offer(p, q);
        }
        if let Some(q) = projection(a[i], b) {
            offer(a[i], q);
        }
        if let Some(p) = projection(b[i], a) {
            offer(p, b[i]);
        }
    }
    best
}

fn between_segments([a_from, a_to]: [Point; 2], [b_from, b_to]: [Point; 2]) -> (Point, Point) {
    let (u, v, w) = (subtract(a_to, a_from), subtract(b_to, b_from), subtract(a_from, b_from));
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let determinant = uu * vv - uv * uv;
    let start = if determinant > 0.0 { fraction(uv * vw - vv * uw, determinant) } else { 0.0 };
    // Alternating projections end at a mutually closest pair after the first clamped parameter.
    let on_b = fraction(start * uv + vw, vv);
    let on_a = fraction(on_b * uv - uw, uu);
    let on_b = fraction(on_a * uv + vw, vv);
    (along(a_from, u, on_a), along(b_from, v, on_b))
}

/// The foot of the perpendicular, when it falls into the triangle.
fn projection(point: Point, triangle: &Tri) -> Option<Point> {
    let (u, v) = (subtract(triangle[1], triangle[0]), subtract(triangle[2], triangle[0]));
    let w = subtract(point, triangle[0]);
    let (uu, uv, vv) = (dot(u, u), dot(u, v), dot(v, v));
    let determinant = uu * vv - uv * uv;
    if determinant <= 0.0 {
        return None;
    }
    let s = (vv * dot(u, w) - uv * dot(v, w)) / determinant;
    let t = (uu * dot(v, w) - uv * dot(u, w)) / determinant;
    (s >= 0.0 && t >= 0.0 && s + t <= 1.0).then(|| along(along(triangle[0], u, s), v, t))
}

/// The quotient held between 0 and 1; 0 for a segment without length.
fn fraction(above: f64, below: f64) -> f64 {
    if below > 0.0 { (above / below).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{square_root, squared_distance};
    use crate::rng::Rng;

    #[test]
    fn bounds_hold_and_are_tight() {
        let mut rng = Rng::new(41);
        let (mut tight, mut touching) = (0, 0);
        for round in 0..4000 {
            let offset = [0.0, 1e3, 1e6][round % 3];
            let mut triangle = || -> Tri { std::array::from_fn(|_| rng.point(offset, offset + 1.0)) };
            let (a, b) = (triangle(), triangle());
            let exact = square_root(&squared_distance(&a, &b));
            let bounds = bounds(&a, &b);
            assert!(bounds.lower <= exact.low && exact.high <= bounds.upper, "{a:?} {b:?} {bounds:?} {exact:?}");
            tight += usize::from(bounds.upper - bounds.lower <= 1e-7);
            touching += usize::from(exact.high == 0.0);
        }
        assert!(touching > 400 && tight > 2400, "{touching} {tight}");
    }
}
