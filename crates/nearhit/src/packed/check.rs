//! Is a packed tree well formed?

use super::Packed;
use super::build::MAX_HEIGHT;
use super::lanes::{Lanes, WIDTH};
use super::node::{Content, Frame, Leaf, WideNode};
use crate::error::Violation;
use crate::mesh::Mesh;
use crate::parallel::*;
use glam::{DMat3, DVec3};

impl Packed {
    /// Checks shape, completeness and enclosure against the mesh the tree was built from.
    pub fn check(&self, mesh: &Mesh) -> Result<(), Violation> {
        self.check_shape(mesh.triangles().len())?;
        self.check_frames()?;
        let wrong_leaf = |id: u32| self.misplaced(self.leaves.whole(id)?, mesh, id);
        if let Some(violation) = (0..self.leaves.len() as u32).into_par_iter().find_map_first(wrong_leaf) {
            return Err(violation);
        }
        let (starts, order) = self.in_order();
        let outside = |id: usize| self.outside(&self.nodes[id], &starts[id], &order, mesh, id as u32);
        (0..self.nodes.len()).into_par_iter().find_map_first(outside).map_or(Ok(()), Err)
    }

    /// Everything but enclosure.
    fn check_shape(&self, triangle_count: usize) -> Result<(), Violation> {
        let root = self.nodes.first().ok_or(Violation::Empty)?;
        if root.count != 1 {
            return Err(Violation::BadRun { node: 0, start: 0, end: root.count });
        }
        let (mut nodes, mut leaves) = (vec![0_u32; self.nodes.len()], vec![0_u32; self.leaves.len()]);
        nodes[0] = 1;
        let mut depths = vec![0_usize; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            for content in node.contents() {
                match content {
                    Content::Leaf(leaf) if (leaf as usize) < self.leaves.len() => leaves[leaf as usize] += 1,
                    // Children come after their parents: no cycles.
                    Content::Node(child) if child as usize > id && (child as usize) < self.nodes.len() => {
                        nodes[child as usize] += 1;
                        depths[child as usize] = depths[id] + 1;
                    }
                    Content::Node(index) | Content::Leaf(index) => {
                        return Err(Violation::BadRun { node: id as u32, start: index, end: index });
                    }
                }
            }
        }
        let wrong = |counts: &[u32]| counts.iter().position(|&count| count != 1).map(|at| (at as u32, counts[at]));
        if let Some((node, parents)) = wrong(&nodes).or_else(|| wrong(&leaves)) {
            return Err(Violation::Parents { node, parents });
        }
        let mut triangles = vec![0_u32; triangle_count];
        for &triangle in (0..self.leaves.len() as u32).flat_map(|leaf| self.leaves.ids(leaf)) {
            *triangles.get_mut(triangle as usize).ok_or(Violation::Leaves { triangle, leaves: 1 })? += 1;
        }
        if let Some((triangle, leaves)) = wrong(&triangles) {
            return Err(Violation::Leaves { triangle, leaves });
        }
        let height = depths.into_iter().max().unwrap_or(0);
        let limit = MAX_HEIGHT;
        if height > limit { Err(Violation::TooDeep { height, limit }) } else { Ok(()) }
    }

    /// Bounds along axes that are no frame, NaN above all, would cull what touches.
    fn check_frames(&self) -> Result<(), Violation> {
        let is_wrong = |frame: &Frame| !(frame.is_orthonormal() && frame.origin.iter().all(|value| value.is_finite()));
        let node = self.nodes.iter().position(|node| is_wrong(&node.frame));
        let found = node.or_else(|| (0..self.leaves.len()).position(|leaf| is_wrong(&self.leaves.frame(leaf as u32))));
        found.map_or(Ok(()), |at| Err(Violation::Frame { node: at as u32 }))
    }

    /// A triangle of a leaf whose stored corners are not those of the mesh, to rounding.
    fn misplaced(&self, leaf: &Leaf, mesh: &Mesh, id: u32) -> Option<Violation> {
        let frame = Exact::new(&leaf.frame, self.center);
        let is_wrong = |&(lane, &triangle): &(usize, &u32)| {
            mesh.triangle(triangle).iter().enumerate().any(|(corner, &point)| {
                let allowed = f64::from(f32::EPSILON * leaf.frame.reach()) + 1e-15 * point.abs().max_element();
                let off = (lane_of(&leaf.corners[corner], lane) - frame.local(point)).abs();
                // Written so that a NaN is wrong.
                !off.cmple(DVec3::splat(allowed)).all()
            })
        };
        let found = leaf.ids().iter().enumerate().find(is_wrong);
        found.map(|(_, &triangle)| Violation::Outside { node: id, triangle })
    }

    /// The triangles such that those below any slot are side by side, and for each node where those
    /// of its slots start, and the last end.
    fn in_order(&self) -> (Vec<[usize; WIDTH + 1]>, Vec<u32>) {
        let mut counts = vec![0_usize; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate().rev() {
            let below = |content| match content {
                Content::Node(child) => counts[child as usize],
                Content::Leaf(leaf) => self.leaves.ids(leaf).len(),
            };
            counts[id] = node.contents().map(below).sum();
        }
        let mut starts = vec![[0; WIDTH + 1]; self.nodes.len()];
        let mut order = vec![0; counts[0]];
        for (id, node) in self.nodes.iter().enumerate() {
            for (lane, content) in node.contents().enumerate() {
                let start = starts[id][lane];
                starts[id][lane + 1] = match content {
                    Content::Leaf(leaf) => {
                        let triangles = self.leaves.ids(leaf);
                        order[start..start + triangles.len()].copy_from_slice(triangles);
                        start + triangles.len()
                    }
                    Content::Node(child) => {
                        starts[child as usize][0] = start;
                        start + counts[child as usize]
                    }
                };
            }
        }
        (starts, order)
    }

    /// The first triangle that sticks out of the box of a slot of this node.
    fn outside(
        &self,
        node: &WideNode,
        starts: &[usize; WIDTH + 1],
        order: &[u32],
        mesh: &Mesh,
        id: u32,
    ) -> Option<Violation> {
        let frame = Exact::new(&node.frame, self.center);
        (0..node.count as usize).find_map(|lane| {
            let below = &order[starts[lane]..starts[lane + 1]];
            let boxed = Boxed::new(node, lane);
            let sticks_out =
                |&&triangle: &&u32| mesh.triangle(triangle).iter().any(|&corner| !boxed.holds(&frame, corner));
            below.iter().find(sticks_out).map(|&triangle| Violation::Outside { node: id, triangle })
        })
    }
}

fn exact([x, y, z]: [f32; 3]) -> DVec3 {
    DVec3::new(x.into(), y.into(), z.into())
}

fn lane_of(lanes: &[Lanes; 3], lane: usize) -> DVec3 {
    exact([0, 1, 2].map(|axis| lanes[axis].0[lane]))
}

/// A frame in double precision.
struct Exact {
    to_frame: DMat3,
    model_center: DVec3,
    origin: DVec3,
}

impl Exact {
    fn new(frame: &Frame, model_center: DVec3) -> Self {
        let [x, y, z] = frame.axes.map(exact);
        Self { to_frame: DMat3::from_cols(x, y, z).transpose(), model_center, origin: exact(frame.origin) }
    }

    fn local(&self, point: DVec3) -> DVec3 {
        self.to_frame * (point - self.model_center - self.origin)
    }
}

/// A slot's box in double precision.
struct Boxed {
    center: DVec3,
    half: DVec3,
}

impl Boxed {
    fn new(node: &WideNode, lane: usize) -> Self {
        Self { center: lane_of(&node.center, lane), half: lane_of(&node.half, lane) * (1.0 + 1e-15) }
    }

    /// With the rounding of its own arithmetic allowed for.
    fn holds(&self, frame: &Exact, corner: DVec3) -> bool {
        let rounding = 1e-15 * corner.abs().max_element();
        (frame.local(corner) - self.center).abs().cmple(self.half + rounding).all()
    }
}
