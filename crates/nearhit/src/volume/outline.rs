//! Points that outline what a node of a tree encloses: side data for volumes that are re-bounded in
//! another frame.
//!
//! An outline is made once, in the model's own frame, and asked how far it reaches along directions
//! in that frame. So nothing accumulates from pose to pose.

use super::hull::{Hull, HullCorner};
use glam::DVec3;
use std::cell::Cell;

/// Points whose convex hull encloses everything that a node encloses, to two units in the last
/// place.
#[derive(Debug, Clone, Copy)]
pub enum Outline<'t> {
    /// Few points: all are looked at.
    Points(&'t [PointLanes]),
    /// The convex hull of the points of the triangles, for hill climbing.
    Hull(&'t Hull),
    /// The same, with the corners where the last climbs ended: two for each direction asked about.
    Climbed(&'t Hull, &'t [Cell<HullCorner>]),
}

impl Outline<'_> {
    /// From where to where it reaches along `direction`, as coordinates along it.
    #[must_use]
    #[inline]
    pub fn extent(&self, direction: DVec3) -> (f64, f64) {
        match self {
            Self::Points(lanes) => extent_of_lanes(lanes, direction),
            Self::Hull(hull) | Self::Climbed(hull, _) => (-hull.reach(-direction), hull.reach(direction)),
        }
    }

    /// The same along the direction of slab number `slab`: climbs begin where the last ones for
    /// this slab ended.
    #[must_use]
    #[inline]
    pub fn extent_of_slab(&self, slab: usize, direction: DVec3) -> (f64, f64) {
        let Self::Climbed(hull, last) = self else { return self.extent(direction) };
        let Some([low, high]) = last.get(2 * slab..2 * slab + 2) else { return self.extent(direction) };
        let climb = |last: &Cell<HullCorner>, direction: DVec3| {
            let (reach, corner) = hull.reach_from(last.get(), direction);
            last.set(corner);
            reach
        };
        (-climb(low, -direction), climb(high, direction))
    }
}

const LANES: usize = 4;

/// Four points, coordinate by coordinate, so that the compiler treats them at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointLanes {
    x: [f64; LANES],
    y: [f64; LANES],
    z: [f64; LANES],
}

/// Packs points four by four; the last is repeated to fill up.
pub(crate) fn lanes(points: &[DVec3]) -> impl Iterator<Item = PointLanes> + '_ {
    points.chunks(LANES).map(|chunk| {
        let point = |lane: usize| chunk[lane.min(chunk.len() - 1)];
        PointLanes {
            x: std::array::from_fn(|lane| point(lane).x),
            y: std::array::from_fn(|lane| point(lane).y),
            z: std::array::from_fn(|lane| point(lane).z),
        }
    })
}

#[inline]
fn extent_of_lanes(lanes: &[PointLanes], direction: DVec3) -> (f64, f64) {
    let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    for four in lanes {
        for lane in 0..LANES {
            let along = direction.x * four.x[lane] + direction.y * four.y[lane] + direction.z * four.z[lane];
            // Written as the machine's own minimum and maximum; there are no NaN here.
            low[lane] = if along < low[lane] { along } else { low[lane] };
            high[lane] = if along > high[lane] { along } else { high[lane] };
        }
    }
    (low.into_iter().fold(f64::INFINITY, f64::min), high.into_iter().fold(f64::NEG_INFINITY, f64::max))
}

/// By coordinates.
pub(crate) fn in_order(p: &DVec3, q: &DVec3) -> std::cmp::Ordering {
    p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z))
}

/// Sorted, each point once.
pub(crate) fn distinct(mut points: Vec<DVec3>) -> Vec<DVec3> {
    points.sort_by(in_order);
    points.dedup();
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_reach_as_far_as_their_points() {
        for count in 1..10 {
            let points: Vec<DVec3> = (0..count).map(|i| DVec3::new(f64::from(i * i % 7), f64::from(i), -2.0)).collect();
            let packed: Vec<PointLanes> = lanes(&points).collect();
            assert_eq!(packed.len(), points.len().div_ceil(LANES));
            for direction in [DVec3::X, DVec3::new(1.0, -1.0, 0.5), DVec3::NEG_Y] {
                let along = points.iter().map(|point| point.dot(direction));
                let expected = (along.clone().fold(f64::INFINITY, f64::min), along.fold(f64::NEG_INFINITY, f64::max));
                assert_eq!(Outline::Points(&packed).extent(direction), expected);
            }
        }
    }
}
