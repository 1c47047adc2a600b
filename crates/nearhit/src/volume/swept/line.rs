//! Line-swept spheres: a segment grown by a radius, a cylinder with round ends (§4.1 of the
//! swept-sphere paper).

use super::point_distance::point_segment;
use super::segment_distance::segment_segment;
use super::{Segment, clearance, grown, half_extents};
use crate::mesh::Triangle;
use crate::pose::Pose;
use crate::vector::length;
use crate::volume::sphere::Sphere;
use crate::volume::stored::{Numbers, Stored};
use crate::volume::{
    BoundingVolume, Covariance, DENORMALS, Measure, Placement, Support, Tightness, corners, frame, largest_coordinate,
};
use glam::{DMat3, DVec3};
use std::f64::consts::TAU;

/// A segment grown by a radius.
#[doc(alias = "LSS")]
#[doc(alias = "swept sphere volume")]
#[doc(alias = "capsule")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineSwept {
    pub(super) core: Segment,
    pub(super) radius: f64,
}

impl LineSwept {
    /// The middle of the segment.
    #[must_use]
    pub fn center(&self) -> DVec3 {
        self.core.center
    }

    /// The unit direction of the segment.
    #[must_use]
    pub fn axis(&self) -> DVec3 {
        self.core.axis
    }

    /// Half the length of the segment, without the round ends.
    #[must_use]
    pub fn half_length(&self) -> f64 {
        self.core.half_length
    }

    /// How far the segment is grown.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The same segment, grown by another radius.
    #[must_use]
    pub fn with_radius(self, radius: f64) -> Self {
        Self { radius, ..self }
    }

    /// Along the axis in which the triangles are longest, around the smallest circle of their
    /// shadow across it.
    fn along(axes: DMat3, triangles: &[Triangle]) -> Self {
        let axis = axes.col(half_extents(axes, triangles).max_position());
        let origin = triangles[0][0];
        let across = |point: DVec3| (point - origin) - axis * axis.dot(point - origin);
        let shadow: Vec<Triangle> = triangles.iter().map(|triangle| triangle.map(across)).collect();
        // The smallest ball of points in a plane has their smallest circle for its equator.
        let circle = Sphere::fit(&shadow);
        let (low, high) = corners(triangles).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), corner| {
            let along = axis.dot(corner - origin);
            let cap = half_chord(circle.radius(), length(across(corner) - circle.center()));
            (low.min(along + cap), high.max(along - cap))
        });
        // Where the caps alone hold everything, the segment is a point anywhere between.
        let core = Segment {
            center: origin + circle.center() + axis * (low * 0.5 + high * 0.5),
            axis,
            half_length: (high * 0.5 - low * 0.5).max(0.0),
        };
        Self::around(core, triangles)
    }

    /// The surface, in units that do not overflow.
    fn surface_in(&self, unit: f64) -> f64 {
        let (half_length, radius) = (self.core.half_length / unit, self.radius / unit);
        2.0 * TAU * radius * (half_length + radius)
    }

    /// With the radius that encloses everything in spite of rounding.
    fn around(core: Segment, triangles: &[Triangle]) -> Self {
        let reach = corners(triangles).fold(0.0, |radius: f64, corner| radius.max(point_segment(corner, &core)));
        let rounding = 8.0 * f64::EPSILON * (reach + core.half_length + largest_coordinate(triangles)) + DENORMALS;
        Self { core, radius: reach + rounding }
    }
}

/// How far a ball of radius `radius` reaches along an axis at distance `off` from it.
pub(super) fn half_chord(radius: f64, off: f64) -> f64 {
    // As a product: squares of 1e300 overflow.
    (radius - off).max(0.0).sqrt() * (radius + off).sqrt()
}

impl crate::volume::sealed::Sealed for LineSwept {}

impl BoundingVolume for LineSwept {
    type Motion = Placement;
    type Placed = Self;
    const NAME: &'static str = "lss";

    fn fit(triangles: &[Triangle]) -> Self {
        // For single triangles too: measured, the longest edge is a worse axis than the principal
        // one.
        let spread = frame::principal_axes(triangles);
        let (oriented, upright) = (Self::along(spread, triangles), Self::along(DMat3::IDENTITY, triangles));
        let unit = upright.size().max(f64::MIN_POSITIVE);
        if upright.surface_in(unit) < oriented.surface_in(unit) { upright } else { oriented }
    }

    fn fit_by(triangles: &[Triangle], covariance: Covariance) -> Self {
        match covariance {
            Covariance::Surface => Self::fit(triangles),
            Covariance::Corners => Self::along(frame::corner_axes(triangles), triangles),
        }
    }

    fn size(&self) -> f64 {
        self.core.half_length + self.radius
    }

    fn measure(&self, unit: f64) -> Measure {
        grown(2.0 * self.core.half_length / unit, 0.0, self.radius / unit)
    }

    fn motion(placement: &Placement) -> Placement {
        *placement
    }

    fn place(&self, placement: &Placement) -> Self {
        Self { core: self.core.placed(placement), radius: self.radius + placement.slack() }
    }

    #[inline]
    fn disjoint(&self, a: &Self) -> bool {
        self.lower_bound(a) > 0.0
    }

    #[inline]
    fn lower_bound(&self, a: &Self) -> f64 {
        clearance(segment_segment(&a.core, &self.core), a.radius + self.radius)
    }
}

impl Support for LineSwept {
    fn support(&self, direction: DVec3) -> DVec3 {
        let end = self.core.axis * self.core.half_length.copysign(self.core.axis.dot(direction));
        self.core.center + end + direction * (self.radius / length(direction))
    }

    fn contains(&self, point: DVec3) -> bool {
        point_segment(point, &self.core) <= self.radius
    }

    fn claim(&self, _a: &Self, _b_from_a: &Pose) -> Tightness {
        Tightness::Exact
    }
}

impl Stored for LineSwept {
    const NUMBERS: usize = 8;

    fn store(&self, numbers: &mut Vec<f64>) {
        numbers.extend(self.core.center.to_array());
        numbers.extend(self.core.axis.to_array());
        numbers.extend([self.core.half_length, self.radius]);
    }

    fn restore(numbers: &[f64], reach: f64) -> Option<Self> {
        let mut numbers = Numbers::new(numbers, reach);
        let (center, axis) = (numbers.point()?, numbers.unit_vector()?);
        Some(Self { core: Segment { center, axis, half_length: numbers.length()? }, radius: numbers.length()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bar of square section: the circle around the section, and caps that reach past its ends.
    #[test]
    fn caps_hold_what_lies_off_the_axis() {
        let corner = |x: f64, y: f64, z: f64| DVec3::new(5.0 * x, y, z);
        let ends =
            [-1.0, 1.0].map(|x| [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[y, z]| corner(x, y, z)));
        let mut triangles: Vec<Triangle> = (0..4).map(|i| [ends[0][i], ends[1][i], ends[0][(i + 1) % 4]]).collect();
        triangles.push([corner(-1.2, 0.0, 0.0), corner(1.2, 0.0, 0.0), corner(0.0, 0.0, 0.0)]);
        let fitted = LineSwept::fit(&triangles);
        assert!((fitted.radius - 2f64.sqrt()).abs() < 1e-12, "{fitted:?}");
        // The corners lie on the rim and need the whole bar; the tips at 6 are held by the caps.
        assert!((fitted.core.half_length - 5.0).abs() < 1e-6, "{fitted:?}");
        assert!(fitted.axis().x.abs() > 1.0 - 1e-12, "{fitted:?}");
    }

    /// An octahedron: the tips are held by the caps of the circle around the waist.
    #[test]
    fn a_round_set_needs_no_segment() {
        let waist = [DVec3::Y, DVec3::Z, -DVec3::Y, -DVec3::Z];
        let cone = |tip: DVec3| (0..4).map(move |i| [tip, waist[i], waist[(i + 1) % 4]]);
        let triangles: Vec<Triangle> = cone(DVec3::X).chain(cone(-DVec3::X)).collect();
        let fitted = LineSwept::fit(&triangles);
        assert!(fitted.half_length() < 1e-7 && (fitted.radius() - 1.0).abs() < 1e-7, "{fitted:?}");
    }
}
