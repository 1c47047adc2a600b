//! Meshes and models for experiments: trees of a chosen volume, and what a tree is like.

use super::sealed::Sealed;
use crate::build::BuildOptions;
use crate::hierarchy::{AnyHierarchy, Level, Tumbling, Violation, VolumeKind};
use crate::mesh::Mesh;
use crate::model::Model;
use crate::packed::{Packed, Preset, UnknownPreset};

/// Research methods of a [`Model`]: a BVH of a chosen volume, its levels, its invariants.
pub trait ModelExt: Sealed + Sized {
    /// Builds a tree of the given volume.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::Model;
    /// use nearhit::research::build::BuildOptions;
    /// use nearhit::research::{ModelExt, VolumeKind};
    ///
    /// let boxes = Model::with(cube(1.0).mesh().clone(), VolumeKind::Obb, &BuildOptions::default());
    /// assert_eq!(boxes.volume_name(), "obb");
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "BVH")]
    #[must_use]
    fn with(mesh: Mesh, volume: VolumeKind, options: &BuildOptions) -> Self;

    /// Chooses how volumes of this model are brought into another's frame, when it is the flying
    /// one (a). The default engine has its own way and ignores it.
    #[must_use]
    fn tumbling(self, tumbling: Tumbling) -> Self;

    /// Name of the volume, `auto` for the default engine, `auto:compact` for its small kind.
    #[must_use]
    fn volume_name(&self) -> &'static str;

    /// The default engine's tree, if this model has one.
    #[must_use]
    fn packed(&self) -> Option<&Packed>;

    /// The tree of classic volumes. A model of the default engine makes one, with default options,
    /// when it is first asked for.
    #[must_use]
    fn hierarchy(&self) -> &AnyHierarchy;

    /// What the tree is like, level by level from the root; nothing where the default engine does
    /// not apply.
    #[must_use]
    fn levels(&self) -> Vec<Level>;

    /// Was the same tree built over the same mesh?
    #[must_use]
    fn is_same_tree(&self, other: &Self) -> bool;

    /// Checks the invariants of the tree against the mesh.
    fn check(&self) -> Result<(), Violation>;
}

impl Sealed for Model {}

impl ModelExt for Model {
    fn with(mesh: Mesh, volume: VolumeKind, options: &BuildOptions) -> Self {
        Self::with(mesh, volume, options)
    }

    fn tumbling(self, tumbling: Tumbling) -> Self {
        Self::tumbling(self, tumbling)
    }

    fn volume_name(&self) -> &'static str {
        Self::volume_name(self)
    }

    fn packed(&self) -> Option<&Packed> {
        Self::packed(self)
    }

    fn hierarchy(&self) -> &AnyHierarchy {
        Self::hierarchy(self)
    }

    fn levels(&self) -> Vec<Level> {
        Self::levels(self)
    }

    fn is_same_tree(&self, other: &Self) -> bool {
        Self::is_same_tree(self, other)
    }

    fn check(&self) -> Result<(), Violation> {
        Self::check(self)
    }
}

/// Presets of the default engine where volumes are named.
pub trait PresetExt: Sealed + Sized {
    /// Of the default engine where a volume is named: `auto`, or `auto:` and a preset. Nothing for
    /// other names.
    fn of_volume(name: &str) -> Option<Result<Self, UnknownPreset>>;

    /// As a volume is named.
    #[must_use]
    fn volume_name(self) -> &'static str;
}

impl Sealed for Preset {}

impl PresetExt for Preset {
    fn of_volume(name: &str) -> Option<Result<Self, UnknownPreset>> {
        Self::of_volume(name)
    }

    fn volume_name(self) -> &'static str {
        Self::volume_name(self)
    }
}

/// Research methods of a [`Mesh`].
pub trait MeshExt: Sealed + Sized {
    /// The largest magnitude of a coordinate.
    #[must_use]
    fn max_coordinate(&self) -> f64;

    /// Heap memory held, in bytes.
    #[must_use]
    fn bytes(&self) -> usize;
}

impl Sealed for Mesh {}

impl MeshExt for Mesh {
    fn max_coordinate(&self) -> f64 {
        Self::max_coordinate(self)
    }

    fn bytes(&self) -> usize {
        Self::bytes(self)
    }
}
