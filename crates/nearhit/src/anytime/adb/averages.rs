//! What is known about the surface in each node: a table beside a tree, found by node id.
//!
//! P(A) of Definition 1 is taken by its words: every triangle that reaches into a node's region
//! counts, not only those below the node. Lists of candidates are handed down the tree.

use super::block::Block;
use super::cells::{self, Cells, FLATTEST, thickened};
use super::partition::{MOST_GROUPS, Partition};
use super::patch::{Patch, Patches};
use crate::hierarchy::TreeOperation;
use crate::hierarchy::{Content, Hierarchy, Node, Skeleton, TreeId};
use crate::mesh::Mesh;
use crate::model::Model;
use crate::parallel::*;
use crate::volume::Support;
use crate::volume::region::Region;
use glam::DVec3;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// How the table is made.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// A cell can take part in a collision if it holds at least this share of the largest section.
    /// With 1, Definition 2 to the letter, a smooth surface has no such cells: a plane along the
    /// cells fills only 1/√2 of one.
    pub enough: f64,
    /// How cells are grouped.
    pub partition: Partition,
    /// Cells are counted for nodes of at least so many triangles. Those below are taken to have as
    /// many possible ones as the node above them: there the surface is flat on the scale of a cell,
    /// and a plane through a grid meets about as many cells whatever the size. Most nodes are that
    /// small, and counting is what a table costs; 1 counts them all.
    pub least_triangles: u32,
    /// Regions are divided into cells after their sides were made at least this long, in parts of
    /// the longest: [`FLATTEST`](super::FLATTEST). 0: as they are (a millionth, so that a flat one
    /// has a volume).
    pub flattest: f64,
    /// Is the surface of each node kept as one flat piece, with a box: 128 bytes a node? The
    /// default rule goes by them and makes them in its first search where they are not there; the
    /// paper's has no use for them.
    pub pieces: bool,
}

impl Options {
    /// The default.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The paper's, to the letter: a possible collision cell holds as much as the largest polygon
    /// that fits into it (Definition 2), volumes are divided as they are, the cells of every node
    /// are counted, and nothing else is kept: 16 bytes a node.
    #[must_use]
    pub fn paper() -> Self {
        Self { enough: 1.0, partition: Partition::Whole, least_triangles: 1, flattest: 0.0, pieces: false }
    }

    /// How flat a divided region may be.
    #[must_use]
    pub fn flattest(self, flattest: f64) -> Self {
        Self { flattest, ..self }
    }

    /// Whether flat pieces are kept.
    #[must_use]
    pub fn pieces(self, pieces: bool) -> Self {
        Self { pieces, ..self }
    }

    /// Which share of the largest section a cell must hold to count.
    #[must_use]
    pub fn enough(self, enough: f64) -> Self {
        Self { enough, ..self }
    }

    /// How cells are grouped.
    #[must_use]
    pub fn partition(self, partition: Partition) -> Self {
        Self { partition, ..self }
    }

    /// From how many triangles on the cells of a node are counted.
    #[must_use]
    pub fn least_triangles(self, least_triangles: u32) -> Self {
        Self { least_triangles, ..self }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { enough: 0.01, partition: Partition::Whole, least_triangles: 8, flattest: FLATTEST, pieces: true }
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
    flattest: f64,
    /// Made when the table is, or by the first search that needs them.
    pieces: OnceLock<Patches>,
}

/// No region is flatter than this: without a volume nothing could be shared.
const HAIR: f64 = 1e-6;

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
    /// The least side of the volume over its middle one, in parts of `u16::MAX`.
    thickness: u16,
}

impl Entry {
    /// The least side of the volume over its middle one.
    #[inline]
    pub(super) fn thickness(&self) -> f64 {
        f64::from(self.thickness) * (1.0 / f64::from(u16::MAX))
    }
}

impl Averages {
    /// Of the model's tree of classic volumes; a model of the default engine makes one of oriented
    /// boxes, the volume that suits best (ADR 16).
    #[must_use]
    pub fn new(model: &Model, options: &Options) -> Self {
        model.hierarchy().with(Augment { mesh: model.mesh(), options })
    }

    /// Memory beside the tree, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let pieces = self.pieces.get().map_or(0, Patches::bytes);
        pieces + self.entries.capacity() * size_of::<Entry>() + self.groups.capacity() * MOST_GROUPS
    }

    /// Bytes a node.
    #[must_use]
    pub fn bytes_per_node(&self) -> usize {
        size_of::<Entry>()
            + if self.pieces.get().is_some() { size_of::<Patch>() + size_of::<Block>() } else { 0 }
            + if self.groups.is_empty() { 0 } else { MOST_GROUPS }
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

    /// The surface in each node as one flat piece, if the table has them (yet).
    #[must_use]
    pub fn pieces(&self) -> Option<&Patches> {
        self.pieces.get()
    }

    /// The same, made now if need be, of the tree and mesh that the table is of.
    pub(super) fn pieces_of<V: Support>(&self, tree: &Hierarchy<V>, mesh: &Mesh) -> &Patches {
        self.pieces.get_or_init(|| Patches::new(&tree.skeleton(), mesh))
    }

    pub(super) fn partition(&self) -> Partition {
        self.partition
    }

    /// Edges on the longest way down.
    pub(super) fn height(&self) -> u16 {
        self.height
    }

    /// What is divided into the cells of a node.
    #[inline]
    pub(super) fn region<V: Support>(&self, node: &Node<V>) -> Region {
        thickened(node.volume.region(), self.flattest)
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
        // Written so that what is no number is a hair.
        let flattest = if self.options.flattest > HAIR { self.options.flattest.min(1.0) } else { HAIR };
        let regions: Vec<Region> =
            tree.nodes().par_iter().map(|node| thickened(node.volume.region(), flattest)).collect();
        let thicknesses: Vec<u16> =
            tree.nodes().par_iter().map(|node| thickness(node.volume.region().half_extents)).collect();
        self.averages(&tree.skeleton(), tree.id(), &regions, &thicknesses, flattest)
    }
}

impl Augment<'_> {
    /// From what the volumes said.
    fn averages(
        &self,
        tree: &Skeleton<'_>,
        id: TreeId,
        regions: &[Region],
        thicknesses: &[u16],
        flattest: f64,
    ) -> Averages {
        let counted = Counting::new(tree, self.mesh, self.options, regions).run();
        let depths = tree.depths();
        let entry = |id: usize| Entry {
            side: regions[id].side(),
            cells: cells::count(regions[id].shape),
            possible: counted[id].iter().map(|&count| u16::from(count)).sum(),
            depth: depths[id] as u16,
            thickness: thicknesses[id],
        };
        let entries: Vec<Entry> = (0..regions.len()).into_par_iter().map(entry).collect();
        let pieces = OnceLock::new();
        if self.options.pieces {
            pieces.get_or_init(|| Patches::new(tree, self.mesh));
        }
        Averages {
            tree: id,
            partition: self.options.partition,
            entries,
            groups: if self.options.partition == Partition::Whole { Vec::new() } else { counted },
            height: depths.iter().max().map_or(0, |&most| most as u16),
            flattest,
            pieces,
        }
    }
}

/// Low and high corners.
type Bounds = [DVec3; 2];

/// Lists of candidates of this length or less are handed down by one thread, in one piece of
/// memory.
const ALONE: usize = 2_000;

struct Counting<'m> {
    tree: &'m Skeleton<'m>,
    mesh: &'m Mesh,
    options: &'m Options,
    regions: &'m [Region],
    /// For each node, a box around its region and those of all nodes below: children may reach
    /// beyond their parents.
    reaches: Vec<Bounds>,
    /// Triangles below each node.
    sizes: Vec<u32>,
    /// Around each triangle.
    boxes: Vec<Bounds>,
    /// Possible cells by group, for every node: eight bytes each.
    counted: Vec<AtomicU64>,
}

/// One thread's working memory.
#[derive(Default)]
struct Desk {
    cells: Cells,
    /// Candidates of a node and of those above it, one list after the other.
    candidates: Vec<u32>,
}

impl<'m> Counting<'m> {
    fn new(tree: &'m Skeleton<'_>, mesh: &'m Mesh, options: &'m Options, regions: &'m [Region]) -> Self {
        let mut reaches: Vec<Bounds> = regions.iter().map(Region::bounds).collect();
        let mut sizes = vec![0; regions.len()];
        // Children come after their parents.
        for (id, content) in tree.contents().iter().enumerate().rev() {
            if let Content::Triangles(own) = content {
                sizes[id] = own.len() as u32;
            }
            for child in tree.children(id as u32) {
                let ([low, high], [least, most]) = (reaches[id], reaches[child as usize]);
                reaches[id] = [low.min(least), high.max(most)];
                sizes[id] += sizes[child as usize];
            }
        }
        let boxes = (0..mesh.triangles().len() as u32).into_par_iter().map(|index| around(mesh, index)).collect();
        let counted = regions.iter().map(|_| AtomicU64::new(0)).collect();
        Self { tree, mesh, options, regions, reaches, sizes, boxes, counted }
    }

    /// Possible cells by group, for every node. Octants are kept for the whole too: a count of 512
    /// does not fit into a byte.
    fn run(self) -> Vec<[u8; MOST_GROUPS]> {
        let all: Vec<u32> = (0..self.boxes.len() as u32).collect();
        self.many(Skeleton::ROOT, &all);
        let mut counted: Vec<u64> = self.counted.iter().map(|counts| counts.load(Ordering::Relaxed)).collect();
        for id in 0..counted.len() {
            self.tree
                .children(id as u32)
                .filter(|&child| !self.is_counted(child))
                .for_each(|child| counted[child as usize] = counted[id]);
        }
        counted.into_iter().map(u64::to_le_bytes).collect()
    }

    fn is_counted(&self, node: u32) -> bool {
        self.sizes[node as usize] >= self.options.least_triangles
    }

    /// Counts for a node and all below it, in parallel.
    fn many(&self, node: u32, candidates: &[u32]) {
        let mut desk = Desk::default();
        if candidates.len() <= ALONE {
            desk.candidates.extend_from_slice(candidates);
            return self.few(node, 0, &mut desk);
        }
        self.count(node, candidates, &mut desk.cells);
        self.tree.children(node).into_par_iter().filter(|&child| self.is_counted(child)).for_each(|child| {
            let reached: Vec<u32> = candidates.iter().copied().filter(|&index| self.reached(child, index)).collect();
            self.many(child, &reached);
        });
    }

    /// The same by one thread, with the candidates from `first` on.
    fn few(&self, node: u32, first: usize, desk: &mut Desk) {
        let end = desk.candidates.len();
        self.count(node, &desk.candidates[first..], &mut desk.cells);
        for child in self.tree.children(node).filter(|&child| self.is_counted(child)) {
            for position in first..end {
                let index = desk.candidates[position];
                if self.reached(child, index) {
                    desk.candidates.push(index);
                }
            }
            self.few(child, end, desk);
            desk.candidates.truncate(end);
        }
    }

    /// May a triangle be in the region of a node, or of one below it?
    #[inline]
    fn reached(&self, node: u32, index: u32) -> bool {
        let [low, high] = self.reaches[node as usize];
        let [least, most] = self.boxes[index as usize];
        least.cmple(high).all() && most.cmpge(low).all()
    }

    fn count(&self, node: u32, triangles: &[u32], cells: &mut Cells) {
        let region = &self.regions[node as usize];
        cells.fill(region, self.mesh, triangles);
        let groups =
            if self.options.partition == Partition::Whole { Partition::Octants } else { self.options.partition };
        let mut counts = [0; MOST_GROUPS];
        cells.possible(region, self.options.enough).for_each(|cell| counts[groups.group(cell)] += 1);
        self.counted[node as usize].store(u64::from_le_bytes(counts), Ordering::Relaxed);
    }
}

fn thickness(half_extents: DVec3) -> u16 {
    let [x, y, z] = half_extents.to_array();
    let (least, middle) = (x.min(y).min(z), x.max(y).min(y.max(z)).min(x.max(z)));
    // A cast of NaN is 0: a point is flat.
    (least / middle * f64::from(u16::MAX)) as u16
}

fn around(mesh: &Mesh, index: u32) -> Bounds {
    let [a, b, c] = mesh.triangle(index);
    [a.min(b).min(c), a.max(b).max(c)]
}
