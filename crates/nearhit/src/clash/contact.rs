//! Which triangles of two surfaces touch? Pairs of them where there are few, otherwise each
//! triangle by itself.

use super::judge::Judge;
use super::penetration::local;
use super::surface::Surface;
use crate::mesh::{Mesh, Triangle};
use crate::model::Model;
use crate::primitive::overlap::overlap;
use crate::query::{NearPair, Settings};
use glam::DVec3;
use std::collections::HashSet;

/// Tests before pairs are given up, and those for each triangle.
const PAIR_WORK: [u64; 2] = [200_000, 60];

/// What of two surfaces is within the tolerance of the other.
#[derive(Debug)]
pub(super) struct Contact {
    /// All pairs of triangles that near each other; none if there are too many (where fans lie on
    /// each other: all with all).
    pairs: Option<Vec<NearPair>>,
}

impl Contact {
    pub(super) fn new(judge: &mut Judge<'_, '_, '_>, surfaces: &[Option<Surface>; 2]) -> Self {
        let [Some(a), Some(b)] = surfaces else { return Self { pairs: Some(Vec::new()) } };
        let work = PAIR_WORK[0] + PAIR_WORK[1] * (a.len() + b.len()) as u64;
        let settings = Settings { budget: judge.settings().budget.capped(work), ..Settings::default() };
        let found = local(&a.model, &b.model).pairs_within(judge.limits.tolerance, &settings, judge.scratch);
        *judge.stats += found.stats;
        Self { pairs: found.is_complete.then(|| found.pairs.to_vec()) }
    }

    /// The triangles of each part's mesh, sorted.
    pub(super) fn triangles(&self, judge: &mut Judge<'_, '_, '_>, surfaces: &[Option<Surface>; 2]) -> [Vec<u32>; 2] {
        let [Some(a), Some(b)] = surfaces else { return [Vec::new(), Vec::new()] };
        let marks: [HashSet<u32>; 2] = match &self.pairs {
            Some(pairs) => {
                [pairs.iter().map(|near| near.pair.a).collect(), pairs.iter().map(|near| near.pair.b).collect()]
            }
            None => [one_by_one(a, b, judge), one_by_one(b, a, judge)],
        };
        [a.marked(&marks[0]), b.marked(&marks[1])]
    }

    /// Do two triangles pass through each other, by more than the tolerance on all sides?
    pub(super) fn is_crossing(&self, surfaces: &[Option<Surface>; 2], tolerance: f64) -> bool {
        let [Some(a), Some(b)] = surfaces else { return false };
        let crossing = |near: &NearPair| {
            near.distance == 0.0 && cross(&a.triangle(near.pair.a), &b.triangle(near.pair.b), tolerance)
        };
        self.pairs.iter().flatten().any(crossing)
    }
}

/// The triangles of one surface that are within the tolerance of another: those with a corner
/// there, and then the few that are near only elsewhere.
fn one_by_one(own: &Surface, other: &Surface, judge: &mut Judge<'_, '_, '_>) -> HashSet<u32> {
    let (mesh, limit) = (own.model.mesh(), judge.limits.tolerance);
    let mut is_near = Vec::with_capacity(mesh.vertices().len());
    for &vertex in mesh.vertices() {
        if judge.until_cancelled.is_spent(judge.stats) {
            return HashSet::new();
        }
        is_near.push(other.any_within(vertex, limit, judge.scratch.room(), judge.stats).is_some());
    }
    let has_corner = |index: &u32| mesh.triangles()[*index as usize].iter().any(|&vertex| is_near[vertex as usize]);
    let (mut marks, rest): (HashSet<u32>, Vec<u32>) = split(0..own.len() as u32, has_corner);
    let corners: Vec<[u32; 3]> = rest.iter().map(|&index| mesh.triangles()[index as usize]).collect();
    let vertices: Vec<[f64; 3]> = mesh.vertices().iter().map(|vertex| vertex.to_array()).collect();
    // Without triangles there is no mesh, and nothing left to mark.
    let Ok(mesh) = Mesh::new(&vertices, &corners) else { return marks };
    let work = 4 * (PAIR_WORK[0] + PAIR_WORK[1] * (own.len() + other.len()) as u64);
    let settings = Settings { budget: judge.until_cancelled.capped(work), ..Settings::default() };
    let found = local(&Model::new(mesh), &other.model).pairs_within(limit, &settings, judge.scratch);
    *judge.stats += found.stats;
    marks.extend(found.pairs.iter().map(|near| rest[near.pair.a as usize]));
    marks
}

fn split(all: std::ops::Range<u32>, is_marked: impl Fn(&u32) -> bool) -> (HashSet<u32>, Vec<u32>) {
    (all.clone().filter(&is_marked).collect(), all.filter(|index| !is_marked(index)).collect())
}

fn cross(a: &Triangle, b: &Triangle, tolerance: f64) -> bool {
    let straddles = |[p, q, r]: &Triangle, corners: &Triangle| {
        let normal = (*q - *p).cross(*r - *p).normalize_or_zero();
        let heights = corners.map(|corner: DVec3| normal.dot(corner - *p));
        heights.iter().any(|&height| height > tolerance) && heights.iter().any(|&height| height < -tolerance)
    };
    let shared = overlap(a, b);
    let length = match shared.points() {
        [from, to] => (*to - *from).length(),
        _ => 0.0,
    };
    length > tolerance && straddles(a, b) && straddles(b, a)
}
