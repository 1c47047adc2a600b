//! Boxes: cuboids about the origin, along the axes.

use super::core::Convex;
use glam::DVec3;

/// A box by half of its sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Box3 {
    pub(crate) half: DVec3,
}

impl Convex for Box3 {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = self.half;
        DVec3::new(x.copysign(direction.x), y.copysign(direction.y), z.copysign(direction.z))
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.half.max_element()
    }

    #[inline]
    fn bounds(&self) -> (DVec3, DVec3) {
        (DVec3::ZERO, self.half)
    }

    fn corners(&self, found: &mut Vec<DVec3>) -> bool {
        let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
        let corner = |i: u32| DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4)) * self.half;
        found.extend((0..8).map(corner));
        true
    }
}
