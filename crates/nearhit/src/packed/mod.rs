//! The default engine, a wide BVH: nodes of eight boxes, each with an orientation of its own,
//! tested in SIMD lanes.
//!
//! A node holds up to eight boxes, axis-aligned in the node's frame (the principal axes of the
//! triangles below it), in single precision about the mesh's centre. That keeps the tightness of
//! oriented boxes at the cost of one relative rotation per *pair of nodes*, after which up to 64
//! pairs of boxes are tested in lanes. A leaf holds up to eight triangles in a frame of its own, so
//! that triangles are tested in lanes too.
//!
//! Single precision decides nothing: it only culls, with all its rounding added to the boxes
//! (`relation.rs`). What survives is decided by the same exact functions, on the same bits, as with
//! every other volume.

pub(crate) mod ball_search;
pub(crate) mod ball_tree;
mod balls;
mod boxes;
mod build;
mod check;
mod compaction;
mod contact;
pub(crate) mod convex;
mod descend;
mod dispatch;
mod dive;
mod facing;
mod file;
mod kernels;
mod lane_pairs;
mod lanes;
mod leaf_store;
mod leaves;
mod levels;
mod node;
mod open;
mod parts;
pub(crate) mod point;
mod preset;
mod quad;
pub(crate) mod ray;
mod relation;
mod slabs;
#[cfg(test)]
mod tests;
mod triangles;
pub(crate) mod turns;
mod twins;
pub(crate) mod winding;

pub(crate) use balls::Ball;
pub(crate) use descend::{Room, descend};
pub use preset::{Preset, UnknownPreset};

use crate::mesh::Mesh;
use glam::DVec3;
use leaf_store::Leaves;
use node::WideNode;
use twins::Twins;

/// Coordinates beyond this do not fit the engine's single precision with room for squares; such
/// meshes are left to the other volumes.
pub(crate) const MAX_PACKED: f64 = 1e15;

/// A tree of wide nodes over one mesh.
#[doc(alias = "BVH")]
#[doc(alias = "wide BVH")]
#[doc(alias = "QBVH")]
#[derive(Debug, Clone, PartialEq)]
pub struct Packed {
    nodes: Vec<WideNode>,
    leaves: Leaves,
    /// The point that single-precision coordinates are relative to.
    center: DVec3,
    /// No vertex is farther from there.
    radius: f64,
    /// Nodes of nothing but copies of one triangle.
    twins: Twins,
}

impl Packed {
    /// Builds the tree; none if coordinates are too large for it.
    #[must_use]
    pub fn build(mesh: &Mesh, preset: Preset) -> Option<Self> {
        (mesh.max_coordinate() <= MAX_PACKED).then(|| build::build(mesh, preset))
    }

    /// Are triangles fetched from the mesh when they are tested?
    #[must_use]
    pub fn is_compact(&self) -> bool {
        self.leaves.is_bare()
    }

    /// The middle of the mesh's box.
    pub(crate) fn center(&self) -> DVec3 {
        self.center
    }

    /// Heap memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<WideNode>()
            + self.leaves.bytes()
            + self.twins.capacity() * size_of::<(u32, u32)>()
    }

    /// How many nodes there are, and how many slots of each are used, on average.
    #[must_use]
    pub fn nodes(&self) -> (usize, f64) {
        let used: u64 = self.nodes.iter().map(|node| u64::from(node.count)).sum();
        (self.nodes.len(), used as f64 / self.nodes.len() as f64)
    }

    /// How many leaves there are, and how many triangles each has, on average.
    #[must_use]
    pub fn leaves(&self) -> (usize, f64) {
        let used: u64 = (0..self.leaves.len() as u32).map(|leaf| self.leaves.ids(leaf).len() as u64).sum();
        (self.leaves.len(), used as f64 / self.leaves.len() as f64)
    }
}
