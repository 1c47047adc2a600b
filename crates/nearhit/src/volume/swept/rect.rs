//! Rectangle-swept spheres: a rectangle grown by a radius, a box with round edges (§4.1 of the
//! swept-sphere paper).

use super::line::half_chord;
use super::point_distance::point_rectangle;
use super::rectangle_distance::{rectangle_rectangle, rectangle_rectangle_up_to, rectangles_apart};
use super::{Rectangle, clearance, core_limit, grown, half_extents};
use crate::mesh::Triangle;
use crate::pose::Pose;
use crate::vector::length;
use crate::volume::stored::{Numbers, Stored};
use crate::volume::{
    BoundingVolume, Covariance, DENORMALS, Measure, Placement, Support, Tightness, corners, frame, largest_coordinate,
};
use glam::{DMat3, DVec2, DVec3};
use std::f64::consts::{SQRT_2, TAU};

/// A rectangle grown by a radius.
#[doc(alias = "RSS")]
#[doc(alias = "swept sphere volume")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RectSwept {
    pub(super) core: Rectangle,
    pub(super) radius: f64,
}

impl RectSwept {
    /// The middle of the rectangle.
    #[must_use]
    pub fn center(&self) -> DVec3 {
        self.core.center
    }

    /// Unit columns: along the rectangle's two sides, and its normal.
    #[must_use]
    pub fn axes(&self) -> DMat3 {
        self.core.axes
    }

    /// Half the lengths of the rectangle's sides, without the round edges.
    #[must_use]
    pub fn half_lengths(&self) -> DVec2 {
        self.core.half_lengths
    }

    /// How far the rectangle is grown.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The same rectangle, grown by another radius.
    #[must_use]
    pub fn with_radius(self, radius: f64) -> Self {
        Self { radius, ..self }
    }

    /// With the rectangle across the axis along which the triangles are thinnest.
    fn along(axes: DMat3, triangles: &[Triangle]) -> Self {
        let origin = triangles[0][0];
        let axes = thinnest_last(axes, triangles);
        let to_frame = axes.transpose();
        let local = corners(triangles).map(|corner| to_frame * (corner - origin));
        let (low, high) = local
            .clone()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| (low.min(point.z), high.max(point.z)));
        let (middle, radius) = (low * 0.5 + high * 0.5, high * 0.5 - low * 0.5);
        let shadow =
            local.map(|point| Seen { place: point.truncate(), cap: half_chord(radius, (point.z - middle).abs()) });
        let sides = Sides::around(shadow.clone()).with_corners(shadow);
        let center = sides.low * 0.5 + sides.high * 0.5;
        let core = Rectangle {
            center: origin + axes * center.extend(middle),
            axes,
            half_lengths: sides.high * 0.5 - sides.low * 0.5,
        };
        Self::around(core, triangles)
    }

    /// The surface, by Steiner's formula, in units that do not overflow.
    fn surface_in(&self, unit: f64) -> f64 {
        let (sides, radius) = (self.core.half_lengths * (2.0 / unit), self.radius / unit);
        2.0 * sides.x * sides.y + TAU * radius * (sides.x + sides.y) + 2.0 * TAU * radius * radius
    }

    /// With the radius that encloses everything in spite of rounding.
    fn around(core: Rectangle, triangles: &[Triangle]) -> Self {
        let reach = corners(triangles).fold(0.0, |radius: f64, corner| radius.max(point_rectangle(corner, &core)));
        let rounding = 8.0 * f64::EPSILON * (reach + core.reach() + largest_coordinate(triangles)) + DENORMALS;
        Self { core, radius: reach + rounding }
    }
}

/// A point over the rectangle's plane, and how far from a place straight under it the sphere may be
/// to hold it.
#[derive(Debug, Clone, Copy)]
struct Seen {
    place: DVec2,
    cap: f64,
}

/// The rectangle while it is fitted, in its own plane.
#[derive(Debug, Clone, Copy)]
struct Sides {
    low: DVec2,
    high: DVec2,
}

impl Sides {
    /// The smallest rectangle whose sides, swept as if they went on for ever, hold every point:
    /// seen along either side, the volume is a stadium.
    fn around(points: impl Iterator<Item = Seen>) -> Self {
        let (low, high) = points.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), Seen { place, cap }| {
            (low.min(place + cap), high.max(place - cap))
        });
        // Where the caps alone hold everything, the side is a point anywhere between.
        let middle = low * 0.5 + high * 0.5;
        Self { low: low.min(middle), high: high.max(middle) }
    }

    /// A point beyond two sides at once may be within the swept edges and still outside the ball
    /// around the corner. The corner then moves out along its diagonal until the ball reaches the
    /// point. Each side moves as far as the worse of its two corners asks.
    fn with_corners(self, points: impl Iterator<Item = Seen>) -> Self {
        let middle = self.low * 0.5 + self.high * 0.5;
        let half = self.high * 0.5 - self.low * 0.5;
        points.fold(self, |sides, Seen { place, cap }| {
            let offset = place - middle;
            let step = diagonal_step(offset.abs() - half, cap);
            Self {
                low: DVec2::select(offset.cmplt(DVec2::ZERO), sides.low.min(self.low - step), sides.low),
                high: DVec2::select(offset.cmpgt(DVec2::ZERO), sides.high.max(self.high + step), sides.high),
            }
        })
    }
}

/// How far a corner must move along its diagonal, in each coordinate, to come within `cap` of a
/// point `excess` beyond it.
///
/// Of the two solutions of `(x - s)² + (y - s)² = cap²` the nearer. Both excesses are at most
/// `cap`, so there are solutions.
fn diagonal_step(excess: DVec2, cap: f64) -> f64 {
    if excess.min_element() <= 0.0 || length(excess.extend(0.0)) <= cap {
        return 0.0;
    }
    let (sum, difference) = (excess.x + excess.y, (excess.x - excess.y).abs());
    let reach = half_chord(SQRT_2 * cap, difference);
    (0.5 * (sum - reach)).max(0.0)
}

impl crate::volume::sealed::Sealed for RectSwept {}

impl BoundingVolume for RectSwept {
    type Motion = Placement;
    type Placed = Self;
    const NAME: &'static str = "rss";

    fn fit(triangles: &[Triangle]) -> Self {
        // A single triangle lies in its rectangle with its longest edge on a side: no radius, and
        // no smaller rectangle does it.
        let spread = match triangles {
            [single] => frame::triangle_axes(single).unwrap_or_else(|| frame::principal_axes(triangles)),
            _ => frame::principal_axes(triangles),
        };
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
        length(self.core.half_lengths.extend(0.0)) + self.radius
    }

    fn measure(&self, unit: f64) -> Measure {
        let sides = self.core.half_lengths * 2.0 / unit;
        grown(sides.x, sides.y, self.radius / unit)
    }

    fn motion(placement: &Placement) -> Placement {
        *placement
    }

    fn place(&self, placement: &Placement) -> Self {
        Self { core: self.core.placed(placement), radius: self.radius + placement.slack() }
    }

    #[inline]
    fn disjoint(&self, a: &Self) -> bool {
        rectangles_apart(&a.core, &self.core, a.radius + self.radius)
    }

    #[inline]
    fn lower_bound(&self, a: &Self) -> f64 {
        clearance(rectangle_rectangle(&a.core, &self.core), a.radius + self.radius)
    }

    #[inline]
    fn lower_bound_up_to(&self, a: &Self, limit: f64) -> f64 {
        let radii = a.radius + self.radius;
        clearance(rectangle_rectangle_up_to(&a.core, &self.core, core_limit(limit, radii)), radii)
    }
}

/// The same axes, turned so that the smallest dimension comes last.
fn thinnest_last(axes: DMat3, triangles: &[Triangle]) -> DMat3 {
    match half_extents(axes, triangles).min_position() {
        0 => DMat3::from_cols(axes.y_axis, axes.z_axis, axes.x_axis),
        1 => DMat3::from_cols(axes.z_axis, axes.x_axis, axes.y_axis),
        _ => axes,
    }
}

impl Support for RectSwept {
    fn support(&self, direction: DVec3) -> DVec3 {
        let local = self.core.axes.transpose() * direction;
        let half = self.core.half_lengths;
        let corner = DVec3::new(half.x.copysign(local.x), half.y.copysign(local.y), 0.0);
        self.core.center + self.core.axes * corner + direction * (self.radius / length(direction))
    }

    fn contains(&self, point: DVec3) -> bool {
        point_rectangle(point, &self.core) <= self.radius
    }

    fn claim(&self, _a: &Self, _b_from_a: &Pose) -> Tightness {
        Tightness::Exact
    }
}

impl Stored for RectSwept {
    const NUMBERS: usize = 15;

    fn store(&self, numbers: &mut Vec<f64>) {
        numbers.extend(self.core.center.to_array());
        numbers.extend(self.core.axes.to_cols_array());
        numbers.extend(self.core.half_lengths.to_array());
        numbers.push(self.radius);
    }

    fn restore(numbers: &[f64], reach: f64) -> Option<Self> {
        let mut numbers = Numbers::new(numbers, reach);
        let (center, axes) = (numbers.point()?, numbers.frame()?);
        let half_lengths = DVec2::new(numbers.length()?, numbers.length()?);
        Some(Self { core: Rectangle { center, axes, half_lengths }, radius: numbers.length()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square plate with a fin across its middle: each corner of the plate is beyond both sides
    /// of the first rectangle.
    #[test]
    fn corners_are_extended_no_more_than_they_must() {
        let plate = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]].map(DVec3::from_array);
        let fin = [[0.0, 0.0, 0.3], [0.1, 0.0, 0.3], [0.0, 0.0, -0.3]].map(DVec3::from_array);
        let triangles = [[plate[0], plate[1], plate[2]], [plate[0], plate[2], plate[3]], fin];
        let fitted = RectSwept::along(DMat3::IDENTITY, &triangles);
        // The sides alone need 1 - 0.3; a ball of 0.3 around a corner reaches (1, 1) from 0.3 / √2
        // away.
        let half = 1.0 - 0.3 / SQRT_2;
        assert!((fitted.radius - 0.3).abs() < 1e-14, "{fitted:?}");
        assert!((fitted.core.half_lengths - DVec2::splat(half)).length() < 1e-14, "{fitted:?}");
    }

    #[test]
    fn a_single_triangle_is_flat() {
        let triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 3.0], [1.0, 1.0, 0.5]].map(DVec3::from_array);
        let fitted = RectSwept::fit(&[triangle]);
        assert!(fitted.radius < 1e-13, "{fitted:?}");
        let area = 4.0 * fitted.core.half_lengths.x * fitted.core.half_lengths.y;
        let doubled = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]).length();
        assert!((area - doubled).abs() < 1e-12, "{area} {doubled}");
    }

    #[test]
    fn the_surface_is_that_of_a_ball_a_capsule_and_a_plate() {
        let with = |x: f64, y: f64, radius: f64| RectSwept {
            core: Rectangle { center: DVec3::ZERO, axes: DMat3::IDENTITY, half_lengths: DVec2::new(x, y) },
            radius,
        };
        assert!((with(0.0, 0.0, 2.0).surface_in(1.0) - 8.0 * TAU).abs() < 1e-12);
        assert!((with(3.0, 0.0, 1.0).surface_in(1.0) - (6.0 * TAU + 2.0 * TAU)).abs() < 1e-12);
        assert!((with(3.0, 2.0, 0.0).surface_in(2.0) - 12.0).abs() < 1e-12);
    }
}
