//! Queries of a pair of models: pointers and poses are checked, settings read, the answer written.

use crate::border::{guard, needed, needed_mut};
use crate::model::nearhit_model;
use crate::pose::{checked, in_world, nearhit_pose};
use crate::settings::{Checked, nearhit_settings};
use crate::status::{Failure, nearhit_error, nearhit_status};
use glam::DVec3;
use nearhit::{Model, Pair, Pose};
use std::mem::MaybeUninit;

/// Two models in the world, checked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed<'m> {
    pub(crate) a: &'m Model,
    pub(crate) b: &'m Model,
    pub(crate) world_from_a: Pose,
    world_from_b: Pose,
}

impl<'m> Placed<'m> {
    pub(crate) fn new(
        a: Option<&'m nearhit_model>,
        world_from_a: Option<&nearhit_pose>,
        b: Option<&'m nearhit_model>,
        world_from_b: Option<&nearhit_pose>,
    ) -> Result<Self, Failure> {
        let (a, b) = (&needed(a, "a")?.0, &needed(b, "b")?.0);
        Ok(Self { a, b, world_from_a: checked(world_from_a, "a")?, world_from_b: checked(world_from_b, "b")? })
    }

    pub(crate) fn pair(&self) -> Result<Pair<'m>, Failure> {
        Ok(Pair::new(self.a, &self.world_from_a, self.b, &self.world_from_b)?)
    }

    pub(crate) fn in_world(&self, point: DVec3) -> [f64; 3] {
        in_world(&self.world_from_a, point)
    }
}

/// A body of a pair as C hands it over: a model and where it is.
pub(crate) type Body<'m, 'p> = (Option<&'m nearhit_model>, Option<&'p nearhit_pose>);

/// Runs a query of two models, and writes its answer.
///
/// # Safety
///
/// The settings' working memory is NULL or a live handle.
pub(crate) unsafe fn pair_query<'m, T>(
    [(a, world_from_a), (b, world_from_b)]: [Body<'m, '_>; 2],
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<T>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
    ask: impl FnOnce(&Placed<'m>, &Pair<'m>, &Checked<'_>) -> Result<T, Failure>,
) -> nearhit_status {
    guard(error, || {
        let result = needed_mut(result, "result")?;
        let placed = Placed::new(a, world_from_a, b, world_from_b)?;
        let pair = placed.pair()?;
        // SAFETY: as promised by the caller.
        let settings = unsafe { Checked::new(settings) }?;
        result.write(ask(&placed, &pair, &settings)?);
        Ok(())
    })
}
