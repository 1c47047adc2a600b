//! Orientations in big integers: slow, and right whatever the input.
//!
//! Doubles are integers times a power of two. All coordinates of one question are brought to a
//! common power, so for ordinary input the integers stay within a few hundred bits.

use super::predicates::Sign;
use num_bigint::{BigInt, BigUint};

/// Exponent of the lowest bit of a double, and its digits as an integer.
pub(crate) fn digits(value: f64) -> (i64, i64) {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, (bits & ((1 << 52) - 1)) as i64);
    let magnitude = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    (exponent.max(1), if value.is_sign_negative() { -magnitude } else { magnitude })
}

/// The points times one common power of two, as integers.
fn integers<const D: usize, const N: usize>(points: [[f64; D]; N]) -> [[BigInt; D]; N] {
    let nonzero = points.as_flattened().iter().filter(|&&value| value != 0.0);
    let lowest = nonzero.map(|&value| digits(value).0).min().unwrap_or(1);
    points.map(|point| point.map(|value| integer(value, lowest)))
}

/// A double in units of the lowest bit of another.
pub(crate) fn integer(value: f64, lowest: i64) -> BigInt {
    match digits(value) {
        (_, 0) => BigInt::ZERO,
        (exponent, digits) => BigInt::from(digits) << (exponent - lowest),
    }
}

fn sign(value: &BigInt) -> Sign {
    match value.sign() {
        num_bigint::Sign::Minus => Sign::Negative,
        num_bigint::Sign::NoSign => Sign::Zero,
        num_bigint::Sign::Plus => Sign::Positive,
    }
}

type Big3 = [BigInt; 3];
type Big2 = [BigInt; 2];

fn determinant3([a, b, c, d]: [&Big3; 4]) -> BigInt {
    let from_d = |p: &Big3| [&p[0] - &d[0], &p[1] - &d[1], &p[2] - &d[2]];
    let [a, b, c] = [from_d(a), from_d(b), from_d(c)];
    let minor = |p: &Big3, q: &Big3| &p[0] * &q[1] - &q[0] * &p[1];
    &a[2] * minor(&b, &c) + &b[2] * minor(&c, &a) + &c[2] * minor(&a, &b)
}

fn determinant2([a, b, c]: [&Big2; 3]) -> BigInt {
    (&a[0] - &c[0]) * (&b[1] - &c[1]) - (&a[1] - &c[1]) * (&b[0] - &c[0])
}

/// Sign of `det(a - d, b - d, c - d)`.
pub(super) fn orient3d(points: [[f64; 3]; 4]) -> Sign {
    let [a, b, c, d] = &integers(points);
    sign(&determinant3([a, b, c, d]))
}

/// Sign of the doubled area.
pub(super) fn orient2d(points: [[f64; 2]; 3]) -> Sign {
    let [a, b, c] = &integers(points);
    sign(&determinant2([a, b, c]))
}

/// Sign of `(q - p) × (b - a)`.
pub(super) fn cross2d(points: [[f64; 2]; 4]) -> Sign {
    let [p, q, a, b] = &integers(points);
    sign(&((&q[0] - &p[0]) * (&b[1] - &a[1]) - (&q[1] - &p[1]) * (&b[0] - &a[0])))
}

/// How far along `p`–`q`, which lie strictly on opposite sides of the plane, the plane is crossed:
/// correct to the last bits, however shallow the crossing.
pub(crate) fn plane_crossing([a, b, c]: [[f64; 3]; 3], p: [f64; 3], q: [f64; 3]) -> f64 {
    let [a, b, c, p, q] = &integers([a, b, c, p, q]);
    share(&determinant3([a, b, c, p]), &determinant3([a, b, c, q]))
}

/// How far along the ray from `p` through `q` the plane is met, which it is, where the step from
/// `p` to `q` is `unit` long: correct to the last bits.
pub(super) fn plane_on_ray([a, b, c]: [[f64; 3]; 3], p: [f64; 3], q: [f64; 3], unit: f64) -> f64 {
    let [a, b, c, p, q] = &integers([a, b, c, p, q]);
    crossing([a, b, c], p, q, unit)
}

/// The same along a step.
pub(super) fn plane_on_step([a, b, c]: [[f64; 3]; 3], p: [f64; 3], step: [f64; 3], unit: f64) -> f64 {
    let [a, b, c, p, step] = &integers([a, b, c, p, step]);
    crossing([a, b, c], p, &sum(p, step), unit)
}

fn crossing([a, b, c]: [&Big3; 3], p: &Big3, q: &Big3, unit: f64) -> f64 {
    let height = determinant3([a, b, c, p]);
    let slope = &height - determinant3([a, b, c, q]);
    ratio_times(height.magnitude(), slope.magnitude(), unit)
}

/// The same in a plane for a segment, which is met there: how far along the ray from `origin` that
/// goes through `through`, or by a step.
pub(super) fn segment_on_ray(segment: [[f64; 2]; 2], origin: [f64; 2], ahead: Ahead, unit: f64) -> f64 {
    let [p, q] = segment;
    let (Ahead::Through(end) | Ahead::Step(end)) = ahead;
    let [p, q, origin, end] = &integers([p, q, origin, end]);
    let step = match ahead {
        Ahead::Through(_) => end.clone(),
        Ahead::Step(_) => sum(origin, end),
    };
    let slope = determinant2([origin, &step, q]) - determinant2([origin, &step, p]);
    ratio_times(determinant2([origin, p, q]).magnitude(), slope.magnitude(), unit)
}

/// Where a ray in a plane goes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ahead {
    /// Through a point.
    Through([f64; 2]),
    /// By a vector from its origin.
    Step([f64; 2]),
}

fn sum<const D: usize>(p: &[BigInt; D], step: &[BigInt; D]) -> [BigInt; D] {
    std::array::from_fn(|axis| &p[axis] + &step[axis])
}

/// [`orient3d`] of `origin`, the point a step from it, `p` and `q`.
pub(super) fn turn3d(origin: [f64; 3], step: [f64; 3], p: [f64; 3], q: [f64; 3]) -> Sign {
    let [origin, step, p, q] = &integers([origin, step, p, q]);
    sign(&determinant3([origin, &sum(origin, step), p, q]))
}

/// [`orient2d`] of `origin`, the point a step from it, and `p`.
pub(super) fn turn2d(origin: [f64; 2], step: [f64; 2], p: [f64; 2]) -> Sign {
    let [origin, step, p] = &integers([origin, step, p]);
    sign(&determinant2([origin, &sum(origin, step), p]))
}

/// `unit * p / q`, to 64 bits, where the quotient alone may vanish or overflow. The unit is a
/// normal number, `q` is not zero.
fn ratio_times(p: &BigUint, q: &BigUint, unit: f64) -> f64 {
    let shift = (q.bits() + 64).saturating_sub(p.bits());
    let digits = (p << shift) / q;
    // At most 66 bits unless the quotient is larger than that by itself; dropping low bits of it
    // does no harm.
    let excess = digits.bits().saturating_sub(100);
    let top = u128::try_from(digits >> excess).map_or(f64::MAX, |digits| digits as f64);
    let power = |exponent: i64| 2.0_f64.powi(exponent.clamp(-1000, 1000) as i32);
    let of_unit = (unit.to_bits() >> 52 & 0x7ff) as i64 - 1023;
    let exponent = excess as i64 - shift as i64 + of_unit;
    let mantissa = unit * power(-of_unit / 2) * power(-of_unit - -of_unit / 2);
    top * mantissa * power(exponent / 2) * power(exponent - exponent / 2)
}

/// The same for a line through `a` and `b` in the plane.
pub(super) fn line_crossing([a, b]: [[f64; 2]; 2], p: [f64; 2], q: [f64; 2]) -> f64 {
    let [a, b, p, q] = &integers([a, b, p, q]);
    share(&determinant2([a, b, p]), &determinant2([a, b, q]))
}

/// `|p| / (|p| + |q|)`, to 64 bits.
fn share(p: &BigInt, q: &BigInt) -> f64 {
    let (p, q) = (p.magnitude(), q.magnitude());
    let whole = p + q;
    if whole == BigUint::ZERO {
        return 0.5;
    }
    let parts = (p << 64_u32) / whole;
    u128::try_from(parts).map_or(1.0, |parts| parts as f64 / 2.0_f64.powi(64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_become_their_integers() {
        assert_eq!(integers([[1.0, 0.5]]), [[BigInt::from(1_u64 << 53), BigInt::from(1_u64 << 52)]]);
        assert_eq!(integers([[5e-324, -0.0]]), [[BigInt::from(1), BigInt::ZERO]]);
        let [[huge, tiny]] = integers([[-(2.0_f64.powi(900)), 5e-324]]);
        assert_eq!((huge, tiny), (BigInt::from(-1) << 1974_u32, BigInt::from(1)));
        assert_eq!(integers([[f64::MIN_POSITIVE, 0.0]]), [[BigInt::from(1_u64 << 52), BigInt::ZERO]]);
    }

    #[test]
    fn crossings_of_planes_a_hair_away() {
        let plane = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(plane_crossing(plane, [0.0, 0.0, 5e-324], [0.0, 0.0, -1.5e-323]), 0.25);
        assert_eq!(line_crossing([[0.0, 0.0], [1e300, 0.0]], [1.0, 5e-324], [2.0, -1.5e-323]), 0.25);
    }
}
