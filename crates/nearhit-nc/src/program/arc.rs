//! Arcs, helices and spirals of G2 and G3.

use crate::error::Problem;
use glam::DVec3;
use std::f64::consts::TAU;

/// A circular arc whose radius and height may change evenly on the way: a helix, or what a control
/// makes of an arc whose end was rounded.
#[derive(Debug, Clone, PartialEq)]
pub struct Arc {
    /// Of the circle, at the height of the start.
    pub center: DVec3,
    /// Directions in the plane: at angle 0 and at a quarter turn.
    pub plane: [DVec3; 2],
    /// Angle at the start, in radians.
    pub start: f64,
    /// Signed angle of the whole move.
    pub turn: f64,
    /// Radius at the start and at the end.
    pub radius: [f64; 2],
    /// What is moved at right angles to the plane.
    pub rise: DVec3,
    /// Direction from the tip to the spindle, of length one.
    pub axis: DVec3,
}

impl Arc {
    /// The place at a share of the move.
    #[must_use]
    pub fn at(&self, t: f64) -> DVec3 {
        let radius = self.radius[0] + t * (self.radius[1] - self.radius[0]);
        let (sin, cos) = (self.start + t * self.turn).sin_cos();
        self.center + radius * (cos * self.plane[0] + sin * self.plane[1]) + t * self.rise
    }

    /// No point of the arc between two shares is farther than this from the straight line between
    /// their places, each at its own share: the largest acceleration times the squared share, over
    /// 8.
    #[must_use]
    pub fn deviation(&self, share: f64) -> f64 {
        let radius = self.radius[0].max(self.radius[1]);
        let change = (self.radius[1] - self.radius[0]).abs();
        let acceleration = radius * self.turn * self.turn + 2.0 * change * self.turn.abs();
        acceleration * share * share / 8.0 * (1.0 + 1e-12)
    }

    /// Not shorter than the way.
    #[must_use]
    pub fn length_bound(&self) -> f64 {
        let radius = self.radius[0].max(self.radius[1]);
        (radius * self.turn.abs()) + (self.radius[1] - self.radius[0]).abs() + self.rise.length()
    }
}

/// What the words of an arc say. All in millimetres.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArcWords {
    pub(super) from: DVec3,
    pub(super) to: DVec3,
    /// Indices of the axes: first and second of the plane, and the one at right angles.
    pub(super) axes: [usize; 3],
    pub(super) clockwise: bool,
    pub(super) how: ArcCenter,
    /// Whole turns and the last one: 1 unless said otherwise.
    pub(super) turns: u32,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum ArcCenter {
    /// A place, along the plane's axes.
    At([f64; 2]),
    /// A radius, below zero for the longer way round.
    Radius(f64),
}

impl ArcWords {
    pub(super) fn arc(&self) -> Result<Arc, Problem> {
        let [first, second, across] = self.axes;
        let flat = |point: DVec3| [point[first], point[second]];
        let (from, to) = (flat(self.from), flat(self.to));
        let center = match self.how {
            ArcCenter::At(center) => center,
            ArcCenter::Radius(radius) => center_of(from, to, radius, self.clockwise)?,
        };
        let arm = |point: [f64; 2]| [point[0] - center[0], point[1] - center[1]];
        let (arm_from, arm_to) = (arm(from), arm(to));
        let radius = [arm_from, arm_to].map(|[x, y]| x.hypot(y));
        check(radius)?;
        let [start, end] = [arm_from, arm_to].map(|[x, y]| y.atan2(x));
        let mut turn = if self.clockwise { start - end } else { end - start };
        // The same place again is a whole circle.
        if from == to {
            turn = TAU;
        } else if turn <= 0.0 {
            turn += TAU;
        }
        turn += TAU * f64::from(self.turns.saturating_sub(1));
        let mut middle = self.from;
        (middle[first], middle[second]) = (center[0], center[1]);
        let mut rise = DVec3::ZERO;
        rise[across] = self.to[across] - self.from[across];
        let plane = [DVec3::AXES[first], DVec3::AXES[second]];
        let turn = if self.clockwise { -turn } else { turn };
        Ok(Arc { center: middle, plane, start, turn, radius, rise, axis: DVec3::Z })
    }
}

/// As LinuxCNC: half a millimetre is never rounding, and what exceeds 0.005 mm must be less than a
/// thousandth of the radius.
fn check([start, end]: [f64; 2]) -> Result<(), Problem> {
    let off = (start - end).abs();
    if off > 0.5 || (off > 0.005 && off > 0.001 * start) || !(start > 0.0 && end > 0.0) {
        return Err(Problem::BadArc { start, end, off });
    }
    Ok(())
}

fn center_of(from: [f64; 2], to: [f64; 2], radius: f64, clockwise: bool) -> Result<[f64; 2], Problem> {
    let chord = [to[0] - from[0], to[1] - from[1]];
    let length = chord[0].hypot(chord[1]);
    let half = 0.5 * length;
    if length == 0.0 {
        return Err(Problem::Needs("I, J or K: an arc given by R must end elsewhere than it starts"));
    }
    let off = half - radius.abs();
    if off > 0.005 && off > 0.001 * half {
        return Err(Problem::ShortRadius { radius: radius.abs(), half });
    }
    let height = (radius * radius - half * half).max(0.0).sqrt();
    // To the left of the way for the short way round against the clock.
    let side = if clockwise == (radius > 0.0) { -height } else { height };
    let normal = [-chord[1] / length, chord[0] / length];
    Ok([0, 1].map(|axis| 0.5 * (from[axis] + to[axis]) + side * normal[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(from: [f64; 3], to: [f64; 3], clockwise: bool, how: ArcCenter) -> ArcWords {
        ArcWords { from: from.into(), to: to.into(), axes: [0, 1, 2], clockwise, how, turns: 1 }
    }

    #[test]
    fn arcs_begin_and_end_where_they_should() {
        for clockwise in [false, true] {
            for radius in [5.0, -5.0, 3.0, -30.0] {
                let arc = words([1.0, 2.0, 0.0], [4.0, 6.0, -1.0], clockwise, ArcCenter::Radius(radius));
                let arc = arc.arc().expect("long enough");
                assert!((arc.at(0.0) - DVec3::new(1.0, 2.0, 0.0)).length() < 1e-12);
                assert!((arc.at(1.0) - DVec3::new(4.0, 6.0, -1.0)).length() < 1e-12);
                assert_eq!(arc.turn < 0.0, clockwise);
                assert_eq!(arc.turn.abs() > std::f64::consts::PI, radius < 0.0, "{arc:?}");
                assert!((arc.radius[0] - radius.abs()).abs() < 1e-12);
            }
        }
        let quarter = words([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], false, ArcCenter::At([0.0, 0.0])).arc().expect("legal");
        assert!((quarter.at(0.5) - DVec3::new(0.5_f64.sqrt(), 0.5_f64.sqrt(), 0.0)).length() < 1e-15);
        let whole = words([1.0, 0.0, 0.0], [1.0, 0.0, 0.0], true, ArcCenter::At([0.0, 0.0])).arc().expect("legal");
        assert_eq!(whole.turn, -TAU);
    }

    /// No point of the arc leaves the chord by more than the bound, and some nearly do.
    #[test]
    fn the_deviation_is_a_bound() {
        let mut tightest = 0.0_f64;
        for (end, height) in [([0.0, 2.0, 0.0], 0.0), ([-2.0, 0.001, 3.0], 3.0), ([1.4, -1.4, 1.0], 1.0)] {
            let arc = words([2.0, 0.0, 0.0], end, false, ArcCenter::At([0.0, 0.0]));
            let arc = ArcWords { turns: if height == 1.0 { 3 } else { 1 }, ..arc };
            let Ok(arc) = arc.arc() else { continue };
            for share in [0.01, 0.1, 0.3] {
                for step in 0..20 {
                    let t = step as f64 / 20.0 * (1.0 - share);
                    let (p, q) = (arc.at(t), arc.at(t + share));
                    for inner in 0..=20 {
                        let s = inner as f64 / 20.0;
                        let off = (arc.at(t + s * share) - p.lerp(q, s)).length();
                        assert!(off <= arc.deviation(share) + 1e-12, "{off} {}", arc.deviation(share));
                        tightest = tightest.max(off / arc.deviation(share));
                    }
                }
            }
        }
        assert!(tightest > 0.9, "{tightest}");
    }

    #[test]
    fn arcs_that_are_none_are_refused() {
        let off = words([1.0, 0.0, 0.0], [0.0, 2.0, 0.0], false, ArcCenter::At([0.0, 0.0]));
        assert!(matches!(off.arc(), Err(Problem::BadArc { .. })));
        let short = words([0.0, 0.0, 0.0], [10.0, 0.0, 0.0], false, ArcCenter::Radius(4.0));
        assert!(matches!(short.arc(), Err(Problem::ShortRadius { .. })));
        let nowhere = words([0.0, 0.0, 0.0], [0.0, 0.0, 5.0], false, ArcCenter::Radius(4.0));
        assert!(nowhere.arc().is_err());
        let rounded =
            words([1.0, 0.0, 0.0], [0.0, 1.0005, 0.0], false, ArcCenter::At([0.0, 0.0])).arc().expect("rounded");
        assert!((rounded.at(1.0) - DVec3::new(0.0, 1.0005, 0.0)).length() < 1e-12, "the end is the end");
    }
}
