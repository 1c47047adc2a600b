//! Bounded cores as affine images of local bodies, in fixed-point numbers of a common unit.

use dashu_int::IBig;

use super::fixed::{Places, add, shifted};
use super::local::{Local, Matrix};
use super::scaled::{common_exponent, integer};
use super::solid::{Core, Frame};
use crate::Point;
use crate::exact::integers::{Vector, decompose};

/// Where lengths are measured: from a point, in units of a power of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub(crate) origin: Point,
    pub(crate) exponent: i64,
    pub(crate) places: Places,
}

impl Unit {
    /// A unit in which both cores are at most of magnitude one, about the first.
    pub(crate) fn of(a: &Core, b: &Core, places: Places) -> Unit {
        let origin = reference(a);
        let largest = extent(a, origin).max(extent(b, origin));
        Unit { origin, exponent: magnitude(largest), places }
    }

    /// A length, rounded down.
    pub(crate) fn length(&self, value: f64) -> IBig {
        let (mantissa, exponent) = decompose(value);
        shifted(IBig::from(mantissa), exponent - self.exponent + self.places.0 as i64)
    }

    /// A point, rounded down only after its difference from the origin is taken.
    pub(crate) fn point(&self, point: Point) -> Vector {
        std::array::from_fn(|axis| {
            let ends = [point[axis], self.origin[axis]];
            let exponent = common_exponent(ends.iter());
            let difference = integer(ends[0], exponent) - integer(ends[1], exponent);
            shifted(difference, exponent - self.exponent + self.places.0 as i64)
        })
    }

    /// Without a unit: an axis of a frame.
    fn number(&self, value: f64) -> IBig {
        let (mantissa, exponent) = decompose(value);
        shifted(IBig::from(mantissa), exponent + self.places.0 as i64)
    }

    /// An axis times a length.
    fn stretched(&self, value: f64, length: f64) -> IBig {
        let ((mantissa, exponent), (other, more)) = (decompose(value), decompose(length));
        let places = self.places.0 as i64;
        shifted(IBig::from(mantissa) * other, exponent + more - self.exponent + places)
    }
}

/// The least exponent of a power of two above a length.
pub(crate) fn magnitude(length: f64) -> i64 {
    let (mantissa, exponent) = decompose(length);
    exponent + i64::from(64 - mantissa.unsigned_abs().leading_zeros())
}

pub(crate) fn reference(core: &Core) -> Point {
    match core {
        Core::Points(points) => points[0],
        Core::Cylinder { frame, .. } | Core::Frustum { frame, .. } | Core::Ellipsoid { frame, .. } => frame.center,
        Core::HalfSpace { .. } => [0.0; 3],
    }
}

/// About the largest coordinate of a bounded core from an origin; not too small by more than
/// rounding.
pub(crate) fn extent(core: &Core, origin: Point) -> f64 {
    let from = |point: &Point| (0..3).map(|axis| (point[axis] - origin[axis]).abs()).fold(0.0, f64::max);
    match core {
        Core::Points(points) => points.iter().map(from).fold(0.0, f64::max),
        Core::Cylinder { frame, radius, half_height } => from(&frame.center) + 2.0 * radius.max(*half_height),
        Core::Frustum { frame, bottom_radius, top_radius, half_height } => {
            from(&frame.center) + 2.0 * bottom_radius.max(*top_radius).max(*half_height)
        }
        Core::Ellipsoid { frame, radii } => {
            from(&frame.center) + 2.0 * radii.iter().fold(0.0, |most: f64, &r| most.max(r))
        }
        Core::HalfSpace { .. } => 0.0,
    }
}

/// `center + columns * local`, where the local body is in the same unit or, a unit ball, in none.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) center: Vector,
    /// The columns of the map.
    pub(crate) columns: Matrix,
    pub(crate) local: Local,
}

impl Body {
    /// `None` of a half-space. The axes of frames must be of about unit length.
    pub(crate) fn new(core: &Core, unit: &Unit) -> Option<Body> {
        Some(match core {
            Core::Points(points) => Body {
                center: super::fixed::zero(),
                columns: super::local::identity(unit.places),
                local: Local::Hull(points.iter().map(|&point| unit.point(point)).collect()),
            },
            Core::Cylinder { frame, radius, half_height } => {
                let radius = unit.length(*radius);
                turned(frame, unit, radius.clone(), radius, *half_height)
            }
            Core::Frustum { frame, bottom_radius, top_radius, half_height } => {
                turned(frame, unit, unit.length(*bottom_radius), unit.length(*top_radius), *half_height)
            }
            Core::Ellipsoid { frame, radii } => Body {
                center: unit.point(frame.center),
                columns: std::array::from_fn(|axis| frame.axes[axis].map(|x| unit.stretched(x, radii[axis]))),
                local: Local::UnitBall,
            },
            Core::HalfSpace { .. } => return None,
        })
    }

    pub(crate) fn place(&self, places: Places, local: &Vector) -> Vector {
        add(&self.center, &self.turn(places, local))
    }

    /// The linear part alone.
    pub(crate) fn turn(&self, places: Places, local: &Vector) -> Vector {
        std::array::from_fn(|axis| {
            (0..3).map(|column| &self.columns[column][axis] * &local[column]).sum::<IBig>() >> places.0
        })
    }

    /// A direction as the local body sees it.
    pub(crate) fn turn_back(&self, places: Places, direction: &Vector) -> Vector {
        std::array::from_fn(|column| places.product(&self.columns[column], direction))
    }

    /// A point that is about the farthest along a direction, and off the body by a few units at
    /// most.
    pub(crate) fn support_point(&self, places: Places, direction: &Vector) -> Vector {
        self.place(places, &self.local.support_point(places, &self.turn_back(places, direction)))
    }

    /// How far the body reaches along a direction.
    pub(crate) fn height(&self, places: Places, direction: &Vector) -> IBig {
        places.product(&self.center, direction) + self.local.support(places, &self.turn_back(places, direction))
    }
}

fn turned(frame: &Frame, unit: &Unit, bottom: IBig, top: IBig, half_height: f64) -> Body {
    Body {
        center: unit.point(frame.center),
        columns: frame.axes.map(|column| column.map(|x| unit.number(x))),
        local: Local::Frustum { bottom, top, half_height: unit.length(half_height) },
    }
}
