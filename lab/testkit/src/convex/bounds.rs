//! The distance of two convex bodies that are known only by their support maps, between certified
//! bounds.
//!
//! The distance is the least norm in the Minkowski difference `{a - b}`. A simplex of at most four
//! of its points is kept; its nearest point to the origin gives the upper bound, and the support
//! plane across that point the lower one, whatever the quality of the steps between (Gilbert 1966;
//! Wolfe 1976).

use crate::Point;
use crate::vector::{along, dot, length, subtract};

/// Bounds on the distance of two convex bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Never above the true distance.
    pub lower: f64,
    /// Never below the true distance.
    pub upper: f64,
    /// The bodies share a point as far as rounding lets one see; then `lower` is 0 and `upper` is
    /// rounding.
    pub overlap: bool,
}

/// Enough for any pair met so far; the bounds hold when it runs out, they are only wider.
const MAX_STEPS: usize = 20_000;

/// Units of rounding that a support map and the sums here may take, relative to the coordinates.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Bounds the distance of the bodies with the given support maps, until `upper - lower <=
/// tolerance * upper` or rounding stops progress.
///
/// A support map gives, for any direction that is not zero (of any length), a point of the body
/// that is farthest along it, correct to a few units in the last place of its coordinates.
pub fn convex_distance(
    support_a: impl Fn(Point) -> Point,
    support_b: impl Fn(Point) -> Point,
    tolerance: f64,
) -> Bounds {
    let factor = rescaling(&support_a, &support_b);
    let scaled = |point: Point| point.map(|x| x * factor);
    let bounds = search(|direction| scaled(support_a(direction)), |direction| scaled(support_b(direction)), tolerance);
    if factor == 1.0 {
        return bounds;
    }
    // Dividing by a power of two rounds only among the denormals; one step outwards covers that.
    let lower = (bounds.lower / factor).next_down().max(0.0);
    Bounds { lower, upper: (bounds.upper / factor).next_up(), ..bounds }
}

/// A power of two that brings bodies of extreme size to where squares neither overflow nor vanish.
fn rescaling(support_a: &impl Fn(Point) -> Point, support_b: &impl Fn(Point) -> Point) -> f64 {
    let mut largest: f64 = 0.0;
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let mut direction = [0.0; 3];
            direction[axis] = side;
            for point in [support_a(direction), support_b(direction)] {
                largest = point.iter().fold(largest, |most, x| most.max(x.abs()));
            }
        }
    }
    power_of_two_for(largest)
}

/// A power of two that brings what is as large to where its square neither overflows nor vanishes.
pub(super) fn power_of_two_for(largest: f64) -> f64 {
    // To about one, not by a fixed power: what is 1e72 would have squares that vanish after it.
    if (1e-30..1e30).contains(&largest) || largest == 0.0 {
        return 1.0;
    }
    2f64.powi((-largest.log2().round()).clamp(-1000.0, 1000.0) as i32)
}

fn search(support_a: impl Fn(Point) -> Point, support_b: impl Fn(Point) -> Point, tolerance: f64) -> Bounds {
    let mut search = Search { support_a, support_b, scale: 0.0, lower: 0.0, upper: f64::INFINITY };
    let mut simplex = vec![search.farthest_against([1.0, 0.0, 0.0])];
    let mut nearest = simplex[0];
    for _ in 0..MAX_STEPS {
        search.note_point(nearest);
        if search.overlaps(nearest) {
            return Bounds { lower: 0.0, upper: search.upper, overlap: true };
        }
        let next = search.farthest_against(unit(nearest));
        search.note_plane(unit(nearest), next);
        if search.upper - search.lower <= tolerance * search.upper || simplex.contains(&next) {
            break;
        }
        simplex.push(next);
        let (reduced, point) = nearest_in_simplex(&simplex);
        if length(point) >= length(nearest) {
            break;
        }
        (simplex, nearest) = (reduced, point);
    }
    Bounds { lower: search.lower.min(search.upper), upper: search.upper, overlap: false }
}

struct Search<A, B> {
    support_a: A,
    support_b: B,
    /// Largest coordinates seen, for the rounding.
    scale: f64,
    lower: f64,
    upper: f64,
}

impl<A: Fn(Point) -> Point, B: Fn(Point) -> Point> Search<A, B> {
    /// The point of the difference that lies farthest against a direction.
    fn farthest_against(&mut self, direction: Point) -> Point {
        let (a, b) = ((self.support_a)(direction.map(|x| -x)), (self.support_b)(direction));
        self.scale = self.scale.max(length(a) + length(b));
        subtract(a, b)
    }

    fn slack(&self) -> f64 {
        ROUNDING * self.scale
    }

    fn note_point(&mut self, point: Point) {
        self.upper = self.upper.min(length(point) + self.slack());
    }

    /// `farthest` lies farthest against the unit vector `normal`, so the whole difference is beyond
    /// it.
    fn note_plane(&mut self, normal: Point, farthest: Point) {
        self.lower = self.lower.max(dot(normal, farthest) - self.slack());
    }

    fn overlaps(&self, nearest: Point) -> bool {
        length(nearest) <= self.slack()
    }
}

/// Scaled before squaring, so that neither huge nor tiny vectors are lost.
pub(super) fn unit(vector: Point) -> Point {
    let largest = vector.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let scaled = vector.map(|x| x / largest);
    let norm = length(scaled);
    scaled.map(|x| x / norm)
}

/// The point of the simplex nearest to the origin, and the corners that carry it. The last corner
/// is new, and as the old nearest point saw it beyond its plane, it is among the carriers.
pub(super) fn nearest_in_simplex(simplex: &[Point]) -> (Vec<Point>, Point) {
    let (&newest, older) = simplex.split_last().unwrap_or((&[0.0; 3], &[]));
    let mut best = (vec![newest], newest);
    for subset in 1u32..1 << older.len() {
        let chosen: Vec<Point> = (0..older.len()).filter(|index| subset >> index & 1 == 1).map(|i| older[i]).collect();
        if chosen.len() <= 3
            && let Some(point) = nearest_in_flat(newest, &chosen)
            && length(point) < length(best.1)
        {
            best = (chosen, point);
            best.0.push(newest);
        }
    }
    best
}

/// The point nearest to the origin of the affine hull, when it lies inside the simplex itself.
///
/// The edges from `base` are made orthonormal one by one; the solution follows by substitution.
/// That keeps twice the digits of the normal equations, and smooth bodies make very flat simplices.
pub(super) fn nearest_in_flat(base: Point, others: &[Point]) -> Option<Point> {
    let edges: Vec<Point> = others.iter().map(|&corner| subtract(corner, base)).collect();
    let count = edges.len();
    let mut frame: Vec<Point> = Vec::with_capacity(count);
    let mut upper = [[0.0; 3]; 3];
    for (column, &edge) in edges.iter().enumerate() {
        let mut rest = edge;
        for (row, &axis) in frame.iter().enumerate() {
            upper[row][column] = dot(axis, rest);
            rest = along(rest, axis, -upper[row][column]);
        }
        let remaining = length(rest);
        if remaining <= 1e-14 * length(edge) {
            return None;
        }
        upper[column][column] = remaining;
        frame.push(rest.map(|x| x / remaining));
    }
    let mut weights = [0.0; 3];
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|column| upper[row][column] * weights[column]).sum();
        weights[row] = (-dot(frame[row], base) - known) / upper[row][row];
    }
    let own = 1.0 - weights.iter().sum::<f64>();
    let inside = own >= 0.0 && weights[..count].iter().all(|&weight| weight >= 0.0);
    inside.then(|| edges.iter().zip(weights).fold(base, |point, (&edge, weight)| along(point, edge, weight)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tri;
    use crate::exact::{square_root, squared_distance};
    use crate::pose::{pose_point, transposed};
    use crate::rng::Rng;

    fn sphere(center: Point, radius: f64) -> impl Fn(Point) -> Point {
        move |direction| along(center, unit(direction), radius)
    }

    fn cuboid(low: Point, high: Point) -> impl Fn(Point) -> Point {
        move |direction| std::array::from_fn(|axis| if direction[axis] > 0.0 { high[axis] } else { low[axis] })
    }

    fn hull(points: Vec<Point>, radius: f64) -> impl Fn(Point) -> Point {
        move |direction| {
            let farthest = points.iter().copied().max_by(|p, q| dot(*p, direction).total_cmp(&dot(*q, direction)));
            along(farthest.unwrap(), unit(direction), radius)
        }
    }

    /// The bounds hold, and are as close together as the tolerance and rounding at this scale
    /// allow.
    fn check(bounds: Bounds, truth: f64, scale: f64) {
        let rounding = 1e-14 * scale;
        assert!(bounds.lower <= truth && truth <= bounds.upper + 1e-16 * scale, "{truth:e} outside {bounds:?}");
        assert!(bounds.upper - bounds.lower <= 1e-9 * truth + 10.0 * rounding, "{truth:e} is loose in {bounds:?}");
        assert_eq!(bounds.overlap, truth <= 0.0, "{truth:e} {bounds:?}");
    }

    #[test]
    fn spheres_apart_by_any_gap() {
        let mut rng = Rng::new(61);
        for round in 0..2000 {
            let gap = 10f64.powf(rng.range(-6.0, 3.0));
            let (r, s) = (10f64.powf(rng.range(-2.0, 1.0)), rng.range(0.1, 5.0));
            let start = rng.point(-1.0, 1.0);
            let center = along(start, rng.unit_vector(), r + s + gap);
            let truth = length(subtract(center, start)) - r - s;
            let bounds = convex_distance(sphere(start, r), sphere(center, s), 1e-10);
            let scale = 10.0 * (r + s + gap + 2.0);
            assert!(bounds.lower <= truth + 1e-15 * scale && truth <= bounds.upper + 1e-15 * scale, "round {round}");
            assert!(bounds.upper - bounds.lower <= 1e-9 * truth + 1e-13 * scale, "{round} {gap:e} {r} {s} {bounds:?}");
        }
    }

    #[test]
    fn boxes_meeting_in_corners_edges_and_faces() {
        let mut rng = Rng::new(62);
        let (mut touching, mut apart) = (0, 0);
        for _ in 0..3000 {
            let mut corners = || -> (Point, Point) {
                let low: Point = std::array::from_fn(|_| rng.integer(-2, 1) as f64 * 0.5);
                (low, std::array::from_fn(|axis| low[axis] + rng.integer(0, 4) as f64 * 0.5))
            };
            let (a, b) = (corners(), corners());
            let gap: Point = std::array::from_fn(|axis| (a.0[axis] - b.1[axis]).max(b.0[axis] - a.1[axis]).max(0.0));
            let truth = length(gap);
            check(convex_distance(cuboid(a.0, a.1), cuboid(b.0, b.1), 1e-12), truth, 20.0);
            *(if truth > 0.0 { &mut apart } else { &mut touching }) += 1;
        }
        assert!(touching > 500 && apart > 500, "{touching} {apart}");
    }

    #[test]
    fn triangles_against_exact_arithmetic() {
        let mut rng = Rng::new(63);
        let mut touching = 0;
        for round in 0..3000 {
            let mut triangle = || -> Tri { std::array::from_fn(|_| rng.point(-1.0, 1.0)) };
            let (a, mut b) = (triangle(), triangle());
            match round % 4 {
                0 => b = b.map(|p| along(p, [1.0, 0.0, 0.0], 2.0)),
                1 => b[1] = b[0],
                2 => b = [b[0]; 3],
                _ => {}
            }
            let exact = square_root(&squared_distance(&a, &b));
            let bounds = convex_distance(hull(a.to_vec(), 0.0), hull(b.to_vec(), 0.0), 1e-12);
            assert!(bounds.lower <= exact.low && exact.high <= bounds.upper, "{exact:?} {bounds:?}");
            assert!(bounds.upper - bounds.lower <= 1e-10, "{round} {exact:?} {bounds:?}");
            touching += usize::from(exact.high == 0.0);
        }
        assert!(touching > 200, "{touching}");
    }

    #[test]
    fn capsules_and_swept_rectangles() {
        let mut rng = Rng::new(64);
        for round in 0..1000 {
            let mut triangle = || -> Tri { std::array::from_fn(|_| rng.point(-1.0, 1.0)) };
            let (mut a, b) = (triangle(), triangle());
            if round % 2 == 0 {
                a[2] = a[0];
            }
            let b = b.map(|p| along(p, [0.0, 1.0, 0.0], 3.0));
            let core = square_root(&squared_distance(&a, &b)).low;
            let (r, s) = (rng.range(0.0, 0.45) * core, rng.range(0.0, 0.45) * core);
            let bounds = convex_distance(hull(a.to_vec(), r), hull(b.to_vec(), s), 1e-10);
            let truth = core - r - s;
            assert!(bounds.lower <= truth + 1e-15 && truth <= bounds.upper, "{truth} {bounds:?}");
            assert!(bounds.upper - bounds.lower <= 2e-10 * truth + 1e-12, "{round} {truth} {bounds:?}");
        }
    }

    #[test]
    fn smooth_bodies_about_to_touch() {
        for gap in [0.0, 1e-9, 1e-12, -1e-12, -1e-9, -1e-6, -1e-3] {
            let bounds = convex_distance(sphere([0.3, 0.2, 0.1], 1.0), sphere([0.3, 3.2 + gap, 0.1], 2.0), 1e-9);
            assert!(bounds.lower <= f64::max(gap, 0.0) + 1e-15 && bounds.upper <= f64::max(gap, 0.0) * 1.1 + 1e-12);
        }
    }

    #[test]
    fn bodies_of_extreme_size() {
        for size in (-300..=300).step_by(6).map(|decade| 10f64.powi(decade)) {
            let bounds = convex_distance(sphere([0.0; 3], size), sphere([4.0 * size, 0.0, 0.0], size), 1e-10);
            assert!((bounds.lower / size - 2.0).abs() < 1e-9 && (bounds.upper / size - 2.0).abs() < 1e-9, "{bounds:?}");
            assert!(bounds.lower <= 2.0 * size && bounds.upper >= 2.0 * size);
        }
    }

    #[test]
    fn deep_overlap_and_rotated_boxes() {
        let mut rng = Rng::new(65);
        for _ in 0..500 {
            let rotation = rng.rotation();
            let back = transposed(&rotation);
            let inner = cuboid([-0.5; 3], [0.5; 3]);
            let turned = |direction: Point| {
                pose_point(&rotation, &[0.2, 0.1, 0.0], inner(pose_point(&back, &[0.0; 3], direction)))
            };
            let bounds = convex_distance(turned, sphere([0.0; 3], 0.5), 1e-12);
            assert!(bounds.overlap && bounds.lower == 0.0 && bounds.upper < 1e-13, "{bounds:?}");
        }
        let same = convex_distance(hull(vec![[3.0; 3]], 0.0), hull(vec![[3.0; 3]], 0.0), 1e-12);
        assert!(same.overlap && same.lower == 0.0);
    }
}
