//! Bounding volume hierarchies (BVHs): trees of volumes over triangles.
//!
//! Layout: one array of nodes, the root first, the children of a node side by side and after it;
//! one array with the triangle ids, in which every leaf owns a run and the triangles below every
//! node are one run. Any number of children. [`Hierarchy::check`] states and tests the invariants.

pub mod any;
mod check;
mod climbs;
mod file;
mod levels;
pub mod outlines;
mod skeleton;

pub use crate::error::Violation;
pub(crate) use any::PairOperation;
pub use any::{AnyHierarchy, TreeOperation, UnknownVolume, VolumeKind};
pub(crate) use climbs::Climbs;
pub use levels::Level;
pub use outlines::{Outlines, Tumbling};
pub(crate) use skeleton::Skeleton;

use crate::mesh::Mesh;
use crate::volume::BoundingVolume;
use crate::volume::outline::Outline;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A node: a volume, and a run of children or of triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node<V> {
    /// Encloses everything below.
    pub volume: V,
    first: u32,
    /// The highest bit marks a leaf.
    count_and_kind: u32,
}

const LEAF: u32 = 1 << 31;

/// What a node holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Ids of the children.
    Children(Range<u32>),
    /// Positions in [`Hierarchy::order`].
    Triangles(Range<u32>),
}

impl<V> Node<V> {
    pub(crate) fn inner(volume: V, children: Range<u32>) -> Self {
        Self { volume, first: children.start, count_and_kind: children.end - children.start }
    }

    pub(crate) fn leaf(volume: V, triangles: Range<u32>) -> Self {
        Self { volume, first: triangles.start, count_and_kind: (triangles.end - triangles.start) | LEAF }
    }

    /// Children or triangles.
    #[must_use]
    #[inline]
    pub fn content(&self) -> Content {
        let run = self.first..self.first + (self.count_and_kind & !LEAF);
        if self.is_leaf() { Content::Triangles(run) } else { Content::Children(run) }
    }

    /// Whether it holds triangles.
    #[must_use]
    #[inline]
    pub fn is_leaf(&self) -> bool {
        self.count_and_kind & LEAF != 0
    }
}

/// Tells trees of different shape apart: every tree that is put together gets another one, a copy
/// keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TreeId(u64);

impl TreeId {
    fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A tree of volumes over the triangles of one mesh. The mesh is kept beside it, not in it.
#[doc(alias = "BVH")]
#[doc(alias = "bounding volume hierarchy")]
#[derive(Debug, Clone)]
pub struct Hierarchy<V> {
    id: TreeId,
    nodes: Vec<Node<V>>,
    order: Vec<u32>,
    /// Nodes from here on are tiles: they cover a part of their leaf's triangle, not all of it.
    untiled: usize,
    /// Made on request, for a model that flies.
    outlines: Option<Box<Outlines>>,
}

impl<V: PartialEq> PartialEq for Hierarchy<V> {
    /// Equal trees may have been put together twice.
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes && self.order == other.order && self.outlines == other.outlines
    }
}

impl<V: BoundingVolume> Hierarchy<V> {
    /// Id of the root.
    pub const ROOT: u32 = Skeleton::ROOT;

    pub(crate) fn from_parts(nodes: Vec<Node<V>>, order: Vec<u32>) -> Self {
        let untiled = nodes.len();
        Self::from_tiled_parts(nodes, order, untiled)
    }

    /// With tiles from node `untiled` on.
    pub(crate) fn from_tiled_parts(nodes: Vec<Node<V>>, order: Vec<u32>, untiled: usize) -> Self {
        Self { id: TreeId::fresh(), nodes, order, untiled, outlines: None }
    }

    /// Whether there are triangles that are covered by several leaves.
    #[must_use]
    pub fn is_tiled(&self) -> bool {
        self.untiled < self.nodes.len()
    }

    /// Of its shape.
    #[inline]
    pub(crate) fn id(&self) -> TreeId {
        self.id
    }

    /// All nodes; the index is the id.
    #[must_use]
    pub fn nodes(&self) -> &[Node<V>] {
        &self.nodes
    }

    /// One node.
    #[must_use]
    #[inline]
    pub fn node(&self, id: u32) -> &Node<V> {
        &self.nodes[id as usize]
    }

    /// Triangle ids in the order of the leaves.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Ids of the triangles at a run of positions.
    #[must_use]
    #[inline]
    pub fn triangles(&self, positions: Range<u32>) -> &[u32] {
        &self.order[positions.start as usize..positions.end as usize]
    }

    /// The volume of a node of a, in b's frame: by its outline if it has one.
    #[must_use]
    #[inline]
    pub fn place(&self, id: u32, motion: &V::Motion) -> V::Placed {
        let volume = &self.node(id).volume;
        match self.outlines.as_ref().and_then(|outlines| outlines.of(id)) {
            Some(outline) => volume.place_outlined(&outline, motion),
            None => volume.place(motion),
        }
    }

    /// The same, with climbs on hulls that begin where the last ones ended.
    pub(crate) fn place_from(&self, id: u32, motion: &V::Motion, climbs: &mut Climbs) -> V::Placed {
        let Some((place, hull)) = self.outlines.as_ref().and_then(|outlines| outlines.hull(id)) else {
            return self.place(id, motion);
        };
        let last = climbs.of(place, V::SPLIT_DIRECTIONS.len());
        self.node(id).volume.place_outlined(&Outline::Climbed(hull, last), motion)
    }

    /// Prepares for [`Hierarchy::place_from`].
    pub(crate) fn prepare_climbs(&self, climbs: &mut Climbs) {
        let hulls = self.outlines.as_ref().map_or(0, |outlines| outlines.hulls());
        climbs.start(self.id(), hulls, V::SPLIT_DIRECTIONS.len());
    }

    /// Makes, or removes, the data beside the tree that placing its volumes can use.
    pub fn set_tumbling(&mut self, mesh: &Mesh, tumbling: Tumbling) {
        self.outlines = None;
        self.outlines = Outlines::new(self, mesh, tumbling).map(Box::new);
    }

    /// The data beside the tree, if any was made.
    #[must_use]
    pub fn outlines(&self) -> Option<&Outlines> {
        self.outlines.as_deref()
    }

    pub(crate) fn with_outlines(self, outlines: Option<Outlines>) -> Self {
        Self { outlines: outlines.map(Box::new), ..self }
    }

    /// For each node, where in [`Hierarchy::order`] its triangles are.
    #[must_use]
    pub fn runs_below(&self) -> Vec<Range<u32>> {
        self.skeleton().runs_below()
    }

    /// Ids of all triangles below a node.
    #[must_use]
    pub fn triangles_below(&self, id: u32) -> Vec<u32> {
        // Without a skeleton of the whole tree for one node.
        skeleton::triangles_below(id, &self.order, &|id| self.node(id).content())
    }

    /// Edges between the root and each node.
    #[must_use]
    pub fn depths(&self) -> Vec<u32> {
        self.skeleton().depths()
    }

    /// Edges on the longest way from the root to a leaf.
    #[must_use]
    pub fn height(&self) -> usize {
        self.skeleton().height()
    }

    /// Heap memory held, in bytes, without what is beside the tree ([`Outlines::bytes`]).
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<V>>() + self.order.capacity() * size_of::<u32>()
    }
}
