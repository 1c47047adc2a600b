//! Is a packed tree well formed?

use super::Packed;
use super::node::{Content, Frame, Slot};
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
        let mut seen = Seen {
            nodes: vec![0; self.nodes.len()],
            leaves: vec![0; self.leaves.len()],
            triangles: vec![0; mesh.triangles().len()],
        };
        seen.nodes[0] = 1;
        self.below(Slot::ROOT, mesh, &mut seen)?;
        let wrong = |counts: &[u32]| counts.iter().position(|&count| count != 1).map(|at| (at as u32, counts[at]));
        if let Some((node, parents)) = wrong(&seen.nodes).or_else(|| wrong(&seen.leaves)) {
            return Err(Violation::Parents { node, parents });
        }
        wrong(&seen.triangles).map_or(Ok(()), |(triangle, leaves)| Err(Violation::Leaves { triangle, leaves }))
    }

    /// Checks what is below a slot and returns its triangles.
    fn below(&self, slot: Slot, mesh: &Mesh, seen: &mut Seen) -> Result<Vec<u32>, Violation> {
        let parent = slot.node() as u32;
        let bad = |index| Violation::BadRun { node: parent, start: index, end: index };
        let triangles = match self.nodes[slot.node()].content(slot.lane()) {
            Content::Leaf(index) => {
                *seen.leaves.get_mut(index as usize).ok_or(bad(index))? += 1;
                self.check_leaf(index, mesh, seen)?
            }
            Content::Node(node) => {
                // Children come after their parents: no cycles.
                *seen.nodes.get_mut(node as usize).filter(|_| node > parent).ok_or(bad(node))? += 1;
                let mut all = Vec::new();
                for lane in 0..self.nodes[node as usize].count as usize {
                    all.extend(self.below(Slot::new(node, lane), mesh, seen)?);
                }
                all
            }
        };
        let outside =
            triangles.iter().find(|&&id| mesh.triangle(id).iter().any(|&corner| !self.encloses(slot, corner)));
        outside.map_or(Ok(triangles.clone()), |&triangle| Err(Violation::Outside { node: parent, triangle }))
    }

    /// Are the stored corners those of the mesh, to rounding?
    fn check_leaf(&self, index: u32, mesh: &Mesh, seen: &mut Seen) -> Result<Vec<u32>, Violation> {
        let leaf = &self.leaves[index as usize];
        let triangles = &leaf.triangles[..leaf.count as usize];
        for (lane, &triangle) in triangles.iter().enumerate() {
            *seen.triangles.get_mut(triangle as usize).ok_or(Violation::Leaves { triangle, leaves: 1 })? += 1;
            for (corner, &point) in mesh.triangle(triangle).iter().enumerate() {
                let allowed = f64::from(f32::EPSILON * leaf.frame.reach) + 1e-15 * point.abs().max_element();
                let stored = |axis: usize| f64::from(leaf.corners[corner][axis].0[lane]);
                let local = self.local(&leaf.frame, point);
                if (0..3).any(|axis| (stored(axis) - local[axis]).abs() > allowed) {
                    return Err(Violation::Outside { node: index, triangle });
                }
            }
        }
        Ok(triangles.to_vec())
    }

    /// In a frame, in double precision.
    fn local(&self, frame: &Frame, point: DVec3) -> DVec3 {
        let exact = |[x, y, z]: [f32; 3]| DVec3::new(x.into(), y.into(), z.into());
        let from_origin = point - self.center - exact(frame.origin);
        DVec3::from_array(frame.axes.map(|axis| exact(axis).dot(from_origin)))
    }

    /// In double precision, with the rounding of its own arithmetic allowed for.
    fn encloses(&self, slot: Slot, corner: DVec3) -> bool {
        let node = &self.nodes[slot.node()];
        let local = self.local(&node.frame, corner);
        (0..3).all(|axis| {
            let along = local[axis] - f64::from(node.center[axis].0[slot.lane()]);
            along.abs()
                <= f64::from(node.half[axis].0[slot.lane()]) * (1.0 + 1e-15) + 1e-15 * corner.abs().max_element()
        })
    }
}

/// How often each part was met.
struct Seen {
    nodes: Vec<u32>,
    leaves: Vec<u32>,
    triangles: Vec<u32>,
}
