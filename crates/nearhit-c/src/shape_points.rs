//! Points and rays against one shape, in the shape's own frame.

use crate::border::{guard, needed, needed_mut};
use crate::points::{nearhit_ray, point, ray};
use crate::settings::{Checked, nearhit_settings};
use crate::shape::nearhit_shape;
use crate::status::{nearhit_error, nearhit_status};
use std::mem::MaybeUninit;

/// The answer of nearhit_shape_signed_distance.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_shape_point_result {
    /// The signed distance is at least this; below zero inside.
    pub lower: f64,
    /// At most this.
    pub upper: f64,
    /// The closest point of the surface.
    pub point: [f64; 3],
}

/// The answer of nearhit_shape_first_hit.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_shape_ray_hit {
    /// Does the ray meet the shape, or come too near to tell? "False" is proven; then the distances
    /// are infinite.
    pub is_hit: bool,
    /// The ray is free before this length; 0 if it begins inside.
    pub lower: f64,
    /// It has met the shape at this length; infinite for a graze that cannot be told from a miss.
    pub upper: f64,
    /// The point of the ray at the lower end; that of its origin if it hits nothing.
    pub point: [f64; 3],
    /// Out of the shape, of length one; zero if the ray begins inside, touches a mesh, or hits
    /// nothing.
    pub normal: [f64; 3],
    /// The triangle of a mesh; 0 for another shape.
    pub triangle: u32,
}

/// Does a point, three numbers in the shape's frame, belong to the shape? Exact where the shape is
/// flat, or flat and grown; of round shapes "no" is proven. Settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_contains(
    shape: Option<&nearhit_shape>,
    position: *const f64,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let (shape, result) = (needed(shape, "shape")?, needed_mut(result, "result")?);
        // SAFETY: three numbers, and working memory that is NULL or a live handle.
        let (at, asked) = unsafe { (point(position)?, Checked::new(settings)?) };
        result.write(asked.ask(|_, scratch| shape.0.contains(at, scratch))??);
        Ok(())
    })
}

/// How far is a point, three numbers in the shape's frame, from the shape's surface, below zero
/// inside? A mesh that is a surface has no inside. Settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_signed_distance(
    shape: Option<&nearhit_shape>,
    position: *const f64,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_shape_point_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let (shape, result) = (needed(shape, "shape")?, needed_mut(result, "result")?);
        // SAFETY: three numbers, and working memory that is NULL or a live handle.
        let (at, asked) = unsafe { (point(position)?, Checked::new(settings)?) };
        let found = asked.ask(|_, scratch| shape.0.signed_distance(at, scratch))??;
        let point = found.on_a.to_array();
        result.write(nearhit_shape_point_result { lower: found.lower, upper: found.upper, point });
        Ok(())
    })
}

/// Where does a ray, in the shape's frame, meet the shape first? Settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_first_hit(
    shape: Option<&nearhit_shape>,
    along: Option<&nearhit_ray>,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_shape_ray_hit>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let (shape, along, result) = (needed(shape, "shape")?, needed(along, "ray")?, needed_mut(result, "result")?);
        // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
        let asked = unsafe { Checked::new(settings) }?;
        let ray = ray(along)?;
        let found = asked.ask(|_, scratch| shape.0.first_hit(&ray, scratch))?;
        let nothing = nearhit_shape_ray_hit {
            is_hit: false,
            lower: f64::INFINITY,
            upper: f64::INFINITY,
            point: along.origin,
            normal: [0.0; 3],
            triangle: 0,
        };
        result.write(found.map_or(nothing, |hit| nearhit_shape_ray_hit {
            is_hit: true,
            lower: hit.distance.lower,
            upper: hit.distance.upper,
            point: hit.point.to_array(),
            normal: hit.normal.to_array(),
            triangle: hit.triangle,
        }));
        Ok(())
    })
}
