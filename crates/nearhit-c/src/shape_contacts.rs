//! Contact points of two shapes, and of all bodies of a scene.

use crate::border::{guard, lend, look, make, needed, needed_mut, release, shared};
use crate::pose::{in_world, nearhit_pose};
use crate::results::{nearhit_stats, nearhit_triangle_pair};
use crate::scene::{NEARHIT_NO_BODY, Numbers, State, nearhit_scene};
use crate::settings::{Checked, nearhit_settings};
use crate::shape::nearhit_shape;
use crate::shape_pair::{PlacedShapes, ShapeBody};
use crate::status::{Failure, nearhit_error, nearhit_status};
use nearhit::scene::{Scene, Touching};
use nearhit::shape::{ShapeContact, ShapePair};
use nearhit::{Pose, Scratch, Settings, Stats};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// One contact of two shapes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_shape_contact {
    /// In a scene, the number of a's body; otherwise NEARHIT_NO_BODY.
    pub body_a: u64,
    /// In a scene, the number of b's body.
    pub body_b: u64,
    /// In a scene, the number of a's part; otherwise 0.
    pub part_a: u32,
    /// In a scene, the number of b's part.
    pub part_b: u32,
    /// Which triangles of meshes, points of clouds, triangles of height fields, cells of octrees; 0
    /// for another shape.
    pub pieces: nearhit_triangle_pair,
    /// Half-way between the two points that lie deepest in the other piece, in the world.
    pub point: [f64; 3],
    /// From a to b, of length one, in the world: the shortest way out for b.
    pub normal: [f64; 3],
    /// How far b would have to move along it to touch only: at least this.
    pub depth_lower: f64,
    /// At most this.
    pub depth_upper: f64,
}

impl nearhit_shape_contact {
    fn new(found: &ShapeContact, world_from_a: &Pose) -> Self {
        Self {
            body_a: NEARHIT_NO_BODY,
            body_b: NEARHIT_NO_BODY,
            part_a: 0,
            part_b: 0,
            pieces: found.pieces.into(),
            point: in_world(world_from_a, found.point),
            normal: (world_from_a.rotation() * found.normal).to_array(),
            depth_lower: found.depth.lower,
            depth_upper: found.depth.upper,
        }
    }
}

/// A list of contacts that a query of two shapes or of a scene fills in. One thread at a time.
#[derive(Debug, Default)]
pub struct nearhit_shape_contact_list {
    contacts: Vec<nearhit_shape_contact>,
    is_complete: bool,
    stats: Stats,
}

impl nearhit_shape_contact_list {
    fn clear(&mut self) {
        self.contacts.clear();
        (self.is_complete, self.stats) = (false, Stats::default());
    }
}

/// An empty list. It is the caller's, to be freed with nearhit_shape_contact_list_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_contact_list_new(
    out: Option<&mut MaybeUninit<*mut nearhit_shape_contact_list>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_shape_contact_list::default()))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_contact_list_free(list: Option<Box<nearhit_shape_contact_list>>) {
    release(list);
}

/// The contacts; their number goes to `count`, which may be NULL. They are the list's and live
/// until it is filled again or freed. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_contact_list_contacts(
    list: Option<&nearhit_shape_contact_list>,
    count: Option<&mut MaybeUninit<usize>>,
) -> *const nearhit_shape_contact {
    look(std::ptr::null(), || Some(lend(&needed(list, "list").ok()?.contacts, count)))
}

/// Was everything looked at? False: the limit came first, and there may be more contacts. False for
/// NULL, and for a list that was not filled.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_contact_list_is_complete(list: Option<&nearhit_shape_contact_list>) -> bool {
    look(false, || Some(needed(list, "list").ok()?.is_complete))
}

/// Work done; zeros for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_contact_list_stats(list: Option<&nearhit_shape_contact_list>) -> nearhit_stats {
    look(Stats::default().into(), || Some(needed(list, "list").ok()?.stats.into()))
}

/// # Safety
///
/// The settings' working memory is NULL or a live handle.
unsafe fn find(
    list: &mut nearhit_shape_contact_list,
    bodies: [ShapeBody<'_, '_>; 2],
    settings: Option<&nearhit_settings>,
) -> Result<(), Failure> {
    let placed = PlacedShapes::new(bodies)?;
    // SAFETY: as promised by the caller.
    let settings = unsafe { Checked::new(settings) }?;
    let found = settings.ask(|settings, scratch| placed.pair.contacts(settings, scratch))?;
    let contacts = found.contacts.iter().map(|contact| nearhit_shape_contact::new(contact, &placed.world_from_a));
    list.contacts.extend(contacts);
    (list.is_complete, list.stats) = (found.is_complete, found.stats);
    Ok(())
}

/// Where do the two shapes touch, and how deep? One contact for two convex shapes, one for each
/// pair of pieces that touch where a shape is a mesh, point cloud, height field or octree. A shape
/// wholly inside of a solid mesh touches no triangle: it has no contacts, though it collides. What
/// was in `list` before is gone; after an error it is empty. Poses and settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_contacts(
    a: Option<&nearhit_shape>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_shape>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    list: Option<&mut nearhit_shape_contact_list>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let list = needed_mut(list, "list")?;
        list.clear();
        // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
        unsafe { find(list, [(a, world_from_a), (b, world_from_b)], settings) }
    })
}

/// The contacts of two parts of a scene, with their numbers.
fn of_parts(
    scene: &Scene,
    found: &Touching<'_>,
    numbers: &Numbers,
    scratch: &mut Scratch,
    contacts: &mut Vec<nearhit_shape_contact>,
) -> Result<(), Failure> {
    let (a, b) = (scene.part(found.a.id)?, scene.part(found.b.id)?);
    let points = if found.points.is_empty() && !found.contacts.is_empty() {
        // Of two meshes a scene has the triangles alone.
        let pair = ShapePair::new(&a.shape, &a.world_from_part, &b.shape, &b.world_from_part)?;
        &pair.contacts(&Settings::default(), scratch).contacts
    } else {
        &found.points
    };
    contacts.extend(points.iter().map(|contact| nearhit_shape_contact {
        body_a: numbers.of(found.a.id.body),
        body_b: numbers.of(found.b.id.body),
        part_a: found.a.id.part,
        part_b: found.b.id.part,
        ..nearhit_shape_contact::new(contact, &a.world_from_part)
    }));
    Ok(())
}

/// All contacts of all bodies of a scene, with points, normals and depths: those of
/// nearhit_shape_contacts for each pair of nearhit_scene_pairs, in that order. A pair of which one
/// is inside the other, its surface untouched, has none. What was in `list` before is gone; after
/// an error it is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_contacts(
    scene: Option<NonNull<nearhit_scene>>,
    list: Option<&mut nearhit_shape_contact_list>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let list = needed_mut(list, "list")?;
        list.clear();
        // SAFETY: a live handle or NULL, as the caller promises.
        let mut state = unsafe { shared(scene, "scene") }?.lock();
        let State { scene, numbers, .. } = &mut *state;
        let (now, mut scratch, mut contacts) = (scene.settle(), Scratch::new(), Vec::new());
        let answer = now.contacts()?;
        for found in &answer.found {
            of_parts(now.scene(), found, numbers, &mut scratch, &mut contacts)?;
        }
        (list.contacts, list.is_complete, list.stats) = (contacts, true, answer.stats);
        Ok(())
    })
}
