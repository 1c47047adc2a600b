//! A mesh with its bounding volume hierarchy (BVH): what queries are asked of.

use crate::bounds::Extent;
use crate::build::BuildOptions;
use crate::hierarchy::{AnyHierarchy, Level, Tumbling, Violation, VolumeKind};
use crate::inside::{Inside, InsideMethod};
use crate::lazy::Lazy;
use crate::mesh::Mesh;
use crate::packed::{Packed, Preset};
use std::sync::OnceLock;

/// A mesh with its bounding volume hierarchy (BVH). Immutable: share it between threads.
#[doc(alias = "BVH")]
#[doc(alias = "bounding volume hierarchy")]
#[doc(alias = "collision object")]
#[derive(Debug, Clone)]
pub struct Model {
    mesh: Mesh,
    tree: Tree,
    /// For points and rays, where the tree is one of classic volumes: made on first use.
    points: Lazy<Option<Packed>>,
    /// Made when first asked what is inside.
    inside: Lazy<Inside>,
    /// Made when a scene first places it; not in parallel, so that waiting for it is harmless.
    extent: OnceLock<Extent>,
}

/// What a model is made of.
#[derive(Debug, Clone)]
pub(crate) enum Tree {
    /// The default engine. Where it does not apply (coordinates beyond its range, in this model or
    /// in the other one of a pair), a tree of classic volumes is made on first use.
    Auto {
        packed: Option<Packed>,
        classic: Lazy<AnyHierarchy>,
        /// In the least memory; kept apart from the tree, because a mesh beyond its range has none.
        compact: bool,
    },
    /// A tree of a chosen volume.
    Classic(AnyHierarchy),
}

impl Model {
    /// Builds the default engine's tree: the fastest for every question.
    #[must_use]
    pub fn new(mesh: Mesh) -> Self {
        Self::with_preset(mesh, Preset::default())
    }

    /// Builds the default engine's tree with a preset: faster to build, faster to query, or
    /// smaller.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Model, Preset};
    ///
    /// let small = Model::with_preset(cube(1.0).mesh().clone(), Preset::Compact);
    /// assert_eq!(small.mesh().triangles().len(), 12);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_preset(mesh: Mesh, preset: Preset) -> Self {
        let packed = Packed::build(&mesh, preset);
        Self::from_tree(mesh, Tree::Auto { packed, classic: Lazy::new(), compact: preset == Preset::Compact })
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Builds a tree of the given volume.
    #[must_use]
    pub(crate) fn with(mesh: Mesh, volume: VolumeKind, options: &BuildOptions) -> Self {
        let tree = Tree::Classic(volume.build(&mesh, options));
        Self::from_tree(mesh, tree)
    }

    pub(crate) fn from_tree(mesh: Mesh, tree: Tree) -> Self {
        Self { mesh, tree, points: Lazy::new(), inside: Lazy::new(), extent: OnceLock::new() }
    }

    /// Chooses how volumes of this model are brought into another's frame, when it is the flying
    /// one (a). The default engine has its own way and ignores it.
    #[must_use]
    pub(crate) fn tumbling(mut self, tumbling: Tumbling) -> Self {
        if let Tree::Classic(tree) = &mut self.tree {
            tree.set_tumbling(&self.mesh, tumbling);
        }
        self
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// What is around its triangles.
    pub(crate) fn extent(&self) -> &Extent {
        self.extent.get_or_init(|| self.mesh.extent())
    }

    /// Name of the volume, `auto` for the default engine, `auto:compact` for its small kind.
    #[must_use]
    pub(crate) fn volume_name(&self) -> &'static str {
        match &self.tree {
            Tree::Auto { compact: true, .. } => Preset::Compact.volume_name(),
            Tree::Auto { compact: false, .. } => Preset::Balanced.volume_name(),
            Tree::Classic(tree) => tree.kind().name(),
        }
    }

    /// What two models of a pair must share: the volume, or the default engine, whatever the
    /// preset.
    pub(crate) fn engine_name(&self) -> &'static str {
        match &self.tree {
            Tree::Auto { .. } => Preset::default().volume_name(),
            Tree::Classic(tree) => tree.kind().name(),
        }
    }

    /// Does it have the default engine, whatever the preset, and even where that does not apply?
    #[inline]
    pub(crate) fn is_default_engine(&self) -> bool {
        matches!(self.tree, Tree::Auto { .. })
    }

    /// The default engine's tree, if this model has one.
    #[must_use]
    pub(crate) fn packed(&self) -> Option<&Packed> {
        match &self.tree {
            Tree::Auto { packed, .. } => packed.as_ref(),
            Tree::Classic(_) => None,
        }
    }

    /// The tree that points and rays are asked of, unless coordinates are too large for it.
    pub(crate) fn point_tree(&self) -> Option<&Packed> {
        match &self.tree {
            Tree::Auto { packed, .. } => packed.as_ref(),
            Tree::Classic(_) => self.points.get_or_make(|| Packed::build(&self.mesh, Preset::default())).as_ref(),
        }
    }

    /// The method of inside tests. What it takes is made when it is first asked for: ask for
    /// this to have it made before a query.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::InsideMethod;
    ///
    /// assert_eq!(cube(1.0).inside_method(), InsideMethod::Exact); // closed and oriented
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn inside_method(&self) -> InsideMethod {
        self.inside().method()
    }

    /// What is needed to tell inside from outside; made when it is first asked for.
    pub(crate) fn inside(&self) -> &Inside {
        // Another lazy part, so made before.
        let tree = self.point_tree();
        self.inside.get_or_make(|| Inside::new(&self.mesh, tree))
    }

    /// The tree of classic volumes. A model of the default engine makes one, with default options,
    /// when it is first asked for.
    #[must_use]
    pub(crate) fn hierarchy(&self) -> &AnyHierarchy {
        match &self.tree {
            Tree::Auto { classic, .. } => {
                classic.get_or_make(|| VolumeKind::default().build(&self.mesh, &BuildOptions::default()))
            }
            Tree::Classic(tree) => tree,
        }
    }

    /// May a descent meet a pair of triangles more than once?
    pub(crate) fn is_tiled(&self) -> bool {
        match &self.tree {
            Tree::Auto { .. } => false,
            Tree::Classic(tree) => tree.is_tiled(),
        }
    }

    /// What the tree is like, level by level from the root; nothing where the default engine does
    /// not apply.
    #[must_use]
    pub(crate) fn levels(&self) -> Vec<Level> {
        match &self.tree {
            Tree::Auto { packed, .. } => packed.as_ref().map_or(Vec::new(), Packed::levels),
            Tree::Classic(tree) => tree.levels(),
        }
    }

    /// Was the same tree built over the same mesh?
    #[must_use]
    pub(crate) fn is_same_tree(&self, other: &Self) -> bool {
        let same = match (&self.tree, &other.tree) {
            (Tree::Auto { packed: a, .. }, Tree::Auto { packed: b, .. }) => a == b,
            (Tree::Classic(a), Tree::Classic(b)) => a == b,
            _ => false,
        };
        same && self.mesh == other.mesh
    }

    /// Checks the invariants of the tree against the mesh.
    pub(crate) fn check(&self) -> Result<(), Violation> {
        match &self.tree {
            Tree::Auto { packed, .. } => packed.as_ref().map_or(Ok(()), |packed| packed.check(&self.mesh)),
            Tree::Classic(tree) => tree.check(&self.mesh),
        }
    }

    /// Heap memory held, in bytes, mesh included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let tree = match &self.tree {
            Tree::Auto { packed, classic, .. } => {
                packed.as_ref().map_or(0, Packed::bytes) + classic.get().map_or(0, AnyHierarchy::bytes)
            }
            Tree::Classic(tree) => tree.bytes(),
        };
        let points = self.points.get().and_then(Option::as_ref).map_or(0, Packed::bytes);
        self.mesh.bytes() + tree + points + self.inside.get().map_or(0, Inside::bytes)
    }
}
