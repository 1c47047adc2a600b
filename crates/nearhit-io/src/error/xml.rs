//! What can be wrong with an element of an XML file: of meshes here, of robots in `nearhit-robot`.

use thiserror::Error;

/// What is wrong with an element. Texts are as in the file, cut short if long.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum XmlProblem {
    /// The file is of another kind.
    #[error("the file does not begin with <{expected}>")]
    Root {
        /// The element that should be there.
        expected: &'static str,
    },
    /// Without it there is no answer.
    #[error("it has no {what}")]
    Missing {
        /// As "attribute \"url\"" or "<float_array>".
        what: String,
    },
    /// Which of the two is meant?
    #[error("there is another {what} {id:?}")]
    Twice {
        /// As "element with the id".
        what: &'static str,
        /// Its name.
        id: String,
    },
    /// Not a number.
    #[error("{what} is {text:?}, not a number")]
    NotANumber {
        /// What it should be.
        what: String,
        /// The word found.
        text: String,
    },
    /// NaN, an infinity, or beyond what can be told apart.
    #[error("{what} is {text:?}, not a finite number of at most {limit:e}")]
    NotFinite {
        /// What it should be.
        what: String,
        /// The word found.
        text: String,
        /// The largest magnitude.
        limit: f64,
    },
    /// Not a whole number, or one below 0.
    #[error("{what} is {text:?}, not a count")]
    NotACount {
        /// What it should be.
        what: String,
        /// The word found.
        text: String,
    },
    /// A value that is none of those the format has.
    #[error("{what} is {text:?}, which the format does not have")]
    Unknown {
        /// As "the unit".
        what: &'static str,
        /// The word found.
        text: String,
    },
    /// More or fewer than declared or needed.
    #[error("there should be {expected} {what}, but there are {found}")]
    Count {
        /// As "numbers".
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Corners that make no whole triangles or polygons.
    #[error("its {found} corners do not make whole triangles")]
    Corners {
        /// How many there are.
        found: usize,
    },
    /// An index that names no vertex.
    #[error("a corner names vertex {index}, but there are {vertices} (numbered from 0)")]
    NoVertex {
        /// The index.
        index: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A reference to nothing.
    #[error("there is no {what} {id:?}")]
    NoSuch {
        /// As "geometry".
        what: &'static str,
        /// Its name.
        id: String,
    },
    /// It would contain itself without end.
    #[error("it contains itself, by way of {id:?}")]
    Cycle {
        /// What is contained.
        id: String,
    },
    /// Triangles may hide in it, or it says that they are elsewhere.
    #[error("{what} is not supported")]
    Unsupported {
        /// As "a skin".
        what: String,
    },
    /// A vertex that the transforms put too far away.
    #[error("vertex {vertex}: coordinate {axis} is {value:e} where it is placed, beyond the limit of 1e300")]
    Misplaced {
        /// Index of the vertex in its mesh, from 0.
        vertex: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// The value; an infinity or NaN if it is beyond any number.
        value: f64,
    },
    /// Much out of little, by meshes used again and again.
    #[error("the file shows more than {limit} vertices and triangles, too many for {length} bytes")]
    TooMuch {
        /// How many there may be.
        limit: u64,
        /// Length of the file in bytes.
        length: u64,
    },
}
