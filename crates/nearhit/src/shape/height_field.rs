//! Height fields: a grid of heights, two triangles in each cell, with a pyramid of least and
//! largest heights over it.
//!
//! Column `j` lies at `x = j · dx`, row `i` at `y = i · dy`, each product rounded once. The
//! diagonal of a cell goes from its corner with the least x and y to the one with the largest. A
//! field is a surface; with a floor it is a solid: the prisms between its triangles and the floor.

use super::ShapeError;
use super::core::{Convex, Core, around};
use super::error::{MOST_PIECES, few_enough};
use super::pieces::{Part, Pieces, Place};
use crate::error::MAX_COORDINATE;
use crate::mesh::Triangle;
use glam::DVec3;

/// Everything between a triangle and a floor below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prism {
    top: Triangle,
    floor: f64,
}

impl Prism {
    fn ends(&self) -> [DVec3; 6] {
        let [a, b, c] = self.top;
        let below = |corner: DVec3| DVec3::new(corner.x, corner.y, self.floor);
        [a, b, c, below(a), below(b), below(c)]
    }
}

impl Convex for Prism {
    fn support(&self, direction: DVec3) -> DVec3 {
        let ends = self.ends();
        let mut best = (f64::NEG_INFINITY, ends[0]);
        for end in ends {
            let along = end.dot(direction);
            if along > best.0 {
                best = (along, end);
            }
        }
        best.1
    }

    fn reach(&self) -> f64 {
        self.top.iter().fold(self.floor.abs(), |most, corner| corner.abs().max_element().max(most))
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        around(&self.ends())
    }

    fn corners(&self, found: &mut Vec<DVec3>) -> bool {
        found.extend(self.ends());
        true
    }

    fn center(&self) -> DVec3 {
        let [a, b, c] = self.top;
        let middle = a * 0.25 + b * 0.25 + c * 0.5;
        DVec3::new(middle.x, middle.y, 0.5 * middle.z + 0.5 * self.floor)
    }
}

/// Heights over a grid.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HeightField {
    /// Row by row.
    heights: Vec<f64>,
    columns: usize,
    rows: usize,
    spacing: [f64; 2],
    /// A solid down to here, or a surface.
    floor: Option<f64>,
    /// Level k, from 1 on, holds blocks of `2^k` cells each way; the last one is a single block.
    pyramid: Vec<Level>,
    reach: f64,
}

/// Least and largest heights of blocks of cells, row by row.
#[derive(Debug, Clone, PartialEq)]
struct Level {
    columns: usize,
    extremes: Vec<[f64; 2]>,
}

/// A block of `2^level` cells each way.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Block {
    level: u32,
    column: usize,
    row: usize,
}

/// Bits of a node's number for a row and for a column.
const BITS: u32 = 29;

impl Block {
    fn to_number(self) -> u64 {
        (u64::from(self.level) << BITS | self.row as u64) << BITS | self.column as u64
    }

    fn from_number(number: u64) -> Self {
        let mask = (1 << BITS) - 1;
        Self {
            level: (number >> (2 * BITS)) as u32,
            row: (number >> BITS & mask) as usize,
            column: (number & mask) as usize,
        }
    }
}

impl HeightField {
    /// Checks and makes it: `columns` heights in each row.
    pub(crate) fn new(
        heights: &[f64],
        columns: usize,
        spacing: [f64; 2],
        floor: Option<f64>,
    ) -> Result<Self, ShapeError> {
        let rows = rows_of(heights.len(), columns)?;
        for (size, value, count) in [("dx", spacing[0], columns), ("dy", spacing[1], rows)] {
            if !(value > 0.0 && value * (count - 1) as f64 <= MAX_COORDINATE) {
                return Err(ShapeError::NotPositive { shape: "height field", size, value });
            }
        }
        let bad = heights.iter().position(|height| !(height.abs() <= MAX_COORDINATE));
        if let Some(index) = bad {
            return Err(ShapeError::BadHeight { row: index / columns, column: index % columns, value: heights[index] });
        }
        let least = heights.iter().copied().fold(f64::INFINITY, f64::min);
        if let Some(floor) = floor.filter(|floor| !(floor.abs() <= MAX_COORDINATE && *floor <= least)) {
            return Err(ShapeError::FloorTooHigh { floor, least });
        }
        let largest = heights.iter().fold(floor.unwrap_or(0.0).abs(), |most, height| most.max(height.abs()));
        let ends = [(columns - 1) as f64 * spacing[0], (rows - 1) as f64 * spacing[1]];
        let reach = largest.max(ends[0]).max(ends[1]);
        let mut field = Self { heights: heights.to_vec(), columns, rows, spacing, floor, pyramid: Vec::new(), reach };
        field.build();
        Ok(field)
    }

    fn build(&mut self) {
        let (mut columns, mut rows) = (self.columns - 1, self.rows - 1);
        while columns > 1 || rows > 1 {
            let (finer_columns, finer_rows) = (columns, rows);
            (columns, rows) = (columns.div_ceil(2), rows.div_ceil(2));
            let level = self.pyramid.len() as u32;
            let mut extremes = Vec::with_capacity(columns * rows);
            for row in 0..rows {
                for column in 0..columns {
                    let mut found = [f64::INFINITY, f64::NEG_INFINITY];
                    for row in 2 * row..(2 * row + 2).min(finer_rows) {
                        for column in 2 * column..(2 * column + 2).min(finer_columns) {
                            let [least, most] = self.extremes(Block { level, column, row });
                            found = [found[0].min(least), found[1].max(most)];
                        }
                    }
                    extremes.push(found);
                }
            }
            self.pyramid.push(Level { columns, extremes });
        }
    }

    fn height(&self, column: usize, row: usize) -> f64 {
        self.heights[row * self.columns + column]
    }

    /// The least and the largest height of a block.
    fn extremes(&self, block: Block) -> [f64; 2] {
        if let Some(above) = block.level.checked_sub(1) {
            let level = &self.pyramid[above as usize];
            return level.extremes[block.row * level.columns + block.column];
        }
        let Block { column, row, .. } = block;
        let [p, q] = [self.height(column, row), self.height(column + 1, row)];
        let [r, s] = [self.height(column, row + 1), self.height(column + 1, row + 1)];
        [p.min(q).min(r).min(s), p.max(q).max(r).max(s)]
    }

    fn point(&self, column: usize, row: usize) -> DVec3 {
        let [dx, dy] = self.spacing;
        DVec3::new(column as f64 * dx, row as f64 * dy, self.height(column, row))
    }

    /// Where a block ends: one past its last cell.
    fn ends(&self, block: Block) -> [usize; 2] {
        let past = |first: usize, cells: usize| ((first + 1) << block.level).min(cells);
        [past(block.column, self.columns - 1), past(block.row, self.rows - 1)]
    }

    fn part(&self, block: Block) -> Part {
        let [least, most] = self.extremes(block);
        let [dx, dy] = self.spacing;
        let [end_column, end_row] = self.ends(block);
        let first = [block.column << block.level, block.row << block.level];
        let low = DVec3::new(first[0] as f64 * dx, first[1] as f64 * dy, self.floor.unwrap_or(least));
        let high = DVec3::new(end_column as f64 * dx, end_row as f64 * dy, most);
        let (middle, half) = around(&[low, high]);
        Part { place: Place::Node(block.to_number()), middle, half, radius: 0.0 }
    }

    /// Two triangles a cell, cell by cell: below and above the diagonal.
    fn triangle(&self, piece: u32) -> Triangle {
        let cell = piece as usize / 2;
        let (column, row) = (cell % (self.columns - 1), cell / (self.columns - 1));
        let (first, last) = (self.point(column, row), self.point(column + 1, row + 1));
        if piece.is_multiple_of(2) {
            [first, self.point(column + 1, row), last]
        } else {
            [first, last, self.point(column, row + 1)]
        }
    }
}

impl Pieces for HeightField {
    fn root(&self) -> Part {
        self.part(Block { level: self.pyramid.len() as u32, column: 0, row: 0 })
    }

    fn open(&self, node: u64, found: &mut Vec<Part>) {
        let block = Block::from_number(node);
        let Some(level) = block.level.checked_sub(1) else {
            let first = 2 * (block.row * (self.columns - 1) + block.column) as u32;
            for piece in [first, first + 1] {
                let (middle, half) = self.core(piece).bounds();
                found.push(Part { place: Place::Piece(piece), middle, half, radius: 0.0 });
            }
            return;
        };
        let [end_column, end_row] = self.ends(block);
        for row in 2 * block.row..2 * block.row + 2 {
            for column in 2 * block.column..2 * block.column + 2 {
                if row << level < end_row && column << level < end_column {
                    found.push(self.part(Block { level, column, row }));
                }
            }
        }
    }

    fn core(&self, piece: u32) -> Core<'_> {
        let top = self.triangle(piece);
        match self.floor {
            None => Core::Triangle(top),
            Some(floor) => Core::Prism(Prism { top, floor }),
        }
    }

    fn len(&self) -> usize {
        2 * (self.columns - 1) * (self.rows - 1)
    }

    fn reach(&self) -> f64 {
        self.reach
    }
}

/// How many rows so many heights are, if that is a grid, and one that can be counted.
fn rows_of(heights: usize, columns: usize) -> Result<usize, ShapeError> {
    if columns < 2 || heights / 2 < columns || !heights.is_multiple_of(columns) {
        return Err(ShapeError::NoGrid { heights, columns });
    }
    let rows = heights / columns;
    let most = (1 << BITS) - 1;
    few_enough("height field", (columns - 1).saturating_mul(rows - 1), MOST_PIECES)?;
    few_enough("height field", columns.max(rows), most)?;
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    /// By numbers alone: nobody has heights for so many cells.
    #[test]
    fn grids_that_cannot_be_counted_are_an_error() {
        let many = |count, most| Err(ShapeError::TooMany { shape: "height field", count, most });
        // 2^31 - 1 is prime: a single row of cells is the only way to have as many.
        let (most, cells) = ((1 << BITS) - 1, MOST_PIECES);
        assert_eq!(rows_of(2 * (cells + 1), cells + 1), many(cells + 1, most));
        assert_eq!(rows_of((1 << 16) * (1 << 15), 1 << 16), Ok(1 << 15));
        assert_eq!(rows_of(((1 << 16) + 1) * ((1 << 15) + 1), (1 << 16) + 1), many(1 << 31, cells));
        assert_eq!(rows_of(2 * most, most), Ok(2));
        assert_eq!(rows_of(2 * most + 2, most + 1), many(most + 1, most));
        assert_eq!(rows_of(2 * most + 2, 2), many(most + 1, most));
        assert_eq!(rows_of(7, 2), Err(ShapeError::NoGrid { heights: 7, columns: 2 }));
        assert!(rows_of(usize::MAX - 1, 2).is_err() && rows_of(8, usize::MAX).is_err());
    }

    /// Every triangle is reached once, and lies in the boxes of all nodes above it.
    #[test]
    fn nodes_enclose_their_triangles() {
        let mut rng = Rng::new(12);
        for _ in 0..200 {
            let (columns, rows) = (2 + rng.below(20), 2 + rng.below(20));
            let heights: Vec<f64> = (0..columns * rows).map(|_| rng.range(-1.0, 1.0)).collect();
            let floor = rng.chance(0.5).then_some(-2.0);
            let field = HeightField::new(&heights, columns, [0.1, 0.3], floor).expect("legal");
            let mut seen = vec![0; field.len()];
            let mut open = vec![vec![field.root()]];
            while let Some(path) = open.pop() {
                let last = path[path.len() - 1];
                let Place::Node(node) = last.place else {
                    let Place::Piece(piece) = last.place else { unreachable!() };
                    seen[piece as usize] += 1;
                    let mut corners = Vec::new();
                    field.core(piece).corners(&mut corners);
                    for part in &path {
                        let inside = |corner: &DVec3| (*corner - part.middle).abs().cmple(part.half).all();
                        assert!(corners.iter().all(inside), "{columns} x {rows}: {piece} {part:?}");
                    }
                    continue;
                };
                let mut found = Vec::new();
                field.open(node, &mut found);
                open.extend(found.into_iter().map(|part| path.iter().copied().chain([part]).collect()));
            }
            assert!(seen.iter().all(|&count| count == 1), "{columns} x {rows}: {seen:?}");
        }
    }
}
