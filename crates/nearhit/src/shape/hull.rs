//! Convex hulls of points: solids with corners.

use super::core::{Convex, around};
use crate::volume::hull::Hull;
use glam::DVec3;

/// The corners of a convex solid, or of a flat convex set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Corners {
    /// Corners only, where the points are not in a plane.
    points: Vec<DVec3>,
    /// To climb on, where there are many.
    climbing: Option<Hull>,
    middle: DVec3,
    half: DVec3,
    reach: f64,
}

/// Up to here looking at all corners is faster than climbing.
const FEW: usize = 24;

impl Corners {
    /// Of at least one point.
    pub(crate) fn new(points: &[DVec3]) -> Self {
        let hull = Hull::new(points);
        let points = match &hull {
            Some(hull) => hull.corners().collect(),
            None => distinct(points),
        };
        let (middle, half) = around(&points);
        let reach = points.iter().fold(0.0_f64, |most, point| point.abs().max_element().max(most));
        Self { climbing: hull.filter(|hull| hull.len() > FEW), middle, half, reach, points }
    }

    /// The corners.
    pub(crate) fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Heap memory held, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.points.capacity() * size_of::<DVec3>() + self.climbing.as_ref().map_or(0, Hull::bytes)
    }
}

fn distinct(points: &[DVec3]) -> Vec<DVec3> {
    let mut points = points.to_vec();
    let key = |point: &DVec3| point.to_array();
    points.sort_by(|p, q| key(p).partial_cmp(&key(q)).unwrap_or(std::cmp::Ordering::Equal));
    points.dedup();
    points
}

impl Convex for Corners {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        if let Some(hull) = &self.climbing {
            return hull.support(direction);
        }
        let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
        for &point in &self.points {
            let along = point.dot(direction);
            if along > best.0 {
                best = (along, point);
            }
        }
        best.1
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.reach
    }

    #[inline]
    fn bounds(&self) -> (DVec3, DVec3) {
        (self.middle, self.half)
    }

    fn corners(&self, found: &mut Vec<DVec3>) -> bool {
        found.extend(&self.points);
        true
    }

    #[inline]
    fn center(&self) -> DVec3 {
        self.middle
    }
}
