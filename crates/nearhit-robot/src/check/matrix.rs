//! The allowed collision matrix (ACM): which pairs of links are not checked, and why.

use crate::joint::JointKind;
use crate::robot::Robot;
use std::collections::{BTreeMap, BTreeSet};

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
    /// Of each link of a robot, the rigid part that it is of. Pairs within a part and of
    /// neighbouring parts are not listed: there are as many as the square of the links.
    part: Vec<usize>,
    /// Parts that one joint is between, the lower first.
    neighbours: BTreeSet<[usize; 2]>,
    /// What was said of a pair by its links, the lower first, before what the parts say; none: it
    /// is checked.
    said: BTreeMap<[usize; 2], Option<Allowed>>,
}

impl AllowedCollisions {
    /// Those of a robot: rigid and adjacent links, and what its SRDF says.
    #[must_use]
    pub fn of(robot: &Robot) -> Self {
        let part = rigid_parts(robot);
        let moving = robot.joints().iter().filter(|joint| joint.kind != JointKind::Fixed);
        let neighbours = moving.map(|joint| ordered(part[joint.parent], part[joint.child])).collect();
        let mut allowed = Self { part, neighbours, said: BTreeMap::new() };
        for pair in &robot.semantics().disabled {
            let [a, b] = pair.links;
            if a != b && allowed.by_parts(a, b).is_none() {
                allowed.said.entry(ordered(a, b)).or_insert_with(|| Some(Allowed::Srdf(pair.reason.clone())));
            }
        }
        allowed
    }

    /// Why two links may touch; none if they may not.
    #[must_use]
    pub fn reason(&self, a: usize, b: usize) -> Option<&Allowed> {
        match self.said.get(&ordered(a, b)) {
            Some(said) => said.as_ref(),
            None => self.by_parts(a, b),
        }
    }

    fn by_parts(&self, a: usize, b: usize) -> Option<&'static Allowed> {
        let (&one, &other) = (self.part.get(a)?, self.part.get(b)?);
        if a == b {
            None
        } else if one == other {
            Some(&Allowed::Rigid)
        } else {
            self.neighbours.contains(&ordered(one, other)).then_some(&Allowed::Adjacent)
        }
    }

    /// Two links may touch.
    pub fn allow(&mut self, a: usize, b: usize) {
        self.said.insert(ordered(a, b), Some(Allowed::Hand));
    }

    /// Two links may not touch, whatever was said before.
    pub fn check(&mut self, a: usize, b: usize) {
        let is_by_parts = self.by_parts(a, b).is_some();
        self.said.remove(&ordered(a, b));
        if is_by_parts {
            self.said.insert(ordered(a, b), None);
        }
    }

    /// All pairs that may touch, by their links, the lower first.
    pub fn iter(&self) -> impl Iterator<Item = ([usize; 2], &Allowed)> {
        let count = self.part.len();
        let parts = (0..count).flat_map(move |a| (a + 1..count).map(move |b| [a, b]));
        let by_parts = parts.filter_map(|[a, b]| Some(([a, b], self.by_parts(a, b)?)));
        let mut by_parts = by_parts.filter(|(pair, _)| !self.said.contains_key(pair)).peekable();
        let said = self.said.iter().filter_map(|(&pair, reason)| Some((pair, reason.as_ref()?)));
        let mut said = said.peekable();
        // Both are in order.
        std::iter::from_fn(move || match (by_parts.peek(), said.peek()) {
            (Some((one, _)), Some((other, _))) if other < one => said.next(),
            (Some(_), _) => by_parts.next(),
            (None, _) => said.next(),
        })
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
