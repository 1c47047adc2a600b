//! Tolerance verification: are two surfaces, or solids, at most a distance apart?

use super::solid::methods;
use super::{Nesting, Placement, Work};
use crate::inside::InsideMethod;
use crate::query::{self, Interval};
use crate::report::Witness;
use crate::solid::{Side, SolidCollision, SolidContact};

/// Report of a tolerance test. The report of [`Pair::within`](crate::query::Pair::within) and
/// [`SolidPair::within`](crate::solid::SolidPair::within).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Within {
    /// The limit.
    pub limit: f64,
    /// Is the distance at most the limit? Null: the budget ran out before that was known.
    pub within: Option<bool>,
    /// Is that known?
    #[cfg_attr(feature = "serde", serde(rename = "complete"))]
    pub is_complete: bool,
    /// What is known of the distance, as `lower` and `upper`; `upper` is null above the limit.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub interval: Interval,
    /// Of a and of b: triangles that are `upper` apart, not necessarily the closest. Null unless
    /// within the limit.
    pub triangles: Option<[u32; 2]>,
    /// Their closest points, in the world.
    pub points: Option<[[f64; 3]; 2]>,
    /// Surfaces farther apart, not asked about as solids: is one inside the other? Absent if not.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub inside: Option<Nesting>,
    /// Of solids whose surfaces are farther apart: which is inside the other, "a", "b" or null.
    /// Absent otherwise.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::solid::side_or_null"))]
    pub contained: Option<Option<Side>>,
    /// Of solids: how inside was told from outside, for each mesh. Absent of surfaces.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::solid::method_names"))]
    pub methods: Option<[InsideMethod; 2]>,
    /// Work done.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub work: Work,
}

impl Within {
    /// Report of two surfaces.
    #[must_use]
    pub fn new(placement: &Placement<'_>, limit: f64, found: &query::Within) -> Self {
        let witness = found.witness.map(|triangles| Witness::new(placement, triangles));
        let within = found.verdict.known();
        Self {
            limit,
            within,
            is_complete: within.is_some(),
            interval: found.into(),
            triangles: witness.map(|witness| witness.triangles),
            points: witness.map(|witness| witness.points),
            inside: None,
            contained: None,
            methods: None,
            work: found.stats.into(),
        }
    }

    /// Triangles that are `upper` apart, with their closest points; none unless within the limit.
    #[must_use]
    pub fn witness(&self) -> Option<Witness> {
        let (triangles, points) = self.triangles.zip(self.points)?;
        Some(Witness { triangles, points })
    }

    /// Makes it the report of two solids: says how inside is told from outside, and adds the answer
    /// about solids whose surfaces are farther apart than the limit.
    pub fn add_solid(&mut self, placement: &Placement<'_>, found: Option<&SolidCollision>) {
        self.methods = Some(methods(placement.pair()));
        let Some(found) = found else { return };
        self.within = found.verdict.known();
        self.is_complete = self.within.is_some();
        self.contained = Some(found.contact.and_then(SolidContact::inside));
        if self.within != Some(false) {
            // Of solids in contact the surfaces' distance says nothing.
            self.interval.lower = self.interval.lower.min(0.0);
        }
    }
}
