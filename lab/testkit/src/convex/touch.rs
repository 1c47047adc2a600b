//! Distance and contact of hulls of points, exactly; also of hulls grown by a radius, and with a
//! half-space.

use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::distance::exact_double;
use super::guess::guess;
use super::nearest::{lowest, nearest};
use super::scaled::{common_exponent, integer, rational, vectors};
use super::solid::{Core, Solid};
use crate::Point;
use crate::exact::integers::{Vector, cross, dot, sign};
use crate::exact::{Bracket, square_root};

/// The squared distance of the hulls of two sets of points; zero when they share a point. Neither
/// set may be empty.
pub fn exact_squared_distance(a: &[Point], b: &[Point]) -> RBig {
    let square = Square::of(a, b, &[]);
    rational(square.above, square.below, 2 * square.exponent)
}

/// The distance of two hulls, between neighbouring doubles.
pub fn exact_distance(a: &[Point], b: &[Point]) -> Bracket {
    square_root(&exact_squared_distance(a, b))
}

/// Whether the hulls, each grown by a ball of the radius `margin_a` or `margin_b`, share a point.
/// The margins are added exactly.
pub fn touches(a: &[Point], margin_a: f64, b: &[Point], margin_b: f64) -> bool {
    compare_distance(a, b, &[margin_a, margin_b]) != Ordering::Greater
}

/// Whether a point is in the closed hull.
pub fn hull_contains(hull: &[Point], point: Point) -> bool {
    touches(hull, 0.0, &[point], 0.0)
}

/// The distance of two hulls beside the exact sum of the lengths, none of which is negative.
pub fn compare_distance(a: &[Point], b: &[Point], lengths: &[f64]) -> Ordering {
    let square = Square::of(a, b, lengths);
    square.above.cmp(&(&square.reach * &square.reach * square.below))
}

/// `above / below * 4^exponent`, and the sum of some lengths as `reach * 2^exponent`.
struct Square {
    above: IBig,
    below: IBig,
    reach: IBig,
    exponent: i64,
}

impl Square {
    fn of(a: &[Point], b: &[Point], lengths: &[f64]) -> Square {
        assert!(!a.is_empty() && !b.is_empty(), "a hull needs a point");
        let exponent = common_exponent(a.iter().chain(b).flatten().chain(lengths));
        let found = nearest(&vectors(a, exponent), &vectors(b, exponent), &guess(a, b));
        // Hulls that share a point have no direction between them.
        let below = if found.height.is_zero() { IBig::ONE } else { dot(&found.direction, &found.direction) };
        let reach = lengths.iter().map(|&length| integer(length, exponent)).sum();
        Square { above: &found.height * &found.height, below, reach, exponent }
    }
}

/// Whether two solids without curved cores share a point, exactly; `None` when one has.
pub fn flat_solids_touch(a: &Solid, b: &Solid) -> Option<bool> {
    match (&a.core, &b.core) {
        (Core::Points(p), Core::Points(q)) => Some(touches(p, a.margin, q, b.margin)),
        (Core::Points(p), &Core::HalfSpace { normal, offset }) => {
            Some(touches_half_space(p, a.margin, normal, offset, b.margin))
        }
        (&Core::HalfSpace { normal, offset }, Core::Points(q)) => {
            Some(touches_half_space(q, b.margin, normal, offset, a.margin))
        }
        (Core::HalfSpace { normal, offset }, Core::HalfSpace { normal: other_normal, offset: other_offset }) => {
            let square = half_spaces_squared_distance((*normal, *offset), (*other_normal, *other_offset));
            let exponent = common_exponent([a.margin, b.margin].iter());
            let reach = integer(a.margin, exponent) + integer(b.margin, exponent);
            Some(square <= rational(&reach * &reach, IBig::ONE, 2 * exponent))
        }
        _ => None,
    }
}

/// The squared distance of two half-spaces, each `normal * x <= offset`: zero unless their normals
/// are exactly opposite.
pub fn half_spaces_squared_distance(a: (Point, f64), b: (Point, f64)) -> RBig {
    match half_spaces_gap(a, b) {
        Some((gap, square)) if gap > RBig::ZERO => &gap * &gap / square,
        _ => RBig::ZERO,
    }
}

/// Of half-spaces with opposite normals: how far the second is beyond the first, in lengths of the
/// first normal, and the square of that length.
pub(crate) fn half_spaces_gap(a: (Point, f64), b: (Point, f64)) -> Option<(RBig, RBig)> {
    let exponents = [common_exponent(a.0.iter()), common_exponent(b.0.iter())];
    let m: Vector = a.0.map(|x| integer(x, exponents[0]));
    let n: Vector = b.0.map(|x| integer(x, exponents[1]));
    let opposite = cross(&m, &n).iter().all(IBig::is_zero) && sign(&dot(&m, &n)) < 0;
    // With n = -k m the second is m * x >= -offset_b / k, and k is a ratio of squares.
    let square = dot(&m, &m);
    opposite.then(|| {
        let factor = rational(square.clone(), -dot(&m, &n), exponents[0] - exponents[1]);
        (-exact_double(b.1) * factor - exact_double(a.1), rational(square, IBig::ONE, 2 * exponents[0]))
    })
}

/// Whether the hull grown by a ball shares a point with the half-space `normal * x <= offset` grown
/// by another.
pub fn touches_half_space(hull: &[Point], margin: f64, normal: Point, offset: f64, half_space_margin: f64) -> bool {
    let (above, below, exponents) = plane_height(hull, normal, offset);
    if sign(&above) <= 0 {
        return true;
    }
    let exponent = common_exponent([margin, half_space_margin].iter());
    let reach = integer(margin, exponent) + integer(half_space_margin, exponent);
    rational(&above * &above, below, 2 * exponents) <= rational(&reach * &reach, IBig::ONE, 2 * exponent)
}

/// The squared distance of a hull and the half-space `normal * x <= offset`; zero when they share a
/// point.
pub fn plane_squared_distance(hull: &[Point], normal: Point, offset: f64) -> RBig {
    let (above, below, exponent) = plane_height(hull, normal, offset);
    if sign(&above) <= 0 { RBig::ZERO } else { rational(&above * &above, below, 2 * exponent) }
}

/// The least height of the hull over the plane: `above / sqrt(below) * 2^exponent`.
fn plane_height(hull: &[Point], normal: Point, offset: f64) -> (IBig, IBig, i64) {
    assert!(!hull.is_empty() && normal != [0.0; 3], "a hull needs a point, a plane a normal");
    let along_normal = common_exponent(normal.iter());
    let of_points = common_exponent(hull.iter().flatten());
    let across: Vector = normal.map(|x| integer(x, along_normal));
    let (height, _) = lowest(&vectors(hull, of_points), &across);
    // The products have the sum of both exponents; the offset may need a smaller one.
    let products = along_normal + of_points;
    let exponent = products.min(common_exponent([offset].iter()));
    let above = (height << (products - exponent) as usize) - integer(offset, exponent);
    (above, dot(&across, &across), exponent - along_normal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tri;
    use crate::exact::squared_distance;
    use crate::rng::Rng;

    fn number(above: i64, below: u64) -> RBig {
        RBig::from_parts(above.into(), below.into())
    }

    fn cuboid(low: Point, high: Point) -> Vec<Point> {
        (0..8).map(|i| std::array::from_fn(|axis| if i >> axis & 1 == 1 { high[axis] } else { low[axis] })).collect()
    }

    #[test]
    fn closed_forms() {
        let origin = [[0.0; 3]];
        assert_eq!(exact_squared_distance(&origin, &[[1.0, 2.0, 2.0]]), number(9, 1));
        let segment = [[1.0, -1.0, 0.0], [1.0, 3.0, 0.0]];
        assert_eq!(exact_squared_distance(&origin, &segment), number(1, 1));
        let slanted = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
        assert_eq!(exact_squared_distance(&origin, &slanted), number(4, 5));
        let crossing = [[-1.0, 0.5, 7.0], [5.0, 0.5, 7.0]];
        assert_eq!(exact_squared_distance(&segment, &crossing), number(49, 1));
        let unit = cuboid([-1.0; 3], [1.0; 3]);
        assert_eq!(exact_squared_distance(&unit, &[[2.0, 3.0, 0.5]]), number(5, 1));
        assert_eq!(exact_squared_distance(&unit, &[[0.0, 0.5, 1.0]]), RBig::ZERO);
        let parallel = cuboid([0.5, 0.5, 4.0], [9.0, 9.0, 5.0]);
        assert_eq!(exact_squared_distance(&unit, &parallel), number(9, 1));
        assert!(touches(&unit, 1.0, &parallel, 2.0) && !touches(&unit, 1.0, &parallel, 2f64.next_down()));
        assert!(touches(&unit, 3.0, &parallel, 0.0) && !touches(&unit, 0.0, &parallel, 0.0));
    }

    #[test]
    fn boxes_on_a_grid() {
        let mut rng = Rng::new(71);
        let mut touching = 0;
        for _ in 0..2000 {
            let mut corners = || -> (Point, Point) {
                let low: Point = std::array::from_fn(|_| rng.integer(-2, 1) as f64 * 0.5);
                (low, std::array::from_fn(|axis| low[axis] + rng.integer(0, 3) as f64 * 0.5))
            };
            let (a, b) = (corners(), corners());
            let gap: Point = std::array::from_fn(|axis| (a.0[axis] - b.1[axis]).max(b.0[axis] - a.1[axis]).max(0.0));
            let square: f64 = gap.iter().map(|x| x * x).sum();
            let found = exact_squared_distance(&cuboid(a.0, a.1), &cuboid(b.0, b.1));
            assert_eq!(found, number((square * 16.0) as i64, 16));
            touching += usize::from(square == 0.0);
        }
        assert!((400..1800).contains(&touching), "{touching}");
    }

    /// Of every size, flat and on grids: the oracle of two triangles shares only integers with
    /// this.
    #[test]
    fn triangles_against_their_own_oracle() {
        let mut rng = Rng::new(72);
        let mut touching = 0;
        for round in 0..4000 {
            let mut coordinate = || match round % 4 {
                0 => rng.range(-1.0, 1.0),
                1 => rng.integer(-1, 1) as f64,
                2 => rng.integer(-2, 2) as f64,
                _ => rng.range(-1.0, 1.0) * 10f64.powf(rng.range(-300.0, 299.0)),
            };
            let mut triangle = || -> Tri { std::array::from_fn(|_| std::array::from_fn(|_| coordinate())) };
            let (a, b) = (triangle(), triangle());
            let found = exact_squared_distance(&a, &b);
            assert_eq!(found, squared_distance(&a, &b), "{a:?} {b:?}");
            touching += usize::from(found.is_zero());
        }
        assert!((700..3000).contains(&touching), "{touching}");
    }

    #[test]
    fn hulls_in_any_order_and_with_duplicates() {
        let mut rng = Rng::new(73);
        for round in 0..200 {
            let count = 4 + rng.below(46);
            let mut a: Vec<Point> = (0..count).map(|_| rng.point(-1.0, 1.0)).collect();
            let shift = if round % 2 == 0 { 1.2 } else { 0.4 };
            let b: Vec<Point> = (0..count).map(|_| rng.point(shift, shift + 1.0)).collect();
            let found = exact_squared_distance(&a, &b);
            assert_eq!(exact_squared_distance(&b, &a), found);
            a.push(a[0]);
            rng.shuffle(&mut a);
            assert_eq!(exact_squared_distance(&a, &b), found);
            let bounds = exact_distance(&a, &b);
            assert!(touches(&a, bounds.high, &b, 0.0));
            assert_eq!(touches(&a, bounds.low, &b, 0.0), bounds.low == bounds.high);
        }
    }

    #[test]
    fn planes() {
        let unit = cuboid([-1.0; 3], [1.0; 3]);
        assert_eq!(plane_squared_distance(&unit, [0.0, 0.0, 2.0], -6.0), number(4, 1));
        assert_eq!(plane_squared_distance(&unit, [1.0, 1.0, 0.0], -4.0), number(2, 1));
        let (up, down) = (([0.0, 0.0, 2.0], 1.0), ([0.0, 0.0, -6.0], -12.0));
        assert_eq!(half_spaces_squared_distance(up, down), number(9, 4));
        assert_eq!(half_spaces_squared_distance(down, up), number(9, 4));
        assert_eq!(half_spaces_squared_distance(up, ([0.0, 0.0, -6.0], -3.0)), RBig::ZERO);
        assert_eq!(half_spaces_squared_distance(up, ([0.0, 1e-300, -6.0], -12.0)), RBig::ZERO);
        assert!(touches_half_space(&unit, 1.5, [0.0, 0.0, 2.0], -6.0, 0.5));
        assert!(!touches_half_space(&unit, 1.5, [0.0, 0.0, 2.0], -6.0, 0.5f64.next_down()));
        assert!(touches_half_space(&unit, 0.0, [0.0, 0.0, 1e-300], -1e-300, 0.0));
        assert!(!touches_half_space(&unit, 0.0, [0.0, 0.0, 1e-300], -(1e-300f64.next_up()), 0.0));
        // A plane of a triangle far below: as far as the exact distance to a huge triangle.
        let floor = [[-1e6, -1e6, -7.5], [1e6, -1e6, -7.5], [0.0, 1e6, -7.5]];
        assert_eq!(exact_squared_distance(&unit, &floor), plane_squared_distance(&unit, [0.0, 0.0, 3.0], -22.5));
    }
}
