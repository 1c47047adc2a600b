//! Balls about the occupied cells of an octree (§6.1): the baseline.

use super::build::Node;
use crate::build::octree::{Cell, Octree, OctreeLimits};
use crate::mesh::Mesh;

/// The balls of neighbouring cells pass through their common corners: where a corner lies on the
/// surface, only infinitely small parts of it would be in one ball. A millionth more, and small
/// parts are.
const GROWN: f64 = 1.0 + 1e-6;

/// A ball for each occupied cell, level by level. A cell has the part of the surface that is in it,
/// so its octants have its own.
pub(super) fn levels(mesh: &Mesh, depth: u32) -> Vec<Vec<Node>> {
    let tree = Octree::build(mesh, OctreeLimits { depth, stop_count: 0 });
    let mut levels: Vec<Vec<Node>> = Vec::new();
    let mut above: Vec<u32> = Vec::new();
    for level in 0..=depth {
        let mut cells: Vec<u32> = Vec::new();
        let mut nodes = Vec::new();
        let mut add = |index: u32, parent: usize| {
            let cell: &Cell = &tree.cells()[index as usize];
            let triangles = if level == depth { tree.triangles(cell).to_vec() } else { Vec::new() };
            let radius = cell.circumradius() * GROWN;
            nodes.push(Node { center: cell.center, radius, reach: radius, parent, triangles });
            cells.push(index);
        };
        if level == 0 {
            add(0, 0);
        }
        for (parent, &cell) in above.iter().enumerate() {
            let children = tree.cells()[cell as usize].children.clone();
            if children.is_empty() {
                // Touched by rounding only, or not divided: it goes on as it is.
                add(cell, parent);
            }
            children.for_each(|child| add(child, parent));
        }
        levels.push(nodes);
        above = cells;
    }
    levels
}
