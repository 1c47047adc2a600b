//! Signs of determinants.

use super::integers::{Vector, cross, dot, scale, sign, subtract};
use crate::Point;

/// Sign of `(b - a) x (c - a) . (d - a)`: 1 when `d` lies on the side from which `a`, `b`, `c` turn
/// counter-clockwise, -1 on the other side, 0 in their plane.
pub fn orient3d(a: Point, b: Point, c: Point, d: Point) -> i8 {
    let points = [a, b, c, d];
    let x = scale(&std::array::from_fn::<f64, 12, _>(|index| points[index / 3][index % 3])).integers;
    let point = |index: usize| -> Vector { std::array::from_fn(|axis| x[3 * index + axis].clone()) };
    let origin = point(0);
    let [ab, ac, ad] = [1, 2, 3].map(|index| subtract(&point(index), &origin));
    sign(&dot(&cross(&ab, &ac), &ad))
}

/// Sign of `(b - a) x (c - a)` in the plane: 1 when the three points turn counter-clockwise, 0 on a
/// line.
pub fn orient2d(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> i8 {
    let [ax, ay, bx, by, cx, cy] = scale(&[a[0], a[1], b[0], b[1], c[0], c[1]]).integers;
    sign(&((bx - &ax) * (cy - &ay) - (by - &ay) * (cx - &ax)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_of_a_plane() {
        let [a, b, c] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(orient3d(a, b, c, [0.3, 0.3, 5e-324]), 1);
        assert_eq!(orient3d(a, b, c, [0.3, 0.3, -5e-324]), -1);
        assert_eq!(orient3d(a, b, c, [1e300, -1e300, -0.0]), 0);
        assert_eq!(orient3d(a, c, b, [0.3, 0.3, 1.0]), -1);
    }

    #[test]
    fn turns_in_the_plane() {
        let (a, b) = ([0.5, 0.5], [12.0, 12.0]);
        assert_eq!(orient2d(a, b, [24.0, 24.0]), 0);
        assert_eq!(orient2d(a, b, [24.0, 24.0f64.next_up()]), 1);
        assert_eq!(orient2d(a, b, [24.0f64.next_up(), 24.0]), -1);
    }
}
