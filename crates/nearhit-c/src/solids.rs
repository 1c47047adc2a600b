//! Two solids: containment, signed distance, penetration depth.

use crate::model::nearhit_model;
use crate::pair::pair_query;
use crate::pose::nearhit_pose;
use crate::results::{NEARHIT_NO_TRIANGLE, nearhit_side, nearhit_stats, nearhit_triangle_pair, nearhit_verdict};
use crate::settings::nearhit_settings;
use crate::status::{nearhit_error, nearhit_status};
use crate::surfaces::{a_number, nearhit_distance_result};
use nearhit::{SolidCollision, SolidContact, TrianglePair};
use std::mem::MaybeUninit;

/// The answer of nearhit_solid_collide and nearhit_solid_within.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_solid_collide_result {
    /// Do the solids share a point? Of nearhit_solid_within: are they at most the limit apart?
    pub verdict: nearhit_verdict,
    /// Of nearhit_solid_collide: two triangles that touch, if the surfaces do; otherwise
    /// NEARHIT_NO_TRIANGLE twice.
    pub triangles: nearhit_triangle_pair,
    /// If the surfaces do not touch: of which body a piece lies inside the other.
    pub inside: nearhit_side,
    /// A vertex of that piece, NEARHIT_NO_TRIANGLE if there is none.
    pub vertex: u32,
    /// False: the limit of the settings came first.
    pub is_complete: bool,
    /// Work done.
    pub stats: nearhit_stats,
}

impl From<SolidCollision> for nearhit_solid_collide_result {
    fn from(found: SolidCollision) -> Self {
        Self::new(found.verdict.into(), found.contact, found.is_complete, found.stats.into())
    }
}

impl nearhit_solid_collide_result {
    fn new(verdict: nearhit_verdict, contact: Option<SolidContact>, is_complete: bool, stats: nearhit_stats) -> Self {
        let (triangles, inside, vertex) = match contact {
            Some(SolidContact::Surfaces(pair)) => (Some(pair), None, NEARHIT_NO_TRIANGLE),
            Some(SolidContact::Contained { body, vertex, .. }) => (None, Some(body), vertex),
            None => (None, None, NEARHIT_NO_TRIANGLE),
        };
        Self { verdict, triangles: triangles.into(), inside: inside.into(), vertex, is_complete, stats }
    }
}

/// The answer of nearhit_solid_local_depth.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_local_depth_result {
    /// The depth is at least this: how deep `point` is. Not positive if no point of one surface is
    /// inside the other solid.
    pub depth: f64,
    /// The depth is at most this.
    pub at_most: f64,
    /// Whose surface the deepest point is on.
    pub side: nearhit_side,
    /// The deepest point found, in the world.
    pub point: [f64; 3],
    /// The point of the other surface nearest to it, in the world.
    pub closest: [f64; 3],
    /// The triangles that the two points are on.
    pub triangles: nearhit_triangle_pair,
    /// As exact as asked for? False: the limit came first, or a mesh has holes.
    pub is_complete: bool,
    /// Work done.
    pub stats: nearhit_stats,
}

/// The answer of nearhit_solid_translational_depth.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_translational_depth_result {
    /// No shorter translation separates the solids.
    pub lower: f64,
    /// The length of `translation`; zero if the solids are not in contact.
    pub upper: f64,
    /// Moves b, in the world, so that the solids do not touch.
    pub translation: [f64; 3],
    /// Are both solids convex? Then the two bounds are the same but for rounding.
    pub is_convex: bool,
    /// False: the limit came first.
    pub is_complete: bool,
    /// Work done.
    pub stats: nearhit_stats,
}

/// Do the solids a and b share a point, also when one is wholly inside the other? Exact for closed
/// meshes; for meshes with holes, inside is told by winding numbers. Poses and settings may be
/// NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_solid_collide(
    a: Option<&nearhit_model>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_model>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_solid_collide_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe {
        pair_query([(a, world_from_a), (b, world_from_b)], settings, result, error, |_, pair, settings| {
            Ok(settings.ask(|settings, scratch| pair.solid().collide(settings, scratch))?.into())
        })
    }
}

/// Is the signed distance of the solids at most `limit`? NaN is an error. Poses and settings may be
/// NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_solid_within(
    a: Option<&nearhit_model>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_model>,
    world_from_b: Option<&nearhit_pose>,
    limit: f64,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_solid_collide_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe {
        pair_query([(a, world_from_a), (b, world_from_b)], settings, result, error, |_, pair, settings| {
            let limit = a_number(limit, "limit")?;
            let found = settings.ask(|settings, scratch| pair.solid().within(limit, settings, scratch))?;
            let (verdict, stats) = (found.verdict.into(), found.stats.into());
            Ok(nearhit_solid_collide_result::new(verdict, found.contact, found.is_complete, stats))
        })
    }
}

/// The signed distance of the solids, as an interval: how far apart they are, or, below zero, minus
/// how deep the deepest point of one surface is below the other. Poses and settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_solid_distance(
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
            let found = asked.ask(|settings, scratch| pair.solid().distance(asked.tolerance, settings, scratch))?;
            Ok(nearhit_distance_result::new(&found, &placed.world_from_a))
        })
    }
}

/// The deepest point of one surface below the other, as an interval. The settings' errors say how
/// narrow it must be. Poses and settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_solid_local_depth(
    a: Option<&nearhit_model>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_model>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_local_depth_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe {
        pair_query([(a, world_from_a), (b, world_from_b)], settings, result, error, |placed, pair, asked| {
            let found = asked.ask(|settings, scratch| pair.solid().local_depth(asked.tolerance, settings, scratch))?;
            let triangles = match found.body {
                nearhit::Side::A => TrianglePair { a: found.triangle, b: found.closest_triangle },
                nearhit::Side::B => TrianglePair { a: found.closest_triangle, b: found.triangle },
            };
            Ok(nearhit_local_depth_result {
                depth: found.depth,
                at_most: found.at_most,
                side: Some(found.body).into(),
                point: placed.in_world(found.point),
                closest: placed.in_world(found.closest),
                triangles: triangles.into(),
                is_complete: found.is_complete,
                stats: found.stats.into(),
            })
        })
    }
}

/// The shortest translation of b that separates the two solids (penetration depth, minimum
/// translation vector), as an interval. Poses and settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_solid_translational_depth(
    a: Option<&nearhit_model>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_model>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_translational_depth_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe {
        pair_query([(a, world_from_a), (b, world_from_b)], settings, result, error, |placed, pair, settings| {
            let found = settings.ask(|settings, scratch| pair.solid().translational_depth(settings, scratch))??;
            Ok(nearhit_translational_depth_result {
                lower: found.lower,
                upper: found.upper,
                translation: (placed.world_from_a.rotation() * found.translation).to_array(),
                is_convex: found.is_convex,
                is_complete: found.is_complete,
                stats: found.stats.into(),
            })
        })
    }
}
