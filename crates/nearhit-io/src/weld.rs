//! Turns corners given by coordinates into indexed vertices.

use nearhit::RawMesh;
use std::collections::HashMap;

/// Collects triangles, merging corners with equal coordinates.
///
/// The map keeps the standard library's seeded hash: with a fixed one, a crafted file could make
/// every lookup collide. The result does not depend on the seed, since the map is never walked.
#[derive(Debug, Default)]
pub(crate) struct Welder {
    mesh: RawMesh,
    index_of: HashMap<[u64; 3], u32>,
}

impl Welder {
    /// With room for triangles that are known to come.
    pub(crate) fn with_capacity(triangles: usize) -> Self {
        let mut welder = Self::default();
        welder.mesh.triangles.reserve_exact(triangles);
        welder
    }

    /// Appends a triangle.
    pub(crate) fn push(&mut self, corners: [[f64; 3]; 3]) {
        let triangle = corners.map(|corner| self.vertex(corner));
        self.mesh.triangles.push(triangle);
    }

    pub(crate) fn finish(self) -> RawMesh {
        self.mesh
    }

    fn vertex(&mut self, corner: [f64; 3]) -> u32 {
        // -0.0 + 0.0 is 0.0, every other number stays what it is: afterwards equal numbers have
        // equal bits.
        let corner = corner.map(|coordinate| coordinate + 0.0);
        let vertices = &mut self.mesh.vertices;
        *self.index_of.entry(corner.map(f64::to_bits)).or_insert_with(|| {
            vertices.push(corner);
            // Past 2^32 vertices the index saturates; there are too many then, which the mesh check
            // says.
            u32::try_from(vertices.len() - 1).unwrap_or(u32::MAX)
        })
    }
}
