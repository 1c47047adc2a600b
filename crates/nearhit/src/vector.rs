//! Lengths of vectors whose squares under- or overflow.

use glam::DVec3;

/// Length of a vector, without overflow at 1e300.
///
/// Squares of large components would become infinite, and an infinite distance would prune what
/// touches.
#[must_use]
#[inline]
pub(crate) fn length(vector: DVec3) -> f64 {
    let largest = vector.abs().max_element();
    if (1e-140..1e140).contains(&largest) {
        vector.length()
    } else if largest == 0.0 {
        0.0
    } else {
        (vector / largest).length() * largest
    }
}

/// The vector of length one in the same direction, to rounding; none of zero.
///
/// Squares of what is below 1e-154 are denormal and have few digits: a direction that is longer
/// than one by a tenth would take a tenth of the distance off a bound, or add it.
#[must_use]
#[inline]
pub(crate) fn unit(vector: DVec3) -> Option<DVec3> {
    let largest = vector.abs().max_element();
    // Twice: one over the smallest numbers is infinite.
    let scaled = if largest < 1e-300 { vector * 1e300 } else { vector };
    (scaled / scaled.abs().max_element()).try_normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_every_size() {
        for exponent in (-1060..=1000).step_by(20) {
            let size = 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2);
            let found = unit(DVec3::new(3.0, -4.0, 12.0) * size).expect("it is not zero");
            assert!((found.length() - 1.0).abs() < 1e-15, "2^{exponent}: {found}");
            let off = (found - DVec3::new(3.0, -4.0, 12.0) / 13.0).length();
            assert!(off < 1e-14_f64.max(1e-323 / size), "2^{exponent}: {found}");
        }
        assert_eq!(unit(DVec3::ZERO), None);
    }

    #[test]
    fn lengths_of_every_size() {
        for exponent in (-1060..=1000).step_by(20) {
            let size = 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2);
            let found = length(DVec3::new(3.0, -4.0, 12.0) * size) / size;
            // The smallest numbers have few digits.
            assert!((found - 13.0).abs() < 1e-14_f64.max(1e-323 / size), "2^{exponent}: {found}");
        }
        assert_eq!(length(DVec3::ZERO), 0.0);
    }
}
