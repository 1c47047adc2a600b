//! How many cells of a node can take part in a collision? (Definitions 1 and 2)

use super::clip::{self, SIDE};
use super::hypergeometric::MOST_CELLS;
use super::partition::place;
use crate::mesh::{Mesh, Triangle};
use crate::volume::region::{Region, Shape};
use glam::DVec3;

/// The least side of a divided region, in parts of its largest.
///
/// Boxes around smooth pieces of surface are flat. Two of them that cross share hardly any volume,
/// and so hardly a cell; thickened they share some. Measured with oriented boxes: thinner ones miss
/// collisions of sheets, cubes see them everywhere (ADR 16).
pub const FLATTEST: f64 = 0.6;

/// The region with no side below `flattest` of its largest: what is divided into cells.
#[must_use]
#[inline]
pub fn thickened(region: Region, flattest: f64) -> Region {
    let least = region.half_extents.max_element() * flattest;
    Region { half_extents: region.half_extents.max(DVec3::splat(least)), ..region }
}

/// MaxArea of a cell with these sides: the longest times the diagonal across it. For a cube of side
/// a the paper's √2 a².
///
/// It is the largest rectangle in a box, and no larger polygon was found in one
/// (`tests/adb/cells.rs`).
#[must_use]
pub fn largest_section(sides: DVec3) -> f64 {
    let longest = sides.max_element();
    let shortest = sides.min_element();
    let middle = longest.min(sides.x.max(sides.y).min(sides.y.max(sides.z)).min(sides.x.max(sides.z)));
    longest * middle.hypot(shortest)
}

/// The area in each cell of a region.
#[derive(Debug)]
pub(super) struct Cells {
    areas: Vec<f64>,
}

impl Default for Cells {
    fn default() -> Self {
        Self { areas: vec![0.0; MOST_CELLS as usize] }
    }
}

impl Cells {
    /// Adds up what is in each cell of `region`.
    pub(super) fn fill(&mut self, region: &Region, mesh: &Mesh, triangles: &[u32]) {
        self.areas.fill(0.0);
        let unit = region.half_extents.max_element();
        if unit <= 0.0 {
            return;
        }
        let to_region = region.axes.transpose();
        let half_side = DVec3::splat(SIDE as f64 / 2.0);
        let scale = half_side / (region.half_extents / unit);
        for &index in triangles {
            // In units of the region, so that no area overflows.
            let local = mesh.triangle(index).map(|corner| to_region * ((corner - region.center) / unit));
            let in_grid: Triangle = local.map(|corner| corner * scale + half_side);
            let area = 0.5 * (local[1] - local[0]).cross(local[2] - local[0]).length();
            clip::shares(&in_grid, |cell, share| self.areas[cell] += share * area);
        }
    }

    /// The cells that are in the region and hold at least `enough` of the largest section.
    pub(super) fn possible(&self, region: &Region, enough: f64) -> impl Iterator<Item = usize> {
        let sides = region.half_extents / region.half_extents.max_element() * (2.0 / SIDE as f64);
        let least = (enough * largest_section(sides)).max(f64::MIN_POSITIVE);
        let shape = region.shape;
        let holds = move |&(cell, &area): &(usize, &f64)| area >= least && is_in(shape, cell);
        self.areas.iter().enumerate().filter(holds).map(|(cell, _)| cell)
    }
}

/// Is the middle of a cell in the shape?
#[inline]
pub(super) fn is_in(shape: Shape, cell: usize) -> bool {
    let squares = |cell| place(cell).map(|index| (2 * index as i32 + 1 - SIDE as i32).pow(2)).into_iter().sum::<i32>();
    match shape {
        Shape::Box => true,
        Shape::Ball => squares(cell) <= (SIDE * SIDE) as i32,
    }
}

/// How many cells a shape has.
pub(super) fn count(shape: Shape) -> u16 {
    (0..MOST_CELLS as usize).filter(|&cell| is_in(shape, cell)).count() as u16
}
