//! The sphere-DAG (§5, §8, §9.1): each level is merged by itself from all spheres of the medial
//! axis, and a sphere has every sphere of the next level for a child that it meets.
//!
//! Each level covers the surface. A point that two surfaces share is in a sphere of either DAG on
//! every level; those of one level are children of those of the level above, because both hold the
//! point. So a descent misses nothing, though no sphere need hold what its parent holds.

use super::SphereOptions;
use super::build::tame;
use super::children::DEGREE;
use super::field::Field;
use super::grow::{Ball, grow};
use super::merged::Ground;
use crate::mesh::Mesh;
use crate::model::Model;
use crate::parallel::*;
use crate::primitive::intersect::intersects;
use crate::query::{Pair, TrianglePair};
use glam::DVec3;
use std::collections::HashSet;

/// A sphere of a DAG.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DagSphere {
    /// The middle.
    pub center: DVec3,
    /// The radius, with room for rounding.
    pub radius: f64,
    /// By their place on the next level, ascending; other spheres may have them, too.
    pub children: Vec<u32>,
    /// Of the mesh, ascending: all that a sphere of the last level meets; none for the others.
    pub triangles: Vec<u32>,
}

/// A surface covered by spheres, level by level, that share their children.
#[derive(Debug, Clone, PartialEq)]
pub struct SphereDag {
    levels: Vec<Vec<DagSphere>>,
    fingerprint: u64,
}

/// What two DAGs have in common, as far as spheres tell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct DagMeeting {
    /// Pairs of spheres of the last level asked for that meet: places on that level, ascending.
    pub pairs: Vec<(u32, u32)>,
    /// Pairs of spheres tested.
    pub tests: u64,
    /// Pairs that were come by again and skipped, because they were marked.
    pub repeats: u64,
}

impl SphereDag {
    /// Builds a DAG: the paper's method, whatever method and policy the options have.
    #[must_use]
    pub fn build(model: &Model, options: &SphereOptions) -> Self {
        let fingerprint = model.mesh().fingerprint();
        let (unit, mesh) = tame(model.mesh());
        let tamed = mesh.map(Model::new);
        let model = tamed.as_ref().unwrap_or(model);
        // What a model makes on first use is made now, not by threads that wait for each other.
        Field::new(model).depth(model.mesh().vertices()[0]);
        let ground = Ground::new(model, options);
        let depth = options.depth.min(SphereOptions::DEEPEST);
        let faces = &ground.faces;
        let balls: Vec<Vec<Ball>> = (0..depth + 1)
            .into_par_iter()
            .map(|level| match level {
                0 => vec![ground.root],
                _ => {
                    let groups = ground.merge(&ground.all(), DEGREE.pow(level));
                    let mut balls: Vec<Ball> =
                        groups.iter().map(|group| Ball { center: group.center, radius: group.radius }).collect();
                    grow(faces, faces.all(), None, &mut balls);
                    balls
                }
            })
            .collect();
        let mut levels: Vec<Vec<DagSphere>> =
            balls.iter().map(|level| level.iter().map(|&ball| sphere(&ground, ball)).collect()).collect();
        for level in 0..levels.len() {
            let (upper, lower) = levels.split_at_mut(level + 1);
            let spheres = &mut upper[level];
            match lower.first() {
                Some(next) => spheres.par_iter_mut().for_each(|sphere| sphere.adopt(next)),
                None => spheres.par_iter_mut().for_each(|sphere| {
                    let ball = Ball { center: sphere.center, radius: sphere.radius };
                    sphere.triangles = ground.triangles_in(model.mesh(), ball);
                }),
            }
        }
        for sphere in levels.iter_mut().flatten() {
            (sphere.center, sphere.radius) = (sphere.center * unit, sphere.radius * unit);
        }
        Self { levels, fingerprint }
    }

    /// From the root.
    #[must_use]
    pub fn levels(&self) -> &[Vec<DagSphere>] {
        &self.levels
    }

    /// Whether it was made of this mesh, number by number.
    #[must_use]
    pub fn is_of(&self, mesh: &Mesh) -> bool {
        self.fingerprint == mesh.fingerprint()
    }

    /// Which spheres of a level meet those of another DAG, level by level from the roots: Figure 3
    /// with marks (§5). A DAG that ends earlier stays on its last level.
    ///
    /// `self` is of the pair's a, `other` of its b.
    #[must_use]
    pub fn meeting(&self, other: &Self, pair: &Pair<'_>, level: usize) -> DagMeeting {
        let slack = pair.slack();
        let placed: Vec<Vec<DVec3>> = other
            .levels
            .iter()
            .map(|level| level.iter().map(|sphere| pair.a_from_b().apply(sphere.center)).collect())
            .collect();
        let mut meeting = DagMeeting::default();
        let meet = |of_a: (usize, u32), of_b: (usize, u32)| {
            let (a, b) = (&self.levels[of_a.0][of_a.1 as usize], &other.levels[of_b.0][of_b.1 as usize]);
            let apart = crate::vector::length(placed[of_b.0][of_b.1 as usize] - a.center);
            // What is not a number is no reason to leave anything out.
            apart.is_nan() || apart <= (a.radius + b.radius) * (1.0 + 1e-12) + slack
        };
        meeting.tests = 1;
        if meet((0, 0), (0, 0)) {
            meeting.pairs.push((0, 0));
        }
        for step in 0..level {
            let [la, lb] = [step.min(self.levels.len() - 1), step.min(other.levels.len() - 1)];
            let [na, nb] = [(la + 1).min(self.levels.len() - 1), (lb + 1).min(other.levels.len() - 1)];
            let (mut next, mut marks) = (Vec::new(), HashSet::new());
            for &(a, b) in &meeting.pairs {
                let own = |sphere: &DagSphere, place: u32, same: bool| {
                    if same { vec![place] } else { sphere.children.clone() }
                };
                let of_a = own(&self.levels[la][a as usize], a, na == la);
                let of_b = own(&other.levels[lb][b as usize], b, nb == lb);
                meeting.tests += (of_a.len() + of_b.len()) as u64;
                let of_a: Vec<u32> = of_a.into_iter().filter(|&child| meet((na, child), (lb, b))).collect();
                let of_b: Vec<u32> = of_b.into_iter().filter(|&child| meet((la, a), (nb, child))).collect();
                for &one in &of_a {
                    for &two in &of_b {
                        if !marks.insert((one, two)) {
                            meeting.repeats += 1;
                            continue;
                        }
                        meeting.tests += 1;
                        if meet((na, one), (nb, two)) {
                            next.push((one, two));
                        }
                    }
                }
            }
            next.sort_unstable();
            meeting.pairs = next;
        }
        meeting
    }

    /// All pairs of triangles that share a point: those of the last levels' spheres that meet,
    /// tested exactly.
    #[must_use]
    pub fn contacts(&self, other: &Self, pair: &Pair<'_>) -> Vec<TrianglePair> {
        let level = self.levels.len().max(other.levels.len()) - 1;
        let meeting = self.meeting(other, pair, level);
        let last = |dag: &Self, place: u32| dag.levels[dag.levels.len() - 1][place as usize].triangles.clone();
        let mut marks = HashSet::new();
        let mut found = Vec::new();
        for (one, two) in meeting.pairs {
            let of_b = last(other, two);
            for a in last(self, one) {
                for &b in of_b.iter().filter(|&&b| marks.insert((a, b))) {
                    let both = TrianglePair { a, b };
                    let (of_a, of_b) = pair.triangles(both);
                    if intersects(&of_a, &of_b) {
                        found.push(both);
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }
}

impl DagSphere {
    /// Takes every sphere of the next level for a child that it meets.
    fn adopt(&mut self, next: &[Self]) {
        let meets = |other: &Self| other.center.distance(self.center) <= (other.radius + self.radius) * (1.0 + 1e-12);
        self.children = (0_u32..).zip(next).filter(|(_, other)| meets(other)).map(|(place, _)| place).collect();
    }
}

fn sphere(ground: &Ground, Ball { center, radius }: Ball) -> DagSphere {
    let radius = ground.faces.radius(radius);
    DagSphere { center, radius, children: Vec::new(), triangles: Vec::new() }
}
