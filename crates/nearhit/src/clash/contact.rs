//! Which triangles of two surfaces touch? Pairs of them where there are few, otherwise each triangle by itself.

use super::judge::Judge;
use super::penetration::local;
use super::surface::Surface;
use crate::mesh::{Mesh, Triangle};
use crate::model::Model;
use crate::primitive::overlap::overlap;
use crate::query::{NearPair, Settings, Verdict};
use glam::DVec3;
use std::collections::HashSet;

/// Tests before pairs are given up, and those for each triangle.
const PAIR_WORK: [u64; 2] = [200_000, 60];

/// What of two surfaces is within the tolerance of the other.
#[derive(Debug)]
pub(super) struct Contact {
    /// All pairs of triangles that near each other; none if there are too many (where fans lie on each other: all with all).
    pairs: Option<Vec<NearPair>>,
}

impl Contact {
    pub(super) fn new(judge: &mut Judge<'_, '_, '_>, surfaces: &[Option<Surface>; 2]) -> Self {
        let [Some(a), Some(b)] = surfaces else { return Self { pairs: Some(Vec::new()) } };
        let work = PAIR_WORK[0] + PAIR_WORK[1] * (a.len() + b.len()) as u64;
        let settings = Settings { budget: judge.settings().budget.capped(work), ..Settings::default() };
        let found = local(&a.model, &b.model).pairs_within(judge.limits.tolerance, &settings, judge.scratch);
        *judge.stats += found.stats;
        Self { pairs: found.complete.then(|| found.pairs.to_vec()) }
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

/// The triangles of one surface that are within the tolerance of another.
fn one_by_one(own: &Surface, other: &Surface, judge: &mut Judge<'_, '_, '_>) -> HashSet<u32> {
    let mut marks = HashSet::new();
    for index in 0..own.len() as u32 {
        let settings = Settings { budget: judge.until_cancelled, ..Settings::default() };
        if settings.budget.is_spent(judge.stats) {
            break;
        }
        if is_near(&own.triangle(index), other, judge, &settings) {
            marks.insert(index);
        }
    }
    marks
}

fn is_near(triangle: &Triangle, other: &Surface, judge: &mut Judge<'_, '_, '_>, settings: &Settings<'_>) -> bool {
    let limit = judge.limits.tolerance;
    let middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
    for point in [middle].iter().chain(triangle) {
        if other.any_within(*point, limit, judge.scratch.room(), judge.stats).is_some() {
            return true;
        }
    }
    let Ok(mesh) = Mesh::new(&triangle.map(|corner| corner.to_array()), &[[0, 1, 2]]) else { return false };
    let single = Model::new(mesh);
    let found = local(&single, &other.model).within(limit, settings, judge.scratch);
    *judge.stats += found.stats;
    found.verdict == Verdict::Yes
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
