//! How far is a point from a segment, and from a rectangle?
//!
//! In the core's own frame the nearest point is found coordinate by coordinate. The core's axes are
//! orthonormal, so an error in the nearest point is across the shortest way and enters the distance
//! only by its square: no certificate is needed.

use super::{Rectangle, Segment, beyond, within};
use crate::vector::length;
use glam::DVec3;

#[inline]
pub(super) fn point_segment(point: DVec3, segment: &Segment) -> f64 {
    length(from_segment(point - segment.center, segment))
}

/// From the segment's nearest point; `offset` is from its middle.
#[inline]
fn from_segment(offset: DVec3, segment: &Segment) -> DVec3 {
    offset - segment.axis * within(segment.axis.dot(offset), segment.half_length)
}

#[inline]
pub(super) fn point_rectangle(point: DVec3, rectangle: &Rectangle) -> f64 {
    let offset = rectangle.axes.transpose() * (point - rectangle.center);
    length(DVec3::new(beyond(offset.x, rectangle.half_lengths.x), beyond(offset.y, rectangle.half_lengths.y), offset.z))
}
