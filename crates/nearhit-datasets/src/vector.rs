//! Points and vectors as arrays.

use crate::Point;

/// From `right` to `left`.
#[must_use]
pub fn subtract(left: Point, right: Point) -> Point {
    std::array::from_fn(|axis| left[axis] - right[axis])
}

/// The scalar product.
#[must_use]
pub fn dot(left: Point, right: Point) -> f64 {
    left[0] * right[0] + left[1] * right[1] + left[2] * right[2]
}

/// The vector product.
#[must_use]
pub fn cross(left: Point, right: Point) -> Point {
    std::array::from_fn(|axis| {
        left[(axis + 1) % 3] * right[(axis + 2) % 3] - left[(axis + 2) % 3] * right[(axis + 1) % 3]
    })
}

/// The Euclidean length.
#[must_use]
pub fn length(vector: Point) -> f64 {
    dot(vector, vector).sqrt()
}

/// The point `step` times `direction` from `origin`.
#[must_use]
pub fn along(origin: Point, direction: Point, step: f64) -> Point {
    std::array::from_fn(|axis| origin[axis] + direction[axis] * step)
}
