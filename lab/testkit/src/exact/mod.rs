//! Exact answers about two triangles: what is true of the given doubles, without any rounding.
//!
//! Every finite `f64` is an integer times a power of two, so all inputs of a question are first
//! brought to integers over one common power of two; from there on only big integers are used.
//! [`intersects`] and [`squared_distance`] are two different derivations on purpose: each checks
//! the other.

mod bracket;
mod distance;
pub(crate) mod integers;
mod intersect;
mod orientation;

pub use bracket::{Bracket, square_of, square_root};
pub use distance::squared_distance;
pub use intersect::intersects;
pub use orientation::{orient2d, orient3d};
