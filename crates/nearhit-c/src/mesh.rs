//! Meshes: triangle soup that has been checked.

use crate::border::{array, lend, look, make, needed, release, text};
use crate::status::{Failure, nearhit_error, nearhit_status};
use glam::DVec3;
use nearhit::{Mesh, RawMesh};
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::path::Path;

/// Triangles that have been checked. Never changes; any number of threads may use it at once.
pub struct nearhit_mesh(pub(crate) Mesh);

impl std::fmt::Debug for nearhit_mesh {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "nearhit_mesh({} triangles)", self.0.triangles().len())
    }
}

/// The arrays of C as a mesh.
///
/// # Safety
///
/// So many numbers at both places, or NULL.
pub(crate) unsafe fn checked(
    vertices: *const f64,
    vertex_count: usize,
    triangles: *const u32,
    triangle_count: usize,
) -> Result<Mesh, Failure> {
    // SAFETY: three numbers a vertex and a triangle, as promised by the caller.
    let (vertices, triangles) = unsafe {
        let vertices: &[[f64; 3]] = array(vertices.cast(), vertex_count, "vertices")?;
        let triangles: &[[u32; 3]] = array(triangles.cast(), triangle_count, "triangles")?;
        (vertices, triangles)
    };
    Ok(Mesh::try_from(RawMesh { vertices: vertices.to_vec(), triangles: triangles.to_vec() })?)
}

/// A mesh of arrays: three coordinates for each of `vertex_count` vertices, and three indices of
/// vertices, from 0, for each of `triangle_count` triangles. The arrays are copied. Degenerate and
/// duplicate triangles are allowed. The mesh is the caller's, to be freed with nearhit_mesh_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_mesh_new(
    vertices: *const f64,
    vertex_count: usize,
    triangles: *const u32,
    triangle_count: usize,
    out: Option<&mut MaybeUninit<*mut nearhit_mesh>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: as the caller promises.
    make(out, error, || Ok(nearhit_mesh(unsafe { checked(vertices, vertex_count, triangles, triangle_count) }?)))
}

/// Reads a mesh from an OBJ, STL, PLY, OFF, glTF, GLB, COLLADA or 3MF file, told apart by its
/// extension. `path` is UTF-8. Errors name file, line and value. The mesh is the caller's, to be
/// freed with nearhit_mesh_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_mesh_read(
    path: *const c_char,
    out: Option<&mut MaybeUninit<*mut nearhit_mesh>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        // SAFETY: as the caller promises.
        let path = unsafe { text(path, "path") }?;
        Ok(nearhit_mesh(nearhit_io::read_mesh(Path::new(path))?))
    })
}

/// Frees a mesh; NULL is allowed. Models made from it are not touched.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_mesh_free(mesh: Option<Box<nearhit_mesh>>) {
    release(mesh);
}

/// Its vertices, three coordinates each; their number goes to `count`, which may be NULL. The
/// numbers are the mesh's and live as long as it does. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_mesh_vertices(
    mesh: Option<&nearhit_mesh>,
    count: Option<&mut MaybeUninit<usize>>,
) -> *const f64 {
    look(std::ptr::null(), || Some(vertices(&needed(mesh, "mesh").ok()?.0, count)))
}

/// Its triangles, three indices each; their number goes to `count`, which may be NULL. The numbers
/// are the mesh's and live as long as it does. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_mesh_triangles(
    mesh: Option<&nearhit_mesh>,
    count: Option<&mut MaybeUninit<usize>>,
) -> *const u32 {
    look(std::ptr::null(), || Some(triangles(&needed(mesh, "mesh").ok()?.0, count)))
}

// A vector of glam is its three numbers and nothing else.
const _: () = assert!(size_of::<DVec3>() == 24 && align_of::<DVec3>() == align_of::<f64>());

pub(crate) fn vertices(mesh: &Mesh, count: Option<&mut MaybeUninit<usize>>) -> *const f64 {
    lend(mesh.vertices(), count).cast()
}

pub(crate) fn triangles(mesh: &Mesh, count: Option<&mut MaybeUninit<usize>>) -> *const u32 {
    lend(mesh.triangles(), count).cast()
}
