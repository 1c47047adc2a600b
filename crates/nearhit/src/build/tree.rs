//! From decided splits to a tree: nodes are laid out, then volumes fitted.

use crate::hierarchy::{Hierarchy, Node};
use crate::mesh::{Mesh, Triangle};
use crate::parallel::*;
use crate::volume::{BoundingVolume, Covariance};
use std::ops::Range;

/// A decided split of a run of triangles.
pub(super) enum Split {
    Leaf(Range<u32>),
    Inner(Range<u32>, Box<[Split; 2]>),
}

impl Split {
    /// The triangles below, as positions in the order.
    pub(super) fn run(&self) -> &Range<u32> {
        match self {
            Self::Leaf(run) | Self::Inner(run, _) => run,
        }
    }
}

/// Lays out the nodes and fits their volumes.
pub(super) fn fit<V: BoundingVolume>(
    mesh: &Mesh,
    tree: Split,
    order: Vec<u32>,
    covariance: Covariance,
) -> Hierarchy<V> {
    let nodes = lay_out(tree)
        .into_par_iter()
        .map_init(Vec::new, |triangles: &mut Vec<Triangle>, (below, children)| {
            triangles.clear();
            triangles.extend(order[below.start as usize..below.end as usize].iter().map(|&id| mesh.triangle(id)));
            let volume = V::fit_by(triangles, covariance);
            children.map_or(Node::leaf(volume, below), |children| Node::inner(volume, children))
        })
        .collect();
    Hierarchy::from_parts(nodes, order)
}

/// For each node in depth-first order with siblings side by side: the triangles below it, and its
/// children if it has any.
fn lay_out(root: Split) -> Vec<(Range<u32>, Option<Range<u32>>)> {
    let mut runs = vec![(0..0, None)];
    let mut open = vec![(0_usize, root)];
    while let Some((id, split)) = open.pop() {
        match split {
            Split::Leaf(run) => runs[id] = (run, None),
            Split::Inner(run, halves) => {
                let first = runs.len();
                runs[id] = (run, Some(first as u32..first as u32 + 2));
                runs.extend([(0..0, None), (0..0, None)]);
                let [left, right] = *halves;
                open.push((first + 1, right));
                open.push((first, left));
            }
        }
    }
    runs
}
