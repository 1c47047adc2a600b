//! What can be wrong at one place of a file.

use thiserror::Error;

/// What is wrong with a line, or at a byte of a binary file. Texts are as in the file, cut short if
/// long.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineProblem {
    /// A text file has no such byte.
    #[error("there is a zero byte: this is a binary (or UTF-16) file, not a text file")]
    ZeroByte,
    /// What a line begins with cannot be a keyword.
    #[error("{text:?} is not the beginning of a statement")]
    NotAStatement {
        /// The first word.
        text: String,
    },
    /// Skipping it would lose triangles.
    #[error("the statement {text:?} is not supported: it may add surfaces that are not triangles or polygons")]
    Unsupported {
        /// The first word.
        text: String,
    },
    /// Not a number.
    #[error("vertex coordinate {axis} is {text:?}, not a number")]
    NotANumber {
        /// `x`, `y` or `z`.
        axis: char,
        /// The word found.
        text: String,
    },
    /// NaN or an infinity.
    #[error("vertex coordinate {axis} is {text:?}, not a finite number")]
    NotFinite {
        /// `x`, `y` or `z`.
        axis: char,
        /// The word found.
        text: String,
    },
    /// Magnitude above [`MAX_COORDINATE`](nearhit::MAX_COORDINATE).
    #[error("vertex coordinate {axis} is {text:?}, beyond the limit of 1e300")]
    TooLarge {
        /// `x`, `y` or `z`.
        axis: char,
        /// The word found.
        text: String,
    },
    /// Rows of a grid differ in length.
    #[error("a row of {found} heights, but the first row has {expected}")]
    UnevenRow {
        /// How many there are.
        found: usize,
        /// How many the first row has.
        expected: usize,
    },
    /// Fewer than three.
    #[error("too few coordinates: a vertex has 3, this one has {found}")]
    TooFewCoordinates {
        /// How many there are.
        found: usize,
    },
    /// Fewer than three.
    #[error("too few corners: a face has at least 3, this one has {found}")]
    TooFewCorners {
        /// How many there are.
        found: usize,
    },
    /// A triangle has three.
    #[error("a facet has 3 vertices, this one has {found}")]
    WrongCornerCount {
        /// How many there are.
        found: usize,
    },
    /// A corner of a face that names no vertex.
    #[error("face corner {text:?} does not begin with a vertex index")]
    NotAnIndex {
        /// The corner.
        text: String,
    },
    /// Vertices are numbered from 1.
    #[error("face corner {text:?} names vertex 0, but vertices are numbered from 1")]
    IndexZero {
        /// The corner.
        text: String,
    },
    /// No such vertex in the file.
    #[error("face corner {text:?} names a vertex that does not exist: the file has {vertices}")]
    IndexOutOfRange {
        /// The corner.
        text: String,
        /// How many vertices the file has.
        vertices: usize,
    },
    /// A negative index that reaches back too far.
    #[error("face corner {text:?} reaches back before the first vertex: there are {vertices} before this face")]
    RelativeOutOfRange {
        /// The corner.
        text: String,
        /// How many vertices come before the face.
        vertices: usize,
    },
    /// Another word than the grammar has.
    #[error("expected {expected}, found {found:?}")]
    Unexpected {
        /// What may stand here.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// The file ends too early.
    #[error("expected {expected}, but the file ends")]
    UnexpectedEnd {
        /// What should come.
        expected: &'static str,
    },
    /// Not a whole number, or one below 0.
    #[error("{what} is {text:?}, not a count")]
    NotACount {
        /// What should be counted.
        what: &'static str,
        /// The word found.
        text: String,
    },
    /// A corner of a face that is no whole number.
    #[error("face corner {text:?} is not a vertex index")]
    NotAVertex {
        /// The corner.
        text: String,
    },
    /// No such vertex in a file that numbers them from 0.
    #[error("face corner {text:?} names a vertex that does not exist: the file has {vertices}, numbered from 0")]
    NoSuchVertex {
        /// The corner.
        text: String,
        /// How many vertices the file has.
        vertices: u64,
    },
    /// A face whose line is shorter than it says.
    #[error("the face declares {declared} corners, but its line has {found}")]
    MissingCorners {
        /// How many corners there should be.
        declared: u64,
        /// How many there are.
        found: u64,
    },
    /// The end comes before the declared count is reached.
    #[error("the file ends before {element} {index}: the header declares {declared}")]
    TooFewElements {
        /// What is missing, as "vertex".
        element: String,
        /// Index of the first that is missing or cut, from 0.
        index: u64,
        /// How many there should be.
        declared: u64,
    },
    /// A line of a text file that has not all values of its element.
    #[error("the line ends before property {property:?}")]
    MissingProperty {
        /// The first property without a value.
        property: String,
    },
    /// The header is at odds with itself, or leaves out what is needed.
    #[error("element {element:?}: {problem}")]
    Element {
        /// The element, as "vertex".
        element: String,
        /// What is wrong with it.
        problem: ElementProblem,
    },
    /// A kind of file this reader does not know.
    #[error("{text:?} is not supported: {reason}")]
    UnsupportedKind {
        /// The word in the header.
        text: String,
        /// Why not.
        reason: &'static str,
    },
    /// What follows the end of the data.
    #[error("{count} bytes follow the last element")]
    Trailing {
        /// How many.
        count: usize,
    },
    /// Not XML, or XML with a document type definition, whose entities may grow without end.
    #[error("column {column}: {message}")]
    Xml {
        /// Number of the column, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// Another encoding.
    #[error("a byte is not UTF-8: save the file in that encoding")]
    NotUtf8,
    /// Not JSON, or JSON that is not glTF.
    #[error("column {column}: {message}")]
    Json {
        /// Number of the column, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
}

/// What is wrong with an element that a PLY header declares.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ElementProblem {
    /// Which of the two should be read?
    #[error("it is declared twice")]
    Twice,
    /// Which of the two should be read?
    #[error("property {name:?} is declared twice")]
    PropertyTwice {
        /// The property.
        name: String,
    },
    /// Without it there is no mesh.
    #[error("it has no property {name:?}")]
    NoProperty {
        /// The property, or several to choose from.
        name: &'static str,
    },
    /// A list where a number should be, or the other way round.
    #[error("property {name:?} is not {expected}")]
    WrongShape {
        /// The property.
        name: String,
        /// "a number" or "a list".
        expected: &'static str,
    },
    /// Skipping it would lose triangles.
    #[error("it is not known, but has {name:?}: it may hold surfaces that would be lost")]
    MayHoldSurfaces {
        /// The property.
        name: String,
    },
}
