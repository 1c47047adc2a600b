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
    let unit = tree.node(Hierarchy::<V>::ROOT).volume.size().max(f64::MIN_POSITIVE);
    let sizes: Vec<f64> = tree.nodes().iter().map(|node| cost.likelihood.of(&node.volume, unit)).collect();
    let skeleton = tree.skeleton();
    let (contents, runs) = (skeleton.contents(), skeleton.runs_below());
    let is_leaf = cheaper_as_leaves(contents, &runs, &sizes, cost);
    let plan = |id: u32| match &contents[id as usize] {
        Content::Children(children) if !is_leaf[id as usize] => Plan::Inner(children.clone().collect()),
        _ => Plan::Leaf(runs[id as usize].clone()),
    };
    rearranged(tree, &plan)
}

/// Gives every node up to `degree` children: the largest child is replaced by its own children as
/// long as there is room.
pub(super) fn widen<V: BoundingVolume>(tree: &Hierarchy<V>, degree: usize) -> Hierarchy<V> {
    let sizes: Vec<f64> = tree.nodes().iter().map(|node| node.volume.size()).collect();
    let skeleton = tree.skeleton();
    let contents = skeleton.contents();
    let plan = |id: u32| match &contents[id as usize] {
        Content::Triangles(run) => Plan::Leaf(run.clone()),
        Content::Children(children) => Plan::Inner(descendants(contents, &sizes, children.clone().collect(), degree)),
    };
    rearranged(tree, &plan)
}

/// For each node: is it cheaper as a leaf than with what is below it?
fn cheaper_as_leaves(contents: &[Content], runs: &[Range<u32>], sizes: &[f64], cost: LeafCost) -> Vec<bool> {
    let mut costs = vec![0.0; contents.len()];
    let mut is_leaf = vec![true; contents.len()];
    for id in (0..contents.len()).rev() {
        costs[id] = cost.triangle_test * f64::from(runs[id].end - runs[id].start);
        if let Content::Children(children) = &contents[id] {
            let child_cost = |child: usize| cost.volume_test + (sizes[child] / sizes[id]).min(1.0) * costs[child];
            let opened: f64 = children.clone().map(|child| child_cost(child as usize)).sum();
            is_leaf[id] = costs[id] <= opened;
            costs[id] = costs[id].min(opened);
        }
    }
    is_leaf
}

fn descendants(contents: &[Content], sizes: &[f64], mut family: Vec<u32>, degree: usize) -> Vec<u32> {
    loop {
        let room = degree.saturating_sub(family.len());
        let openable = family.iter().enumerate().filter_map(|(place, &id)| match &contents[id as usize] {
            Content::Children(children) if children.len() <= room + 1 => Some((place, sizes[id as usize])),
            _ => None,
        });
        let largest = openable.reduce(|best, other| if other.1 > best.1 { other } else { best });
        let Some((place, _)) = largest else { return family };
        if let Content::Children(children) = &contents[family[place] as usize] {
            // In place, so that the triangles stay in order.
            family.splice(place..=place, children.clone());
        }
    }
}

/// Lays the tree out anew, depth first with siblings side by side.
fn rearranged<V: BoundingVolume>(tree: &Hierarchy<V>, plan: &dyn Fn(u32) -> Plan) -> Hierarchy<V> {
    let mut nodes = Vec::new();
    for (id, content) in laid_out(plan) {
        let volume = tree.node(id).volume;
        nodes.push(match content {
            Content::Triangles(run) => Node::leaf(volume, run),
            Content::Children(children) => Node::inner(volume, children),
        });
    }
    Hierarchy::from_parts(nodes, tree.order().to_vec())
}

/// For each node of the new tree: which it was in the old one, and what it holds now.
fn laid_out(plan: &dyn Fn(u32) -> Plan) -> Vec<(u32, Content)> {
    // What a node holds is only known when its turn comes.
    let unknown = |id: u32| (id, Content::Triangles(0..0));
    let mut nodes = vec![unknown(0)];
    let mut open = vec![0_usize];
    while let Some(place) = open.pop() {
        nodes[place].1 = match plan(nodes[place].0) {
            Plan::Leaf(run) => Content::Triangles(run),
            Plan::Inner(children) => {
                let first = nodes.len();
                nodes.extend(children.into_iter().map(unknown));
                open.extend((first..nodes.len()).rev());
                Content::Children(first as u32..nodes.len() as u32)
            }
        };
    }
    nodes
}
