//! Priorities of bodies in frames with a time budget.

use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A part by the importance of its body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rank {
    pub(super) importance: f64,
    pub(super) key: u32,
}

impl Ord for Rank {
    /// The more important first, then by key.
    fn cmp(&self, other: &Self) -> Ordering {
        other.importance.total_cmp(&self.importance).then(self.key.cmp(&other.key))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Rank {}

/// All parts that move, the most important first: kept in order, because a frame has no time to
/// sort them.
pub(super) type Ranks = BTreeSet<Rank>;
