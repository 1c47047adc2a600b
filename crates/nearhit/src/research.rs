//! What researchers use: bounding volumes, hierarchies (BVHs), builders, traversal, exact triangle
//! predicates, average-case trees, broad phases. Everything here may change with any version; the
//! rest of the crate is meant to stay.
//!
//! To compare volumes on equal terms, build models with [`Model::with`](ModelExt::with), ask
//! the usual questions, and read the papers' counters in [`Stats`](crate::Stats).
//!
//! ```
//! use nearhit::research::build::{BuildOptions, build};
//! use nearhit::research::volume::kdop::KDop;
//! use nearhit::Mesh;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
//! let tree = build::<KDop<9>>(&mesh, &BuildOptions::new().leaf_size(2));
//! assert!(tree.height() >= 1 && tree.check(&mesh).is_ok());
//! # Ok(())
//! # }
//! ```

mod model_ext;
mod pair_ext;
mod scene_ext;
mod settings_ext;
mod sphere_ext;

pub use crate::hierarchy::{UnknownVolume, VolumeKind};
pub use crate::query::assess::Footing;
pub use crate::query::distance::DistanceStart;
pub use crate::scene::deform::Buffer;
pub use crate::traverse::AgendaKind;
pub use model_ext::{MeshExt, ModelExt, PresetExt};
pub use pair_ext::PairExt;
pub use scene_ext::{DeformingExt, DetectorExt, SceneExt, SettledExt};
pub use settings_ext::{ClimbExt, SettingsExt};
pub use sphere_ext::{RefinementExt, SphereTreeExt};

/// The traits above belong to the types of this crate.
mod sealed {
    pub trait Sealed {}
}

/// Average-case collision detection (ADB-trees): how likely is it that two meshes touch?
pub mod adb {
    pub use crate::anytime::adb::*;
}

/// Broad phases: which parts of a scene are near each other at all?
pub mod broad {
    pub use crate::bounds::Bounds;
    pub use crate::scene::broad::*;
}

/// BVH builders and their rules (top down, bottom up, SAH).
pub mod build {
    pub use crate::build::*;
}

/// Bounding volume hierarchies of the classic volumes.
pub mod hierarchy {
    pub use crate::hierarchy::*;
}

/// All instants of contact along two motions, and along those of a scene.
pub mod motion {
    pub use crate::scene::contact_intervals::*;
    pub use crate::scene::meetings::*;
}

/// The default engine's tree, a wide BVH.
pub mod packed {
    pub use crate::packed::*;
}

/// How much time a frame has for collision detection.
pub mod pace {
    pub use crate::scene::pace::*;
}

/// Triangle against triangle: exact intersection, canonical distance, orientation predicates.
pub mod primitive {
    pub use crate::primitive::*;
}

/// How sphere-trees are made, and how accurate they are.
pub mod sphere_tree {
    pub use crate::anytime::refine::refine_fairly;
    pub use crate::anytime::sphere_tree::*;
}

/// The descent of two trees: traversal orders, opening rules, fronts.
pub mod traverse {
    pub use crate::traverse::*;
}

/// Bounding volumes: sphere, AABB, OBB, k-DOP, line- and rectangle-swept spheres.
pub mod volume {
    pub use crate::volume::*;
}
