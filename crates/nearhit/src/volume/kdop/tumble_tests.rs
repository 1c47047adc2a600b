//! Tumbled k-DOPs against support maps, and through the whole contract suite.

use super::*;
use crate::mesh::Triangle;
use crate::pose::Pose;
use crate::volume::hull::Hull;
use crate::volume::outline::{PointLanes, distinct, lanes};
use crate::volume::{BoundingVolume, Placement, Support, Tightness, contract};
use glam::DVec3;
use nearhit_testkit::rng::Rng;

/// A k-DOP that is always placed by method II, for the contract suite.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ByCorners<const N: usize>(KDop<N>);

/// A k-DOP that is always placed by method I, with the points of up to six triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ByHull<const N: usize> {
    volume: KDop<N>,
    points: [DVec3; 18],
}

fn packed(points: Vec<DVec3>) -> Vec<PointLanes> {
    lanes(&distinct(points)).collect()
}

impl<const N: usize> crate::volume::sealed::Sealed for ByCorners<N> {}

impl<const N: usize> BoundingVolume for ByCorners<N> {
    type Motion = KDopMotion<N>;
    type Placed = KDop<N>;
    const NAME: &'static str = "k-DOP by its corners";

    fn fit(triangles: &[Triangle]) -> Self {
        Self(KDop::fit(triangles))
    }
    fn size(&self) -> f64 {
        self.0.size()
    }
    fn motion(placement: &Placement) -> KDopMotion<N> {
        KDop::motion(placement)
    }
    fn place(&self, motion: &KDopMotion<N>) -> KDop<N> {
        self.0.place_outlined(&Outline::Points(&packed(self.0.corners())), motion)
    }
    fn disjoint(&self, a: &KDop<N>) -> bool {
        self.0.disjoint(a)
    }
    fn lower_bound(&self, a: &KDop<N>) -> f64 {
        self.0.lower_bound(a)
    }
}

impl<const N: usize> Support for ByCorners<N> {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.0.support(direction)
    }
    fn contains(&self, point: DVec3) -> bool {
        self.0.contains(point)
    }
    /// Unlike duality, the corners know the true width of the rotated k-DOP.
    fn claim(&self, _a: &Self, _b_from_a: &Pose) -> Tightness {
        Tightness::Axes(KDop::<N>::DIRECTIONS.iter().map(|direction| direction.normalize()).collect())
    }
}

impl<const N: usize> crate::volume::sealed::Sealed for ByHull<N> {}

impl<const N: usize> BoundingVolume for ByHull<N> {
    type Motion = KDopMotion<N>;
    type Placed = KDop<N>;
    const NAME: &'static str = "k-DOP by a hull";

    fn fit(triangles: &[Triangle]) -> Self {
        let corners = triangles.as_flattened();
        let points = std::array::from_fn(|i| corners[i.min(corners.len() - 1)]);
        Self { volume: KDop::fit(triangles), points }
    }
    fn size(&self) -> f64 {
        self.volume.size()
    }
    fn motion(placement: &Placement) -> KDopMotion<N> {
        KDop::motion(placement)
    }
    fn place(&self, motion: &KDopMotion<N>) -> KDop<N> {
        let points = distinct(self.points.to_vec());
        match Hull::new(&points) {
            Some(hull) => self.volume.place_outlined(&Outline::Hull(&hull), motion),
            None => self.volume.place_outlined(&Outline::Points(&packed(points)), motion),
        }
    }
    fn disjoint(&self, a: &KDop<N>) -> bool {
        self.volume.disjoint(a)
    }
    fn lower_bound(&self, a: &KDop<N>) -> f64 {
        self.volume.lower_bound(a)
    }
}

impl<const N: usize> Support for ByHull<N> {
    fn support(&self, direction: DVec3) -> DVec3 {
        let along = |point: &DVec3| point.dot(direction);
        self.points.into_iter().max_by(|p, q| along(p).total_cmp(&along(q))).expect("eighteen points")
    }
    fn contains(&self, point: DVec3) -> bool {
        self.volume.contains(point)
    }
    fn claim(&self, _a: &Self, _b_from_a: &Pose) -> Tightness {
        Tightness::Axes(KDop::<N>::DIRECTIONS.iter().map(|direction| direction.normalize()).collect())
    }
}

#[test]
fn contract_holds_by_corners() {
    contract::holds_for::<ByCorners<3>>();
    contract::holds_for::<ByCorners<9>>();
    contract::holds_for::<ByCorners<13>>();
}

#[test]
fn contract_holds_by_corners_for_many_directions() {
    contract::holds_for::<ByCorners<25>>();
}

#[test]
fn contract_holds_by_hull() {
    contract::holds_for::<ByHull<7>>();
    contract::holds_for::<ByHull<13>>();
}

/// Tumbling forth and back many times: always from the original, so the last is as tight as the
/// first.
#[test]
fn the_smallest_of_the_three_is_by_hull_and_the_widest_by_duality() {
    let mut rng = Rng::new(5);
    let mut widths = [0.0; 3];
    for _ in 0..100 {
        let triangles: Vec<Triangle> = (0..6).map(|_| [(); 3].map(|()| rng.point(-1.0, 1.0).into())).collect();
        let volume = KDop::<13>::fit(&triangles);
        let pose = Pose::from_rows(rng.rotation(), rng.point(-1.0, 1.0)).expect("a rotation");
        let motion = KDop::<13>::motion(&Placement::new(&pose, 1.0, 1.0));
        let hull = ByHull::<13>::fit(&triangles).place(&motion);
        let corners = ByCorners(volume).place(&motion);
        let duality = volume.place(&motion);
        for slab in 0..13 {
            let tolerance = 1e-12;
            assert!(
                hull.high[slab] <= corners.high[slab] + tolerance && hull.low[slab] >= corners.low[slab] - tolerance
            );
            assert!(corners.high[slab] <= duality.high[slab] + tolerance);
            assert!(corners.low[slab] >= duality.low[slab] - tolerance);
            for (width, placed) in widths.iter_mut().zip([hull, corners, duality]) {
                *width += placed.high[slab] - placed.low[slab];
            }
        }
    }
    assert!(widths[0] < 0.99 * widths[1] && widths[1] < widths[2], "{widths:?}");
}
