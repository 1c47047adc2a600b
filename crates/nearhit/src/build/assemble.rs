//! A tree whose shape was decided elsewhere: only its volumes are fitted.

use crate::hierarchy::{Hierarchy, Node};
use crate::mesh::Triangle;
use crate::volume::BoundingVolume;
use std::ops::Range;

/// The shape of a tree over triangles.
pub(crate) struct Shape {
    /// Parents first: which triangles of `order` are below, and the children if there are any.
    pub(crate) nodes: Vec<(Range<u32>, Option<Range<u32>>)>,
    /// Ids of triangles.
    pub(crate) order: Vec<u32>,
}

/// Fits volumes from the leaves up, each from its children's where that gives the same. `enclosed`
/// adds, for a triangle's id, all that its leaf must hold.
pub(crate) fn assemble<V: BoundingVolume>(shape: Shape, enclosed: &dyn Fn(u32, &mut Vec<Triangle>)) -> Hierarchy<V> {
    let mut triangles = Vec::new();
    let mut volumes: Vec<Option<V>> = vec![None; shape.nodes.len()];
    // Children come after their parent.
    for (id, (below, children)) in shape.nodes.iter().enumerate().rev() {
        let of = |child: u32| volumes[child as usize];
        let merged = children.clone().and_then(|children| of(children.start)?.merged(&of(children.end - 1)?));
        volumes[id] = merged.or_else(|| {
            triangles.clear();
            let ids = &shape.order[below.start as usize..below.end as usize];
            ids.iter().for_each(|&id| enclosed(id, &mut triangles));
            Some(V::fit(&triangles))
        });
    }
    let node = |((below, children), volume): ((Range<u32>, Option<Range<u32>>), V)| {
        children.map_or(Node::leaf(volume, below), |children| Node::inner(volume, children))
    };
    let nodes = shape.nodes.into_iter().zip(volumes.into_iter().flatten()).map(node).collect();
    Hierarchy::from_parts(nodes, shape.order)
}
