//! Which triangles of two surfaces touch? Each triangle by itself: where fans lie on each other all
//! pairs are all with all.

use super::candidates::candidates;
use super::judge::Judge;
use super::surface::Surface;
use crate::mesh::Mesh;
use crate::model::Model;
use crate::query::Settings;
use std::collections::HashSet;

/// Tests for the triangles that none of their own points marks, and those for each triangle.
const REST_WORK: [u64; 2] = [800_000, 240];

/// Triangles that touch the other part.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Touching {
    /// Of each part's mesh, within the tolerance of the other part, sorted.
    pub(super) triangles: [Vec<u32>; 2],
    /// Are these all? False: the work was too much, or cancelled.
    pub(super) is_complete: bool,
}

impl Touching {
    pub(super) fn new(judge: &mut Judge<'_, '_, '_>, surfaces: &[Option<Surface>; 2]) -> Self {
        let [Some(a), Some(b)] = surfaces else { return Self::default() };
        let [(of_a, is_all_of_a), (of_b, is_all_of_b)] = [near(a, b, judge), near(b, a, judge)];
        Self { triangles: [a.marked(&of_a), b.marked(&of_b)], is_complete: is_all_of_a && is_all_of_b }
    }
}

/// The triangles of one surface that are within the tolerance of another: those with a corner, the
/// middle of a side or of the whole there, and then the few that are near only elsewhere. Are these
/// all?
fn near(own: &Surface, other: &Surface, judge: &mut Judge<'_, '_, '_>) -> (HashSet<u32>, bool) {
    let (mesh, limit) = (own.model.mesh(), judge.limits.tolerance);
    let mut is_near = Vec::with_capacity(mesh.vertices().len());
    for &vertex in mesh.vertices() {
        if judge.until_cancelled.is_spent(judge.stats) {
            return (HashSet::new(), false);
        }
        is_near.push(other.any_near(vertex, limit, judge.scratch.room(), judge.stats).is_some());
    }
    let (mut marks, mut rest) = (HashSet::new(), Vec::new());
    for (index, &corners) in mesh.triangles().iter().enumerate() {
        let [a, b, c] = own.triangle(index as u32);
        let inner = [0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a), (a + b + c) / 3.0];
        let mut is_near_at = |point| other.any_near(point, limit, judge.scratch.room(), judge.stats).is_some();
        if corners.iter().any(|&vertex| is_near[vertex as usize]) || inner.into_iter().any(&mut is_near_at) {
            marks.insert(index as u32);
        } else {
            rest.push(index as u32);
        }
    }
    let corners: Vec<[u32; 3]> = rest.iter().map(|&index| mesh.triangles()[index as usize]).collect();
    let vertices: Vec<[f64; 3]> = mesh.vertices().iter().map(|vertex| vertex.to_array()).collect();
    // Without triangles there is no mesh, and nothing left to mark.
    let Ok(mesh) = Mesh::new(&vertices, &corners) else { return (marks, true) };
    let work = REST_WORK[0] + REST_WORK[1] * (own.len() + other.len()) as u64;
    let settings = Settings { budget: judge.until_cancelled.capped(work), ..Settings::default() };
    let found = candidates(&Model::new(mesh), &other.model, limit, &settings, judge.scratch);
    *judge.stats += found.stats;
    marks.extend(found.pairs.iter().map(|&(own, _)| rest[own as usize]));
    (marks, found.is_complete)
}
