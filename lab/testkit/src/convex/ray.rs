//! Where a ray enters the hull of points, exactly.

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::expand::Polytope;
use super::nearest::{highest, nearest};
use super::scaled::{common_exponent, integer, rational, vectors};
use crate::Point;
use crate::exact::integers::{Vector, along, cross, dot, sign, subtract};

/// The least `t >= 0` for which `origin + t * direction` is in the closed hull, if there is one:
/// zero for an origin inside. The direction is of any length but zero.
pub fn ray_enters_hull(hull: &[Point], origin: Point, direction: Point) -> Option<RBig> {
    assert!(!hull.is_empty() && direction != [0.0; 3], "a hull needs a point, a ray a direction");
    let exponent = common_exponent(hull.iter().flatten().chain(&origin));
    let along_ray = common_exponent(direction.iter());
    let ray = Ray { origin: origin.map(|x| integer(x, exponent)), direction: direction.map(|x| integer(x, along_ray)) };
    let points = vectors(hull, exponent);
    let farthest = |d: &Vector| points[highest(&points, d).1].clone();
    let entry = match Polytope::tetrahedron(&farthest) {
        Ok(polytope) => ray.enters_solid(polytope, &points),
        Err(across) => ray.enters_flat(&across, &points),
    }?;
    Some(entry * rational(IBig::ONE, IBig::ONE, exponent - along_ray))
}

struct Ray {
    origin: Vector,
    direction: Vector,
}

impl Ray {
    /// Clipped by the plane of every face.
    fn enters_solid(&self, mut polytope: Polytope, points: &[Vector]) -> Option<RBig> {
        for point in points {
            polytope.insert(point.clone());
        }
        let (mut from, mut to): (RBig, Option<RBig>) = (RBig::ZERO, None);
        for face in &polytope.faces {
            let speed = dot(&face.plane.normal, &self.direction);
            let room = &face.plane.offset - dot(&face.plane.normal, &self.origin);
            match sign(&speed) {
                0 if sign(&room) < 0 => return None,
                0 => {}
                1 => {
                    let leaves = ratio(room, speed);
                    to = Some(to.map_or(leaves.clone(), |to| to.min(leaves)));
                }
                _ => from = from.max(ratio(room, speed)),
            }
        }
        to.is_none_or(|to| from <= to).then_some(from)
    }

    /// All points lie in a plane across the given vector, perhaps on a line or in one place.
    fn enters_flat(&self, across: &Vector, points: &[Vector]) -> Option<RBig> {
        let speed = dot(across, &self.direction);
        let room = dot(across, &subtract(&points[0], &self.origin));
        if sign(&speed) != 0 {
            let (speed, room) = if sign(&speed) < 0 { (-speed, -room) } else { (speed, room) };
            let meeting = along(&self.origin, &speed, &self.direction, &room);
            return (sign(&room) >= 0 && contains_scaled(points, &speed, meeting)).then(|| ratio(room, speed));
        }
        if sign(&room) != 0 {
            return None;
        }
        if contains_scaled(points, &IBig::ONE, self.origin.clone()) {
            return Some(RBig::ZERO);
        }
        let edges = points.iter().enumerate().flat_map(|(index, p)| points[index..].iter().map(move |q| (p, q)));
        edges.filter_map(|(p, q)| self.meets_segment(p, q)).min()
    }

    /// For a segment in a plane with the ray.
    fn meets_segment(&self, p: &Vector, q: &Vector) -> Option<RBig> {
        let (edge, offset) = (subtract(q, p), subtract(p, &self.origin));
        let common = cross(&self.direction, &edge);
        let square = dot(&common, &common);
        if square.is_zero() {
            let on_line = cross(&offset, &self.direction).iter().all(IBig::is_zero);
            let ends = [offset, subtract(q, &self.origin)].map(|end| dot(&end, &self.direction));
            let length = dot(&self.direction, &self.direction);
            return ends.into_iter().filter(|t| on_line && sign(t) >= 0).map(|t| ratio(t, length.clone())).min();
        }
        let on_ray = dot(&cross(&offset, &edge), &common);
        let on_edge = dot(&cross(&offset, &self.direction), &common);
        let meets = dot(&offset, &common).is_zero() && sign(&on_ray) >= 0 && sign(&on_edge) >= 0 && on_edge <= square;
        meets.then(|| ratio(on_ray, square))
    }
}

/// Whether the point, multiplied by a positive scale, is in the hull.
fn contains_scaled(points: &[Vector], scale: &IBig, point: Vector) -> bool {
    let scaled: Vec<Vector> = points.iter().map(|p| p.each_ref().map(|x| x * scale)).collect();
    nearest(&scaled, &[point], &[(0, 0)]).height.is_zero()
}

fn ratio(above: IBig, below: IBig) -> RBig {
    let turn = sign(&below);
    rational(above * turn, below * turn, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::{exact_double, hull_contains, touches};
    use crate::rng::Rng;

    fn number(above: i64, below: u64) -> RBig {
        RBig::from_parts(above.into(), below.into())
    }

    #[test]
    fn by_hand() {
        let unit: Vec<Point> =
            (0..8).map(|i| std::array::from_fn(|axis| if i >> axis & 1 == 1 { 1.0 } else { -1.0 })).collect();
        assert_eq!(ray_enters_hull(&unit, [-3.0, 0.5, 0.0], [4.0, 0.0, 0.0]), Some(number(1, 2)));
        assert_eq!(ray_enters_hull(&unit, [-3.0, 1.0, 1.0], [4.0, 0.0, 0.0]), Some(number(1, 2)));
        assert_eq!(ray_enters_hull(&unit, [-3.0, 1.0f64.next_up(), 0.0], [4.0, 0.0, 0.0]), None);
        assert_eq!(ray_enters_hull(&unit, [-3.0, 0.5, 0.0], [-4.0, 0.0, 0.0]), None);
        assert_eq!(ray_enters_hull(&unit, [0.5; 3], [1e-300, 0.0, 0.0]), Some(RBig::ZERO));
        assert_eq!(ray_enters_hull(&unit, [1.0; 3], [1.0, 0.0, 0.0]), Some(RBig::ZERO));
        let triangle = [[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]];
        assert_eq!(ray_enters_hull(&triangle, [1.0, 1.0, 4.0], [0.0, 0.0, -2.0]), Some(number(3, 2)));
        assert_eq!(ray_enters_hull(&triangle, [-1.0, 1.0, 1.0], [3.0, 0.0, 0.0]), Some(number(1, 3)));
        assert_eq!(ray_enters_hull(&triangle, [-1.0, 1.0, 1.0], [0.0, 3.0, 0.0]), None);
        let segment = [[0.0; 3], [2.0, 0.0, 0.0]];
        assert_eq!(ray_enters_hull(&segment, [7.0, 0.0, 0.0], [-1.0, 0.0, 0.0]), Some(number(5, 1)));
        assert_eq!(ray_enters_hull(&segment, [1.0, 3.0, 3.0], [0.0, -1.0, -1.0]), Some(number(3, 1)));
        assert_eq!(ray_enters_hull(&segment, [1.0, 3.0, 3.0], [0.0, -1.0, -2.0]), None);
        assert_eq!(ray_enters_hull(&[[1.0, 2.0, 3.0]], [0.0; 3], [0.5, 1.0, 1.5]), Some(number(2, 1)));
        assert_eq!(ray_enters_hull(&[[1.0, 2.0, 3.0]], [0.0; 3], [-0.5, -1.0, -1.5]), None);
    }

    /// A long enough segment is as good as a ray, and a point is where the distance is zero.
    #[test]
    fn against_distance() {
        let mut rng = Rng::new(111);
        let (mut hits, mut flat) = (0, 0);
        for round in 0..1500 {
            let grid = round % 3 != 0;
            let mut point = |reach: i64| -> Point {
                match grid {
                    true => std::array::from_fn(|_| rng.integer(-reach, reach) as f64),
                    false => rng.point(-(reach as f64), reach as f64),
                }
            };
            let mut hull: Vec<Point> = (0..1 + round % 9).map(|_| point(2)).collect();
            if round % 2 == 0 {
                hull.iter_mut().for_each(|p| p[2] = 0.0);
                flat += 1;
            }
            let origin = point(4);
            // Towards the middle of two corners, or anywhere.
            let (p, q) = (hull[0], hull[hull.len() / 2]);
            let towards: Point = std::array::from_fn(|axis| p[axis] + q[axis] - 2.0 * origin[axis]);
            let direction = if round % 5 < 3 { towards } else { point(2) };
            if direction == [0.0; 3] {
                continue;
            }
            let found = ray_enters_hull(&hull, origin, direction);
            // Rounding of the end is far below what a double of a rounded direction could miss.
            let far: Point = std::array::from_fn(|axis| origin[axis] + 1024.0 * direction[axis]);
            if grid {
                assert_eq!(
                    found.is_some(),
                    touches(&hull, 0.0, &[origin, far], 0.0),
                    "{hull:?} {origin:?} {direction:?}"
                );
            }
            let Some(entry) = found else { continue };
            hits += 1;
            assert_eq!(entry.is_zero(), hull_contains(&hull, origin));
            let at = |t: f64| -> Point { std::array::from_fn(|axis| origin[axis] + t * direction[axis]) };
            let (near, exact) = (entry.to_f64().value(), &entry);
            if grid && exact_double(near) == *exact && near * 1024.0 == (near * 1024.0).round() {
                assert!(hull_contains(&hull, at(near)));
                assert!(near == 0.0 || !hull_contains(&hull, at(near - 1.0 / 1024.0)));
            }
        }
        assert!(hits > 250 && flat > 600, "{hits} {flat}");
    }
}
