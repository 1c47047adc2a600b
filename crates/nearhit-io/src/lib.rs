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
//! [`read_mesh`] does the same with a file and names it: `parts/wheel.obj:17: vertex coordinate y is ...`.
//!
//! | Format | Extension | What is read |
//! |---|---|---|
//! | OBJ | `obj` | vertices and faces; polygons become triangle fans, see [`Format::Obj`] |
//! | STL | `stl` | text and binary, told apart by content; equal corners are merged, see [`Format::Stl`] |
//!
//! Three promises hold for every format and any bytes:
//!
//! * A reader never panics, and never allocates more than a small multiple of the input's length: a count
//!   in a header is checked against the length before it is believed.
//! * Triangles keep the order of the file. Degenerate and duplicate ones are kept.
//! * No triangle is dropped silently. What might be a lost triangle is an error.
//!
//! What a reader returns has every index in range and every coordinate finite and at most
//! [`MAX_COORDINATE`](nearhit::MAX_COORDINATE) in magnitude; it may have no triangles, which [`read_mesh`] refuses.

mod error;
mod format;
mod obj;
mod stl;
mod text;
mod weld;

pub use error::{LineProblem, ParseError, ReadError};
pub use format::Format;

use nearhit::{Mesh, RawMesh};
use std::path::Path;

/// Reads the file at `path`; its format is told by its extension, in any case.
pub fn read(path: &Path) -> Result<RawMesh, ReadError> {
    if path.is_dir() {
        return Err(ReadError::Directory { path: path.into() });
    }
    let format = Format::from_path(path)?;
    let bytes = std::fs::read(path).map_err(|error| ReadError::Io { path: path.into(), error })?;
    parse(&bytes, format).map_err(|error| ReadError::Parse { path: path.into(), error })
}

/// Reads the file at `path` and checks that it is a mesh, which a file without triangles is not.
pub fn read_mesh(path: &Path) -> Result<Mesh, ReadError> {
    Mesh::try_from(read(path)?).map_err(|error| ReadError::Mesh { path: path.into(), error })
}

/// Reads the contents of a file of the given format.
pub fn parse(bytes: &[u8], format: Format) -> Result<RawMesh, ParseError> {
    if bytes.is_empty() {
        return Err(ParseError::Empty);
    }
    format.parse(bytes)
}
