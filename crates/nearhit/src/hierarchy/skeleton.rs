//! The shape of a tree without its volumes: which nodes and triangles are below which. What asks
//! for nothing else is compiled once and not for every volume.

use super::{Content, Hierarchy};
use std::ops::Range;

/// What every node of a tree holds.
#[derive(Debug)]
pub(crate) struct Skeleton<'t> {
    contents: Vec<Content>,
    order: &'t [u32],
}

impl<V> Hierarchy<V> {
    /// Its shape.
    pub(crate) fn skeleton(&self) -> Skeleton<'_> {
        let mut contents = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            contents.push(node.content());
        }
        Skeleton { contents, order: &self.order }
    }
}

impl<'t> Skeleton<'t> {
    /// Id of the root.
    pub(crate) const ROOT: u32 = 0;

    /// Of every node; the index is the id.
    pub(crate) fn contents(&self) -> &[Content] {
        &self.contents
    }

    /// The children of a node; of a leaf none.
    #[inline]
    pub(crate) fn children(&self, id: u32) -> Range<u32> {
        match &self.contents[id as usize] {
            Content::Children(children) => children.clone(),
            Content::Triangles(_) => 0..0,
        }
    }

    /// Triangle ids in the order of the leaves.
    pub(crate) fn order(&self) -> &'t [u32] {
        self.order
    }

    /// Ids of the triangles at a run of positions.
    pub(crate) fn triangles(&self, positions: &Range<u32>) -> &'t [u32] {
        &self.order[positions.start as usize..positions.end as usize]
    }

    /// See [`Hierarchy::runs_below`].
    pub(crate) fn runs_below(&self) -> Vec<Range<u32>> {
        let mut runs = vec![0..0; self.contents.len()];
        // Children come after their parent.
        for (id, content) in self.contents.iter().enumerate().rev() {
            runs[id] = match content {
                Content::Triangles(run) => run.clone(),
                Content::Children(children) => runs[children.start as usize].start..runs[children.end as usize - 1].end,
            };
        }
        runs
    }

    /// See [`Hierarchy::triangles_below`].
    pub(crate) fn triangles_below(&self, id: u32) -> Vec<u32> {
        triangles_below(id, self.order, &|id| self.contents[id as usize].clone())
    }

    /// See [`Hierarchy::depths`].
    pub(crate) fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0_u32; self.contents.len()];
        for (id, content) in self.contents.iter().enumerate() {
            if let Content::Children(children) = content {
                let below = depths[id] + 1;
                depths[children.start as usize..children.end as usize].fill(below);
            }
        }
        depths
    }

    /// See [`Hierarchy::height`].
    pub(crate) fn height(&self) -> usize {
        self.depths().into_iter().max().unwrap_or(0) as usize
    }
}

/// Ids of all triangles below a node.
pub(super) fn triangles_below(id: u32, order: &[u32], content: &dyn Fn(u32) -> Content) -> Vec<u32> {
    let (mut found, mut open) = (Vec::new(), vec![id]);
    while let Some(id) = open.pop() {
        match content(id) {
            Content::Children(children) => open.extend(children),
            Content::Triangles(run) => found.extend_from_slice(&order[run.start as usize..run.end as usize]),
        }
    }
    found
}
