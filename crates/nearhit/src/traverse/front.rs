//! Front tracking, a warm start: where did the last descent end? (k-DOP paper, §6: temporal
//! coherence).
//!
//! The pairs that a descent did not open (culled, looked at, or left when it stopped) cover every
//! pair of triangles once. A later descent of the same two trees may start from them instead of the
//! roots, whatever the pose or the question, and gives the same answer: it saves the tests above
//! the front.

use super::NodePair;
use crate::hierarchy::TreeId;

const ROOTS: NodePair = NodePair { a: 0, b: 0 };

/// The front of an earlier query, kept by the caller from pose to pose. It never changes an answer:
/// one that belongs to other trees is forgotten, and the query starts from the roots.
///
/// A front only sinks, so it is given up after some queries. Where a query from it did more tests
/// than the last one from the roots, the poses are too far apart: the next ones start from the
/// roots, the more of them the more often that happens. Classic volumes only: the default engine
/// ignores it.
#[doc(alias = "front tracking")]
#[doc(alias = "temporal coherence")]
#[doc(alias = "generalised front")]
#[doc(alias = "warm start")]
#[derive(Debug, Clone)]
pub struct Front {
    trees: Option<(TreeId, TreeId)>,
    pairs: Vec<NodePair>,
    /// The next front while a query runs.
    left: Vec<NodePair>,
    started: usize,
    /// Tests of the last descent from the roots.
    cold_tests: u64,
    /// Queries since then.
    age: u32,
    lifetime: u32,
    /// Queries that shall start from the roots before a front is tried again; doubled each time a
    /// front did not pay.
    rest: u32,
    last_rest: u32,
}

impl Default for Front {
    fn default() -> Self {
        Self::with_lifetime(Self::LIFETIME)
    }
}

impl Front {
    /// After so many queries from it a front is given up: measured (ADR 14).
    pub const LIFETIME: u32 = 2;
    const LONGEST_REST: u32 = 63;

    /// No front: the first query starts from the roots.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, given up after `lifetime` queries.
    #[must_use]
    pub fn with_lifetime(lifetime: u32) -> Self {
        let (pairs, left) = (Vec::new(), Vec::new());
        Self { trees: None, pairs, left, started: 0, cold_tests: 0, age: 0, lifetime, rest: 0, last_rest: 0 }
    }

    /// How many pairs the next query starts from.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Will the next query start from the roots?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Before a query on these trees.
    pub(crate) fn begin(&mut self, trees: (TreeId, TreeId)) {
        if self.trees != Some(trees) {
            self.pairs.clear();
        }
        self.trees = Some(trees);
        if self.pairs.is_empty() {
            self.pairs.push(ROOTS);
            self.age = 0;
        }
        self.left.clear();
        self.started = 0;
    }

    /// After it.
    pub(crate) fn end(&mut self, volume_tests: u64) {
        std::mem::swap(&mut self.pairs, &mut self.left);
        if self.age == 0 {
            self.cold_tests = volume_tests;
            self.rest = self.rest.saturating_sub(1);
        } else if volume_tests > self.cold_tests {
            self.last_rest = (2 * self.last_rest + 1).min(Self::LONGEST_REST);
            self.rest = self.last_rest;
        } else {
            self.last_rest = 0;
        }
        self.age += 1;
        if self.age > self.lifetime || self.rest > 0 {
            self.pairs.clear();
        }
    }
}

/// Where a descent starts, and who is told where it ends: the caller's front, or from the roots and
/// nobody.
#[derive(Debug, Default)]
pub(crate) struct Record<'f> {
    front: Option<&'f mut Front>,
    started: bool,
}

impl<'f> Record<'f> {
    pub(crate) fn new(front: Option<&'f mut Front>) -> Self {
        Self { front, started: false }
    }

    /// The next pair to start from.
    pub(crate) fn next_start(&mut self) -> Option<NodePair> {
        if let Some(front) = &mut self.front {
            let next = front.pairs.get(front.started).copied();
            front.started += 1;
            return next;
        }
        (!std::mem::replace(&mut self.started, true)).then_some(ROOTS)
    }

    /// A pair was not opened.
    #[inline]
    pub(crate) fn leave(&mut self, pair: NodePair) {
        if let Some(front) = &mut self.front {
            front.left.push(pair);
        }
    }
}
