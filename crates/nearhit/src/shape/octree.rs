//! Octrees of occupied cells: the union of cubes of a grid, as one solid.
//!
//! Cell `i` of an axis spans from `i · resolution` to `(i + 1) · resolution`, each product rounded
//! once: neighbours share their faces to the bit. Eight full siblings are one larger cell, so that
//! a solid block costs no more than its surface.

use super::ShapeError;
use super::core::{Convex, Core, around};
use super::error::few_enough;
use super::pieces::{Part, Pieces, Place};
use crate::error::MAX_COORDINATE;
use glam::DVec3;

/// A box along the axes, by its lowest and highest corner: what a full node of an octree is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cell {
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
}

impl Convex for Cell {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        DVec3::select(direction.cmplt(DVec3::ZERO), self.low, self.high)
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.low.abs().max(self.high.abs()).max_element()
    }

    #[inline]
    fn bounds(&self) -> (DVec3, DVec3) {
        around(&[self.low, self.high])
    }

    fn corners(&self, found: &mut Vec<DVec3>) -> bool {
        let ends = [self.low, self.high];
        found.extend((0..8).map(|i| DVec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z)));
        true
    }

    #[inline]
    fn center(&self) -> DVec3 {
        self.low * 0.5 + self.high * 0.5
    }
}

/// The occupied cells of a grid.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Octree {
    nodes: Vec<Node>,
    /// What is full, in the order of the nodes.
    full: Vec<Cube>,
    /// The cell that cubes are counted from.
    origin: [i32; 3],
    resolution: f64,
    /// A box around all cells.
    around: Cell,
}

/// Some cells of a cube are occupied, not all.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    cube: Cube,
    /// Children that are nodes stand in a row.
    first_node: u32,
    /// Children that are full, too.
    first_full: u32,
    /// Which children are nodes, by bits: x, y, z.
    nodes: u8,
    /// Which are full.
    full: u8,
}

/// `2^level` cells along each axis, counted from the octree's origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cube {
    corner: [u32; 3],
    level: u8,
}

impl Cube {
    fn child(self, which: u8) -> Self {
        let level = self.level - 1;
        let mut corner = self.corner;
        for (axis, value) in corner.iter_mut().enumerate() {
            *value += u32::from(which >> axis & 1) << level;
        }
        Self { corner, level }
    }

    /// One past its last cell.
    fn end(self, axis: usize) -> i64 {
        i64::from(self.corner[axis]) + (1_i64 << self.level)
    }
}

/// A box of cells: its first and last cell.
pub(crate) type CellBox = [[i32; 3]; 2];

/// Cells, full ones and those above them, that an octree may have: beyond it, boxes were given in a
/// grid far too fine for them.
const MOST: usize = 1 << 26;

/// The largest index of a cell, so that differences stay in range.
const FARTHEST: f64 = (1 << 30) as f64;

impl Octree {
    /// Of the cells that hold points. A point on a face between cells belongs to the higher one.
    pub(crate) fn of_points(points: &[[f64; 3]], resolution: f64) -> Result<Self, ShapeError> {
        super::check_points("octree", points)?;
        let resolution = positive(resolution)?;
        let mut cells = Vec::with_capacity(points.len());
        for (index, point) in points.iter().enumerate() {
            let cell = point.map(|value| cell_of(value, resolution));
            if let Some(value) = cell.into_iter().find(|value| !(value.abs() <= FARTHEST)) {
                return Err(ShapeError::CellTooFar { index, value });
            }
            let cell = cell.map(|value| value as i32);
            cells.push([cell, cell]);
        }
        cells.sort_unstable();
        cells.dedup();
        Self::new(cells, resolution, MOST)
    }

    /// Of boxes of cells.
    pub(crate) fn of_boxes(boxes: &[CellBox], resolution: f64) -> Result<Self, ShapeError> {
        let resolution = positive(resolution)?;
        for (index, [first, last]) in boxes.iter().enumerate() {
            if let Some(axis) = (0..3).find(|&axis| first[axis] > last[axis]) {
                let (first, last) = (first[axis], last[axis]);
                return Err(ShapeError::BadCells { index, first, last });
            }
            if let Some(&value) = first.iter().chain(last).find(|value| f64::from(**value).abs() > FARTHEST) {
                return Err(ShapeError::CellTooFar { index, value: value.into() });
            }
        }
        Self::new(boxes.to_vec(), resolution, MOST)
    }

    fn new(boxes: Vec<CellBox>, resolution: f64, most: usize) -> Result<Self, ShapeError> {
        let Some(&[first, last]) = boxes.first() else { return Err(ShapeError::NoPoints { shape: "octree" }) };
        let (mut low, mut high) = (first, last);
        for [first, last] in &boxes {
            for axis in 0..3 {
                low[axis] = low[axis].min(first[axis]);
                high[axis] = high[axis].max(last[axis]);
            }
        }
        let around = Cell {
            low: DVec3::from(low.map(|cell| f64::from(cell) * resolution)),
            high: DVec3::from(high.map(|cell| (f64::from(cell) + 1.0) * resolution)),
        };
        if !(around.reach() <= MAX_COORDINATE) {
            return Err(ShapeError::BadSize { shape: "octree", size: "resolution", value: resolution });
        }
        let longest = (0..3).map(|axis| high[axis].abs_diff(low[axis])).max().unwrap_or(0);
        let level = (u32::BITS - longest.leading_zeros()) as u8;
        let mut octree = Self { nodes: Vec::new(), full: Vec::new(), origin: low, resolution, around };
        octree.fill(Cube { corner: [0; 3], level }, boxes, most)?;
        Ok(octree)
    }

    /// The whole grid, from above: nodes are split where they are neither full nor empty.
    fn fill(&mut self, whole: Cube, boxes: Vec<CellBox>, most: usize) -> Result<(), ShapeError> {
        if boxes.iter().any(|cells| self.covers(cells, whole)) {
            // One full cell has no node above it.
            self.full.push(whole);
            return Ok(());
        }
        self.nodes.push(Node { cube: whole, first_node: 0, first_full: 0, nodes: 0, full: 0 });
        // In the order of the nodes: what is still to be split, with the boxes in it.
        let mut open = std::collections::VecDeque::from([boxes]);
        let mut at = 0;
        while let Some(boxes) = open.pop_front() {
            let cube = self.nodes[at].cube;
            (self.nodes[at].first_node, self.nodes[at].first_full) = (self.nodes.len() as u32, self.full.len() as u32);
            for (which, inside) in (0..).zip(self.parted(cube, boxes)) {
                if inside.is_empty() {
                    continue;
                }
                let child = cube.child(which);
                if inside.iter().any(|cells| self.covers(cells, child)) {
                    self.full.push(child);
                    self.nodes[at].full |= 1 << which;
                } else {
                    self.nodes.push(Node { cube: child, first_node: 0, first_full: 0, nodes: 0, full: 0 });
                    self.nodes[at].nodes |= 1 << which;
                    open.push_back(inside);
                }
            }
            few_enough("octree", self.nodes.len() + self.full.len(), most)?;
            at += 1;
        }
        self.merge();
        Ok(())
    }

    /// The boxes in each child of a cube.
    fn parted(&self, cube: Cube, boxes: Vec<CellBox>) -> [Vec<CellBox>; 8] {
        let mut parts: [Vec<CellBox>; 8] = Default::default();
        for cells in boxes {
            // The octant of the first cell: the only one where there are no others.
            let middle = |axis: usize| i64::from(cube.corner[axis]) + (1_i64 << cube.level >> 1);
            let bit = |axis: usize| {
                usize::from(i64::from(cells[0][axis]) - i64::from(self.origin[axis]) >= middle(axis)) << axis
            };
            if cells[0] == cells[1] {
                parts[bit(0) | bit(1) | bit(2)].push(cells);
                continue;
            }
            for (which, part) in (0..).zip(&mut parts) {
                if self.meets(&cells, cube.child(which)) {
                    part.push(cells);
                }
            }
        }
        parts
    }

    fn covers(&self, [first, last]: &CellBox, cube: Cube) -> bool {
        (0..3).all(|axis| {
            let origin = i64::from(self.origin[axis]);
            i64::from(first[axis]) - origin <= i64::from(cube.corner[axis])
                && i64::from(last[axis]) - origin + 1 >= cube.end(axis)
        })
    }

    fn meets(&self, [first, last]: &CellBox, cube: Cube) -> bool {
        (0..3).all(|axis| {
            let origin = i64::from(self.origin[axis]);
            i64::from(first[axis]) - origin < cube.end(axis)
                && i64::from(last[axis]) - origin >= i64::from(cube.corner[axis])
        })
    }

    /// Cubes that became full by several boxes together: full nodes become cells of their parents.
    fn merge(&mut self) {
        // Children come behind their parents: from the back, every node is decided before its parent.
        let mut is_full = vec![false; self.nodes.len()];
        for at in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[at];
            let mut child = node.first_node as usize;
            for which in 0..8 {
                if node.nodes >> which & 1 == 1 {
                    node.full |= u8::from(is_full[child]) << which;
                    child += 1;
                }
            }
            is_full[at] = node.full == u8::MAX;
        }
        if !is_full.contains(&true) {
            return;
        }
        let old = std::mem::take(&mut self.nodes);
        self.full.clear();
        if is_full[0] {
            self.full.push(old[0].cube);
            return;
        }
        // Breadth first again, without what lies in full cubes.
        let mut kept = vec![0];
        let mut at = 0;
        while at < kept.len() {
            let node = old[kept[at]];
            let (first_node, first_full) = (kept.len() as u32, self.full.len() as u32);
            let mut child = node.first_node as usize;
            let mut nodes = node.nodes;
            for which in 0..8 {
                let is_node = node.nodes >> which & 1 == 1;
                if node.full >> which & 1 == 1 {
                    self.full.push(node.cube.child(which));
                    nodes &= !(1 << which);
                } else if is_node {
                    kept.push(child);
                }
                child += usize::from(is_node);
            }
            self.nodes.push(Node { first_node, first_full, nodes, ..node });
            at += 1;
        }
    }

    /// Where the boundary below a cell lies.
    fn coordinate(&self, axis: usize, cell: i64) -> f64 {
        (i64::from(self.origin[axis]) + cell) as f64 * self.resolution
    }

    fn cell(&self, cube: Cube) -> Cell {
        Cell {
            low: DVec3::from(std::array::from_fn::<f64, 3, _>(|axis| self.coordinate(axis, cube.corner[axis].into()))),
            high: DVec3::from(std::array::from_fn::<f64, 3, _>(|axis| self.coordinate(axis, cube.end(axis)))),
        }
    }

    fn part(&self, cube: Cube, place: Place) -> Part {
        let (middle, half) = self.cell(cube).bounds();
        Part { place, middle, half, radius: 0.0 }
    }
}

impl Pieces for Octree {
    fn root(&self) -> Part {
        // The cells may end long before the cube of the whole grid does.
        let (middle, half) = self.around.bounds();
        let place = if self.nodes.is_empty() { Place::Piece(0) } else { Place::Node(0) };
        Part { place, middle, half, radius: 0.0 }
    }

    fn open(&self, node: u64, found: &mut Vec<Part>) {
        let node = &self.nodes[node as usize];
        let (mut next_node, mut next_full) = (node.first_node, node.first_full);
        for which in 0..8 {
            let child = node.cube.child(which);
            if node.nodes >> which & 1 == 1 {
                found.push(self.part(child, Place::Node(next_node.into())));
                next_node += 1;
            } else if node.full >> which & 1 == 1 {
                found.push(self.part(child, Place::Piece(next_full)));
                next_full += 1;
            }
        }
    }

    fn core(&self, piece: u32) -> Core<'_> {
        Core::Cell(self.cell(self.full[piece as usize]))
    }

    fn len(&self) -> usize {
        self.full.len()
    }

    fn reach(&self) -> f64 {
        self.around.reach()
    }
}

/// The cell that a coordinate is in, by the rounded boundaries.
fn cell_of(value: f64, resolution: f64) -> f64 {
    let cell = (value / resolution).floor();
    if cell * resolution > value {
        cell - 1.0
    } else if (cell + 1.0) * resolution <= value {
        cell + 1.0
    } else {
        cell
    }
}

fn positive(resolution: f64) -> Result<f64, ShapeError> {
    let legal = resolution > 0.0 && resolution <= MAX_COORDINATE;
    if legal {
        Ok(resolution)
    } else {
        Err(ShapeError::NotPositive { shape: "octree", size: "resolution", value: resolution })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;
    use std::collections::BTreeSet;

    fn cells(octree: &Octree) -> Vec<[i32; 3]> {
        let mut found = Vec::new();
        for cube in &octree.full {
            let size = 1_u32 << cube.level;
            for at in 0..size.pow(3) {
                let steps = [at % size, at / size % size, at / size / size];
                found.push(std::array::from_fn(|axis| octree.origin[axis] + (cube.corner[axis] + steps[axis]) as i32));
            }
        }
        found
    }

    /// Single cells far from each other, each with all the cells above it: as many as counted.
    #[test]
    fn more_cells_than_allowed_are_an_error() {
        assert_eq!(MOST, 1 << 26);
        let boxes: Vec<CellBox> = (0..100).map(|i| [[1000 * i, 0, 7 * i]; 2]).collect();
        let whole = Octree::new(boxes.clone(), 1.0, MOST).expect("few");
        let count = whole.nodes.len() + whole.full.len();
        assert!(count > 500 && whole.full.len() == 100);
        assert!(Octree::new(boxes.clone(), 1.0, count).is_ok());
        let error = Octree::new(boxes, 1.0, count - 1).expect_err("one too many");
        assert_eq!(error, ShapeError::TooMany { shape: "octree", count, most: count - 1 });
    }

    /// Exactly the cells that were given are full, each once, and all are reached from the root.
    #[test]
    fn cells_are_those_that_were_given() {
        let mut rng = Rng::new(4);
        let mut merged = 0;
        for _ in 0..400 {
            let spread = 1 + rng.below(9) as i64;
            let boxes: Vec<CellBox> = (0..1 + rng.below(30))
                .map(|_| {
                    let first: [i32; 3] = std::array::from_fn(|_| rng.integer(-spread, spread) as i32);
                    let last = std::array::from_fn(|axis| first[axis] + rng.below(3) as i32);
                    [first, last]
                })
                .collect();
            let octree = Octree::of_boxes(&boxes, 0.1).expect("legal");
            let mut given = BTreeSet::new();
            for [first, last] in &boxes {
                for x in first[0]..=last[0] {
                    for y in first[1]..=last[1] {
                        given.extend((first[2]..=last[2]).map(|z| [x, y, z]));
                    }
                }
            }
            let found = cells(&octree);
            assert_eq!(found.len(), given.len(), "{boxes:?}");
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), given, "{boxes:?}");
            let (mut open, mut pieces, mut parts) = (vec![octree.root()], BTreeSet::new(), Vec::new());
            while let Some(part) = open.pop() {
                match part.place {
                    Place::Node(node) => {
                        octree.open(node, &mut parts);
                        open.append(&mut parts);
                    }
                    Place::Piece(piece) => assert!(pieces.insert(piece)),
                }
            }
            assert_eq!(pieces.len(), octree.len());
            merged += usize::from(octree.full.iter().any(|cube| cube.level > 0));
        }
        assert!(merged > 100, "{merged} octrees with larger cells");
    }

    /// A huge block costs its surface at most.
    #[test]
    fn a_block_is_few_cells() {
        let octree = Octree::of_boxes(&[[[0; 3], [1023; 3]]], 1.0).expect("legal");
        assert_eq!((octree.len(), octree.nodes.len()), (1, 0));
        let shifted = Octree::of_boxes(&[[[0; 3], [63; 3]], [[-1; 3], [-1; 3]]], 1.0).expect("legal");
        // At each level as many cells as its surface has: a third more than the finest alone.
        assert!(shifted.len() < 8 * 64 * 64, "{}", shifted.len());
    }
}
