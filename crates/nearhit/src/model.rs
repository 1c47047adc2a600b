//! A mesh with its tree: what queries are asked of.

use crate::build::BuildOptions;
use crate::hierarchy::{AnyHierarchy, VolumeKind};
use crate::mesh::Mesh;

/// A mesh and a tree of volumes over it. Immutable: share it between threads as you like.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    mesh: Mesh,
    tree: AnyHierarchy,
}

impl Model {
    /// Builds the default tree.
    #[must_use]
    pub fn new(mesh: Mesh) -> Self {
        Self::with(mesh, VolumeKind::default(), &BuildOptions::default())
    }

    /// Builds a tree of the given volume.
    #[must_use]
    pub fn with(mesh: Mesh, volume: VolumeKind, options: &BuildOptions) -> Self {
        let tree = volume.build(&mesh, options);
        Self { mesh, tree }
    }

    /// The triangles.
    #[must_use]
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The tree over them.
    #[must_use]
    pub fn tree(&self) -> &AnyHierarchy {
        &self.tree
    }

    /// Heap memory held, in bytes, mesh included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.mesh.bytes() + self.tree.bytes()
    }
}
