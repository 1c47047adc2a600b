//! Where climbs on a tree's hulls ended, from query to query (k-DOP paper, §4.1, method I).

use super::TreeId;
use crate::volume::hull::HullCorner;
use std::cell::Cell;

/// The corners where the last query's climbs ended, of one tree: another one's are forgotten.
#[derive(Debug, Default)]
pub(crate) struct Climbs {
    tree: Option<TreeId>,
    corners: Vec<HullCorner>,
}

impl Climbs {
    /// Before a query on a tree with this many hulls, each climbed for this many slabs.
    pub(crate) fn start(&mut self, tree: TreeId, hulls: usize, slabs: usize) {
        if self.tree != Some(tree) {
            self.tree = Some(tree);
            self.corners.clear();
        }
        self.corners.resize(2 * hulls * slabs, HullCorner::NONE);
    }

    /// Those of one hull.
    pub(super) fn of(&mut self, hull: usize, slabs: usize) -> &[Cell<HullCorner>] {
        let run = 2 * hull * slabs..2 * (hull + 1) * slabs;
        match self.corners.get_mut(run) {
            Some(run) => Cell::from_mut(run).as_slice_of_cells(),
            None => &[],
        }
    }
}
