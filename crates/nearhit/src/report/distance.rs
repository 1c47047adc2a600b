//! Distance of two surfaces, signed distance of two solids.

use super::interval::touching;
use super::solid::methods;
use super::{Nesting, Placement, Witness, Work};
use crate::inside::InsideMethod;
use crate::query::{self, Interval};

/// Report of a distance. The report of [`Pair::distance`](crate::query::Pair::distance) and
/// [`SolidPair::distance`](crate::solid::SolidPair::distance).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Distance {
    /// Do they touch? Null: the interval does not tell.
    pub collides: Option<bool>,
    /// The distance, as `lower` and `upper`. Of solids it is signed: below zero, minus the
    /// penetration depth.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub interval: Interval,
    /// Is it as exact as asked for? False: the budget ran out or, of the depth of solids, a mesh
    /// has holes and no better bound is known.
    #[cfg_attr(feature = "serde", serde(rename = "complete"))]
    pub is_complete: bool,
    /// Two triangles, and points of theirs that are `upper` apart, as `triangles` and `points`.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub witness: Witness,
    /// Surfaces that are apart, not asked about as solids: is one inside the other? Absent if not.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub inside: Option<Nesting>,
    /// Of solids: how inside was told from outside, for each mesh. Absent of surfaces.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::solid::method_names"))]
    pub methods: Option<[InsideMethod; 2]>,
    /// Work done.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub work: Work,
}

impl Distance {
    /// Report of two surfaces.
    #[must_use]
    pub fn new(placement: &Placement<'_>, found: &query::Distance) -> Self {
        let query::Distance { lower, upper, witness, on_a, on_b, is_complete, stats } = *found;
        Self {
            collides: touching(lower, upper),
            interval: found.into(),
            is_complete,
            witness: Witness::with_points(placement, witness, [on_a, on_b]),
            inside: None,
            methods: None,
            work: stats.into(),
        }
    }

    /// Report of two solids.
    #[must_use]
    pub fn of_solids(placement: &Placement<'_>, found: &query::Distance) -> Self {
        Self { methods: Some(methods(placement.pair())), ..Self::new(placement, found) }
    }
}
