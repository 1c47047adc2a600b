//! Ellipsoids about the origin, along the axes.

use super::core::Convex;
use glam::DVec3;

/// An ellipsoid by its three radii.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Quadric {
    pub(crate) radii: DVec3,
}

impl Convex for Quadric {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        // In units of the largest radius, so that products neither overflow nor vanish together.
        let largest = self.radii.max_element();
        if largest == 0.0 {
            return DVec3::ZERO;
        }
        let stretched = (self.radii / largest) * direction;
        let length = stretched.length();
        if length > f64::MIN_POSITIVE { self.radii * (stretched / length) } else { DVec3::ZERO }
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.radii.max_element()
    }

    #[inline]
    fn bounds(&self) -> (DVec3, DVec3) {
        (DVec3::ZERO, self.radii)
    }

    fn corners(&self, _: &mut Vec<DVec3>) -> bool {
        false
    }
}
