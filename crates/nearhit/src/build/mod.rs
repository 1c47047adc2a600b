//! Which triangles together? Builders.

mod split;
mod top_down;

pub use split::{AxisRule, PositionRule};
pub(crate) use top_down::top_down;

/// How to build a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BuildOptions {
    /// Along which axis a set of triangles is split.
    pub axis: AxisRule,
    /// Where on that axis.
    pub position: PositionRule,
    /// A set of at most this many triangles becomes a leaf (the k-DOP paper's τ); at least 1.
    pub leaf_size: usize,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { axis: AxisRule::Splatter, position: PositionRule::Mean, leaf_size: 1 }
    }
}
