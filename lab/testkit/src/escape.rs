//! How far must a soup be moved along a direction until it is free of another? Pair by pair, in
//! plain double arithmetic: right to rounding.
//!
//! Two triangles meet under the move `s · d` exactly when it is a convex combination of the nine
//! differences of their corners. Seen along `d` the differences are points of a plane with heights;
//! by Carathéodory's theorem the heights over the origin range between the least and the greatest
//! that any three of the points reach there.

use crate::pose::{Rows, pose_soup};
use crate::vector::{dot, subtract};
use crate::{Point, Soup, Tri};

/// The lengths from 0 up by which `b` may be moved along `direction` and still share a point with
/// `a`: `None` if there are none.
pub fn blocked(a: &Tri, b: &Tri, direction: Point) -> Option<(f64, f64)> {
    let [u, v] = across(direction);
    let mut points = Vec::with_capacity(9);
    for p in a {
        for q in b {
            let difference = subtract(*p, *q);
            points.push((dot(difference, u), dot(difference, v), dot(difference, direction)));
        }
    }
    let mut range: Option<(f64, f64)> = None;
    for i in 0..9 {
        for j in 0..i {
            for k in 0..j {
                if let Some(height) = height_over_origin(points[i], points[j], points[k]) {
                    range = Some(range.map_or((height, height), |(low, high)| (low.min(height), high.max(height))));
                }
            }
        }
    }
    range.filter(|range| range.1 >= 0.0).map(|(low, high)| (low.max(0.0), high))
}

/// The least length from 0 up by which `b`, posed, must be moved along `direction` to share no
/// point with `a`; touching still counts as sharing.
pub fn first_free(a: &Soup, b: &Soup, rotation: &Rows, translation: &Point, direction: Point) -> f64 {
    let posed: Vec<Tri> = pose_soup(rotation, translation, b).corners().collect();
    let mut intervals: Vec<(f64, f64)> = Vec::new();
    for of_a in a.corners() {
        intervals.extend(posed.iter().filter_map(|of_b| blocked(&of_a, of_b, direction)));
    }
    intervals.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut covered = 0.0;
    for (from, to) in intervals {
        if from > covered {
            break;
        }
        covered = to.max(covered);
    }
    covered
}

type Raised = (f64, f64, f64);

/// The height over the origin of the triangle with three raised corners, if it is there.
fn height_over_origin(p: Raised, q: Raised, r: Raised) -> Option<f64> {
    let area = |a: Raised, b: Raised| a.0 * b.1 - a.1 * b.0;
    let (of_p, of_q, of_r) = (area(q, r), area(r, p), area(p, q));
    let whole = of_p + of_q + of_r;
    let inside = (of_p >= 0.0 && of_q >= 0.0 && of_r >= 0.0) || (of_p <= 0.0 && of_q <= 0.0 && of_r <= 0.0);
    (inside && whole != 0.0).then(|| (of_p * p.2 + of_q * q.2 + of_r * r.2) / whole)
}

/// Two directions across a unit vector and each other.
fn across(d: Point) -> [Point; 2] {
    let thinnest = (0..3).min_by(|&i, &j| d[i].abs().total_cmp(&d[j].abs())).unwrap_or(0);
    let mut axis = [0.0; 3];
    axis[thinnest] = 1.0;
    let u = cross(d, axis);
    let length = dot(u, u).sqrt();
    let u = u.map(|x| x / length);
    [u, cross(d, u)]
}

fn cross(p: Point, q: Point) -> Point {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::intersects;
    use crate::rng::Rng;

    /// Inside the interval they meet, outside they do not, by exact arithmetic.
    #[test]
    fn intervals_are_where_triangles_meet() {
        let mut rng = Rng::new(71);
        let (mut met, mut missed) = (0, 0);
        for _ in 0..2000 {
            let (a, b): (Tri, Tri) = ([(); 3].map(|()| rng.point(-1.0, 1.0)), [(); 3].map(|()| rng.point(-1.0, 1.0)));
            let direction = rng.unit_vector();
            let meets = |length: f64| {
                let moved = b.map(|p| std::array::from_fn(|axis| p[axis] + length * direction[axis]));
                intersects(&a, &moved)
            };
            let Some((from, to)) = blocked(&a, &b, direction) else {
                assert!((0..20).all(|step| !meets(0.2 * f64::from(step))));
                missed += 1;
                continue;
            };
            let width = to - from;
            met += usize::from(width > 1e-6);
            if width > 1e-6 {
                assert!(
                    meets(from + 1e-9 * width + 1e-12) && meets(0.5 * (from + to)) && meets(to - 1e-9 * width - 1e-12)
                );
            }
            assert!(!meets(to + 1e-9) && (from == 0.0 || !meets((from - 1e-9).max(0.0))));
        }
        assert!(met > 300 && missed > 300, "{met} {missed}");
    }
}
