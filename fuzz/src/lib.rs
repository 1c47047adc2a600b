//! What every reader must keep to, whatever the bytes.

use nearhit::{Mesh, MeshError, RawMesh};
use nearhit_io::{Format, parse};

/// Parses, and checks what comes out: nothing larger than the input explains, and nothing that a mesh refuses
/// except that it has no triangles.
pub fn check(bytes: &[u8], format: Format) {
    let Ok(raw) = parse(bytes, format) else { return };
    assert!(heap_bytes(&raw) <= 16 * bytes.len() + 1024, "{} bytes from {}", heap_bytes(&raw), bytes.len());
    let triangles = raw.triangles.len();
    match Mesh::try_from(raw) {
        Ok(mesh) => assert_eq!(mesh.triangles().len(), triangles),
        Err(error) => assert_eq!((error, triangles), (MeshError::NoTriangles, 0)),
    }
}

fn heap_bytes(raw: &RawMesh) -> usize {
    raw.vertices.capacity() * size_of::<[f64; 3]>() + raw.triangles.capacity() * size_of::<[u32; 3]>()
}
