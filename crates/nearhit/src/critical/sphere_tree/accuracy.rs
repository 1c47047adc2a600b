//! How far is a sphere from the surface? (§9.2)
//!
//! The distance from the surface changes by no more than the way: over a patch of the sphere it is at most its value at one point plus the distance from there to the farthest corner. Patches, eight triangles at first, are divided where
//! that bound is largest, until it is near enough to the largest value that was seen. So the answer is an interval, whenever the search ends.

use super::build::tame;
use super::field::Field;
use crate::error::MAX_COORDINATE;
use crate::model::Model;
use crate::query::Interval;
use glam::DVec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Which points of a sphere count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// All of them: the paper's measure.
    Both,
    /// Those outside of the solid: how far the ball sticks out.
    Outside,
}

/// When to be content.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Looks {
    /// The upper end is at most this much larger than the lower one, in parts of it.
    pub relative: f64,
    /// But look at no more points than this.
    pub most: usize,
}

impl Looks {
    /// Five per cent, if a thousand points are enough for that.
    pub const CAREFUL: Self = Self { relative: 0.05, most: 1000 };
    /// Fifteen per cent, if sixty points are enough for that.
    pub const QUICK: Self = Self { relative: 0.15, most: 60 };
}

/// The largest distance from the surface of any point of a sphere that is on the given side; both ends 0 if there is none.
///
/// # Panics
/// If the sphere is no sphere of numbers, or reaches beyond [`MAX_COORDINATE`] though the mesh is of a usual size.
#[must_use]
pub fn inaccuracy(model: &Model, center: DVec3, radius: f64, side: Side, looks: Looks) -> Interval {
    // The distance of points beyond all legal coordinates is not asked for: huge meshes are measured in a unit of their own.
    let is_beyond = center.abs().max_element() + radius > 0.5 * MAX_COORDINATE;
    if is_beyond && let (unit, Some(mesh)) = tame(model.mesh()) {
        let Interval { lower, upper } = inaccuracy(&Model::new(mesh), center / unit, radius / unit, side, looks);
        return Interval { lower: lower * unit, upper: upper * unit };
    }
    bound(&mut Field::new(model), center, radius, side, looks)
}

/// A triangle of directions.
#[derive(Debug, Clone, Copy)]
struct Patch {
    corners: [DVec3; 3],
    upper: f64,
}

pub(super) fn bound(field: &mut Field<'_>, center: DVec3, radius: f64, side: Side, looks: Looks) -> Interval {
    let mut search = Search { field, center, radius, side, lower: 0.0, looked: 0 };
    let mut open = BinaryHeap::new();
    for octant in 0..8u32 {
        let sign = |axis: u32| if octant >> axis & 1 == 0 { 1.0 } else { -1.0 };
        let patch = search.patch([DVec3::X * sign(0), DVec3::Y * sign(1), DVec3::Z * sign(2)]);
        open.push(patch);
    }
    // What distances and points are rounded by, with much to spare.
    let rounding = 64.0 * f64::EPSILON * (center.abs().max_element() + radius);
    while let Some(Patch { corners: [a, b, c], upper }) = open.pop() {
        let good_enough = upper <= search.lower * (1.0 + looks.relative) + 1e-4 * radius;
        if good_enough || search.looked >= looks.most {
            let lower = (search.lower - rounding).max(0.0);
            return Interval { lower, upper: upper.max(search.lower) + rounding };
        }
        let [p, q, r] = [(a + b).normalize(), (b + c).normalize(), (c + a).normalize()];
        for corners in [[a, p, r], [p, b, q], [r, q, c], [p, q, r]] {
            let mut part = search.patch(corners);
            part.upper = part.upper.min(upper);
            open.push(part);
        }
    }
    Interval { lower: 0.0, upper: rounding }
}

struct Search<'s, 'm> {
    field: &'s mut Field<'m>,
    center: DVec3,
    radius: f64,
    side: Side,
    lower: f64,
    looked: usize,
}

impl Search<'_, '_> {
    fn patch(&mut self, corners: [DVec3; 3]) -> Patch {
        self.looked += 1;
        let middle = (corners[0] + corners[1] + corners[2]).normalize();
        let chord = corners.iter().fold(0.0, |far: f64, corner| far.max(corner.distance(middle)));
        // No point of a spherical triangle within a right angle is farther from another than a corner is.
        let (point, chord) = (self.center + middle * self.radius, chord * self.radius * (1.0 + 1e-12));
        let away = self.field.distance(point).distance;
        if self.side == Side::Outside && away + chord > self.lower && self.field.is_inside(point) {
            // The way to a point outside crosses the surface, and not before `away`.
            return Patch { corners, upper: (chord - away).max(0.0) };
        }
        if away + chord > self.lower {
            self.lower = self.lower.max(away);
        }
        Patch { corners, upper: away + chord }
    }
}

impl PartialEq for Patch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Patch {}

impl PartialOrd for Patch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Patch {
    fn cmp(&self, other: &Self) -> Ordering {
        self.upper.total_cmp(&other.upper)
    }
}
