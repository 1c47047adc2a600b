//! Is a tree well formed? Asked after every build in tests, and of every tree that comes from outside.

use super::{Content, Hierarchy};
use crate::mesh::Mesh;
use crate::volume::Support;
use thiserror::Error;

/// The first thing found wrong with a tree.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Violation {
    /// There must be a root.
    #[error("the tree has no nodes")]
    Empty,
    /// A run is empty, ends beyond its array, or children do not come after their parent.
    #[error("node {node}: its run {start}..{end} is not allowed here")]
    BadRun {
        /// Id of the node.
        node: u32,
        /// Start of the run.
        start: u32,
        /// End of the run, exclusive.
        end: u32,
    },
    /// Every node but the root has one parent.
    #[error("node {node} has {parents} parents")]
    Parents {
        /// Id of the node.
        node: u32,
        /// How many.
        parents: u32,
    },
    /// Every triangle is in one leaf.
    #[error("triangle {triangle} is in {leaves} leaves")]
    Leaves {
        /// Id of the triangle.
        triangle: u32,
        /// How many.
        leaves: u32,
    },
    /// A volume must enclose all that is below it.
    #[error("node {node} does not enclose triangle {triangle}")]
    Outside {
        /// Id of the node.
        node: u32,
        /// Id of the triangle.
        triangle: u32,
    },
}

impl<V: Support> Hierarchy<V> {
    /// Checks shape, completeness and enclosure against the mesh the tree was built from.
    ///
    /// Complexity: the number of triangles times the height.
    pub fn check(&self, mesh: &Mesh) -> Result<(), Violation> {
        self.check_shape(mesh.triangles().len())?;
        let mut triangles_below: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for id in (0..self.nodes.len()).rev() {
            let below = match self.nodes[id].content() {
                Content::Triangles(run) => self.triangles(run).to_vec(),
                // Children come after their parent, so they are done; nobody else needs theirs.
                Content::Children(run) => {
                    run.flat_map(|child| std::mem::take(&mut triangles_below[child as usize])).collect()
                }
            };
            // A tile need not enclose its triangle; the node it was cut from does.
            if id < self.untiled {
                self.check_enclosure(id as u32, &below, mesh)?;
            }
            triangles_below[id] = below;
        }
        Ok(())
    }

    fn check_enclosure(&self, node: u32, below: &[u32], mesh: &Mesh) -> Result<(), Violation> {
        let volume = &self.node(node).volume;
        let outside =
            below.iter().find(|&&triangle| mesh.triangle(triangle).iter().any(|&corner| !volume.contains(corner)));
        outside.map_or(Ok(()), |&triangle| Err(Violation::Outside { node, triangle }))
    }
}

impl<V: crate::volume::BoundingVolume> Hierarchy<V> {
    /// Everything but enclosure.
    pub(crate) fn check_shape(&self, triangle_count: usize) -> Result<(), Violation> {
        if self.nodes.is_empty() {
            return Err(Violation::Empty);
        }
        let mut parents = vec![0_u32; self.nodes.len()];
        parents[0] = 1;
        let mut leaves = vec![0_u32; triangle_count];
        for (id, node) in self.nodes.iter().enumerate() {
            let (run, lowest, highest) = match node.content() {
                Content::Children(run) => (run, id as u64 + 1, self.nodes.len()),
                Content::Triangles(run) => (run, 0, self.order.len()),
            };
            if run.is_empty() || u64::from(run.start) < lowest || run.end as usize > highest {
                return Err(Violation::BadRun { node: id as u32, start: run.start, end: run.end });
            }
            let run = run.start as usize..run.end as usize;
            if node.is_leaf() {
                for &triangle in &self.order[run] {
                    let count = leaves.get_mut(triangle as usize).ok_or(Violation::Leaves { triangle, leaves: 1 })?;
                    *count += 1;
                }
            } else {
                parents[run].iter_mut().for_each(|count| *count += 1);
            }
        }
        let wrong = |counts: &[u32]| counts.iter().position(|&count| count != 1).map(|at| (at as u32, counts[at]));
        if let Some((node, parents)) = wrong(&parents) {
            return Err(Violation::Parents { node, parents });
        }
        // All tiles of a triangle are leaves with it.
        let wrong_leaves = if self.is_tiled() {
            leaves.iter().position(|&count| count == 0).map(|at| (at as u32, 0))
        } else {
            wrong(&leaves)
        };
        wrong_leaves.map_or(Ok(()), |(triangle, leaves)| Err(Violation::Leaves { triangle, leaves }))
    }
}
