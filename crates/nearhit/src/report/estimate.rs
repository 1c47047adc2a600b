//! Average-case estimates: how likely do two surfaces touch?

use super::Work;
use crate::anytime::adb;

/// The report of [`AveragedPair::collide`](crate::anytime::adb::AveragedPair::collide).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Estimate {
    /// Do they touch, as far as can be told? Null: the search was interrupted.
    pub collides: Option<bool>,
    /// Did the search end by itself?
    #[cfg_attr(feature = "serde", serde(rename = "complete"))]
    pub is_complete: bool,
    /// The calibrated probability that they touch.
    pub probability: f64,
    /// Work done.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub work: Work,
}

impl From<&adb::Estimate<'_>> for Estimate {
    fn from(found: &adb::Estimate<'_>) -> Self {
        let collides = found.collides();
        Self { collides, is_complete: collides.is_some(), probability: found.probability(), work: found.stats.into() }
    }
}
