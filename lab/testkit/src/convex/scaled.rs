//! Points and lengths as integers over one common power of two.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::Point;
use crate::exact::integers::{Vector, decompose};

/// The power of two that divides all the values, as its exponent; 0 when all are zero.
///
/// Panics on infinities and NaN: there is no exact answer about them.
pub(crate) fn common_exponent<'a>(values: impl Iterator<Item = &'a f64>) -> i64 {
    values.map(|&value| decompose(value)).filter(|part| part.0 != 0).map(|part| part.1).min().unwrap_or(0)
}

/// `value / 2^exponent`, for an exponent that divides it.
pub(crate) fn integer(value: f64, exponent: i64) -> IBig {
    let (mantissa, own) = decompose(value);
    if mantissa == 0 { IBig::ZERO } else { IBig::from(mantissa) << (own - exponent) as usize }
}

/// Points as integer vectors over `2^exponent`.
pub(crate) fn vectors(points: &[Point], exponent: i64) -> Vec<Vector> {
    points.iter().map(|point| point.map(|x| integer(x, exponent))).collect()
}

/// `above / below * 2^exponent`; `below` must be positive.
pub(crate) fn rational(above: IBig, below: IBig, exponent: i64) -> RBig {
    let shift = exponent.unsigned_abs() as usize;
    let (above, below) = if exponent < 0 { (above, below << shift) } else { (above << shift, below) };
    let below = UBig::try_from(below);
    assert!(below.is_ok(), "a denominator is negative");
    RBig::from_parts(above, below.unwrap_or(UBig::ONE))
}
