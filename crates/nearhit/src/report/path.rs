//! A series of poses: the first contact and the smallest clearance.

use super::shapes::witness;
use super::{Witness, Work};
use crate::pose::Pose;
use crate::query::{Distance, Interval};
use crate::scene::PathClearance;

/// Report of a path. The report of
/// [`PosePath::least_clearance`](crate::scene::PosePath::least_clearance).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Path {
    /// Do they touch at any pose? Null: the budget ran out.
    pub collides: Option<bool>,
    /// The first pose at which they touch, from 0. Null if there is none, or it is not known.
    pub first_contact: Option<usize>,
    /// The pose at which they are closest, from 0; of several the first.
    pub pose: usize,
    /// The smallest clearance of all poses, as `lower` and `upper`: 0 where they touch.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub interval: Interval,
    /// Is it certain that they are nowhere closer? False: the budget ran out.
    #[cfg_attr(feature = "serde", serde(rename = "complete"))]
    pub is_complete: bool,
    /// Where they are closest, as `triangles` and `points`.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub witness: Witness,
    /// How many poses the path has.
    pub poses: usize,
    /// How many of them were asked about; the others are known by these.
    pub asked: usize,
    /// Work done.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub work: Work,
}

impl Path {
    /// Report of a path of `poses` poses; a's pose in the world where the two are closest.
    #[must_use]
    pub fn new(found: &PathClearance, poses: usize, world_from_a: &Pose) -> Self {
        let Distance { upper, .. } = found.clearance;
        let collides = if found.lower > 0.0 { Some(false) } else { touches(found).then_some(true) };
        Self {
            collides,
            first_contact: (collides == Some(true) && found.is_complete).then_some(found.pose),
            pose: found.pose,
            interval: Interval { lower: found.lower, upper },
            is_complete: found.is_complete,
            witness: witness(world_from_a, &found.clearance),
            poses,
            asked: found.asked,
            work: found.stats.into(),
        }
    }
}

/// Round shapes touch where they were not proven apart.
fn touches(found: &PathClearance) -> bool {
    let clearance = &found.clearance;
    clearance.upper == 0.0 || (clearance.is_complete && clearance.lower == 0.0)
}
