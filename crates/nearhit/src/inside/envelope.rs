//! The convex hull of a mesh, and whether the mesh is convex.

use crate::mesh::Mesh;
use crate::volume::hull::Hull;
use glam::DVec3;

/// The convex hull of a mesh, as far as it has one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Envelope {
    /// None for flat meshes.
    hull: Option<Hull>,
    /// All vertices of a flat mesh.
    flat: Vec<DVec3>,
    /// Is the mesh the boundary of its hull, to [`NEARLY`] of its size?
    pub(crate) is_convex: bool,
}

/// How far a vertex may be in front of a triangle's plane, relative to the size of the mesh:
/// coordinates of convex shapes are rounded.
const NEARLY: f64 = 1e-11;
/// More comparisons of vertices with planes than this are not made: the mesh is then not taken for
/// convex.
const MOST_COMPARISONS: usize = 20_000_000;

impl Envelope {
    /// `one_closed_piece`: closed, oriented and connected. Then a surface without a vertex in front
    /// of any of its triangles is the hull's.
    pub(crate) fn new(mesh: &Mesh, one_closed_piece: bool) -> Self {
        let hull = Hull::new(mesh.vertices());
        let flat = if hull.is_none() { mesh.vertices().to_vec() } else { Vec::new() };
        let is_convex = one_closed_piece && hull.as_ref().is_some_and(|hull| is_boundary(mesh, hull));
        Self { hull, flat, is_convex }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.hull.as_ref().map_or(0, Hull::bytes) + self.flat.capacity() * size_of::<DVec3>()
    }

    /// The vertex farthest along a direction.
    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        match &self.hull {
            Some(hull) => hull.support(direction),
            None => self.flat.iter().fold(self.flat[0], |best, &vertex| {
                if direction.dot(vertex) > direction.dot(best) { vertex } else { best }
            }),
        }
    }
}

fn is_boundary(mesh: &Mesh, hull: &Hull) -> bool {
    if hull.len().saturating_mul(mesh.triangles().len()) > MOST_COMPARISONS {
        return false;
    }
    let corners: Vec<DVec3> = hull.corners().collect();
    let (low, high) = corners.iter().fold((corners[0], corners[0]), |(low, high), c| (low.min(*c), high.max(*c)));
    // In units of the size: products neither overflow nor vanish.
    let unit = (high - low).max_element();
    let scaled = |point: DVec3| (point - low) / unit;
    let corners: Vec<DVec3> = corners.into_iter().map(scaled).collect();
    let normal = |index: u32| {
        let [a, b, c] = mesh.triangle(index).map(scaled);
        (b - a).cross(c - a)
    };
    // Triangles without area bound nothing, and vertices that no triangle uses count for the hull.
    if (0..mesh.triangles().len() as u32).all(|index| normal(index) == DVec3::ZERO) {
        return false;
    }
    // Facing outwards, or all of it facing inwards.
    [1.0, -1.0].into_iter().any(|sign| {
        (0..mesh.triangles().len() as u32).all(|index| {
            let (a, normal) = (scaled(mesh.triangle(index)[0]), normal(index) * sign);
            let limit = NEARLY * normal.length();
            let heights = corners.iter().map(|corner| normal.dot(*corner - a));
            // What is flat to rounding has all its corners in the plane of each triangle, and need
            // not cover its hull.
            let (all_behind, some_well_behind) =
                heights.fold((true, false), |(all, some), height| (all && height <= limit, some || height < -limit));
            all_behind && (some_well_behind || normal == DVec3::ZERO)
        })
    })
}
