//! Convex hulls of points: solids with corners.

use super::core::{Convex, around};
use crate::volume::hull::Hull;
use glam::DVec3;
use std::cmp::Ordering;

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
        let distinct = distinct(points);
        // Where sizes differ too much for a common unit, all points are kept: the corners must be
        // those that were given, to the bit.
        let given = |corner: DVec3| distinct.binary_search_by(|known| in_order(known, &corner)).is_ok();
        let hull = hull.filter(|hull| hull.corners().all(given) && is_reversible(points));
        let points = match &hull {
            Some(hull) => hull.corners().collect(),
            None => distinct,
        };
        let (middle, half) = around(&points);
        let reach = points.iter().fold(0.0_f64, |most, point| point.abs().max_element().max(most));
        Self { climbing: hull.filter(|hull| hull.len() > FEW), middle, half, reach, points }
    }

    /// The corners.
    pub(crate) fn points(&self) -> &[DVec3] {
        &self.points
    }
}

/// Do the points survive being brought to a common unit?
fn is_reversible(points: &[DVec3]) -> bool {
    let values = || points.iter().flat_map(|point| point.to_array()).map(f64::abs).filter(|&value| value > 0.0);
    let (least, most) =
        values().fold((f64::INFINITY, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
    // The least value keeps all its digits at a size of about one.
    most == 0.0 || (least / most > 1e-290 && least > 1e-290)
}

fn in_order(p: &DVec3, q: &DVec3) -> Ordering {
    p.to_array().partial_cmp(&q.to_array()).unwrap_or(Ordering::Equal)
}

fn distinct(points: &[DVec3]) -> Vec<DVec3> {
    let mut points = points.to_vec();
    points.sort_by(in_order);
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
