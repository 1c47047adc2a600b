//! Points and rays against whole soups, and solids known by formulas: slow, short, and by other
//! ways than the library's.

use dashu_ratio::RBig;

use crate::exact::{intersects, squared_distance};
use crate::ray::ray_crosses;
use crate::rng::Rng;
use crate::{Point, Soup, Tri};

/// How often a closed, oriented soup winds around a point, by adding up solid angles in doubles;
/// `None` on the surface, which is decided exactly.
///
/// Panics where the sum is not near a whole number: then the soup is not closed or the point is too
/// close for this oracle.
pub fn winding_number(soup: &Soup, point: Point) -> Option<i32> {
    let sum = generalised_winding_number(soup, point)?;
    assert!((sum - sum.round()).abs() < 1e-3, "{sum} is not near a whole number");
    Some(sum.round() as i32)
}

/// The same exactly, for points however near and soups of every size: what a ray crosses. Slow.
pub fn exact_winding_number(soup: &Soup, point: Point) -> Option<i32> {
    if soup.corners().any(|triangle| squared_distance(&[point; 3], &triangle).is_zero()) {
        return None;
    }
    let mut rng = Rng::new(1);
    loop {
        // Another ray if this one comes to an edge.
        let direction = [0; 3].map(|_| rng.integer(-1_000_000, 1_000_001) as f64);
        if direction != [0.0; 3]
            && let Some(sum) = soup.corners().map(|triangle| ray_crosses(point, direction, &triangle)).sum()
        {
            return Some(sum);
        }
    }
}

/// The sum of solid angles over 4π; `None` on the surface.
pub fn generalised_winding_number(soup: &Soup, point: Point) -> Option<f64> {
    let touches = |triangle: &Tri| near_box(point, triangle) && squared_distance(&[point; 3], triangle).is_zero();
    if soup.corners().any(|triangle| touches(&triangle)) {
        return None;
    }
    let sum: f64 = soup.corners().map(|triangle| solid_angle(point, &triangle)).sum();
    Some(sum / (4.0 * std::f64::consts::PI))
}

/// How many vertices of one soup are in the solid of another: on its surface, or where its winding
/// number is above one half in magnitude.
pub fn vertices_inside(inner: &Soup, outer: &Soup) -> usize {
    let is_inside = |point: Point| generalised_winding_number(outer, point).is_none_or(|winding| winding.abs() > 0.5);
    inner.vertices.iter().filter(|&&vertex| is_inside(vertex)).count()
}

fn near_box(point: Point, triangle: &Tri) -> bool {
    (0..3).all(|axis| {
        let values = triangle.map(|corner| corner[axis]);
        values.iter().any(|&value| value <= point[axis]) && values.iter().any(|&value| value >= point[axis])
    })
}

/// By Euler and Eriksson: the tangent of half the angle, from unit vectors.
fn solid_angle(point: Point, triangle: &Tri) -> f64 {
    let [a, b, c] = triangle.map(|corner| unit(std::array::from_fn(|axis| corner[axis] - point[axis])));
    let volume = dot(a, cross(b, c));
    let rest = 1.0 + dot(a, b) + dot(b, c) + dot(c, a);
    2.0 * volume.atan2(rest)
}

fn unit(vector: Point) -> Point {
    let length = dot(vector, vector).sqrt();
    vector.map(|x| x / length)
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        a[next] * b[last] - a[last] * b[next]
    })
}

/// The exact squared distance of each triangle from a point.
pub fn squared_distances(soup: &Soup, point: Point) -> Vec<RBig> {
    soup.corners().map(|triangle| squared_distance(&[point; 3], &triangle)).collect()
}

/// Which triangles share a point with the segment: a long one stands for a ray.
pub fn segment_hits(soup: &Soup, from: Point, to: Point) -> Vec<u32> {
    let hit = |(index, triangle): (usize, Tri)| intersects(&[from, to, to], &triangle).then_some(index as u32);
    soup.corners().enumerate().filter_map(hit).collect()
}

/// Signed distance from an axis-aligned box, negative inside.
pub fn box_distance(low: Point, high: Point, point: Point) -> f64 {
    let outside: Point = std::array::from_fn(|axis| (low[axis] - point[axis]).max(point[axis] - high[axis]));
    let deepest = outside.into_iter().fold(f64::NEG_INFINITY, f64::max);
    if deepest <= 0.0 {
        return deepest;
    }
    let gaps = outside.map(|gap| gap.max(0.0));
    dot(gaps, gaps).sqrt()
}

/// Signed distance from a torus about the z axis, negative inside.
pub fn torus_distance(ring_radius: f64, tube_radius: f64, [x, y, z]: Point) -> f64 {
    (x.hypot(y) - ring_radius).hypot(z) - tube_radius
}

/// How deep two convex polytopes, given by vertices and faces, are in each other: the length of the
/// shortest translation of b that leaves them touching, negative of nothing: `None` when they are
/// apart.
///
/// The boundary of the difference body has only faces with normals of a's faces, of b's, or of two
/// edges crossed; every normal is tried.
pub fn minkowski_depth(a: &Soup, b: &Soup) -> Option<f64> {
    let face_normals =
        |soup: &Soup| -> Vec<Point> { soup.corners().map(|[p, q, r]| cross(minus(q, p), minus(r, p))).collect() };
    let edges = |soup: &Soup| -> Vec<Point> {
        let mut seen = std::collections::BTreeSet::new();
        let ends = soup.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
        ends.filter(|&(from, to)| seen.insert((from.min(to), from.max(to))))
            .map(|(from, to)| minus(soup.vertices[to as usize], soup.vertices[from as usize]))
            .collect()
    };
    let (edges_a, edges_b) = (edges(a), edges(b));
    let crossed = edges_a.iter().flat_map(|&of_a| edges_b.iter().map(move |&of_b| cross(of_a, of_b)));
    let normals = face_normals(a).into_iter().chain(face_normals(b)).chain(crossed);
    let mut least = f64::INFINITY;
    for normal in normals.filter(|normal| dot(*normal, *normal) > 1e-20) {
        let normal = unit(normal);
        let reach = |soup: &Soup, sign: f64| {
            soup.vertices.iter().map(|&vertex| sign * dot(normal, vertex)).fold(f64::NEG_INFINITY, f64::max)
        };
        // Moving b along the normal, and against it.
        least = least.min(reach(a, 1.0) + reach(b, -1.0)).min(reach(a, -1.0) + reach(b, 1.0));
    }
    (least >= 0.0).then_some(least)
}

fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;

    #[test]
    fn windings_of_nested_cubes() {
        let mut soup = shapes::cuboid([0.0; 3], [4.0; 3]);
        let mut cavity = shapes::cuboid([1.0; 3], [2.0; 3]);
        cavity.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
        soup.append(&cavity);
        soup.append(&shapes::cuboid([2.5; 3], [5.0; 3]));
        let at = |x: f64| winding_number(&soup, [x; 3]);
        let points = [0.5, 1.5, 3.0, 4.5, 6.0, 4.0];
        assert_eq!(points.map(at), [Some(1), Some(0), Some(2), Some(1), Some(0), None]);
        assert_eq!(points.map(at), points.map(|x| exact_winding_number(&soup, [x; 3])));
        let near = 4.0_f64.next_down();
        assert_eq!(exact_winding_number(&soup, [near, 2.0, 2.0]), Some(1));
    }

    #[test]
    fn vertices_in_a_cube_with_a_cavity() {
        let mut hollow = shapes::cuboid([0.0; 3], [8.0; 3]);
        let mut cavity = shapes::cuboid([2.0; 3], [6.0; 3]);
        cavity.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
        hollow.append(&cavity);
        let chip = |low: f64, high: f64| vertices_inside(&shapes::cuboid([low; 3], [high; 3]), &hollow);
        assert_eq!(
            [chip(0.5, 1.0), chip(3.0, 4.0), chip(1.0, 3.0), chip(-2.0, -1.0), chip(-1.0, 0.0)],
            [8, 0, 7, 0, 1]
        );
    }

    #[test]
    fn depth_of_two_cubes() {
        let a = shapes::cuboid([0.0; 3], [2.0; 3]);
        assert_eq!(minkowski_depth(&a, &a.translated([1.5, 0.25, 0.0])), Some(0.5));
        assert_eq!(minkowski_depth(&a, &a.translated([0.0; 3])), Some(2.0));
        assert_eq!(minkowski_depth(&a, &a.translated([2.5, 0.0, 0.0])), None);
    }
}
