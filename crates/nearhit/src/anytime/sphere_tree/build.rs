//! From a model to a tree: the root, level by level, then the errors.

use super::accuracy::{self, SearchEffort, Side};
use super::field::Field;
use super::{SphereTree, TreeSphere, levels, merged, octree};
use crate::mesh::Mesh;
use crate::model::Model;
use crate::parallel::*;
use glam::DVec3;
use std::ops::Range;

/// How to build a sphere-tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SphereOptions {
    /// Levels below the root, at most [`SphereOptions::DEEPEST`].
    pub depth: u32,
    /// What the spheres come from.
    pub method: SphereMethod,
    /// How long to look for better ones; nothing to an octree.
    pub effort: BuildEffort,
    /// What must be covered; nothing to an octree.
    pub policy: Policy,
    /// How many points of the surface the medial axis is made from (§7: "a parameter set by the
    /// user"); by the effort if nothing is said. Nothing to an octree.
    pub points: Option<usize>,
}

/// What the balls of a tree cover (§9.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Children have what their parent has: a descent misses nothing.
    #[default]
    Safest,
    /// Each level covers the surface, and no more is asked: tighter, but a contact can be in a ball
    /// whose parent does not meet anything. The paper conjectures that this is good enough; it is
    /// not exact (ADR 15), and a refinement says *maybe* where it would say *no*.
    Looser,
}

impl SphereOptions {
    /// A quarter of a million leaves.
    pub const DEEPEST: u32 = 6;

    /// The default.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Levels below the root.
    #[must_use]
    pub fn depth(self, depth: u32) -> Self {
        Self { depth, ..self }
    }

    /// What the spheres come from.
    #[must_use]
    pub fn method(self, method: SphereMethod) -> Self {
        Self { method, ..self }
    }

    /// How long to look for better ones.
    #[must_use]
    pub fn effort(self, effort: BuildEffort) -> Self {
        Self { effort, ..self }
    }

    /// What must be covered.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// How many points of the surface the medial axis is made from.
    #[must_use]
    pub fn points(self, points: impl Into<Option<usize>>) -> Self {
        Self { points: points.into(), ..self }
    }

    /// The sphere-tree paper's own tree: merged pass by pass (§8), each level enlarged until it
    /// covers the surface (§9.1, the policy that the paper uses).
    #[must_use]
    pub fn paper() -> Self {
        Self { method: SphereMethod::Merged, policy: Policy::Looser, ..Self::default() }
    }

    /// The default for refining meshes of so many triangles: no deeper than that leaves are a
    /// fourth of a triangle each, since the last step tests triangles anyway.
    #[must_use]
    pub fn for_triangles(triangles: usize) -> Self {
        let most = Self::default();
        let leaves = |depth: u32| 8usize.pow(depth);
        let depth = (1..most.depth).find(|&depth| leaves(depth) / 4 >= triangles).unwrap_or(most.depth);
        Self { depth, ..most }
    }
}

impl Default for SphereOptions {
    fn default() -> Self {
        let (method, effort) = (SphereMethod::Medial, BuildEffort::Full);
        Self { depth: 4, method, effort, policy: Policy::Safest, points: None }
    }
}

/// What the spheres of a tree come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SphereMethod {
    /// The medial axis and an optimisation: tight.
    #[default]
    Medial,
    /// The cells of an octree: quick to build, loose.
    Octree,
    /// Spheres of the medial axis merged pass by pass, eight children a parent, then enlarged until
    /// the surface is covered: the paper's algorithm and nothing else.
    Merged,
}

/// How much time a tree is worth. It covers the surface and knows its errors either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BuildEffort {
    /// A few times quicker; spheres stick out up to a third more.
    Quick,
    /// As tight as can be had in seconds.
    #[default]
    Full,
}

/// A ball with what it is for.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) center: DVec3,
    pub(super) radius: f64,
    /// Of the farthest corner of what it has.
    pub(super) reach: f64,
    /// Index on the level above.
    pub(super) parent: usize,
    /// For the last level.
    pub(super) triangles: Vec<u32>,
}

pub(super) fn build(model: &Model, options: &SphereOptions, progress: &(dyn Fn(f64) + Sync)) -> SphereTree {
    let depth = options.depth.min(SphereOptions::DEEPEST);
    // Squares of coordinates that are huge or tiny are no doubles; powers of two lose nothing.
    let (unit, mesh) = tame(model.mesh());
    let tamed;
    let model = match mesh {
        Some(mesh) => {
            tamed = Model::new(mesh);
            &tamed
        }
        None => model,
    };
    // What a model makes on first use is made now: threads that wait for each other's first use
    // could wait for ever.
    Field::new(model).depth(model.mesh().vertices()[0]);
    progress(0.0);
    let levels = match options.method {
        SphereMethod::Octree => octree::levels(model.mesh(), depth),
        SphereMethod::Medial => levels::levels(model, depth, options, progress),
        SphereMethod::Merged => merged::levels(model, depth, options, progress),
    };
    progress(0.8);
    let mut tree = assemble(model, levels);
    tree.exact = options.policy == Policy::Safest || options.method == SphereMethod::Octree;
    progress(1.0);
    if unit != 1.0 {
        for sphere in &mut tree.spheres {
            let TreeSphere { center, radius, error, witness, .. } = sphere;
            (*center, *radius, *error, *witness) = (*center * unit, *radius * unit, *error * unit, *witness * unit);
        }
    }
    tree
}

/// A mesh in a unit of its own, if its coordinates are too large or too small to be squared.
pub(super) fn tame(mesh: &Mesh) -> (f64, Option<Mesh>) {
    let size = mesh.max_coordinate();
    if size == 0.0 || (1e-60..1e60).contains(&size) {
        return (1.0, None);
    }
    let (unit, mesh) = scaled(mesh, f64::from_bits(size.to_bits() & 0x7ff0_0000_0000_0000).max(f64::MIN_POSITIVE));
    (unit, Some(mesh))
}

/// A mesh in another unit, and that unit.
pub(super) fn scaled(mesh: &Mesh, unit: f64) -> (f64, Mesh) {
    let vertices: Vec<[f64; 3]> = mesh.vertices().iter().map(|&vertex| (vertex / unit).to_array()).collect();
    (unit, Mesh::new(&vertices, mesh.triangles()).expect("smaller than a legal one"))
}

/// Links, errors and witnesses.
fn assemble(model: &Model, levels: Vec<Vec<Node>>) -> SphereTree {
    let mut tree = SphereTree {
        spheres: Vec::new(),
        levels: Vec::new(),
        triangles: Vec::new(),
        exact: true,
        fingerprint: model.mesh().fingerprint(),
    };
    let mut above = 0;
    for (level, nodes) in levels.into_iter().enumerate() {
        let first = tree.spheres.len() as u32;
        for node in nodes {
            let index = tree.spheres.len() as u32;
            let parent = (level > 0).then(|| above + node.parent as u32);
            if let Some(parent) = parent {
                let children: &mut Range<u32> = &mut tree.spheres[parent as usize].children;
                let first = if children.end == 0 { index } else { children.start };
                *children = first..index + 1;
            }
            let start = tree.triangles.len() as u32;
            tree.triangles.extend(node.triangles);
            let triangles = start..tree.triangles.len() as u32;
            let (center, radius) = (node.center, node.radius);
            tree.spheres.push(TreeSphere {
                center,
                radius,
                error: 0.0,
                witness: center,
                parent,
                children: 0..0,
                triangles,
            });
        }
        above = first;
        tree.levels.push(first..tree.spheres.len() as u32);
    }
    measure(model, &mut tree);
    tree
}

fn measure(model: &Model, tree: &mut SphereTree) {
    let levels = tree.levels.clone();
    for (level, range) in levels.into_iter().enumerate() {
        let effort = if level < 3 { SearchEffort::CAREFUL } else { SearchEffort::QUICK };
        tree.spheres[range.start as usize..range.end as usize].par_iter_mut().for_each_init(
            || Field::new(model),
            |field, sphere| {
                sphere.witness = field.distance(sphere.center).nearest;
                sphere.error = accuracy::bound(field, sphere.center, sphere.radius, Side::Both, effort).upper;
            },
        );
    }
}
