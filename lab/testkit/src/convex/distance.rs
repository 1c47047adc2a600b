//! The distance of two solids between two rational numbers, as near to each other as asked.

use std::borrow::Cow;

use dashu_int::ops::{SquareRoot, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::body::{Body, Unit, extent, reference};
use super::fixed::{Places, bit_length, length, shifted};
use super::inner::meet;
use super::scaled::{common_exponent, integer, rational};
use super::solid::{Core, Solid};
use super::touch::{exact_squared_distance, half_spaces_squared_distance, plane_squared_distance};
use crate::Point;
use crate::exact::integers::{Vector, decompose};

/// How near to each other the bounds of [`distance_bracket`] need to be as a rule: 1e-27 of the
/// size.
pub const BITS: usize = 90;

/// Binary places beyond those asked for: the slack for rounding takes about half.
const GUARD: usize = 38;

/// `lower <= value <= upper`.
#[derive(Clone, Debug, PartialEq)]
pub struct Certified {
    /// Never above the value.
    pub lower: RBig,
    /// Never below the value.
    pub upper: RBig,
}

impl Certified {
    /// Exactly zero.
    pub const ZERO: Certified = Certified { lower: RBig::ZERO, upper: RBig::ZERO };

    /// From the smaller to the larger.
    pub(crate) fn between(one: RBig, other: RBig) -> Certified {
        if one <= other { Certified { lower: one, upper: other } } else { Certified { lower: other, upper: one } }
    }

    /// As doubles, rounded outwards.
    pub fn doubles(&self) -> [f64; 2] {
        [round_down(&self.lower), 0.0 - round_down(&-self.upper.clone())]
    }

    /// The difference of the bounds.
    pub fn width(&self) -> RBig {
        &self.upper - &self.lower
    }
}

/// The largest double that is not above the number.
pub fn round_down(value: &RBig) -> f64 {
    let near = value.to_f64().value();
    let near = near.clamp(-f64::MAX, f64::MAX);
    if exact_double(near) > *value { near.next_down() } else { near }
}

/// A double as a rational number.
pub fn exact_double(value: f64) -> RBig {
    let (mantissa, exponent) = decompose(value);
    rational(IBig::from(mantissa), IBig::ONE, exponent)
}

/// Bounds on the distance of two solids; zero when they share a point.
///
/// They are at most `2^-bits` of the pair's size apart: of its largest extent, or of what lies
/// between the solids ([`pair_size`]); [`BITS`] serve well. Should the steps of the search run out
/// before that, they are wider, but hold. Axes of frames must be of about unit length.
pub fn distance_bracket(a: &Solid, b: &Solid, bits: usize) -> Certified {
    let cores = core_distance(&a.core, &b.core, bits);
    let margins = exact_double(a.margin) + exact_double(b.margin);
    let without = |bound: RBig| (bound - &margins).max(RBig::ZERO);
    Certified { lower: without(cores.lower), upper: without(cores.upper) }
}

/// The size of a pair of solids: about its largest extent from the middle of one, before they are
/// grown. The width of the bounds is measured by it.
pub fn pair_size(a: &Solid, b: &Solid) -> f64 {
    let origin = reference(&a.core);
    extent(&a.core, origin).max(extent(&b.core, origin))
}

/// The distance of the cores, before they are grown.
pub(crate) fn core_distance(a: &Core, b: &Core, bits: usize) -> Certified {
    let places = Places(bits + GUARD);
    let (a, b) = (&*simplified(a), &*simplified(b));
    match (a, b) {
        (Core::Points(p), Core::Points(q)) => root(&exact_squared_distance(p, q), places),
        (&Core::HalfSpace { normal, offset }, &Core::HalfSpace { normal: other, offset: behind }) => {
            root(&half_spaces_squared_distance((normal, offset), (other, behind)), places)
        }
        (Core::Points(points), &Core::HalfSpace { normal, offset })
        | (&Core::HalfSpace { normal, offset }, Core::Points(points)) => {
            root(&plane_squared_distance(points, normal, offset), places)
        }
        (&Core::HalfSpace { normal, offset }, core) | (core, &Core::HalfSpace { normal, offset }) => {
            let height = height_over_plane(core, normal, offset, places);
            Certified { lower: height.lower.max(RBig::ZERO), upper: height.upper.max(RBig::ZERO) }
        }
        _ => distance_and_direction(a, b, bits).0,
    }
}

/// The core, or a point for a curved one without any size: there the answers are exact.
pub(crate) fn simplified(core: &Core) -> Cow<'_, Core> {
    let center = reference(core);
    let curved = !matches!(core, Core::Points(_) | Core::HalfSpace { .. });
    if curved && extent(core, center) == 0.0 { Cow::Owned(Core::Points(vec![center])) } else { Cow::Borrowed(core) }
}

/// Bounds on the distance of two bounded cores, and a vector from the nearest point of b to that of
/// a, zero when they meet.
pub(crate) fn distance_and_direction(a: &Core, b: &Core, bits: usize) -> (Certified, Vector) {
    let places = Places(bits + GUARD);
    let unit = Unit::of(a, b, places);
    let (Some(body_a), Some(body_b)) = (Body::new(a, &unit), Body::new(b, &unit)) else {
        unreachable!("half-spaces are handled apart")
    };
    // The size is at least a quarter of the unit.
    let found = meet(&body_a, &body_b, places, &(IBig::ONE << (GUARD - 2)));
    let value = |units: IBig| rational(units, IBig::ONE, unit.exponent - places.0 as i64);
    (Certified { lower: value(found.lower), upper: value(found.upper) }, found.direction)
}

/// The root of a number that is not negative, to a relative `2^-places`.
pub(crate) fn root(square: &RBig, places: Places) -> Certified {
    let above = square.numerator().clone().unsigned_abs();
    if above.is_zero() {
        return Certified::ZERO;
    }
    let below = square.denominator();
    let bits = |value: &UBig| bit_length(&IBig::from(value.clone())) as i64;
    let shift = places.0 as i64 + (bits(below) - bits(&above)).div_euclid(2).max(-(places.0 as i64)) + 2;
    let quotient = (above.clone() << (2 * shift) as usize) / below;
    let root = quotient.sqrt();
    let exact = &root * &root * below == above << (2 * shift) as usize;
    let value = |root: UBig| rational(IBig::from(root), IBig::ONE, -shift);
    let upper = if exact { root.clone() } else { root.clone() + UBig::ONE };
    Certified { lower: value(root), upper: value(upper) }
}

/// The least height of a bounded core over the plane `normal * x = offset`, in lengths; negative
/// below it.
pub(crate) fn height_over_plane(core: &Core, normal: Point, offset: f64, places: Places) -> Certified {
    match &*simplified(core) {
        Core::Points(points) => points_over_plane(points, normal, offset, places),
        core => curved_over_plane(core, normal, offset, places),
    }
}

/// Exact but for the length of the normal.
fn points_over_plane(points: &[Point], normal: Point, offset: f64, places: Places) -> Certified {
    let lowest = points.iter().map(|point| exact_product(point, &normal)).min().unwrap_or(RBig::ZERO);
    let height = lowest - exact_double(offset);
    let norm = root(&exact_product(&normal, &normal), places);
    Certified::between(&height / norm.lower, height / norm.upper)
}

fn curved_over_plane(core: &Core, normal: Point, offset: f64, places: Places) -> Certified {
    let unit = Unit::of(core, core, places);
    let Some(body) = Body::new(core, &unit) else { unreachable!("a half-space has no least height") };
    let exponent = common_exponent(normal.iter());
    let across: Vector = normal.map(|x| integer(x, exponent));
    // A direction of about unit length, shifted by the same count of bits as its norm.
    let size = length(&across);
    let turn = places.0 as i64 - bit_length(&size) as i64;
    let direction: Vector = across.each_ref().map(|x| shifted(x.clone(), turn));
    let against = direction.each_ref().map(|x| -x);
    let lowest = -body.height(places, &against);
    // In units of the direction's true length, between one half and one.
    let in_lengths = |units: IBig| rational(units, IBig::ONE, unit.exponent - places.0 as i64);
    let slack = in_lengths(places.slack());
    let norm = root(&exact_product(&normal, &normal), places);
    let own = in_lengths(lowest) * rational(IBig::ONE, IBig::ONE, exponent - turn + places.0 as i64);
    let shift = exact_product(&normal, &unit.origin) - exact_double(offset);
    let height = own + shift;
    let ends = Certified::between(&height / norm.lower, height / norm.upper);
    Certified { lower: ends.lower - &slack, upper: ends.upper + slack }
}

fn exact_product(left: &Point, right: &Point) -> RBig {
    (0..3).fold(RBig::ZERO, |sum, axis| sum + exact_double(left[axis]) * exact_double(right[axis]))
}
