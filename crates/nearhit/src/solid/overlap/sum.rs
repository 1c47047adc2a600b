//! Sums with a bound on their rounding (running error analysis), and moments of volumes over faces.

use crate::query::Interval;
use glam::DVec3;

/// Bounds on errors are rounded themselves, a few times each.
const OF_BOUNDS: f64 = 1.0 + 1e-9;
/// Of numbers about one, what underflow can take from a product.
const UNDERFLOW: f64 = 1e-280;

/// A number and how far it may be off.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Sum {
    pub(super) value: f64,
    pub(super) error: f64,
}

impl Sum {
    #[inline]
    pub(super) fn add(&mut self, value: f64, error: f64) {
        self.value += value;
        self.error += error + self.value.abs() * f64::EPSILON + UNDERFLOW;
    }

    pub(super) fn add_sum(&mut self, other: Self) {
        self.add(other.value, other.error);
    }

    pub(super) fn interval(self) -> Interval {
        let error = self.error * OF_BOUNDS;
        Interval { lower: (self.value - error).next_down(), upper: (self.value + error).next_up() }
    }
}

/// A point and how far each coordinate may be off.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Near {
    pub(super) at: DVec3,
    pub(super) error: f64,
}

impl Near {
    fn size(&self) -> f64 {
        self.at.abs().max_element()
    }
}

/// Doubled area of faces as a vector along their normal; all faces of one plane.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Area([Sum; 3]);

impl Area {
    /// The area.
    pub(super) fn length(&self) -> Sum {
        let vector = DVec3::from_array(self.0.map(|sum| sum.value));
        let error: f64 = self.0.iter().map(|sum| sum.error).sum();
        let length = vector.length();
        Sum { value: length, error: error + 4.0 * f64::EPSILON * length }
    }
}

/// Volume and first moments of the cones from the origin to faces.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moments {
    pub(super) volume: Sum,
    pub(super) first: [Sum; 3],
    pub(super) area: Sum,
}

impl Moments {
    /// Adds the cone over a triangle, as often as `weight` says, and its area to that of its face.
    pub(super) fn add(&mut self, [c, p, q]: [Near; 3], weight: f64, face: &mut Area) {
        let (u, v) = (p.at - c.at, q.at - c.at);
        let (length_u, length_v) = (u.abs().max_element(), v.abs().max_element());
        let error_u = p.error + c.error + f64::EPSILON * length_u;
        let error_v = q.error + c.error + f64::EPSILON * length_v;
        // Each component is half a difference of two products of two uncertain numbers.
        let area = u.cross(v) * 0.5;
        let area_error =
            error_u * length_v + error_v * length_u + error_u * error_v + 4.0 * f64::EPSILON * length_u * length_v;
        let (size, area_size) = (c.size(), area.abs().max_element());
        let volume = c.at.dot(area) / 3.0;
        let volume_error =
            size * area_error + c.error * (area_size + area_error) + 4.0 * f64::EPSILON * size * area_size;
        // The middle of a cone is that of its four corners, of which one is the origin.
        let middle = (c.at + p.at + q.at) * 0.25;
        let reach = (size + p.size() + q.size()) * 0.25;
        let middle_error = (c.error + p.error + q.error) * 0.25 + 2.0 * f64::EPSILON * reach;
        let first_error = volume_error * (reach + middle_error) + volume.abs() * (middle_error + f64::EPSILON * reach);
        let magnitude = weight.abs();
        self.volume.add(weight * volume, magnitude * volume_error);
        for axis in 0..3 {
            self.first[axis].add(weight * volume * middle[axis], magnitude * first_error);
            face.0[axis].add(weight * area[axis], magnitude * area_error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    /// A thousand random numbers, summed in doubles and in integers.
    #[test]
    fn sums_hold_the_exact_sum() {
        let mut rng = Rng::new(5);
        let (mut sum, mut exact) = (Sum::default(), 0_i128);
        for _ in 0..1000 {
            // Multiples of 2^-60 below 2^20.
            let value = rng.range(-1.0, 1.0) * 2.0_f64.powi(rng.integer(-5, 20) as i32);
            let value = (value * 2.0_f64.powi(60)).trunc() * 2.0_f64.powi(-60);
            sum.add(value, 0.0);
            exact += (value * 2.0_f64.powi(60)) as i128;
        }
        let Interval { lower, upper } = sum.interval();
        let exact = exact as f64 * 2.0_f64.powi(-60);
        assert!(lower <= exact && exact <= upper && upper - lower < 1e-6 * exact.abs().max(1.0), "{sum:?} {exact}");
        assert!(sum.error > 0.0);
    }

    /// Wherever the corners are within their errors, the interval holds the volume.
    #[test]
    fn errors_of_points_are_in_the_interval() {
        let mut rng = Rng::new(6);
        let mut outside = 0;
        for _ in 0..200 {
            let error = 1e-6 * rng.range(0.0, 1.0);
            let corners: [DVec3; 3] = std::array::from_fn(|_| DVec3::from_array(rng.point(-1.0, 1.0)));
            let (mut moments, mut area) = (Moments::default(), Area::default());
            moments.add(corners.map(|at| Near { at, error }), 1.0, &mut area);
            let found = moments.volume.interval();
            let moved = corners
                .map(|at| at + DVec3::from_array([(); 3].map(|()| if rng.chance(0.5) { error } else { -error })));
            let volume = moved[0].dot(moved[1].cross(moved[2])) / 6.0;
            assert!(found.lower - 1e-15 <= volume && volume <= found.upper + 1e-15, "{found:?} {volume}");
            outside += usize::from((volume - moments.volume.value).abs() > 1e-12);
        }
        assert!(outside > 150, "{outside}");
    }
}
