//! The case of the demonstration: a ring moves once along a wire, with growing deviations.

use super::shapes::{Frame, RING_RADIUS, RING_TUBE, WIRE_RADIUS, knot, ring, wire};
use anyhow::Result;
use glam::DVec3;
use nearhit::Pose;
use nearhit_cases::folder::Case;
use nearhit_cases::folder::Placed;
use std::f64::consts::TAU;

/// Number of poses.
const POSES: usize = 360;

/// The ring, the wire and the flight.
pub(super) fn case() -> Result<Case> {
    let poses = (0..POSES).map(placed).collect::<Result<_>>()?;
    Ok(Case { name: "a ring along a wire".to_owned(), a: ring()?, b: wire()?, poses })
}

fn placed(index: usize) -> Result<Placed> {
    let turn = index as f64 / POSES as f64;
    Ok(Placed { world_from_a: hand(turn, &knot(turn))?, world_from_b: Pose::IDENTITY, line: index + 1 })
}

/// Where the ring is held: around the wire, off its middle and askew by slow waves. The clearance
/// is used up now and then.
fn hand(turn: f64, wire: &Frame) -> Result<Pose> {
    let clearance = RING_RADIUS - RING_TUBE - WIRE_RADIUS;
    let wave = |waves: f64, phase: f64| (TAU * (waves * turn + phase)).sin();
    let shake = clearance * (0.7 + 0.9 * wave(4.0, 0.6));
    let aside = wire.across[0] * wave(7.0, 0.0) + wire.across[1] * wave(7.0, 0.25);
    let tilt = wire.across[0] * (0.22 * wave(5.0, 0.1)) + wire.across[1] * (0.22 * wave(3.0, 0.4));
    let axis = (wire.along + tilt).normalize();
    let right = (wire.across[0] - axis * wire.across[0].dot(axis)).normalize();
    pose([right, axis.cross(right), axis], wire.center + aside * shake)
}

/// From the images of the axes.
fn pose(columns: [DVec3; 3], translation: DVec3) -> Result<Pose> {
    let row = |axis: usize| columns.map(|column| column[axis]);
    Ok(Pose::from_rows([row(0), row(1), row(2)], translation.to_array())?)
}
