//! Where do two intersecting triangles meet? A point, a segment, or, for coplanar ones, a polygon.
//!
//! *Which* features meet is decided by the exact predicates, and *where* along an edge by exact
//! arithmetic too, so that shallow crossings are as good as steep ones; only the coordinates are
//! rounded. Off the hot path: it is computed for reports, not for decisions.

use super::distance::double_double::Vector;
use super::exact;
use super::intersect::{EDGES, inside_2d, line_pierces, proper_projection, sides};
use super::predicates::{Drop, Sign, orient2d, orient3d};
use crate::mesh::Triangle;
use arrayvec::ArrayVec;
use glam::DVec3;

/// The common points of two triangles: the corners of their intersection.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlap {
    /// They share nothing.
    Nothing,
    /// They touch in one point.
    Point(DVec3),
    /// They share a segment.
    Segment([DVec3; 2]),
    /// They are coplanar and share a convex polygon of three to six corners, in order around it.
    Polygon(ArrayVec<DVec3, 6>),
}

impl Overlap {
    /// The corners of the intersection.
    #[must_use]
    pub fn points(&self) -> &[DVec3] {
        match self {
            Self::Nothing => &[],
            Self::Point(point) => std::slice::from_ref(point),
            Self::Segment(ends) => ends,
            Self::Polygon(corners) => corners,
        }
    }
}

/// At most 3 + 3 corners, 3 + 3 piercings and 9 crossings.
type Candidates = ArrayVec<DVec3, 21>;

/// The intersection of two triangles, with coordinates right to rounding.
#[must_use]
pub fn overlap(a: &Triangle, b: &Triangle) -> Overlap {
    let (sides_of_a, sides_of_b) = (sides(b, a), sides(a, b));
    let mut found = Candidates::new();
    push_corners_and_piercings(a, sides_of_a, b, &mut found);
    push_corners_and_piercings(b, sides_of_b, a, &mut found);
    push_crossings(a, b, &mut found);
    let coplanar = sides_of_a == [Sign::Zero; 3] && sides_of_b == [Sign::Zero; 3];
    match (coplanar, proper_projection(a), proper_projection(b)) {
        (true, Some(drop), Some(_)) => polygon(&found, drop),
        _ => farthest_pair(&found),
    }
}

/// Some common point of two triangles that touch, right to rounding; none if they do not. Cheaper
/// than all of [`overlap`].
#[must_use]
pub fn common_point(a: &Triangle, b: &Triangle) -> Option<DVec3> {
    let (sides_of_a, sides_of_b) = (sides(b, a), sides(a, b));
    first_piercing(a, sides_of_a, b)
        .or_else(|| first_piercing(b, sides_of_b, a))
        .or_else(|| overlap(a, b).points().first().copied())
}

/// The first point where an edge of `a` passes through `b`.
fn first_piercing(a: &Triangle, sides_of_a: [Sign; 3], b: &Triangle) -> Option<DVec3> {
    EDGES.into_iter().find_map(|(i, j)| piercing(a[i], sides_of_a[i], a[j], sides_of_a[j], b))
}

/// Where the segment from `p` to `q`, on the given sides, passes from one side of `b` to the other
/// within `b`.
fn piercing(p: DVec3, side_p: Sign, q: DVec3, side_q: Sign, b: &Triangle) -> Option<DVec3> {
    (side_p.opposes(side_q) && line_pierces(p, q, b)).then(|| {
        let exactly = || exact::plane_crossing(b.map(|corner| corner.to_array()), p.to_array(), q.to_array());
        between(p, q, quick_crossing(b, p, q).unwrap_or_else(exactly))
    })
}

/// How far along `p`–`q`, on opposite sides, the plane of `b` is crossed, to the last bits; none
/// where numbers of 106 bits are not enough for that.
///
/// The heights of `p` and `q` over the plane, times twice the triangle's area, are sums of products
/// of three differences, none longer than L: their errors are below 2^-95 L³. From a height of
/// 2^-30 L³ on that is a relative error of 2^-65.
fn quick_crossing(b: &Triangle, p: DVec3, q: DVec3) -> Option<f64> {
    let [u, v, to_p, to_q] = [b[1], b[2], p, q].map(|point| point - b[0]);
    let longest = u.abs().max(v.abs()).max(to_p.abs()).max(to_q.abs()).max_element();
    // Products of three neither overflow nor lose digits below the smallest double.
    if !(2.0_f64.powi(-100)..2.0_f64.powi(100)).contains(&longest) {
        return None;
    }
    let normal = Vector::between(b[0], b[1]).cross(Vector::between(b[0], b[2]));
    let [over, under] = [p, q].map(|point| normal.dot(Vector::between(b[0], point)));
    let enough = longest * longest * longest * 2.0_f64.powi(-30);
    if !(over.rounded().abs() > enough && under.rounded().abs() > enough) {
        return None;
    }
    // They have opposite signs.
    Some((over / (over - under)).rounded())
}

fn push_new(found: &mut Candidates, point: DVec3) {
    if !found.contains(&point) {
        found.push(point);
    }
}

/// Corners of `a` that lie on `b`, and points where an edge of `a` passes from one side of `b` to
/// the other within `b`.
fn push_corners_and_piercings(a: &Triangle, sides_of_a: [Sign; 3], b: &Triangle, found: &mut Candidates) {
    for (corner, side) in a.iter().zip(sides_of_a) {
        if side == Sign::Zero && on_triangle(*corner, b) {
            push_new(found, *corner);
        }
    }
    for (i, j) in EDGES {
        if let Some(point) = piercing(a[i], sides_of_a[i], a[j], sides_of_a[j], b) {
            push_new(found, point);
        }
    }
}

fn on_triangle(point: DVec3, triangle: &Triangle) -> bool {
    match proper_projection(triangle) {
        Some(drop) => inside_2d(drop.project(point), triangle.map(|corner| drop.project(corner))),
        None => super::intersect::intersects(&[point; 3], triangle),
    }
}

/// The point at `fraction` of the way, between the ends also where their difference would overflow.
fn between(p: DVec3, q: DVec3, fraction: f64) -> DVec3 {
    p * (1.0 - fraction) + q * fraction
}

/// Points where an edge of `a` and an edge of `b` cross properly in a common plane.
fn push_crossings(a: &Triangle, b: &Triangle, found: &mut Candidates) {
    for (i, j) in EDGES {
        for (k, l) in EDGES {
            if let Some(point) = crossing(a[i], a[j], b[k], b[l]) {
                push_new(found, point);
            }
        }
    }
}

fn crossing(p: DVec3, q: DVec3, a: DVec3, b: DVec3) -> Option<DVec3> {
    if orient3d(p, q, a, b) != Sign::Zero {
        return None;
    }
    Drop::ALL.into_iter().find_map(|drop| {
        let [p2, q2, a2, b2] = [p, q, a, b].map(|point| drop.project(point));
        let proper =
            orient2d(p2, q2, a2).opposes(orient2d(p2, q2, b2)) && orient2d(a2, b2, p2).opposes(orient2d(a2, b2, q2));
        proper.then(|| between(p, q, exact::line_crossing([a2, b2], p2, q2)))
    })
}

/// The ends of what was found on one line. The same crossing found twice differs by rounding only:
/// that is one point.
fn farthest_pair(found: &Candidates) -> Overlap {
    let Some(&first) = found.first() else { return Overlap::Nothing };
    let distance = |p: DVec3, q: DVec3| (p * 0.5 - q * 0.5).abs().max_element();
    let pairs = found.iter().enumerate().flat_map(|(i, &p)| found[..i].iter().map(move |&q| [q, p]));
    let size = found.iter().fold(0.0, |size: f64, point| size.max(point.abs().max_element()));
    let rounding = 2.0 * f64::EPSILON * size + f64::from_bits(1);
    match pairs.max_by(|[p, q], [r, s]| distance(*p, *q).total_cmp(&distance(*r, *s))) {
        Some([p, q]) if distance(p, q) > rounding => Overlap::Segment([p, q]),
        _ => Overlap::Point(first),
    }
}

/// Corners of a convex polygon in the order around their middle. All candidates are corners: a
/// corner of one triangle inside the other is extreme, and so is a proper crossing.
fn polygon(found: &Candidates, drop: Drop) -> Overlap {
    if found.len() < 3 {
        return farthest_pair(found);
    }
    let share = 1.0 / found.len() as f64;
    let middle = drop.project(found.iter().fold(DVec3::ZERO, |sum, &point| sum + point * share));
    let angle = |point: &DVec3| {
        let [x, y] = drop.project(*point);
        (y * 0.5 - middle[1] * 0.5).atan2(x * 0.5 - middle[0] * 0.5)
    };
    let mut corners = found.clone();
    corners.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    Overlap::Polygon(corners.into_iter().take(6).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(corners: [[f64; 3]; 3]) -> Triangle {
        corners.map(DVec3::from_array)
    }

    const FLAT: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    #[test]
    fn crossing_triangles_share_a_segment() {
        let upright = triangle([[1.0, -1.0, -1.0], [1.0, -1.0, 1.0], [1.0, 7.0, 0.0]]);
        let Overlap::Segment(mut ends) = overlap(&triangle(FLAT), &upright) else { panic!("not a segment") };
        ends.sort_by(|p, q| p.y.total_cmp(&q.y));
        assert_eq!(ends, [DVec3::new(1.0, 0.0, 0.0), DVec3::new(1.0, 3.0, 0.0)]);
    }

    /// Where 106 bits are enough, they give what big integers give, to the last bit or nearly so;
    /// shallow crossings are left to those.
    #[test]
    fn crossings_are_the_same_by_either_arithmetic() {
        let mut rng = nearhit_testkit::rng::Rng::new(61);
        let (mut quick, mut left) = (0, 0);
        for round in 0..4_000 {
            let scale = 2.0_f64.powi([0, 40, -90, 99][round % 4]);
            let mut point = |low: f64| DVec3::from_array(rng.point(low, 1.0)) * scale;
            let (b, p, far) = ([point(-1.0), point(-1.0), point(-1.0)], point(-1.0), point(-1.0));
            let normal = (b[1] - b[0]).cross(b[2] - b[0]).normalize_or_zero();
            let height = |point: DVec3| normal.dot(point - b[0]);
            let turned = far - normal * height(far) * if height(far) * height(p) > 0.0 { 2.0 } else { 0.0 };
            let q = if round % 3 == 0 { p - normal * (height(p) * (1.0 + 1e-13)) } else { turned };
            let exactly = exact::plane_crossing(b.map(|corner| corner.to_array()), p.to_array(), q.to_array());
            match quick_crossing(&b, p, q) {
                Some(found) if height(p) * height(q) < 0.0 => {
                    assert!((found - exactly).abs() <= f64::EPSILON * exactly, "{found} {exactly} {b:?} {p} {q}");
                    quick += 1;
                }
                Some(_) => {}
                None => left += 1,
            }
        }
        assert!(quick > 1_500 && left > 1_000, "{quick} {left}");
    }

    #[test]
    fn a_corner_on_a_face_is_a_point() {
        let standing = triangle([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 2.0, 1.0]]);
        assert_eq!(overlap(&triangle(FLAT), &standing), Overlap::Point(DVec3::new(1.0, 1.0, 0.0)));
        let above = triangle([[1.0, 1.0, 0.5], [1.0, 1.0, 1.0], [2.0, 2.0, 1.0]]);
        assert_eq!(overlap(&triangle(FLAT), &above), Overlap::Nothing);
    }

    #[test]
    fn coplanar_triangles_share_a_polygon() {
        let star = triangle([[3.0, 3.0, 0.0], [-1.0, 3.0, 0.0], [3.0, -1.0, 0.0]]);
        let shared = overlap(&triangle(FLAT), &star);
        let Overlap::Polygon(corners) = &shared else { panic!("{shared:?} is not a polygon") };
        let area: f64 = (1..corners.len() - 1)
            .map(|i| (corners[i] - corners[0]).cross(corners[i + 1] - corners[0]).z / 2.0)
            .sum::<f64>()
            .abs();
        // A hexagon: the flat triangle has area 8, and the three corners cut off have areas 2, 1/2
        // and 1/2.
        assert!((area - 5.0).abs() < 1e-12, "{corners:?}");
        assert_eq!(corners.len(), 6);
    }

    #[test]
    fn crossing_segments_share_a_point() {
        let across = |p: [f64; 3], q: [f64; 3]| triangle([p, q, q]);
        let shared = overlap(&across([0.0, 0.0, 0.0], [2.0, 2.0, 0.0]), &across([0.0, 2.0, 0.0], [2.0, 0.0, 0.0]));
        assert_eq!(shared, Overlap::Point(DVec3::new(1.0, 1.0, 0.0)));
    }
}
