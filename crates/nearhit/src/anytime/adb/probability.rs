//! How likely do two nodes hold triangles that meet? The paper's `computeProb` (Figure 5, §3.4 and
//! §3.5).

use super::averages::{Averages, Entry};
use super::cells::is_in;
use super::hypergeometric::{self, MOST_CELLS};
use super::overlap::{Overlap, Shared, shared};
use super::partition::{MOST_GROUPS, Partition};
use super::patch::{Across, Patches};
use crate::hierarchy::{Content, Hierarchy};
use crate::pose::Pose;
use crate::traverse::{Memo, NodePair};
use crate::volume::obb::Obb;
use crate::volume::region::{Region, Shape};
use crate::volume::{BoundingVolume, Placement, Support};
use glam::DVec3;

/// How the parameters of the estimate are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimator {
    /// What two regions share.
    pub overlap: Overlap,
    /// What to do about nodes of different size.
    pub sizes: Sizes,
    /// How likely triangles meet in a cell that both nodes can be hit in.
    pub hits: Hits,
    /// How many times more of a node's possible cells are in what it shares with another than its
    /// share of the volume. Surfaces run through the middles of their regions, and regions that
    /// meet share more of the middle than of the rim: more than 1.
    pub crowding: f64,
}

/// The chance of a hit in a shared cell, LB in the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hits {
    /// 1 less this part of the thickness of the thicker node's volume, in its middle side. A flat
    /// piece of surface fills its box: another one that gets into the box meets it. A thick box can
    /// be entered beside its surface. It does not ask how finely a surface is divided.
    Thickness(f64),
    /// (d_A + d_B) / (d_max A + d_max B) to this power. The paper's is 1.
    Depth(f64),
}

/// How nodes of different size are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sizes {
    /// By equation (5) at once: as many cells as the surface of the larger node would have if they
    /// were of the smaller one's size. Nodes that a search compares differ little.
    #[default]
    Scaled,
    /// The paper's way: down the larger node's tree to nodes no larger than the other, equation (5)
    /// only for leaves. Needs half the pairs and compares several regions for each: dearer in all
    /// (ADR 16).
    Descent,
}

impl Estimator {
    /// The paper's, to the letter: max{V1, V2, V3} of §3.6, nodes of different size by a descent
    /// (§3.4.2), LB by depths (§3.5.3), cells by the share of the volume alone (§3.4.1).
    #[must_use]
    pub fn paper() -> Self {
        Self { overlap: Overlap::Paper, sizes: Sizes::Descent, hits: Hits::Depth(1.0), crowding: 1.0 }
    }
}

impl Default for Estimator {
    fn default() -> Self {
        Self { overlap: Overlap::default(), sizes: Sizes::default(), hits: Hits::Thickness(0.5), crowding: 1.7 }
    }
}

/// Parameters of a pair (§3.4), rounded and clamped. They come out as reals: each is rounded to the
/// nearest whole number; s is at least 1 and at most 512, s_A and s_B at most s (they can exceed it
/// where the smaller node's cells are scaled up).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parameters {
    /// s: cells in what the two nodes share.
    pub(super) cells: u32,
    /// s_A: those of a that can take part in a collision.
    pub(super) of_a: u32,
    /// s_B: those of b.
    pub(super) of_b: u32,
}

impl Parameters {
    #[inline]
    fn rounded(cells: f64, of_a: f64, of_b: f64) -> Self {
        // A cast of NaN is 0.
        let cells = (cells.round() as u32).clamp(1, MOST_CELLS);
        Self { cells, of_a: (of_a.round() as u32).min(cells), of_b: (of_b.round() as u32).min(cells) }
    }
}

/// A tree and its table.
pub(super) struct Side<'t, V> {
    pub(super) tree: &'t Hierarchy<V>,
    pub(super) averages: &'t Averages,
}

/// Oriented boxes of both trees in single precision, which a table has beside its pieces: half the
/// work, and only those that meet are ever placed.
pub(super) struct Boxes<'t> {
    across: Across,
    a: &'t Patches,
    b: &'t Patches,
}

impl<'t> Boxes<'t> {
    /// If the trees are of oriented boxes, both tables have them, and single precision is enough.
    pub(super) fn new<V: Support>(a: &'t Averages, b: &'t Averages, placement: &Placement) -> Option<Self> {
        let (a, b) = (a.pieces()?, b.pieces()?);
        let across = Across::new(a, b, placement);
        (V::NAME == Obb::NAME && across.is_fine()).then_some(Self { across, a, b })
    }
}

/// Two trees, how they lie, and what has been placed of a.
pub(super) struct View<'t, V: Support> {
    pub(super) a: Side<'t, V>,
    pub(super) b: Side<'t, V>,
    pub(super) b_from_a: &'t Pose,
    pub(super) motion: &'t V::Motion,
    pub(super) memo: &'t mut Memo<(V::Placed, Region)>,
    pub(super) estimator: Estimator,
    pub(super) boxes: Option<Boxes<'t>>,
    /// Volumes of a brought into b's frame.
    pub(super) updates: u64,
    /// Pairs of regions compared.
    pub(super) overlaps: u64,
}

impl<V: Support> View<'_, V> {
    /// Do the volumes of the two nodes meet?
    #[inline]
    pub(super) fn meet(&mut self, pair: NodePair) -> bool {
        if let Some(boxes) = &self.boxes {
            return !boxes.across.apart(boxes.a.block(pair.a), boxes.b.block(pair.b));
        }
        let b = self.b.tree.node(pair.b);
        !b.volume.disjoint(&self.placed(pair.a).0)
    }

    /// Equation (8).
    #[inline]
    pub(super) fn probability(&mut self, pair: NodePair) -> f64 {
        let Parameters { cells, of_a, of_b } = self.parameters(pair);
        hypergeometric::collision(cells, of_a, of_b, self.hit(pair))
    }

    #[inline]
    fn hit(&self, pair: NodePair) -> f64 {
        let (a, b) = (self.a.averages.entry(pair.a), self.b.averages.entry(pair.b));
        match self.estimator.hits {
            Hits::Thickness(part) => 1.0 - part * a.thickness().max(b.thickness()),
            Hits::Depth(power) => {
                let deepest = f64::from(self.a.averages.height()) + f64::from(self.b.averages.height());
                (f64::from(a.depth + b.depth) / deepest.max(1.0)).powf(power)
            }
        }
    }

    #[inline]
    pub(super) fn parameters(&mut self, pair: NodePair) -> Parameters {
        let (entry_a, entry_b) = (*self.a.averages.entry(pair.a), *self.b.averages.entry(pair.b));
        let region_a = self.placed(pair.a).1;
        let region_b = self.b.region(pair.b);
        let part = shared(&region_a, &region_b, self.estimator.overlap);
        self.overlaps += 1;
        // The smaller cells decide how many there are.
        let cells = if entry_a.side <= entry_b.side {
            part.of_a * f64::from(entry_a.cells)
        } else {
            part.of_b * f64::from(entry_b.cells)
        };
        let (of_a, of_b) = match self.estimator.sizes {
            Sizes::Scaled => (
                self.possible(&self.a, pair.a, part.of_a, [&region_a, &region_b]) * scale(&entry_a, entry_b.side),
                self.possible(&self.b, pair.b, part.of_b, [&region_b, &region_a]) * scale(&entry_b, entry_a.side),
            ),
            // The smaller one is its own equal.
            Sizes::Descent if entry_a.side > entry_b.side => (
                self.possible_below_a(pair.a, &region_b, entry_b.side),
                self.possible(&self.b, pair.b, part.of_b, [&region_b, &region_a]),
            ),
            Sizes::Descent => (
                self.possible(&self.a, pair.a, part.of_a, [&region_a, &region_b]),
                self.possible_below_b(pair.b, &region_a, entry_a.side),
            ),
        };
        let crowding = self.estimator.crowding;
        Parameters::rounded(cells, of_a * crowding, of_b * crowding)
    }

    /// How many of a node's possible cells are in the other's region: `share` of all, unless they
    /// are grouped.
    #[inline]
    fn possible(&self, side: &Side<'_, V>, node: u32, share: f64, [own, other]: [&Region; 2]) -> f64 {
        match side.averages.partition() {
            Partition::Whole => share * f64::from(side.averages.entry(node).possible),
            partition => possible_in_groups(partition, side.averages.group_counts(node), own, other),
        }
    }

    /// Equations (3) to (5) for a.
    fn possible_below_a(&mut self, node: u32, other: &Region, side: f64) -> f64 {
        let entry = *self.a.averages.entry(node);
        match self.a.tree.node(node).content() {
            Content::Children(children) if entry.side > side => {
                children.map(|child| self.possible_below_a(child, other, side)).sum()
            }
            _ => {
                let own = self.placed(node).1;
                let Shared { of_a, .. } = shared(&own, other, self.estimator.overlap);
                self.overlaps += 1;
                self.possible(&self.a, node, of_a, [&own, other]) * scale(&entry, side)
            }
        }
    }

    /// The same for b.
    fn possible_below_b(&mut self, node: u32, other: &Region, side: f64) -> f64 {
        let entry = *self.b.averages.entry(node);
        match self.b.tree.node(node).content() {
            Content::Children(children) if entry.side > side => {
                children.map(|child| self.possible_below_b(child, other, side)).sum()
            }
            _ => {
                let own = self.b.region(node);
                let Shared { of_b, .. } = shared(other, &own, self.estimator.overlap);
                self.overlaps += 1;
                self.possible(&self.b, node, of_b, [&own, other]) * scale(&entry, side)
            }
        }
    }

    /// A node of a in b's frame: its volume and its region.
    #[inline]
    pub(super) fn placed(&mut self, node: u32) -> &(V::Placed, Region) {
        let (side, motion, b_from_a) = (&self.a, self.motion, self.b_from_a);
        let (placed, made) = self.memo.get_or_place(node, || {
            let own = side.region(node);
            let moved = Region { center: b_from_a.apply(own.center), axes: b_from_a.rotation() * own.axes, ..own };
            (side.tree.place(node, motion), moved)
        });
        self.updates += u64::from(made);
        placed
    }
}

impl<V: Support> Side<'_, V> {
    /// What is divided into the cells of a node.
    #[inline]
    pub(super) fn region(&self, node: u32) -> Region {
        self.averages.region(self.tree.node(node))
    }
}

/// Equation (5): how many times as many cells the surface in a node would have if they were as
/// small as those of a node of the given side. τ·τ^(-1/3), with τ the cube of the ratio of the
/// sides.
#[inline]
fn scale(entry: &Entry, side: f64) -> f64 {
    if entry.side > side { (entry.side / side).powi(2) } else { 1.0 }
}

/// One cell in each block of 2³, 64 in all: which of them are in the other region tells how much of
/// each group is.
fn possible_in_groups(partition: Partition, counts: &[u8; MOST_GROUPS], own: &Region, other: &Region) -> f64 {
    let (mut inside, mut all) = ([0_u32; MOST_GROUPS], [0_u32; MOST_GROUPS]);
    let to_other = other.axes.transpose();
    let offset = to_other * (own.center - other.center);
    let turn = to_other * own.axes;
    for block in 0..64_usize {
        let (i, j, k) = (block % 4, block / 4 % 4, block / 16);
        // Not always the same corner of the block.
        let cell = [2 * i + (j + k) % 2, 2 * j + (i + k) % 2, 2 * k + (i + j) % 2];
        let index = cell[0] + 8 * (cell[1] + 8 * cell[2]);
        if !is_in(own.shape, index) {
            continue;
        }
        let group = partition.group(index);
        all[group] += 1;
        let from_middle = DVec3::from_array(cell.map(|along| (along as f64 - 3.5) / 4.0)) * own.half_extents;
        let point = offset + turn * from_middle;
        let is_inside = match other.shape {
            Shape::Box => point.abs().cmple(other.half_extents).all(),
            Shape::Ball => point.length() <= other.half_extents.x,
        };
        inside[group] += u32::from(is_inside);
    }
    (0..partition.groups())
        .filter(|&group| all[group] > 0)
        .map(|group| f64::from(counts[group]) * f64::from(inside[group]) / f64::from(all[group]))
        .sum()
}
