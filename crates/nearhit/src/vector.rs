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

#[cfg(test)]
mod tests {
    use super::*;

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
