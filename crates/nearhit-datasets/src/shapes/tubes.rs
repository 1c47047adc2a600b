//! Tubes swept along a line of rings.

use std::f64::consts::TAU;

use crate::vector::{along, cross, length, subtract};
use crate::{Point, Soup};

/// A cross-section of a tube. `right`, `up` and the direction of travel are a right-handed
/// orthonormal frame.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    /// The middle of the section.
    pub center: Point,
    /// First axis of the section.
    pub right: Point,
    /// Second axis of the section.
    pub up: Point,
    /// Half its width.
    pub radius: f64,
}

/// A closed tube through the rings, flat at both ends: `2 * sides * (rings - 1) + 2 * (sides - 2)`
/// triangles.
pub fn tube(rings: &[Ring], sides: u32) -> Soup {
    assert!(rings.len() >= 2 && sides >= 3);
    let mut soup = Soup::default();
    for ring in rings {
        for side in 0..sides {
            let (sine, cosine) = (TAU * f64::from(side) / f64::from(sides)).sin_cos();
            let point = along(ring.center, ring.right, ring.radius * cosine);
            soup.push_vertex(along(point, ring.up, ring.radius * sine));
        }
    }
    let vertex = |ring: u32, side: u32| ring * sides + side % sides;
    let last = rings.len() as u32 - 1;
    for ring in 0..last {
        for side in 0..sides {
            let [a, b] = [vertex(ring, side), vertex(ring, side + 1)];
            let [c, d] = [vertex(ring + 1, side + 1), vertex(ring + 1, side)];
            soup.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    for side in 1..sides - 1 {
        soup.triangles.push([vertex(0, 0), vertex(0, side + 1), vertex(0, side)]);
        soup.triangles.push([vertex(last, 0), vertex(last, side), vertex(last, side + 1)]);
    }
    soup
}

/// A straight closed cylinder (or cone stump) between two different points: `4 * sides - 4`
/// triangles.
pub fn cylinder(from: Point, to: Point, radii: [f64; 2], sides: u32) -> Soup {
    let axis = subtract(to, from);
    // Any axis that is not nearly parallel gives a frame.
    let helper = if axis[0].abs() < 0.9 * length(axis) { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let right = cross(helper, axis);
    let right = right.map(|x| x / length(right));
    let up = cross(axis, right);
    let up = up.map(|x| x / length(up));
    tube(&[Ring { center: from, right, up, radius: radii[0] }, Ring { center: to, right, up, radius: radii[1] }], sides)
}

#[cfg(test)]
mod tests {
    use super::super::topology::{assert_solid, signed_volume};
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn cylinders_are_closed_in_every_direction() {
        let mut rng = Rng::new(81);
        for _ in 0..50 {
            let (from, to) = (rng.point(-1.0, 1.0), rng.point(-1.0, 1.0));
            let made = cylinder(from, to, [0.5, 0.5], 64);
            assert_solid(&made);
            assert_eq!(made.len(), 4 * 64 - 4);
            let expected = std::f64::consts::PI * 0.25 * length(subtract(to, from));
            assert!((signed_volume(&made) / expected - 1.0).abs() < 0.01);
        }
    }
}
