//! By how much do two triangles cross? For telling contacts that survive rounding from those that
//! hang on the last bit.

use crate::vector::{cross, dot, length, subtract};
use crate::{Point, Tri};

/// How far the triangles can be moved against each other, at least, before this crossing is lost; 0
/// where it cannot be told.
///
/// Looks for an edge of one that pierces the other: the smaller of the heights of its two ends
/// above the plane and of the distances of the piercing point to the three sides. Plain double
/// arithmetic: meant to be compared with values far above rounding.
pub fn crossing_margin(a: &Tri, b: &Tri) -> f64 {
    let edges = |triangle: &Tri| [0, 1, 2].map(|i| [triangle[i], triangle[(i + 1) % 3]]);
    let of = |segments: [[Point; 2]; 3], triangle: &Tri| {
        segments.iter().map(|&[p, q]| piercing_margin(p, q, triangle)).fold(0.0, f64::max)
    };
    of(edges(a), b).max(of(edges(b), a))
}

fn piercing_margin(p: Point, q: Point, triangle: &Tri) -> f64 {
    let normal = cross(subtract(triangle[1], triangle[0]), subtract(triangle[2], triangle[0]));
    let area = length(normal);
    if area == 0.0 {
        return 0.0;
    }
    let unit = normal.map(|x| x / area);
    let (height_p, height_q) = (dot(unit, subtract(p, triangle[0])), dot(unit, subtract(q, triangle[0])));
    if height_p * height_q >= 0.0 {
        return 0.0;
    }
    let fraction = height_p / (height_p - height_q);
    let point: Point = std::array::from_fn(|axis| p[axis] + fraction * (q[axis] - p[axis]));
    let inside = [0, 1, 2].map(|i| {
        let side = subtract(triangle[(i + 1) % 3], triangle[i]);
        dot(cross(unit, side), subtract(point, triangle[i])) / length(side)
    });
    // A shallow edge moves its piercing point by more than it is moved itself.
    let slope = height_p.abs().max(height_q.abs()) / length(subtract(q, p)).max(f64::MIN_POSITIVE);
    let side = inside.into_iter().fold(f64::INFINITY, f64::min) * slope.min(1.0);
    side.min(height_p.abs()).min(height_q.abs()).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::crossing_margin;

    #[test]
    fn measures_how_deep_a_crossing_is() {
        let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let pin = [[1.0, 1.0, -0.25], [1.0, 1.0, 2.0], [9.0, 9.0, 2.0]];
        assert_eq!(crossing_margin(&flat, &pin), 0.25);
        let beside = [[3.0, 3.0, -0.25], [3.0, 3.0, 2.0], [9.0, 9.0, 2.0]];
        assert_eq!(crossing_margin(&flat, &beside), 0.0);
        let touching = [[1.0, 1.0, 0.0], [1.0, 1.0, 2.0], [9.0, 9.0, 2.0]];
        assert_eq!(crossing_margin(&flat, &touching), 0.0);
    }
}
