//! Progressive refinement of two sphere-trees: what is certain so far.

use super::{Placement, Witness, Work};
use crate::anytime::Refined;
use crate::query::Interval;

/// The report of [`Refinement::run`](crate::anytime::Refinement::run).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Refinement {
    /// Do the surfaces touch? Null: not known yet.
    pub collides: Option<bool>,
    /// The distance of the surfaces, as `lower` and `upper`; `upper` is null before the first look.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub separation: Interval,
    /// The deepest level that is done with; one more than the trees have when all triangles are.
    pub level: u32,
    /// Is there nothing left to do?
    #[cfg_attr(feature = "serde", serde(rename = "complete"))]
    pub is_complete: bool,
    /// Two triangles that touch, and where. Null unless they do.
    pub witness: Option<Witness>,
    /// Work done.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub work: Work,
}

impl Refinement {
    /// Report of a refinement.
    #[must_use]
    pub fn new(placement: &Placement<'_>, found: &Refined) -> Self {
        Self {
            collides: found.verdict.known(),
            separation: found.separation,
            level: found.level,
            is_complete: found.is_complete,
            witness: found.witness.map(|triangles| Witness::new(placement, triangles)),
            work: found.stats.into(),
        }
    }
}
