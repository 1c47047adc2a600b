//! Why a model file was refused.

use crate::error::{MeshError, Violation};
use thiserror::Error;

/// What is wrong with a model file, and where. Offsets count bytes from the start of the file.
///
/// A message is the whole of it, so there are no sources: who prints those, too, would say
/// everything twice.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The bytes could not be had.
    #[error("cannot be read: {0}")]
    Io(std::io::Error),
    /// It does not begin as model files do.
    #[error("not a nearhit model: it begins with \"{found}\"")]
    NotAModel {
        /// Its first bytes, escaped.
        found: String,
    },
    /// Written by a program that knows more.
    #[error("its format has version {found}, but only version {known} is known here")]
    Version {
        /// As in the file.
        found: u32,
        /// What this library writes and reads.
        known: u32,
    },
    /// It ends too early, or a count in it is too large.
    #[error("byte {offset}: {what} needs {needed} bytes, but {left} are left")]
    Truncated {
        /// What was to be read.
        what: &'static str,
        /// Where.
        offset: usize,
        /// How many bytes it needs.
        needed: u128,
        /// How many there are.
        left: usize,
    },
    /// Something was changed since it was written.
    #[error("byte {offset}: the {what} is damaged: its checksum is {stored:08x}, but its bytes give {computed:08x}")]
    Damaged {
        /// Which part.
        what: &'static str,
        /// Where it starts.
        offset: usize,
        /// As in the file.
        stored: u32,
        /// As it should be.
        computed: u32,
    },
    /// A number or name that means nothing here.
    #[error("byte {offset}: {what} is {value}, {expected}")]
    Value {
        /// Where.
        offset: usize,
        /// What it is about.
        what: &'static str,
        /// What was found.
        value: String,
        /// What is wrong about it.
        expected: &'static str,
    },
    /// More than there should be.
    #[error("byte {offset}: {count} bytes too many at the end of the {what}")]
    Surplus {
        /// Of which part.
        what: &'static str,
        /// Where the surplus starts.
        offset: usize,
        /// How many bytes.
        count: usize,
    },
    /// An outline that does not outline what its node encloses.
    #[error("its flying data: the outline of node {node} {problem}")]
    Outline {
        /// Id of the node.
        node: u32,
        /// What is wrong.
        problem: &'static str,
    },
    /// The mesh in it is none.
    #[error("its mesh: {0}")]
    Mesh(MeshError),
    /// The tree in it is not one over its mesh.
    #[error("its tree: {0}")]
    Tree(Violation),
}

impl From<std::io::Error> for FileError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<MeshError> for FileError {
    fn from(error: MeshError) -> Self {
        Self::Mesh(error)
    }
}

impl From<Violation> for FileError {
    fn from(violation: Violation) -> Self {
        Self::Tree(violation)
    }
}
