//! The descent of two sphere-trees: from the pairs of balls that meet on one level to those of the
//! next.

use super::{Refinement, Stage};
use crate::anytime::sphere_pair::SpherePair;
use crate::anytime::sphere_tree::SphereTree;
use crate::traverse::{Budget, Stats};
use crate::vector::length;

/// The pairs of balls of a level.
#[derive(Debug, Clone)]
pub(super) struct Front {
    /// Those that meet.
    pub(super) pairs: Vec<(u32, u32)>,
    /// The least gap of what was left behind on the way to them from the level above.
    pub(super) gap: f64,
}

impl Default for Front {
    fn default() -> Self {
        Self { pairs: Vec::new(), gap: f64::INFINITY }
    }
}

impl Front {
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.gap = f64::INFINITY;
    }
}

/// Pairs that are looked at again in one unit of work.
const AGAIN: usize = 8;

/// Within a pair of balls: which of their children meet the other ball, and which of a's is next.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row {
    /// How many of the two are known.
    known: u8,
    children_a: u8,
    children_b: u8,
    next: u32,
}

impl Refinement {
    /// Do two balls meet? If not, their gap is left behind on the way to a level; if they do, the
    /// upper bound may fall.
    pub(super) fn meet(&mut self, pair: &SpherePair<'_>, balls: (u32, u32), level: usize) -> bool {
        let (a, b) = (pair.ball_a(balls.0), pair.ball_b(balls.1));
        let center_b = pair.pose().apply(b.center);
        let apart = length(a.center - center_b);
        let gap = apart - a.radius - b.radius - pair.slack;
        // Before it is left behind: the first pair must leave an upper bound.
        if gap <= 0.0 || self.upper == f64::INFINITY {
            let witnesses = length(a.witness - pair.pose().apply(b.witness));
            let spheres = (apart - a.radius - b.radius).max((a.radius - b.radius).abs() - apart).max(0.0);
            let bound = witnesses.min(a.error + spheres + b.error) + pair.slack;
            self.upper = self.upper.min(bound);
        }
        if gap > 0.0 {
            self.lower = self.lower.min(gap);
            self.fronts[level].gap = self.fronts[level].gap.min(gap);
        }
        gap <= 0.0
    }

    /// The pairs that met before b moved.
    pub(super) fn again(&mut self, pair: &SpherePair<'_>, budget: &Budget<'_>, spent: &mut Stats) -> bool {
        let level = self.level as usize;
        while self.at < self.fronts[level].pairs.len() {
            if budget.is_spent(spent) {
                return false;
            }
            let end = (self.at + AGAIN).min(self.fronts[level].pairs.len());
            self.count(Stats { volume_tests: (end - self.at) as u64, ..Stats::default() }, spent);
            for index in self.at..end {
                let balls = self.fronts[level].pairs[index];
                if self.meet(pair, balls, level) {
                    self.fronts[level].pairs[self.kept] = balls;
                    self.kept += 1;
                }
            }
            self.at = end;
        }
        self.fronts[level].pairs.truncate(self.kept);
        self.at = 0;
        self.stage = if self.kept == 0 { Stage::Done } else { Stage::Balls };
        true
    }

    /// The next level's pairs.
    pub(super) fn balls(&mut self, pair: &SpherePair<'_>, budget: &Budget<'_>, spent: &mut Stats) -> bool {
        if self.level == pair.deepest() {
            self.stage = Stage::Triangles;
            self.at = 0;
            return true;
        }
        let level = self.level as usize;
        if self.fronts.len() == level + 1 {
            self.fronts.push(Front::default());
        }
        while self.at < self.fronts[level].pairs.len() {
            if budget.is_spent(spent) {
                return false;
            }
            self.unit(pair, spent);
        }
        // The balls of level 1 are all looked at, and cover everything.
        self.loose |= self.level > 0 && !pair.are_exact();
        self.at = 0;
        self.level += 1;
        if self.fronts[level + 1].pairs.is_empty() {
            self.stage = Stage::Done;
        }
        true
    }

    /// One of: a's children against b's ball, b's children against a's ball, one child of a against
    /// b's children.
    fn unit(&mut self, pair: &SpherePair<'_>, spent: &mut Stats) {
        let below = self.level as usize + 1;
        let (a, b) = self.fronts[below - 1].pairs[self.at];
        let (first_a, count_a) = children(pair.a, a);
        let (first_b, count_b) = children(pair.b, b);
        if self.row.known == 0 {
            let mut mask = 0;
            for child in 0..count_a {
                mask |= u8::from(self.meet(pair, (first_a + child, b), below)) << child;
            }
            self.count(Stats { volume_tests: count_a.into(), ..Stats::default() }, spent);
            self.row = Row { known: 1, children_a: mask, children_b: 0, next: 0 };
            return;
        }
        if self.row.known == 1 && self.row.children_a != 0 {
            let mut mask = 0;
            for child in 0..count_b {
                mask |= u8::from(self.meet(pair, (a, first_b + child), below)) << child;
            }
            self.count(Stats { volume_tests: count_b.into(), ..Stats::default() }, spent);
            let children_a = if mask == 0 { 0 } else { self.row.children_a };
            self.row = Row { known: 2, children_a, children_b: mask, next: 0 };
            return;
        }
        let Row { children_a, children_b, next, .. } = self.row;
        // A unit is over after one child of a that has something to do.
        let child_a = (next..count_a).find(|child| children_a >> child & 1 == 1);
        let Some(child_a) = child_a else {
            self.row = Row::default();
            self.at += 1;
            return;
        };
        for child_b in (0..count_b).filter(|child| children_b >> child & 1 == 1) {
            let both = (first_a + child_a, first_b + child_b);
            if self.meet(pair, both, below) {
                self.fronts[below].pairs.push(both);
            }
        }
        self.count(Stats { volume_tests: children_b.count_ones().into(), ..Stats::default() }, spent);
        self.row.next = child_a + 1;
    }
}

/// The first child and how many; where a tree ends before the other, a leaf stands for its only
/// child.
fn children(tree: &SphereTree, index: u32) -> (u32, u32) {
    let children = &tree.spheres()[index as usize].children;
    if children.is_empty() { (index, 1) } else { (children.start, children.end - children.start) }
}

/// How far a point of one surface is from one of the other: the bodies are no farther apart.
pub(super) fn witnesses_apart(pair: &SpherePair<'_>) -> f64 {
    length(pair.ball_a(0).witness - pair.pose().apply(pair.ball_b(0).witness)) + pair.slack
}
