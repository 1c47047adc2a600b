//! Pairs of triangles made to break predicates: touching by construction, nearly touching, flat,
//! extreme.
//!
//! Constructions stay on dyadic coordinates with few bits, so that a point meant to lie on a face
//! lies on it exactly.

use crate::rng::Rng;
use crate::vector::{cross, dot, subtract};
use crate::{Point, Tri};

/// How a pair was made. Whether it touches is not part of the kind: the exact oracle says that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Random doubles in general position.
    Generic,
    /// Coordinates from -2 to 2, whole numbers.
    Grid,
    /// One corner in common.
    SharedVertex,
    /// Two corners in common.
    SharedEdge,
    /// In one plane, axis-parallel or not.
    Coplanar,
    /// In one plane but for one coordinate, off by one unit in the last place.
    NearlyCoplanar,
    /// A triangle a few units in the last place wide.
    Sliver,
    /// At least one triangle without area.
    Collinear,
    /// At least one triangle that is a single point.
    PointLike,
    /// The same triangle twice, corners reordered.
    Duplicate,
    /// A corner of one lies exactly on the other, border included.
    VertexOnFace,
    /// Edges that meet in exactly one point.
    EdgeOnEdge,
    /// A corner one unit in the last place off the other triangle.
    NearMiss,
    /// Coordinates up to about 1e300.
    Huge,
    /// Coordinates that are denormal numbers.
    Tiny,
    /// A triangle many orders of magnitude larger than the other.
    MixedScale,
    /// About a million units from the origin, details a thousandth of a unit and less.
    FarFromOrigin,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 17] = [
        Kind::Generic,
        Kind::Grid,
        Kind::SharedVertex,
        Kind::SharedEdge,
        Kind::Coplanar,
        Kind::NearlyCoplanar,
        Kind::Sliver,
        Kind::Collinear,
        Kind::PointLike,
        Kind::Duplicate,
        Kind::VertexOnFace,
        Kind::EdgeOnEdge,
        Kind::NearMiss,
        Kind::Huge,
        Kind::Tiny,
        Kind::MixedScale,
        Kind::FarFromOrigin,
    ];
}

/// A pair of a random kind.
pub fn pair(rng: &mut Rng) -> (Tri, Tri, Kind) {
    let kind = *rng.choice(&Kind::ALL);
    let (a, b) = pair_of(kind, rng);
    (a, b, kind)
}

/// A pair of the given kind, corners, axes and the two triangles in random order.
pub fn pair_of(kind: Kind, rng: &mut Rng) -> (Tri, Tri) {
    let (a, b) = match kind {
        Kind::Generic => (generic(rng), generic(rng)),
        Kind::Grid => (grid(rng), grid(rng)),
        Kind::SharedVertex => shared_vertex(rng),
        Kind::SharedEdge => shared_edge(rng),
        Kind::Coplanar => coplanar(rng),
        Kind::NearlyCoplanar => nearly_coplanar(rng),
        Kind::Sliver => sliver(rng),
        Kind::Collinear => collinear(rng),
        Kind::PointLike => point_like(rng),
        Kind::Duplicate => duplicate(rng),
        Kind::VertexOnFace => vertex_on_face(rng),
        Kind::EdgeOnEdge => edge_on_edge(rng),
        Kind::NearMiss => near_miss(rng),
        Kind::Huge => scaled(simple(rng), 2f64.powi(990)),
        Kind::Tiny => scaled((grid(rng), grid(rng)), 5e-324),
        Kind::MixedScale => mixed_scale(rng),
        Kind::FarFromOrigin => far_from_origin(rng),
    };
    reordered(a, b, rng)
}

fn duplicate(rng: &mut Rng) -> (Tri, Tri) {
    let triangle = if rng.chance(0.5) { generic(rng) } else { grid(rng) };
    (triangle, triangle)
}

fn generic(rng: &mut Rng) -> Tri {
    std::array::from_fn(|_| rng.point(-1.0, 1.0))
}

fn grid(rng: &mut Rng) -> Tri {
    std::array::from_fn(|_| std::array::from_fn(|_| rng.integer(-2, 2) as f64))
}

/// Multiples of 2⁻²⁰ between -1 and 1: quarters of their sums are exact.
fn dyadic_point(rng: &mut Rng) -> Point {
    std::array::from_fn(|_| rng.integer(-(1 << 20), 1 << 20) as f64 / (1 << 20) as f64)
}

fn dyadic(rng: &mut Rng) -> Tri {
    std::array::from_fn(|_| dyadic_point(rng))
}

/// One of the constructions with few bits, which scaling by a power of two keeps exact.
fn simple(rng: &mut Rng) -> (Tri, Tri) {
    match rng.below(5) {
        0 => (grid(rng), grid(rng)),
        1 => coplanar(rng),
        2 => vertex_on_face(rng),
        3 => edge_on_edge(rng),
        _ => near_miss(rng),
    }
}

fn scaled((a, b): (Tri, Tri), factor: f64) -> (Tri, Tri) {
    let scale = |triangle: Tri| triangle.map(|point| point.map(|x| x * factor));
    (scale(a), scale(b))
}

fn shared_vertex(rng: &mut Rng) -> (Tri, Tri) {
    let (a, mut b) = if rng.chance(0.5) { (generic(rng), generic(rng)) } else { (grid(rng), grid(rng)) };
    b[0] = a[0];
    (a, b)
}

fn shared_edge(rng: &mut Rng) -> (Tri, Tri) {
    let (a, mut b) = shared_vertex(rng);
    b[1] = a[1];
    (a, b)
}

/// A point of the closed triangle with weights that are quarters; a corner or an edge point now and
/// then.
fn quarter_point(triangle: &Tri, rng: &mut Rng) -> Point {
    let first = rng.integer(0, 4);
    let second = rng.integer(0, 4 - first);
    let weights = [first, second, 4 - first - second].map(|quarters| quarters as f64 / 4.0);
    std::array::from_fn(|axis| (0..3).map(|corner| weights[corner] * triangle[corner][axis]).sum())
}

fn coplanar(rng: &mut Rng) -> (Tri, Tri) {
    let mut direction = || -> Point { std::array::from_fn(|_| rng.integer(-3, 3) as f64) };
    let (origin, u, v) = (direction(), direction(), direction());
    let mut corner = || -> Point {
        let (i, j) = (rng.integer(-3, 3) as f64 / 2.0, rng.integer(-3, 3) as f64 / 2.0);
        std::array::from_fn(|axis| origin[axis] + i * u[axis] + j * v[axis])
    };
    (std::array::from_fn(|_| corner()), std::array::from_fn(|_| corner()))
}

fn nearly_coplanar(rng: &mut Rng) -> (Tri, Tri) {
    let (a, mut b) = coplanar(rng);
    let (corner, axis) = (rng.below(3), rng.below(3));
    b[corner][axis] = nudged(b[corner][axis], rng);
    (a, b)
}

/// One unit in the last place up or down.
fn nudged(value: f64, rng: &mut Rng) -> f64 {
    if rng.chance(0.5) { value.next_up() } else { value.next_down() }
}

fn sliver(rng: &mut Rng) -> (Tri, Tri) {
    let mut a = dyadic(rng);
    let middle = quarter_point(&[a[0], a[1], a[1]], rng);
    a[2] = middle;
    for _ in 0..rng.integer(1, 4) {
        let axis = rng.below(3);
        a[2][axis] = nudged(a[2][axis], rng);
    }
    let mut b = dyadic(rng);
    if rng.chance(0.7) {
        // An edge of b that ends at, or passes through, the sliver.
        b[0] = middle;
        b[1] = std::array::from_fn(|axis| 2.0 * middle[axis] - b[2][axis]);
    }
    (a, b)
}

fn collinear(rng: &mut Rng) -> (Tri, Tri) {
    let (mut a, mut b) = (grid(rng), grid(rng));
    a[2] = std::array::from_fn(|axis| {
        let far = if a[0][0] < 0.0 { 2.0 } else { 0.5 };
        a[0][axis] + far * (a[1][axis] - a[0][axis])
    });
    match rng.below(4) {
        0 => b[2] = b[1],
        1 => b[2] = std::array::from_fn(|axis| 2.0 * b[1][axis] - b[0][axis]),
        // On one line with the first.
        2 => b = [a[1], std::array::from_fn(|axis| 2.0 * a[1][axis] - a[0][axis]), a[2]],
        _ => {}
    }
    (a, b)
}

fn point_like(rng: &mut Rng) -> (Tri, Tri) {
    let a = if rng.chance(0.5) { grid(rng) } else { dyadic(rng) };
    let mut point = if rng.chance(0.6) { quarter_point(&a, rng) } else { grid(rng)[0] };
    if rng.chance(0.2) {
        point[2] = nudged(point[2], rng);
    }
    if rng.chance(0.2) { ([a[0]; 3], [[a[0], point][rng.below(2)]; 3]) } else { (a, [point; 3]) }
}

fn vertex_on_face(rng: &mut Rng) -> (Tri, Tri) {
    let a = dyadic(rng);
    let mut b = dyadic(rng);
    b[0] = quarter_point(&a, rng);
    on_one_side(&a, &mut b, rng);
    (a, b)
}

/// Mirrors the free corners through the touching one until both are on the same side of the face,
/// so that nothing but that corner touches.
fn on_one_side(a: &Tri, b: &mut Tri, rng: &mut Rng) {
    let normal = cross(subtract(a[1], a[0]), subtract(a[2], a[0]));
    let up = if rng.chance(0.5) { 1.0 } else { -1.0 };
    for corner in 1..3 {
        let offset = subtract(b[corner], b[0]);
        if dot(normal, offset) * up < 0.0 {
            b[corner] = std::array::from_fn(|axis| b[0][axis] - offset[axis]);
        }
    }
}

fn edge_on_edge(rng: &mut Rng) -> (Tri, Tri) {
    let a = dyadic(rng);
    let meeting = quarter_point(&[a[0], a[1], a[1]], rng);
    let offset = dyadic_point(rng);
    let ends = [-1.0, 1.0].map(|side| std::array::from_fn(|axis| meeting[axis] + side * offset[axis]));
    // The rest of b leads away from a.
    let outward = subtract(meeting, a[2]);
    (a, [ends[0], ends[1], std::array::from_fn(|axis| meeting[axis] + outward[axis])])
}

fn near_miss(rng: &mut Rng) -> (Tri, Tri) {
    let (a, mut b) = vertex_on_face(rng);
    let axis = rng.below(3);
    b[0][axis] = nudged(b[0][axis], rng);
    (a, b)
}

fn mixed_scale(rng: &mut Rng) -> (Tri, Tri) {
    let exponent = rng.integer(20, 990) as i32;
    let (a, b) = (grid(rng), grid(rng));
    if rng.chance(0.5) {
        // Large against small, both about the origin.
        let large = a.map(|point| point.map(|x| x * 2f64.powi(exponent)));
        let small = b.map(|point| point.map(|x| x * 2f64.powi(-rng.integer(0, 1074) as i32)));
        return (large, small);
    }
    // One corner far away, the rest as it was.
    let mut stretched = a;
    stretched[0] = stretched[0].map(|x| x * 2f64.powi(exponent));
    (stretched, b)
}

fn far_from_origin(rng: &mut Rng) -> (Tri, Tri) {
    let (a, b) = if rng.chance(0.5) { coplanar(rng) } else { (grid(rng), grid(rng)) };
    let offset: Point = std::array::from_fn(|_| rng.integer(-1_000_000, 1_000_000) as f64);
    let detail = 2f64.powi(-rng.integer(0, 28) as i32);
    // Small multiples of 2⁻²⁹ on a million still fit into 53 bits.
    let place = |triangle: Tri| -> Tri {
        triangle.map(|point| std::array::from_fn(|axis| offset[axis] + detail * point[axis]))
    };
    (place(a), place(b))
}

/// Random order of corners, axes, directions and triangles; all of it exact.
fn reordered(a: Tri, b: Tri, rng: &mut Rng) -> (Tri, Tri) {
    let mut axes = [0, 1, 2];
    rng.shuffle(&mut axes);
    let signs: Point = std::array::from_fn(|_| if rng.chance(0.5) { 1.0 } else { -1.0 });
    let turn =
        |triangle: Tri| -> Tri { triangle.map(|point| std::array::from_fn(|axis| signs[axis] * point[axes[axis]])) };
    let (mut a, mut b) = (turn(a), turn(b));
    rng.shuffle(&mut a);
    rng.shuffle(&mut b);
    if rng.chance(0.5) { (a, b) } else { (b, a) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::closest;
    use crate::exact::{intersects, orient3d, square_root, squared_distance};

    #[test]
    fn oracles_agree_and_every_kind_is_represented() {
        let mut rng = Rng::new(71);
        let mut shares: BTreeMap<Kind, (u32, u32)> = BTreeMap::new();
        for _ in 0..17_000 {
            let (a, b, kind) = pair(&mut rng);
            assert!(a.iter().chain(&b).flatten().all(|x| x.abs() <= 1e300));
            let touches = intersects(&a, &b);
            let share = shares.entry(kind).or_default();
            share.0 += 1;
            share.1 += u32::from(touches);
            let square = squared_distance(&a, &b);
            assert_eq!(square.is_zero(), touches, "{kind:?} {a:?} {b:?}");
            let (bounds, exact) = (closest::bounds(&a, &b), square_root(&square));
            assert!(bounds.lower <= exact.low && exact.high <= bounds.upper, "{kind:?} {bounds:?} {exact:?}");
        }
        assert_eq!(shares.len(), Kind::ALL.len());
        for (kind, (made, touching)) in shares {
            let share = f64::from(touching) / f64::from(made);
            let always = [Kind::SharedVertex, Kind::SharedEdge, Kind::Duplicate, Kind::VertexOnFace, Kind::EdgeOnEdge];
            assert!(made > 500, "{kind:?} {made}");
            if always.contains(&kind) {
                assert_eq!(share, 1.0, "{kind:?}");
            } else {
                assert!((0.08..0.95).contains(&share), "{kind:?} {share}");
            }
        }
    }

    #[test]
    fn kinds_are_what_they_say() {
        let mut rng = Rng::new(72);
        let mut nearly = 0;
        for _ in 0..500 {
            let flat = |(a, b): (Tri, Tri)| b.iter().all(|&p| orient3d(a[0], a[1], a[2], p) == 0);
            assert!(flat(pair_of(Kind::Coplanar, &mut rng)));
            nearly += usize::from(!flat(pair_of(Kind::NearlyCoplanar, &mut rng)));
            let (a, b) = pair_of(Kind::Tiny, &mut rng);
            assert!(a.iter().chain(&b).flatten().all(|x| x.abs() < f64::MIN_POSITIVE));
            let (a, b) = pair_of(Kind::PointLike, &mut rng);
            assert!([a, b].iter().any(|t| t[0] == t[1] && t[1] == t[2]));
        }
        assert!(nearly > 100, "{nearly}");
    }
}
