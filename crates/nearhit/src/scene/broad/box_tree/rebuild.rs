//! Boxes that grow in place, and subtrees built afresh where much has changed.

use super::{BoxTree, NONE, Node, Place};
use crate::bounds::Bounds;
use glam::DVec3;

/// When a subtree has had more changes than this share of its leaves it is built afresh. A change
/// counts at every level, so that over time each pays for a few rebuilds of its share: the
/// logarithm squared of the number of boxes.
const EDITS: f64 = 0.25;
/// Or when its boxes have grown by this factor, compared with the box around all of them.
const GROWTH: f64 = 1.15;

impl BoxTree {
    /// Changes boxes without moving them in the tree, then mends all boxes above. Keys that are not
    /// in the tree are left out.
    pub fn reshape(&mut self, boxes: impl Iterator<Item = (u32, Bounds)>) {
        for (key, bounds) in boxes {
            if let Some(leaf) = self.leaves.get(key as usize).copied().filter(|&leaf| leaf != NONE) {
                self.nodes[leaf as usize].bounds = bounds;
            }
        }
        for id in self.below(self.root).into_iter().rev() {
            if !self.nodes[id as usize].is_leaf() {
                self.join(id);
            }
        }
    }

    /// Builds afresh the largest subtree around a place that has changed much, if there is one.
    pub fn mend_above(&mut self, place: Place) {
        let (mut at, mut worn) = (place.0, NONE);
        while at != NONE {
            let node = &self.nodes[at as usize];
            if !node.is_leaf() && node.is_edited() {
                worn = at;
            }
            at = node.parent;
        }
        if worn != NONE {
            self.rebuild(worn);
            self.mend_costs_above(worn);
        }
    }

    /// Builds afresh everything that has changed much.
    pub fn mend_worn(&mut self) {
        let mut open = Vec::new();
        open.extend((self.root != NONE).then_some(self.root));
        while let Some(id) = open.pop() {
            let node = &self.nodes[id as usize];
            if node.is_leaf() {
                continue;
            }
            let surface = node.bounds.half_surface();
            if node.is_edited() || node.cost > GROWTH * node.built * surface {
                self.rebuild(id);
                self.mend_costs_above(id);
            } else {
                open.extend(node.children);
            }
        }
    }

    /// The tree as nested runs of keys: for each node, parents first, how many keys are below it
    /// and where its children are in the list, and the keys in order.
    pub(crate) fn layout(&self) -> Layout {
        let mut layout = Layout { nodes: Vec::new(), order: Vec::new() };
        if self.root == NONE {
            return layout;
        }
        layout.nodes.push((0..0, None));
        let mut open = vec![(0_usize, self.root, 0_u32)];
        layout.order.resize(self.nodes[self.root as usize].count as usize, 0);
        while let Some((place, id, start)) = open.pop() {
            let node = &self.nodes[id as usize];
            let run = start..start + node.count;
            if node.is_leaf() {
                layout.order[start as usize] = node.key;
                layout.nodes[place] = (run, None);
                continue;
            }
            let first = layout.nodes.len();
            layout.nodes[place] = (run, Some(first as u32..first as u32 + 2));
            layout.nodes.extend([(0..0, None), (0..0, None)]);
            let [left, right] = node.children;
            open.push((first + 1, right, start + self.nodes[left as usize].count));
            open.push((first, left, start));
        }
        layout
    }

    /// A subtree's nodes, parents first.
    fn below(&self, root: u32) -> Vec<u32> {
        let mut ids = Vec::new();
        ids.extend((root != NONE).then_some(root));
        let mut at = 0;
        while at < ids.len() {
            let node = &self.nodes[ids[at] as usize];
            if !node.is_leaf() {
                ids.extend(node.children);
            }
            at += 1;
        }
        ids
    }

    /// From the top down: split at the mean of the centres, along the axis where they are spread
    /// most.
    fn rebuild(&mut self, root: u32) {
        let ids = self.below(root);
        let (leaves, inner): (Vec<u32>, Vec<u32>) = ids.into_iter().partition(|&id| self.nodes[id as usize].is_leaf());
        let mut items: Vec<(DVec3, u32)> = leaves
            .into_iter()
            .map(|id| {
                let Bounds { low, high } = self.nodes[id as usize].bounds;
                (low * 0.5 + high * 0.5, id)
            })
            .collect();
        // The same number of inner nodes is needed again; the subtree's root stays where it is.
        let mut spare = inner.into_iter().filter(|&id| id != root);
        let mut made = vec![root];
        let mut open = vec![(root, 0, items.len())];
        while let Some((at, start, end)) = open.pop() {
            let middle = start + split(&mut items[start..end]);
            let mut child = |this: &mut Self, start: usize, end: usize| {
                let id = if end - start == 1 { items[start].1 } else { spare.next().unwrap_or(NONE) };
                this.nodes[id as usize].parent = at;
                if end - start > 1 {
                    made.push(id);
                    open.push((id, start, end));
                }
                id
            };
            let children = [child(self, start, middle), child(self, middle, end)];
            self.nodes[at as usize].children = children;
        }
        for id in made.into_iter().rev() {
            self.join(id);
            let node = &mut self.nodes[id as usize];
            node.edits = 0;
            let surface = node.bounds.half_surface();
            node.built = if surface > 0.0 { node.cost / surface } else { f64::INFINITY };
        }
    }

    fn mend_costs_above(&mut self, id: u32) {
        let mut at = self.nodes[id as usize].parent;
        while at != NONE {
            self.join(at);
            at = self.nodes[at as usize].parent;
        }
    }
}

impl Node {
    fn is_edited(&self) -> bool {
        f64::from(self.edits) > EDITS * f64::from(self.count)
    }
}

/// A tree as a list: see [`BoxTree::layout`].
#[derive(Debug)]
pub(crate) struct Layout {
    /// The keys below, as a run of `order`, and the children.
    pub(crate) nodes: Vec<(std::ops::Range<u32>, Option<std::ops::Range<u32>>)>,
    pub(crate) order: Vec<u32>,
}

/// Reorders at least two items into two parts that are not empty; returns how many are in the
/// first.
fn split(items: &mut [(DVec3, u32)]) -> usize {
    let count = items.len() as f64;
    let mean = items.iter().fold(DVec3::ZERO, |sum, (center, _)| sum + *center / count);
    let spread = items.iter().fold(DVec3::ZERO, |sum, (center, _)| sum + (*center - mean) * (*center - mean));
    let axis = (1..3).fold(0, |widest, axis| if spread[axis] > spread[widest] { axis } else { widest });
    let mut first = 0;
    for at in 0..items.len() {
        if items[at].0[axis] < mean[axis] {
            items.swap(at, first);
            first += 1;
        }
    }
    // All in one place, or nearly: halves by count. So too where the mean would make a deep tree.
    let smaller = first.min(items.len() - first);
    if smaller * 16 >= items.len() {
        return first;
    }
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
    middle
}
