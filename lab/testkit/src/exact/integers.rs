//! Doubles as integers over a common power of two, and vectors of such integers.

use dashu_int::{IBig, Sign};

pub(crate) type Vector = [IBig; 3];

/// Values equal to `integers * 2^exponent`.
#[derive(Debug)]
pub(crate) struct Scaled<const N: usize> {
    pub(crate) integers: [IBig; N],
    pub(crate) exponent: i64,
}

/// Brings all values over the largest power of two that divides every one of them.
///
/// Panics on infinities and NaN: there is no exact answer about them.
pub(crate) fn scale<const N: usize>(values: &[f64; N]) -> Scaled<N> {
    let parts = values.map(decompose);
    let exponent = parts.iter().filter(|part| part.0 != 0).map(|part| part.1).min().unwrap_or(0);
    let integers =
        parts.map(
            |(mantissa, own)| {
                if mantissa == 0 { IBig::ZERO } else { IBig::from(mantissa) << (own - exponent) as usize }
            },
        );
    Scaled { integers, exponent }
}

/// `(mantissa, exponent)` with an odd mantissa, or `(0, 0)`.
pub(crate) fn decompose(value: f64) -> (i64, i64) {
    assert!(value.is_finite(), "exact arithmetic needs finite coordinates, got {value}");
    let bits = value.to_bits();
    let biased = ((bits >> 52) & 0x7ff) as i64;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    // Denormals have no hidden bit and share the exponent of the smallest normal number.
    let (magnitude, exponent) = if biased == 0 { (fraction, -1074) } else { (fraction | (1 << 52), biased - 1075) };
    if magnitude == 0 {
        return (0, 0);
    }
    let zeros = magnitude.trailing_zeros();
    let odd = magnitude >> zeros;
    (if value < 0.0 { -odd } else { odd }, exponent + i64::from(zeros))
}

/// -1, 0 or 1.
pub(crate) fn sign(value: &IBig) -> i8 {
    match value.sign() {
        _ if value.is_zero() => 0,
        Sign::Positive => 1,
        Sign::Negative => -1,
    }
}

pub(crate) fn subtract(left: &Vector, right: &Vector) -> Vector {
    std::array::from_fn(|axis| &left[axis] - &right[axis])
}

pub(crate) fn dot(left: &Vector, right: &Vector) -> IBig {
    &left[0] * &right[0] + &left[1] * &right[1] + &left[2] * &right[2]
}

pub(crate) fn cross(left: &Vector, right: &Vector) -> Vector {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        &left[next] * &right[last] - &left[last] * &right[next]
    })
}

/// `origin * weight + direction * step`: a point on a line, multiplied by `weight`.
pub(crate) fn along(origin: &Vector, weight: &IBig, direction: &Vector, step: &IBig) -> Vector {
    std::array::from_fn(|axis| &origin[axis] * weight + &direction[axis] * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_is_exact_at_both_ends() {
        let scaled = scale(&[5e-324, -1.5, 0.0, -0.0]);
        assert_eq!(scaled.exponent, -1074);
        assert_eq!(scaled.integers[0], IBig::ONE);
        assert_eq!(scaled.integers[1], IBig::from(-3) << 1073);
        assert!(scaled.integers[2].is_zero() && scaled.integers[3].is_zero());
        let large = scale(&[f64::MAX]);
        assert_eq!((large.integers, large.exponent), ([IBig::from((1i64 << 53) - 1)], 971));
    }

    #[test]
    #[should_panic(expected = "finite")]
    fn infinity_has_no_exact_answer() {
        scale(&[f64::INFINITY]);
    }
}
