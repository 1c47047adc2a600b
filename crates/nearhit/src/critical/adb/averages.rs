//! What is known about the surface in each node: a table beside a tree, found by node id.
//!
//! P(A) of Definition 1 is taken by its words: every triangle that reaches into a node's region counts, not only those below the node. Lists of candidates are handed down the tree, level by level.

use super::cells::{self, Cells, thickened};
use super::partition::{MOST_GROUPS, Partition};
use crate::hierarchy::any::TreeOperation;
use crate::hierarchy::{Content, Hierarchy, TreeId};
use crate::mesh::Mesh;
use crate::model::Model;
use crate::volume::Support;
use crate::volume::region::Region;
use glam::DVec3;
use rayon::prelude::*;

/// How the table is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// A cell can take part in a collision if it holds at least this share of the largest section. With 1, Definition 2 to the letter, a smooth surface has no such cells: a plane along the cells fills only 1/√2 of one.
    pub enough: f64,
    /// How cells are grouped.
    pub partition: Partition,
}

impl Default for Options {
    fn default() -> Self {
        Self { enough: 0.01, partition: Partition::Whole }
    }
}

/// The table of a tree: possible collision cells, size and depth of every node.
#[derive(Debug, Clone)]
pub struct Averages {
    tree: TreeId,
    partition: Partition,
    entries: Vec<Entry>,
    /// Possible cells by group; empty if there is but one.
    groups: Vec<[u8; MOST_GROUPS]>,
    height: u16,
}

/// What is known about a node.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Entry {
    /// Of the cube of the region's volume.
    pub(super) side: f64,
    /// Cells, 512 or what a ball has of them.
    pub(super) cells: u16,
    /// Those that can take part in a collision.
    pub(super) possible: u16,
    /// Edges to the root.
    pub(super) depth: u16,
}

impl Averages {
    /// Of the model's tree of classic volumes; a model of the default engine makes one of oriented boxes, the volume that suits best (ADR 16).
    #[must_use]
    pub fn new(model: &Model, options: &Options) -> Self {
        model.hierarchy().with(Augment { mesh: model.mesh(), options })
    }

    /// Memory beside the tree, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.groups.capacity() * MOST_GROUPS
    }

    /// Bytes a node.
    #[must_use]
    pub fn bytes_per_node(&self) -> usize {
        size_of::<Entry>() + if self.groups.is_empty() { 0 } else { MOST_GROUPS }
    }

    /// Possible collision cells of a node, and all its cells.
    #[must_use]
    pub fn cells(&self, node: u32) -> (u32, u32) {
        let entry = self.entry(node);
        (entry.possible.into(), entry.cells.into())
    }

    /// Possible collision cells of a node by group of the partition.
    #[must_use]
    pub fn groups(&self, node: u32) -> Vec<u32> {
        match self.groups.get(node as usize) {
            Some(counts) => counts[..self.partition.groups()].iter().map(|&count| count.into()).collect(),
            None => vec![self.cells(node).0],
        }
    }

    #[inline]
    pub(super) fn entry(&self, node: u32) -> &Entry {
        &self.entries[node as usize]
    }

    #[inline]
    pub(super) fn group_counts(&self, node: u32) -> &[u8; MOST_GROUPS] {
        &self.groups[node as usize]
    }

    pub(super) fn partition(&self) -> Partition {
        self.partition
    }

    /// Edges on the longest way down.
    pub(super) fn height(&self) -> u16 {
        self.height
    }

    pub(super) fn is_of<V: Support>(&self, tree: &Hierarchy<V>) -> bool {
        self.tree == tree.id()
    }
}

struct Augment<'m> {
    mesh: &'m Mesh,
    options: &'m Options,
}

impl TreeOperation for Augment<'_> {
    type Output = Averages;

    fn run<V: Support>(self, tree: &Hierarchy<V>) -> Averages {
        let regions: Vec<Region> = tree.nodes().par_iter().map(|node| thickened(node.volume.region())).collect();
        let counted = Counting { mesh: self.mesh, options: self.options, regions: &regions }.run(tree);
        let depths = tree.depths();
        let entry = |id: usize| Entry {
            side: regions[id].side(),
            cells: cells::count(regions[id].shape),
            possible: counted[id].iter().map(|&count| u16::from(count)).sum(),
            depth: depths[id] as u16,
        };
        let entries: Vec<Entry> = (0..regions.len()).into_par_iter().map(entry).collect();
        Averages {
            tree: tree.id(),
            partition: self.options.partition,
            entries,
            groups: if self.options.partition == Partition::Whole { Vec::new() } else { counted },
            height: depths.iter().max().map_or(0, |&most| most as u16),
        }
    }
}

/// Low and high corners.
type Bounds = [DVec3; 2];

struct Counting<'m> {
    mesh: &'m Mesh,
    options: &'m Options,
    regions: &'m [Region],
}

impl Counting<'_> {
    /// Possible cells by group, for every node. Octants are kept for the whole too: a count of 512 does not fit into a byte.
    fn run<V: Support>(&self, tree: &Hierarchy<V>) -> Vec<[u8; MOST_GROUPS]> {
        let reaches = self.reaches(tree);
        let count = self.mesh.triangles().len() as u32;
        let boxes: Vec<Bounds> = (0..count).into_par_iter().map(|index| around(self.mesh, index)).collect();
        let mut counted = vec![[0; MOST_GROUPS]; self.regions.len()];
        let mut level: Vec<(u32, Vec<u32>)> = vec![(Hierarchy::<V>::ROOT, (0..count).collect())];
        while !level.is_empty() {
            let counts: Vec<[u8; MOST_GROUPS]> = level
                .par_iter()
                .map_init(Cells::default, |cells, (node, list)| self.count(*node, list, cells))
                .collect();
            level.iter().zip(counts).for_each(|((node, _), counts)| counted[*node as usize] = counts);
            let below = level.into_par_iter().flat_map_iter(|(node, list)| {
                let children = match tree.node(node).content() {
                    Content::Children(children) => children,
                    Content::Triangles(_) => 0..0,
                };
                let handed_down = |child: u32| {
                    let [low, high] = reaches[child as usize];
                    let meets = |&&index: &&u32| {
                        let [least, most] = boxes[index as usize];
                        least.cmple(high).all() && most.cmpge(low).all()
                    };
                    (child, list.iter().filter(meets).copied().collect())
                };
                children.map(handed_down).collect::<Vec<_>>()
            });
            level = below.collect();
        }
        counted
    }

    /// For each node, a box around its region and those of all nodes below: children may reach beyond their parents.
    fn reaches<V: Support>(&self, tree: &Hierarchy<V>) -> Vec<Bounds> {
        let mut reaches: Vec<Bounds> = self.regions.iter().map(Region::bounds).collect();
        // Children come after their parents.
        for (id, node) in tree.nodes().iter().enumerate().rev() {
            if let Content::Children(children) = node.content() {
                for child in children {
                    let ([low, high], [least, most]) = (reaches[id], reaches[child as usize]);
                    reaches[id] = [low.min(least), high.max(most)];
                }
            }
        }
        reaches
    }

    fn count(&self, node: u32, triangles: &[u32], cells: &mut Cells) -> [u8; MOST_GROUPS] {
        let region = &self.regions[node as usize];
        cells.fill(region, self.mesh, triangles);
        let groups =
            if self.options.partition == Partition::Whole { Partition::Octants } else { self.options.partition };
        let mut counts = [0; MOST_GROUPS];
        cells.possible(region, self.options.enough).for_each(|cell| counts[groups.group(cell)] += 1);
        counts
    }
}

fn around(mesh: &Mesh, index: u32) -> Bounds {
    let [a, b, c] = mesh.triangle(index);
    [a.min(b).min(c), a.max(b).max(c)]
}
