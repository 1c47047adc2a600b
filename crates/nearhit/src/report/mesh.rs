//! Mesh inspection: what is in a mesh, and what is unusual about it.

use crate::bounds::Bounds;
use crate::diagnostics::Diagnostics;
use crate::mesh::Mesh;

/// Mesh diagnostics in numbers, with the bounding box. The report of [`Mesh::diagnostics`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct MeshReport {
    /// Number of triangles.
    pub triangles: usize,
    /// Number of vertices, as given.
    pub vertices: usize,
    /// The least corner of the box around the triangles.
    pub min: [f64; 3],
    /// The greatest corner.
    pub max: [f64; 3],
    /// Is every edge between two triangles of the same orientation?
    pub closed: bool,
    /// Triangles without area.
    pub degenerate: usize,
    /// Triangles with the same corners as an earlier one.
    pub duplicate: usize,
    /// Vertices that no triangle uses.
    pub unused_vertices: usize,
    /// Vertices at the place of an earlier one.
    pub coincident_vertices: usize,
    /// Edges with one triangle.
    pub open_edges: usize,
    /// Edges with more than two triangles.
    pub crowded_edges: usize,
    /// Edges between triangles of opposite orientation.
    pub flipped_edges: usize,
    /// Pairs of triangles that meet elsewhere than in corners and edges they share.
    pub self_intersections: usize,
    /// Were all self-intersections counted? False: too many triangles share corners.
    #[cfg_attr(feature = "serde", serde(rename = "complete"))]
    pub is_complete: bool,
}

impl MeshReport {
    /// Report of a mesh and its diagnostics.
    #[must_use]
    pub fn new(mesh: &Mesh, found: &Diagnostics) -> Self {
        // Vertices that no triangle uses do not count.
        let used = mesh.triangles().iter().flatten().map(|&vertex| mesh.vertices()[vertex as usize]);
        let bounds: Bounds = used.collect();
        Self {
            triangles: found.triangles,
            vertices: found.vertices,
            min: bounds.low.to_array(),
            max: bounds.high.to_array(),
            closed: found.is_closed(),
            degenerate: found.degenerate.len(),
            duplicate: found.duplicate.len(),
            unused_vertices: found.unused_vertices,
            coincident_vertices: found.coincident_vertices,
            open_edges: found.open_edges,
            crowded_edges: found.crowded_edges,
            flipped_edges: found.flipped_edges,
            self_intersections: found.self_intersections.len(),
            is_complete: found.is_complete,
        }
    }
}
