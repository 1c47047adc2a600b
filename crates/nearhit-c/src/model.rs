//! Models: a mesh with its tree, which questions are asked of.

use crate::border::{guard, look, make, needed, release, text};
use crate::mesh::{checked, nearhit_mesh, triangles, vertices};
use crate::status::{Failure, nearhit_error, nearhit_status};
use nearhit::{Model, Preset};
use std::ffi::c_char;
use std::io::{BufReader, BufWriter, Write};
use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::Arc;

/// A mesh with its tree: what questions are asked of. Never changes; any number of threads may ask
/// it at once. A handle is one of several that may share the same model (nearhit_model_clone).
#[derive(Debug)]
pub struct nearhit_model(pub(crate) Arc<Model>);

/// What a tree is made for. Answers do not depend on it.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum nearhit_preset {
    /// For most.
    Balanced = 0,
    /// Built in the shortest time: for meshes that are asked a few questions, or change.
    Fast = 1,
    /// Built with more care, for meshes that are asked very many questions.
    Best = 2,
    /// In the least memory, with slower answers.
    Compact = 3,
}

fn preset(number: i32) -> Result<Preset, Failure> {
    match number {
        0 => Ok(Preset::Balanced),
        1 => Ok(Preset::Fast),
        2 => Ok(Preset::Best),
        3 => Ok(Preset::Compact),
        _ => Err(Failure::argument(format!("preset is {number}: there is no such nearhit_preset"))),
    }
}

/// A model of a mesh, which is copied; `preset` is a nearhit_preset, usually 0. The model is the
/// caller's, to be freed with nearhit_model_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_model_new(
    mesh: Option<&nearhit_mesh>,
    preset: i32,
    out: Option<&mut MaybeUninit<*mut nearhit_model>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        let (mesh, preset) = (needed(mesh, "mesh")?, self::preset(preset)?);
        Ok(nearhit_model(Arc::new(Model::with_preset(mesh.0.clone(), preset))))
    })
}

/// nearhit_mesh_new and nearhit_model_new in one call, without a copy of the mesh. The model is the
/// caller's, to be freed with nearhit_model_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_model_from_arrays(
    vertices: *const f64,
    vertex_count: usize,
    triangles: *const u32,
    triangle_count: usize,
    preset: i32,
    out: Option<&mut MaybeUninit<*mut nearhit_model>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        let preset = self::preset(preset)?;
        // SAFETY: as the caller promises.
        let mesh = unsafe { checked(vertices, vertex_count, triangles, triangle_count) }?;
        Ok(nearhit_model(Arc::new(Model::with_preset(mesh, preset))))
    })
}

/// nearhit_mesh_read and nearhit_model_new in one call. The model is the caller's, to be freed with
/// nearhit_model_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_model_read(
    path: *const c_char,
    preset: i32,
    out: Option<&mut MaybeUninit<*mut nearhit_model>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        let preset = self::preset(preset)?;
        // SAFETY: as the caller promises.
        let path = unsafe { text(path, "path") }?;
        let mesh = nearhit_io::read_mesh(Path::new(path))?;
        Ok(nearhit_model(Arc::new(Model::with_preset(mesh, preset))))
    })
}

/// Writes a model, mesh and tree, to a file that nearhit_model_load reads. `path` is UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_model_save(
    model: Option<&nearhit_model>,
    path: *const c_char,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let model = needed(model, "model")?;
        // SAFETY: as the caller promises.
        let path = unsafe { text(path, "path") }?;
        let written = || -> std::io::Result<()> {
            let mut file = BufWriter::new(std::fs::File::create(path)?);
            model.0.save(&mut file)?;
            file.flush()
        };
        written().map_err(|error| Failure::writing(path, &error))
    })
}

/// Reads a file that nearhit_model_save, the command or the Python package wrote. It is checked in
/// full: whatever its bytes are, the answer is an error or a model whose answers are right. The
/// model is the caller's, to be freed with nearhit_model_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_model_load(
    path: *const c_char,
    out: Option<&mut MaybeUninit<*mut nearhit_model>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        // SAFETY: as the caller promises.
        let path = unsafe { text(path, "path") }?;
        nearhit_io::check_regular(Path::new(path))?;
        let file = std::fs::File::open(path).map_err(|error| nearhit_io::ReadError::Io { path: path.into(), error })?;
        let model = Model::load(BufReader::new(file)).map_err(|error| Failure::model_file(path, &error))?;
        Ok(nearhit_model(Arc::new(model)))
    })
}

/// Another handle of the same model, which takes no memory to speak of. It is the caller's, to be
/// freed with nearhit_model_free; the model lives as long as any handle, tree or scene that has it.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_model_clone(
    model: Option<&nearhit_model>,
    out: Option<&mut MaybeUninit<*mut nearhit_model>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_model(needed(model, "model")?.0.clone())))
}

/// Frees a handle; NULL is allowed. Scenes and sphere-trees that have the model keep it.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_model_free(model: Option<Box<nearhit_model>>) {
    release(model);
}

/// Its vertices, three coordinates each; their number goes to `count`, which may be NULL. The
/// numbers are the model's and live as long as it does. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_model_vertices(
    model: Option<&nearhit_model>,
    count: Option<&mut MaybeUninit<usize>>,
) -> *const f64 {
    look(std::ptr::null(), || Some(vertices(needed(model, "model").ok()?.0.mesh(), count)))
}

/// Its triangles, three indices each; their number goes to `count`, which may be NULL. The numbers
/// are the model's and live as long as it does. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_model_triangles(
    model: Option<&nearhit_model>,
    count: Option<&mut MaybeUninit<usize>>,
) -> *const u32 {
    look(std::ptr::null(), || Some(triangles(needed(model, "model").ok()?.0.mesh(), count)))
}

/// Memory held, mesh included; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_model_bytes(model: Option<&nearhit_model>) -> usize {
    look(0, || Some(needed(model, "model").ok()?.0.bytes()))
}
