//! Penetration depth: the smallest translation that leaves two solids without a common inner point.
//!
//! It is the distance of the origin from the border of the Minkowski difference `{a - b}`, which is
//! approached by a polytope inside it, always beyond the face nearest to the origin (van den Bergen
//! 2001). Of two hulls that ends exactly; of curved solids the polytope gives a lower bound and the
//! planes that touch the difference an upper one.

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::body::{Body, Unit};
use super::distance::{
    BITS, Certified, core_distance, distance_and_direction, exact_double, height_over_plane, root, simplified,
};
use super::expand::{Plane, Polytope};
use super::fixed::{Places, about_unit, rounded_unit};
use super::nearest::{highest, lowest};
use super::scaled::{common_exponent, rational, vectors};
use super::solid::{Core, Solid};
use super::touch::half_spaces_gap;
use crate::Point;
use crate::exact::integers::{Vector, dot, sign, subtract};

/// Faces expanded before the bounds are given as they are. Two hulls never get that far.
const MAX_STEPS: usize = 400;

/// Binary places for curved solids.
const PLACES: Places = Places(96);

/// Bounds on a depth, and a direction that goes with the upper one.
#[derive(Clone, Debug)]
pub struct Depth {
    /// Zero when the solids do not overlap.
    pub bounds: Certified,
    /// About a unit vector: moved that far along it, b is free of a. Zero when nothing needs to be
    /// moved.
    pub direction: Point,
}

/// The squared penetration depth of two hulls of points; zero when they do not overlap.
pub fn exact_squared_depth(a: &[Point], b: &[Point]) -> RBig {
    squared_offset(hull_depth(a, b))
}

/// Zero when the origin is outside.
fn squared_offset((plane, exponent): (Plane, i64)) -> RBig {
    if sign(&plane.offset) <= 0 {
        return RBig::ZERO;
    }
    rational(&plane.offset * &plane.offset, plane.square, 2 * exponent)
}

/// Bounds on the penetration depth of two solids, about `2^-bits` of their size apart where they
/// are curved, unless several hundred steps do not bring them that near (as with balls about one
/// point); of hulls about 1e-30. `None` of two half-spaces that no translation separates.
pub fn depth_bracket(a: &Solid, b: &Solid, bits: usize) -> Option<Depth> {
    let margins = exact_double(a.margin) + exact_double(b.margin);
    let cores = core_depth(&a.core, &b.core, bits)?;
    let grown = |bound: RBig| (bound + &margins).max(RBig::ZERO);
    let bounds = Certified { lower: grown(cores.bounds.lower), upper: grown(cores.bounds.upper) };
    let direction = if bounds.upper.is_zero() { [0.0; 3] } else { cores.direction };
    Some(Depth { bounds, direction })
}

/// As [`depth_bracket`], but negative when the cores are apart: minus their distance.
fn core_depth(a: &Core, b: &Core, bits: usize) -> Option<Depth> {
    let (a, b) = (&*simplified(a), &*simplified(b));
    match (a, b) {
        (&Core::HalfSpace { normal, offset }, &Core::HalfSpace { normal: other, offset: behind }) => {
            let (gap, square) = half_spaces_gap((normal, offset), (other, behind))?;
            let norm = root(&square, PLACES);
            let bounds = Certified::between(-&gap / norm.lower, -gap / norm.upper);
            Some(Depth { bounds, direction: unit(normal) })
        }
        (&Core::HalfSpace { normal, offset }, core) => {
            Some(Depth { bounds: below_plane(core, normal, offset), direction: unit(normal) })
        }
        (core, &Core::HalfSpace { normal, offset }) => {
            let direction = unit(normal.map(|x| -x));
            Some(Depth { bounds: below_plane(core, normal, offset), direction })
        }
        _ => Some(bounded_depth(a, b, bits)),
    }
}

fn below_plane(core: &Core, normal: Point, offset: f64) -> Certified {
    let height = height_over_plane(core, normal, offset, PLACES);
    Certified { lower: -height.upper, upper: -height.lower }
}

fn bounded_depth(a: &Core, b: &Core, bits: usize) -> Depth {
    let Depth { bounds, direction } = match (a, b) {
        (Core::Points(p), Core::Points(q)) => {
            let found = hull_depth(p, q);
            let direction = rounded_unit(&found.0.normal);
            Depth { bounds: root(&squared_offset(found), PLACES), direction }
        }
        _ => curved_depth(a, b, bits),
    };
    // Either the depth or the distance is zero; close to touching, neither may be known to be.
    let distance = core_distance(a, b, BITS);
    let direction = if distance.lower > RBig::ZERO {
        rounded_unit(&distance_and_direction(a, b, BITS).1).map(|x| -x)
    } else {
        direction
    };
    let distance = if bounds.lower > RBig::ZERO { Certified::ZERO } else { distance };
    Depth {
        bounds: Certified { lower: bounds.lower - distance.upper, upper: bounds.upper - distance.lower },
        direction,
    }
}

/// The plane of the difference's face nearest to the origin, over `2^exponent`; one with a negative
/// offset when the hulls are apart, one across the difference when that is flat.
fn hull_depth(a: &[Point], b: &[Point]) -> (Plane, i64) {
    let exponent = common_exponent(a.iter().chain(b).flatten());
    let (a, b) = (vectors(a, exponent), vectors(b, exponent));
    let farthest = |d: &Vector| subtract(&a[highest(&a, d).1], &b[lowest(&b, d).1]);
    let mut polytope = match Polytope::tetrahedron(&farthest) {
        Ok(polytope) => polytope,
        Err(across) => return (Plane::new(across, IBig::ZERO), exponent),
    };
    loop {
        let plane = polytope.nearest_face().plane.clone();
        let point = farthest(&plane.normal);
        if !polytope.insert(point) {
            return (plane, exponent);
        }
    }
}

fn curved_depth(a: &Core, b: &Core, bits: usize) -> Depth {
    let unit = Unit::of(a, b, PLACES);
    let (Some(body_a), Some(body_b)) = (Body::new(a, &unit), Body::new(b, &unit)) else {
        unreachable!("half-spaces are handled apart")
    };
    let farthest = |direction: &Vector| {
        let along = about_unit(direction, PLACES);
        let against = along.each_ref().map(|x| -x);
        subtract(&body_a.support_point(PLACES, &along), &body_b.support_point(PLACES, &against))
    };
    let value = |units: IBig| rational(units, IBig::ONE, unit.exponent - PLACES.0 as i64).max(RBig::ZERO);
    let mut polytope = match Polytope::tetrahedron(&farthest) {
        Ok(polytope) => polytope,
        Err(across) => {
            let bounds = Certified { lower: RBig::ZERO, upper: value(PLACES.slack()) };
            return Depth { bounds, direction: rounded_unit(&across) };
        }
    };
    let goal = IBig::ONE << PLACES.0.saturating_sub(bits);
    let mut touching = polytope.nearest_face().plane.clone();
    for step in 0..MAX_STEPS {
        let inner = polytope.nearest_face().plane.clone();
        let point = farthest(&inner.normal);
        let outer = Plane::new(inner.normal.clone(), dot(&inner.normal, &point));
        if step == 0 || outer.compare(&touching).is_lt() {
            touching = outer;
        }
        if touching.units() - inner.units() <= goal || !polytope.insert(point) {
            break;
        }
    }
    let lower = value(polytope.nearest_face().plane.units() - PLACES.slack());
    let upper = value(touching.units() + PLACES.slack());
    Depth { bounds: Certified { lower, upper }, direction: rounded_unit(&touching.normal) }
}

fn unit(vector: Point) -> Point {
    super::bounds::unit(vector)
}
