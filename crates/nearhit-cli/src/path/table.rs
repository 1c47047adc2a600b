//! The clearance at every pose as comma-separated values.

use crate::bodies::Series;
use nearhit::Distance;
use std::fmt::Write;

/// A line for each pose: both ends of the clearance, and the closest points in the world.
pub(super) fn csv(series: &Series, found: &[Distance]) -> String {
    let mut text = "pose,touches,lower,upper,a_x,a_y,a_z,b_x,b_y,b_z\n".to_owned();
    for (pose, distance) in found.iter().enumerate() {
        let Distance { lower, upper, on_a, on_b, .. } = *distance;
        let [a, b] = [on_a, on_b].map(|point| series.world_from_a(pose).apply(point));
        let touches = u8::from(lower == 0.0);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{pose},{touches},{lower},{upper},{},{},{},{},{},{}", a.x, a.y, a.z, b.x, b.y, b.z);
    }
    text
}
