//! Numbers of 106 bits: the unevaluated sum of two doubles, and vectors of them.
//!
//! Sums and products of two doubles are split exactly into a rounded result and its error (Knuth;
//! Dekker, 1971); a few of these make an operation on pairs with a relative error of some 2^-102.
//! Only plain additions and multiplications are used, so that every processor computes the same
//! bits. Magnitudes must stay below 2^990.

use glam::DVec3;
use std::ops::{Add, Div, Mul, Sub};

/// `high + low`, where `high` is the sum rounded to a double.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    pub(crate) const ZERO: Self = Self { high: 0.0, low: 0.0 };
    pub(crate) const ONE: Self = Self { high: 1.0, low: 0.0 };

    /// The exact difference of two doubles.
    #[inline]
    pub(crate) fn difference(x: f64, y: f64) -> Self {
        exact_sum(x, -y)
    }

    /// The nearest double.
    #[inline]
    pub(crate) fn rounded(self) -> f64 {
        self.high
    }

    /// Is it above zero? The sign of a normalised pair is that of its larger part.
    #[inline]
    pub(crate) fn is_positive(self) -> bool {
        self.high > 0.0
    }

    /// Compares exactly: the difference of two pairs has the right sign.
    #[inline]
    pub(crate) fn is_less_than(self, other: Self) -> bool {
        (self - other).high < 0.0
    }

    /// Moved into the range from zero to one.
    #[inline]
    pub(crate) fn clamped_to_unit(self) -> Self {
        if !self.is_positive() {
            Self::ZERO
        } else if Self::ONE.is_less_than(self) {
            Self::ONE
        } else {
            self
        }
    }
}

/// Sum and its rounding error, whichever is larger (Knuth).
#[inline]
fn exact_sum(x: f64, y: f64) -> DoubleDouble {
    let high = x + y;
    let of_y = high - x;
    DoubleDouble { high, low: (x - (high - of_y)) + (y - of_y) }
}

/// The same for `|x| >= |y|`.
#[inline]
fn exact_sum_ordered(x: f64, y: f64) -> DoubleDouble {
    let high = x + y;
    DoubleDouble { high, low: y - (high - x) }
}

/// Two doubles of at most 26 bits each whose sum is `x` (Veltkamp).
#[inline]
fn halves(x: f64) -> (f64, f64) {
    const SPLITTER: f64 = 134_217_729.0; // 2^27 + 1
    let scaled = SPLITTER * x;
    let upper = scaled - (scaled - x);
    (upper, x - upper)
}

/// Product and its rounding error (Dekker).
#[inline]
fn exact_product(x: f64, y: f64) -> DoubleDouble {
    let high = x * y;
    let ((x_upper, x_lower), (y_upper, y_lower)) = (halves(x), halves(y));
    let low = ((x_upper * y_upper - high) + x_upper * y_lower + x_lower * y_upper) + x_lower * y_lower;
    DoubleDouble { high, low }
}

impl Add for DoubleDouble {
    type Output = Self;
    /// Relative error small even where the two nearly cancel.
    #[inline]
    fn add(self, other: Self) -> Self {
        let (high, low) = (exact_sum(self.high, other.high), exact_sum(self.low, other.low));
        let first = exact_sum_ordered(high.high, high.low + low.high);
        exact_sum_ordered(first.high, first.low + low.low)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + Self { high: -other.high, low: -other.low }
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let product = exact_product(self.high, other.high);
        exact_sum_ordered(product.high, product.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    /// Two digits of long division to base 2^53, and a third to round.
    #[inline]
    fn div(self, other: Self) -> Self {
        let digit = |rest: Self| rest.high / other.high;
        let times = |digit: f64| Self { high: digit, low: 0.0 } * other;
        let first = digit(self);
        let rest = self - times(first);
        let second = digit(rest);
        let third = digit(rest - times(second));
        let quotient = exact_sum_ordered(first, second);
        exact_sum_ordered(quotient.high, quotient.low + third)
    }
}

/// A vector of double-doubles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Vector(pub(crate) [DoubleDouble; 3]);

impl Vector {
    /// The exact difference `to - from`.
    #[inline]
    pub(crate) fn between(from: DVec3, to: DVec3) -> Self {
        Self([0, 1, 2].map(|axis| DoubleDouble::difference(to[axis], from[axis])))
    }

    #[inline]
    pub(crate) fn dot(self, other: Self) -> DoubleDouble {
        let [x, y, z] = [0, 1, 2].map(|axis| self.0[axis] * other.0[axis]);
        x + y + z
    }

    #[inline]
    pub(crate) fn cross(self, other: Self) -> Self {
        let minor = |i: usize, j: usize| self.0[i] * other.0[j] - self.0[j] * other.0[i];
        Self([minor(1, 2), minor(2, 0), minor(0, 1)])
    }

    /// Every component rounded to the nearest double.
    #[inline]
    pub(crate) fn rounded(self) -> DVec3 {
        DVec3::from_array(self.0.map(DoubleDouble::rounded))
    }
}

impl Add for Vector {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self([0, 1, 2].map(|axis| self.0[axis] + other.0[axis]))
    }
}

impl Sub for Vector {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self([0, 1, 2].map(|axis| self.0[axis] - other.0[axis]))
    }
}

impl Mul<DoubleDouble> for Vector {
    type Output = Self;
    #[inline]
    fn mul(self, factor: DoubleDouble) -> Self {
        Self(self.0.map(|component| component * factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(high: f64, low: f64) -> DoubleDouble {
        exact_sum(high, low)
    }

    #[test]
    fn what_doubles_drop_is_kept() {
        let (one, tiny) = (DoubleDouble::ONE, number(2f64.powi(-80), 0.0));
        assert_eq!(one + tiny - one, tiny);
        assert_eq!((one + tiny) * (one + tiny) - one, tiny + tiny, "the square of the tiny part is beyond 106 bits");
        assert_eq!(DoubleDouble::difference(1.0, 2f64.powi(-70)), one - number(2f64.powi(-70), 0.0));
    }

    #[test]
    fn products_are_exact_to_the_last_bit() {
        let x = 1.0 + 2f64.powi(-52);
        assert_eq!(exact_product(x, x), DoubleDouble { high: 1.0 + 2f64.powi(-51), low: 2f64.powi(-104) });
    }

    #[test]
    fn quotients_times_divisors_return() {
        let (third, three) = (DoubleDouble::ONE / number(3.0, 0.0), number(3.0, 0.0));
        assert!((third * three - DoubleDouble::ONE).rounded().abs() < 2f64.powi(-103));
        let (x, y) = (number(0.1, 1e-18), number(-0.7, 3e-18));
        assert!((x / y * y - x).rounded().abs() < 2f64.powi(-103));
    }

    #[test]
    fn clamping() {
        let barely_above = number(1.0, 2f64.powi(-90));
        assert_eq!(barely_above.clamped_to_unit(), DoubleDouble::ONE);
        assert_eq!(number(-1e-30, 0.0).clamped_to_unit(), DoubleDouble::ZERO);
        let inside = number(1.0, -(2f64.powi(-90)));
        assert_eq!(inside.clamped_to_unit(), inside);
    }
}
