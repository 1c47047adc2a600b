//! Two placed models with their sphere-trees: where the balls are, and how far they have moved.

use super::sphere_tree::{SphereTree, TreeSphere};
use crate::pose::Pose;
use crate::primitive::distance::error_bound;
use crate::query::Pair;
use crate::vector::length;

/// Two placed models and their sphere-trees.
#[derive(Debug, Clone, Copy)]
pub struct SpherePair<'m> {
    pub(super) pair: Pair<'m>,
    pub(super) a: &'m SphereTree,
    pub(super) b: &'m SphereTree,
    /// Covers all rounding of posed balls, gaps and canonical distances.
    pub(super) slack: f64,
}

impl<'m> SpherePair<'m> {
    /// A pair with the sphere-trees of its two models.
    #[must_use]
    pub fn new(pair: Pair<'m>, a: &'m SphereTree, b: &'m SphereTree) -> Self {
        let reach = |tree: &SphereTree| tree.spheres()[0].center.abs().max_element() + tree.spheres()[0].radius;
        let size = reach(a) + 2.0 * reach(b) + pair.a_from_b().translation().abs().max_element();
        Self { pair, a, b, slack: 64.0 * f64::EPSILON * size + 2.0 * error_bound(size) }
    }

    pub(super) fn pose(&self) -> &Pose {
        self.pair.a_from_b()
    }

    pub(super) fn ball_a(&self, index: u32) -> &'m TreeSphere {
        &self.a.spheres()[index as usize]
    }

    pub(super) fn ball_b(&self, index: u32) -> &'m TreeSphere {
        &self.b.spheres()[index as usize]
    }

    /// Do descents of both trees miss nothing?
    pub(super) fn are_exact(&self) -> bool {
        self.a.is_exact() && self.b.is_exact()
    }

    /// No point of b's root ball is farther than this from where it was, in a's frame, all rounding
    /// included.
    pub(super) fn moved_since(&self, before: &Pose) -> f64 {
        let root = self.ball_b(0);
        let turned = self.pose().rotation() - before.rotation();
        // The length of a matrix as nine numbers is never less than how much longer it makes a
        // vector.
        let most = [turned.x_axis, turned.y_axis, turned.z_axis].map(length).into_iter().fold(0.0, f64::hypot);
        let moved = length(self.pose().apply(root.center) - before.apply(root.center)) + most * root.radius;
        moved * (1.0 + 1e-12) + self.slack
    }

    pub(super) fn deepest(&self) -> u32 {
        (self.a.levels().len().max(self.b.levels().len()) - 1) as u32
    }
}
