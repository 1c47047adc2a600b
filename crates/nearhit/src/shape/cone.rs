//! Cones, also truncated, about the z axis.

use super::core::Convex;
use super::cylinder::on_circle;
use glam::DVec3;

/// A truncated cone: radii of the bottom at `-half` and of the top at `+half`. A cone's top is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frustum {
    pub(crate) bottom: f64,
    pub(crate) top: f64,
    pub(crate) half: f64,
}

impl Frustum {
    /// Is the top farther along a direction than the bottom?
    #[inline]
    pub(crate) fn support_is_top(&self, direction: DVec3) -> bool {
        let across = (direction.x * direction.x + direction.y * direction.y).sqrt();
        (self.top - self.bottom) * across + 2.0 * self.half * direction.z > 0.0
    }
}

impl Convex for Frustum {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        let (radius, z) =
            if self.support_is_top(direction) { (self.top, self.half) } else { (self.bottom, -self.half) };
        let [x, y] = on_circle(radius, direction);
        DVec3::new(x, y, z)
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.bottom.max(self.top).max(self.half)
    }

    #[inline]
    fn bounds(&self) -> (DVec3, DVec3) {
        let radius = self.bottom.max(self.top);
        (DVec3::ZERO, DVec3::new(radius, radius, self.half))
    }

    fn corners(&self, _: &mut Vec<DVec3>) -> bool {
        false
    }
}
