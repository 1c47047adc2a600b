//! The two bodies: a wire bent into a trefoil knot, and a ring around it.

use anyhow::Result;
use glam::DVec3;
use nearhit::Mesh;
use std::f64::consts::TAU;

/// Thickness of the wire.
pub(super) const WIRE_RADIUS: f64 = 0.3;
/// From the ring's axis to the middle of its tube.
pub(super) const RING_RADIUS: f64 = 0.62;
/// Thickness of the ring.
pub(super) const RING_TUBE: f64 = 0.14;

/// A point of a closed curve with two directions across it, all at right angles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) center: DVec3,
    pub(super) along: DVec3,
    pub(super) across: [DVec3; 2],
}

/// The knot winds twice around a large torus and three times through it. `turn` from 0 to 1 is once
/// along it.
///
/// The torus' normal is at right angles to any curve on it and comes back to itself: a frame
/// without a seam.
pub(super) fn knot(turn: f64) -> Frame {
    let (sin_around, cos_around) = (2.0 * TAU * turn).sin_cos();
    let (sin_through, cos_through) = (3.0 * TAU * turn).sin_cos();
    let outward = DVec3::new(cos_around, sin_around, 0.0);
    let forward = DVec3::new(-sin_around, cos_around, 0.0);
    let radius = 2.0 + cos_through;
    let normal = outward * cos_through + DVec3::Z * sin_through;
    let upward = DVec3::Z * cos_through - outward * sin_through;
    let along = (forward * (2.0 * radius) + upward * 3.0).normalize();
    Frame { center: outward * radius + DVec3::Z * sin_through, along, across: [normal, normal.cross(along)] }
}

/// A circle about the z axis.
fn circle(turn: f64) -> Frame {
    let (sin, cos) = (TAU * turn).sin_cos();
    let outward = DVec3::new(cos, sin, 0.0);
    Frame { center: outward * RING_RADIUS, along: DVec3::new(-sin, cos, 0.0), across: [outward, DVec3::Z] }
}

/// The environment.
pub(super) fn wire() -> Result<Mesh> {
    tube(knot, WIRE_RADIUS, 240, 16)
}

/// The flying object: its axis is z.
pub(super) fn ring() -> Result<Mesh> {
    tube(circle, RING_TUBE, 44, 12)
}

/// A tube around a closed curve, `2 * cuts * sides` triangles.
fn tube(curve: fn(f64) -> Frame, radius: f64, cuts: u32, sides: u32) -> Result<Mesh> {
    let mut vertices = Vec::new();
    for cut in 0..cuts {
        let frame = curve(f64::from(cut) / f64::from(cuts));
        for side in 0..sides {
            let (sin, cos) = (TAU * f64::from(side) / f64::from(sides)).sin_cos();
            vertices.push((frame.center + (frame.across[0] * cos + frame.across[1] * sin) * radius).to_array());
        }
    }
    let vertex = |cut: u32, side: u32| (cut % cuts) * sides + side % sides;
    let mut triangles = Vec::new();
    for cut in 0..cuts {
        for side in 0..sides {
            let [a, b] = [vertex(cut, side), vertex(cut + 1, side)];
            let [c, d] = [vertex(cut + 1, side + 1), vertex(cut, side + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Ok(Mesh::new(&vertices, &triangles)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_knot_closes_and_its_frame_is_square() {
        for step in 0..50 {
            let frame = knot(f64::from(step) / 50.0);
            let step_ahead = knot(f64::from(step) / 50.0 + 1e-6).center - frame.center;
            assert!((step_ahead.normalize() - frame.along).length() < 1e-4);
            let [first, second] = frame.across;
            let products = [first.dot(second), first.dot(frame.along), second.dot(frame.along)];
            assert!(products.iter().all(|product| product.abs() < 1e-12));
        }
        for frame in [knot(0.3), circle(0.3)] {
            assert!((frame.across[0].cross(frame.along) - frame.across[1]).length() < 1e-12, "tubes face outwards");
        }
        assert!((knot(0.0).center - knot(1.0).center).length() < 1e-12);
    }
}
