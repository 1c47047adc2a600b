//! Changes to a finished tree: leaves merged where a cost model says so (k-DOP paper, §4.3), levels
//! merged to a higher degree (§3.3.1).
//!
//! Volumes are kept as they are; only who is whose child changes. The triangles below a node are
//! one run of the order, as builders make them.

use super::split::Cost;
use crate::hierarchy::{Content, Hierarchy, Node};
use crate::volume::BoundingVolume;
use std::ops::Range;

/// When is a leaf cheaper than its subtree? What tests cost, in any one unit.
///
/// A visited node costs one volume test a child, and each child is visited as often as its surface
/// (or volume) is part of the node's. A leaf costs one triangle test a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeafCost {
    /// Of two volumes, with the share of placing one.
    pub volume_test: f64,
    /// Of two triangles.
    pub triangle_test: f64,
    /// How likely a child is visited, compared with its parent.
    pub likelihood: Cost,
}

/// What becomes of a node.
enum Plan {
    Leaf(Range<u32>),
    Inner(Vec<u32>),
}

/// Turns every subtree into a leaf that is not worth its tests.
pub(super) fn merge_leaves<V: BoundingVolume>(tree: &Hierarchy<V>, cost: LeafCost) -> Hierarchy<V> {
    let runs = tree.runs_below();
    let unit = tree.node(Hierarchy::<V>::ROOT).volume.size().max(f64::MIN_POSITIVE);
    let sizes: Vec<f64> = tree.nodes().iter().map(|node| cost.likelihood.of(&node.volume, unit)).collect();
    let mut costs = vec![0.0; tree.nodes().len()];
    let mut is_leaf = vec![true; tree.nodes().len()];
    for id in (0..tree.nodes().len()).rev() {
        costs[id] = cost.triangle_test * f64::from(runs[id].end - runs[id].start);
        if let Content::Children(children) = tree.nodes()[id].content() {
            let child_cost = |child: usize| cost.volume_test + (sizes[child] / sizes[id]).min(1.0) * costs[child];
            let opened: f64 = children.map(|child| child_cost(child as usize)).sum();
            is_leaf[id] = costs[id] <= opened;
            costs[id] = costs[id].min(opened);
        }
    }
    rearranged(tree, |id| match tree.node(id).content() {
        Content::Children(children) if !is_leaf[id as usize] => Plan::Inner(children.collect()),
        _ => Plan::Leaf(runs[id as usize].clone()),
    })
}

/// Gives every node up to `degree` children: the largest child is replaced by its own children as
/// long as there is room.
pub(super) fn widen<V: BoundingVolume>(tree: &Hierarchy<V>, degree: usize) -> Hierarchy<V> {
    rearranged(tree, |id| match tree.node(id).content() {
        Content::Triangles(run) => Plan::Leaf(run),
        Content::Children(children) => Plan::Inner(descendants(tree, children.collect(), degree)),
    })
}

fn descendants<V: BoundingVolume>(tree: &Hierarchy<V>, mut family: Vec<u32>, degree: usize) -> Vec<u32> {
    loop {
        let room = degree.saturating_sub(family.len());
        let openable = family.iter().enumerate().filter_map(|(place, &id)| match tree.node(id).content() {
            Content::Children(children) if children.len() <= room + 1 => Some((place, tree.node(id).volume.size())),
            _ => None,
        });
        let largest = openable.reduce(|best, other| if other.1 > best.1 { other } else { best });
        let Some((place, _)) = largest else { return family };
        if let Content::Children(children) = tree.node(family[place]).content() {
            // In place, so that the triangles stay in order.
            family.splice(place..=place, children);
        }
    }
}

/// Lays the tree out anew, depth first with siblings side by side.
fn rearranged<V: BoundingVolume>(tree: &Hierarchy<V>, plan: impl Fn(u32) -> Plan) -> Hierarchy<V> {
    let root = Hierarchy::<V>::ROOT;
    let mut nodes = vec![*tree.node(root)];
    let mut open = vec![(0_usize, root)];
    while let Some((place, id)) = open.pop() {
        let volume = tree.node(id).volume;
        nodes[place] = match plan(id) {
            Plan::Leaf(run) => Node::leaf(volume, run),
            Plan::Inner(children) => {
                let first = nodes.len();
                nodes.extend(children.iter().map(|&child| *tree.node(child)));
                open.extend(children.iter().enumerate().rev().map(|(i, &child)| (first + i, child)));
                Node::inner(volume, first as u32..nodes.len() as u32)
            }
        };
    }
    Hierarchy::from_parts(nodes, tree.order().to_vec())
}
