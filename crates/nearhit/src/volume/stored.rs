//! Volumes as numbers in a file.

use super::Support;
use glam::{DMat3, DVec3};

/// A volume that can be written as numbers and read back, bit for bit.
///
/// Numbers from a file are not believed. Whether a volume encloses what it should is checked by
/// [`Support::contains`]; but the tests' rounding errors are only covered for volumes that
/// [`super::BoundingVolume::fit`] can make: with unit axes, and not much larger than the mesh.
/// [`Stored::restore`] accepts no others.
pub trait Stored: Support {
    /// How many numbers describe a volume.
    const NUMBERS: usize;

    /// Appends exactly so many.
    fn store(&self, numbers: &mut Vec<f64>);

    /// From exactly so many. `None` if no set of triangles with coordinates up to `reach` has such
    /// a volume.
    fn restore(numbers: &[f64], reach: f64) -> Option<Self>;

    /// Which faces meet in each of [`super::BoundingVolume::corners`].
    fn store_corners(&self) -> Vec<[u8; 3]> {
        Vec::new()
    }

    /// The corners where those faces meet, in that order. `None` if it is not certain that they
    /// enclose the volume.
    fn restore_corners(&self, _corners: &[[u8; 3]]) -> Option<Vec<DVec3>> {
        None
    }
}

/// Takes numbers one after the other.
pub(super) struct Numbers<'n> {
    numbers: std::slice::Iter<'n, f64>,
    reach: f64,
}

impl<'n> Numbers<'n> {
    pub(super) fn new(numbers: &'n [f64], reach: f64) -> Self {
        Self { numbers: numbers.iter(), reach }
    }

    fn any(&mut self) -> Option<f64> {
        self.numbers.next().copied()
    }

    /// At most `times` the mesh's reach in magnitude, give or take rounding.
    pub(super) fn coordinate(&mut self, times: f64) -> Option<f64> {
        let limit = times * self.reach + f64::MIN_POSITIVE;
        self.any().filter(|value| value.abs() <= limit)
    }

    /// A middle. That of an oriented box may lie outside the box along the axes, by up to the root
    /// of 3 either way.
    pub(super) fn point(&mut self) -> Option<DVec3> {
        Some(DVec3::new(self.coordinate(3.0)?, self.coordinate(3.0)?, self.coordinate(3.0)?))
    }

    /// A radius or half a side: at most from any point of the mesh to any other.
    pub(super) fn length(&mut self) -> Option<f64> {
        self.coordinate(4.0).filter(|&value| value >= 0.0)
    }

    pub(super) fn unit_vector(&mut self) -> Option<DVec3> {
        let vector = DVec3::new(self.any()?, self.any()?, self.any()?);
        ((vector.length_squared() - 1.0).abs() <= UNIT).then_some(vector)
    }

    /// Right-handed and orthonormal to rounding.
    pub(super) fn frame(&mut self) -> Option<DMat3> {
        let frame = DMat3::from_cols(self.unit_vector()?, self.unit_vector()?, self.unit_vector()?);
        let [x, y, z] = [frame.x_axis, frame.y_axis, frame.z_axis];
        let cross = DVec3::new(x.dot(y), y.dot(z), z.dot(x));
        (cross.abs().max_element() <= UNIT && x.cross(y).dot(z) > 0.0).then_some(frame)
    }
}

/// Fitting makes frames to some 10 half-ulps; the slack of a placement has room for this.
const UNIT: f64 = 32.0 * f64::EPSILON;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_fitting_makes_is_accepted() {
        let numbers = |x: f64, y: f64| [1.0, x, 0.0, y, 1.0, 0.0, 0.0, 0.0, 1.0];
        let frame = |numbers: [f64; 9]| Numbers::new(&numbers, 1.0).frame();
        assert_eq!(frame(numbers(0.0, 0.0)), Some(DMat3::IDENTITY));
        assert_eq!(frame(numbers(1e-12, 0.0)), None);
        assert_eq!(frame(numbers(f64::NAN, 0.0)), None);
        assert_eq!(frame([0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]), None);
        assert_eq!(frame([2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]), None);
        let length = |value: f64| Numbers::new(&[value], 2.0).length();
        assert_eq!(
            [-1.0, 0.0, 8.0, 9.0, f64::NAN, f64::INFINITY].map(length),
            [None, Some(0.0), Some(8.0), None, None, None]
        );
    }
}
