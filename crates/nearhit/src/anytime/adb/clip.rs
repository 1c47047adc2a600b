//! How much of a triangle lies in each cell of a grid?
//!
//! Everything happens in grid coordinates, in which the cells are unit cubes and the grid is the
//! cube from 0 to [`SIDE`]. Such a map changes areas, but all pieces of one triangle by the same
//! factor: so shares of its area are the same in both.

use glam::DVec3;

/// Cells along each axis.
pub const SIDE: usize = 8;

/// A convex piece of a triangle. Cut by six planes it has at most nine corners; they are across the
/// shadow, across it again, and along it.
#[derive(Clone, Copy)]
struct Polygon {
    corners: [[f64; 3]; 10],
    count: usize,
}

impl Polygon {
    const NONE: Self = Self { corners: [[0.0; 3]; 10], count: 0 };

    #[inline]
    fn push(&mut self, corner: [f64; 3]) {
        self.corners[self.count] = corner;
        self.count += 1;
    }

    #[inline]
    fn corners(&self) -> &[[f64; 3]] {
        &self.corners[..self.count]
    }

    /// The least and the greatest coordinate along an axis.
    #[inline]
    fn extent(&self, axis: usize) -> (f64, f64) {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for corner in self.corners() {
            // Not `min` and `max`, which would look for NaN.
            low = if corner[axis] < low { corner[axis] } else { low };
            high = if corner[axis] > high { corner[axis] } else { high };
        }
        (low, high)
    }
}

/// Tells `found` which share of the triangle's area is in which cell (x + 8 y + 64 z), if any. A
/// piece in a plane between cells is in the upper one; one on the border of the grid is in it.
///
/// A triangle without area has no shares.
#[inline]
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
        let first = low.min(DVec3::splat(side - 1.0)).as_usizevec3();
        if high.cmple(first.as_dvec3() + 1.0).all() {
            found(first.x + SIDE * (first.y + SIDE * first.z), 1.0);
            return;
        }
    }
    // Boxes around large triangles are mostly empty.
    let middle = side / 2.0;
    if normal.dot(DVec3::splat(middle) - a).abs() > middle * normal.abs().element_sum() * (1.0 + 1e-9) {
        return;
    }
    pieces(triangle, shadow, &mut |cell, area| found(cell, area / whole));
}

/// Cuts a triangle into pieces: across the shadow twice, then along it. Tells the double area of
/// each piece's shadow.
fn pieces(triangle: &[DVec3; 3], shadow: usize, found: &mut impl FnMut(usize, f64)) {
    let axes = [(shadow + 1) % 3, (shadow + 2) % 3, shadow];
    let [across, across_again, along] = axes.map(|axis| SIDE.pow(axis as u32));
    let mut whole = Polygon::NONE;
    triangle.iter().for_each(|corner| whole.push(axes.map(|axis| corner[axis])));
    let (mut layer, mut column) = ([Polygon::NONE; 3], [Polygon::NONE; 3]);
    slice::<0>(&whole, layer.each_mut(), |layer, i| {
        slice::<1>(layer, column.each_mut(), |column, j| {
            depths(column, |k, area| found(across * i + across_again * j + along * k, area));
        });
    });
}

/// The cells from `low` to `high` along an axis: the first and the last.
#[inline]
fn range(low: f64, high: f64) -> (usize, usize) {
    // Casts of negative numbers are 0.
    let first = (low as usize).min(SIDE - 1);
    let last = high as usize;
    // A piece that ends at a plane between cells is below it.
    let last = if last as f64 == high { last.saturating_sub(1) } else { last };
    (first, last.clamp(first, SIDE - 1))
}

/// Cuts a polygon into its layers along an axis.
#[inline]
fn slice<const AXIS: usize>(
    polygon: &Polygon,
    [cut, mut rest, mut spare]: [&mut Polygon; 3],
    mut found: impl FnMut(&Polygon, usize),
) {
    let (low, high) = polygon.extent(AXIS);
    if high < 0.0 || low > SIDE as f64 {
        return;
    }
    let (first, last) = range(low, high);
    if first == last && low >= first as f64 && high <= (last + 1) as f64 {
        return found(polygon, last);
    }
    rest.clone_from(polygon);
    if low < first as f64 {
        split::<AXIS>(rest, first as f64, cut, spare);
        std::mem::swap(&mut rest, &mut spare);
    }
    for layer in first..last {
        split::<AXIS>(rest, (layer + 1) as f64, cut, spare);
        found(cut, layer);
        std::mem::swap(&mut rest, &mut spare);
    }
    if high > (last + 1) as f64 {
        split::<AXIS>(rest, (last + 1) as f64, cut, spare);
        rest = cut;
    }
    found(rest, last);
}

/// The parts of a convex polygon below and above a plane across an axis. What is in the plane is in
/// both.
#[inline]
fn split<const AXIS: usize>(polygon: &Polygon, plane: f64, below: &mut Polygon, above: &mut Polygon) {
    (below.count, above.count) = (0, 0);
    let Some(&last) = polygon.corners().last() else { return };
    let (mut before, mut before_height) = (last, last[AXIS] - plane);
    for &corner in polygon.corners() {
        let height = corner[AXIS] - plane;
        if height * before_height < 0.0 {
            let mut crossing = between(before, corner, before_height / (before_height - height));
            crossing[AXIS] = plane;
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
}

#[inline]
fn between(from: [f64; 3], to: [f64; 3], part: f64) -> [f64; 3] {
    let along = |axis: usize| from[axis] + (to[axis] - from[axis]) * part;
    [along(0), along(1), along(2)]
}

/// Twice the area of the shadow in each cell along it.
#[inline]
fn depths(column: &Polygon, mut found: impl FnMut(usize, f64)) {
    let (low, high) = column.extent(2);
    // Not NaN, of no corners either.
    if !(high >= 0.0 && low <= SIDE as f64) {
        return;
    }
    let (first, last) = range(low, high);
    let mut before = if low < first as f64 { area_below(column, first as f64) } else { 0.0 };
    for cell in first..=last {
        let end = (cell + 1) as f64;
        let area = if high > end { area_below(column, end) } else { area(column) };
        if area > before {
            found(cell, area - before);
        }
        before = area;
    }
}

/// Twice the area of a shadow.
#[inline]
fn area(polygon: &Polygon) -> f64 {
    let mut fan = Fan::about(polygon.corners[0]);
    for corner in polygon.corners() {
        fan.add(corner);
    }
    fan.twice.abs()
}

/// Twice the area of the shadow of what is below a plane.
#[inline]
fn area_below(polygon: &Polygon, plane: f64) -> f64 {
    let Some(&last) = polygon.corners().last() else { return 0.0 };
    let mut fan = Fan::about(last);
    let (mut before, mut before_height) = (last, last[2] - plane);
    let mut first = None;
    for corner in polygon.corners() {
        let height = corner[2] - plane;
        if height * before_height < 0.0 {
            let crossing = between(before, *corner, before_height / (before_height - height));
            fan.add(&crossing);
            first = first.or(Some(crossing));
        }
        if height <= 0.0 {
            fan.add(corner);
            first = first.or(Some(*corner));
        }
        (before, before_height) = (*corner, height);
    }
    first.iter().for_each(|corner| fan.add(corner));
    fan.twice.abs()
}

/// The double area of a shadow, from triangles about a point.
struct Fan {
    about: [f64; 2],
    before: [f64; 2],
    twice: f64,
}

impl Fan {
    #[inline]
    fn about(corner: [f64; 3]) -> Self {
        Self { about: [corner[0], corner[1]], before: [0.0; 2], twice: 0.0 }
    }

    #[inline]
    fn add(&mut self, corner: &[f64; 3]) {
        let now = [corner[0] - self.about[0], corner[1] - self.about[1]];
        self.twice += self.before[0] * now[1] - self.before[1] * now[0];
        self.before = now;
    }
}
