//! How a ship moves: forward thrust, a rate of turning, drag; solved by the second-order
//! Runge–Kutta method with adaptive step (Press et al.).

use glam::{DQuat, DVec3};
use nearhit::{Pose, PoseError};
use nearhit_datasets::rng::Rng;

const MAX_THRUST: f64 = 2.0;
const DRAG: f64 = 0.3;
/// By which the room pulls back what has left it.
const PULL: f64 = 2.0;
/// Thrust, drag at the top speed that thrust and pull allow, and pull.
pub const MAX_ACCELERATION: f64 = MAX_THRUST + DRAG * (MAX_THRUST + PULL) / DRAG + PULL;
/// The largest error of a step in position or velocity.
const TOLERANCE: f64 = 1e-4;

/// What a pilot does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Controls {
    /// Acceleration along the ship's own z axis.
    pub thrust: f64,
    /// Angular velocity, in the world.
    pub turning: DVec3,
}

impl Controls {
    /// Hands off.
    pub const NONE: Self = Self { thrust: 0.0, turning: DVec3::ZERO };

    /// The steered ship's, at a time: to and fro through the middle.
    #[must_use]
    pub fn scripted(time: f64) -> Self {
        let turning = DVec3::new((0.7 * time).sin(), 0.9 * (0.31 * time).cos(), 0.4 * (0.53 * time).sin());
        Self { thrust: MAX_THRUST * (0.6 + 0.4 * (0.45 * time).sin()), turning }
    }
}

/// How fast a hand turns its ship, in radians a unit of time.
const MAX_TURNING: f64 = 1.5;

/// A hand at the keys; each from -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Steering {
    /// Forward, along the ship's own z axis.
    pub thrust: f64,
    /// About its own x, y and z axes.
    pub turning: DVec3,
}

impl Steering {
    /// What it does to a ship with this heading.
    #[must_use]
    pub fn controls(&self, heading: DQuat) -> Controls {
        let turning = self.turning.clamp(DVec3::NEG_ONE, DVec3::ONE);
        Controls { thrust: MAX_THRUST * self.thrust.clamp(-1.0, 1.0), turning: heading * turning * MAX_TURNING }
    }
}

/// A ship.
#[derive(Debug, Clone, PartialEq)]
pub struct Ship {
    /// Of its origin.
    pub position: DVec3,
    /// Of its origin.
    pub velocity: DVec3,
    /// World from ship.
    pub heading: DQuat,
    /// What its pilot does now.
    pub controls: Controls,
    /// 0 for infinite mass.
    pub inverse_mass: f64,
    /// Until the pilot chooses anew.
    patience: f64,
}

/// Position, velocity and heading; and how they change.
type State = (DVec3, DVec3, DQuat);

impl Ship {
    /// The user's: nothing moves it but itself.
    #[must_use]
    pub fn steered() -> Self {
        let controls = Controls::scripted(0.0);
        let (position, velocity, heading) = (DVec3::ZERO, DVec3::ZERO, DQuat::IDENTITY);
        Self { position, velocity, heading, controls, inverse_mass: 0.0, patience: f64::INFINITY }
    }

    /// Somewhere within `room` of the middle, with controls by chance.
    #[must_use]
    pub fn drone(rng: &mut Rng, room: f64) -> Self {
        let position = DVec3::from_array(rng.unit_vector()) * room * rng.range(0.4, 1.0);
        let heading = DQuat::from_array(rng.quaternion());
        let velocity = DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 1.0);
        let controls = Controls::NONE;
        Self { position, velocity, heading, controls, inverse_mass: 1.0, patience: 0.0 }
    }

    /// A drone's pilot chooses anew every few seconds.
    pub fn choose(&mut self, rng: &mut Rng, step: f64) {
        self.patience -= step;
        if self.patience <= 0.0 {
            self.patience = rng.range(1.0, 4.0);
            let turning = DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 1.5);
            self.controls = Controls { thrust: rng.range(0.0, MAX_THRUST), turning };
        }
    }

    /// Where it is.
    pub fn pose(&self) -> Result<Pose, PoseError> {
        Pose::from_quaternion(self.heading.to_array(), self.position.to_array())
    }

    /// Flies for a time, in steps as long as the tolerance allows.
    pub fn fly(&mut self, time: f64, room: f64) {
        let (mut left, mut step) = (time, time);
        while left > 0.0 {
            step = step.min(left);
            let state = (self.position, self.velocity, self.heading);
            let first = self.change(&state, room);
            let euler = moved(&state, &first, step);
            let second = self.change(&euler, room);
            // Heun's method; its difference from Euler's step is the error of the latter.
            let error = 0.5 * step * (second.0 - first.0).length().max((second.1 - first.1).length());
            if error > TOLERANCE && step > 1e-4 {
                step *= 0.5;
                continue;
            }
            let mean = ((first.0 + second.0) * 0.5, (first.1 + second.1) * 0.5, (first.2 + second.2) * 0.5);
            let (position, velocity, heading) = moved(&state, &mean, step);
            (self.position, self.velocity, self.heading) = (position, velocity, heading.normalize());
            left -= step;
            if error < 0.25 * TOLERANCE {
                step *= 2.0;
            }
        }
    }

    fn change(&self, (position, velocity, heading): &State, room: f64) -> State {
        let forward = *heading * DVec3::Z;
        let distance = position.length();
        let pull = if distance > room { -*position / distance * PULL } else { DVec3::ZERO };
        let drag = if room.is_finite() { *velocity * -DRAG } else { DVec3::ZERO };
        let turning = DQuat::from_xyzw(self.controls.turning.x, self.controls.turning.y, self.controls.turning.z, 0.0);
        (*velocity, forward * self.controls.thrust + pull + drag, turning * *heading * 0.5)
    }
}

fn moved(state: &State, change: &State, step: f64) -> State {
    (state.0 + change.0 * step, state.1 + change.1 * step, state.2 + change.2 * step)
}
