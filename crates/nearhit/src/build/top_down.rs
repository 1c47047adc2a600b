//! Top-down, binary, parallel: first decide all splits, then lay the nodes out, then fit the volumes.
//!
//! The tree depends on the triangles and the rules alone: threads divide the work, never the sums, so any number of
//! them builds the same bytes.

use super::BuildOptions;
use super::split::{Item, PositionRule, choose_axis, partition};
use crate::hierarchy::{Hierarchy, Node};
use crate::mesh::{Mesh, Triangle};
use crate::volume::BoundingVolume;
use rayon::prelude::*;
use std::ops::Range;

/// Below this depth sets are halved by count, so that no distribution of triangles can make a degenerate, deep tree.
const DEEP: usize = 200;
/// Smaller sets are not worth a task.
const TASK: usize = 2048;

/// A decided split of a run of triangles.
enum Split {
    Leaf(Range<u32>),
    Inner(Range<u32>, Box<[Split; 2]>),
}

/// Builds a tree over all triangles of `mesh`.
pub(crate) fn top_down<V: BoundingVolume>(mesh: &Mesh, options: &BuildOptions) -> Hierarchy<V> {
    let mut items: Vec<Item> = (0..mesh.triangles().len() as u32).into_par_iter().map(|id| item(mesh, id)).collect();
    let tree = split(&mut items, 0, 0, options);
    let order: Vec<u32> = items.iter().map(|item| item.id).collect();
    let runs = lay_out(tree);
    let nodes = runs
        .into_par_iter()
        .map_init(Vec::new, |triangles: &mut Vec<Triangle>, (below, children)| {
            triangles.clear();
            triangles.extend(order[below.start as usize..below.end as usize].iter().map(|&id| mesh.triangle(id)));
            let volume = V::fit(triangles);
            children.map_or(Node::leaf(volume, below), |children| Node::inner(volume, children))
        })
        .collect();
    Hierarchy::from_parts(nodes, order)
}

fn item(mesh: &Mesh, id: u32) -> Item {
    let [a, b, c] = mesh.triangle(id);
    Item { id, centroid: a / 3.0 + b / 3.0 + c / 3.0, low: a.min(b).min(c), high: a.max(b).max(c) }
}

fn split(items: &mut [Item], start: u32, depth: usize, options: &BuildOptions) -> Split {
    let run = start..start + items.len() as u32;
    if items.len() <= options.leaf_size.max(1) {
        return Split::Leaf(run);
    }
    let position = if depth < DEEP { options.position } else { PositionRule::Median };
    let middle = partition(position, choose_axis(options.axis, items), items);
    let parallel = items.len() >= TASK;
    let (left, right) = items.split_at_mut(middle);
    let halves = (
        |left: &mut [Item]| split(left, start, depth + 1, options),
        |right: &mut [Item]| split(right, start + middle as u32, depth + 1, options),
    );
    let (left, right) =
        if parallel { rayon::join(|| halves.0(left), || halves.1(right)) } else { (halves.0(left), halves.1(right)) };
    Split::Inner(run, Box::new([left, right]))
}

/// For each node in depth-first order with siblings side by side: the triangles below it, and its children if it has any.
fn lay_out(root: Split) -> Vec<(Range<u32>, Option<Range<u32>>)> {
    let mut runs = vec![(0..0, None)];
    let mut open = vec![(0_usize, root)];
    while let Some((id, split)) = open.pop() {
        match split {
            Split::Leaf(run) => runs[id] = (run, None),
            Split::Inner(run, halves) => {
                let first = runs.len();
                runs[id] = (run, Some(first as u32..first as u32 + 2));
                runs.extend([(0..0, None), (0..0, None)]);
                let [left, right] = *halves;
                open.push((first + 1, right));
                open.push((first, left));
            }
        }
    }
    runs
}
