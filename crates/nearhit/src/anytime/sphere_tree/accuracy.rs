//! How far is a sphere from the surface? (§9.2)
//!
//! The distance from the surface changes by no more than the way: over a patch of the sphere it is
//! at most its value at one point plus the distance from there to the farthest corner. Nor is any
//! point of the patch farther from the surface than from the point of it that is nearest to the
//! patch's middle, which is mostly the better bound. Patches, eight triangles at first, are divided
//! where the bound is largest, until it is near enough to the largest value that was seen. So the
//! answer is an interval, whenever the search ends.

use super::build::scaled;
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

/// How long to search for the largest distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchEffort {
    /// The upper end is at most this much larger than the lower one, in parts of it.
    pub relative: f64,
    /// But look at no more points than this.
    pub most: usize,
}

impl SearchEffort {
    /// Five per cent, if a thousand points are enough for that.
    pub const CAREFUL: Self = Self { relative: 0.05, most: 1000 };
    /// Twenty per cent, if forty points are enough for that.
    pub const QUICK: Self = Self { relative: 0.2, most: 40 };
}

/// The largest distance from the surface of any point of a sphere that is on the given side; both
/// ends 0 if there is none. Of a sphere that is none of numbers nothing is known: the upper end is
/// infinite.
#[must_use]
pub fn inaccuracy(model: &Model, center: DVec3, radius: f64, side: Side, effort: SearchEffort) -> Interval {
    if !(center.is_finite() && radius.is_finite()) {
        return Interval { lower: 0.0, upper: f64::INFINITY };
    }
    // The distance of points beyond all legal coordinates is not asked for: huge meshes, and usual
    // ones of which nothing is seen from so far, are measured in another unit.
    let is_beyond = center.abs().max_element() + radius > 0.5 * MAX_COORDINATE;
    if is_beyond {
        let (unit, mesh) = scaled(model.mesh(), HUGE);
        let Interval { lower, upper } = inaccuracy(&Model::new(mesh), center / unit, radius / unit, side, effort);
        return Interval { lower: lower * unit, upper: upper * unit };
    }
    bound(&mut Field::new(model), center, radius, side, effort)
}

/// A unit for what reaches beyond all legal coordinates: 2^990.
const HUGE: f64 = f64::from_bits((1023 + 990) << 52);

/// A triangle of directions.
#[derive(Debug, Clone, Copy)]
struct Patch {
    corners: [DVec3; 3],
    upper: f64,
}

pub(super) fn bound(field: &mut Field<'_>, center: DVec3, radius: f64, side: Side, effort: SearchEffort) -> Interval {
    let mut search = Search { field, center, radius, side, lower: 0.0, looked: 0 };
    let mut open = BinaryHeap::new();
    for octant in 0..8u32 {
        let sign = |axis: u32| if octant >> axis & 1 == 0 { 1.0 } else { -1.0 };
        let patch = search.patch([DVec3::X * sign(0), DVec3::Y * sign(1), DVec3::Z * sign(2)]);
        open.push(patch);
    }
    // What distances and points are rounded by, with much to spare.
    let rounding = 64.0 * f64::EPSILON * (center.abs().max_element() + radius);
    // Ends: every patch looked at counts, and chords are halved, so that they come below the
    // tolerance of 1e-4 of the radius.
    while let Some(Patch { corners: [a, b, c], upper }) = open.pop() {
        let good_enough = upper <= search.lower * (1.0 + effort.relative) + 1e-4 * radius;
        if good_enough || search.looked >= effort.most {
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
        // No point of a spherical triangle within a right angle is farther from another than a
        // corner is.
        let (point, chord) = (self.center + middle * self.radius, chord * self.radius * (1.0 + 1e-12));
        let found = self.field.distance(point);
        let away = found.distance;
        let upper = (away + chord).min(self.farthest(&corners, found.nearest));
        if self.side == Side::Outside && upper > self.lower && self.field.is_inside(point) {
            // The way to a point outside crosses the surface, and not before `away`.
            return Patch { corners, upper: (chord - away).clamp(0.0, upper) };
        }
        if upper > self.lower {
            self.lower = self.lower.max(away);
        }
        Patch { corners, upper: upper.max(away) }
    }

    /// No point of a patch is farther than this from a point of the surface.
    ///
    /// The square of the way from q to c + rd is |c - q|² + r² + 2r·d·(c - q), and a direction d of
    /// the patch is s/|s| with s in the flat triangle between the corners. There d·(c - q) is at
    /// most what it is at a corner, over |s|, which is between the flat triangle's distance from
    /// the middle of the sphere and 1.
    fn farthest(&self, &[a, b, c]: &[DVec3; 3], on_surface: DVec3) -> f64 {
        let from = self.center - on_surface;
        let corner = a.dot(from).max(b.dot(from)).max(c.dot(from));
        let flat = a.dot((b - a).cross(c - a).normalize()).abs();
        let along = if corner > 0.0 { corner / flat } else { corner };
        let squares = from.length_squared() + self.radius * self.radius;
        ((squares + 2.0 * self.radius * along).max(0.0) + 256.0 * f64::EPSILON * squares).sqrt()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;
    use nearhit_testkit::rng::Rng;

    /// No point of a patch is farther from a point than the bound says, whatever the size of the
    /// patch; and of small ones, one nearly is.
    #[test]
    fn no_point_of_a_patch_is_farther_than_its_bound() {
        let mesh = Mesh::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]).expect("legal");
        let model = Model::new(mesh);
        let mut field = Field::new(&model);
        let mut rng = Rng::new(7);
        let (mut behind, mut small) = (0, 0);
        for _ in 0..2000 {
            let (center, radius) = (DVec3::from_array(rng.point(-1.0, 1.0)), rng.range(0.1, 2.0));
            let mut corners = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| if rng.chance(0.5) { axis } else { -axis });
            for _ in 0..rng.below(5) {
                let [a, b, c] = corners;
                let [p, q, r] = [(a + b).normalize(), (b + c).normalize(), (c + a).normalize()];
                corners = *rng.choice(&[[a, p, r], [p, b, q], [r, q, c], [p, q, r]]);
            }
            let on_surface = center + DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 3.0);
            let search = Search { field: &mut field, center, radius, side: Side::Both, lower: 0.0, looked: 0 };
            let bound = search.farthest(&corners, on_surface);
            let [a, b, c] = corners;
            let direction = |rng: &mut Rng| (a * rng.f64() + b * rng.f64() + c * rng.f64()).normalize_or(a);
            let seen = (0..100).map(|_| (center + direction(&mut rng) * radius).distance(on_surface));
            let seen = seen.chain(corners.map(|corner| (center + corner * radius).distance(on_surface)));
            let seen = seen.fold(0.0, f64::max);
            assert!(seen <= bound, "{center} {radius} {corners:?} {on_surface}: {seen} > {bound}");
            behind += usize::from(seen > on_surface.distance(center).hypot(radius));
            if a.distance(b) < 0.2 {
                small += 1;
                assert!(bound <= 1.02 * seen + 0.01 * radius, "{seen} {bound}");
            }
        }
        assert!(behind > 400 && small > 200, "{behind} {small}");
    }
}
