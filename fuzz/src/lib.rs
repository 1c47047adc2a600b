//! What every reader must keep to, whatever the bytes.

use nearhit::{Mesh, MeshError, RawMesh};
use nearhit_io::{Format, parse};

/// Parses, and checks what comes out: nothing larger than the input explains, and nothing that a mesh refuses
/// except that it has no triangles.
pub fn check(bytes: &[u8], format: Format) {
    let Ok(raw) = parse(bytes, format) else { return };
    let limit = most_heap_bytes(bytes.len(), format);
    assert!(heap_bytes(&raw) <= limit, "{} bytes from {}", heap_bytes(&raw), bytes.len());
    let triangles = raw.triangles.len();
    match Mesh::try_from(raw) {
        Ok(mesh) => assert_eq!(mesh.triangles().len(), triangles),
        Err(error) => assert_eq!((error, triangles), (MeshError::NoTriangles, 0)),
    }
}

/// A corner of a polygon may be a byte in PLY, and a triangle is twelve; a vector may have room for as many more.
/// In glTF every byte may stand for 64 vertices or triangles, and 2^20 are free.
fn most_heap_bytes(length: usize, format: Format) -> usize {
    match format {
        Format::Gltf => 2 * size_of::<[f64; 3]>() * (64 * length + (1 << 20)),
        Format::Ply => 32 * length + 1024,
        _ => 16 * length + 1024,
    }
}

/// A GLB file with the lengths in its frame put right, which no mutation by chance would do.
pub fn reframed(bytes: &[u8]) -> Option<Vec<u8>> {
    let contents = bytes.strip_prefix(b"glTF").and_then(|rest| rest.get(16..))?;
    let marker = contents.windows(4).position(|window| window == b"BIN\0");
    let (json, binary) = match marker {
        Some(place) => (&contents[..place.saturating_sub(4)], &contents[place + 4..]),
        None => (contents, &[][..]),
    };
    let number = |length: usize| (length as u32).to_le_bytes();
    let length = 28 + json.len() + binary.len();
    let header = [*b"glTF", number(2), number(length), number(json.len()), *b"JSON"].concat();
    Some([&header, json, &number(binary.len()), b"BIN\0", binary].concat())
}

fn heap_bytes(raw: &RawMesh) -> usize {
    raw.vertices.capacity() * size_of::<[f64; 3]>() + raw.triangles.capacity() * size_of::<[u32; 3]>()
}
