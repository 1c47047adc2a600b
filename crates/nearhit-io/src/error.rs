//! What can be wrong with a file, said with the file, the line and the text.
//!
//! Every message is complete in itself: no error here has a `source`, so a report that walks
//! sources does not say things twice.

mod gltf;
mod line;
mod xml;

pub use gltf::{GltfPlace, GltfProblem};
pub use line::{ElementProblem, LineProblem};
pub use xml::XmlProblem;

use crate::format::Format;
use nearhit::MeshError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a file was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system would not hand it over.
    #[error("{}: cannot be read: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// There is no memory for what the reader may need.
    #[error("{}: not enough memory: to read it may take {megabytes} MB", path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// What was asked for, in millions of bytes.
        megabytes: usize,
    },
    /// The path is a directory.
    #[error("{}: is a directory, not a file", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// A pipe, a socket or a device: reading it might never end.
    #[error("{}: is not a regular file; copy its contents to a file first", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The name does not tell the format.
    #[error("{}: has no extension to tell its format by (known: {})", path.display(), Format::known_extensions())]
    NoExtension {
        /// The file.
        path: PathBuf,
    },
    /// No reader for this kind of file.
    #[error(
        "{}: unknown extension {extension:?} (known: {}); {}",
        path.display(), Format::known_extensions(), conversion(extension)
    )]
    UnknownExtension {
        /// The file.
        path: PathBuf,
        /// Its extension, without the dot.
        extension: String,
    },
    /// The contents are wrong.
    #[error("{}{}", path.display(), error.after_path())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: ParseError,
    },
    /// The contents are right, but are not a mesh.
    #[error("{}: {error}", path.display())]
    Mesh {
        /// The file.
        path: PathBuf,
        /// Why it is not.
        error: MeshError,
    },
}

/// How a file of another format becomes one that can be read.
fn conversion(extension: &str) -> &'static str {
    match extension.to_ascii_lowercase().as_str() {
        "step" | "stp" | "iges" | "igs" | "brep" | "fcstd" => {
            "convert it to glTF or STL first, for example with FreeCAD"
        }
        "ifc" => "convert it to glTF first, for example with IfcConvert",
        "urdf" | "srdf" | "xacro" => "this is a robot, not a mesh: robots are asked with `nearhit robot check`",
        "nhm" => "a model file of `nearhit build` is not accepted here; give the mesh",
        _ => "convert it to glTF, OBJ or STL first, for example with Blender or MeshLab",
    }
}

/// Why bytes were refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// No bytes at all.
    #[error("the file is empty")]
    Empty,
    /// Something on a line of a text file.
    #[error("line {line}: {problem}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong there.
        problem: LineProblem,
    },
    /// Something at a byte of a binary file.
    #[error("byte {offset}: {problem}")]
    Byte {
        /// Where the bytes begin that are wrong, from 0.
        offset: usize,
        /// What is wrong there.
        problem: LineProblem,
    },
    /// Something in a glTF file whose JSON is in order.
    #[error("{place}{problem}")]
    Gltf {
        /// Which object.
        place: GltfPlace,
        /// What is wrong with it.
        problem: GltfProblem,
    },
    /// An element of an XML file.
    #[error("line {line}: {element}: {problem}")]
    Element {
        /// Number of the line, from 1.
        line: usize,
        /// The element, as `<source id="hull-positions">`.
        element: String,
        /// What is wrong with it.
        problem: XmlProblem,
    },
    /// Not an archive, or one that cannot be unpacked.
    #[error("{message}")]
    Archive {
        /// What is wrong.
        message: String,
    },
    /// Something in a file of an archive.
    #[error("{entry}: {error}")]
    Entry {
        /// The file in the archive.
        entry: String,
        /// What is wrong with it.
        error: Box<ParseError>,
    },
    /// A coordinate that is too large in the unit that was asked for.
    #[error("vertex {vertex}: a coordinate is {value:e} in the unit asked for, beyond the limit of 1e300")]
    Unit {
        /// Index of the vertex in its mesh, from 0.
        vertex: usize,
        /// The value.
        value: f64,
    },
    /// Neither kind of STL.
    #[error("not an STL file: it does not begin with \"solid\", and it is no binary STL file either")]
    NotStl,
    /// A binary STL file that ends before its last triangle.
    #[error("the header declares {declared} triangles, but the {length} bytes of the file hold {present}")]
    Truncated {
        /// How many triangles there should be.
        declared: u32,
        /// How many there are.
        present: usize,
        /// Length of the whole file in bytes.
        length: usize,
    },
    /// A binary STL file that may hold more triangles than it says.
    #[error("the header declares {declared} triangles, but {excess} bytes follow the last one")]
    Excess {
        /// How many triangles there should be.
        declared: u32,
        /// How many bytes come after them.
        excess: usize,
    },
    /// NaN or an infinity in a binary file.
    #[error("triangle {triangle}: corner {corner}: coordinate {axis} is {value}, not a finite number")]
    NotFinite {
        /// Index of the triangle, from 0.
        triangle: usize,
        /// 0, 1 or 2.
        corner: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// The value found.
        value: f32,
    },
}

impl ParseError {
    /// Number of the line that is wrong, from 1, if it is one.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Line { line, .. } | Self::Element { line, .. } => Some(*line),
            _ => None,
        }
    }

    /// The message as it follows a file's name: `:17: ...` is what editors can jump to.
    fn after_path(&self) -> String {
        match self {
            Self::Line { line, problem } => format!(":{line}: {problem}"),
            Self::Element { line, element, problem } => format!(":{line}: {element}: {problem}"),
            other => format!(": {other}"),
        }
    }
}
