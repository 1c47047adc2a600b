//! What happens when two ships meet: they bounce along the line of their centres, and energy and
//! momentum stay the same. Turning is left out, as in the paper.

use super::ship::Ship;
use glam::DVec3;

/// Bounces two ships that come nearer along `normal`, which points from the first to the second.
/// Returns whether they did.
pub fn bounce(first: &mut Ship, second: &mut Ship, normal: DVec3) -> bool {
    let Some(normal) = normal.try_normalize() else { return false };
    let closing = (first.velocity - second.velocity).dot(normal);
    let mobility = first.inverse_mass + second.inverse_mass;
    if closing <= 0.0 || mobility == 0.0 {
        return false;
    }
    // The relative velocity along the normal turns round; each takes its share by mass.
    let impulse = 2.0 * closing / mobility;
    first.velocity -= normal * (impulse * first.inverse_mass);
    second.velocity += normal * (impulse * second.inverse_mass);
    true
}
