//! Two surfaces: do they touch, are they near, how far apart are they?

use crate::border::{array_mut, guard, needed_mut};
use crate::model::nearhit_model;
use crate::pair::{Placed, pair_query};
use crate::pose::{in_world, nearhit_pose};
use crate::results::{nearhit_stats, nearhit_triangle_pair, nearhit_verdict};
use crate::settings::nearhit_settings;
use crate::status::{Failure, nearhit_error, nearhit_status};
use nearhit::{Collision, Distance, Pose, Within};
use std::mem::MaybeUninit;

/// The answer of nearhit_collide.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_collide_result {
    /// Do the surfaces share a point?
    pub verdict: nearhit_verdict,
    /// Two triangles that touch, if the verdict is yes; otherwise NEARHIT_NO_TRIANGLE twice.
    pub triangles: nearhit_triangle_pair,
    /// False: the limit came first.
    pub is_complete: bool,
    /// Work done.
    pub stats: nearhit_stats,
}

impl From<Collision> for nearhit_collide_result {
    fn from(found: Collision) -> Self {
        Self {
            verdict: found.verdict.into(),
            triangles: found.witness.into(),
            is_complete: found.is_complete,
            stats: found.stats.into(),
        }
    }
}

/// The answer of nearhit_distance: lower <= distance <= upper.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_distance_result {
    /// The distance is at least this.
    pub lower: f64,
    /// The distance is at most this; equal to `lower` unless an error was allowed or a limit
    /// reached. Zero exactly when the surfaces touch.
    pub upper: f64,
    /// A point of a, in the world, that is `upper` away from `point_b`.
    pub point_a: [f64; 3],
    /// A point of b, in the world.
    pub point_b: [f64; 3],
    /// The triangles that the points are on: the seed of the next query.
    pub triangles: nearhit_triangle_pair,
    /// False: the limit came first.
    pub is_complete: bool,
    /// Work done.
    pub stats: nearhit_stats,
}

impl nearhit_distance_result {
    pub(crate) fn new(found: &Distance, world_from_a: &Pose) -> Self {
        Self {
            lower: found.lower,
            upper: found.upper,
            point_a: in_world(world_from_a, found.on_a),
            point_b: in_world(world_from_a, found.on_b),
            triangles: found.witness.into(),
            is_complete: found.is_complete,
            stats: found.stats.into(),
        }
    }
}

/// The answer of nearhit_within.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_within_result {
    /// Is the distance at most the limit?
    pub verdict: nearhit_verdict,
    /// Two triangles that are as close, if the verdict is yes: not necessarily the closest.
    pub triangles: nearhit_triangle_pair,
    /// The distance is at least this.
    pub lower: f64,
    /// The distance is at most this; infinite where nothing is known above the limit.
    pub upper: f64,
    /// False: the limit of the settings came first.
    pub is_complete: bool,
    /// Work done.
    pub stats: nearhit_stats,
}

impl From<Within> for nearhit_within_result {
    fn from(found: Within) -> Self {
        Self {
            verdict: found.verdict.into(),
            triangles: found.witness.into(),
            lower: found.lower,
            upper: found.upper.unwrap_or(f64::INFINITY),
            is_complete: found.is_complete,
            stats: found.stats.into(),
        }
    }
}

/// Do the surfaces of a and b share a point? Exact: touching counts. Poses and settings may be NULL
/// (identity, default).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_collide(
    a: Option<&nearhit_model>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_model>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_collide_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe {
        pair_query([(a, world_from_a), (b, world_from_b)], settings, result, error, |_, pair, settings| {
            Ok(settings.ask(|settings, scratch| pair.collide(settings, scratch))?.into())
        })
    }
}

/// How far apart are the surfaces of a and b, and where are they closest? Exact unless the settings
/// allow an error. Poses and settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_distance(
    a: Option<&nearhit_model>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_model>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_distance_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe {
        pair_query([(a, world_from_a), (b, world_from_b)], settings, result, error, |placed, pair, asked| {
            let found = asked.ask(|settings, scratch| pair.distance(asked.tolerance, settings, scratch))?;
            Ok(nearhit_distance_result::new(&found, &placed.world_from_a))
        })
    }
}

/// Are the surfaces of a and b at most `limit` apart? The same as distance <= limit, and cheaper. A
/// negative limit is never met; NaN is an error. Poses and settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_within(
    a: Option<&nearhit_model>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_model>,
    world_from_b: Option<&nearhit_pose>,
    limit: f64,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_within_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe {
        pair_query([(a, world_from_a), (b, world_from_b)], settings, result, error, |_, pair, settings| {
            let limit = a_number(limit, "limit")?;
            Ok(settings.ask(|settings, scratch| pair.within(limit, settings, scratch))?.into())
        })
    }
}

/// Anything but NaN.
pub(crate) fn a_number(value: f64, name: &str) -> Result<f64, Failure> {
    if value.is_nan() { Err(Failure::argument(format!("{name} is NaN, not a number"))) } else { Ok(value) }
}

/// The most corners that two triangles share.
pub const NEARHIT_MAX_OVERLAP_POINTS: usize = 6;

/// Along what do two triangles meet? Writes the corners of their intersection, in the world, to
/// `points`, which has room for NEARHIT_MAX_OVERLAP_POINTS points of three numbers; their number
/// goes to `count`: 0 nothing, 1 a point, 2 a segment, 3 to 6 a convex polygon. Poses may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_overlap(
    a: Option<&nearhit_model>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_model>,
    world_from_b: Option<&nearhit_pose>,
    triangles: nearhit_triangle_pair,
    points: *mut f64,
    count: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let count = needed_mut(count, "count")?;
        let placed = Placed::new(a, world_from_a, b, world_from_b)?;
        let pair = placed.pair()?;
        for (name, index, model) in [("a", triangles.a, placed.a), ("b", triangles.b, placed.b)] {
            let triangles = model.mesh().triangles().len();
            if index as usize >= triangles {
                let message = format!("triangles.{name} is {index}, but {name} has {triangles} triangles");
                return Err(Failure::argument(message));
            }
        }
        // SAFETY: the caller has room for so many points of three numbers.
        let places = unsafe { array_mut(points.cast::<[f64; 3]>(), NEARHIT_MAX_OVERLAP_POINTS, "points") }?;
        let overlap = pair.overlap(triangles.into());
        for (place, &point) in places.iter_mut().zip(overlap.points()) {
            place.write(placed.in_world(point));
        }
        count.write(overlap.points().len());
        Ok(())
    })
}
