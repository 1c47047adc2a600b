//! BVH builders: which triangles together?
//!
//! A builder decides a binary tree of runs of triangles; the volumes are fitted afterwards
//! (`tree.rs`); leaves may then be merged by a cost model and levels by degree (`reshape.rs`), and
//! leaves covered with tiles (`tile.rs`). Everything depends on the mesh and the options alone,
//! never on the number of threads.

mod any;
mod assemble;
mod best;
mod bottom_up;
mod fitting;
pub mod octree;
pub mod orient;
mod reshape;
mod split;
mod tile;
mod top_down;
mod tree;

pub(crate) use assemble::{Shape, assemble};
pub use octree::{Octree, OctreeLimits};
pub use orient::best_orientation;
pub use reshape::LeafCost;
pub use split::{AxisRule, Cost, Directions, PositionRule};

use crate::hierarchy::Hierarchy;
use crate::mesh::Mesh;
use crate::volume::{BoundingVolume, Covariance};
use fitting::FittingOf;

/// How to build a tree. The default is the k-DOP paper's, with its τ for an environment.
#[doc(alias = "BVH")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct BuildOptions {
    /// From the root down or from the triangles up.
    pub method: Method,
    /// Along which axis a set of triangles is split; top-down only.
    pub axis: AxisRule,
    /// Which axes there are to choose from; top-down only.
    pub directions: Directions,
    /// Where on the axis; top-down only.
    pub position: PositionRule,
    /// How oriented volumes lie, and the boxes of [`AxisRule::OrientedBox`].
    pub covariance: Covariance,
    /// A set of at most this many triangles becomes a leaf (the k-DOP paper's τ); at least 1.
    pub leaf_size: usize,
    /// Makes further leaves, of any size, wherever that is cheaper.
    pub leaf_cost: Option<LeafCost>,
    /// Most children of a node (the paper's δ); at least 2.
    pub degree: usize,
    /// Covers the triangle of a leaf with several smaller volumes if its own is larger than this
    /// (half a diameter, about). Measured for balls it pays in some scenes (a cave) and costs in
    /// others (an engine): ADR 12.
    pub tiles: Option<f64>,
}

/// In which order a tree is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Sets of triangles are split, beginning with all of them.
    #[default]
    TopDown,
    /// Neighbours are joined, beginning with single triangles; what their boxes cost decides.
    BottomUp {
        /// Of the box of two neighbours.
        cost: Cost,
    },
}

impl BuildOptions {
    /// τ of the paper for the environment (§4.3).
    pub const ENVIRONMENT_LEAF_SIZE: usize = 1;
    /// τ of the paper for the flying object (§4.3).
    pub const FLYING_LEAF_SIZE: usize = 40;

    /// The default.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// As OBBTree (Gottschalk, Lin, Manocha, 1996; RAPID) and the swept-sphere paper (§4.1) build:
    /// oriented boxes by the covariance of the corners, split across their longest axis at the
    /// mean, one triangle a leaf.
    #[must_use]
    pub fn obb_tree() -> Self {
        Self { axis: AxisRule::OrientedBox, covariance: Covariance::Corners, ..Self::default() }
    }

    /// From the root down or from the triangles up.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// Along which axis a set of triangles is split.
    #[must_use]
    pub fn axis(self, axis: AxisRule) -> Self {
        Self { axis, ..self }
    }

    /// Which axes there are to choose from.
    #[must_use]
    pub fn directions(self, directions: Directions) -> Self {
        Self { directions, ..self }
    }

    /// Where on the axis.
    #[must_use]
    pub fn position(self, position: PositionRule) -> Self {
        Self { position, ..self }
    }

    /// How oriented volumes lie.
    #[must_use]
    pub fn covariance(self, covariance: Covariance) -> Self {
        Self { covariance, ..self }
    }

    /// A set of at most this many triangles becomes a leaf.
    #[must_use]
    pub fn leaf_size(self, leaf_size: usize) -> Self {
        Self { leaf_size, ..self }
    }

    /// Makes further leaves, of any size, wherever that is cheaper.
    #[must_use]
    pub fn leaf_cost(self, leaf_cost: impl Into<Option<LeafCost>>) -> Self {
        Self { leaf_cost: leaf_cost.into(), ..self }
    }

    /// Most children of a node.
    #[must_use]
    pub fn degree(self, degree: usize) -> Self {
        Self { degree, ..self }
    }

    /// Covers triangles larger than this with several volumes.
    #[must_use]
    pub fn tiles(self, tiles: impl Into<Option<f64>>) -> Self {
        Self { tiles: tiles.into(), ..self }
    }
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            method: Method::TopDown,
            axis: AxisRule::Splatter,
            directions: Directions::Coordinate,
            position: PositionRule::Mean,
            covariance: Covariance::Surface,
            leaf_size: Self::ENVIRONMENT_LEAF_SIZE,
            leaf_cost: None,
            degree: 2,
            tiles: None,
        }
    }
}

/// Builds a tree over all triangles of `mesh`.
#[must_use]
pub fn build<V: BoundingVolume>(mesh: &Mesh, options: &BuildOptions) -> Hierarchy<V> {
    let (tree, order) = match options.method {
        Method::TopDown => top_down::split(mesh, &FittingOf::<V>::NEW, options),
        Method::BottomUp { cost } => bottom_up::join(mesh, cost, options.leaf_size),
    };
    let mut hierarchy = tree::fit(mesh, tree, order, options.covariance);
    if let Some(cost) = options.leaf_cost {
        hierarchy = reshape::merge_leaves(&hierarchy, cost);
    }
    if options.degree > 2 {
        hierarchy = reshape::widen(&hierarchy, options.degree);
    }
    if let Some(largest) = options.tiles {
        hierarchy = tile::tile(mesh, hierarchy, largest);
    }
    hierarchy
}

#[cfg(test)]
mod tests;
