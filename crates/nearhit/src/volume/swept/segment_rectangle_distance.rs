//! How far is a segment from a rectangle (§4.3.3 of the swept-sphere paper)?
//!
//! As for two rectangles (see there), with one direction of edges fewer: the solid of differences
//! has three pairs of faces, so there are three candidates: an end of the segment over the
//! rectangle, and the segment against an edge along either side.

use super::edges::{EdgeGaps, TIGHT, between_edges, per_length, squared_to, squared_to_b, widest_gap};
use super::{Rectangle, Segment, beyond, is_ordinary, larger, rescaling, smaller};
use glam::{DVec2, DVec3, Vec3Swizzles};

pub(super) fn segment_rectangle(segment: &Segment, rectangle: &Rectangle) -> f64 {
    let pair = SegmentAndRectangle::new(segment, rectangle);
    if is_ordinary(pair.reach) { pair.distance() } else { pair.extreme_distance() }
}

/// The segment seen from the middle of the rectangle, along its axes.
#[derive(Debug, Clone, Copy)]
struct SegmentAndRectangle {
    offset: DVec3,
    axis: DVec3,
    half_segment: f64,
    half_rectangle: DVec2,
    /// The largest length in all this.
    reach: f64,
}

// Always inlined on the hot path, as for two rectangles.
impl SegmentAndRectangle {
    #[inline]
    fn new(segment: &Segment, rectangle: &Rectangle) -> Self {
        let to_rectangle = rectangle.axes.transpose();
        let offset = to_rectangle * (segment.center - rectangle.center);
        let halves = larger(segment.reach(), rectangle.reach());
        let reach = larger(larger(offset.x.abs(), offset.y.abs()), larger(offset.z.abs(), halves));
        Self {
            offset,
            axis: to_rectangle * segment.axis,
            half_segment: segment.half_length,
            half_rectangle: rectangle.half_lengths,
            reach,
        }
    }

    /// Lengths whose squares overflow or vanish.
    #[cold]
    fn extreme_distance(&self) -> f64 {
        let factor = rescaling(self.reach);
        let scaled = Self {
            offset: self.offset * factor,
            half_segment: self.half_segment * factor,
            half_rectangle: self.half_rectangle * factor,
            reach: self.reach * factor,
            ..*self
        };
        if is_ordinary(scaled.reach) { scaled.distance() / factor } else { 0.0 }
    }

    #[inline(always)]
    fn distance(&self) -> f64 {
        let height = self.offset.z.abs() - self.half_segment * self.axis.z.abs();
        let edges = EdgeGaps::new(self.offset, self.axis, self.half_rectangle, DVec2::ZERO);
        // The three normals tell all unless the solid of differences is flat.
        if height < -16.0 * f64::EPSILON * self.reach && edges.overlap() {
            return 0.0;
        }
        let (way, gap_squared) = self.nearest(height, &edges);
        let way_squared = way.length_squared();
        if gap_squared >= way_squared * TIGHT {
            return smaller(gap_squared, way_squared).sqrt();
        }
        let (found, points) = (larger(gap_squared.sqrt(), self.gap_along(self.straightened(way))), way_squared.sqrt());
        // Rounding in the way and the gap.
        let enough = points * TIGHT - 64.0 * f64::EPSILON * self.reach;
        smaller(if found >= enough { found } else { self.searched(found) }, points)
    }

    /// The shortest way from the rectangle to the segment at the widest of the three faces, and its
    /// gap squared.
    #[inline(always)]
    fn nearest(&self, height: f64, edges: &EdgeGaps) -> (DVec3, f64) {
        let Self { offset, axis, half_segment, half_rectangle, .. } = *self;
        let squares = edges.squares();
        let height = larger(height, 0.0);
        if height * height >= larger(squares.x, squares.y) {
            (self.over_rectangle(half_segment.copysign(-offset.z * axis.z)), height * height)
        } else if squares.x >= squares.y {
            let y = half_rectangle.y.copysign(-edges.offsets.x * axis.z);
            (self.edge_along_x(y, edges.lengths_squared.x), squares.x)
        } else {
            let x = half_rectangle.x.copysign(edges.offsets.y * axis.z);
            (self.edge_along_y(x, edges.lengths_squared.y), squares.y)
        }
    }

    /// To a point of the segment, from the rectangle's nearest point.
    #[inline]
    fn over_rectangle(&self, along: f64) -> DVec3 {
        let end = self.offset + self.axis * along;
        DVec3::new(beyond(end.x, self.half_rectangle.x), beyond(end.y, self.half_rectangle.y), end.z)
    }

    /// To the segment, from the edge along x at `y`.
    #[inline]
    fn edge_along_x(&self, y: f64, sine_squared: f64) -> DVec3 {
        let offset = self.offset - DVec3::Y * y;
        between_edges(self.axis, self.half_segment, offset, self.half_rectangle.x, sine_squared)
    }

    /// The same from the edge along y at `x`.
    #[inline]
    fn edge_along_y(&self, x: f64, sine_squared: f64) -> DVec3 {
        let offset = (self.offset - DVec3::X * x).yxz();
        between_edges(self.axis.yxz(), self.half_segment, offset, self.half_rectangle.y, sine_squared).yxz()
    }

    #[inline]
    fn rounding(&self) -> f64 {
        8.0 * f64::EPSILON * self.reach
    }

    #[inline(always)]
    fn straightened(&self, way: DVec3) -> DVec3 {
        squared_to(squared_to_b(way, self.rounding()), self.axis, self.rounding())
    }

    /// The gap between the two shadows along `way`: a proof, whatever the way.
    #[inline(always)]
    fn gap_along(&self, way: DVec3) -> f64 {
        let gap = way.dot(self.offset)
            - self.half_rectangle.dot(way.truncate().abs())
            - self.half_segment * way.dot(self.axis).abs();
        per_length(gap, way.length_squared())
    }

    /// Over both ends and all four edges, for a segment parallel to the plane or to a side.
    #[cold]
    fn searched(&self, found: f64) -> f64 {
        let squares = self.axis * self.axis;
        let sine_squared = DVec2::new(squares.y + squares.z, squares.x + squares.z);
        let half = self.half_rectangle;
        let ways = [
            self.over_rectangle(self.half_segment),
            self.over_rectangle(-self.half_segment),
            self.edge_along_x(half.y, sine_squared.x),
            self.edge_along_x(-half.y, sine_squared.x),
            self.edge_along_y(half.x, sine_squared.y),
            self.edge_along_y(-half.x, sine_squared.y),
        ];
        widest_gap(&ways, |way| {
            // Straightened in every way that could be the right one.
            let to_b = squared_to_b(way, self.rounding());
            let to_a = squared_to(way, self.axis, self.rounding());
            let straight = [way, to_b, to_a, self.straightened(way)];
            straight.into_iter().fold(found, |widest, way| larger(widest, self.gap_along(way)))
        })
    }
}
