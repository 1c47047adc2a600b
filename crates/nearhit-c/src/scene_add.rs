//! Bodies of a scene: a mesh, a shape, or several parts.

use crate::border::{array, guard, needed, shared, text};
use crate::model::nearhit_model;
use crate::pose::{checked, nearhit_pose};
use crate::scene::nearhit_scene;
use crate::shape::nearhit_shape;
use crate::status::{Failure, nearhit_error, nearhit_status};
use nearhit::scene::{BodySpec, Shape};
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// Is a body a surface or a solid?
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum nearhit_matter {
    /// As the scene's bodies are.
    Scene = 0,
    /// A surface: nothing is inside it.
    Surface = 1,
    /// A solid: what is inside it is in contact with it.
    Solid = 2,
}

/// More about a body. All zero is the default, and so is NULL.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nearhit_body_options {
    /// Name of its group (UTF-8), or NULL. Copied.
    pub group: *const c_char,
    /// A nearhit_matter.
    pub matter: i32,
    /// Not zero: part of the environment, and not asked about against others such.
    pub is_fixed: i32,
}

/// A part of a body of several.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nearhit_part {
    /// Its name (UTF-8), unique in the body. Copied.
    pub name: *const c_char,
    /// The mesh it is of, which the scene keeps; NULL if it has a shape.
    pub model: *const nearhit_model,
    /// The number of its parent, a part that comes before it, or -1. A part and its parent are
    /// never tested against each other.
    pub parent: i64,
    /// Where it is, relative to that part, or to the body.
    pub parent_from_part: nearhit_pose,
    /// The shape it is of, which the scene keeps; NULL if it has a model.
    pub shape: *const nearhit_shape,
}

impl nearhit_part {
    /// # Safety
    ///
    /// Its name is a text or NULL, its model and shape live handles or NULL.
    unsafe fn parts(&self) -> Result<(&str, Shape), Failure> {
        // SAFETY: as promised by the caller.
        let (name, model, shape) =
            unsafe { (text(self.name, "name of a part")?, self.model.as_ref(), self.shape.as_ref()) };
        match (model, shape) {
            (Some(model), None) => Ok((name, Shape::mesh(model.0.clone()))),
            (None, Some(shape)) => Ok((name, shape.0.clone())),
            (None, None) => Err(Failure::null("model of a part (as is its shape)")),
            (Some(_), Some(_)) => Err(Failure::argument("a part has a model and a shape: one must be NULL")),
        }
    }
}

/// # Safety
///
/// The group of the options is a text or NULL.
unsafe fn with_options(spec: BodySpec, options: Option<&nearhit_body_options>) -> Result<BodySpec, Failure> {
    let Some(options) = options else { return Ok(spec) };
    let spec = match options.matter {
        0 => spec,
        1 => spec.surface(),
        2 => spec.solid(),
        other => return Err(Failure::argument(format!("matter is {other}: there is no such nearhit_matter"))),
    };
    let spec = if options.is_fixed != 0 { spec.fixed() } else { spec };
    if options.group.is_null() {
        return Ok(spec);
    }
    // SAFETY: as promised by the caller.
    Ok(spec.group(unsafe { text(options.group, "group") }?))
}

/// # Safety
///
/// A live scene, a name that is a text, options whose group is one; each may be NULL.
unsafe fn add_rigid(
    scene: Option<NonNull<nearhit_scene>>,
    name: *const c_char,
    shape: Shape,
    world_from_body: Option<&nearhit_pose>,
    options: Option<&nearhit_body_options>,
    body: Option<&mut MaybeUninit<u64>>,
) -> Result<(), Failure> {
    // SAFETY: as promised by the caller.
    let (scene, name) = unsafe { (shared(scene, "scene")?, text(name, "name")?) };
    let spec = BodySpec::rigid(name, shape).at(checked(world_from_body, "the body")?);
    // SAFETY: the same.
    let number = scene.lock().insert(unsafe { with_options(spec, options) }?)?;
    if let Some(body) = body {
        body.write(number);
    }
    Ok(())
}

/// Puts a body in. `name` (UTF-8) is unique in the scene, and copied. The scene keeps the model;
/// the caller's handle stays the caller's. The body's number, never used again, goes to `body`,
/// which may be NULL. Pose and options may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_add(
    scene: Option<NonNull<nearhit_scene>>,
    name: *const c_char,
    model: Option<&nearhit_model>,
    world_from_body: Option<&nearhit_pose>,
    options: Option<&nearhit_body_options>,
    body: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let shape = Shape::mesh(needed(model, "model")?.0.clone());
        // SAFETY: a live handle and texts, or NULL, as the caller promises.
        unsafe { add_rigid(scene, name, shape, world_from_body, options, body) }
    })
}

/// nearhit_scene_add of any shape. A mesh is the surface or the solid that its shape says, unless
/// the options or the scene say otherwise; other shapes are solids.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_add_shape(
    scene: Option<NonNull<nearhit_scene>>,
    name: *const c_char,
    shape: Option<&nearhit_shape>,
    world_from_body: Option<&nearhit_pose>,
    options: Option<&nearhit_body_options>,
    body: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let shape = needed(shape, "shape")?.0.clone();
        // SAFETY: a live handle and texts, or NULL, as the caller promises.
        unsafe { add_rigid(scene, name, shape, world_from_body, options, body) }
    })
}

/// Puts a body of `part_count` parts in, such as a robot of links. Otherwise as nearhit_scene_add.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_scene_add_parts(
    scene: Option<NonNull<nearhit_scene>>,
    name: *const c_char,
    parts: *const nearhit_part,
    part_count: usize,
    world_from_body: Option<&nearhit_pose>,
    options: Option<&nearhit_body_options>,
    body: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: a live handle, texts and an array as long as said, or NULL.
        let (scene, name, parts) =
            unsafe { (shared(scene, "scene")?, text(name, "name")?, array(parts, part_count, "parts")?) };
        let mut spec = BodySpec::articulated(name).at(checked(world_from_body, "the body")?);
        let mut names = Vec::with_capacity(parts.len());
        for (number, part) in parts.iter().enumerate() {
            // SAFETY: the same of every part.
            let (name, shape) = unsafe { part.parts() }?;
            let parent = parent(part.parent, &names).map_err(|failure| failure.at(number))?;
            spec = spec.part(name, shape, parent, checked(Some(&part.parent_from_part), name)?);
            names.push(name);
        }
        // SAFETY: the same.
        let number = scene.lock().insert(unsafe { with_options(spec, options) }?)?;
        if let Some(body) = body {
            body.write(number);
        }
        Ok(())
    })
}

fn parent<'a>(number: i64, before: &[&'a str]) -> Result<Option<&'a str>, Failure> {
    if number == -1 {
        return Ok(None);
    }
    let found = usize::try_from(number).ok().and_then(|number| before.get(number).copied());
    let unknown = || Failure::argument(format!("parent is {number}: it must be -1 or the number of a part before it"));
    found.map(Some).ok_or_else(unknown)
}
