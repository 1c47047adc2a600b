//! Numbers with a fixed count of binary places: integers over `2^places`.
//!
//! Every product, quotient and root is off by less than one unit of the last place; sums and the
//! squares under a norm are exact. So the error of a chain of operations on numbers of magnitude
//! one is a count of units, and a slack of [`Places::slack`] covers any chain here.

use dashu_int::ops::{SquareRoot, UnsignedAbs};
use dashu_int::{IBig, UBig};

use crate::Point;
use crate::exact::integers::{Vector, dot};

/// How many binary places numbers have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Places(pub(crate) usize);

impl Places {
    pub(crate) fn one(self) -> IBig {
        IBig::ONE << self.0
    }

    pub(crate) fn times(self, left: &IBig, right: &IBig) -> IBig {
        (left * right) >> self.0
    }

    /// The divisor must not be zero.
    pub(crate) fn over(self, above: &IBig, below: &IBig) -> IBig {
        (above << self.0) / below
    }

    pub(crate) fn product(self, left: &Vector, right: &Vector) -> IBig {
        dot(left, right) >> self.0
    }

    /// More units than any evaluation here is off: each takes fewer than a thousand operations on
    /// numbers of magnitude at most four.
    pub(crate) fn slack(self) -> IBig {
        IBig::ONE << 16
    }

    /// About equal, for starting points.
    pub(crate) fn number(self, value: f64) -> IBig {
        if value == 0.0 || !value.is_finite() {
            return IBig::ZERO;
        }
        let (mantissa, exponent) = crate::exact::integers::decompose(value);
        shifted(IBig::from(mantissa), exponent + self.0 as i64)
    }

    /// About equal, for starting points.
    pub(crate) fn to_double(self, value: &IBig) -> f64 {
        // Sixty bits are kept, so that the integer itself cannot overflow.
        let excess = self.0.saturating_sub(60);
        (value >> excess).to_f64().value() * 2f64.powi(excess as i32 - self.0 as i32)
    }
}

/// `value * 2^exponent`, rounded down.
pub(crate) fn shifted(value: IBig, exponent: i64) -> IBig {
    if exponent >= 0 { value << exponent as usize } else { value >> exponent.unsigned_abs() as usize }
}

/// The length of a vector of any count of numbers, less than one unit too small.
pub(crate) fn norm(numbers: &[&IBig]) -> IBig {
    let square: UBig = numbers.iter().map(|&x| (x * x).unsigned_abs()).sum();
    IBig::from(square.sqrt())
}

pub(crate) fn length(vector: &Vector) -> IBig {
    norm(&[&vector[0], &vector[1], &vector[2]])
}

pub(crate) fn add(left: &Vector, right: &Vector) -> Vector {
    std::array::from_fn(|axis| &left[axis] + &right[axis])
}

pub(crate) fn zero() -> Vector {
    [IBig::ZERO, IBig::ZERO, IBig::ZERO]
}

/// How many bits the magnitude has.
pub(crate) fn bit_length(value: &IBig) -> usize {
    use dashu_int::ops::BitTest;
    value.clone().unsigned_abs().bit_len()
}

/// The direction with a length between one half and about one, unless it is zero.
pub(crate) fn about_unit(direction: &Vector, places: Places) -> Vector {
    let bits = bit_length(&length(direction)) as i64;
    direction.each_ref().map(|x| shifted(x.clone(), places.0 as i64 - bits))
}

/// The unit vector along a direction; zero stays zero.
///
/// The direction is stretched before its length is rounded: one of a few units would lose most of
/// it.
pub(crate) fn unit(places: Places, direction: &Vector) -> Vector {
    let stretch = (places.0 + 2).saturating_sub(bit_length(&length(direction)));
    let stretched = direction.each_ref().map(|x| x << stretch);
    let norm = length(&stretched);
    if norm.is_zero() { zero() } else { stretched.each_ref().map(|x| places.over(x, &norm)) }
}

/// The direction as a unit vector of doubles; zero stays zero.
pub(crate) fn rounded_unit(direction: &Vector) -> Point {
    const PLACES: Places = Places(120);
    let doubles: Point = about_unit(direction, PLACES).each_ref().map(|x| PLACES.to_double(x));
    let norm = crate::vector::length(doubles);
    if norm > 0.0 { doubles.map(|x| x / norm) } else { doubles }
}
