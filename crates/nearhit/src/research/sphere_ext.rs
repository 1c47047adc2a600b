//! Sphere-trees for experiments: how they are built, what they consist of, refinement step by step.

use super::sealed::Sealed;
use crate::anytime::sphere_tree::{Flaw, SphereOptions, SphereTree, TreeSphere};
use crate::anytime::{Refinement, SpherePair};
use crate::mesh::Mesh;
use crate::model::Model;
use crate::traverse::{Budget, Stats};
use std::ops::Range;

/// Research methods of a [`SphereTree`].
pub trait SphereTreeExt: Sealed + Sized {
    /// Builds a tree. It depends on the mesh and the options alone, never on the number of threads,
    /// and every mesh has one.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::SphereTree;
    /// use nearhit::research::SphereTreeExt;
    /// use nearhit::research::sphere_tree::{SphereMethod, SphereOptions};
    ///
    /// let options = SphereOptions::new().depth(2).method(SphereMethod::Octree);
    /// let model = cube(1.0);
    /// let tree = SphereTree::build(&model, &options);
    /// assert_eq!((tree.levels().len(), tree.check(model.mesh())), (3, Ok(())));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "sphere tree")]
    #[doc(alias = "inner sphere tree")]
    #[doc(alias = "level of detail")]
    #[must_use]
    fn build(model: &Model, options: &SphereOptions) -> Self;

    /// The same, telling the share of the work that is done: a number that grows from 0 to 1.
    #[must_use]
    fn build_telling(model: &Model, options: &SphereOptions, progress: &(dyn Fn(f64) + Sync)) -> Self;

    /// Do descents miss nothing? Not with [`Policy::Looser`](super::sphere_tree::Policy::Looser).
    #[must_use]
    fn is_exact(&self) -> bool;

    /// All spheres, the root first, then level by level; children of one parent are neighbours.
    #[must_use]
    fn spheres(&self) -> &[TreeSphere];

    /// Which spheres are on each level, from the root.
    #[must_use]
    fn levels(&self) -> &[Range<u32>];

    /// The spheres of a level.
    #[must_use]
    fn level(&self, level: usize) -> &[TreeSphere];

    /// The triangles of which a sphere of the last level has parts, in ascending order; none for
    /// the others.
    #[must_use]
    fn triangles(&self, sphere: &TreeSphere) -> &[u32];

    /// Checks that links fit together and that every level covers the surface: by a certificate
    /// that shares nothing with how the tree was built.
    fn check(&self, mesh: &Mesh) -> Result<(), Flaw>;

    /// Heap memory held, in bytes.
    #[must_use]
    fn bytes(&self) -> usize;
}

impl Sealed for SphereTree {}

impl SphereTreeExt for SphereTree {
    fn build(model: &Model, options: &SphereOptions) -> Self {
        Self::build(model, options)
    }

    fn build_telling(model: &Model, options: &SphereOptions, progress: &(dyn Fn(f64) + Sync)) -> Self {
        Self::build_telling(model, options, progress)
    }

    fn is_exact(&self) -> bool {
        Self::is_exact(self)
    }

    fn spheres(&self) -> &[TreeSphere] {
        Self::spheres(self)
    }

    fn levels(&self) -> &[Range<u32>] {
        Self::levels(self)
    }

    fn level(&self, level: usize) -> &[TreeSphere] {
        Self::level(self, level)
    }

    fn triangles(&self, sphere: &TreeSphere) -> &[u32] {
        Self::triangles(self, sphere)
    }

    fn check(&self, mesh: &Mesh) -> Result<(), Flaw> {
        Self::check(self, mesh)
    }

    fn bytes(&self) -> usize {
        Self::bytes(self)
    }
}

/// A [`Refinement`] level by level.
pub trait RefinementExt: Sealed + Sized {
    /// One level more, or what the budget allows of it; `spent` is what it is compared with, and
    /// grows. False when the budget ended it: it goes on where it was.
    fn step(&mut self, pair: &SpherePair<'_>, budget: &Budget<'_>, spent: &mut Stats) -> bool;

    /// Is there nothing left to do?
    #[must_use]
    fn is_done(&self) -> bool;

    /// The pairs of balls that meet, by index in a's and in b's tree: those of
    /// [`Refined::level`](crate::Refined). After the last level those whose triangles have not been
    /// looked at yet come last. After [`Refinement::follow`] and before the next step, those that
    /// met before.
    #[must_use]
    fn colliding(&self) -> &[(u32, u32)];
}

impl Sealed for Refinement {}

impl RefinementExt for Refinement {
    fn step(&mut self, pair: &SpherePair<'_>, budget: &Budget<'_>, spent: &mut Stats) -> bool {
        Self::step(self, pair, budget, spent)
    }

    fn is_done(&self) -> bool {
        Self::is_done(self)
    }

    fn colliding(&self) -> &[(u32, u32)] {
        Self::colliding(self)
    }
}
