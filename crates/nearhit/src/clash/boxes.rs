//! Boxes around the feature edges and flat faces of a surface, and where they cut a triangle of
//! another surface.
//!
//! Every point within a little less than [`HALF_WIDTH`] tolerances of the surface is in one of the
//! boxes (of a face: above or below the face itself), and no point of a box is farther than one
//! tolerance.

use super::flat::{FeatureEdge, FlatFace, Flats};
use crate::error::MeshError;
use crate::mesh::{Mesh, Triangle};
use crate::model::Model;
use glam::DVec3;

/// Half the width of a box around an edge, and half the thickness of one around a face, in
/// tolerances. The corner of a box around an edge is √3 times as far away: less than a tolerance.
pub(super) const HALF_WIDTH: f64 = 0.57;
/// Corners this near a plane, in tolerances, are in it.
pub(super) const FLAT: f64 = 0.002;

/// A line between two points.
pub(super) type Segment = [DVec3; 2];

/// The boxes of a surface, with a tree to find them by.
#[derive(Debug)]
pub(super) struct Boxes {
    boxes: Vec<OrientedBox>,
    /// Edges as triangles without area, faces as two triangles.
    pub(super) model: Model,
    box_of: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct OrientedBox {
    center: DVec3,
    axes: [DVec3; 3],
    half: [f64; 3],
    /// The first axis whose sides bound what is near the surface: the sides of a face's box along
    /// the face mean nothing.
    first: usize,
}

impl Boxes {
    pub(super) fn new(surface: &Mesh, tolerance: f64) -> Result<Self, MeshError> {
        let flats = Flats::new(surface, FLAT * tolerance);
        let half_width = HALF_WIDTH * tolerance;
        let (mut boxes, mut box_of) = (Vec::new(), Vec::new());
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for edge in &flats.edges {
            let first = vertices.len() as u32;
            vertices.extend(edge.ends.map(|end| end.to_array()));
            triangles.push([first, first + 1, first + 1]);
            box_of.push(boxes.len() as u32);
            boxes.push(OrientedBox::around_edge(edge, half_width));
        }
        for face in &flats.faces {
            let first = vertices.len() as u32;
            vertices.extend(corners(face).map(|corner| corner.to_array()));
            triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
            box_of.extend([boxes.len() as u32; 2]);
            boxes.push(OrientedBox::around_face(face, half_width));
        }
        Ok(Self { boxes, model: Model::new(Mesh::new(&vertices, &triangles)?), box_of })
    }

    /// Which box a triangle of the tree stands for.
    pub(super) fn of(&self, triangle: u32) -> u32 {
        self.box_of[triangle as usize]
    }

    /// Where the sides of a box cut a triangle.
    pub(super) fn cuts(&self, index: u32, triangle: &Triangle, cuts: &mut Vec<Segment>) {
        let found = self.boxes[index as usize];
        for axis in found.first..3 {
            for sign in [-1.0, 1.0] {
                cuts.extend(found.cut(axis, sign, triangle));
            }
        }
    }
}

impl OrientedBox {
    fn around_edge(edge: &FeatureEdge, half_width: f64) -> Self {
        let [from, to] = edge.ends;
        let along = (to - from).try_normalize().unwrap_or(DVec3::X);
        let across = along.cross(edge.normal).try_normalize().unwrap_or_else(|| along.any_orthonormal_vector());
        let half = [0.5 * (to - from).length() + half_width, half_width, half_width];
        Self { center: from * 0.5 + to * 0.5, axes: [along, across, along.cross(across)], half, first: 0 }
    }

    fn around_face(face: &FlatFace, half_width: f64) -> Self {
        let [u, v] = face.half;
        Self { center: face.center, axes: face.axes, half: [u + half_width, v + half_width, half_width], first: 2 }
    }

    /// Where one side cuts a triangle.
    fn cut(&self, axis: usize, sign: f64, triangle: &Triangle) -> Option<Segment> {
        let normal = self.axes[axis] * sign;
        let heights = triangle.map(|corner| normal.dot(corner - self.center) - self.half[axis]);
        let mut ends = [DVec3::ZERO; 2];
        let mut count = 0;
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            if (heights[i] < 0.0) != (heights[j] < 0.0) {
                let share = heights[i] / (heights[i] - heights[j]);
                ends[count] = triangle[i] + (triangle[j] - triangle[i]) * share;
                count += 1;
            }
        }
        if count < 2 {
            return None;
        }
        let others = (0..3).filter(|&other| other != axis);
        let mut segment = ends;
        for other in others {
            segment = self.clipped(other, segment)?;
        }
        Some(segment)
    }

    /// The part of a segment between the two sides of an axis.
    fn clipped(&self, axis: usize, [from, to]: Segment) -> Option<Segment> {
        let along = |point: DVec3| self.axes[axis].dot(point - self.center);
        let (start, end, half) = (along(from), along(to), self.half[axis]);
        if start.max(end) < -half || start.min(end) > half {
            return None;
        }
        let at = |value: f64| from + (to - from) * ((value - start) / (end - start)).clamp(0.0, 1.0);
        let moved = |point: DVec3, value: f64| if value.abs() > half { at(half.copysign(value)) } else { point };
        Some([moved(from, start), moved(to, end)])
    }
}

fn corners(face: &FlatFace) -> [DVec3; 4] {
    let [u, v] = [face.axes[0] * face.half[0], face.axes[1] * face.half[1]];
    [face.center - u - v, face.center + u - v, face.center + u + v, face.center - u + v]
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    /// A point of the segment is in the part between two sides if and only if it is between them.
    #[test]
    fn segments_are_clipped_at_both_sides() {
        let mut rng = Rng::new(41);
        let (mut cut, mut lost) = (0, 0);
        for _ in 0..500 {
            let along = DVec3::from_array(rng.unit_vector());
            let axes = [along, along.any_orthonormal_vector(), along.cross(along.any_orthonormal_vector())];
            let half = [rng.range(0.1, 0.6), rng.range(0.1, 0.6), rng.range(0.1, 0.6)];
            let found = OrientedBox { center: DVec3::from_array(rng.point(-0.2, 0.2)), axes, half, first: 0 };
            let segment = [(); 2].map(|()| DVec3::from_array(rng.point(-1.0, 1.0)));
            for axis in 0..3 {
                let height = |point: DVec3| axes[axis].dot(point - found.center).abs() - half[axis];
                let part = found.clipped(axis, segment);
                let line = segment[1] - segment[0];
                let share = |point: DVec3| (point - segment[0]).dot(line) / line.length_squared();
                for step in 0..=50 {
                    let at = f64::from(step) / 50.0;
                    let inside = part.is_some_and(|[from, to]| share(from) - 1e-9 <= at && at <= share(to) + 1e-9);
                    let over = height(segment[0] + line * at);
                    assert!(over.abs() < 1e-9 || inside == (over < 0.0), "{found:?} {segment:?}: {over} at {at}");
                }
                cut += usize::from(part.is_some_and(|part| part != segment));
                lost += usize::from(part.is_none());
            }
        }
        assert!(cut > 300 && lost > 100, "{cut} cut, {lost} outside");
    }
}
