//! Reads triangle meshes from files: bytes in, a checked [`Mesh`] or a typed error out.
//!
//! ```
//! use nearhit_io::{Format, parse};
//!
//! let square = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let raw = parse(square, Format::Obj)?;
//! assert_eq!(raw.triangles, [[0, 1, 2], [0, 2, 3]]);
//!
//! let error = parse(b"v 0 0 0\nv 1 1.2.3 0\n", Format::Obj).unwrap_err();
//! assert_eq!(error.to_string(), "line 2: vertex coordinate y is \"1.2.3\", not a number");
//! # Ok::<(), nearhit_io::ParseError>(())
//! ```
//!
//! [`read_mesh`] does the same with a file and names it: `parts/wheel.obj:17: vertex coordinate y
//! is ...`.
//!
//! | Format | Extension | What is read |
//! |---|---|---|
//! | OBJ | `obj` | vertices and faces; polygons become triangle fans, see [`Format::Obj`] |
//! | STL | `stl` | text and binary, told apart by content; equal corners are merged, see [`Format::Stl`] |
//! | PLY | `ply` | vertices, faces and triangle strips, text and binary of either byte order, see [`Format::Ply`] |
//! | OFF | `off` | vertices and faces, as text, with any of the letters C, N and ST, see [`Format::Off`] |
//! | glTF 2.0 | `gltf`, `glb` | the meshes of all nodes, placed in the scene, see [`Format::Gltf`] |
//! | COLLADA | `dae` | the geometries of all nodes, placed in the scene, see [`Format::Collada`] |
//! | 3MF | `3mf` | the objects of the build, placed, see [`Format::ThreeMf`] |
//!
//! [`read_parts`] keeps the meshes of a glTF, COLLADA or 3MF file apart, with the names of the
//! nodes that they are in, as paths; every other file is one part. [`read_assembly`] does the same
//! and reads a mesh that several nodes show only once.
//!
//! [`read_points`] reads point clouds, [`read_heights`] grids of heights.
//!
//! Numbers come as the file has them. [`Assembly::units`] says what they mean where the file does,
//! and the functions that take a [`Convention`] give metres, or another axis up.
//!
//! Three promises hold for every format and any bytes:
//!
//! * A reader never panics, and never allocates more than a fixed multiple of the input's length: a
//!   count in a header is checked against the length before it is believed. The multiple is small,
//!   except for files with nodes, which may share a mesh: [`Format::Gltf`] says how often.
//! * Triangles keep the order of the file. Degenerate and duplicate ones are kept.
//! * No triangle is dropped silently. What might be a lost triangle is an error.
//!
//! What a reader returns has every index in range and every coordinate finite and at most
//! [`MAX_COORDINATE`](nearhit::MAX_COORDINATE) in magnitude; it may have no triangles, which
//! [`read_mesh`] refuses.

mod assembly;
mod budget;
mod collada;
mod cracks;
mod error;
mod format;
mod gltf;
mod memory;
mod obj;
mod off;
mod part;
mod placing;
mod ply;
mod points;
mod polygon;
mod stl;
mod text;
mod threemf;
mod units;
mod weld;
mod xml;

pub use assembly::{Assembly, PlacedPart};
pub use cracks::welded;
pub use error::{ElementProblem, GltfPlace, GltfProblem, LineProblem, ParseError, ReadError, XmlProblem};
pub use format::Format;
pub use part::{Part, distinct_names};
pub use points::{read_heights, read_points};
pub use units::{Convention, Length, Units, UpAxis};

use nearhit::{Mesh, RawMesh};
use std::path::Path;

/// Reads the file at `path`; its format is told by its extension, in any case. Parts become one
/// mesh.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/file.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let path = file("read.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
/// let raw = nearhit_io::read(&path)?;
/// assert_eq!((raw.vertices.len(), raw.triangles), (3, vec![[0, 1, 2]]));
/// # Ok(())
/// # }
/// ```
pub fn read(path: &Path) -> Result<RawMesh, ReadError> {
    read_with(path, Convention::default())
}

/// Like [`read`], in the unit and with the axes asked for.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/file.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use nearhit_io::{Convention, Length, UpAxis};
///
/// let path = file("read_with.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
/// let upright = Convention { length: Length::Metres, up: Some(UpAxis::Z) };
/// let raw = nearhit_io::read_with(&path, upright)?; // an OBJ file says nothing of units: as it is
/// assert_eq!(raw.vertices[1], [1.0, 0.0, 0.0]);
/// # Ok(())
/// # }
/// ```
pub fn read_with(path: &Path, wanted: Convention) -> Result<RawMesh, ReadError> {
    let (format, bytes) = load(path)?;
    format.parse(&bytes, path.parent(), wanted).map_err(|error| ReadError::Parse { path: path.into(), error })
}

/// Reads the file at `path` and checks that it is a mesh, which a file without triangles is not.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/file.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let path = file("read_mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
/// assert_eq!(nearhit_io::read_mesh(&path)?.triangles().len(), 1);
/// let error = nearhit_io::read_mesh(&file("points.obj", "v 0 0 0\n")).unwrap_err();
/// assert!(error.to_string().contains("points.obj"));
/// # Ok(())
/// # }
/// ```
pub fn read_mesh(path: &Path) -> Result<Mesh, ReadError> {
    Mesh::try_from(read(path)?).map_err(|error| ReadError::Mesh { path: path.into(), error })
}

/// Reads the file at `path` in parts. Only glTF, COLLADA and 3MF files have several; one of another
/// format is a part with the name of the file, without its extension.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/file.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let path = file("read_parts.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
/// assert_eq!(nearhit_io::read_parts(&path)?[0].name, "read_parts");
/// # Ok(())
/// # }
/// ```
pub fn read_parts(path: &Path) -> Result<Vec<Part>, ReadError> {
    read_parts_with(path, Convention::default())
}

/// Like [`read_parts`], in the unit and with the axes asked for.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/file.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use nearhit_io::Convention;
///
/// let path = file("read_parts_with.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
/// assert_eq!(nearhit_io::read_parts_with(&path, Convention::default())?.len(), 1);
/// # Ok(())
/// # }
/// ```
pub fn read_parts_with(path: &Path, wanted: Convention) -> Result<Vec<Part>, ReadError> {
    let (format, bytes) = load(path)?;
    format.parse_parts(&bytes, path, wanted).map_err(|error| ReadError::Parse { path: path.into(), error })
}

/// Reads the file at `path` as shapes and parts: what [`read_parts`] reads, but a mesh that several
/// nodes of a file show is there once, with a pose for each. Where a node scales or shears, that is
/// in the shape.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/file.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let path = file("read_assembly.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
/// let assembly = nearhit_io::read_assembly(&path)?;
/// let part = &assembly.parts[0];
/// assert_eq!((part.name.as_str(), assembly.shapes[part.shape].triangles.len()), ("read_assembly", 1));
/// # Ok(())
/// # }
/// ```
pub fn read_assembly(path: &Path) -> Result<Assembly, ReadError> {
    read_assembly_with(path, Convention::default())
}

/// Like [`read_assembly`], in the unit and with the axes asked for.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/file.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use nearhit_io::Convention;
///
/// let path = file("read_assembly_with.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
/// assert_eq!(nearhit_io::read_assembly_with(&path, Convention::default())?.shapes.len(), 1);
/// # Ok(())
/// # }
/// ```
pub fn read_assembly_with(path: &Path, wanted: Convention) -> Result<Assembly, ReadError> {
    let (format, bytes) = load(path)?;
    format.parse_assembly(&bytes, path, wanted).map_err(|error| ReadError::Parse { path: path.into(), error })
}

/// Reads the contents of a file of the given format. Other files, which those of a glTF file may
/// be, are not read.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use nearhit_io::{Format, parse};
///
/// let raw = parse(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", Format::Obj)?;
/// assert_eq!(raw.triangles, [[0, 1, 2]]);
/// let error = parse(b"v 0 0 zero\n", Format::Obj).unwrap_err();
/// assert_eq!(error.line(), Some(1));
/// # Ok(())
/// # }
/// ```
pub fn parse(bytes: &[u8], format: Format) -> Result<RawMesh, ParseError> {
    format.parse(bytes, None, Convention::default())
}

fn load(path: &Path) -> Result<(Format, Vec<u8>), ReadError> {
    if path.is_dir() {
        return Err(ReadError::Directory { path: path.into() });
    }
    let format = Format::from_path(path)?;
    check_regular(path)?;
    let bytes = std::fs::read(path).map_err(|error| ReadError::Io { path: path.into(), error })?;
    memory::check(path, bytes.len())?;
    Ok((format, bytes))
}

/// Refuses pipes, sockets and devices, which might never end. A path that is not there is left to
/// the reader.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/file.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let path = file("check_regular.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
/// nearhit_io::check_regular(&path)?;
/// assert!(nearhit_io::check_regular(path.parent().expect("a folder")).is_err());
/// # Ok(())
/// # }
/// ```
pub fn check_regular(path: &Path) -> Result<(), ReadError> {
    match std::fs::metadata(path) {
        Ok(about) if about.is_dir() => Err(ReadError::Directory { path: path.into() }),
        Ok(about) if !about.is_file() => Err(ReadError::NotAFile { path: path.into() }),
        _ => Ok(()),
    }
}

/// The code of the crate's README is compiled with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
