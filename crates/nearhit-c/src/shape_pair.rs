//! Two shapes of any kind: collision, clearance, distance, penetration depth, time of impact.

use crate::border::{guard, needed, needed_mut};
use crate::motion::{answer, motion, nearhit_first_contact_result, nearhit_motion};
use crate::pose::{checked, in_world, nearhit_pose};
use crate::settings::{Checked, nearhit_settings};
use crate::shape::nearhit_shape;
use crate::status::{Failure, nearhit_error, nearhit_status};
use crate::surfaces::{a_number, nearhit_collide_result, nearhit_distance_result, nearhit_within_result};
use glam::DVec3;
use nearhit::Pose;
use nearhit::scene::{Moving, first_contact};
use nearhit::shape::ShapePair;
use std::mem::MaybeUninit;

/// The answer of nearhit_shape_penetration.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_penetration_result {
    /// No shorter translation takes the shapes apart.
    pub lower: f64,
    /// Moving b by this along `normal` leaves them touching at most; zero if they are apart,
    /// infinite between half-spaces that cannot be taken apart.
    pub upper: f64,
    /// From a to b, of length one, in the world.
    pub normal: [f64; 3],
    /// The point of a that lies deepest in b, along the normal, in the world.
    pub point_a: [f64; 3],
    /// The point of b that lies deepest in a, in the world.
    pub point_b: [f64; 3],
}

/// Two shapes in the world, checked.
pub(crate) struct PlacedShapes<'s> {
    pub(crate) pair: ShapePair<'s>,
    pub(crate) world_from_a: Pose,
}

/// A body of a pair as C hands it over: a shape and where it is.
pub(crate) type ShapeBody<'s, 'p> = (Option<&'s nearhit_shape>, Option<&'p nearhit_pose>);

impl<'s> PlacedShapes<'s> {
    pub(crate) fn new([(a, world_from_a), (b, world_from_b)]: [ShapeBody<'s, '_>; 2]) -> Result<Self, Failure> {
        let (a, b) = (&needed(a, "a")?.0, &needed(b, "b")?.0);
        let (world_from_a, world_from_b) = (checked(world_from_a, "a")?, checked(world_from_b, "b")?);
        Ok(Self { pair: ShapePair::new(a, &world_from_a, b, &world_from_b)?, world_from_a })
    }

    pub(crate) fn in_world(&self, point: DVec3) -> [f64; 3] {
        in_world(&self.world_from_a, point)
    }

    pub(crate) fn turned(&self, direction: DVec3) -> [f64; 3] {
        (self.world_from_a.rotation() * direction).to_array()
    }
}

/// Runs a query of two shapes, and writes its answer.
///
/// # Safety
///
/// The settings' working memory is NULL or a live handle.
unsafe fn shape_query<'s, T>(
    bodies: [ShapeBody<'s, '_>; 2],
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<T>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
    ask: impl FnOnce(&PlacedShapes<'s>, &Checked<'_>) -> Result<T, Failure>,
) -> nearhit_status {
    guard(error, || {
        let result = needed_mut(result, "result")?;
        let placed = PlacedShapes::new(bodies)?;
        // SAFETY: as promised by the caller.
        let settings = unsafe { Checked::new(settings) }?;
        result.write(ask(&placed, &settings)?);
        Ok(())
    })
}

/// Do the two shapes share a point? Touching counts. Shapes are solids but for meshes that are
/// surfaces. Exact where all is flat, or flat and grown; of cylinders, cones and ellipsoids "no" is
/// proven. The answer's triangles are those of meshes, pieces of point clouds, height fields and
/// octrees, 0 otherwise. Poses and settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_collide(
    a: Option<&nearhit_shape>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_shape>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_collide_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe {
        shape_query([(a, world_from_a), (b, world_from_b)], settings, result, error, |placed, asked| {
            Ok(asked.ask(|settings, scratch| placed.pair.collide(settings, scratch))?.into())
        })
    }
}

/// Are the two shapes at most `limit` apart? A negative limit is never met; NaN is an error. Poses
/// and settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_within(
    a: Option<&nearhit_shape>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_shape>,
    world_from_b: Option<&nearhit_pose>,
    limit: f64,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_within_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe {
        shape_query([(a, world_from_a), (b, world_from_b)], settings, result, error, |placed, asked| {
            let limit = a_number(limit, "limit")?;
            Ok(asked.ask(|settings, scratch| placed.pair.within(limit, settings, scratch))?.into())
        })
    }
}

/// How far apart are the two shapes, and where are they closest? Zero if they overlap
/// (nearhit_shape_penetration knows how deep). Poses and settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_distance(
    a: Option<&nearhit_shape>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_shape>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_distance_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe {
        shape_query([(a, world_from_a), (b, world_from_b)], settings, result, error, |placed, asked| {
            let found = asked.ask(|settings, scratch| placed.pair.distance(asked.tolerance, settings, scratch))?;
            Ok(nearhit_distance_result::new(&found, &placed.world_from_a))
        })
    }
}

/// How deep do the two shapes overlap, and which way out is the shortest (penetration depth, EPA)?
/// For convex shapes and half-spaces; a mesh, point cloud, height field or octree is
/// NEARHIT_STATUS_SHAPE: nearhit_shape_contacts has depths for each of their pieces. Poses and
/// settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_penetration(
    a: Option<&nearhit_shape>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_shape>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_penetration_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe {
        shape_query([(a, world_from_a), (b, world_from_b)], settings, result, error, |placed, asked| {
            let (a, b) = (placed.pair.a().name(), placed.pair.b().name());
            let not_convex =
                || Failure::shape(format!("a {a} and a {b} have no penetration depth: both must be convex"));
            let found = asked.ask(|_, scratch| placed.pair.penetration(scratch))?.ok_or_else(not_convex)?;
            Ok(nearhit_penetration_result {
                lower: found.depth.lower,
                upper: found.depth.upper,
                normal: placed.turned(found.normal),
                point_a: placed.in_world(found.on_a),
                point_b: placed.in_world(found.on_b),
            })
        })
    }
}

/// The first time at which two moving shapes are within `tolerance` of each other (time of impact).
/// It is proven for every instant that they do not touch before. NULL for a motion rests at the
/// identity; settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_first_contact(
    a: Option<&nearhit_shape>,
    motion_a: Option<&nearhit_motion>,
    b: Option<&nearhit_shape>,
    motion_b: Option<&nearhit_motion>,
    tolerance: f64,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_first_contact_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let (a, b, result) = (needed(a, "a")?, needed(b, "b")?, needed_mut(result, "result")?);
        let a = Moving { shape: &a.0, motion: motion(motion_a, "a")? };
        let b = Moving { shape: &b.0, motion: motion(motion_b, "b")? };
        // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
        let settings = unsafe { Checked::new(settings) }?;
        let found = settings.ask(|settings, scratch| first_contact(&a, &b, tolerance, settings, scratch))??;
        result.write(answer(&found, &a.motion)?);
        Ok(())
    })
}
