//! Square roots of rationals between two neighbouring doubles.

use dashu_int::{IBig, UBig, ops::BitTest, ops::SquareRootRem};
use dashu_ratio::RBig;

/// Two doubles around a real number: `low <= value <= high`, equal when the value is a double,
/// otherwise neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// Largest double that is not above the value.
    pub low: f64,
    /// Smallest double that is not below the value; infinite beyond the largest double.
    pub high: f64,
}

impl Bracket {
    /// Whether `x` lies between the ends.
    pub fn contains(&self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }
}

/// The square root of a rational that is not negative; panics on a negative one.
pub fn square_root(square: &RBig) -> Bracket {
    let above = UBig::try_from(square.numerator().clone());
    let Ok(above) = above else { panic!("square root of a negative number") };
    if above.is_zero() {
        return Bracket { low: 0.0, high: 0.0 };
    }
    let below = square.denominator();
    // Scaled by 4^shift the quotient has 127 to 129 bits, its root 64 or 65.
    let shift = (below.bit_len() as i64 - above.bit_len() as i64 + 128).div_euclid(2);
    let bits = 2 * shift.unsigned_abs() as usize;
    let (numerator, denominator) =
        if shift >= 0 { (above << bits, below.clone()) } else { (above, below.clone() << bits) };
    let (quotient, remainder) = dashu_int::ops::DivRem::div_rem(numerator, denominator);
    let (root, rest) = quotient.sqrt_rem();
    let exact = remainder.is_zero() && rest.is_zero();
    around(u128::try_from(&root).unwrap_or(u128::MAX), -shift, exact)
}

/// Brackets a value equal to `root * 2^exponent` when `exact`, and otherwise less than one unit of
/// `root` above it.
fn around(root: u128, exponent: i64, exact: bool) -> Bracket {
    let bits = i64::from(128 - root.leading_zeros());
    // A double keeps 53 bits, and nothing below 2^-1074.
    let dropped = (bits - 53).max(-1074 - exponent).max(0);
    let kept = if dropped >= 128 { 0 } else { root >> dropped };
    let exact = exact && (dropped >= 128 || kept << dropped == root) && (kept != 0 || root == 0);
    if bits + exponent > 1024 {
        return Bracket { low: f64::MAX, high: f64::INFINITY };
    }
    let low = times_power_of_two(kept as f64, exponent + dropped);
    Bracket { low, high: if exact { low } else { low.next_up() } }
}

/// Exact, because the caller keeps the result representable; in two steps, because the power alone
/// may not be.
fn times_power_of_two(value: f64, exponent: i64) -> f64 {
    let half = exponent / 2;
    let power = |exponent: i64| f64::from_bits(((exponent + 1023).clamp(0, 2046) as u64) << 52);
    value * power(half) * power(exponent - half)
}

/// The exact square of a double.
pub fn square_of(value: f64) -> RBig {
    let scaled = super::integers::scale(&[value]);
    let [integer] = scaled.integers;
    let square: IBig = &integer * &integer;
    let shift = 2 * scaled.exponent.unsigned_abs() as usize;
    if scaled.exponent < 0 {
        RBig::from_parts(square, UBig::ONE << shift)
    } else {
        RBig::from_parts(square << shift, UBig::ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn check(square: &RBig) -> Bracket {
        let bracket = square_root(square);
        assert!(square_of(bracket.low) <= *square);
        assert!(bracket.high.is_infinite() || square_of(bracket.high) >= *square);
        assert!(bracket.low == bracket.high || bracket.low.next_up() == bracket.high);
        bracket
    }

    #[test]
    fn roots_of_doubles_squared_are_exact() {
        let mut rng = Rng::new(21);
        for _ in 0..2000 {
            let root = rng.f64() * (rng.range(-1070.0, 1020.0)).exp2();
            assert_eq!(check(&square_of(root)), Bracket { low: root, high: root });
        }
        for root in [0.0, 5e-324, f64::MIN_POSITIVE, f64::MAX, 1.0] {
            assert_eq!(check(&square_of(root)), Bracket { low: root, high: root });
        }
    }

    #[test]
    fn other_roots_lie_between_neighbours() {
        let mut rng = Rng::new(22);
        for _ in 0..2000 {
            let above = IBig::from(rng.u64()) << rng.below(1500);
            let below = UBig::from(rng.u64() | 1) << rng.below(1500);
            check(&RBig::from_parts(above, below));
        }
        assert_eq!(check(&RBig::from(2u8)).high, 2f64.sqrt());
    }

    #[test]
    fn ends_of_the_range() {
        let tiny = RBig::from_parts(IBig::ONE, UBig::ONE << 5000);
        assert_eq!(check(&tiny), Bracket { low: 0.0, high: 5e-324 });
        let huge = RBig::from(UBig::ONE << 5000);
        assert_eq!(check(&huge), Bracket { low: f64::MAX, high: f64::INFINITY });
    }
}
