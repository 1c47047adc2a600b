//! Why a shape was refused.

use thiserror::Error;

/// Why a shape was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A size must be a number from 0 to 1e300.
    #[error("{shape}: {size} is {value:e}; it must be a number from 0 to 1e300")]
    BadSize {
        /// Kind of shape.
        shape: &'static str,
        /// Which size.
        size: &'static str,
        /// The value found.
        value: f64,
    },
    /// A point is not finite, or beyond 1e300.
    #[error("{shape}: point {index} is [{x:e}, {y:e}, {z:e}]; coordinates must be finite and at most 1e300")]
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
    /// A half-space needs a normal.
    #[error("half-space: the normal [{x:e}, {y:e}, {z:e}] has no direction")]
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
