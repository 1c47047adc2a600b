//! Where the surfaces of two solids meet: connected regions with curves, normals and depths.

use crate::border::{array_mut, guard, lend, look, make, needed, needed_mut, release};
use crate::model::nearhit_model;
use crate::pair::Placed;
use crate::pose::nearhit_pose;
use crate::results::{nearhit_stats, nearhit_triangle_pair};
use crate::settings::{Checked, nearhit_settings};
use crate::status::{Failure, nearhit_error, nearhit_status};
use nearhit::{ContactPoint, ContactRegion, Pose, Stats};
use std::mem::MaybeUninit;

/// A point of contact, in the world.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_contact_point {
    /// On a's surface.
    pub point_a: [f64; 3],
    /// On b's surface.
    pub point_b: [f64; 3],
    /// How far apart the two are.
    pub depth: f64,
}

/// One connected contact, in the world.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_region {
    /// The way out for b: of unit length.
    pub normal: [f64; 3],
    /// How deep the deepest point found is below the other surface.
    pub depth: f64,
    /// That point, and the point of the other surface nearest to it.
    pub deepest: nearhit_contact_point,
    /// How many pairs of triangles meet (nearhit_region_list_pairs).
    pub pair_count: usize,
    /// How many curves they meet along (nearhit_region_list_curve).
    pub curve_count: usize,
    /// How many points there are to choose from (nearhit_region_list_manifold).
    pub point_count: usize,
}

/// The regions where two solids meet. Never changes once it is made; any number of threads may read
/// it at once.
#[derive(Debug)]
pub struct nearhit_region_list {
    regions: Vec<Region>,
    world_from_a: Pose,
    is_complete: bool,
    stats: Stats,
}

#[derive(Debug)]
struct Region {
    native: ContactRegion,
    pairs: Vec<nearhit_triangle_pair>,
    curves: Vec<(Vec<[f64; 3]>, bool)>,
}

impl Region {
    fn new(native: ContactRegion, placed: &Placed<'_>) -> Self {
        let pairs = native.pairs.iter().map(|&pair| pair.into()).collect();
        let curves = native
            .curves
            .iter()
            .map(|curve| (curve.points.iter().map(|&point| placed.in_world(point)).collect(), curve.is_closed));
        let curves = curves.collect();
        Self { native, pairs, curves }
    }
}

impl nearhit_region_list {
    fn point(&self, point: &ContactPoint) -> nearhit_contact_point {
        let [point_a, point_b] = [point.on_a, point.on_b].map(|point| self.world_from_a.apply(point).to_array());
        nearhit_contact_point { point_a, point_b, depth: point.depth }
    }

    fn region(&self, index: usize) -> Result<&Region, Failure> {
        let count = self.regions.len();
        let unknown = || Failure::argument(format!("there is no region {index}: there are {count}"));
        self.regions.get(index).ok_or_else(unknown)
    }
}

/// Where the surfaces of two solids meet, in an order that repeats. A solid wholly inside the other
/// has no regions: ask nearhit_solid_collide. The list is the caller's, to be freed with
/// nearhit_region_list_free. Poses and settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_contact_regions(
    a: Option<&nearhit_model>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_model>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    out: Option<&mut MaybeUninit<*mut nearhit_region_list>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        let placed = Placed::new(a, world_from_a, b, world_from_b)?;
        let pair = placed.pair()?.solid();
        // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
        let settings = unsafe { Checked::new(settings) }?;
        let found = settings.ask(|settings, scratch| pair.contact_regions(settings, scratch))?;
        let (is_complete, stats) = (found.is_complete, found.stats);
        let regions = found.regions.into_iter().map(|region| Region::new(region, &placed)).collect();
        Ok(nearhit_region_list { regions, world_from_a: placed.world_from_a, is_complete, stats })
    })
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_region_list_free(list: Option<Box<nearhit_region_list>>) {
    release(list);
}

/// The number of regions; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_region_list_count(list: Option<&nearhit_region_list>) -> usize {
    look(0, || Some(needed(list, "list").ok()?.regions.len()))
}

/// Was everything looked at? False: the limit came first. False for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_region_list_is_complete(list: Option<&nearhit_region_list>) -> bool {
    look(false, || Some(needed(list, "list").ok()?.is_complete))
}

/// Work done; zeros for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_region_list_stats(list: Option<&nearhit_region_list>) -> nearhit_stats {
    look(Stats::default().into(), || Some(needed(list, "list").ok()?.stats.into()))
}

/// Region `index`, from 0.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_region_list_get(
    list: Option<&nearhit_region_list>,
    index: usize,
    result: Option<&mut MaybeUninit<nearhit_region>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let (list, result) = (needed(list, "list")?, needed_mut(result, "result")?);
        let region = list.region(index)?;
        result.write(nearhit_region {
            normal: (list.world_from_a.rotation() * region.native.normal).to_array(),
            depth: region.native.depth,
            deepest: list.point(&region.native.deepest),
            pair_count: region.pairs.len(),
            curve_count: region.curves.len(),
            point_count: region.native.points.len(),
        });
        Ok(())
    })
}

/// The pairs of triangles of region `index` that meet; their number goes to `count`, which may be
/// NULL. They are the list's and live as long as it does. NULL, and a count of 0, if there is no
/// such region.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_region_list_pairs(
    list: Option<&nearhit_region_list>,
    index: usize,
    mut count: Option<&mut MaybeUninit<usize>>,
) -> *const nearhit_triangle_pair {
    look(std::ptr::null(), || {
        if let Some(count) = count.as_deref_mut() {
            count.write(0);
        }
        Some(lend(&needed(list, "list").ok()?.region(index).ok()?.pairs, count))
    })
}

/// The points along curve `curve` of region `index`, three numbers each, in the world; their number
/// goes to `count`, and to `is_closed` whether the curve leads back to its first point, which is
/// not repeated; both may be NULL. The numbers are the list's and live as long as it does. NULL,
/// and a count of 0, if there is no such curve.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_region_list_curve(
    list: Option<&nearhit_region_list>,
    index: usize,
    curve: usize,
    mut count: Option<&mut MaybeUninit<usize>>,
    is_closed: Option<&mut MaybeUninit<bool>>,
) -> *const f64 {
    look(std::ptr::null(), || {
        if let Some(count) = count.as_deref_mut() {
            count.write(0);
        }
        let (points, closed) = needed(list, "list").ok()?.region(index).ok()?.curves.get(curve)?;
        if let Some(is_closed) = is_closed {
            is_closed.write(*closed);
        }
        Some(lend(points, count).cast())
    })
}

/// At most `room` points that stand for region `index` (a contact manifold): the deepest, then
/// always the one farthest from those chosen. `points` has room for `room` of them; how many were
/// written goes to `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_region_list_manifold(
    list: Option<&nearhit_region_list>,
    index: usize,
    points: *mut nearhit_contact_point,
    room: usize,
    count: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let (list, count) = (needed(list, "list")?, needed_mut(count, "count")?);
        let region = list.region(index)?;
        // SAFETY: the caller has room for so many points.
        let places = unsafe { array_mut(points, room, "points") }?;
        // There are no more than these, and room for them is taken before they are chosen.
        let chosen = region.native.manifold(room.min(region.native.points.len() + 1));
        for (place, point) in places.iter_mut().zip(&chosen) {
            place.write(list.point(point));
        }
        count.write(chosen.len());
        Ok(())
    })
}
