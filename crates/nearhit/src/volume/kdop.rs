//! Discrete orientation polytopes (Klosowski et al., 1998): intervals along k/2 fixed directions.
//!
//! Two k-DOPs in one frame are compared by interval overlap, without arithmetic. A rotated one is first re-bounded in the
//! other's frame. Here that is done by duality: a direction `u` is a non-negative combination of (signed) fixed
//! directions, `u = Σ λ d`, and then no point of the k-DOP lies farther along `u` than `Σ λ·extent(d)`. The three directions are those
//! whose cone holds `u`, found once per query in closed form; the combination of the coordinate axes is a second bound, and
//! the better one counts.

use super::{BoundingVolume, Placement, Support, Tightness, corners, largest_coordinate, length};
use crate::mesh::Triangle;
use crate::pose::Pose;
use glam::{DMat3, DVec3};

/// A k-DOP with `N = k / 2` slabs: 3, 7, 9 or 13 for the paper's k of 6, 14, 18 and 26.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KDop<const N: usize> {
    low: [f64; N],
    high: [f64; N],
}

const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// Towards the corners of a cube.
const CORNERS: [[f64; 3]; 4] = [[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, -1.0]];
/// Towards the edges of a cube.
const EDGES: [[f64; 3]; 6] =
    [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -1.0, 0.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0]];

/// The paper's directions (§3.3.3): the axes, then corners, then edges, as far as k has them.
const fn directions<const N: usize>() -> [DVec3; N] {
    let mut list = [DVec3::ZERO; N];
    let (with_corners, with_edges) = match N {
        3 => (false, false),
        7 => (true, false),
        9 => (false, true),
        13 => (true, true),
        _ => panic!("k must be 6, 14, 18 or 26"),
    };
    let mut filled = 0;
    let mut i = 0;
    while i < 13 {
        let (family, direction) = match i {
            0..3 => (true, AXES[i]),
            3..7 => (with_corners, CORNERS[i - 3]),
            _ => (with_edges, EDGES[i - 7]),
        };
        if family {
            list[filled] = DVec3::from_array(direction);
            filled += 1;
        }
        i += 1;
    }
    assert!(filled == N);
    list
}

impl<const N: usize> KDop<N> {
    /// The slab normals. Not of unit length: their coordinates are -1, 0 and 1.
    pub const DIRECTIONS: [DVec3; N] = directions::<N>();

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

/// One slab direction of a combination; the sign of the weight says which way.
#[derive(Debug, Clone, Copy, Default)]
struct Term {
    slab: usize,
    weight: f64,
}

type Cone = [Term; 3];

/// For each direction of b: the same direction in a's frame as combinations of a's directions, and its share of the translation.
#[derive(Debug, Clone)]
pub struct KDopMotion<const N: usize> {
    nearest: [Cone; N],
    along_axes: [Cone; N],
    offset: [f64; N],
    slack: f64,
}

/// Weights of the cone of fixed directions that holds `u`. All families are symmetric, so it is enough to know the cones
/// for `x ≥ y ≥ z ≥ 0` and to undo the ordering and the signs.
fn nearest_cone<const N: usize>(u: DVec3) -> Cone {
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| u[j].abs().total_cmp(&u[i].abs()));
    let [x, y, z] = order.map(|axis| u[axis].abs());
    let cone: [([f64; 3], f64); 3] = match N {
        7 => [([1.0, 0.0, 0.0], x - y), ([1.0, 1.0, 1.0], (y + z) / 2.0), ([1.0, 1.0, -1.0], (y - z) / 2.0)],
        9 if x >= y + z => [([1.0, 0.0, 0.0], x - (y + z)), ([1.0, 1.0, 0.0], y), ([1.0, 0.0, 1.0], z)],
        9 => [
            ([1.0, 1.0, 0.0], (x + y - z) / 2.0),
            ([1.0, 0.0, 1.0], (x + z - y) / 2.0),
            ([0.0, 1.0, 1.0], (y + z - x) / 2.0),
        ],
        13 => [([1.0, 0.0, 0.0], x - y), ([1.0, 1.0, 0.0], y - z), ([1.0, 1.0, 1.0], z)],
        _ => return axes_cone(u),
    };
    cone.map(|(sorted, weight)| {
        let mut direction = DVec3::ZERO;
        for (axis, entry) in order.into_iter().zip(sorted) {
            direction[axis] = entry * u[axis].signum();
        }
        term::<N>(direction, weight)
    })
}

fn axes_cone(u: DVec3) -> Cone {
    [0, 1, 2].map(|slab| Term { slab, weight: u[slab] })
}

/// Finds the slab of a direction, which is on the list up to its sign.
fn term<const N: usize>(direction: DVec3, weight: f64) -> Term {
    for (slab, &listed) in KDop::<N>::DIRECTIONS.iter().enumerate() {
        if listed == direction {
            return Term { slab, weight };
        }
        if listed == -direction {
            return Term { slab, weight: -weight };
        }
    }
    unreachable!("the families are closed under permutations and signs")
}

impl<const N: usize> BoundingVolume for KDop<N> {
    type Motion = KDopMotion<N>;
    type Placed = Self;
    const NAME: &'static str = match N {
        3 => "kdop6",
        7 => "kdop14",
        9 => "kdop18",
        _ => "kdop26",
    };

    fn fit(triangles: &[Triangle]) -> Self {
        let mut fitted = Self { low: [f64::INFINITY; N], high: [f64::NEG_INFINITY; N] };
        for corner in corners(triangles) {
            for (slab, direction) in Self::DIRECTIONS.iter().enumerate() {
                let along = direction.dot(corner);
                fitted.low[slab] = fitted.low[slab].min(along);
                fitted.high[slab] = fitted.high[slab].max(along);
            }
        }
        // Sums of two or three coordinates round; single coordinates do not.
        let rounding = 4.0 * f64::EPSILON * largest_coordinate(triangles);
        for slab in 3..N {
            fitted.low[slab] -= rounding;
            fitted.high[slab] += rounding;
        }
        fitted
    }

    fn size(&self) -> f64 {
        length(DVec3::from_array([0, 1, 2].map(|slab| self.high[slab] * 0.5 - self.low[slab] * 0.5)))
    }

    fn motion(placement: &Placement) -> KDopMotion<N> {
        let a_from_b: DMat3 = placement.b_from_a().rotation().transpose();
        let turned = Self::DIRECTIONS.map(|direction| a_from_b * direction);
        KDopMotion {
            nearest: turned.map(nearest_cone::<N>),
            along_axes: turned.map(axes_cone),
            offset: Self::DIRECTIONS.map(|direction| direction.dot(placement.b_from_a().translation())),
            // A direction is up to √3 long, and up to three rounded products meet.
            slack: 4.0 * placement.slack(),
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

    #[inline]
    fn disjoint(&self, a: &Self) -> bool {
        (0..N).any(|slab| self.high[slab] < a.low[slab] || a.high[slab] < self.low[slab])
    }

    #[inline]
    fn lower_bound(&self, a: &Self) -> f64 {
        let box_gaps = DVec3::from_array([0, 1, 2].map(|slab| self.gap(a, slab).max(0.0)));
        let slanted = (3..N).fold(0.0_f64, |best, slab| best.max(self.gap(a, slab) / Self::DIRECTIONS[slab].length()));
        length(box_gaps).max(slanted) * (1.0 - 8.0 * f64::EPSILON)
    }
}

impl<const N: usize> Support for KDop<N> {
    /// By looking at every corner: each is the meeting point of three planes that lies within all slabs.
    fn support(&self, direction: DVec3) -> DVec3 {
        let planes: Vec<(DVec3, f64)> = (0..N)
            .flat_map(|slab| [(Self::DIRECTIONS[slab], self.high[slab]), (-Self::DIRECTIONS[slab], -self.low[slab])])
            .collect();
        let scale =
            self.low.iter().chain(&self.high).fold(f64::MIN_POSITIVE, |largest, value| largest.max(value.abs()));
        let inside = |point: DVec3| planes.iter().all(|(normal, offset)| normal.dot(point) <= offset + 1e-12 * scale);
        let mut best: Option<DVec3> = None;
        for (i, p) in planes.iter().enumerate() {
            for (j, q) in planes.iter().enumerate().skip(i + 1) {
                for r in &planes[j + 1..] {
                    let matrix = DMat3::from_cols(p.0, q.0, r.0).transpose();
                    if matrix.determinant() == 0.0 {
                        continue;
                    }
                    let corner = matrix.inverse() * DVec3::new(p.1, q.1, r.1);
                    if inside(corner) && best.is_none_or(|best| corner.dot(direction) > best.dot(direction)) {
                        best = Some(corner);
                    }
                }
            }
        }
        // A k-DOP that encloses something has corners; the tolerance keeps those of flat ones.
        best.unwrap_or_else(|| DVec3::from_array([0, 1, 2].map(|slab| self.low[slab] * 0.5 + self.high[slab] * 0.5)))
    }

    fn contains(&self, point: DVec3) -> bool {
        (0..N).all(|slab| (self.low[slab]..=self.high[slab]).contains(&Self::DIRECTIONS[slab].dot(point)))
    }

    fn claim(&self, _a: &Self, _b_from_a: &Pose) -> Tightness {
        match N {
            // Re-bounding a box in another frame is exact, so its slabs are the true ones.
            3 => Tightness::Boxes(vec![[DVec3::X, DVec3::Y, DVec3::Z]]),
            _ => Tightness::Basic,
        }
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
        let measured = [looseness::<3>(), looseness::<7>(), looseness::<9>(), looseness::<13>()];
        for (measured, allowed) in measured.into_iter().zip([1.0 + 1e-9, 1.03, 1.03, 1.03]) {
            assert!((1.0 - 1e-9..allowed).contains(&measured), "{measured:?}");
        }
    }

    #[test]
    fn directions_are_the_papers() {
        assert_eq!(KDop::<7>::DIRECTIONS[3..], CORNERS.map(DVec3::from_array));
        assert_eq!(KDop::<9>::DIRECTIONS[3..], EDGES.map(DVec3::from_array));
        assert_eq!(KDop::<13>::DIRECTIONS[3..7], CORNERS.map(DVec3::from_array));
        assert_eq!(KDop::<13>::DIRECTIONS[7..], EDGES.map(DVec3::from_array));
    }

    #[test]
    fn cones_reproduce_their_direction() {
        fn check<const N: usize>(u: DVec3) {
            for cone in [nearest_cone::<N>(u), axes_cone(u)] {
                let sum =
                    cone.iter().fold(DVec3::ZERO, |sum, term| sum + KDop::<N>::DIRECTIONS[term.slab] * term.weight);
                assert!((sum - u).length() < 1e-15, "k = {}: {u} became {sum}", 2 * N);
            }
        }
        for i in 0..1000 {
            let (s, c) = (f64::from(i) * 0.7).sin_cos();
            let u = DVec3::new(s, c * (f64::from(i) * 0.1).sin(), c * (f64::from(i) * 0.1).cos());
            check::<3>(u);
            check::<7>(u);
            check::<9>(u);
            check::<13>(u);
        }
    }
}
