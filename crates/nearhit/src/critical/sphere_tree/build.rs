//! From a model to a tree: the root, level by level, then the errors.

use super::accuracy::{self, Looks, Side};
use super::across::Across;
use super::choose::{Choice, Effort};
use super::cluster::{Cluster, Task};
use super::field::{Depth, Field};
use super::medial::{MedialAxis, medial_axis};
use super::merge::merge;
use super::pieces::Pieces;
use super::sample::samples;
use super::{SphereTree, TreeSphere, octree};
use crate::mesh::Mesh;
use crate::model::Model;
use crate::volume::BoundingVolume;
use crate::volume::sphere::Sphere;
use glam::DVec3;
use rayon::prelude::*;
use std::ops::Range;

/// How to build a sphere-tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SphereOptions {
    /// Levels below the root, at most [`SphereOptions::DEEPEST`].
    pub depth: u32,
    /// What the spheres come from.
    pub method: SphereMethod,
    /// How long to look for better ones; nothing to an octree.
    pub care: Care,
    /// What must be covered; nothing to an octree.
    pub policy: Policy,
}

/// What the balls of a tree cover (§9.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Children have what their parent has: a descent misses nothing.
    #[default]
    Safest,
    /// Each level covers the surface, and no more is asked: tighter, but a contact can be in a ball whose parent does not meet anything. The paper conjectures that this is good enough; it is not exact (ADR 15), and a refinement says
    /// *maybe* where it would say *no*.
    Looser,
}

impl SphereOptions {
    /// A quarter of a million leaves.
    pub const DEEPEST: u32 = 6;
}

impl Default for SphereOptions {
    fn default() -> Self {
        Self { depth: 4, method: SphereMethod::Medial, care: Care::Full, policy: Policy::Safest }
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
}

/// How much time a tree is worth. It covers the surface and knows its errors either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Care {
    /// A few times quicker; spheres stick out up to a third more.
    Quick,
    /// As tight as can be had in seconds.
    #[default]
    Full,
}

/// Children of a parent: as many as a cell has octants.
const DEGREE: usize = 8;
/// Points that a choice is made for, at most: three times as many make it no better.
const POINTS: usize = 1000;
/// Medial balls that it is made from, at most.
const CANDIDATES: usize = 1500;

/// A ball with what it is for.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) center: DVec3,
    pub(super) radius: f64,
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
    // What a model makes on first use is made now: threads that wait for each other's first use could wait for ever.
    Field::new(model).depth(model.mesh().vertices()[0]);
    progress(0.0);
    let levels = match options.method {
        SphereMethod::Octree => octree::levels(model.mesh(), depth),
        SphereMethod::Medial => medial_levels(model, depth, options, progress),
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
fn tame(mesh: &Mesh) -> (f64, Option<Mesh>) {
    let size = mesh.max_coordinate();
    if size == 0.0 || (1e-60..1e60).contains(&size) {
        return (1.0, None);
    }
    let unit = f64::from_bits(size.to_bits() & 0x7ff0_0000_0000_0000).max(f64::MIN_POSITIVE);
    let vertices: Vec<[f64; 3]> = mesh.vertices().iter().map(|&vertex| (vertex / unit).to_array()).collect();
    let scaled = Mesh::new(&vertices, mesh.triangles()).expect("smaller than a legal one");
    (unit, Some(scaled))
}

/// A node and what its children are made from.
pub(super) struct Work {
    pub(super) node: Node,
    pub(super) pieces: Vec<u32>,
    /// Balls of the medial axis.
    pub(super) medial: Vec<u32>,
}

fn medial_levels(
    model: &Model,
    depth: u32,
    options: &SphereOptions,
    progress: &(dyn Fn(f64) + Sync),
) -> Vec<Vec<Node>> {
    let care = options.care;
    let (pieces, points) = match care {
        Care::Quick => (12_000, 1000),
        // What has few triangles has few features.
        Care::Full => ((150 * model.mesh().triangles().len()).clamp(40_000, 200_000), 3000),
    };
    let pieces = Pieces::new(model.mesh(), pieces.max(6 * DEGREE.pow(depth)));
    let axis = medial_axis(model, samples(model, points, 1), 2);
    progress(0.1);
    let medial = (0..axis.balls.len() as u32).collect();
    let triangles: Vec<_> =
        (0..model.mesh().triangles().len() as u32).map(|index| model.mesh().triangle(index)).collect();
    let around = Sphere::fit(&triangles);
    let all: Vec<u32> = (0..pieces.pieces.len() as u32).collect();
    let far = super::fit::reach(&pieces.points, around.center());
    let root = Node { center: around.center(), radius: pieces.radius(far), parent: 0, triangles: Vec::new() };
    let mut works = vec![Work { node: root, pieces: all, medial }];
    let mut levels = Vec::new();
    for level in 1..=depth {
        let effort = effort(level, care);
        let children = works.par_iter().enumerate().map_init(
            || Field::new(model),
            |field, (parent, work)| children(&pieces, &axis, work, parent, effort, field),
        );
        let mut next: Vec<Work> = children.collect::<Vec<_>>().into_iter().flatten().collect();
        levels.push(works.into_iter().map(|work| work.node).collect());
        let (sweeps, above) = match options.policy {
            Policy::Safest => (effort.across, &levels[..]),
            Policy::Looser => (effort.across.max(1), &[][..]),
        };
        for _ in 0..sweeps {
            Across { pieces: &pieces, axis: &axis, above }.trim(&mut next, &mut Field::new(model));
        }
        works = next;
        progress(0.1 + 0.7 * f64::from(level) / f64::from(depth));
    }
    let leaf = |work: Work| Node { triangles: pieces.triangles_of(&work.pieces), ..work.node };
    levels.push(works.into_iter().map(leaf).collect());
    levels
}

/// Upper levels are few and matter most.
fn effort(level: u32, care: Care) -> Effort {
    match (care, level) {
        (Care::Full, 1) => {
            Effort { merges: true, starts: 20, swaps: 64, rounds: 16, settling: 8, sweeps: 0, across: 0 }
        }
        (Care::Full, 2) => Effort { merges: true, starts: 4, swaps: 24, rounds: 12, settling: 4, sweeps: 0, across: 0 },
        (Care::Full, 3) => {
            Effort { merges: false, starts: 3, swaps: 16, rounds: 12, settling: 4, sweeps: 2, across: 2 }
        }
        (Care::Quick, 1) => Effort { merges: true, starts: 2, swaps: 8, rounds: 8, settling: 3, sweeps: 0, across: 0 },
        _ => Effort { merges: false, starts: 1, swaps: 2, rounds: 6, settling: 1, sweeps: 0, across: 0 },
    }
}

/// The children of a node: the pieces that it has, shared out.
fn children(
    pieces: &Pieces,
    axis: &MedialAxis,
    work: &Work,
    parent: usize,
    effort: Effort,
    field: &mut Field<'_>,
) -> Vec<Work> {
    let depth = |&ball: &u32| axis.balls[ball as usize].depth;
    let middle = |&piece: &u32| pieces.corners(piece).into_iter().sum::<DVec3>() / 3.0;
    let points: Vec<DVec3> = some(&work.pieces, POINTS).map(middle).collect();
    // As in the paper: everything that became the parent is merged again.
    let merged = if effort.merges { merge(axis, &work.medial, DEGREE) } else { Vec::new() };
    let mut candidates: Vec<Depth> = merged.iter().map(|merged| field.depth(merged.center)).collect();
    let given = (0..candidates.len() as u32).collect();
    candidates.extend(some(&work.medial, CANDIDATES).map(depth));
    // Where there is no inside, balls are centred on the surface.
    candidates.extend(some(&points, CANDIDATES / 3).map(|&at| Depth { at, distance: 0.0, nearest: at }));
    let choice = Choice { points: &points, candidates: &candidates, count: DEGREE };
    let best = choice.best(given, effort, parent as u64);
    let start: Vec<Depth> = best.iter().map(|&index| candidates[index as usize]).collect();
    let child = |cluster: Cluster| {
        let (center, radius) = (cluster.fit.center(), pieces.radius(cluster.fit.reach));
        let near = |ball: &&u32| depth(ball).at.distance(center) <= radius;
        let medial = work.medial.iter().filter(near).copied().collect();
        Work { node: Node { center, radius, parent, triangles: Vec::new() }, pieces: cluster.pieces, medial }
    };
    let task = Task { pieces, of: &work.pieces, count: DEGREE };
    task.settle(&start, field, effort.settling, effort.sweeps).into_iter().map(child).collect()
}

/// At most `most` of them, evenly.
fn some<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    all.iter().step_by(all.len().div_ceil(most).max(1))
}

/// Links, errors and witnesses.
fn assemble(model: &Model, levels: Vec<Vec<Node>>) -> SphereTree {
    let mut tree = SphereTree { spheres: Vec::new(), levels: Vec::new(), triangles: Vec::new(), exact: true };
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
        let looks = if level < 3 { Looks::CAREFUL } else { Looks::QUICK };
        tree.spheres[range.start as usize..range.end as usize].par_iter_mut().for_each_init(
            || Field::new(model),
            |field, sphere| {
                sphere.witness = field.distance(sphere.center).nearest;
                sphere.error = accuracy::bound(field, sphere.center, sphere.radius, Side::Both, looks).upper;
            },
        );
    }
}
