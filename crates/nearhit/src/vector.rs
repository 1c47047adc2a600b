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
