//! Witnesses: the triangles that decided an answer, and their closest points (witness points).

use super::Placement;
use crate::primitive::distance::{Nearest, distance};
use crate::query::TrianglePair;
use glam::DVec3;

/// Two triangles and a point of each.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Witness {
    /// Of a and of b, numbered from 0 in the order of the mesh.
    pub triangles: [u32; 2],
    /// On a and on b, in the world; the same point where the triangles touch.
    pub points: [[f64; 3]; 2],
}

impl Witness {
    /// Two triangles with their closest points, as the query saw them: b's corners moved into a's
    /// frame.
    #[must_use]
    pub fn new(placement: &Placement<'_>, triangles: TrianglePair) -> Self {
        let (a, b) = placement.pair().triangles(triangles);
        let Nearest { on_a, on_b, .. } = distance(&a, &b);
        Self::with_points(placement, triangles, [on_a, on_b])
    }

    /// Two triangles with points that are known, in a's frame.
    pub(super) fn with_points(placement: &Placement<'_>, triangles: TrianglePair, points: [DVec3; 2]) -> Self {
        Self { triangles: [triangles.a, triangles.b], points: points.map(|point| placement.point(point)) }
    }
}

/// Two triangles that touch, and what they share.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Contact {
    /// Of a and of b, numbered from 0 in the order of the mesh.
    pub triangles: [u32; 2],
    /// Corners of what the two share, in the world: one for a point, two for a segment, more for a
    /// flat patch.
    pub points: Vec<[f64; 3]>,
}

impl Contact {
    /// Contact of two triangles that intersect.
    #[must_use]
    pub fn new(placement: &Placement<'_>, triangles: TrianglePair) -> Self {
        let points = placement.pair().overlap(triangles).points().iter().map(|&point| placement.point(point)).collect();
        Self { triangles: [triangles.a, triangles.b], points }
    }
}
