//! Which formats there are.
//!
//! A new format is a file with a [`Reader`] constant, and here a variant and two mentions of it.

use crate::error::{ParseError, ReadError};
use crate::{obj, stl};
use nearhit::RawMesh;
use std::path::Path;

/// A file format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ.
    ///
    /// A face of n corners becomes the n - 2 triangles of a fan around its first corner, in order. That is
    /// the face itself where it is flat and convex; a concave face should be triangulated before it is written.
    /// Texture and normal indices, `w` and vertex colours are not looked at. `V` and `F` mean `v` and `f`.
    ///
    /// A positive index may name a vertex that comes later in the file; a negative one counts back from the
    /// vertices before its face. Statements that hold no triangles (`vn`, `g`, `usemtl`, `l`, ...) are skipped.
    /// Statements that hold surfaces this reader cannot turn into triangles (`surf`, `bzp`, `bsp`, `cdp`) or
    /// name a file that may hold some (`call`) are errors. A comment begins with a `#` after white space or at
    /// the start of a line, and does not go on after a backslash; everything else does.
    Obj,
    /// STL, text or binary.
    ///
    /// A file is binary if its length is the one its header declares, whatever it begins with; otherwise it is
    /// text if it begins with `solid` and has no zero byte where a binary file has its header.
    ///
    /// Corners with equal coordinates become one vertex; -0.0 is read as 0.0, so that the two are equal. There is
    /// no tolerance: what differs in the last bit stays apart. Vertices are numbered as they first occur. The
    /// single precision numbers of binary files widen exactly; those of text files are read in double precision.
    /// Normals and attribute bytes are not looked at.
    ///
    /// Up to 49 bytes after the last triangle of a binary file are ignored: they cannot be a triangle. More are
    /// an error, because the declared count might be wrong. The name of a `solid` goes to the end of its line,
    /// and a vertex has its three coordinates on its own line; otherwise any white space will do in a text file.
    Stl,
}

/// What a format's file provides.
pub(crate) struct Reader {
    pub(crate) name: &'static str,
    /// In lower case, without the dot.
    pub(crate) extensions: &'static [&'static str],
    /// Gets at least one byte.
    pub(crate) parse: fn(&[u8]) -> Result<RawMesh, ParseError>,
}

impl Format {
    /// Every format.
    pub const ALL: &[Self] = &[Self::Obj, Self::Stl];

    fn reader(self) -> &'static Reader {
        match self {
            Self::Obj => &obj::READER,
            Self::Stl => &stl::READER,
        }
    }

    /// What people call it, as "OBJ".
    #[must_use]
    pub fn name(self) -> &'static str {
        self.reader().name
    }

    /// Extensions of its files, in lower case, without the dot.
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        self.reader().extensions
    }

    /// The format whose files have this extension (in any case, without the dot).
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        let known = |format: &Self| format.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension));
        Self::ALL.iter().copied().find(known)
    }

    /// The format of a file with this name.
    pub fn from_path(path: &Path) -> Result<Self, ReadError> {
        let Some(extension) = path.extension() else {
            return Err(ReadError::NoExtension { path: path.into() });
        };
        let extension = extension.to_string_lossy();
        Self::from_extension(&extension)
            .ok_or_else(|| ReadError::UnknownExtension { path: path.into(), extension: extension.into_owned() })
    }

    /// "obj, stl": for a message.
    pub(crate) fn known_extensions() -> String {
        let extensions: Vec<&str> = Self::ALL.iter().flat_map(|format| format.extensions()).copied().collect();
        extensions.join(", ")
    }

    pub(crate) fn parse(self, bytes: &[u8]) -> Result<RawMesh, ParseError> {
        (self.reader().parse)(bytes)
    }
}
