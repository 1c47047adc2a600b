//! A tree of boxes that are a little too large, so that a part can move a while before the tree
//! must know.

use super::{BoxTree, BroadPhase, Items, KeyPair};

/// How much larger, as a share of a box's longest side.
const MARGIN: f64 = 0.1;

/// A dynamic tree of bounding boxes.
#[derive(Debug, Clone, Default)]
pub struct DynamicTree {
    tree: BoxTree,
}

impl BroadPhase for DynamicTree {
    fn name(&self) -> &'static str {
        "tree"
    }

    fn update(&mut self, items: &Items, changed: &[u32]) {
        for &key in changed {
            let Some(item) = items.get(key) else {
                self.tree.remove(key);
                continue;
            };
            if !self.tree.get(key).is_some_and(|known| known.holds(&item.bounds)) {
                let margin =
                    if item.is_fixed { 0.0 } else { MARGIN * (item.bounds.high - item.bounds.low).max_element() };
                self.tree.insert(key, item.bounds.grown(margin));
            }
        }
    }

    fn unit(&self) -> usize {
        16
    }

    fn pairs(&self, items: &Items, reach: f64, found: &mut Vec<KeyPair>) {
        super::pairs_of(&self.tree, items, reach, found);
    }

    fn neighbours(&self, items: &Items, key: u32, found: &mut Vec<u32>) {
        super::neighbours_of(&self.tree, items, key, found);
    }
}
