//! Shapes of many convex pieces (point clouds, height fields, octrees): what they are, piece by
//! piece, and what is true of two sets of solids by trying all pairs.

use std::collections::BTreeSet;

use crate::Point;
use crate::convex::{Certified, Core, Solid, distance_bracket, flat_solids_touch, reach};
use crate::pose::{Rows, pose_point};
use crate::rng::Rng;

/// A shape of many pieces, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Many {
    /// A ball about each point.
    Cloud {
        /// Not empty.
        points: Vec<Point>,
        /// One for all, or one for each.
        radii: Vec<f64>,
    },
    /// Two triangles for each cell of a grid, or prisms down to a floor.
    Field {
        /// Row by row.
        heights: Vec<f64>,
        /// At least two.
        columns: usize,
        /// Along x and y.
        spacing: [f64; 2],
        /// Not above any height.
        floor: Option<f64>,
    },
    /// Cubes of a grid.
    Cells {
        /// First and last cell of each box.
        boxes: Vec<[[i32; 3]; 2]>,
        /// The side of a cell.
        resolution: f64,
    },
}

/// Kinds of [`Many`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ManyKind {
    /// One radius.
    Cloud,
    /// A radius for each point.
    Balls,
    /// A surface.
    Field,
    /// With a floor.
    SolidField,
    /// Cubes.
    Cells,
}

impl ManyKind {
    /// All kinds.
    pub const ALL: [ManyKind; 5] =
        [ManyKind::Cloud, ManyKind::Balls, ManyKind::Field, ManyKind::SolidField, ManyKind::Cells];
}

impl Many {
    /// About the origin, of about this size; on a grid of 1/8 of it, or anywhere. The size should
    /// be a power of two.
    pub fn random(kind: ManyKind, size: f64, on_grid: bool, rng: &mut Rng) -> Many {
        let mut number = |low: f64, high: f64| {
            let value = rng.range(low, high);
            size * if on_grid { (value * 8.0).round() / 8.0 } else { value }
        };
        match kind {
            ManyKind::Cloud | ManyKind::Balls => {
                let count = 1 + (number(0.0, 60.0) / size) as usize;
                let points = (0..count).map(|_| [(); 3].map(|()| number(-1.0, 1.0))).collect();
                let radii = if kind == ManyKind::Cloud { 1 } else { count };
                Many::Cloud { points, radii: (0..radii).map(|_| number(0.0, 0.3)).collect() }
            }
            ManyKind::Field | ManyKind::SolidField => {
                let (columns, rows) = (2 + (number(0.0, 6.0) / size) as usize, 2 + (number(0.0, 6.0) / size) as usize);
                let heights = (0..columns * rows).map(|_| number(-0.5, 0.5)).collect();
                let spacing = [number(0.125, 0.5), number(0.125, 0.5)];
                Many::Field { heights, columns, spacing, floor: (kind == ManyKind::SolidField).then(|| -size) }
            }
            ManyKind::Cells => {
                let mut cell = |low: f64, high: f64| (number(low, high) / size) as i32;
                let boxes = (0..1 + cell(0.0, 20.0)).map(|_| {
                    let first = [(); 3].map(|()| cell(-5.0, 5.0));
                    [first, first.map(|first| first + cell(0.0, 2.9))]
                });
                let boxes = boxes.collect();
                Many::Cells { boxes, resolution: number(0.125, 0.25) }
            }
        }
    }

    /// Corners and radius of each piece.
    pub fn pieces(&self) -> Vec<(Vec<Point>, f64)> {
        match self {
            Many::Cloud { points, radii } => {
                points.iter().enumerate().map(|(i, &point)| (vec![point], radii[i % radii.len()])).collect()
            }
            Many::Field { heights, columns, spacing, floor } => field(heights, *columns, *spacing, *floor),
            Many::Cells { boxes, resolution } => {
                cubes(boxes).into_iter().map(|(corner, side)| (cube(corner, side, *resolution), 0.0)).collect()
            }
        }
    }

    /// The pieces as solids, grown by a margin, where a pose puts them. Sums of a radius and the
    /// margin are rounded once.
    pub fn solids(&self, margin: f64, pose: Option<(&Rows, &Point)>) -> Vec<Solid> {
        let place = |point: &Point| pose.map_or(*point, |(rows, translation)| pose_point(rows, translation, *point));
        let solid = |(corners, radius): (Vec<Point>, f64)| Solid {
            core: Core::Points(corners.iter().map(place).collect()),
            margin: radius + margin,
        };
        self.pieces().into_iter().map(solid).collect()
    }
}

fn field(heights: &[f64], columns: usize, [dx, dy]: [f64; 2], floor: Option<f64>) -> Vec<(Vec<Point>, f64)> {
    let at = |column: usize, row: usize| [column as f64 * dx, row as f64 * dy, heights[row * columns + column]];
    let mut pieces = Vec::new();
    for row in 0..heights.len() / columns - 1 {
        for column in 0..columns - 1 {
            let ends = [at(column, row), at(column + 1, row + 1)];
            for other in [at(column + 1, row), at(column, row + 1)] {
                let mut corners = vec![ends[0], other, ends[1]];
                if let Some(floor) = floor {
                    corners.extend([ends[0], other, ends[1]].map(|[x, y, _]| [x, y, floor]));
                }
                pieces.push((corners, 0.0));
            }
        }
    }
    pieces
}

/// The cubes of an octree: first cell and side of each. Eight full siblings are one, counted from
/// the lowest cell of all.
fn cubes(boxes: &[[[i32; 3]; 2]]) -> Vec<([i32; 3], i32)> {
    let mut full = BTreeSet::new();
    for [first, last] in boxes {
        for x in first[0]..=last[0] {
            for y in first[1]..=last[1] {
                full.extend((first[2]..=last[2]).map(|z| [x, y, z]));
            }
        }
    }
    let low: [i32; 3] = std::array::from_fn(|axis| boxes.iter().map(|cells| cells[0][axis]).min().expect("not empty"));
    let mut cubes: BTreeSet<(i32, [i32; 3])> = full.into_iter().map(|cell| (1, cell)).collect();
    let mut side = 1;
    while cubes.iter().any(|(found, _)| *found == side) {
        let of_side: Vec<[i32; 3]> = cubes.iter().filter(|(found, _)| *found == side).map(|(_, cell)| *cell).collect();
        for cell in of_side {
            let is_first = (0..3).all(|axis| (cell[axis] - low[axis]) % (2 * side) == 0);
            let siblings = (0..8).map(|i| (side, std::array::from_fn(|axis| cell[axis] + (i >> axis & 1) * side)));
            if is_first && siblings.clone().all(|sibling| cubes.contains(&sibling)) {
                siblings.for_each(|sibling| {
                    cubes.remove(&sibling);
                });
                cubes.insert((2 * side, cell));
            }
        }
        side *= 2;
    }
    cubes.into_iter().map(|(side, cell)| (cell, side)).collect()
}

fn cube(corner: [i32; 3], side: i32, resolution: f64) -> Vec<Point> {
    let end = |axis: usize, far: bool| f64::from(corner[axis] + if far { side } else { 0 }) * resolution;
    (0..8).map(|i| std::array::from_fn(|axis| end(axis, i >> axis & 1 == 1))).collect()
}

/// Which solids of two sets share a point; `None` where a curved one is met.
pub fn touching_pieces(a: &[Solid], b: &[Solid]) -> Option<Vec<(usize, usize)>> {
    let (boxes_a, boxes_b) = (boxes(a), boxes(b));
    let mut found = Vec::new();
    for (i, one) in a.iter().enumerate() {
        for (j, other) in b.iter().enumerate() {
            if gap(&boxes_a[i], &boxes_b[j]) <= 0.0 && flat_solids_touch(one, other)? {
                found.push((i, j));
            }
        }
    }
    Some(found)
}

/// Bounds of the least distance of two sets of solids.
pub fn least_distance(a: &[Solid], b: &[Solid], bits: usize) -> Option<Certified> {
    let (boxes_a, boxes_b) = (boxes(a), boxes(b));
    let mut order: Vec<(f64, usize, usize)> = Vec::new();
    for (i, one) in boxes_a.iter().enumerate() {
        order.extend(boxes_b.iter().enumerate().map(|(j, other)| (gap(one, other), i, j)));
    }
    order.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut best: Option<Certified> = None;
    for (gap, i, j) in order {
        if best.as_ref().is_some_and(|best| best.doubles()[1] < gap || best.doubles()[1] == 0.0) {
            break;
        }
        let found = distance_bracket(&a[i], &b[j], bits);
        best = Some(match best {
            Some(best) => Certified { lower: best.lower.min(found.lower), upper: best.upper.min(found.upper) },
            None => found,
        });
    }
    best
}

/// Around each solid, rounded outwards; endless for a half-space.
fn boxes(solids: &[Solid]) -> Vec<[Point; 2]> {
    let end = |solid: &Solid, axis: usize, side: f64| {
        let mut direction = [0.0; 3];
        direction[axis] = side;
        reach(solid, direction).map_or(f64::INFINITY, |bounds| bounds.doubles()[1])
    };
    let around = |solid: &Solid| {
        [std::array::from_fn(|axis| -end(solid, axis, -1.0)), std::array::from_fn(|axis| end(solid, axis, 1.0))]
    };
    solids.iter().map(around).collect()
}

/// Not above the distance of what is in two boxes; not positive when they overlap.
fn gap(a: &[Point; 2], b: &[Point; 2]) -> f64 {
    (0..3)
        .map(|axis| {
            let gap = (a[0][axis] - b[1][axis]).max(b[0][axis] - a[1][axis]);
            if gap > 0.0 { gap.next_down() } else { gap }
        })
        .fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_are_merged_and_cover_the_same() {
        let mut rng = Rng::new(8);
        let mut merged = 0;
        for _ in 0..200 {
            let Many::Cells { boxes, .. } = Many::random(ManyKind::Cells, 1.0, true, &mut rng) else { unreachable!() };
            let cubes = cubes(&boxes);
            let volume: i64 = cubes.iter().map(|(_, side)| i64::from(*side).pow(3)).sum();
            let mut cells = BTreeSet::new();
            for [first, last] in &boxes {
                for x in first[0]..=last[0] {
                    for y in first[1]..=last[1] {
                        cells.extend((first[2]..=last[2]).map(|z| [x, y, z]));
                    }
                }
            }
            assert_eq!(volume, cells.len() as i64, "{boxes:?}");
            merged += usize::from(cubes.iter().any(|(_, side)| *side > 1));
        }
        assert!(merged > 50, "{merged}");
    }

    #[test]
    fn closed_forms() {
        let cloud = Many::Cloud { points: vec![[0.0; 3], [4.0, 0.0, 0.0]], radii: vec![1.0, 0.5] };
        let ball = |x: f64, radius: f64| vec![Solid { core: Core::Points(vec![[x, 0.0, 0.0]]), margin: radius }];
        let found = least_distance(&cloud.solids(0.25, None), &ball(2.0, 0.5), 90).expect("not empty").doubles();
        assert!(found[0] <= 0.25 && found[1] >= 0.25 && found[1] - found[0] < 1e-12, "{found:?}");
        assert_eq!(touching_pieces(&cloud.solids(0.25, None), &ball(2.0, 0.75)), Some(vec![(0, 0)]));
        let field = Many::Field { heights: vec![0.0; 4], columns: 2, spacing: [1.0, 1.0], floor: Some(-1.0) };
        let inside = vec![Solid { core: Core::Points(vec![[0.75, 0.25, -0.5]]), margin: 0.0 }];
        assert_eq!(touching_pieces(&field.solids(0.0, None), &inside), Some(vec![(0, 0)]));
    }
}
