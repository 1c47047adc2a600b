//! A tree of boxes that changes: boxes come, go and move.
//!
//! A new box goes where it makes the boxes above it grow least, and on the way back up a node swaps
//! one of its children with a grandchild if that makes its boxes smaller. So the tree stays about
//! as good as one built afresh. What has changed much can be built afresh ([`BoxTree::mend_worn`],
//! [`BoxTree::mend_above`]). Nothing here recurses: no history can make a tree too deep.

mod rebuild;

pub(crate) use rebuild::Layout;

use crate::bounds::Bounds;

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Bounds,
    parent: u32,
    /// [`NONE`] twice for a leaf.
    children: [u32; 2],
    /// Of a leaf.
    key: u32,
    /// Leaves below.
    count: u32,
    /// Boxes that came, went or moved below since the subtree was built.
    edits: u32,
    /// Surfaces of this and all inner nodes below.
    cost: f64,
    /// `cost` over its own surface when the subtree was built; infinite where it was not.
    built: f64,
}

impl Node {
    fn leaf(bounds: Bounds, key: u32) -> Self {
        Self { bounds, parent: NONE, children: [NONE; 2], key, count: 1, edits: 0, cost: 0.0, built: f64::INFINITY }
    }

    fn is_leaf(&self) -> bool {
        self.children[0] == NONE
    }
}

/// Where a tree changed: good until it changes again.
#[derive(Debug, Clone, Copy)]
pub struct Place(u32);

/// Boxes by key, in a binary tree.
#[derive(Debug, Clone)]
pub struct BoxTree {
    nodes: Vec<Node>,
    free: Vec<u32>,
    root: u32,
    /// By key: its leaf.
    leaves: Vec<u32>,
}

impl Default for BoxTree {
    fn default() -> Self {
        Self { nodes: Vec::new(), free: Vec::new(), root: NONE, leaves: Vec::new() }
    }
}

impl BoxTree {
    /// The box of a key, if it is in the tree.
    #[must_use]
    pub fn get(&self, key: u32) -> Option<&Bounds> {
        let leaf = *self.leaves.get(key as usize)?;
        (leaf != NONE).then(|| &self.nodes[leaf as usize].bounds)
    }

    /// Puts a box in, or moves it. Returns the place in the tree that changed.
    pub fn insert(&mut self, key: u32, bounds: Bounds) -> Place {
        self.remove(key);
        if self.leaves.len() <= key as usize {
            self.leaves.resize(key as usize + 1, NONE);
        }
        let leaf = self.make(Node::leaf(bounds, key));
        self.leaves[key as usize] = leaf;
        if self.root == NONE {
            self.root = leaf;
            return Place(leaf);
        }
        let sibling = self.best_sibling(&bounds);
        let parent = self.nodes[sibling as usize].parent;
        let edits = self.nodes[sibling as usize].edits;
        let inner = self.make(Node { parent, children: [sibling, leaf], edits, ..Node::leaf(bounds, NONE) });
        self.replace(parent, sibling, inner);
        self.nodes[sibling as usize].parent = inner;
        self.nodes[leaf as usize].parent = inner;
        self.mend(inner);
        Place(inner)
    }

    /// Takes a box out; nothing happens if there is none. Returns the place in the tree that
    /// changed.
    pub fn remove(&mut self, key: u32) -> Place {
        let Some(leaf) = self.leaves.get(key as usize).copied().filter(|&leaf| leaf != NONE) else {
            return Place(NONE);
        };
        self.leaves[key as usize] = NONE;
        let parent = self.nodes[leaf as usize].parent;
        self.free.push(leaf);
        if parent == NONE {
            self.root = NONE;
            return Place(NONE);
        }
        let [left, right] = self.nodes[parent as usize].children;
        let sibling = if left == leaf { right } else { left };
        let above = self.nodes[parent as usize].parent;
        self.nodes[sibling as usize].parent = above;
        self.replace(above, parent, sibling);
        self.free.push(parent);
        self.mend(above);
        Place(above)
    }

    /// Gives the box of one key to another, which has none.
    pub(crate) fn rename(&mut self, old: u32, new: u32) {
        let leaf = std::mem::replace(&mut self.leaves[old as usize], NONE);
        self.leaves[new as usize] = leaf;
        self.nodes[leaf as usize].key = new;
    }

    /// Tells every key whose box is no more than `reach` from `bounds` along any axis.
    pub fn visit(&self, bounds: &Bounds, reach: f64, stack: &mut Vec<u32>, mut found: impl FnMut(u32)) {
        stack.clear();
        stack.extend((self.root != NONE).then_some(self.root));
        while let Some(id) = stack.pop() {
            let node = &self.nodes[id as usize];
            if !node.bounds.near(bounds, reach) {
                continue;
            }
            if node.is_leaf() { found(node.key) } else { stack.extend(node.children) }
        }
    }

    /// Tells every two keys whose boxes are no more than `reach` apart, once.
    pub fn visit_pairs(&self, reach: f64, mut found: impl FnMut(u32, u32)) {
        // A node against itself stands for all pairs within it.
        let mut open: Vec<(u32, u32)> = Vec::new();
        open.extend((self.root != NONE).then_some((self.root, self.root)));
        while let Some((a, b)) = open.pop() {
            let (node_a, node_b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
            if a == b {
                let [left, right] = node_a.children;
                if left != NONE {
                    open.extend([(left, left), (right, right), (left, right)]);
                }
                continue;
            }
            if !node_a.bounds.near(&node_b.bounds, reach) {
                continue;
            }
            match (node_a.is_leaf(), node_b.is_leaf()) {
                (true, true) => found(node_a.key, node_b.key),
                (false, true) => open.extend(node_a.children.map(|child| (child, b))),
                (true, false) => open.extend(node_b.children.map(|child| (a, child))),
                // The larger is opened: the other may miss one of its halves.
                (false, false) if node_a.bounds.half_surface() >= node_b.bounds.half_surface() => {
                    open.extend(node_a.children.map(|child| (child, b)));
                }
                (false, false) => open.extend(node_b.children.map(|child| (a, child))),
            }
        }
    }

    fn make(&mut self, node: Node) -> u32 {
        if let Some(id) = self.free.pop() {
            self.nodes[id as usize] = node;
            return id;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// `parent` gets another child; without a parent the tree another root.
    fn replace(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let children = &mut self.nodes[parent as usize].children;
        children[usize::from(children[1] == old)] = new;
    }

    /// Where a new leaf costs least surface: greedily down from the root, until stopping here is
    /// cheaper than going on.
    fn best_sibling(&self, bounds: &Bounds) -> u32 {
        let surface = |id: u32| self.nodes[id as usize].bounds.half_surface();
        let joined = |id: u32| self.nodes[id as usize].bounds.join(bounds).half_surface();
        let mut at = self.root;
        loop {
            let [left, right] = self.nodes[at as usize].children;
            if left == NONE {
                return at;
            }
            let here = joined(at);
            // Every node below pays for this one's growth.
            let inherited = here - surface(at);
            let below = |child: u32| {
                let leaf = self.nodes[child as usize].is_leaf();
                inherited + joined(child) - if leaf { 0.0 } else { surface(child) }
            };
            let (cost_left, cost_right) = (below(left), below(right));
            if here <= cost_left && here <= cost_right {
                return at;
            }
            at = if cost_left <= cost_right { left } else { right };
        }
    }

    /// Boxes from `at` up to the root, and swaps that make them smaller.
    fn mend(&mut self, mut at: u32) {
        while at != NONE {
            self.rotate(at);
            self.join(at);
            self.nodes[at as usize].edits += 1;
            at = self.nodes[at as usize].parent;
        }
    }

    /// What an inner node has from its children.
    fn join(&mut self, at: u32) {
        let [left, right] = self.nodes[at as usize].children.map(|child| &self.nodes[child as usize]);
        let (bounds, count, below) =
            (left.bounds.join(&right.bounds), left.count + right.count, left.cost + right.cost);
        let node = &mut self.nodes[at as usize];
        (node.bounds, node.count, node.cost) = (bounds, count, below + bounds.half_surface());
    }

    /// Swaps a child with a child of its sibling, if that makes the sibling's box smaller.
    fn rotate(&mut self, at: u32) {
        let children = self.nodes[at as usize].children;
        let mut best: Option<(f64, u32, u32, u32)> = None;
        for (child, sibling) in [(children[0], children[1]), (children[1], children[0])] {
            let grandchildren = self.nodes[sibling as usize].children;
            if grandchildren[0] == NONE {
                continue;
            }
            let before = self.nodes[sibling as usize].bounds.half_surface();
            for (moved, stays) in [(grandchildren[0], grandchildren[1]), (grandchildren[1], grandchildren[0])] {
                let after = self.nodes[child as usize].bounds.join(&self.nodes[stays as usize].bounds).half_surface();
                if before - after > best.map_or(0.0, |(gain, ..)| gain) {
                    best = Some((before - after, child, sibling, moved));
                }
            }
        }
        if let Some((_, child, sibling, moved)) = best {
            self.replace(at, child, moved);
            self.replace(sibling, moved, child);
            self.nodes[moved as usize].parent = at;
            self.nodes[child as usize].parent = sibling;
            self.join(sibling);
        }
    }
}
