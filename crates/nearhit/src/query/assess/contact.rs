//! Is there a contact, and how far apart can the surfaces be? Depth first, the pair with the
//! nearest sample points first.
//!
//! From the front of an earlier assessment: its pairs are tested when their turn comes, those that
//! were open when it ended first.

use super::{Interval, Opened, View, child};
use crate::hierarchy::{Content, Hierarchy};
use crate::primitive::distance::distance_within;
use crate::query::{TrianglePair, Verdict};
use crate::traverse::NodePair;
use crate::vector::length;
use crate::volume::BoundingVolume;

/// Open pairs, and how far apart their sample points are; of a front's that were not tested yet,
/// [`UNTESTED`].
pub(super) type Room = Vec<(f64, NodePair)>;

const UNTESTED: f64 = f64::NEG_INFINITY;

pub(super) struct ContactSearch<'r> {
    open: &'r mut Room,
    /// Where the pairs go that are not opened, for a later assessment.
    left: Option<&'r mut Vec<NodePair>>,
    witness: Option<TrianglePair>,
    /// Two triangles as near to each other as `upper` says, or nearer.
    nearest: Option<TrianglePair>,
    /// Some point of a and some point of b are this far apart, or nearer.
    upper: f64,
    /// Everything culled is at least this far apart.
    culled: f64,
}

impl<'r> ContactSearch<'r> {
    pub(super) fn new<V: BoundingVolume>(view: &mut View<'_, V>, open: &'r mut Room) -> Self {
        let mut search = Self::empty(open, None);
        search.enter(view, View::<V>::ROOTS);
        search
    }

    /// From where an earlier one of the same trees ended: two triangles that were near, and a front
    /// that covers all pairs.
    pub(super) fn again<V: BoundingVolume>(
        view: &mut View<'_, V>,
        open: &'r mut Room,
        nearest: Option<TrianglePair>,
        front: &[NodePair],
        left: &'r mut Vec<NodePair>,
    ) -> Self {
        left.clear();
        let mut search = Self::empty(open, Some(left));
        if let Some(triangles) = nearest {
            view.stats.triangle_tests += 1;
            search.look(view, triangles);
        }
        match front {
            [] => search.enter(view, View::<V>::ROOTS),
            front => search.open.extend(front.iter().map(|&pair| (UNTESTED, pair))),
        }
        search
    }

    fn empty(open: &'r mut Room, left: Option<&'r mut Vec<NodePair>>) -> Self {
        open.clear();
        Self { open, left, witness: None, nearest: None, upper: f64::INFINITY, culled: f64::INFINITY }
    }

    /// Hands all that is still open to the front, and gives the nearest triangles.
    pub(super) fn leave_all(&mut self) -> Option<TrianglePair> {
        if let Some(left) = &mut self.left {
            left.extend(self.open.iter().map(|&(_, pair)| pair));
        }
        self.nearest
    }

    fn leave(&mut self, pair: NodePair) {
        if let Some(left) = &mut self.left {
            left.push(pair);
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.open.is_empty() || self.witness.is_some()
    }

    pub(super) fn verdict(&self) -> Verdict {
        match (self.witness, self.open.is_empty()) {
            (Some(_), _) => Verdict::Yes,
            (None, true) => Verdict::No,
            (None, false) => Verdict::Maybe,
        }
    }

    pub(super) fn witness(&self) -> Option<TrianglePair> {
        self.witness
    }

    pub(super) fn separation(&self) -> Interval {
        match self.verdict() {
            Verdict::Yes => Interval::ZERO,
            Verdict::No => Interval { lower: self.culled.min(self.upper), upper: self.upper },
            Verdict::Maybe => Interval { lower: 0.0, upper: self.upper },
        }
    }

    /// Opens the next pair.
    pub(super) fn step<V: BoundingVolume>(&mut self, view: &mut View<'_, V>) {
        let Some((sampled, pair)) = self.open.pop() else { return };
        if sampled == UNTESTED {
            return self.enter(view, pair);
        }
        match view.open(pair) {
            Opened::Children { of_a, run } => {
                let before = self.open.len();
                run.for_each(|node| self.enter(view, child(pair, of_a, node)));
                self.open[before..].sort_unstable_by(|(far, pair), (near, rival)| {
                    near.total_cmp(far).then_with(|| (rival.a, rival.b).cmp(&(pair.a, pair.b)))
                });
            }
            Opened::Triangles { a, b } => {
                self.leave(pair);
                for triangles in view.triangle_pairs(a, b) {
                    view.stats.triangle_tests += 1;
                    self.look(view, triangles);
                    if self.witness.is_some() {
                        return;
                    }
                }
            }
        }
    }

    fn enter<V: BoundingVolume>(&mut self, view: &mut View<'_, V>, pair: NodePair) {
        let bound = view.test(pair, |b, a| b.lower_bound(a));
        // A point of each surface, in a pair that is not resolved.
        let (corner_a, corner_b) = (sample(view.a, pair.a), sample(view.b, pair.b));
        let apart = view.pair.a().mesh().triangle(corner_a)[0] - view.pair.posed_b(corner_b)[0];
        // The slack covers what the canonical distance may be above the true one.
        let sampled = length(apart) + view.pair.slack();
        if sampled < self.upper {
            (self.upper, self.nearest) = (sampled, Some(TrianglePair { a: corner_a, b: corner_b }));
        }
        if bound > 0.0 {
            self.culled = self.culled.min(bound);
            self.leave(pair);
        } else {
            self.open.push((sampled, pair));
        }
    }

    fn look<V: BoundingVolume>(&mut self, view: &View<'_, V>, triangles: TrianglePair) {
        let (a, b) = view.pair.triangles(triangles);
        if let Some(nearest) = distance_within(&a, &b, self.upper) {
            (self.upper, self.nearest) = (self.upper.min(nearest.distance), Some(triangles));
            if nearest.distance == 0.0 {
                self.witness = Some(triangles);
            }
        }
    }
}

/// Some triangle below a node.
fn sample<V: BoundingVolume>(tree: &Hierarchy<V>, mut node: u32) -> u32 {
    loop {
        match tree.node(node).content() {
            Content::Children(run) => node = run.start,
            Content::Triangles(run) => return tree.triangles(run)[0],
        }
    }
}
