//! Is a packed tree well formed?

use super::Packed;
use super::node::{Content, Slot};
use crate::hierarchy::Violation;
use crate::mesh::Mesh;
use glam::DVec3;

impl Packed {
    /// Checks shape, completeness and enclosure against the mesh the tree was built from.
    pub fn check(&self, mesh: &Mesh) -> Result<(), Violation> {
        let root = self.nodes.first().ok_or(Violation::Empty)?;
        if root.count != 1 {
            return Err(Violation::BadRun { node: 0, start: 0, end: root.count });
        }
        let mut parents = vec![0_u32; self.nodes.len()];
        parents[0] = 1;
        let mut leaves = vec![0_u32; mesh.triangles().len()];
        self.below(Slot::ROOT, mesh, &mut parents, &mut leaves)?;
        let wrong = |counts: &[u32]| counts.iter().position(|&count| count != 1).map(|at| (at as u32, counts[at]));
        if let Some((node, parents)) = wrong(&parents) {
            return Err(Violation::Parents { node, parents });
        }
        wrong(&leaves).map_or(Ok(()), |(triangle, leaves)| Err(Violation::Leaves { triangle, leaves }))
    }

    /// Checks what is below a slot and returns its triangles.
    fn below(&self, slot: Slot, mesh: &Mesh, parents: &mut [u32], leaves: &mut [u32]) -> Result<Vec<u32>, Violation> {
        let parent = slot.node() as u32;
        let triangles = match self.nodes[slot.node()].content(slot.lane()) {
            Content::Triangle(triangle) => {
                let count = leaves.get_mut(triangle as usize).ok_or(Violation::Leaves { triangle, leaves: 1 })?;
                *count += 1;
                vec![triangle]
            }
            Content::Node(node) => {
                let bad = Violation::BadRun { node: parent, start: node, end: node };
                // Children come after their parents: no cycles.
                let count = parents.get_mut(node as usize).filter(|_| node > parent).ok_or(bad)?;
                *count += 1;
                let mut all = Vec::new();
                for lane in 0..self.nodes[node as usize].count as usize {
                    all.extend(self.below(Slot::new(node, lane), mesh, parents, leaves)?);
                }
                all
            }
        };
        let outside =
            triangles.iter().find(|&&id| mesh.triangle(id).iter().any(|&corner| !self.encloses(slot, corner)));
        outside.map_or(Ok(triangles.clone()), |&triangle| Err(Violation::Outside { node: parent, triangle }))
    }

    /// In double precision, with the rounding of its own arithmetic allowed for.
    fn encloses(&self, slot: Slot, corner: DVec3) -> bool {
        let node = &self.nodes[slot.node()];
        let exact = |[x, y, z]: [f32; 3]| DVec3::new(x.into(), y.into(), z.into());
        let local = corner - self.center - exact(node.origin);
        (0..3).all(|axis| {
            let along = exact(node.axes[axis]).dot(local) - f64::from(node.center[axis].0[slot.lane()]);
            along.abs()
                <= f64::from(node.half[axis].0[slot.lane()]) * (1.0 + 1e-15) + 1e-15 * corner.abs().max_element()
        })
    }
}
