//! Errors of meshes, poses and queries, with the index and the value.

use thiserror::Error;

/// The largest magnitude a coordinate may have, before and after posing.
///
/// Beyond it sums of a few coordinates could overflow, and a bound that overflowed could prune what
/// touches.
pub const MAX_COORDINATE: f64 = 1e300;

/// Error of a mesh.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A mesh must have something to touch.
    #[error("the mesh has no triangles")]
    NoTriangles,
    /// NaN or an infinity.
    #[error("vertex {vertex}: coordinate {axis} is {value}, not a finite number")]
    NotFinite {
        /// Index of the vertex, from 0.
        vertex: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// The value found.
        value: f64,
    },
    /// Magnitude above [`MAX_COORDINATE`].
    #[error("vertex {vertex}: coordinate {axis} is {value:e}, beyond the limit of 1e300")]
    TooLarge {
        /// Index of the vertex, from 0.
        vertex: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// The value found.
        value: f64,
    },
    /// A triangle names a vertex that does not exist.
    #[error(
        "triangle {triangle}: corner {corner} names vertex {index}, but there are {vertices} vertices (numbered from 0)"
    )]
    IndexOutOfRange {
        /// Index of the triangle, from 0.
        triangle: usize,
        /// 0, 1 or 2.
        corner: usize,
        /// The index found.
        index: u64,
        /// How many vertices there are.
        vertices: usize,
    },
    /// More than 2^31 - 1 triangles or 2^32 - 1 vertices.
    #[error("{count} {what}: the limit is {limit}")]
    TooMany {
        /// "triangles" or "vertices".
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// There is no memory for a tree over so many triangles.
    #[error("{triangles} triangles: not enough memory: with a tree they take up to {megabytes} MB")]
    Memory {
        /// How many there are.
        triangles: usize,
        /// What was asked for, in millions of bytes.
        megabytes: usize,
    },
}

/// Error of a pose.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PoseError {
    /// NaN or an infinity.
    #[error("pose: {entry} is {value}, not a finite number")]
    NotFinite {
        /// Which number, as `R[1][2]` or `t[0]`.
        entry: String,
        /// The value found.
        value: f64,
    },
    /// Scaled or sheared by more than 1e-5.
    #[error(
        "pose: the matrix is not a rotation: it is {deviation:.3e} away from the nearest one (at most 1e-5 is accepted); \
         a scale or shear belongs into the mesh"
    )]
    NotRigid {
        /// Largest difference of an entry from the nearest rotation's (infinite where there is
        /// none).
        deviation: f64,
    },
    /// Axes that are perpendicular, but not of length one.
    #[error("pose: the matrix is not a rotation: it scales by {}; scale the mesh instead", factors_text(*factors))]
    Scaled {
        /// The lengths of the three columns: by how much x, y and z are scaled.
        factors: [f64; 3],
    },
    /// A mirror image: determinant -1.
    #[error("pose: the matrix mirrors (its determinant is {determinant:.6}); a pose can only rotate and move")]
    Mirrored {
        /// The determinant.
        determinant: f64,
    },
    /// A quaternion or a bottom row that means nothing.
    #[error("pose: {message}")]
    Malformed {
        /// What is wrong, with the value.
        message: String,
    },
}

/// One number, if all three are the same; all digits that a user may have typed.
fn factors_text(factors: [f64; 3]) -> String {
    let digits = |factor: f64| format!("{:.5e}", factor).parse().unwrap_or(factor);
    let [x, y, z]: [f64; 3] = factors.map(digits);
    if x == y && y == z { format!("{x}") } else { format!("{x} in x, {y} in y, {z} in z") }
}

/// Error of a query. A refused query has no answer: it is never "no contact".
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The two models were built with different volumes.
    #[error("model a is a tree of {a}, model b of {b}: build both with the same volume")]
    DifferentVolumes {
        /// Name of a's volume.
        a: &'static str,
        /// Name of b's volume.
        b: &'static str,
    },
    /// A posed coordinate exceeds [`MAX_COORDINATE`].
    #[error("vertex {vertex} of b lands at coordinate {value:e} in a's frame, beyond the limit of 1e300")]
    PosedTooLarge {
        /// Index of the vertex of b, from 0.
        vertex: usize,
        /// The coordinate.
        value: f64,
    },
    /// Moving b into a's frame overflows.
    #[error("the two poses are too far apart: a relative translation of {value:e} is beyond the limit of 1e300")]
    TooFarApart {
        /// The component of the relative translation.
        value: f64,
    },
    /// A point, or one of many, is not a place.
    #[error("point {index}: coordinate {axis} is {value}, not a finite number of at most 1e300")]
    BadPoint {
        /// Which of the points given, from 0.
        index: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// The value found.
        value: f64,
    },
    /// A table beside a tree was made for another one.
    #[error("the averages given for model {model} were made for another tree")]
    OtherTree {
        /// `a` or `b`.
        model: char,
    },
    /// A ray goes nowhere.
    #[error("the ray has no direction: it needs one that is not zero")]
    NoDirection,
}

/// A broken invariant of a tree: the first one found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Violation {
    /// There must be a root.
    #[error("the tree has no nodes")]
    Empty,
    /// A run is empty, ends beyond its array, or children do not come after their parent.
    #[error("node {node}: its run {start}..{end} is not allowed here")]
    BadRun {
        /// Id of the node.
        node: u32,
        /// Start of the run.
        start: u32,
        /// End of the run, exclusive.
        end: u32,
    },
    /// Every node but the root has one parent.
    #[error("node {node} has {parents} parents")]
    Parents {
        /// Id of the node.
        node: u32,
        /// How many.
        parents: u32,
    },
    /// Every triangle is in one leaf.
    #[error("triangle {triangle} is in {leaves} leaves")]
    Leaves {
        /// Id of the triangle.
        triangle: u32,
        /// How many.
        leaves: u32,
    },
    /// The triangles below a node are one run of the order, child by child.
    #[error("node {node}: the triangles below it are not side by side")]
    Scattered {
        /// Id of the node.
        node: u32,
    },
    /// No distribution of triangles makes a tree like that.
    #[error("the tree has {height} levels; the limit is {limit}")]
    TooDeep {
        /// Edges on the longest way down.
        height: usize,
        /// How many there may be.
        limit: usize,
    },
    /// The axes of a node, or of a leaf, must be three unit vectors at right angles.
    #[error("node {node}: its axes are not unit vectors at right angles")]
    Frame {
        /// Id of the node or leaf.
        node: u32,
    },
    /// A volume must enclose all that is below it.
    #[error("node {node} does not enclose triangle {triangle}")]
    Outside {
        /// Id of the node.
        node: u32,
        /// Id of the triangle.
        triangle: u32,
    },
}
