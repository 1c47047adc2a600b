//! What a tree is like, level by level.

use super::any::TreeOperation;
use super::{AnyHierarchy, Hierarchy};
use crate::volume::Support;

/// The nodes that are equally far from the root.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Level {
    /// How many there are.
    pub nodes: usize,
    /// How many of them hold triangles.
    pub leaves: usize,
    /// The sum of their volumes, in cubes of the root's size
    /// ([`crate::volume::BoundingVolume::size`]).
    pub volume: f64,
    /// The sum of their surfaces, in squares of the root's size.
    pub surface: f64,
    /// Memory of these nodes.
    pub bytes: usize,
}

struct Levels;

impl TreeOperation for Levels {
    type Output = Vec<Level>;

    fn run<V: Support>(self, tree: &Hierarchy<V>) -> Vec<Level> {
        let unit = tree.node(Hierarchy::<V>::ROOT).volume.size().max(f64::MIN_POSITIVE);
        let mut levels = vec![Level::default(); tree.height() + 1];
        for (node, depth) in tree.nodes().iter().zip(tree.depths()) {
            let (level, measure) = (&mut levels[depth as usize], node.volume.measure(unit));
            level.nodes += 1;
            level.leaves += usize::from(node.is_leaf());
            level.volume += measure.volume;
            level.surface += measure.surface;
            level.bytes += size_of_val(node);
        }
        levels
    }
}

impl AnyHierarchy {
    /// The levels, from the root down.
    #[must_use]
    pub fn levels(&self) -> Vec<Level> {
        self.with(Levels)
    }
}
