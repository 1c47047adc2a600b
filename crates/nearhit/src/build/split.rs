//! Where to cut a set of triangles in two (k-DOP paper, §3.3.4).
//!
//! Each triangle stands for its centroid. Rules are deterministic: ties go by position and id, sums
//! run in a fixed order.

use super::fitting::Fitting;
use super::{BuildOptions, best};
use crate::mesh::{Mesh, Triangle};
use crate::volume::obb::Obb;
use crate::volume::{BoundingVolume, Covariance};
use glam::DVec3;

/// Along which axis to split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisRule {
    /// The axis along which the centroids vary most.
    Splatter,
    /// The axis along which the triangles reach farthest.
    LongestSide,
    /// The longest axis of the oriented box around the triangles, whatever the tree is made of; the
    /// second or the third if the mean leaves one side of the longer one empty. As in OBBTree and
    /// RAPID, and for the swept spheres' trees.
    OrientedBox,
    /// The axis that gives the least sum of the volumes of the two parts. About ten times slower to
    /// build with.
    MinSum,
    /// The axis for which the larger of the two volumes is smallest. About ten times slower to
    /// build with.
    MinMax,
}

/// Which axes a rule chooses from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directions {
    /// The three coordinate axes.
    Coordinate,
    /// All that the volume has: the k/2 directions of a k-DOP. For other volumes the coordinate
    /// axes.
    All,
}

/// Where on the axis to split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionRule {
    /// At the mean of the centroids.
    Mean,
    /// Half of the triangles on either side.
    Median,
    /// Where the costs of the two parts, times their numbers of triangles, have the least sum.
    Best {
        /// So many places are tried, evenly spaced; all places between centroids if there are not
        /// more.
        candidates: usize,
        /// Of the volume of a part.
        cost: Cost,
    },
}

/// What the volume of a set of triangles costs.
#[doc(alias = "SAH")]
#[doc(alias = "surface area heuristic")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cost {
    /// Its volume: as likely as it meets a point somewhere.
    Volume,
    /// Its surface: as likely as it meets a line somewhere.
    Surface,
}

impl Cost {
    /// In units of `unit`. A small share of the surface tells sets without volume apart, and of the
    /// size those without surface.
    pub(super) fn of<V: BoundingVolume>(self, volume: &V, unit: f64) -> f64 {
        let measure = volume.measure(unit);
        let size = volume.size() / unit;
        match self {
            Self::Volume => measure.volume + 1e-6 * measure.surface + 1e-12 * size,
            Self::Surface => measure.surface + 1e-6 * size,
        }
    }
}

/// What the rules look at: a triangle's id and middle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) id: u32,
    pub(super) centroid: DVec3,
}

/// Cuts sets of triangles by fixed rules.
pub(super) struct Splitter<'m> {
    mesh: &'m Mesh,
    fitting: &'m dyn Fitting,
    directions: &'static [DVec3],
    axis: AxisRule,
    position: PositionRule,
    covariance: Covariance,
}

impl<'m> Splitter<'m> {
    pub(super) fn new(mesh: &'m Mesh, fitting: &'m dyn Fitting, options: &BuildOptions) -> Self {
        let directions = match options.directions {
            Directions::Coordinate => &fitting.directions()[..3],
            Directions::All => fitting.directions(),
        };
        let BuildOptions { axis, position, covariance, .. } = *options;
        Self { mesh, fitting, directions, axis, position, covariance }
    }

    /// Reorders `items` (at least two) and returns where the second part begins: never at an end.
    pub(super) fn partition(&self, items: &mut [Item]) -> usize {
        match self.axis {
            // Two can only be split one way.
            _ if items.len() == 2 => median(self.directions[0], items),
            AxisRule::Splatter => self.cut(self.widest(|direction| variance(items, direction)), items),
            AxisRule::LongestSide => self.cut(self.widest(|direction| self.width(items, direction)), items),
            AxisRule::OrientedBox => self.across_box(items),
            AxisRule::MinSum => self.least(items, |left, right| left + right),
            AxisRule::MinMax => self.least(items, f64::max),
        }
    }

    fn widest(&self, spread: impl Fn(DVec3) -> f64) -> DVec3 {
        let spreads = self.directions.iter().map(|&direction| (direction, spread(direction)));
        spreads.reduce(|best, other| if other.1 > best.1 { other } else { best }).map_or(DVec3::X, |best| best.0)
    }

    /// Across the longest axis of the triangles' oriented box that leaves no side empty.
    fn across_box(&self, items: &mut [Item]) -> usize {
        let around = Obb::fit_by(&self.triangles(items).collect::<Vec<_>>(), self.covariance);
        let mut order = [0, 1, 2];
        let extents = around.half_extents();
        // Equal sides: the first.
        order.sort_by(|&i, &j| extents[j].total_cmp(&extents[i]));
        let axes = order.map(|axis| around.axes().col(axis));
        let cut = axes.into_iter().find_map(|axis| self.cut_apart(axis, items));
        cut.unwrap_or_else(|| median(axes[0], items))
    }

    /// How far the triangles reach along a direction, halved so that nothing overflows.
    fn width(&self, items: &[Item], direction: DVec3) -> f64 {
        let along = self.triangles(items).flatten().map(|corner| direction.dot(corner));
        let (low, high) =
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), along| (low.min(along), high.max(along)));
        (high * 0.5 - low * 0.5) / direction.length()
    }

    /// Tries every axis and keeps the one whose parts cost least.
    fn least(&self, items: &mut [Item], together: impl Fn(f64, f64) -> f64) -> usize {
        let unit = self.fitting.size(&self.triangles(items).collect::<Vec<_>>());
        let cost = |part: &[Item]| self.fitting.cost(&self.triangles(part).collect::<Vec<_>>(), Cost::Volume, unit);
        let mut best: Option<(f64, usize, Vec<Item>)> = None;
        for &direction in self.directions {
            let mut trial = items.to_vec();
            let middle = self.cut(direction, &mut trial);
            let cost = together(cost(&trial[..middle]), cost(&trial[middle..]));
            if best.as_ref().is_none_or(|best| cost < best.0) {
                best = Some((cost, middle, trial));
            }
        }
        let Some((_, middle, order)) = best else { return median(DVec3::X, items) };
        items.copy_from_slice(&order);
        middle
    }

    fn cut(&self, direction: DVec3, items: &mut [Item]) -> usize {
        // All centroids coincide, or rounding put the mean beyond them.
        self.cut_apart(direction, items).unwrap_or_else(|| median(direction, items))
    }

    /// `None` if nothing is left on one side.
    fn cut_apart(&self, direction: DVec3, items: &mut [Item]) -> Option<usize> {
        let middle = match self.position {
            PositionRule::Median => median(direction, items),
            PositionRule::Mean => {
                let position = direction.dot(mean(items));
                partition_in_place(items, |item| direction.dot(item.centroid) <= position)
            }
            PositionRule::Best { candidates, cost } => {
                best::cut((self.mesh, self.fitting), direction, candidates, cost, items)
            }
        };
        (middle != 0 && middle != items.len()).then_some(middle)
    }

    fn triangles(&self, items: &[Item]) -> impl Iterator<Item = Triangle> {
        items.iter().map(|item| self.mesh.triangle(item.id))
    }
}

fn mean(items: &[Item]) -> DVec3 {
    // Shares are added, not values: a sum of many coordinates of 1e300 would overflow.
    let share = 1.0 / items.len() as f64;
    items.iter().fold(DVec3::ZERO, |sum, item| sum + item.centroid * share)
}

/// In units of the largest deviation (squares of 1e300 or 1e-300 are of no use).
fn variance(items: &[Item], direction: DVec3) -> f64 {
    let mean = mean(items);
    let unit = items.iter().fold(f64::MIN_POSITIVE, |unit, item| (item.centroid - mean).abs().max_element().max(unit));
    let square = |item: &Item| direction.dot((item.centroid - mean) / unit).powi(2);
    items.iter().map(square).sum::<f64>() / direction.length_squared()
}

/// Half on either side, ties by id.
fn median(direction: DVec3, items: &mut [Item]) -> usize {
    let middle = items.len() / 2;
    let along = |item: &Item| direction.dot(item.centroid);
    items.select_nth_unstable_by(middle, |p, q| along(p).total_cmp(&along(q)).then(p.id.cmp(&q.id)));
    middle
}

fn partition_in_place(items: &mut [Item], first: impl Fn(&Item) -> bool) -> usize {
    let mut middle = 0;
    for i in 0..items.len() {
        if first(&items[i]) {
            items.swap(middle, i);
            middle += 1;
        }
    }
    middle
}
