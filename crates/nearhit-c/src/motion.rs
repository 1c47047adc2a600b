//! Continuous collision detection: when do two moving bodies touch first?

use crate::border::{guard, needed, needed_mut};
use crate::model::nearhit_model;
use crate::pose::{checked, nearhit_pose};
use crate::results::{nearhit_stats, nearhit_verdict};
use crate::settings::{Checked, nearhit_settings};
use crate::status::{Failure, nearhit_error, nearhit_status};
use crate::surfaces::nearhit_distance_result;
use nearhit::Pose;
use nearhit::scene::{FirstContact, Motion, Moving, Shape, first_contact};
use std::mem::MaybeUninit;

/// How a body gets from one pose to another.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum nearhit_motion_kind {
    /// Its origin moves along a line while it turns the shorter way round at a steady rate, as
    /// state spaces of motion planners interpolate.
    Linear = 0,
    /// About one axis of the world, and along it.
    Screw = 1,
}

/// A rigid motion over a time from 0 to 1.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_motion {
    /// At time 0.
    pub from: nearhit_pose,
    /// At time 1.
    pub to: nearhit_pose,
    /// A nearhit_motion_kind.
    pub kind: i32,
}

/// The answer of nearhit_first_contact.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_first_contact_result {
    /// Do they come within the tolerance of each other?
    pub verdict: nearhit_verdict,
    /// They certainly do not touch before this time, from 0 to 1.
    pub free_until: f64,
    /// Their distance then; points are in the world, as the bodies are then.
    pub distance: nearhit_distance_result,
    /// Advances in time that it took.
    pub steps: u64,
    /// Work done.
    pub stats: nearhit_stats,
}

/// NULL rests at the identity.
pub(crate) fn motion(given: Option<&nearhit_motion>, whose: &str) -> Result<Motion, Failure> {
    let Some(given) = given else { return Ok(Motion::still(Pose::IDENTITY)) };
    let (from, to) = (checked(Some(&given.from), whose)?, checked(Some(&given.to), whose)?);
    match given.kind {
        0 => Ok(Motion::linear(from, to)),
        1 => Ok(Motion::screw(from, to)),
        other => Err(Failure::argument(format!("{whose}'s kind is {other}: there is no such nearhit_motion_kind"))),
    }
}

pub(crate) fn answer(found: &FirstContact, of_a: &Motion) -> Result<nearhit_first_contact_result, Failure> {
    let world_from_a = of_a.pose(found.free_until).map_err(|error| Failure::pose("a", &error))?;
    Ok(nearhit_first_contact_result {
        verdict: found.verdict.into(),
        free_until: found.free_until,
        distance: nearhit_distance_result::new(&found.distance, &world_from_a),
        steps: found.steps,
        stats: found.stats.into(),
    })
}

/// The first time at which two moving surfaces are within `tolerance` of each other (time of
/// impact). It is proven for every instant that they do not touch before. NULL for a motion rests
/// at the identity; settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_first_contact(
    a: Option<&nearhit_model>,
    motion_a: Option<&nearhit_motion>,
    b: Option<&nearhit_model>,
    motion_b: Option<&nearhit_motion>,
    tolerance: f64,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_first_contact_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let (a, b, result) = (needed(a, "a")?, needed(b, "b")?, needed_mut(result, "result")?);
        let a = Moving { shape: &Shape::mesh(a.0.clone()), motion: motion(motion_a, "a")? };
        let b = Moving { shape: &Shape::mesh(b.0.clone()), motion: motion(motion_b, "b")? };
        // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
        let settings = unsafe { Checked::new(settings) }?;
        let found = settings.ask(|settings, scratch| first_contact(&a, &b, tolerance, settings, scratch))??;
        result.write(answer(&found, &a.motion)?);
        Ok(())
    })
}

/// nearhit_first_contact of two solids: one that is inside the other at the start is in contact.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_solid_first_contact(
    a: Option<&nearhit_model>,
    motion_a: Option<&nearhit_motion>,
    b: Option<&nearhit_model>,
    motion_b: Option<&nearhit_motion>,
    tolerance: f64,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_first_contact_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let (a, b, result) = (needed(a, "a")?, needed(b, "b")?, needed_mut(result, "result")?);
        let a = Moving { shape: &Shape::solid(a.0.clone()), motion: motion(motion_a, "a")? };
        let b = Moving { shape: &Shape::solid(b.0.clone()), motion: motion(motion_b, "b")? };
        // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
        let settings = unsafe { Checked::new(settings) }?;
        let found = settings.ask(|settings, scratch| first_contact(&a, &b, tolerance, settings, scratch))??;
        result.write(answer(&found, &a.motion)?);
        Ok(())
    })
}
