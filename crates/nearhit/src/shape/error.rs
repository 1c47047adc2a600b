//! Why a shape was refused.

use thiserror::Error;

/// Why a shape was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A size must be a number from 0 to 1e300.
    #[error("{shape}: {size} is {}; it must be a number from 0 to 1e300", plain(*value))]
    BadSize {
        /// Kind of shape.
        shape: &'static str,
        /// Which size.
        size: &'static str,
        /// The value found.
        value: f64,
    },
    /// A point is not finite, or beyond 1e300.
    #[error("{shape}: point {index} is {}; coordinates must be finite and at most 1e300", triple(*x, *y, *z))]
    BadPoint {
        /// Kind of shape.
        shape: &'static str,
        /// Which point, from 0.
        index: usize,
        /// Its coordinates.
        x: f64,
        /// Its coordinates.
        y: f64,
        /// Its coordinates.
        z: f64,
    },
    /// A shape of points needs at least one.
    #[error("{shape}: there are no points")]
    NoPoints {
        /// Kind of shape.
        shape: &'static str,
    },
    /// A point cloud has one radius for all points, or one for each.
    #[error("point cloud: {radii} radii for {points} points; give one for all, or one for each")]
    WrongRadii {
        /// How many points there are.
        points: usize,
        /// How many radii.
        radii: usize,
    },
    /// A spacing or resolution must be above zero.
    #[error("{shape}: {size} is {}; it must be above 0, and the shape must end before 1e300", plain(*value))]
    NotPositive {
        /// Kind of shape.
        shape: &'static str,
        /// Which size.
        size: &'static str,
        /// The value found.
        value: f64,
    },
    /// Heights are no grid of at least two rows and two columns.
    #[error(
        "height field: {heights} heights are not rows of {columns}; it needs at least 2 rows and 2 columns, all full"
    )]
    NoGrid {
        /// How many heights there are.
        heights: usize,
        /// How many there should be in a row.
        columns: usize,
    },
    /// A height is not finite, or beyond 1e300.
    #[error(
        "height field: the height in row {row}, column {column} is {}; it must be finite and at most 1e300",
        plain(*value)
    )]
    BadHeight {
        /// From 0.
        row: usize,
        /// From 0.
        column: usize,
        /// The value found.
        value: f64,
    },
    /// The floor of a solid height field is above a height.
    #[error(
        "height field: the floor {} must be a number, and not above the least height {}",
        plain(*floor),
        plain(*least)
    )]
    FloorTooHigh {
        /// The floor given.
        floor: f64,
        /// The least height.
        least: f64,
    },
    /// A cell of an octree is too far from the origin.
    #[error(
        "octree: cell {value:e} of point or box {index} is too far from the origin; indices go to 2^30: choose a larger \
             resolution, or move the data"
    )]
    CellTooFar {
        /// Which point or box, from 0.
        index: usize,
        /// The cell's index along an axis.
        value: f64,
    },
    /// The last cell of a box is below its first.
    #[error("octree: box {index} goes from cell {first} to cell {last}; the last must not be below the first")]
    BadCells {
        /// Which box, from 0.
        index: usize,
        /// Its first cell along an axis.
        first: i32,
        /// Its last cell.
        last: i32,
    },
    /// There are more pieces than can be counted.
    #[error("{shape}: {count} pieces are too many; {most} are allowed: choose a larger resolution, or split it")]
    TooMany {
        /// Kind of shape.
        shape: &'static str,
        /// How many there are, at least.
        count: usize,
        /// How many are allowed.
        most: usize,
    },
    /// A half-space needs a normal.
    #[error("half-space: the normal {} has no direction", triple(*x, *y, *z))]
    NoNormal {
        /// Its coordinates.
        x: f64,
        /// Its coordinates.
        y: f64,
        /// Its coordinates.
        z: f64,
    },
    /// Meshes and half-spaces cannot be swept, nor what was swept three times.
    #[error("{shape}: cannot be swept; convex shapes can, three times at most")]
    NoSweep {
        /// Kind of shape.
        shape: &'static str,
    },
    /// A sphere-tree says nothing about another mesh.
    #[error(
        "the sphere-tree was made of another mesh than this one of {triangles} triangles: build it of the shape's own model"
    )]
    OtherSpheres {
        /// Of the shape's mesh.
        triangles: usize,
    },
    /// Sphere-trees are of meshes.
    #[error("a {shape} has no sphere-tree: only a mesh has")]
    NoMesh {
        /// Kind of shape.
        shape: &'static str,
    },
    /// A text that names no shape.
    #[error(
        "'{text}' is not a shape: {reason}; write for example ball:0.5, capsule:0.1,1, box:1,2,3, box:1,2,3+0.1, \
             cylinder:0.5,2, cone:0.5,2, cone:0.5,0.2,2, ellipsoid:1,2,3 or half-space:0,0,1,0"
    )]
    Unknown {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// So many points or cells a cloud or a height field may have.
pub(super) const MOST_PIECES: usize = (u32::MAX / 2) as usize;

/// Are there no more pieces than can be counted?
pub(super) fn few_enough(shape: &'static str, count: usize, most: usize) -> Result<(), ShapeError> {
    if count > most { Err(ShapeError::TooMany { shape, count, most }) } else { Ok(()) }
}

/// As people write it: with an exponent only where there would be many zeros.
fn plain(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-5..1e9).contains(&size) { format!("{value}") } else { format!("{value:e}") }
}

/// `[0, 0.5, 1e300]`.
fn triple(x: f64, y: f64, z: f64) -> String {
    format!("[{}, {}, {}]", plain(x), plain(y), plain(z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_told() {
        assert_eq!(MOST_PIECES, (1 << 31) - 1);
        assert_eq!(few_enough("point cloud", MOST_PIECES, MOST_PIECES), Ok(()));
        let error = few_enough("point cloud", MOST_PIECES + 1, MOST_PIECES).expect_err("one more");
        assert!(error.to_string().contains("2147483648 pieces are too many; 2147483647 are allowed"), "{error}");
    }

    #[test]
    fn numbers_are_as_people_write_them() {
        assert_eq!(triple(0.0, -3.0, 0.25), "[0, -3, 0.25]");
        assert_eq!(triple(1e308, -1e-300, 123_456_789.5), "[1e308, -1e-300, 123456789.5]");
        assert_eq!(triple(f64::NAN, f64::INFINITY, f64::NEG_INFINITY), "[NaN, inf, -inf]");
    }
}
