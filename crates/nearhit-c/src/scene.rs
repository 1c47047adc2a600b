//! Scenes: bodies by number and name, where they are, and which pairs do not matter.

use crate::border::{guard, look, make, needed, needed_mut, release, shared, text};
use crate::pose::{checked, nearhit_pose};
use crate::status::{Failure, nearhit_error, nearhit_status};
use nearhit::research::SceneExt;
use nearhit::research::broad::BroadKind;
use nearhit::scene::{BodyId, BodySpec, PartId, Scene, Who};
use std::collections::HashMap;
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Many bodies that move. Any number of threads may use it at once: calls wait for each other. It
/// keeps the models of its bodies.
#[derive(Debug)]
pub struct nearhit_scene(Mutex<State>);

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) scene: Scene,
    ids: HashMap<u64, BodyId>,
    pub(crate) numbers: Numbers,
    next: u64,
}

/// The callers' numbers of bodies.
#[derive(Debug, Default)]
pub(crate) struct Numbers(HashMap<BodyId, u64>);

impl Numbers {
    pub(crate) fn of(&self, id: BodyId) -> u64 {
        self.0.get(&id).copied().unwrap_or(NEARHIT_NO_BODY)
    }
}

/// How near bodies are found. Changes no answer.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum nearhit_broad_phase {
    /// A tree of boxes that is mended as they move.
    Tree = 0,
    /// Sweep and prune: ends of boxes kept sorted.
    Sweep = 1,
    /// Every pair.
    Brute = 2,
}

/// A number of no body: ids begin at 1.
pub const NEARHIT_NO_BODY: u64 = 0;
/// All parts of a body, where a part can be named.
pub const NEARHIT_ALL_PARTS: u32 = u32::MAX;

/// One side of a pair that is allowed: a body, one of its parts, or a group.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nearhit_who {
    /// Name of a group (UTF-8); NULL: a body is meant.
    pub group: *const c_char,
    /// The body, if `group` is NULL.
    pub body: u64,
    /// One of its parts, or NEARHIT_ALL_PARTS.
    pub part: u32,
}

impl State {
    fn body(&self, number: u64) -> Result<BodyId, Failure> {
        let unknown = || Failure::scene(format!("there is no body {number}: it was removed, or is another scene's"));
        self.ids.get(&number).copied().ok_or_else(unknown)
    }

    fn part(&self, body: u64, part: u32) -> Result<PartId, Failure> {
        Ok(PartId { body: self.body(body)?, part })
    }

    pub(crate) fn insert(&mut self, spec: BodySpec) -> Result<u64, Failure> {
        let id = self.scene.insert(spec)?;
        self.next += 1;
        self.ids.insert(self.next, id);
        self.numbers.0.insert(id, self.next);
        Ok(self.next)
    }

    fn remove(&mut self, number: u64) -> Result<(), Failure> {
        let id = self.body(number)?;
        self.scene.remove(id)?;
        self.ids.remove(&number);
        self.numbers.0.remove(&id);
        Ok(())
    }

    /// # Safety
    ///
    /// Its group is a text or NULL.
    unsafe fn who(&self, who: Option<&nearhit_who>, name: &str) -> Result<Who, Failure> {
        let who = needed(who, name)?;
        if !who.group.is_null() {
            // SAFETY: as promised by the caller.
            return Ok(Who::Group(unsafe { text(who.group, "group") }?.to_owned()));
        }
        match who.part {
            NEARHIT_ALL_PARTS => Ok(Who::Body(self.body(who.body)?)),
            part => Ok(Who::Part(self.part(who.body, part)?)),
        }
    }
}

impl nearhit_scene {
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        // A question that ended badly has left the bodies where they are.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An empty scene: `broad_phase` is a nearhit_broad_phase, usually 0; its bodies are surfaces, or
/// solids if `is_solid` is not zero. The scene is the caller's, to be freed with
/// nearhit_scene_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_scene_new(
    broad_phase: i32,
    is_solid: i32,
    out: Option<&mut MaybeUninit<*mut nearhit_scene>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        let broad = match broad_phase {
            0 => BroadKind::Tree,
            1 => BroadKind::Sweep,
            2 => BroadKind::Brute,
            other => {
                return Err(Failure::argument(format!("broad_phase is {other}: there is no such nearhit_broad_phase")));
            }
        };
        let scene = Scene::with_broad_phase(broad);
        let scene = if is_solid != 0 { scene.solid() } else { scene };
        let state = State { scene, ids: HashMap::new(), numbers: Numbers::default(), next: NEARHIT_NO_BODY };
        Ok(nearhit_scene(Mutex::new(state)))
    })
}

/// Frees a scene; NULL is allowed. No other call may be using it.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_scene_free(scene: Option<Box<nearhit_scene>>) {
    release(scene);
}

/// Takes a body out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_remove(
    scene: Option<NonNull<nearhit_scene>>,
    body: u64,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: a live handle or NULL, as the caller promises.
    guard(error, || unsafe { shared(scene, "scene") }?.lock().remove(body))
}

/// Moves a body. The pose may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_move(
    scene: Option<NonNull<nearhit_scene>>,
    body: u64,
    world_from_body: Option<&nearhit_pose>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: a live handle or NULL, as the caller promises.
        let scene = unsafe { shared(scene, "scene") }?;
        let (pose, mut state) = (checked(world_from_body, "the body")?, scene.lock());
        let id = state.body(body)?;
        Ok(state.scene.set_pose(id, pose)?)
    })
}

/// Moves a part of a body relative to its parent, or to the body. The pose may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_move_part(
    scene: Option<NonNull<nearhit_scene>>,
    body: u64,
    part: u32,
    parent_from_part: Option<&nearhit_pose>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: a live handle or NULL, as the caller promises.
        let scene = unsafe { shared(scene, "scene") }?;
        let (pose, mut state) = (checked(parent_from_part, "the part")?, scene.lock());
        let id = state.part(body, part)?;
        Ok(state.scene.set_joint(id, pose)?)
    })
}

/// Where a part of a body is in the world: part 0 of a rigid body is the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_pose(
    scene: Option<NonNull<nearhit_scene>>,
    body: u64,
    part: u32,
    out: Option<&mut MaybeUninit<nearhit_pose>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let out = needed_mut(out, "out")?;
        // SAFETY: a live handle or NULL, as the caller promises.
        let state = unsafe { shared(scene, "scene") }?.lock();
        out.write(nearhit_pose::of(&state.scene.part(state.part(body, part)?)?.world_from_part));
        Ok(())
    })
}

/// The number of bodies; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_count(scene: Option<NonNull<nearhit_scene>>) -> usize {
    // SAFETY: a live handle or NULL, as the caller promises.
    look(0, || Some(unsafe { shared(scene, "scene") }.ok()?.lock().scene.len()))
}

/// The number of the body with that name (UTF-8).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_find(
    scene: Option<NonNull<nearhit_scene>>,
    name: *const c_char,
    body: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let body = needed_mut(body, "body")?;
        // SAFETY: a live handle and a text, or NULL, as the caller promises.
        let (scene, name) = unsafe { (shared(scene, "scene")?, text(name, "name")?) };
        let state = scene.lock();
        body.write(state.numbers.of(state.scene.find(name)?));
        Ok(())
    })
}

/// Pairs of these two are not asked about from now on (the allowed-collision matrix).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_allow(
    scene: Option<NonNull<nearhit_scene>>,
    a: Option<&nearhit_who>,
    b: Option<&nearhit_who>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: a live handle and texts, or NULL, as the caller promises.
        unsafe {
            let mut state = shared(scene, "scene")?.lock();
            let (a, b) = (state.who(a, "a")?, state.who(b, "b")?);
            Ok(state.scene.allow(a, b)?)
        }
    })
}

/// Takes back what nearhit_scene_allow was told in the same words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_forbid(
    scene: Option<NonNull<nearhit_scene>>,
    a: Option<&nearhit_who>,
    b: Option<&nearhit_who>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: a live handle and texts, or NULL, as the caller promises.
        unsafe {
            let mut state = shared(scene, "scene")?.lock();
            let (a, b) = (state.who(a, "a")?, state.who(b, "b")?);
            Ok(state.scene.forbid(a, b)?)
        }
    })
}
