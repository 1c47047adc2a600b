//! What every reader must keep to, whatever the bytes; and every query ([`queries`],
//! [`shapes`], [`robots`]).

mod bytes;
mod further;
pub mod nc;
pub mod queries;
pub mod robots;
mod setup;
pub mod shapes;

use nearhit::research::build::BuildOptions;
use nearhit::research::{MeshExt, ModelExt, VolumeKind};
use nearhit::{Mesh, MeshError, Model, Pair, Pose, RawMesh, Scratch, Settings, Tolerance};
use nearhit_io::{Format, parse};

/// Parses, and checks what comes out: nothing larger than the input explains, and nothing that a
/// mesh refuses except that it has no triangles.
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

/// A corner of a polygon may be a byte in PLY, and a triangle is twelve; a vector may have room for
/// as many more. Where nodes share meshes every byte may stand for 64 vertices or triangles, and
/// 2^20 are free.
fn most_heap_bytes(length: usize, format: Format) -> usize {
    match format {
        Format::Gltf | Format::Collada | Format::ThreeMf => 2 * size_of::<[f64; 3]>() * (64 * length + (1 << 20)),
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

/// An archive of one file, stored, with a right checksum, which no mutation by chance would have.
pub fn stored(name: &str, contents: &[u8]) -> Vec<u8> {
    let length = (contents.len() as u32).to_le_bytes();
    let sum = crc32fast::hash(contents).to_le_bytes();
    let name_length = (name.len() as u16).to_le_bytes();
    let common = [&[0x14, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..], &sum, &length, &length, &name_length].concat();
    let mut archive = [&b"PK\x03\x04"[..], &common, &[0, 0], name.as_bytes(), contents].concat();
    let directory = [&b"PK\x01\x02\x14\0"[..], &common, &[0; 16], name.as_bytes()].concat();
    let (start, length) = ((archive.len() as u32).to_le_bytes(), (directory.len() as u32).to_le_bytes());
    archive.extend(directory);
    archive.extend([&b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..], &length, &start, &[0, 0]].concat());
    archive
}

/// Loads a model, and checks that its answers are those of a fresh one of its mesh.
pub fn check_model(bytes: &[u8]) {
    let Ok(model) = Model::from_bytes(bytes) else { return };
    let fresh = Model::with(model.mesh().clone(), VolumeKind::Aabb, &BuildOptions::default());
    let size = model.mesh().max_coordinate().min(1e290);
    let pose = Pose::from_rows([[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]], [0.3 * size, size, -0.7 * size]);
    let pose = pose.expect("a rotation");
    let answer = |model: &Model| {
        let pair = Pair::new(model, &Pose::IDENTITY, model, &pose).ok()?;
        Some(pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new()).upper.to_bits())
    };
    assert_eq!(answer(&model), answer(&fresh));
}

/// A model file with its checksums put right, which no mutation by chance would do.
pub fn resealed(bytes: &[u8]) -> Vec<u8> {
    const HEADER: usize = 32;
    let mut file = bytes.to_vec();
    if file.len() < HEADER {
        return file;
    }
    let sum = crc32fast::hash(&file[..HEADER - 4]);
    file[HEADER - 4..HEADER].copy_from_slice(&sum.to_le_bytes());
    let mut start = HEADER;
    while let Some(length) =
        file.get(start..start + 8).and_then(|length| length.try_into().ok()).map(u64::from_le_bytes)
    {
        let end = (start as u64 + 8).saturating_add(length);
        if end.saturating_add(4) > file.len() as u64 {
            break;
        }
        let (from, end) = (start + 8, end as usize);
        let sum = crc32fast::hash(&file[from..end]).to_le_bytes();
        file[end..end + 4].copy_from_slice(&sum);
        // The tree, which comes after the mesh, names it.
        if start == HEADER && file.len() >= end + 16 {
            file[end + 12..end + 16].copy_from_slice(&sum);
        }
        start = end + 4;
    }
    file
}

fn heap_bytes(raw: &RawMesh) -> usize {
    raw.vertices.capacity() * size_of::<[f64; 3]>() + raw.triangles.capacity() * size_of::<[u32; 3]>()
}
