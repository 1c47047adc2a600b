//! The k nearest pairs of triangles.

use super::pairs_within::{NearPair, NearPairs};
use super::within::just_above;
use super::{Pair, Scratch, Settings, TrianglePair};
use crate::mesh::Triangle;
use crate::primitive::distance::distance_within;
use crate::traverse::{Outcome, Question, Stats};
use std::ops::ControlFlow;

impl Pair<'_> {
    /// The `count` nearest pairs of triangles, nearest first; fewer only if there are no more. The
    /// list lives in `scratch`.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(3.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// let found = pair.nearest_pairs(4, &Settings::default(), &mut scratch);
    /// assert_eq!(found.pairs.len(), 4);
    /// assert_eq!(found.pairs[0].distance, 1.0);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "k nearest")]
    #[must_use]
    pub fn nearest_pairs<'s>(&self, count: usize, settings: &Settings<'_>, scratch: &'s mut Scratch) -> NearPairs<'s> {
        let mut found = std::mem::take(&mut scratch.near);
        found.clear();
        let repeats = self.a.is_tiled() || self.b.is_tiled();
        let mut search = Search { count, found, repeats };
        let (outcome, stats) = match count {
            0 => (Outcome::Complete, Stats::default()),
            _ => self.descend(&mut search, settings, scratch),
        };
        let farthest = search.farthest();
        scratch.near = search.found;
        scratch.near.sort_unstable_by(NearPair::by_distance);
        let lower = if let Outcome::OutOfBudget { open } = outcome { open.min(farthest) } else { farthest };
        NearPairs { pairs: &scratch.near, lower, is_complete: outcome == Outcome::Complete, stats }
    }
}

/// `found` is a heap with the farthest pair on top once it is full.
struct Search {
    count: usize,
    found: Vec<NearPair>,
    /// May the same pair be met again?
    repeats: bool,
}

impl Search {
    /// Beyond this nothing is of interest.
    #[inline]
    fn farthest(&self) -> f64 {
        if self.found.len() < self.count { f64::INFINITY } else { self.found.first().map_or(0.0, |top| top.distance) }
    }

    fn offer(&mut self, near: NearPair) {
        if self.repeats && self.found.contains(&near) {
            return;
        }
        if self.found.len() < self.count {
            self.found.push(near);
            self.sift_up();
        } else if near.by_distance(&self.found[0]).is_lt() {
            self.found[0] = near;
            self.sift_down();
        }
    }

    fn sift_up(&mut self) {
        let mut child = self.found.len() - 1;
        while child > 0 {
            let parent = (child - 1) / 2;
            if self.found[child].by_distance(&self.found[parent]).is_le() {
                break;
            }
            self.found.swap(child, parent);
            child = parent;
        }
    }

    fn sift_down(&mut self) {
        let mut parent = 0;
        loop {
            let farther = |i: &usize, j: &usize| self.found[*i].by_distance(&self.found[*j]);
            let children = [2 * parent + 1, 2 * parent + 2].into_iter().filter(|&child| child < self.found.len());
            match children.max_by(farther) {
                Some(child) if self.found[child].by_distance(&self.found[parent]).is_gt() => {
                    self.found.swap(child, parent);
                    parent = child;
                }
                _ => return,
            }
        }
    }
}

impl Question for Search {
    fn only_contact(&self) -> bool {
        false
    }

    fn improves(&self) -> bool {
        true
    }

    #[inline]
    fn threshold(&self) -> f64 {
        // Just above: among equally far pairs the index decides, and it is not known yet.
        just_above(self.farthest())
    }

    #[inline]
    fn look(&mut self, pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()> {
        if let Some(nearest) = distance_within(a, b, self.farthest()) {
            self.offer(NearPair { pair, distance: nearest.distance });
        }
        ControlFlow::Continue(())
    }
}
