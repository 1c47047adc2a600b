//! Work: the papers' counters.

use crate::traverse::Stats;
use std::ops::AddAssign;

/// Work of a query, in the papers' units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Work {
    /// N_v: pairs of volumes tested.
    pub n_v: u64,
    /// N_p: pairs of triangles tested.
    pub n_p: u64,
    /// N_u: volumes brought into the other frame.
    pub n_u: u64,
}

impl From<Stats> for Work {
    fn from(stats: Stats) -> Self {
        Self { n_v: stats.volume_tests, n_p: stats.triangle_tests, n_u: stats.updates }
    }
}

impl AddAssign<Stats> for Work {
    fn add_assign(&mut self, more: Stats) {
        let Self { n_v, n_p, n_u } = Self::from(more);
        (self.n_v, self.n_p, self.n_u) = (self.n_v + n_v, self.n_p + n_p, self.n_u + n_u);
    }
}
