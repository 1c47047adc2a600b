//! Ellipsoids about the origin, along the axes; and what is left of one below its surface.

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

/// An ellipsoid without all that lies less than a length below its surface: a ball of that radius
/// rolls inside it, so that it is this core grown by the length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Worn {
    pub(crate) whole: Quadric,
    pub(crate) by: f64,
}

impl Worn {
    /// As much as can be taken off: the least radius of curvature, which is at the ends of the
    /// longest axis. None of what is flat.
    pub(crate) fn new(whole: Quadric) -> Option<Self> {
        let (least, most) = (whole.radii.min_element(), whole.radii.max_element());
        let by = least * (least / most) * (1.0 - 8.0 * f64::EPSILON);
        (by > 0.0).then_some(Self { whole, by })
    }
}

impl Convex for Worn {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        self.whole.support(direction) - direction * (self.by / direction.length())
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.whole.reach()
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        self.whole.bounds()
    }

    fn corners(&self, _: &mut Vec<DVec3>) -> bool {
        false
    }
}
