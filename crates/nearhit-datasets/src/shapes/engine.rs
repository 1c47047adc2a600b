//! An engine block with its bores, and a piston: long, thin, mostly axis-parallel triangles.

use std::f64::consts::TAU;

use super::{cuboid, cylinder};
use crate::Soup;

/// Distance of neighbouring bores.
pub const BORE_SPACING: f64 = 1.3;
/// Inner radius of a bore.
pub const BORE_RADIUS: f64 = 0.5;

/// A row of `cylinders` open bores of `sides` long facets along z, from -1 to 1, in a stack of
/// `fins` frames of bars with a wall between neighbours. The first bore is around the z axis, the
/// others follow along x.
pub fn engine_block(cylinders: u32, sides: u32, fins: u32) -> Soup {
    assert!(cylinders >= 1 && sides >= 3 && fins >= 2);
    let mut soup = Soup::default();
    for bore in 0..cylinders {
        soup.append(&open_bore(f64::from(bore) * BORE_SPACING, sides));
    }
    let (left, right) = (-0.6, f64::from(cylinders - 1) * BORE_SPACING + 0.6);
    for fin in 0..fins {
        let z = -0.98 + 1.96 * f64::from(fin) / f64::from(fins - 1);
        let (low, high) = (z - 0.01, z + 0.01);
        for y in [-0.62, 0.6] {
            soup.append(&cuboid([left, y, low], [right, y + 0.02, high]));
        }
        for x in [left - 0.02, right] {
            soup.append(&cuboid([x, -0.6, low], [x + 0.02, 0.6, high]));
        }
    }
    for wall in 1..cylinders {
        let x = (f64::from(wall) - 0.5) * BORE_SPACING;
        soup.append(&cuboid([x - 0.02, -0.6, -1.0], [x + 0.02, 0.6, 1.0]));
    }
    soup
}

fn open_bore(x: f64, sides: u32) -> Soup {
    let mut soup = Soup::default();
    for z in [-1.0, 1.0] {
        for side in 0..sides {
            let (sine, cosine) = (TAU * f64::from(side) / f64::from(sides)).sin_cos();
            soup.push_vertex([x + BORE_RADIUS * cosine, BORE_RADIUS * sine, z]);
        }
    }
    for side in 0..sides {
        let next = (side + 1) % sides;
        // Facing the axis.
        soup.triangles.extend([[side, sides + next, next], [side, sides + side, sides + next]]);
    }
    soup
}

/// A piston of the given radius about the z axis, with pin and rod.
pub fn piston(radius: f64, sides: u32) -> Soup {
    let mut soup = cylinder([0.0, 0.0, -0.2], [0.0, 0.0, 0.3], [radius, radius], sides);
    soup.append(&cylinder([-0.8 * radius, 0.0, -0.1], [0.8 * radius, 0.0, -0.1], [0.06, 0.06], (sides / 4).max(3)));
    soup.append(&cuboid([-0.05, -0.08, -1.0], [0.05, 0.08, -0.05]));
    soup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_as_large_as_asked_and_the_piston_fits() {
        let block = engine_block(4, 32, 10);
        assert_eq!(block.len(), 4 * 64 + 10 * 4 * 12 + 3 * 12);
        let (low, high) = piston(0.48, 32).bounds().unwrap();
        assert!((0..2).all(|axis| low[axis] > -BORE_RADIUS && high[axis] < BORE_RADIUS));
    }
}
