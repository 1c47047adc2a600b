//! Assessment: what is certain when a budget ends before the contacts are found.

use super::Placement;
use crate::query::{self, Interval};

/// Two certified intervals; their upper ends never grow with the budget. The report of
/// [`Pair::assess`](crate::query::Pair::assess).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Assessment {
    /// The distance of the surfaces.
    pub separation: Interval,
    /// The length of the shortest translation that makes the surfaces disjoint.
    pub penetration: Interval,
    /// Moving b by this, in the world, is proven to do so: as long as `penetration.upper`. Null:
    /// none is known.
    pub translation: Option<[f64; 3]>,
}

impl Assessment {
    /// In the world.
    pub(super) fn new(placement: &Placement<'_>, found: &query::Assessment) -> Self {
        let translation = found.translation.map(|translation| placement.direction(translation));
        Self { separation: found.separation, penetration: found.penetration, translation }
    }
}
