//! Support maps of convex hulls by hill climbing: how far does a set of points reach along a
//! direction? (k-DOP paper, §4.1, method I.)
//!
//! On a convex hull a corner with no neighbour farther along a direction is the farthest of all.
//! That is only true of an exact hull and of exact comparisons: on nearly flat ground a comparison
//! that is wrong by a rounding error may end the climb far below the top. So the hull is made with
//! exact orientations (`quick.rs`) and the climb decides near-ties exactly.
//!
//! A corner may lie within a flat face, or where flat faces meet. If no neighbour of a corner is
//! higher, none of the triangles around it rises, nor does what they span: that is the whole cone
//! that the corner sees the hull in, unless they all lie in one plane and the direction goes
//! straight inwards. Then the corner is among the lowest: a climb does not come by it, as it rises,
//! and none begins there (see `connect`).

mod certificate;
mod quick;
mod sides;

pub(crate) use quick::faces;

use crate::volume::expansion::{sign_of_sum, two_product};
use crate::volume::outline::in_order;
use glam::DVec3;
use sides::Sides;
use std::cmp::Ordering;

/// The corners of a convex hull and who is next to whom.
#[derive(Debug, Clone, PartialEq)]
pub struct Hull {
    /// Times a power of two that brings the largest coordinate near 1.
    points: Vec<DVec3>,
    scale: f64,
    /// Counter-clockwise from outside: what a file keeps, and proves the rest by.
    faces: Vec<[u32; 3]>,
    /// Neighbours of corner `i`: `neighbours[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    neighbours: Vec<u32>,
    /// For each cell of directions, a corner farthest along its middle: where to start.
    starts: Vec<u32>,
}

/// Where a climb ended, for the next one to begin at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HullCorner(u32);

impl HullCorner {
    /// No climb yet.
    pub const NONE: Self = Self(u32::MAX);
}

impl Default for HullCorner {
    fn default() -> Self {
        Self::NONE
    }
}

/// Cells along each side of each face of the cube of directions.
const CELLS: usize = 4;

impl Hull {
    /// Of at least one point. `None` if all lie in a plane.
    #[must_use]
    pub fn new(points: &[DVec3]) -> Option<Self> {
        let largest = points.iter().fold(0.0_f64, |largest, point| largest.max(point.abs().max_element()));
        let scale = power_of_two_near(largest);
        let points: Vec<DVec3> = points.iter().map(|&point| point / scale).collect();
        let faces = quick::faces(&points)?;
        Some(Self::connect(&points, &faces, &Sides::new(points.len(), &faces), scale))
    }

    /// The corners as they were given to [`Hull::new`], and triangles of them.
    pub(crate) fn parts(&self) -> (impl Iterator<Item = DVec3> + '_, &[[u32; 3]]) {
        (self.points.iter().map(|&point| point * self.scale), &self.faces)
    }

    /// From such parts. `None` if it is not certain that they are the hull of themselves and of
    /// `points`, given in an order in which neighbours are near each other.
    pub(crate) fn certified(corners: &[DVec3], faces: &[[u32; 3]], points: &[DVec3]) -> Option<Self> {
        let all = points.iter().chain(corners);
        let largest = all.fold(0.0_f64, |largest, point| largest.max(point.abs().max_element()));
        let scale = power_of_two_near(largest);
        let scaled = |points: &[DVec3]| points.iter().map(|&point| point / scale).collect::<Vec<DVec3>>();
        let corners = scaled(corners);
        let sides = certificate::proven(&corners, faces, &scaled(points))?;
        Some(Self::connect(&corners, faces, &sides, scale))
    }

    /// Numbers the points that faces use and lists their neighbours.
    fn connect(points: &[DVec3], faces: &[[u32; 3]], sides: &Sides, scale: f64) -> Self {
        let used: Vec<u32> = (0..points.len() as u32).filter(|&point| !sides.of(point).is_empty()).collect();
        let mut numbers = vec![0; points.len()];
        used.iter().zip(0..).for_each(|(&point, number)| numbers[point as usize] = number);
        let number = |point: u32| numbers[point as usize];
        let mut hull = Self {
            points: used.iter().map(|&point| points[point as usize]).collect(),
            scale,
            faces: faces.iter().map(|face| face.map(number)).collect(),
            first: Vec::with_capacity(used.len() + 1),
            neighbours: Vec::with_capacity(3 * faces.len()),
            starts: Vec::new(),
        };
        for &point in &used {
            hull.first.push(hull.neighbours.len() as u32);
            hull.neighbours.extend(sides.of(point).iter().map(|&(end, _)| number(end)));
        }
        hull.first.push(hull.neighbours.len() as u32);
        // The first of all by coordinates lies in no flat face: from there every climb is right.
        // Queries begin at the highest corner along a direction not opposed to theirs.
        let at = |corner: &u32| hull.points[*corner as usize];
        let outermost = (0..hull.points.len() as u32).min_by(|p, q| in_order(&at(p), &at(q))).unwrap_or(0);
        hull.starts = cell_middles().map(|direction| hull.climb(outermost, direction)).collect();
        hull
    }

    /// How many corners.
    #[must_use]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The corners, in no particular order.
    pub fn corners(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.points.iter().map(|&point| point * self.scale)
    }

    /// Never: a hull has at least four corners.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Heap memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let indices = self.first.capacity() + self.neighbours.capacity() + self.starts.capacity();
        let faces = self.faces.capacity() * size_of::<[u32; 3]>();
        self.points.capacity() * size_of::<DVec3>() + faces + indices * size_of::<u32>()
    }

    /// The largest coordinate of any point along `direction`; only the last scalar product rounds.
    #[must_use]
    pub fn reach(&self, direction: DVec3) -> f64 {
        direction.dot(self.points[self.farthest(direction) as usize]) * self.scale
    }

    /// The corner farthest along `direction`.
    #[must_use]
    pub fn support(&self, direction: DVec3) -> DVec3 {
        self.points[self.farthest(direction) as usize] * self.scale
    }

    fn farthest(&self, direction: DVec3) -> u32 {
        self.climb(self.starts[cell(direction)], direction)
    }

    /// [`Hull::reach`], by a climb that begins where an earlier one ended, whatever hull and
    /// direction that was for; and where this one ended (k-DOP paper, §4.1: from step to step the
    /// farthest corner stays, or is near).
    #[must_use]
    pub fn reach_from(&self, start: HullCorner, direction: DVec3) -> (f64, HullCorner) {
        let from = if (start.0 as usize) < self.points.len() { start.0 } else { self.starts[cell(direction)] };
        let mut top = self.climb(from, direction);
        if top == from {
            // It is the top, or lies within the lowest face, where nothing rises.
            let other = self.starts[cell(direction)];
            if self.rises(direction, top, other) {
                top = self.climb(other, direction);
            }
        }
        (direction.dot(self.points[top as usize]) * self.scale, HullCorner(top))
    }

    fn climb(&self, from: u32, direction: DVec3) -> u32 {
        let mut at = from;
        // A climb that rises comes by no corner twice; products that underflow may say that a
        // circle rises.
        for _ in 0..self.points.len() {
            let neighbours = &self.neighbours[self.first[at as usize] as usize..self.first[at as usize + 1] as usize];
            let best =
                neighbours.iter().fold(at, |best, &next| if self.rises(direction, best, next) { next } else { best });
            if best == at {
                break;
            }
            at = best;
        }
        at
    }

    /// Is `to` farther along `direction` than `from`? Exact, but for differences below 1e-280 of
    /// the coordinates.
    #[inline]
    fn rises(&self, direction: DVec3, from: u32, to: u32) -> bool {
        let (from, to) = (self.points[from as usize], self.points[to as usize]);
        let terms = direction * (to - from);
        let rise = terms.element_sum();
        // Each term is rounded twice, their sum twice.
        if rise.abs() > 4.0 * f64::EPSILON * terms.abs().element_sum() {
            return rise > 0.0;
        }
        rises_exactly(direction, from, to)
    }
}

#[cold]
fn rises_exactly(direction: DVec3, from: DVec3, to: DVec3) -> bool {
    let products = [0, 1, 2].into_iter().flat_map(|axis| {
        let (gained, gained_rest) = two_product(direction[axis], to[axis]);
        let (lost, lost_rest) = two_product(-direction[axis], from[axis]);
        [gained, gained_rest, lost, lost_rest]
    });
    sign_of_sum(products) == Ordering::Greater
}

/// With the exponent of `value`, kept away from the ends of the range.
fn power_of_two_near(value: f64) -> f64 {
    let exponent = (value.to_bits() >> 52 & 0x7ff).clamp(1, 0x7fd);
    f64::from_bits(exponent << 52)
}

/// Directions by the face of a cube they go through, and where on it.
fn cell(direction: DVec3) -> usize {
    let magnitudes = direction.abs();
    let axis = (0..3).fold(0, |best, axis| if magnitudes[axis] > magnitudes[best] { axis } else { best });
    let face = 2 * axis + usize::from(direction[axis] < 0.0);
    let step = |other: usize| {
        let share = direction[other] / magnitudes[axis].max(f64::MIN_POSITIVE);
        ((share + 1.0) * (0.5 * CELLS as f64)).clamp(0.0, CELLS as f64 - 1.0) as usize
    };
    (face * CELLS + step((axis + 1) % 3)) * CELLS + step((axis + 2) % 3)
}

fn cell_middles() -> impl Iterator<Item = DVec3> {
    (0..6 * CELLS * CELLS).map(|cell| {
        let face = cell / (CELLS * CELLS);
        let (axis, sign) = (face / 2, if face & 1 == 0 { 1.0 } else { -1.0 });
        let middle = |step: usize| (step as f64 + 0.5) / (0.5 * CELLS as f64) - 1.0;
        let mut direction = DVec3::ZERO;
        direction[axis] = sign;
        direction[(axis + 1) % 3] = middle(cell / CELLS % CELLS);
        direction[(axis + 2) % 3] = middle(cell % CELLS);
        direction
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    fn check(points: &[DVec3], rng: &mut Rng) -> Hull {
        let hull = Hull::new(points).expect("not flat");
        let edges = hull.neighbours.len() / 2;
        let faces = hull.neighbours.len() / 3;
        assert_eq!(hull.len() + faces, edges + 2, "Euler");
        for round in 0..200 {
            let direction = match round % 4 {
                0 => DVec3::new(f64::from(round % 3) - 1.0, f64::from(round % 5) - 2.0, 1.0),
                _ => DVec3::from_array(rng.unit_vector()),
            };
            let truth = points.iter().fold(f64::NEG_INFINITY, |most, point| most.max(direction.dot(*point)));
            let unit = points.iter().fold(0.0_f64, |most, point| most.max(point.abs().max_element()));
            assert!((hull.reach(direction) - truth).abs() <= 1e-15 * unit, "{direction}: {truth}");
            for start in (0..hull.len() as u32).step_by(1 + hull.len() / 9).chain([u32::MAX]) {
                let (reach, end) = hull.reach_from(HullCorner(start), direction);
                assert!((reach - truth).abs() <= 1e-15 * unit, "{direction} from {start}: {truth}");
                assert_eq!(hull.reach_from(end, direction), (reach, end), "the top is the top");
            }
        }
        hull
    }

    #[test]
    fn climbs_to_the_farthest_point() {
        let mut rng = Rng::new(11);
        for count in [4, 5, 9, 60, 400] {
            let ball: Vec<DVec3> = (0..count).map(|_| DVec3::from_array(rng.unit_vector())).collect();
            assert_eq!(check(&ball, &mut rng).len(), count);
            let blob: Vec<DVec3> = (0..count).map(|_| DVec3::from_array(rng.point(-1.0, 1.0)) * 1e-150).collect();
            check(&blob, &mut rng);
            let far: Vec<DVec3> = ball.iter().map(|&point| point * 1e290 + DVec3::splat(1e293)).collect();
            check(&far, &mut rng);
        }
    }

    /// Everything coplanar, collinear and equal, and plateaus far larger than the steps on them.
    #[test]
    fn grids_on_a_cube_are_climbed_too() {
        let mut rng = Rng::new(12);
        let grid: Vec<DVec3> =
            (0..729).map(|i| DVec3::new((i % 9) as f64, (i / 9 % 9) as f64, (i / 81) as f64)).collect();
        let hull = check(&grid, &mut rng);
        assert!(hull.len() >= 8, "{}", hull.len());
        let bent: Vec<DVec3> = grid.iter().map(|p| *p + DVec3::new(0.0, 0.0, 1e-15 * p.x * (8.0 - p.x))).collect();
        check(&bent, &mut rng);
    }

    /// A corner within the lowest face, along the very direction in which a cell of directions is
    /// entered.
    #[test]
    fn no_climb_begins_within_a_flat_face() {
        let around = [[-0.5, 1.0, 1.0], [0.0, 1.0, -1.0], [0.5, -1.0, -1.0], [0.0, -1.0, 1.0]];
        let corners: Vec<DVec3> =
            [[0.0; 3]].into_iter().chain(around).chain([[1.0, 0.0, 0.0]]).map(DVec3::from).collect();
        let both = |i: u32| [[0, i + 1, (i + 1) % 4 + 1], [5, (i + 1) % 4 + 1, i + 1]];
        let faces: Vec<[u32; 3]> = (0..4).flat_map(both).collect();
        let hull = Hull::connect(&corners, &faces, &Sides::new(corners.len(), &faces), 1.0);
        for direction in cell_middles() {
            let truth = corners.iter().fold(f64::NEG_INFINITY, |most, corner| most.max(direction.dot(*corner)));
            assert_eq!(hull.reach(direction), truth, "{direction}");
            // From every corner, that within the lowest face included.
            (0..6).for_each(|start| assert_eq!(hull.reach_from(HullCorner(start), direction).0, truth, "{direction}"));
        }
    }

    #[test]
    fn flat_sets_have_no_hull() {
        let flat = |i: u32| DVec3::new(f64::from(i % 5), f64::from(i / 5), f64::from(i % 5) + f64::from(i / 5));
        assert!(Hull::new(&(0..25).map(flat).collect::<Vec<_>>()).is_none());
        assert!(Hull::new(&[DVec3::ONE; 7]).is_none());
        assert!(Hull::new(&[DVec3::ZERO, DVec3::ONE, DVec3::ONE * 0.5]).is_none());
    }
}
