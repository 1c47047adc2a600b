//! The allowed-collision matrix (ACM): which pairs of links are not checked, and why.

use crate::joint::JointKind;
use crate::robot::Robot;
use std::collections::BTreeMap;

/// Why a pair of links is not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Allowed {
    /// No joint between them moves.
    Rigid,
    /// One joint between them moves: they touch there.
    Adjacent,
    /// The SRDF says so, for this reason.
    Srdf(String),
    /// It was asked for.
    Hand,
}

/// The allowed collision matrix: pairs of links that may touch.
#[doc(alias = "ACM")]
#[doc(alias = "allowed collision matrix")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedCollisions {
    /// By links, the lower first.
    pairs: BTreeMap<[usize; 2], Allowed>,
}

impl AllowedCollisions {
    /// Those of a robot: rigid and adjacent links, and what its SRDF says.
    #[must_use]
    pub fn of(robot: &Robot) -> Self {
        let mut allowed = Self::default();
        let part = rigid_parts(robot);
        let count = robot.links().len();
        let mut neighbours: BTreeMap<[usize; 2], ()> = BTreeMap::new();
        for joint in robot.joints().iter().filter(|joint| joint.kind != JointKind::Fixed) {
            neighbours.insert(ordered(part[joint.parent], part[joint.child]), ());
        }
        for a in 0..count {
            for b in a + 1..count {
                if part[a] == part[b] {
                    allowed.pairs.insert([a, b], Allowed::Rigid);
                } else if neighbours.contains_key(&ordered(part[a], part[b])) {
                    allowed.pairs.insert([a, b], Allowed::Adjacent);
                }
            }
        }
        for pair in &robot.semantics().disabled {
            if pair.links[0] != pair.links[1] {
                allowed.pairs.entry(pair.links).or_insert_with(|| Allowed::Srdf(pair.reason.clone()));
            }
        }
        allowed
    }

    /// Why two links may touch; none if they may not.
    #[must_use]
    pub fn reason(&self, a: usize, b: usize) -> Option<&Allowed> {
        self.pairs.get(&ordered(a, b))
    }

    /// Two links may touch.
    pub fn allow(&mut self, a: usize, b: usize) {
        self.pairs.insert(ordered(a, b), Allowed::Hand);
    }

    /// Two links may not touch, whatever was said before.
    pub fn check(&mut self, a: usize, b: usize) {
        self.pairs.remove(&ordered(a, b));
    }

    /// All pairs that may touch, by their links, the lower first.
    pub fn iter(&self) -> impl Iterator<Item = ([usize; 2], &Allowed)> {
        self.pairs.iter().map(|(&pair, reason)| (pair, reason))
    }
}

fn ordered(a: usize, b: usize) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// For each link the lowest link on the way to the root that no moving joint comes between.
fn rigid_parts(robot: &Robot) -> Vec<usize> {
    let mut part: Vec<usize> = (0..robot.links().len()).collect();
    for &index in &robot.tree.order {
        let joint = &robot.joints()[index];
        if joint.kind == JointKind::Fixed {
            part[joint.child] = part[joint.parent];
        }
    }
    part
}
