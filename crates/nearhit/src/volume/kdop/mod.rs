//! Discrete orientation polytopes (Klosowski et al., 1998): intervals along k/2 fixed directions.
//!
//! Two k-DOPs in one frame are compared by interval overlap, without arithmetic. A rotated one is
//! first re-bounded in the other's frame ("tumbled"), in one of three ways, never from an earlier
//! tumbled one (§4.1, footnote 5):
//!
//! * by duality, from the intervals alone: a direction `u` is a non-negative combination of
//!   (signed) fixed directions, `u = Σ λ d`, and then no point of the k-DOP lies farther along `u`
//!   than `Σ λ·extent(d)`. The three directions are those whose cone holds `u`, found once per
//!   query; the combination of the coordinate axes is a second bound, and the better one counts;
//! * from the corners of the k-DOP (the paper's method II), see `brep.rs`;
//! * from the points it encloses, by hill climbing on their hull (method I), see
//!   [`crate::volume::outline`].
//!
//! The last two need data beside the tree: [`crate::hierarchy::outlines`].

mod brep;
mod certificate;
mod directions;
mod tumble;

use super::outline::Outline;
use super::region::Region;
use super::stored::{Numbers, Stored};
use super::{Blocked, BoundingVolume, Measure, Placement, Support, Tightness, corners, largest_coordinate};
use crate::mesh::Triangle;
use crate::pose::Pose;
use crate::vector::length;
use brep::Brep;
use directions::{Cone, axes_cone, directions, inverse_length, nearest_cone};
use glam::{DMat3, DVec3};

/// A k-DOP with `N = k / 2` slabs: 3, 7, 9 or 13 for the paper's k of 6, 14, 18 and 26; 25, 37 or
/// 49 for 50, 74 and 98.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KDop<const N: usize> {
    low: [f64; N],
    high: [f64; N],
}

impl<const N: usize> KDop<N> {
    /// The slab normals. Not of unit length: their coordinates are 0, ±1 and, beyond k = 26, ±2.
    pub const DIRECTIONS: [DVec3; N] = directions::<N>();

    const INVERSE_LENGTHS: [f64; N] = {
        let mut list = [1.0; N];
        let mut slab = 0;
        while slab < N {
            list[slab] = inverse_length(Self::DIRECTIONS[slab]);
            slab += 1;
        }
        list
    };

    /// The largest sum of magnitudes of a normal's coordinates: how many times a coordinate's error
    /// can enter a slab's.
    const LARGEST_SUM: f64 = if N <= 13 { 3.0 } else { 5.0 };

    /// Lower ends of the intervals, along [`Self::DIRECTIONS`].
    #[must_use]
    pub fn low(&self) -> &[f64; N] {
        &self.low
    }

    /// Upper ends of the intervals, along [`Self::DIRECTIONS`].
    #[must_use]
    pub fn high(&self) -> &[f64; N] {
        &self.high
    }

    /// From what `interval` says of each direction and its length.
    #[inline]
    pub(super) fn from_intervals(interval: impl Fn(DVec3, f64) -> (f64, f64)) -> Self {
        let mut made = Self { low: [0.0; N], high: [0.0; N] };
        for slab in 0..N {
            let length = 1.0 / Self::INVERSE_LENGTHS[slab];
            (made.low[slab], made.high[slab]) = interval(Self::DIRECTIONS[slab], length);
        }
        made
    }

    /// Of its box.
    pub(super) fn middle(&self) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|slab| self.low[slab] * 0.5 + self.high[slab] * 0.5))
    }

    /// Gap between two intervals of one slab; negative where they overlap.
    #[inline]
    fn gap(&self, other: &Self, slab: usize) -> f64 {
        (self.low[slab] - other.high[slab]).max(other.low[slab] - self.high[slab])
    }

    /// How far the volume reaches along `Σ weight · direction`, at most.
    #[inline]
    fn reach(&self, terms: &Cone) -> f64 {
        terms
            .iter()
            .map(|term| term.weight * if term.weight > 0.0 { self.high[term.slab] } else { self.low[term.slab] })
            .sum()
    }

    /// How far it reaches the other way, as a coordinate: `-reach` of the opposite direction.
    #[inline]
    fn reach_back(&self, terms: &Cone) -> f64 {
        terms
            .iter()
            .map(|term| term.weight * if term.weight > 0.0 { self.low[term.slab] } else { self.high[term.slab] })
            .sum()
    }
}

/// For each direction of b: the same direction in a's frame as combinations of a's directions, and
/// its share of the translation.
#[derive(Debug, Clone)]
pub struct KDopMotion<const N: usize> {
    /// The directions themselves, in a's frame.
    turned: [DVec3; N],
    nearest: [Cone; N],
    along_axes: [Cone; N],
    offset: [f64; N],
    slack: f64,
}

impl<const N: usize> crate::volume::sealed::Sealed for KDop<N> {}

impl<const N: usize> BoundingVolume for KDop<N> {
    type Motion = KDopMotion<N>;
    type Placed = Self;
    const NAME: &'static str = match N {
        3 => "kdop6",
        7 => "kdop14",
        9 => "kdop18",
        13 => "kdop26",
        25 => "kdop50",
        37 => "kdop74",
        _ => "kdop98",
    };
    const SPLIT_DIRECTIONS: &'static [DVec3] = &Self::DIRECTIONS;

    fn fit(triangles: &[Triangle]) -> Self {
        let mut fitted = Self { low: [f64::INFINITY; N], high: [f64::NEG_INFINITY; N] };
        for corner in corners(triangles) {
            for (slab, direction) in Self::DIRECTIONS.iter().enumerate() {
                let along = direction.dot(corner);
                fitted.low[slab] = fitted.low[slab].min(along);
                fitted.high[slab] = fitted.high[slab].max(along);
            }
        }
        // Sums of two or three coordinates round, each time by half an ulp of at most LARGEST_SUM
        // coordinates; single coordinates do not.
        let rounding = (1.0 + Self::LARGEST_SUM) * f64::EPSILON * largest_coordinate(triangles);
        for slab in 3..N {
            fitted.low[slab] -= rounding;
            fitted.high[slab] += rounding;
        }
        fitted
    }

    fn size(&self) -> f64 {
        length(DVec3::from_array([0, 1, 2].map(|slab| self.high[slab] * 0.5 - self.low[slab] * 0.5)))
    }

    fn measure(&self, unit: f64) -> Measure {
        Brep::new(self).map_or(Measure { volume: 0.0, surface: 0.0 }, |brep| brep.measure(unit))
    }

    fn merged(&self, other: &Self) -> Option<Self> {
        let mut merged = *self;
        for slab in 0..N {
            merged.low[slab] = self.low[slab].min(other.low[slab]);
            merged.high[slab] = self.high[slab].max(other.high[slab]);
        }
        Some(merged)
    }

    fn corners(&self) -> Vec<DVec3> {
        Brep::new(self).map_or(Vec::new(), |brep| brep.points().collect())
    }

    fn motion(placement: &Placement) -> KDopMotion<N> {
        let a_from_b: DMat3 = placement.b_from_a().rotation().transpose();
        let turned = Self::DIRECTIONS.map(|direction| a_from_b * direction);
        KDopMotion {
            turned,
            nearest: turned.map(nearest_cone::<N>),
            along_axes: turned.map(axes_cone),
            offset: Self::DIRECTIONS.map(|direction| direction.dot(placement.b_from_a().translation())),
            // Errors of coordinates enter as often as the direction counts them, and up to three
            // rounded products meet.
            slack: (1.0 + Self::LARGEST_SUM) * placement.slack(),
        }
    }

    fn place(&self, motion: &KDopMotion<N>) -> Self {
        let mut placed = *self;
        for slab in 0..N {
            let (nearest, axes) = (&motion.nearest[slab], &motion.along_axes[slab]);
            let high = self.reach(nearest).min(self.reach(axes));
            let low = self.reach_back(nearest).max(self.reach_back(axes));
            placed.high[slab] = high + motion.offset[slab] + motion.slack;
            placed.low[slab] = low + motion.offset[slab] - motion.slack;
        }
        placed
    }

    fn place_outlined(&self, outline: &Outline<'_>, motion: &KDopMotion<N>) -> Self {
        tumble::tumble(outline, motion)
    }

    #[inline]
    fn disjoint(&self, a: &Self) -> bool {
        (0..N).any(|slab| self.high[slab] < a.low[slab] || a.high[slab] < self.low[slab])
    }

    #[inline]
    fn lower_bound(&self, a: &Self) -> f64 {
        self.lower_bound_up_to(a, f64::INFINITY)
    }

    #[inline]
    fn lower_bound_up_to(&self, a: &Self, limit: f64) -> f64 {
        let shrink = 1.0 - 8.0 * f64::EPSILON;
        let box_gaps = DVec3::from_array([0, 1, 2].map(|slab| self.gap(a, slab).max(0.0)));
        let of_boxes = length(box_gaps) * shrink;
        if of_boxes >= limit {
            return of_boxes;
        }
        let slanted = (3..N).fold(0.0_f64, |best, slab| best.max(self.gap(a, slab) * Self::INVERSE_LENGTHS[slab]));
        of_boxes.max(slanted * shrink)
    }

    fn blocked(&self, a: &Self, direction: DVec3) -> Blocked {
        (0..N).fold(Blocked::ALWAYS, |blocked, slab| {
            let rate = Self::DIRECTIONS[slab].dot(direction);
            blocked.narrowed(self.low[slab] - a.high[slab], self.high[slab] - a.low[slab], rate, Self::LARGEST_SUM)
        })
    }
}

impl<const N: usize> Support for KDop<N> {
    fn support(&self, direction: DVec3) -> DVec3 {
        // A k-DOP that encloses something has corners.
        Brep::new(self).map_or_else(|| self.middle(), |brep| brep.farthest(direction))
    }

    fn contains(&self, point: DVec3) -> bool {
        (0..N).all(|slab| (self.low[slab]..=self.high[slab]).contains(&Self::DIRECTIONS[slab].dot(point)))
    }

    /// Its box: the corners are more than an estimate is worth.
    #[inline]
    fn region(&self) -> Region {
        Region::upright(DVec3::from_slice(&self.low[..3]), DVec3::from_slice(&self.high[..3]))
    }

    fn claim(&self, _a: &Self, _b_from_a: &Pose) -> Tightness {
        match N {
            // Re-bounding a box in another frame is exact, so its slabs are the true ones.
            3 => Tightness::Boxes(vec![[DVec3::X, DVec3::Y, DVec3::Z]]),
            _ => Tightness::Basic,
        }
    }
}

impl<const N: usize> Stored for KDop<N> {
    const NUMBERS: usize = 2 * N;

    fn store(&self, numbers: &mut Vec<f64>) {
        numbers.extend(self.low);
        numbers.extend(self.high);
    }

    fn restore(numbers: &[f64], reach: f64) -> Option<Self> {
        let mut numbers = Numbers::new(numbers, reach);
        let mut volume = Self { low: [0.0; N], high: [0.0; N] };
        for end in volume.low.iter_mut().chain(&mut volume.high) {
            *end = numbers.coordinate(1.0 + Self::LARGEST_SUM)?;
        }
        Some(volume)
    }

    fn store_corners(&self) -> Vec<[u8; 3]> {
        certificate::list(self)
    }

    fn restore_corners(&self, corners: &[[u8; 3]]) -> Option<Vec<DVec3>> {
        certificate::corners(self, corners)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every placed slab against the slab gap: the pair test loses nothing of what placing knew.
    fn bound_is_the_largest_slab_gap<const N: usize>() {
        let near = [[0.0, 0.0, 0.0], [1.0, 0.2, 0.0], [0.1, 1.0, 0.3]].map(DVec3::from_array);
        for step in 0..200 {
            let angle = 0.05 * f64::from(step);
            let offset = DVec3::new(angle.cos(), angle.sin(), (0.37 * angle).cos()) * 3.0;
            let (a, b) = (KDop::<N>::fit(&[near.map(|p| p + offset)]), KDop::<N>::fit(&[near]));
            let bound = b.lower_bound(&a);
            for slab in 0..N {
                let gap = b.gap(&a, slab) / KDop::<N>::DIRECTIONS[slab].length();
                assert!(bound >= gap * (1.0 - 1e-14), "k = {}, slab {slab}: {bound} < {gap}", 2 * N);
                assert!(gap <= 0.0 || b.disjoint(&a));
            }
        }
    }

    #[test]
    fn bounds_are_the_largest_slab_gap() {
        bound_is_the_largest_slab_gap::<3>();
        bound_is_the_largest_slab_gap::<7>();
        bound_is_the_largest_slab_gap::<9>();
        bound_is_the_largest_slab_gap::<13>();
        bound_is_the_largest_slab_gap::<49>();
    }

    /// Mean width of placed slabs over the true widths of the rotated volume, from its support map.
    fn looseness<const N: usize>() -> f64 {
        let mut rng = nearhit_testkit::rng::Rng::new(18);
        let (mut placed_width, mut true_width) = (0.0, 0.0);
        for _ in 0..60 {
            let triangles: Vec<Triangle> = (0..4).map(|_| [(); 3].map(|()| rng.point(-1.0, 1.0).into())).collect();
            let volume = KDop::<N>::fit(&triangles);
            let pose = Pose::from_rows(rng.rotation(), rng.point(-1.0, 1.0)).expect("a rotation");
            let placement = Placement::new(&pose, 1.0, 1.0);
            let placed = volume.place(&KDop::<N>::motion(&placement));
            let a_from_b = placement.b_from_a().rotation().transpose();
            for slab in 0..N {
                let direction = a_from_b * KDop::<N>::DIRECTIONS[slab];
                placed_width += placed.high[slab] - placed.low[slab];
                true_width += volume.support(direction).dot(direction) + volume.support(-direction).dot(-direction);
            }
        }
        placed_width / true_width
    }

    #[test]
    fn placed_volumes_are_hardly_wider_than_the_rotated_ones() {
        let paper = [looseness::<3>(), looseness::<7>(), looseness::<9>(), looseness::<13>()];
        let beyond = [looseness::<25>(), looseness::<37>(), looseness::<49>()];
        for (measured, allowed) in paper.into_iter().zip([1.0 + 1e-9, 1.03, 1.03, 1.03]) {
            assert!((1.0 - 1e-9..allowed).contains(&measured), "{paper:?}");
        }
        assert!(beyond.iter().all(|measured| (1.0 - 1e-9..1.03).contains(measured)), "{beyond:?}");
    }
}
