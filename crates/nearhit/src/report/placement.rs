//! Placement: two models and where they are, from a's frame, in which queries answer, to the world.

use crate::bounds::Bounds;
use crate::error::QueryError;
use crate::model::Model;
use crate::pose::Pose;
use crate::query::Pair;
use glam::DVec3;

/// Two models placed in the world: a [`Pair`] that still knows its poses.
#[derive(Debug, Clone, Copy)]
pub struct Placement<'m> {
    pair: Pair<'m>,
    world_from_a: Pose,
    world_from_b: Pose,
}

impl<'m> Placement<'m> {
    /// Two models, each placed in the world; errors as [`Pair::new`].
    pub fn new(a: &'m Model, world_from_a: &Pose, b: &'m Model, world_from_b: &Pose) -> Result<Self, QueryError> {
        let pair = Pair::new(a, world_from_a, b, world_from_b)?;
        Ok(Self { pair, world_from_a: *world_from_a, world_from_b: *world_from_b })
    }

    /// The pair to query.
    #[must_use]
    pub fn pair(&self) -> &Pair<'m> {
        &self.pair
    }

    /// A point of a's frame, in the world.
    pub(super) fn point(&self, point: DVec3) -> [f64; 3] {
        self.world_from_a.apply(point).to_array()
    }

    /// A direction of a's frame, in the world.
    pub(super) fn direction(&self, direction: DVec3) -> [f64; 3] {
        (self.world_from_a.rotation() * direction).to_array()
    }

    /// A box of a's frame: the box around it in the world.
    pub(super) fn bounds(&self, corners: [DVec3; 2]) -> [[f64; 3]; 2] {
        let bounds = Bounds::around(corners, &self.world_from_a);
        [bounds.low.to_array(), bounds.high.to_array()]
    }

    /// The same after b was moved by a translation of the world. None where the numbers end.
    pub(super) fn with_b_moved(&self, by: [f64; 3]) -> Option<Self> {
        let world_from_b = Pose::from_translation(by).ok()? * self.world_from_b;
        Self::new(self.pair.a(), &self.world_from_a, self.pair.b(), &world_from_b).ok()
    }
}
