//! Random configurations within limits, the same for the same seed on every machine.

use crate::joint::{Joint, JointKind};
use crate::robot::Robot;
use std::f64::consts::PI;

/// A source of random numbers: SplitMix64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The same numbers for the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Between two numbers, evenly.
    pub fn between(&mut self, lower: f64, upper: f64) -> f64 {
        let share = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        (lower + (upper - lower) * share).clamp(lower, upper)
    }
}

impl Robot {
    /// A configuration within the limits of all joints, evenly; also of those that follow others,
    /// where the joint they follow can meet them.
    ///
    /// Joints without limits, or with some beyond 1e6: angles from -π to π, places from -1 to 1 on
    /// each axis, rotations evenly.
    pub fn random_configuration(&self, random: &mut Random) -> Vec<f64> {
        let mut q = vec![0.0; self.coordinates()];
        for (index, joint) in self.tree.joints.iter().enumerate() {
            let Some(first) = joint.first_coordinate else { continue };
            let own = &mut q[first..first + joint.kind.coordinates()];
            match (joint.kind, own) {
                (JointKind::Floating, own) => floating(own, random),
                (JointKind::Planar, own) => {
                    own[0] = random.between(-1.0, 1.0);
                    own[1] = random.between(-1.0, 1.0);
                    own[2] = random.between(-PI, PI);
                }
                (_, own) => {
                    let (lower, upper) = self.range(index);
                    own[0] = random.between(lower, upper);
                }
            }
        }
        q
    }

    /// Limits of a joint of one coordinate, narrowed by those of joints that follow it; its own
    /// where they leave nothing.
    pub fn range(&self, joint: usize) -> (f64, f64) {
        let own = own_range(&self.tree.joints[joint]);
        let (mut lower, mut upper) = own;
        for follower in &self.tree.joints {
            let Some(mimic) = follower.mimic.filter(|mimic| mimic.joint == joint && mimic.multiplier != 0.0) else {
                continue;
            };
            let (least, most) = own_range(follower);
            let ends = [least, most].map(|end| (end - mimic.offset) / mimic.multiplier);
            lower = lower.max(ends[0].min(ends[1]));
            upper = upper.min(ends[0].max(ends[1]));
        }
        if lower <= upper { (lower, upper) } else { own }
    }
}

/// Limits wider than this mean none.
const WIDEST: f64 = 1e6;

fn own_range(joint: &Joint) -> (f64, f64) {
    let limits = joint.limits.filter(|limits| limits.lower >= -WIDEST && limits.upper <= WIDEST);
    match (joint.kind, limits) {
        (JointKind::Revolute | JointKind::Prismatic, Some(limits)) => (limits.lower, limits.upper),
        (JointKind::Prismatic, None) => (-1.0, 1.0),
        _ => (-PI, PI),
    }
}

/// A place, and a rotation by Shoemake's method.
fn floating(own: &mut [f64], random: &mut Random) {
    for value in &mut own[..3] {
        *value = random.between(-1.0, 1.0);
    }
    let share = random.between(0.0, 1.0);
    let (small, large) = ((1.0 - share).sqrt(), share.sqrt());
    let (first, second) = (random.between(-PI, PI), random.between(-PI, PI));
    own[3] = small * first.sin();
    own[4] = small * first.cos();
    own[5] = large * second.sin();
    own[6] = large * second.cos();
}
