//! Sums of doubles without rounding: just enough to decide a sign.
//!
//! After Shewchuk (1997), "Adaptive precision floating-point arithmetic": a number is held as a sum
//! of doubles that do not overlap, smallest first; its sign is that of the last one that is not
//! zero.

use arrayvec::ArrayVec;
use std::cmp::Ordering;

/// Rounded sum and what was rounded off. Exact for any two doubles whose sum does not overflow.
#[inline]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// Rounded product and what was rounded off. Exact unless that is below the smallest double.
#[inline]
pub(crate) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

/// A double as two that each have at most 45 significant bits: times an integer below 128 both stay
/// exact.
#[inline]
pub(crate) fn halves(value: f64) -> (f64, f64) {
    let high = f64::from_bits(value.to_bits() & !0xff);
    (high, value - high)
}

/// Sign of the exact sum of at most 16 terms.
pub(crate) fn sign_of_sum(terms: impl IntoIterator<Item = f64>) -> Ordering {
    let mut parts: ArrayVec<f64, 16> = ArrayVec::new();
    for term in terms {
        let mut carried = term;
        for part in &mut parts {
            (carried, *part) = two_sum(carried, *part);
        }
        parts.push(carried);
    }
    parts.iter().rev().find(|&&part| part != 0.0).map_or(Ordering::Equal, |part| part.total_cmp(&0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_survive_cancellation() {
        assert_eq!(sign_of_sum([1e300, 1.0, -1e300, -1.0]), Ordering::Equal);
        assert_eq!(sign_of_sum([1e300, 1.0, -1e300, -1.0, 5e-324]), Ordering::Greater);
        assert_eq!(sign_of_sum([-5e-324, 1e300, 0.1, -1e300, -0.1]), Ordering::Less);
        let (high, low) = two_product(0.1, 3.0);
        assert_eq!(sign_of_sum([0.1, 0.1, 0.1, -high, -low]), Ordering::Equal);
    }

    #[test]
    fn halves_are_exact_and_short() {
        for value in [0.1, -1e300 / 3.0, 5e-324, 1.0 + f64::EPSILON] {
            let (high, low) = halves(value);
            assert_eq!(high + low, value);
            for part in [high, low] {
                assert_eq!(two_product(part, 127.0).1, 0.0, "{value}");
            }
        }
    }
}
