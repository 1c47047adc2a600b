//! How much of a triangle lies in each cell of a grid?
//!
//! Everything happens in grid coordinates, in which the cells are unit cubes and the grid is the cube from 0 to [`SIDE`]. Such a map changes areas, but all pieces of one
//! triangle by the same factor: so shares of its area are the same in both.

use arrayvec::ArrayVec;
use glam::DVec3;

/// Cells along each axis.
pub const SIDE: usize = 8;

/// A triangle cut by six planes has at most nine corners; cutting makes one more for a moment.
type Polygon = ArrayVec<DVec3, 12>;

/// Tells `found` which share of the triangle's area is in which cell (x + 8 y + 64 z), if any. A piece in a plane between cells is in the upper one; one on the border of the grid is in it.
///
/// A triangle without area has no shares.
pub fn shares(triangle: &[DVec3; 3], mut found: impl FnMut(usize, f64)) {
    let [a, b, c] = *triangle;
    let low = a.min(b).min(c);
    let high = a.max(b).max(c);
    let side = SIDE as f64;
    if high.min_element() < 0.0 || low.max_element() > side {
        return;
    }
    // Areas are compared in the shadow along the axis in which it is largest.
    let normal = (b - a).cross(c - a);
    let shadow = normal.abs().max_position();
    let whole = normal[shadow].abs();
    if whole <= 0.0 || !whole.is_finite() {
        return;
    }
    // Most triangles of large meshes are in one cell.
    if low.min_element() >= 0.0 && high.max_element() <= side {
        let [x, y, z] = [0, 1, 2].map(|axis| range(low[axis], high[axis]));
        if x.0 == x.1 && y.0 == y.1 && z.0 == z.1 {
            found(x.0 + SIDE * (y.0 + SIDE * z.0), 1.0);
            return;
        }
    }
    let polygon = Polygon::from_iter([a, b, c]);
    slice(&polygon, 0, &mut |layer: &Polygon, x| {
        slice(layer, 1, &mut |column: &Polygon, y| {
            slice(column, 2, &mut |piece: &Polygon, z| {
                let share = shadow_area(piece, shadow) / whole;
                if share > 0.0 {
                    found(x + SIDE * (y + SIDE * z), share);
                }
            });
        });
    });
}

/// The cells from `low` to `high` along an axis: the first and the last.
#[inline]
fn range(low: f64, high: f64) -> (usize, usize) {
    let last_cell = (SIDE - 1) as f64;
    let first = low.floor().clamp(0.0, last_cell);
    let last = (high.ceil() - 1.0).clamp(first, last_cell);
    (first as usize, last as usize)
}

/// Cuts a polygon into its layers along an axis.
#[inline]
fn slice(polygon: &Polygon, axis: usize, found: &mut impl FnMut(&Polygon, usize)) {
    let (low, high) = polygon.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), corner| {
        (low.min(corner[axis]), high.max(corner[axis]))
    });
    if high < 0.0 || low > SIDE as f64 {
        return;
    }
    let (first, last) = range(low, high);
    if first == last && low >= first as f64 && high <= (first + 1) as f64 {
        found(polygon, first);
        return;
    }
    let mut rest = if low < first as f64 { split(polygon, axis, first as f64).1 } else { polygon.clone() };
    for layer in first..=last {
        let (below, above) = split(&rest, axis, (layer + 1) as f64);
        found(&below, layer);
        rest = above;
    }
}

/// The parts of a convex polygon below and above a plane across an axis. What is in the plane is in both.
fn split(polygon: &Polygon, axis: usize, plane: f64) -> (Polygon, Polygon) {
    let (mut below, mut above) = (Polygon::new(), Polygon::new());
    let Some(&last) = polygon.last() else { return (below, above) };
    let (mut before, mut before_height) = (last, last[axis] - plane);
    for &corner in polygon {
        let height = corner[axis] - plane;
        if (height > 0.0 && before_height < 0.0) || (height < 0.0 && before_height > 0.0) {
            let mut crossing = before + (corner - before) * (before_height / (before_height - height));
            crossing[axis] = plane;
            below.push(crossing);
            above.push(crossing);
        }
        if height <= 0.0 {
            below.push(corner);
        }
        if height >= 0.0 {
            above.push(corner);
        }
        (before, before_height) = (corner, height);
    }
    (below, above)
}

/// Twice the area of the shadow along an axis.
fn shadow_area(polygon: &Polygon, axis: usize) -> f64 {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let Some((&origin, others)) = polygon.split_first() else { return 0.0 };
    let twice = |pair: &[DVec3]| {
        let (p, q) = (pair[0] - origin, pair[1] - origin);
        p[u] * q[v] - p[v] * q[u]
    };
    others.windows(2).map(twice).sum::<f64>().abs()
}
