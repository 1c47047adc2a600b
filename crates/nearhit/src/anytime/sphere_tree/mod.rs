//! Sphere-trees: a surface covered by balls at every level of detail (Hubbard 1996).
//!
//! **What is covered.** Every node has its own part of the surface, and its ball holds that part;
//! the parts of its children together are its own. So each level covers the whole surface, and
//! whatever touches the surface at a point is met on the way from the root to the leaf that has
//! that point: descending two trees and testing the triangles of the leaves that remain is exact.
//! This is the paper's safest policy (§9.1) asked only of what a node has, not of all that its ball
//! happens to reach; balls need not become looser for it.
//!
//! **How large the error is.** [`TreeSphere::error`] is never less than the distance from any point
//! of the *sphere* (the boundary of the ball) to the surface.
//!
//! | file | question |
//! |---|---|
//! | `octree` | balls about the cells of an octree (§6.1) |
//! | `medial` builds on `sample`, `delaunay` | where is the medial axis (§7) |
//! | `merge` | which of its balls can be one (§8) |
//! | `merged`, `grow`, `dag` | the paper's own tree and its sphere-DAG: merged pass by pass, enlarged to cover (§5, §8, §9.1) |
//! | `children`, `choose`, `cluster`, `fit`, `hole_caps` | which few balls stick out least, of holes too (beyond the paper) |
//! | `levels`, `admissible`, `optimise_level`, `relocate`, `reassign`, `demand` | how do the balls of a level share the surface (beyond the paper) |
//! | `pieces`, `cover` | is everything covered (§9.1) |
//! | `accuracy` | how far is a sphere from the surface (§9.2) |

pub mod accuracy;
mod admissible;
mod build;
mod children;
mod choose;
mod cluster;
mod cover;
mod dag;
mod delaunay;
mod demand;
mod field;
mod fit;
mod grow;
mod hole_caps;
mod levels;
mod medial;
mod merge;
mod merged;
mod octree;
mod optimise_level;
mod pieces;
mod reassign;
mod relocate;
mod sample;

pub use accuracy::{SearchEffort, Side, inaccuracy};
pub use build::{BuildEffort, Policy, SphereMethod, SphereOptions};
pub use cover::Flaw;
pub use dag::{DagMeeting, DagSphere, SphereDag};

use crate::mesh::Mesh;
use crate::model::Model;
use glam::DVec3;
use std::ops::Range;

/// A ball of a sphere-tree.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TreeSphere {
    /// The middle.
    pub center: DVec3,
    /// The radius, with room for rounding.
    pub radius: f64,
    /// No point of the sphere is farther from the surface than this.
    pub error: f64,
    /// A point of the surface, to rounding: the nearest to the centre.
    pub witness: DVec3,
    /// None for the root.
    pub parent: Option<u32>,
    /// By index; none for the spheres of the last level.
    pub children: Range<u32>,
    /// Where the triangles of a leaf are in the tree's list.
    triangles: Range<u32>,
}

/// A surface covered by balls, level by level.
#[derive(Debug, Clone, PartialEq)]
pub struct SphereTree {
    spheres: Vec<TreeSphere>,
    levels: Vec<Range<u32>>,
    triangles: Vec<u32>,
    exact: bool,
    /// Of the mesh it was made of.
    fingerprint: u64,
}

impl SphereTree {
    /// Builds a tree for refinement, as deep as suits the number of triangles. Takes seconds for
    /// large meshes; [`research`](crate::research::SphereTreeExt) has options.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::SphereTree;
    ///
    /// let tree = SphereTree::new(&cube(1.0));
    /// assert_eq!(tree, SphereTree::new(&cube(1.0))); // the same on every machine
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "sphere tree")]
    #[doc(alias = "inner sphere tree")]
    #[doc(alias = "level of detail")]
    #[must_use]
    pub fn new(model: &Model) -> Self {
        Self::build(model, &SphereOptions::for_triangles(model.mesh().triangles().len()))
    }

    /// Builds a tree. It depends on the mesh and the options alone, never on the number of threads,
    /// and every mesh has one.
    #[must_use]
    pub(crate) fn build(model: &Model, options: &SphereOptions) -> Self {
        build::build(model, options, &|_| ())
    }

    /// The same, telling the share of the work that is done: a number that grows from 0 to 1.
    #[must_use]
    pub(crate) fn build_telling(model: &Model, options: &SphereOptions, progress: &(dyn Fn(f64) + Sync)) -> Self {
        build::build(model, options, progress)
    }

    /// Do descents miss nothing? Not with [`Policy::Looser`].
    #[must_use]
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }

    /// All spheres, the root first, then level by level; children of one parent are neighbours.
    #[must_use]
    pub(crate) fn spheres(&self) -> &[TreeSphere] {
        &self.spheres
    }

    /// Which spheres are on each level, from the root.
    #[must_use]
    pub(crate) fn levels(&self) -> &[Range<u32>] {
        &self.levels
    }

    /// The spheres of a level.
    #[must_use]
    pub(crate) fn level(&self, level: usize) -> &[TreeSphere] {
        let Range { start, end } = self.levels[level];
        &self.spheres[start as usize..end as usize]
    }

    /// The triangles of which a sphere of the last level has parts, in ascending order; none for
    /// the others.
    #[must_use]
    pub(crate) fn triangles(&self, sphere: &TreeSphere) -> &[u32] {
        &self.triangles[sphere.triangles.start as usize..sphere.triangles.end as usize]
    }

    /// Whether it was made of this mesh, number by number.
    #[must_use]
    pub(crate) fn is_of(&self, mesh: &Mesh) -> bool {
        self.fingerprint == mesh.fingerprint()
    }

    /// Checks that links fit together and that every level covers the surface: by a certificate
    /// that shares nothing with how the tree was built.
    pub(crate) fn check(&self, mesh: &Mesh) -> Result<(), Flaw> {
        cover::check(self, mesh)
    }

    /// Heap memory held, in bytes.
    #[must_use]
    pub(crate) fn bytes(&self) -> usize {
        self.spheres.capacity() * size_of::<TreeSphere>() + self.triangles.capacity() * size_of::<u32>()
    }
}
