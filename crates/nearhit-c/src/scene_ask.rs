//! What is asked of a scene: who touches whom, who is near whom, who is closest.

use crate::border::{guard, lend, look, make, needed, needed_mut, release, shared};
use crate::results::{nearhit_side, nearhit_triangle_pair};
use crate::scene::{NEARHIT_NO_BODY, Numbers, State, nearhit_scene};
use crate::status::{Failure, nearhit_error, nearhit_status};
use nearhit::scene::{Answer, Gap, Scene, SceneError, Settled, Touch};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// Two parts in contact.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct nearhit_touch {
    /// Number of a body.
    pub body_a: u64,
    /// Number of the other.
    pub body_b: u64,
    /// Number of a's part, 0 for a rigid body.
    pub part_a: u32,
    /// Number of b's part.
    pub part_b: u32,
    /// Two triangles that touch, if the surfaces do; otherwise NEARHIT_NO_TRIANGLE twice.
    pub triangles: nearhit_triangle_pair,
    /// If the surfaces do not touch: which of the two is inside the other.
    pub inside: nearhit_side,
}

/// Two parts and how far apart they are.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_gap {
    /// Number of a body; NEARHIT_NO_BODY where there is no pair.
    pub body_a: u64,
    /// Number of the other.
    pub body_b: u64,
    /// Number of a's part, 0 for a rigid body.
    pub part_a: u32,
    /// Number of b's part.
    pub part_b: u32,
    /// The distance is at least this; below zero, two solids in contact: minus the depth. An
    /// interval where a shape is no mesh.
    pub lower: f64,
    /// The distance is at most this; equal to `lower` unless it is a depth.
    pub upper: f64,
    /// A point of a, in the world.
    pub point_a: [f64; 3],
    /// A point of b, in the world.
    pub point_b: [f64; 3],
    /// The triangles that the points are on.
    pub triangles: nearhit_triangle_pair,
}

/// A list of contacts that a scene fills in. One thread at a time.
#[derive(Debug, Default)]
pub struct nearhit_touch_list(Vec<nearhit_touch>);

/// A list of distances that a scene fills in. One thread at a time.
#[derive(Debug, Default)]
pub struct nearhit_gap_list(Vec<nearhit_gap>);

fn touch(found: &Touch<'_>, numbers: &Numbers) -> nearhit_touch {
    nearhit_touch {
        body_a: numbers.of(found.a.id.body),
        body_b: numbers.of(found.b.id.body),
        part_a: found.a.id.part,
        part_b: found.b.id.part,
        triangles: found.contact.witness().into(),
        inside: found.contact.inside().into(),
    }
}

fn gap(scene: &Scene, found: &Gap<'_>, numbers: &Numbers) -> Result<nearhit_gap, Failure> {
    let world_from_a = scene.part(found.a.id)?.world_from_part;
    let [point_a, point_b] =
        [found.distance.on_a, found.distance.on_b].map(|point| world_from_a.apply(point).to_array());
    Ok(nearhit_gap {
        body_a: numbers.of(found.a.id.body),
        body_b: numbers.of(found.b.id.body),
        part_a: found.a.id.part,
        part_b: found.b.id.part,
        lower: found.distance.lower,
        upper: found.distance.upper,
        point_a,
        point_b,
        triangles: found.distance.witness.into(),
    })
}

const NO_GAP: nearhit_gap = nearhit_gap {
    body_a: NEARHIT_NO_BODY,
    body_b: NEARHIT_NO_BODY,
    part_a: 0,
    part_b: 0,
    lower: f64::INFINITY,
    upper: f64::INFINITY,
    point_a: [f64::NAN; 3],
    point_b: [f64::NAN; 3],
    triangles: nearhit_triangle_pair { a: u32::MAX, b: u32::MAX },
};

/// An empty list. It is the caller's, to be freed with nearhit_touch_list_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_touch_list_new(
    out: Option<&mut MaybeUninit<*mut nearhit_touch_list>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_touch_list::default()))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_touch_list_free(list: Option<Box<nearhit_touch_list>>) {
    release(list);
}

/// The contacts; their number goes to `count`, which may be NULL. They are the list's and live
/// until it is filled again or freed. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_touch_list_touches(
    list: Option<&nearhit_touch_list>,
    count: Option<&mut MaybeUninit<usize>>,
) -> *const nearhit_touch {
    look(std::ptr::null(), || Some(lend(&needed(list, "list").ok()?.0, count)))
}

/// An empty list. It is the caller's, to be freed with nearhit_gap_list_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_gap_list_new(
    out: Option<&mut MaybeUninit<*mut nearhit_gap_list>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_gap_list::default()))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_gap_list_free(list: Option<Box<nearhit_gap_list>>) {
    release(list);
}

/// The distances; their number goes to `count`, which may be NULL. They are the list's and live
/// until it is filled again or freed. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_gap_list_gaps(
    list: Option<&nearhit_gap_list>,
    count: Option<&mut MaybeUninit<usize>>,
) -> *const nearhit_gap {
    look(std::ptr::null(), || Some(lend(&needed(list, "list").ok()?.0, count)))
}

/// Is any pair of bodies in contact? Stops at the first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_collides(
    scene: Option<NonNull<nearhit_scene>>,
    result: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let result = needed_mut(result, "result")?;
        // SAFETY: a live handle or NULL, as the caller promises.
        let mut state = unsafe { shared(scene, "scene") }?.lock();
        result.write(state.scene.settle().collides()?);
        Ok(())
    })
}

/// All pairs of parts in contact: those that touch and, of solids, those of which one is inside the
/// other. In the order of the bodies. What was in `list` before is gone; after an error it is
/// empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_pairs(
    scene: Option<NonNull<nearhit_scene>>,
    list: Option<&mut nearhit_touch_list>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let list = &mut needed_mut(list, "list")?.0;
        list.clear();
        // SAFETY: a live handle or NULL, as the caller promises.
        let mut state = unsafe { shared(scene, "scene") }?.lock();
        let State { scene, numbers, .. } = &mut *state;
        list.extend(scene.settle().colliding()?.found.iter().map(|found| touch(found, numbers)));
        Ok(())
    })
}

/// Fills a list with what is asked of a scene.
///
/// # Safety
///
/// A live handle or NULL.
unsafe fn fill_gaps(
    scene: Option<NonNull<nearhit_scene>>,
    list: Option<&mut nearhit_gap_list>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
    ask: impl for<'s> FnOnce(&Settled<'s>) -> Result<Answer<Gap<'s>>, SceneError>,
) -> nearhit_status {
    guard(error, || {
        let list = &mut needed_mut(list, "list")?.0;
        list.clear();
        // SAFETY: as promised by the caller.
        let mut state = unsafe { shared(scene, "scene") }?.lock();
        let State { scene, numbers, .. } = &mut *state;
        let now = scene.settle();
        let found = ask(&now)?.found;
        *list = found.iter().map(|found| gap(now.scene(), found, numbers)).collect::<Result<_, _>>()?;
        Ok(())
    })
}

/// All pairs of parts at most `limit` apart, with their distances; those in contact, too. `limit`
/// is finite and at least 0. What was in `list` before is gone; after an error it is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_within(
    scene: Option<NonNull<nearhit_scene>>,
    limit: f64,
    list: Option<&mut nearhit_gap_list>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: a live handle or NULL, as the caller promises.
    unsafe { fill_gaps(scene, list, error, |now| now.within(limit)) }
}

/// The `count` pairs of parts that are closest, from the closest on. What was in `list` before is
/// gone; after an error it is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_nearest(
    scene: Option<NonNull<nearhit_scene>>,
    count: usize,
    list: Option<&mut nearhit_gap_list>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: a live handle or NULL, as the caller promises.
    unsafe { fill_gaps(scene, list, error, |now| now.nearest(count)) }
}

/// The closest pair of parts. Where there is no pair to ask about, its bodies are NEARHIT_NO_BODY
/// and its distance infinite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_closest(
    scene: Option<NonNull<nearhit_scene>>,
    result: Option<&mut MaybeUninit<nearhit_gap>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let result = needed_mut(result, "result")?;
        // SAFETY: a live handle or NULL, as the caller promises.
        let mut state = unsafe { shared(scene, "scene") }?.lock();
        let State { scene, numbers, .. } = &mut *state;
        let now = scene.settle();
        let closest = now.closest()?.map(|found| gap(now.scene(), &found, numbers)).transpose()?;
        result.write(closest.unwrap_or(NO_GAP));
        Ok(())
    })
}
