//! Oriented bounding boxes (OBB), after OBBTree (Gottschalk, Lin, Manocha, 1996), and their overlap
//! test.
//!
//! Separating axis test (SAT): fifteen axes can separate two boxes, three face normals of each and
//! nine cross products of edges.

use super::region::{Region, Shape};
use super::stored::{Numbers, Stored};
use super::{
    Blocked, BoundingVolume, Covariance, DENORMALS, Measure, Placement, Support, Tightness, corners, frame,
    largest_coordinate,
};
use crate::bounds::Bounds;
use crate::mesh::Triangle;
use crate::pose::Pose;
use crate::vector::length;
use glam::{DMat3, DVec3};

/// A box in any orientation, in its model's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obb {
    center: DVec3,
    axes: DMat3,
    half_extents: DVec3,
}

impl Obb {
    /// The middle.
    #[must_use]
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The three unit axes, as columns.
    #[must_use]
    pub fn axes(&self) -> DMat3 {
        self.axes
    }

    /// Half the side lengths, along the axes.
    #[must_use]
    pub fn half_extents(&self) -> DVec3 {
        self.half_extents
    }

    fn along(axes: DMat3, triangles: &[Triangle]) -> Self {
        let origin = triangles[0][0];
        let to_frame = axes.transpose();
        let bounds: Bounds = corners(triangles).map(|corner| to_frame * (corner - origin)).collect();
        let half = bounds.half();
        let rounding = 16.0 * f64::EPSILON * (half.max_element() + largest_coordinate(triangles)) + DENORMALS;
        Self { center: origin + axes * bounds.middle(), axes, half_extents: half + rounding }
    }

    /// Proportional to the surface, in units that do not overflow.
    fn surface_in(&self, unit: f64) -> f64 {
        let [x, y, z] = (self.half_extents / unit).to_array();
        x * y + y * z + z * x
    }
}

/// A box of a in b's frame.
#[derive(Debug, Clone, Copy)]
pub struct PlacedObb {
    center_b: DVec3,
    axes_b: DMat3,
    half_extents: DVec3,
    /// Kept apart from the half extents: along the cross product of two nearly parallel edges
    /// everything but the rounding error shrinks.
    slack: f64,
}

/// The placed box seen from the frame of a box of b.
struct View {
    /// From b's box to a's, along b's axes.
    offset: DVec3,
    /// Columns: a's axes along b's.
    rotation: DMat3,
    absolute: DMat3,
}

impl View {
    #[inline]
    fn new(b: &Obb, a: &PlacedObb) -> Self {
        let to_box = b.axes.transpose();
        let rotation = to_box * a.axes_b;
        Self { offset: to_box * (a.center_b - b.center), rotation, absolute: rotation.abs() }
    }

    #[inline]
    fn gaps_along_b(&self, b: &Obb, a: &PlacedObb) -> DVec3 {
        self.offset.abs() - (b.half_extents + self.absolute * a.half_extents)
    }

    #[inline]
    fn gaps_along_a(&self, b: &Obb, a: &PlacedObb) -> DVec3 {
        (self.rotation.transpose() * self.offset).abs() - (a.half_extents + self.absolute.transpose() * b.half_extents)
    }

    /// For a's axis `column`: gaps along its cross products with b's three axes, each times that
    /// product's length, and those lengths squared.
    #[inline]
    fn gaps_across(&self, b: &Obb, a: &PlacedObb, column: usize) -> (DVec3, DVec3) {
        let axis = self.rotation.col(column);
        let absolute = self.absolute.col(column);
        // b's axis i × a's axis: the offset along it, and what b's other two sides contribute.
        let offset = self.offset.cross(axis).abs();
        let from_b = DVec3::new(
            b.half_extents.y * absolute.z + b.half_extents.z * absolute.y,
            b.half_extents.z * absolute.x + b.half_extents.x * absolute.z,
            b.half_extents.x * absolute.y + b.half_extents.y * absolute.x,
        );
        let (next, last) = ((column + 1) % 3, (column + 2) % 3);
        let from_a = self.absolute.col(last) * a.half_extents[next] + self.absolute.col(next) * a.half_extents[last];
        let squares = axis * axis;
        let lengths_squared = DVec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y);
        (offset - (from_b + from_a), lengths_squared)
    }
}

/// Below this length a cross product says nothing that the face normals do not, and its own
/// rounding matters.
const PARALLEL: f64 = 1e-6;

impl crate::volume::sealed::Sealed for Obb {}

impl BoundingVolume for Obb {
    type Motion = Placement;
    type Placed = PlacedObb;
    const NAME: &'static str = "obb";

    fn fit(triangles: &[Triangle]) -> Self {
        let spread = match triangles {
            [single] => frame::triangle_axes(single).unwrap_or_else(|| frame::principal_axes(triangles)),
            _ => frame::principal_axes(triangles),
        };
        let (oriented, upright) = (Self::along(spread, triangles), Self::along(DMat3::IDENTITY, triangles));
        let unit = upright.half_extents.max_element().max(f64::MIN_POSITIVE);
        if upright.surface_in(unit) < oriented.surface_in(unit) { upright } else { oriented }
    }

    fn fit_by(triangles: &[Triangle], covariance: Covariance) -> Self {
        match covariance {
            Covariance::Surface => Self::fit(triangles),
            Covariance::Corners => Self::along(frame::corner_axes(triangles), triangles),
        }
    }

    fn size(&self) -> f64 {
        length(self.half_extents)
    }

    fn measure(&self, unit: f64) -> Measure {
        Measure { volume: 8.0 * (self.half_extents / unit).element_product(), surface: 8.0 * self.surface_in(unit) }
    }

    fn motion(placement: &Placement) -> Placement {
        *placement
    }

    fn place(&self, placement: &Placement) -> PlacedObb {
        let b_from_a = placement.b_from_a();
        PlacedObb {
            center_b: b_from_a.apply(self.center),
            axes_b: b_from_a.rotation() * self.axes,
            half_extents: self.half_extents,
            slack: placement.slack(),
        }
    }

    #[inline]
    fn disjoint(&self, a: &PlacedObb) -> bool {
        let view = View::new(self, a);
        view.gaps_along_b(self, a).max_element() > a.slack
            || view.gaps_along_a(self, a).max_element() > a.slack
            || (0..3).any(|column| view.gaps_across(self, a, column).0.max_element() > a.slack)
    }

    #[inline]
    fn lower_bound(&self, a: &PlacedObb) -> f64 {
        self.lower_bound_up_to(a, f64::INFINITY)
    }

    #[inline]
    fn lower_bound_up_to(&self, a: &PlacedObb, limit: f64) -> f64 {
        // The length of a cross product is known to about 1e-15 / PARALLEL.
        let shrink = 1.0 - 1e-9;
        let view = View::new(self, a);
        let slack = DVec3::splat(a.slack);
        let faces_b = length((view.gaps_along_b(self, a) - slack).max(DVec3::ZERO)) * shrink;
        if faces_b >= limit {
            return faces_b;
        }
        let faces_a = length((view.gaps_along_a(self, a) - slack).max(DVec3::ZERO)) * shrink;
        if faces_a >= limit {
            return faces_a;
        }
        let edges = (0..3).fold(0.0_f64, |best, column| {
            let (gaps, lengths_squared) = view.gaps_across(self, a, column);
            let meaningful = lengths_squared.cmpgt(DVec3::splat(PARALLEL * PARALLEL));
            let normalised = (gaps - slack) / lengths_squared.max(DVec3::splat(PARALLEL * PARALLEL)).map(f64::sqrt);
            best.max(DVec3::select(meaningful, normalised, DVec3::ZERO).max_element())
        });
        faces_b.max(faces_a).max(edges * shrink)
    }

    /// Along the faces' normals only.
    fn blocked(&self, a: &PlacedObb, direction: DVec3) -> Blocked {
        let view = View::new(self, a);
        let back = view.rotation.transpose();
        let reach_b = self.half_extents + view.absolute * a.half_extents + DVec3::splat(a.slack);
        let reach_a = a.half_extents + view.absolute.transpose() * self.half_extents + DVec3::splat(a.slack);
        let (offset_a, rate_b) = (back * view.offset, self.axes.transpose() * direction);
        let rate_a = back * rate_b;
        (0..3).fold(Blocked::ALWAYS, |blocked, axis| {
            blocked.narrowed_about(view.offset[axis], reach_b[axis], rate_b[axis]).narrowed_about(
                offset_a[axis],
                reach_a[axis],
                rate_a[axis],
            )
        })
    }
}

impl Support for Obb {
    fn support(&self, direction: DVec3) -> DVec3 {
        let local = self.axes.transpose() * direction;
        self.center + self.axes * DVec3::select(local.cmpgt(DVec3::ZERO), self.half_extents, -self.half_extents)
    }

    fn contains(&self, point: DVec3) -> bool {
        (self.axes.transpose() * (point - self.center)).abs().cmple(self.half_extents).all()
    }

    #[inline]
    fn region(&self) -> Region {
        Region { center: self.center, axes: self.axes, half_extents: self.half_extents, shape: Shape::Box }
    }

    fn claim(&self, a: &Self, b_from_a: &Pose) -> Tightness {
        let axes_a = b_from_a.rotation() * a.axes;
        let columns = |matrix: DMat3| [matrix.x_axis, matrix.y_axis, matrix.z_axis];
        let mut axes = [columns(self.axes), columns(axes_a)].concat();
        for u in columns(self.axes) {
            axes.extend(columns(axes_a).map(|v| u.cross(v)).into_iter().filter(|w| w.length() > 10.0 * PARALLEL));
        }
        Tightness::Axes(axes.into_iter().map(DVec3::normalize).collect())
    }
}

impl Stored for Obb {
    const NUMBERS: usize = 15;

    fn store(&self, numbers: &mut Vec<f64>) {
        numbers.extend(self.center.to_array());
        numbers.extend(self.axes.to_cols_array());
        numbers.extend(self.half_extents.to_array());
    }

    fn restore(numbers: &[f64], reach: f64) -> Option<Self> {
        let mut numbers = Numbers::new(numbers, reach);
        let (center, axes) = (numbers.point()?, numbers.frame()?);
        Some(Self { center, axes, half_extents: DVec3::new(numbers.length()?, numbers.length()?, numbers.length()?) })
    }
}
