//! Is a tree well formed? Asked after every build in tests, and of every tree that comes from outside.

use super::{Content, Hierarchy, Node};
use crate::error::Violation;
use crate::mesh::Mesh;
use crate::volume::{BoundingVolume, Support};
use rayon::prelude::*;
use std::ops::Range;

impl<V: Support> Hierarchy<V> {
    /// Checks shape, completeness and enclosure against the mesh the tree was built from.
    ///
    /// Complexity: the number of triangles for volumes that nest ([`BoundingVolume::merged`]), times the height for others.
    pub fn check(&self, mesh: &Mesh) -> Result<(), Violation> {
        self.check_shape(mesh.triangles().len())?;
        let runs = self.runs_below();
        // A tile need not enclose its triangle; the node it was cut from does.
        let outside = |id: usize| {
            let triangle = self.outside(&self.nodes[id], runs[id].clone(), mesh)?;
            Some(Violation::Outside { node: id as u32, triangle })
        };
        (0..self.untiled).into_par_iter().find_map_first(outside).map_or(Ok(()), Err)
    }

    /// A triangle that a node should enclose and does not.
    fn outside(&self, node: &Node<V>, below: Range<u32>, mesh: &Mesh) -> Option<u32> {
        let nests = |child: u32| node.volume.merged(&self.node(child).volume) == Some(node.volume);
        match node.content() {
            // What the children enclose is enclosed, then.
            Content::Children(children) if children.end as usize <= self.untiled && children.clone().all(nests) => None,
            _ => {
                let sticks_out = |&&id: &&u32| mesh.triangle(id).iter().any(|&corner| !node.volume.contains(corner));
                self.triangles(below).iter().find(sticks_out).copied()
            }
        }
    }
}

impl<V: BoundingVolume> Hierarchy<V> {
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
        if let Some((triangle, leaves)) = wrong_leaves {
            return Err(Violation::Leaves { triangle, leaves });
        }
        // The tiles of a triangle have the same run.
        if self.is_tiled() { Ok(()) } else { self.check_runs() }
    }

    fn check_runs(&self) -> Result<(), Violation> {
        let runs = self.runs_below();
        let scattered = |node: &Node<V>| match node.content() {
            Content::Children(children) => {
                let children = &runs[children.start as usize..children.end as usize];
                children.windows(2).any(|pair| pair[0].end != pair[1].start)
            }
            Content::Triangles(_) => false,
        };
        if let Some(node) = self.nodes.iter().position(scattered) {
            return Err(Violation::Scattered { node: node as u32 });
        }
        let height = self.height();
        if height > MAX_HEIGHT { Err(Violation::TooDeep { height, limit: MAX_HEIGHT }) } else { Ok(()) }
    }
}

/// A split that takes off a single triangle each time needs sizes that double from one to the next, in one of three directions: doubles have 2100 such steps.
/// Trees beyond that are not made by builders, and would make checking enclosure quadratic.
pub(crate) const MAX_HEIGHT: usize = 8192;
