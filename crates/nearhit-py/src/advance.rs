//! Time of impact of two placed bodies of any kind, by conservative advancement: the shapes are
//! some distance apart and no point is faster than some speed, so that for a while they cannot
//! touch. Time advances by that, as often as it takes; it never jumps over a contact.

use crate::errors::{PoseError, QueryError, of_query};
use crate::placed::Placed;
use crate::poses::{Body, pose};
use crate::query::with_scratch;
use glam::DQuat;
use nearhit::scene::Motion;
use nearhit::shape::ShapePair;
use nearhit::{Pose, Scratch, Settings, Tolerance};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(placed_first_contact, module)?)
}

/// Steps of one question, at most.
const MOST_ADVANCES: usize = 100_000;

/// A body on its way.
struct Moving<'p> {
    placed: &'p Placed,
    motion: Motion,
    end: Pose,
}

impl Moving<'_> {
    /// How far it turns, in radians.
    fn angle(&self) -> f64 {
        let turn = DQuat::from_mat3(&(self.end.rotation() * self.placed.pose.rotation().transpose()));
        2.0 * turn.xyz().length().atan2(turn.w.abs())
    }

    /// No point is faster than this relative to the drifting origin of its frame. Motions turn
    /// about that origin, or, of a screw, about an axis that is at most half the way and its
    /// cotangent off.
    fn turning_speed(&self, screw: bool) -> PyResult<f64> {
        let angle = self.angle();
        if angle == 0.0 {
            return Ok(0.0);
        }
        let Some(reach) = self.placed.reach() else {
            return Err(QueryError::new_err("a half-space or plane that turns reaches everywhere at once"));
        };
        let way = (self.end.translation() - self.placed.pose.translation()).length();
        let axis = if screw && angle >= 1e-6 { 0.5 * way * (1.0 + 1.0 / (0.5 * angle).tan().abs()) } else { 0.0 };
        Ok(angle * (reach + axis))
    }
}

/// `(time, touching)`: there is no contact before that time, from 0 to 1; at that time the two are
/// within `tolerance` times the fastest point's way. `touching` is None if it took too many steps.
/// They end where the poses say, turning the shorter way round; as a `screw` about and along one
/// axis.
#[pyfunction]
fn placed_first_contact(
    py: Python<'_>,
    a: &Placed,
    end_a: &Bound<'_, PyAny>,
    b: &Placed,
    end_b: &Bound<'_, PyAny>,
    tolerance: f64,
    screw: bool,
) -> PyResult<(f64, Option<bool>)> {
    if !(tolerance > 0.0 && tolerance.is_finite()) {
        return Err(PyValueError::new_err(format!("the tolerance must be more than 0, not {tolerance}")));
    }
    let moving = |placed, end: Pose| {
        let of = if screw { Motion::screw } else { Motion::linear };
        Moving { placed, motion: of(placed.pose, end), end }
    };
    let (a, b) = (moving(a, pose(Some(end_a), Body::A)?), moving(b, pose(Some(end_b), Body::B)?));
    let drift = |body: &Moving<'_>| body.end.translation() - body.placed.pose.translation();
    // Of a screw the drift is along the axis alone, and the rest is turning: never more than both.
    let drifting = if screw { drift(&a).length() + drift(&b).length() } else { (drift(&b) - drift(&a)).length() };
    let speed = (drifting + a.turning_speed(screw)? + b.turning_speed(screw)?) * (1.0 + 1e-9);
    py.detach(|| with_scratch(|scratch| advance(&a, &b, speed, tolerance, scratch)))
}

fn advance(
    a: &Moving<'_>,
    b: &Moving<'_>,
    speed: f64,
    tolerance: f64,
    scratch: &mut Scratch,
) -> PyResult<(f64, Option<bool>)> {
    let mut time = 0.0;
    let at = |body: &Moving<'_>, time: f64| {
        body.motion.pose(time).map_err(|error| PoseError::new_err(format!("at time {time}: {error}")))
    };
    for _ in 0..MOST_ADVANCES {
        let (at_a, at_b) = (at(a, time)?, at(b, time)?);
        let pair = ShapePair::new(&a.placed.shape, &at_a, &b.placed.shape, &at_b).map_err(of_query)?;
        let found = pair.distance(Tolerance::relative(0.05), &Settings::default(), scratch);
        if found.upper <= tolerance * speed {
            return Ok((time, Some(true)));
        }
        let size = at_a.translation().abs().max_element() + at_b.translation().abs().max_element();
        let reach = [a, b].map(|body| body.placed.reach().unwrap_or(0.0));
        // What rounding of the poses may hide.
        let safe = found.lower - 256.0 * f64::EPSILON * (size + reach[0] + reach[1]);
        let next = if speed > 0.0 { time + (safe / speed).max(0.0) * (1.0 - 1e-12) } else { 1.0 };
        if safe > 0.0 && next >= 1.0 {
            return Ok((1.0, Some(false)));
        }
        if next <= time {
            break;
        }
        time = next;
    }
    Ok((time, None))
}
