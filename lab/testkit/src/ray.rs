//! A half-line and a triangle in rational arithmetic: what is true of the numbers given.

use crate::{Point, Tri};
use dashu_ratio::RBig;

type Vector = [RBig; 3];

fn exactly(point: Point) -> Vector {
    point.map(|x| RBig::try_from(x).expect("finite"))
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|axis| &a[axis] - &b[axis])
}

fn dot(a: &Vector, b: &Vector) -> RBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        &a[next] * &b[last] - &a[last] * &b[next]
    })
}

fn is_zero(vector: &Vector) -> bool {
    vector.iter().all(RBig::is_zero)
}

/// Does the half-line from `origin` along `direction`, which is not zero, share a point with the
/// closed triangle?
pub fn ray_meets(origin: Point, direction: Point, triangle: &Tri) -> bool {
    let (origin, direction) = (exactly(origin), exactly(direction));
    let [a, b, c] = triangle.map(exactly);
    let normal = cross(&minus(&b, &a), &minus(&c, &a));
    let slope = dot(&normal, &direction);
    if slope.is_zero() {
        // In the plane of the triangle, beside it, or of a triangle without area: through an edge,
        // as whoever starts inside leaves through one.
        return [(&a, &b), (&b, &c), (&c, &a)].iter().any(|(p, q)| meets_segment(&origin, &direction, p, q));
    }
    let along = dot(&normal, &minus(&a, &origin)) / slope;
    if along < RBig::ZERO {
        return false;
    }
    let point: Vector = std::array::from_fn(|axis| &origin[axis] + &direction[axis] * &along);
    [(&a, &b), (&b, &c), (&c, &a)]
        .iter()
        .all(|(p, q)| dot(&cross(&minus(q, p), &minus(&point, p)), &normal) >= RBig::ZERO)
}

/// Where a half-line goes through the inside of a triangle: 1 if out by its face, -1 if in, 0 if it
/// misses it. `None` if it comes to the rim, lies in the plane, or begins on the triangle.
pub fn ray_crosses(origin: Point, direction: Point, triangle: &Tri) -> Option<i32> {
    let (origin, direction) = (exactly(origin), exactly(direction));
    let [a, b, c] = triangle.map(|corner| minus(&exactly(corner), &origin));
    let sides = [(&a, &b), (&b, &c), (&c, &a)].map(|(p, q)| dot(&cross(p, q), &direction));
    let normal = cross(&minus(&b, &a), &minus(&c, &a));
    if is_zero(&normal) {
        // Without area it bounds nothing.
        return Some(0);
    }
    let (above, below) = (sides.iter().all(|side| *side >= RBig::ZERO), sides.iter().all(|side| *side <= RBig::ZERO));
    if !above && !below {
        return Some(0);
    }
    if sides.iter().any(RBig::is_zero) {
        return None;
    }
    let ahead = dot(&normal, &a);
    match (ahead.is_zero(), (ahead > RBig::ZERO) == above) {
        (true, _) => None,
        (false, false) => Some(0),
        (false, true) => Some(if above { 1 } else { -1 }),
    }
}

fn meets_segment(origin: &Vector, direction: &Vector, p: &Vector, q: &Vector) -> bool {
    let (way, edge) = (minus(p, origin), minus(q, p));
    let across = cross(direction, &edge);
    if is_zero(&across) {
        let ahead = |end: &Vector| dot(&minus(end, origin), direction) >= RBig::ZERO;
        return is_zero(&cross(&way, direction)) && (ahead(p) || ahead(q));
    }
    let square = dot(&across, &across);
    let along = dot(&cross(&way, &edge), &across);
    let share = dot(&cross(&way, direction), &across);
    dot(&way, &across).is_zero() && along >= RBig::ZERO && share >= RBig::ZERO && share <= square
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_by_hand() {
        let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        assert!(ray_meets([1.0, 1.0, -3.0], [0.0, 0.0, 0.1], &flat));
        assert!(!ray_meets([1.0, 1.0, -3.0], [0.0, 0.0, -0.1], &flat));
        assert!(ray_meets([2.0, 0.0, -3.0], [0.0, 0.0, 7.0], &flat), "through an edge");
        assert!(ray_meets([-2.0, 0.0, 0.0], [1e-300, 0.0, 0.0], &flat), "along an edge");
        assert!(!ray_meets([-2.0, 1.0, 0.0], [-1.0, 0.0, 0.0], &flat), "away in the plane");
        assert!(ray_meets([1.0, 1.0, 0.0], [1.0, 0.0, 0.0], &flat), "from within");
        assert!(!ray_meets([1.0, 1.0, 1e-320], [1.0, 0.0, 0.0], &flat), "above the plane");
        assert!(ray_meets([0.0; 3], [1.0, 2.0, 3.0], &[[2.0, 4.0, 6.0]; 3]), "a point");
    }
}
