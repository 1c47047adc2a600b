//! The point nearest to the origin of the Minkowski difference of two hulls of points, in integers.
//!
//! A simplex of at most four differences is kept (Wolfe 1976). Its nearest point is found exactly,
//! so its norm falls strictly from step to step, no simplex returns, and the search ends. It ends
//! with a proof: all corners of both hulls were seen to lie beyond the plane across that point.

use dashu_int::IBig;

use crate::exact::integers::{Vector, cross, dot, sign, subtract};

/// A corner of each hull.
pub(crate) type Corners = (usize, usize);

/// The nearest point, as the carrier of a plane.
#[derive(Clone, Debug)]
pub(crate) struct Nearest {
    /// The fewest corners whose hull has the nearest point; its weights in them are positive.
    pub(crate) active: Vec<Corners>,
    /// A positive multiple of the nearest point; zero when the hulls share a point.
    pub(crate) direction: Vector,
    /// `direction` times the nearest point; not negative.
    pub(crate) height: IBig,
}

/// Finds the nearest point, starting from a simplex of one to four corners that should be near it.
pub(crate) fn nearest(a: &[Vector], b: &[Vector], start: &[Corners]) -> Nearest {
    let mut simplex = start.to_vec();
    loop {
        let found = reduce(a, b, &simplex);
        if found.height.is_zero() {
            return found;
        }
        let (lowest_a, at_a) = lowest(a, &found.direction);
        let (lowest_b, at_b) = highest(b, &found.direction);
        if lowest_a - lowest_b >= found.height {
            return found;
        }
        simplex = found.active;
        simplex.push((at_a, at_b));
    }
}

/// The least `direction * point`, and where.
pub(crate) fn lowest(points: &[Vector], direction: &Vector) -> (IBig, usize) {
    let mut best = (dot(&points[0], direction), 0);
    for (index, point) in points.iter().enumerate().skip(1) {
        let height = dot(point, direction);
        if height < best.0 {
            best = (height, index);
        }
    }
    best
}

/// The largest `direction * point`, and where.
pub(crate) fn highest(points: &[Vector], direction: &Vector) -> (IBig, usize) {
    let against: Vector = std::array::from_fn(|axis| -&direction[axis]);
    let (height, index) = lowest(points, &against);
    (-height, index)
}

/// The nearest point of a simplex: that of the one face that has it inside and the plane across
/// which leaves all other corners beyond. Such a face exists, so the search finds it.
fn reduce(a: &[Vector], b: &[Vector], simplex: &[Corners]) -> Nearest {
    let corners: Vec<Vector> = simplex.iter().map(|&(i, j)| subtract(&a[i], &b[j])).collect();
    let mut faces: Vec<u32> = (1..1 << corners.len()).collect();
    // A good start is its own carrier.
    faces.sort_by_key(|face| std::cmp::Reverse(face.count_ones()));
    for face in faces {
        let chosen: Vec<&Vector> = (0..corners.len()).filter(|i| face >> i & 1 == 1).map(|i| &corners[i]).collect();
        let Some(direction) = across(&chosen) else { continue };
        let height = dot(&direction, chosen[0]);
        let beyond = |(index, corner): (usize, &Vector)| face >> index & 1 == 1 || dot(&direction, corner) >= height;
        if height.is_zero() || corners.iter().enumerate().all(beyond) {
            let active = (0..corners.len()).filter(|i| face >> i & 1 == 1).map(|i| simplex[i]).collect();
            return Nearest { active, direction, height };
        }
    }
    unreachable!("every simplex has a nearest point");
}

/// A positive multiple of the point of the flat through the corners that is nearest to the origin
/// (zero when that is the origin), if the point is strictly inside their hull; `None` when not, or
/// when the corners are dependent.
fn across(corners: &[&Vector]) -> Option<Vector> {
    match corners {
        [p] => Some((*p).clone()),
        [p, q] => across_segment(p, q),
        [p, q, r] => across_triangle(p, q, r),
        [p, q, r, s] => inside_tetrahedron([p, q, r, s]).then_some([IBig::ZERO, IBig::ZERO, IBig::ZERO]),
        _ => None,
    }
}

fn across_segment(p: &Vector, q: &Vector) -> Option<Vector> {
    let edge = subtract(q, p);
    let square = dot(&edge, &edge);
    let along = -dot(p, &edge);
    (sign(&along) > 0 && along < square).then(|| std::array::from_fn(|axis| &p[axis] * &square + &edge[axis] * &along))
}

fn across_triangle(p: &Vector, q: &Vector, r: &Vector) -> Option<Vector> {
    let normal = cross(&subtract(q, p), &subtract(r, p));
    // The weight of a corner has the sign of the area that the origin spans with the other two.
    let inside = |from: &Vector, to: &Vector| sign(&dot(&cross(from, to), &normal)) > 0;
    if !(inside(p, q) && inside(q, r) && inside(r, p)) {
        return None;
    }
    let side = sign(&dot(&normal, p));
    Some(normal.map(|x| x * side))
}

/// Strictly.
fn inside_tetrahedron(corners: [&Vector; 4]) -> bool {
    let volume = |p: &Vector, q: &Vector, r: &Vector, s: &Vector| {
        sign(&dot(&cross(&subtract(q, p), &subtract(r, p)), &subtract(s, p)))
    };
    let origin = [IBig::ZERO, IBig::ZERO, IBig::ZERO];
    let [p, q, r, s] = corners;
    let whole = volume(p, q, r, s);
    whole != 0
        && volume(&origin, q, r, s) == whole
        && volume(p, &origin, r, s) == whole
        && volume(p, q, &origin, s) == whole
        && volume(p, q, r, &origin) == whole
}
