//! Cylinders about the z axis.

use super::core::Convex;
use glam::DVec3;

/// A solid cylinder by its radius and half of its length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tube {
    pub(crate) radius: f64,
    pub(crate) half: f64,
}

impl Convex for Tube {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        let rim = on_circle(self.radius, direction);
        DVec3::new(rim[0], rim[1], self.half.copysign(direction.z))
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.radius.max(self.half)
    }

    #[inline]
    fn bounds(&self) -> (DVec3, DVec3) {
        (DVec3::ZERO, DVec3::new(self.radius, self.radius, self.half))
    }

    fn corners(&self, _: &mut Vec<DVec3>) -> bool {
        false
    }
}

/// The point of a circle about the z axis farthest along a direction: the middle, if it has no
/// such point.
#[inline]
pub(super) fn on_circle(radius: f64, direction: DVec3) -> [f64; 2] {
    let length = (direction.x * direction.x + direction.y * direction.y).sqrt();
    if length > f64::MIN_POSITIVE {
        [radius * (direction.x / length), radius * (direction.y / length)]
    } else {
        [0.0, 0.0]
    }
}
