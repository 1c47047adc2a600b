//! Octrees as trees of boxes, as in the paper's Figure 12.

use crate::build::{Octree, OctreeLimits};
use crate::hierarchy::{AnyHierarchy, Hierarchy, Node};
use crate::mesh::Mesh;
use crate::model::{Model, Tree};
use crate::volume::aabb::Aabb;
use glam::DVec3;

/// A model whose tree is the octree of the mesh: its nodes are the occupied cubes. Triangles in
/// several cells are in several leaves; exact questions have the same answers as with any tree. Not
/// made to be saved.
#[must_use]
pub fn octree_model(mesh: Mesh, limits: OctreeLimits) -> Model {
    let octree = Octree::build(&mesh, limits);
    let mut order = Vec::new();
    let mut nodes = Vec::with_capacity(octree.cells().len());
    for cell in octree.cells() {
        let half = DVec3::splat(cell.half);
        let volume = Aabb::new(cell.center - half, cell.center + half);
        if cell.children.is_empty() {
            let first = order.len() as u32;
            order.extend_from_slice(octree.triangles(cell));
            nodes.push(Node::leaf(volume, first..order.len() as u32));
        } else {
            nodes.push(Node::inner(volume, cell.children.clone()));
        }
    }
    // All of them cover parts of triangles.
    let tree = Hierarchy::from_tiled_parts(nodes, order, 0);
    Model::from_tree(mesh, Tree::Classic(AnyHierarchy::Aabb(tree)))
}
