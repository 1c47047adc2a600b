//! Points and rays against one model, in the model's own frame.

use crate::border::{array, array_mut, check_count, fill, guard, lend, look, make, needed, needed_mut, release};
use crate::model::nearhit_model;
use crate::results::NEARHIT_NO_TRIANGLE;
use crate::settings::{Checked, nearhit_settings};
use crate::status::{Failure, nearhit_error, nearhit_status};
use glam::DVec3;
use nearhit::{ClosestPoint, Containment, Location, Model, QueryError, Ray, RayHit, Scratch, SignedDistance};
use std::mem::MaybeUninit;

/// The answer of nearhit_closest_point.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_closest_point_result {
    /// The point of the surface nearest to the one given.
    pub point: [f64; 3],
    /// How far away it is; of nearhit_signed_distance, negative inside.
    pub distance: f64,
    /// The triangle it is on.
    pub triangle: u32,
}

impl From<ClosestPoint> for nearhit_closest_point_result {
    fn from(found: ClosestPoint) -> Self {
        Self { point: found.point.to_array(), distance: found.distance, triangle: found.triangle }
    }
}

impl From<SignedDistance> for nearhit_closest_point_result {
    fn from(found: SignedDistance) -> Self {
        Self { distance: found.distance, ..found.closest.into() }
    }
}

/// Where a point is.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum nearhit_location {
    /// Not in the solid.
    Outside = 0,
    /// Exactly on a triangle.
    Surface = 1,
    /// Within.
    Inside = 2,
}

/// The answer of nearhit_contains.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_contains_result {
    /// Where the point is.
    pub location: nearhit_location,
    /// Is that beyond doubt? Always for closed meshes; for those with holes when the winding number
    /// is on one side of one half by more than its error.
    pub is_certain: bool,
    /// How often the surface winds around the point; NaN on the surface, where it jumps.
    pub winding: f64,
    /// How far that may be off: 0 unless the mesh has holes.
    pub winding_error: f64,
}

impl From<Containment> for nearhit_contains_result {
    fn from(found: Containment) -> Self {
        let location = match found.location {
            Location::Outside => nearhit_location::Outside,
            Location::Surface => nearhit_location::Surface,
            Location::Inside => nearhit_location::Inside,
        };
        let (is_certain, winding_error) = (found.is_certain(), found.winding_error);
        Self { location, is_certain, winding: found.winding.unwrap_or(f64::NAN), winding_error }
    }
}

/// A ray: where it starts and where it goes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_ray {
    /// Where it starts.
    pub origin: [f64; 3],
    /// Where it goes; need not have unit length, but must not be zero.
    pub direction: [f64; 3],
}

/// Where a ray meets a triangle.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_ray_hit {
    /// How far along the ray, as a length; infinite if it hits nothing.
    pub distance: f64,
    /// Where.
    pub point: [f64; 3],
    /// The triangle, NEARHIT_NO_TRIANGLE if it hits nothing.
    pub triangle: u32,
}

impl From<RayHit> for nearhit_ray_hit {
    fn from(hit: RayHit) -> Self {
        Self { distance: hit.distance, point: hit.point.to_array(), triangle: hit.triangle }
    }
}

impl From<Option<RayHit>> for nearhit_ray_hit {
    fn from(hit: Option<RayHit>) -> Self {
        let nothing = Self { distance: f64::INFINITY, point: [f64::NAN; 3], triangle: NEARHIT_NO_TRIANGLE };
        hit.map_or(nothing, Self::from)
    }
}

pub(crate) fn ray(given: &nearhit_ray) -> Result<Ray, Failure> {
    Ok(Ray::new(given.origin.into(), given.direction.into())?)
}

/// # Safety
///
/// Three numbers, or NULL.
pub(crate) unsafe fn point(numbers: *const f64) -> Result<DVec3, Failure> {
    // SAFETY: as promised by the caller.
    let numbers = unsafe { array(numbers, 3, "point") }?;
    Ok(DVec3::from_slice(numbers))
}

/// # Safety
///
/// Three numbers for each point, or NULL.
unsafe fn points(numbers: *const f64, count: usize) -> Result<Vec<DVec3>, Failure> {
    // SAFETY: as promised by the caller.
    let points: &[[f64; 3]] = unsafe { array(numbers.cast(), count, "points") }?;
    Ok(points.iter().map(|&point| point.into()).collect())
}

/// Runs a query of a point, and writes its answer.
///
/// # Safety
///
/// Three numbers at `numbers`, or NULL; the settings' working memory is NULL or a live handle.
unsafe fn point_query<A: Into<T>, T>(
    model: Option<&nearhit_model>,
    numbers: *const f64,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<T>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
    ask: impl FnOnce(&Model, DVec3, &mut Scratch) -> Result<A, QueryError>,
) -> nearhit_status {
    guard(error, || {
        let (model, result) = (needed(model, "model")?, needed_mut(result, "result")?);
        // SAFETY: as promised by the caller.
        let (point, settings) = unsafe { (point(numbers)?, Checked::new(settings)?) };
        result.write(settings.ask(|_, scratch| ask(&model.0, point, scratch))??.into());
        Ok(())
    })
}

/// Runs a query of many points, and writes as many answers.
///
/// # Safety
///
/// Three numbers for each of so many points, and room for so many results, or NULL.
unsafe fn each_point<A: Into<T>, T>(
    model: Option<&nearhit_model>,
    (numbers, count): (*const f64, usize),
    (results, result_count): (*mut T, usize),
    error: Option<&mut MaybeUninit<nearhit_error>>,
    ask: impl FnOnce(&Model, &[DVec3]) -> Result<Vec<A>, QueryError>,
) -> nearhit_status {
    guard(error, || {
        let model = needed(model, "model")?;
        check_count(result_count, count, "results")?;
        // SAFETY: as promised by the caller.
        let (points, results) = unsafe { (points(numbers, count)?, array_mut(results, count, "results")?) };
        fill(results, ask(&model.0, &points)?.into_iter().map(Into::into), "results")
    })
}

/// The point of the model's surface nearest to `point` (three numbers, in the model's frame). Of
/// the settings only the scratch matters; they may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_closest_point(
    model: Option<&nearhit_model>,
    point: *const f64,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_closest_point_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: three numbers, and working memory that is NULL or a live handle.
    unsafe { point_query(model, point, settings, result, error, Model::closest_point) }
}

/// The distance of `point` from the model's surface, negative inside the solid. Of the settings
/// only the scratch matters; they may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_signed_distance(
    model: Option<&nearhit_model>,
    point: *const f64,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_closest_point_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: three numbers, and working memory that is NULL or a live handle.
    unsafe { point_query(model, point, settings, result, error, Model::signed_distance) }
}

/// Is `point` inside the solid? Exact for closed meshes. Of the settings only the scratch matters;
/// they may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_contains(
    model: Option<&nearhit_model>,
    point: *const f64,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_contains_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: three numbers, and working memory that is NULL or a live handle.
    unsafe { point_query(model, point, settings, result, error, Model::contains) }
}

/// The first triangle along a ray. Of the settings only the scratch matters; they may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_first_hit(
    model: Option<&nearhit_model>,
    ray: Option<&nearhit_ray>,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_ray_hit>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let (model, result) = (needed(model, "model")?, needed_mut(result, "result")?);
        let ray = self::ray(needed(ray, "ray")?)?;
        // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
        let settings = unsafe { Checked::new(settings) }?;
        result.write(settings.ask(|_, scratch| model.0.first_hit(&ray, scratch))?.into());
        Ok(())
    })
}

/// nearhit_closest_point for `count` points of three numbers, on all cores. `results` has room for
/// `result_count` answers, which must be `count`. The error's index says which point was refused;
/// then no answer is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_closest_point_each(
    model: Option<&nearhit_model>,
    points: *const f64,
    count: usize,
    results: *mut nearhit_closest_point_result,
    result_count: usize,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: arrays are as long as the caller says.
    unsafe { each_point(model, (points, count), (results, result_count), error, Model::closest_point_each) }
}

/// nearhit_signed_distance for many points, on all cores; see nearhit_closest_point_each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_signed_distance_each(
    model: Option<&nearhit_model>,
    points: *const f64,
    count: usize,
    results: *mut nearhit_closest_point_result,
    result_count: usize,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: arrays are as long as the caller says.
    unsafe { each_point(model, (points, count), (results, result_count), error, Model::signed_distance_each) }
}

/// nearhit_contains for many points, on all cores; see nearhit_closest_point_each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_contains_each(
    model: Option<&nearhit_model>,
    points: *const f64,
    count: usize,
    results: *mut nearhit_contains_result,
    result_count: usize,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: arrays are as long as the caller says.
    unsafe { each_point(model, (points, count), (results, result_count), error, Model::contains_each) }
}

/// nearhit_first_hit for many rays, on all cores; see nearhit_closest_point_each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_first_hit_each(
    model: Option<&nearhit_model>,
    rays: *const nearhit_ray,
    count: usize,
    results: *mut nearhit_ray_hit,
    result_count: usize,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let model = needed(model, "model")?;
        check_count(result_count, count, "results")?;
        // SAFETY: arrays are as long as the caller says.
        let (rays, results) = unsafe { (array(rays, count, "rays")?, array_mut(results, count, "results")?) };
        let each = rays.iter().enumerate().map(|(index, given)| ray(given).map_err(|failure| failure.at(index)));
        let rays: Vec<Ray> = each.collect::<Result<_, _>>()?;
        fill(results, model.0.first_hit_each(&rays).into_iter().map(Into::into), "results")
    })
}

/// A list of hits that a query fills in and that is used again for the next. One thread at a time.
#[derive(Debug, Default)]
pub struct nearhit_hit_list(Vec<nearhit_ray_hit>);

/// An empty list. It is the caller's, to be freed with nearhit_hit_list_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_hit_list_new(
    out: Option<&mut MaybeUninit<*mut nearhit_hit_list>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_hit_list::default()))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_hit_list_free(list: Option<Box<nearhit_hit_list>>) {
    release(list);
}

/// The hits, from the nearest on; their number goes to `count`, which may be NULL. They are the
/// list's and live until it is filled again or freed. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_hit_list_hits(
    list: Option<&nearhit_hit_list>,
    count: Option<&mut MaybeUninit<usize>>,
) -> *const nearhit_ray_hit {
    look(std::ptr::null(), || Some(lend(&needed(list, "list").ok()?.0, count)))
}

/// Every triangle that a ray meets, from the nearest on. What was in `list` before is gone; after
/// an error it is empty. Of the settings only the scratch matters; they may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_all_hits(
    model: Option<&nearhit_model>,
    ray: Option<&nearhit_ray>,
    settings: Option<&nearhit_settings>,
    list: Option<&mut nearhit_hit_list>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let hits = &mut needed_mut(list, "list")?.0;
        hits.clear();
        let (model, ray) = (needed(model, "model")?, self::ray(needed(ray, "ray")?)?);
        // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
        let settings = unsafe { Checked::new(settings) }?;
        settings.ask(|_, scratch| {
            hits.extend(model.0.all_hits(&ray, scratch).iter().map(|&hit| nearhit_ray_hit::from(hit)));
        })
    })
}
