//! What can be wrong with a glTF file whose JSON is in order.

use std::fmt::{Display, Formatter, Result};
use thiserror::Error;

/// Which object of a glTF file. All are numbered from 0, as in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GltfPlace {
    /// The file as a whole.
    File,
    /// A node.
    Node(usize),
    /// A primitive of a mesh.
    Primitive {
        /// The mesh.
        mesh: usize,
        /// The primitive among those of the mesh.
        primitive: usize,
    },
    /// An accessor.
    Accessor(usize),
    /// A buffer view.
    BufferView(usize),
    /// A buffer.
    Buffer(usize),
}

impl Display for GltfPlace {
    /// As a message begins with it.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Self::File => Ok(()),
            Self::Node(index) => write!(formatter, "node {index}: "),
            Self::Primitive { mesh, primitive } => write!(formatter, "mesh {mesh}: primitive {primitive}: "),
            Self::Accessor(index) => write!(formatter, "accessor {index}: "),
            Self::BufferView(index) => write!(formatter, "buffer view {index}: "),
            Self::Buffer(index) => write!(formatter, "buffer {index}: "),
        }
    }
}

/// What is wrong with an object of a glTF file.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GltfProblem {
    /// The frame of a GLB file is damaged.
    #[error("byte {offset}: {message}")]
    Container {
        /// Where, from 0.
        offset: usize,
        /// What is wrong there.
        message: String,
    },
    /// The JSON in a GLB file is not JSON, or not glTF.
    #[error("the JSON chunk: line {line} column {column}: {message}")]
    JsonChunk {
        /// Number of the line in the chunk, from 1.
        line: usize,
        /// Number of the column, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// Not glTF 2.
    #[error("glTF version {version:?} is not supported: 2.0 is")]
    Version {
        /// The version found.
        version: String,
    },
    /// Triangles may hide behind it.
    #[error("the extension {name:?} is required, but not supported")]
    Extension {
        /// The extension.
        name: String,
    },
    /// A reference to nothing.
    #[error("there is no {what} {index}: the file has {count}")]
    NoSuch {
        /// What should be there, as "accessor".
        what: &'static str,
        /// Its index, from 0.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A node in two places.
    #[error("it is a child of node {first} and again of node {second}")]
    TwoParents {
        /// The first parent.
        first: usize,
        /// The second, perhaps the same.
        second: usize,
    },
    /// No end of ancestors.
    #[error("it is its own ancestor")]
    Cycle,
    /// The mesh would be somewhere else, or of another shape, than its numbers say.
    #[error("{what} is not supported")]
    Unsupported {
        /// As "a mesh with a skin".
        what: &'static str,
    },
    /// A transform that cannot be one.
    #[error("{message}")]
    Transform {
        /// What is wrong with it, with the value.
        message: String,
    },
    /// NaN or an infinity.
    #[error("vertex {vertex}: coordinate {axis} is {value}, not a finite number")]
    NotFinite {
        /// Index of the vertex in its accessor, from 0.
        vertex: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// The value.
        value: f64,
    },
    /// A vertex that the transforms of the nodes put too far away.
    #[error("vertex {vertex}: coordinate {axis} is {value:e} in the scene, beyond the limit of 1e300")]
    TooLarge {
        /// Index of the vertex in its accessor, from 0.
        vertex: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// The value; an infinity or NaN if it is beyond any number.
        value: f64,
    },
    /// A primitive that is not what the format allows.
    #[error("{message}")]
    Primitive {
        /// What is wrong with it, with the value.
        message: String,
    },
    /// An index that names no vertex.
    #[error("index {position} is {index}, but there are {vertices} vertices (numbered from 0)")]
    IndexOutOfRange {
        /// Place in the list of indices, from 0.
        position: usize,
        /// The index.
        index: u64,
        /// How many vertices there are.
        vertices: usize,
    },
    /// An accessor that is not what is asked for.
    #[error("{message}")]
    Accessor {
        /// What is wrong with it, with the value.
        message: String,
    },
    /// More than there is.
    #[error("it reaches to byte {end}, but {of} has {length}")]
    OutOfBounds {
        /// First byte after it, saturated.
        end: u64,
        /// What it reaches out of, as "buffer 0".
        of: String,
        /// Its length in bytes.
        length: usize,
    },
    /// A buffer without its bytes.
    #[error("{message}")]
    Data {
        /// What is wrong, with the value.
        message: String,
    },
    /// Much out of little, by meshes used again and again.
    #[error("the scene has more than {limit} vertices and triangles, too many for a file of {length} bytes")]
    TooMuch {
        /// How many there may be.
        limit: u64,
        /// Length of the file with all its buffers, in bytes.
        length: u64,
    },
}
