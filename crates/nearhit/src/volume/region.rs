//! Where a volume is, simplified to a box or a ball: for estimates, never for culling.

use glam::{DMat3, DVec3};

/// A box in any orientation, or the ball in a cube.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    /// The middle.
    pub center: DVec3,
    /// Unit axes, as columns.
    pub axes: DMat3,
    /// Half the sides of the box, or the radius three times.
    pub half_extents: DVec3,
    /// Which of the two it is.
    pub shape: Shape,
}

/// The shape of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// All of the box.
    Box,
    /// The ball that it encloses.
    Ball,
}

impl Region {
    /// The box from `low` to `high`.
    #[must_use]
    #[inline]
    pub fn upright(low: DVec3, high: DVec3) -> Self {
        let (center, half_extents) = (low * 0.5 + high * 0.5, high * 0.5 - low * 0.5);
        Self { center, axes: DMat3::IDENTITY, half_extents, shape: Shape::Box }
    }

    /// The least and the greatest coordinates of the box.
    #[must_use]
    pub fn bounds(&self) -> [DVec3; 2] {
        let reach = self.axes.abs() * self.half_extents;
        [self.center - reach, self.center + reach]
    }

    /// The side of the cube of the same volume.
    #[must_use]
    pub fn side(&self) -> f64 {
        let unit = self.half_extents.max_element();
        if unit <= 0.0 {
            return 0.0;
        }
        let share = match self.shape {
            Shape::Box => 8.0 * (self.half_extents / unit).element_product(),
            Shape::Ball => 4.0 / 3.0 * std::f64::consts::PI,
        };
        share.cbrt() * unit
    }
}
