//! Top-down, binary, parallel: a set of triangles is split, then its two parts.
//!
//! Threads divide the work, never the sums, so any number of them builds the same bytes.

use super::fitting::Fitting;
use super::split::{Item, PositionRule, Splitter};
use super::tree::Split;
use super::{AxisRule, BuildOptions};
use crate::mesh::Mesh;
use crate::parallel::*;

/// Below this depth sets are halved by count, so that no distribution of triangles can make a
/// degenerate, deep tree.
const DEEP: usize = 200;
/// Smaller sets are not worth a task.
const TASK: usize = 2048;

/// Decides all splits; returns them with the ids of the triangles in order.
pub(super) fn split(mesh: &Mesh, fitting: &dyn Fitting, options: &BuildOptions) -> (Split, Vec<u32>) {
    let item = |id| {
        let [a, b, c] = mesh.triangle(id);
        Item { id, centroid: a / 3.0 + b / 3.0 + c / 3.0 }
    };
    let mut items: Vec<Item> = (0..mesh.triangles().len() as u32).into_par_iter().map(item).collect();
    let splitter = Splitter::new(mesh, fitting, options);
    let halving = BuildOptions { axis: AxisRule::Splatter, position: PositionRule::Median, ..*options };
    let halving = Splitter::new(mesh, fitting, &halving);
    let descent = Descent { splitter, halving, leaf_size: options.leaf_size.max(1) };
    let tree = descent.split(&mut items, 0, 0);
    (tree, items.iter().map(|item| item.id).collect())
}

struct Descent<'m> {
    splitter: Splitter<'m>,
    halving: Splitter<'m>,
    leaf_size: usize,
}

impl Descent<'_> {
    fn split(&self, items: &mut [Item], start: u32, depth: usize) -> Split {
        let run = start..start + items.len() as u32;
        if items.len() <= self.leaf_size {
            return Split::Leaf(run);
        }
        let splitter = if depth < DEEP { &self.splitter } else { &self.halving };
        let middle = splitter.partition(items);
        let parallel = items.len() >= TASK;
        let (left, right) = items.split_at_mut(middle);
        let halves = (
            |left: &mut [Item]| self.split(left, start, depth + 1),
            |right: &mut [Item]| self.split(right, start + middle as u32, depth + 1),
        );
        let (left, right) = if parallel {
            crate::parallel::join(|| halves.0(left), || halves.1(right))
        } else {
            (halves.0(left), halves.1(right))
        };
        Split::Inner(run, Box::new([left, right]))
    }
}
