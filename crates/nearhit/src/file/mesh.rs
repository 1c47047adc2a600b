//! The mesh in a model file.

use crate::bytes::{FileError, Source, f64s, u32s};
use crate::mesh::{Mesh, RawMesh};

/// Counts, coordinates, corners.
pub(super) fn write(mesh: &Mesh, out: &mut Vec<u8>) {
    out.extend((mesh.vertices().len() as u64).to_le_bytes());
    out.extend((mesh.triangles().len() as u64).to_le_bytes());
    out.extend(mesh.vertices().iter().flat_map(|vertex| vertex.to_array()).flat_map(f64::to_le_bytes));
    out.extend(mesh.triangles().iter().flatten().copied().flat_map(u32::to_le_bytes));
}

pub(super) fn read(mut source: Source<'_>) -> Result<Mesh, FileError> {
    let vertices = source.u64("the number of vertices")?;
    let triangles = source.u64("the number of triangles")?;
    let vertices = source.records(vertices, 24, "the vertices")?;
    let triangles = source.records(triangles, 12, "the triangles")?;
    source.end()?;
    let triple = |bytes: &[u8]| [0, 8, 16].map(|at| f64s(&bytes[at..at + 8]).next().unwrap_or(f64::NAN));
    let corners = |bytes: &[u8]| [0, 4, 8].map(|at| u32s(&bytes[at..at + 4]).next().unwrap_or(u32::MAX));
    let raw = RawMesh {
        vertices: vertices.chunks_exact(24).map(triple).collect(),
        triangles: triangles.chunks_exact(12).map(corners).collect(),
    };
    Ok(Mesh::try_from(raw)?)
}
