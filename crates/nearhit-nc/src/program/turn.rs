//! Moves of rotary axes: all axes in step, from one set of angles to another.

use super::ToolPath;
use crate::machine::{Carries, Machine};
use glam::DVec3;
use std::sync::Arc;

/// The way of the tip while rotary axes turn evenly, as seen from the workpiece.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    machine: Arc<Machine>,
    /// The tip: of the workpiece if it is controlled (G43.4), else of the machine's frame.
    from: DVec3,
    to: DVec3,
    /// In degrees.
    from_angles: Vec<f64>,
    to_angles: Vec<f64>,
    follows_tip: bool,
}

/// Both ends of a move.
#[derive(Debug)]
pub(super) struct Ends<'e> {
    pub(super) from: DVec3,
    pub(super) to: DVec3,
    pub(super) from_angles: &'e [f64],
    pub(super) to_angles: &'e [f64],
    /// Is the tip controlled (G43.4)?
    pub(super) follows_tip: bool,
}

impl Ends<'_> {
    /// What the machine makes of them. Without a turn it is straight, and exact.
    pub(super) fn path(&self, machine: &Arc<Machine>) -> ToolPath {
        let Self { from, to, from_angles, to_angles, follows_tip } = *self;
        if from_angles != to_angles {
            return ToolPath::Turn(Box::new(Turn {
                machine: machine.clone(),
                from,
                to,
                from_angles: from_angles.to_vec(),
                to_angles: to_angles.to_vec(),
                follows_tip,
            }));
        }
        let seen = |point: DVec3| if follows_tip { point } else { machine.work_from_machine(point, to_angles) };
        let (from, to, axis) = (seen(from), seen(to), machine.tool_axis(to_angles));
        if axis == DVec3::Z {
            ToolPath::Line { from, to }
        } else {
            ToolPath::Tilt { from, to, from_axis: axis, to_axis: axis }
        }
    }
}

impl Turn {
    fn angles(&self, t: f64) -> Vec<f64> {
        let mix = |(&from, &to): (&f64, &f64)| if t == 1.0 { to } else { from + t * (to - from) };
        self.from_angles.iter().zip(&self.to_angles).map(mix).collect()
    }

    /// Where the tip is at a share of the move.
    #[must_use]
    pub fn tip(&self, t: f64) -> DVec3 {
        let at = if t == 1.0 { self.to } else { self.from + t * (self.to - self.from) };
        if self.follows_tip { at } else { self.machine.work_from_machine(at, &self.angles(t)) }
    }

    /// The direction from the tip to the spindle at a share of the move.
    #[must_use]
    pub fn axis(&self, t: f64) -> DVec3 {
        self.machine.tool_axis(&self.angles(t)).normalize_or(DVec3::Z)
    }

    /// The angle that the tool's axis turns by is at most this: all axes in a row.
    pub(crate) fn turn(&self) -> f64 {
        let rates = self.from_angles.iter().zip(&self.to_angles).map(|(from, to)| (to - from).abs().to_radians());
        rates.sum::<f64>() * (1.0 + 1e-12)
    }

    /// Bounds of how fast the tip is and how it is accelerated, a whole move being one unit of
    /// time; and of all numbers that it is made of.
    ///
    /// A table that turns a point at speed `v` and acceleration `a` by the rate `w`, no farther
    /// than `r` from its axis, adds `w r` to its speed, and `2 w v + w² r` to its acceleration.
    pub(crate) fn bounds(&self) -> [f64; 3] {
        let (mut speed, mut acceleration) = ((self.to - self.from).length(), 0.0);
        let mut size = self.from.abs().max(self.to.abs()).max_element();
        if self.follows_tip {
            return [speed, acceleration, size];
        }
        // Of what is turned next: a point that it is near, and how near.
        let (mut middle, mut reach) = (0.5 * (self.from + self.to), 0.5 * speed);
        for (index, axis) in self.machine.axes().iter().enumerate().filter(|(_, axis)| axis.on == Carries::Table) {
            let rate = (self.to_angles[index] - self.from_angles[index]).abs().to_radians();
            reach += (middle - axis.point).length();
            middle = axis.point;
            acceleration += rate * (2.0 * speed + rate * reach);
            speed += rate * reach;
            size = size.max(axis.point.abs().max_element()) + reach;
        }
        [speed, acceleration, size].map(|bound| bound * (1.0 + 1e-12))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No tip leaves its chord by more than the bound, or is faster; and some nearly do.
    #[test]
    fn bounds_are_bounds() {
        let table = |letter: &str, direction: &str, point: &str| {
            format!(r#"{{"letter": "{letter}", "on": "table", "direction": {direction}, "point": {point}}}"#)
        };
        let (a, c) = (table("A", "[1, 0, 0]", "[0, 0, -40]"), table("C", "[0, 0, 1]", "[5, 8, 0]"));
        let machines = [format!(r#"{{"axes": [{c}]}}"#), format!(r#"{{"axes": [{a}, {c}]}}"#)];
        let mut tightest = [0.0_f64; 2];
        for machine in machines {
            let machine = Arc::new(Machine::parse(&machine, "machine.json").expect("legal"));
            let count = machine.axes().len();
            for (from, to) in [([30.0, 0.0, 0.0], [30.0, 0.0, 0.0]), ([1.0, -20.0, 5.0], [-9.0, 2.0, 3.0])] {
                let angles = [[0.0; 2], [90.0, -70.0], [-30.0, 110.0]];
                for (first, last) in [(angles[0], angles[1]), (angles[1], angles[2]), (angles[0], angles[2])] {
                    let ends = Ends {
                        from: from.into(),
                        to: to.into(),
                        from_angles: &first[..count],
                        to_angles: &last[..count],
                        follows_tip: false,
                    };
                    let ToolPath::Turn(turn) = ends.path(&machine) else { panic!("it turns") };
                    let [speed, acceleration, _] = turn.bounds();
                    for (step, share) in (0..20).flat_map(|step| [0.01, 0.1, 0.4].map(|share| (step, share))) {
                        let t = f64::from(step) / 20.0 * (1.0 - share);
                        let (p, q) = (turn.tip(t), turn.tip(t + share));
                        let off = (turn.tip(t + 0.5 * share) - p.lerp(q, 0.5)).length();
                        let bounds = [(off, acceleration * share * share / 8.0), ((q - p).length(), speed * share)];
                        for (tight, (found, bound)) in tightest.iter_mut().zip(bounds) {
                            assert!(found <= bound + 1e-12, "{found} {bound}");
                            *tight = tight.max(found / bound);
                        }
                    }
                }
            }
        }
        assert!(tightest.iter().all(|&tight| tight > 0.9), "{tightest:?}");
    }
}
