//! The triangles of leaves whose balls meet: the last level of a refinement.

use super::{Refinement, Stage, posed};
use crate::anytime::sphere_pair::SpherePair;
use crate::mesh::Triangle;
use crate::primitive::distance::{Nearest, distance_within};
use crate::query::TrianglePair;
use crate::traverse::{Budget, Stats};
use crate::vector::length;
use glam::DVec3;

/// Within a pair of leaves: which triangles are near the other ball, and which two are next.
#[derive(Debug, Clone, Default)]
pub(super) struct Leaves {
    looked_a: usize,
    looked_b: usize,
    near_a: Vec<u32>,
    near_b: Vec<(u32, Triangle)>,
    at_a: usize,
    at_b: usize,
}

impl Refinement {
    /// The triangles of leaves that meet, pair by pair.
    pub(super) fn triangles(&mut self, pair: &SpherePair<'_>, budget: &Budget<'_>, spent: &mut Stats) -> bool {
        while self.at < self.fronts[self.level as usize].pairs.len() {
            if budget.is_spent(spent) {
                return false;
            }
            self.triangle_unit(pair, spent);
            if self.witness.is_some() {
                self.upper = 0.0;
                break;
            }
        }
        self.stage = Stage::Tested;
        true
    }

    fn triangle_unit(&mut self, pair: &SpherePair<'_>, spent: &mut Stats) {
        let (a, b) = self.fronts[self.level as usize].pairs[self.at];
        let (leaf_a, leaf_b) = (pair.ball_a(a), pair.ball_b(b));
        let (all_a, all_b) = (pair.a.triangles(leaf_a), pair.b.triangles(leaf_b));
        let one = |leaves: &Leaves| leaves.at_a < leaves.near_a.len() && leaves.at_b < leaves.near_b.len();
        if self.leaves.looked_a < all_a.len() {
            let index = all_a[self.leaves.looked_a];
            self.leaves.looked_a += 1;
            let gap = gap(&pair.pair.a().mesh().triangle(index), pair.pose().apply(leaf_b.center), leaf_b.radius)
                - pair.slack;
            self.count(Stats { volume_tests: 1, ..Stats::default() }, spent);
            if gap > 0.0 { self.lower = self.lower.min(gap) } else { self.leaves.near_a.push(index) }
        } else if self.leaves.looked_b < all_b.len() && !self.leaves.near_a.is_empty() {
            let index = all_b[self.leaves.looked_b];
            self.leaves.looked_b += 1;
            let triangle = posed(pair, index);
            let gap = gap(&triangle, leaf_a.center, leaf_a.radius) - pair.slack;
            self.count(Stats { volume_tests: 1, ..Stats::default() }, spent);
            if gap > 0.0 { self.lower = self.lower.min(gap) } else { self.leaves.near_b.push((index, triangle)) }
        } else if one(&self.leaves) {
            let (index_a, (index_b, triangle_b)) =
                (self.leaves.near_a[self.leaves.at_a], self.leaves.near_b[self.leaves.at_b]);
            let triangle_a = pair.pair.a().mesh().triangle(index_a);
            self.count(Stats { triangle_tests: 1, ..Stats::default() }, spent);
            if let Some(Nearest { distance, .. }) = distance_within(&triangle_a, &triangle_b, self.upper) {
                (self.upper, self.lower) = (distance, self.lower.min(distance));
                if distance == 0.0 {
                    self.witness = Some(TrianglePair { a: index_a, b: index_b });
                }
            }
            self.leaves.at_b += 1;
            if self.leaves.at_b == self.leaves.near_b.len() {
                (self.leaves.at_a, self.leaves.at_b) = (self.leaves.at_a + 1, 0);
            }
        } else {
            self.leaves.clear();
            self.at += 1;
        }
    }
}

impl Leaves {
    pub(super) fn clear(&mut self) {
        self.near_a.clear();
        self.near_b.clear();
        (self.looked_a, self.looked_b, self.at_a, self.at_b) = (0, 0, 0, 0);
    }
}

/// How far the ball around a triangle is from a ball, negative if they overlap.
fn gap([a, b, c]: &Triangle, center: DVec3, radius: f64) -> f64 {
    let middle = (*a + *b + *c) / 3.0;
    let reach = [a, b, c].map(|corner| length(middle - *corner)).into_iter().fold(0.0, f64::max);
    length(middle - center) - reach - radius
}
