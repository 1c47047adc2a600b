//! Swept spheres: a point, a segment or a rectangle, grown by a radius (Larsen, Gottschalk, Lin,
//! Manocha, "Fast Proximity Queries with Swept Sphere Volumes", 1999).
//!
//! The distance of two such volumes is the distance of their cores less the two radii, so one
//! family of core distances serves overlap and distance alike, for every pair of kinds. The sphere
//! swept along a point is [`super::sphere::Sphere`].
//!
//! The invariant of every core distance here: it may come out too small, never too large by more
//! than the rounding that a placement's slack covers. Where two cores can be nearly parallel this
//! holds by construction: what is returned is always the width of a slab that separates the cores,
//! measured along a direction; how the direction was found decides only how tight it is.

mod dynamic;
mod edges;
mod line;
mod mixed;
#[cfg(test)]
mod oracle;
mod point_distance;
mod rect;
mod rectangle_distance;
mod segment_distance;
mod segment_rectangle_distance;

pub use dynamic::{Dynamic, FamilyMotion, Member, PlacedDynamic};
pub use line::LineSwept;
pub use mixed::Mixed;
pub use rect::RectSwept;

use super::{Measure, Placement, corners};
use crate::bounds::Bounds;
use crate::mesh::Triangle;
use glam::{DMat3, DVec2, DVec3};
use std::f64::consts::PI;

/// Volume and surface of a rectangle with the given sides, grown by a radius: a segment or a point
/// where sides are zero.
fn grown(first: f64, second: f64, radius: f64) -> Measure {
    let (area, sides) = (first * second, first + second);
    Measure {
        volume: 2.0 * radius * area + PI * radius.powi(2) * sides + 4.0 / 3.0 * PI * radius.powi(3),
        surface: 2.0 * area + 2.0 * PI * radius * sides + 4.0 * PI * radius.powi(2),
    }
}

/// The core of a [`LineSwept`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Segment {
    center: DVec3,
    /// Of unit length.
    axis: DVec3,
    half_length: f64,
}

impl Segment {
    fn placed(&self, placement: &Placement) -> Self {
        let b_from_a = placement.b_from_a();
        Self { center: b_from_a.apply(self.center), axis: b_from_a.rotation() * self.axis, ..*self }
    }

    fn reach(&self) -> f64 {
        self.half_length
    }
}

/// The core of a [`RectSwept`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rectangle {
    center: DVec3,
    /// Orthonormal columns: along the first side, along the second, and the normal.
    axes: DMat3,
    /// Of the two sides.
    half_lengths: DVec2,
}

impl Rectangle {
    fn placed(&self, placement: &Placement) -> Self {
        let b_from_a = placement.b_from_a();
        Self { center: b_from_a.apply(self.center), axes: b_from_a.rotation() * self.axes, ..*self }
    }

    fn reach(&self) -> f64 {
        larger(self.half_lengths.x, self.half_lengths.y)
    }
}

/// Half the extents of the triangles along the three axes.
fn half_extents(axes: DMat3, triangles: &[Triangle]) -> DVec3 {
    let to_frame = axes.transpose();
    corners(triangles).map(|corner| to_frame * (corner - triangles[0][0])).collect::<Bounds>().half()
}

/// What is left of a core distance outside both radii.
#[inline]
fn clearance(core_distance: f64, radii: f64) -> f64 {
    let shrink = 1.0 - 8.0 * f64::EPSILON;
    (core_distance * shrink - radii).max(0.0)
}

/// Cores this far apart have a [`clearance`] of `limit` at least.
#[inline]
fn core_limit(limit: f64, radii: f64) -> f64 {
    (limit + radii) * (1.0 + 16.0 * f64::EPSILON)
}

/// The part of a coordinate that lies beyond an interval about zero.
#[inline]
fn beyond(coordinate: f64, half_length: f64) -> f64 {
    coordinate - within(coordinate, half_length)
}

/// The nearest coordinate of an interval about zero.
#[inline]
fn within(coordinate: f64, half_length: f64) -> f64 {
    smaller(larger(coordinate, -half_length), half_length)
}

/// Not `f64::max`: what that promises of NaN costs three instructions each time, and there is none
/// here.
#[inline]
fn larger(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}

/// As [`larger`].
#[inline]
fn smaller(x: f64, y: f64) -> f64 {
    if x < y { x } else { y }
}

/// Are squares of lengths up to `reach` within the range of doubles, with room below for what is
/// tiny beside it?
#[inline]
fn is_ordinary(reach: f64) -> bool {
    (1e-100..1e100).contains(&reach)
}

/// A power of two that makes `reach` ordinary.
fn rescaling(reach: f64) -> f64 {
    let power = if (1e-200..1e200).contains(&reach) { 400 } else { 800 };
    2f64.powi(if reach > 1.0 { -power } else { power })
}
