//! What a packed tree is like, level by level.

use super::Packed;
use super::node::{Content, WideNode};
use crate::hierarchy::Level;
use glam::DVec3;

impl Packed {
    /// The levels, from the root down: boxes of slots count as the volumes of what they hold;
    /// memory of a leaf counts with the node that holds it.
    #[must_use]
    pub fn levels(&self) -> Vec<Level> {
        let unit = half_extents(&self.nodes[0], 0).length().max(f64::MIN_POSITIVE);
        let mut levels: Vec<Level> = Vec::new();
        let mut depths = vec![0_usize; self.nodes.len()];
        // Children come after their parents.
        for (id, node) in self.nodes.iter().enumerate() {
            if levels.len() <= depths[id] {
                levels.resize(depths[id] + 1, Level::default());
            }
            let level = &mut levels[depths[id]];
            level.nodes += 1;
            level.bytes += size_of::<WideNode>();
            for (lane, content) in node.contents().enumerate() {
                let [x, y, z] = (half_extents(node, lane) / unit).to_array();
                level.volume += 8.0 * x * y * z;
                level.surface += 8.0 * (x * y + y * z + z * x);
                match content {
                    Content::Leaf(_) => {
                        level.leaves += 1;
                        level.bytes += self.leaves.bytes() / self.leaves.len();
                    }
                    Content::Node(child) => depths[child as usize] = depths[id] + 1,
                }
            }
        }
        levels
    }
}

fn half_extents(node: &WideNode, lane: usize) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| node.half[axis].0[lane].into()))
}
