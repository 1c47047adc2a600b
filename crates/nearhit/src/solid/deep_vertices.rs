//! The deepest vertex below a mesh with holes: where no bound on a depth holds, a good one is
//! worth more than a long search.
//!
//! Vertices are looked at from the farthest from the other surface on: the first that is inside is
//! the deepest. Around one that is outside everything nearer to it than the surface is taken to be
//! outside, too. That is so for closed meshes; through a hole something deeper may be missed.

use super::local_depth::Search;
use super::pair::Side;
use crate::bounds::Bounds;
use crate::point::{ClosestPoint, Location, Room};
use crate::traverse::{Budget, Stats};
use glam::DVec3;

/// Balls that are known to be outside, at most: each is compared with all vertices after it.
const MOST_BALLS: usize = 256;

/// A vertex, a triangle that has it, and the nearest point of the other surface.
struct Vertex {
    point: DVec3,
    triangle: u32,
    closest: ClosestPoint,
}

impl Search<'_> {
    /// Looks at the vertices of a body that are in the box around the other one.
    pub(super) fn offer_vertices(&mut self, body: Side, budget: &Budget<'_>, room: &mut Room, stats: &mut Stats) {
        let other = *self.placed(body.other());
        let mut vertices = self.vertices_in_reach(body, budget, room, stats);
        vertices.sort_by(|one, next| next.closest.distance.total_cmp(&one.closest.distance));
        let mut outside: Vec<(DVec3, f64)> = Vec::new();
        for Vertex { point, triangle, closest } in &vertices {
            if closest.distance <= self.enough().max(0.0) || budget.is_spent(stats) {
                return;
            }
            if outside.iter().any(|(middle, radius)| point.distance(*middle) < *radius) {
                continue;
            }
            let place = other.contains_counted(*point, room, stats);
            match (place.location, place.is_certain()) {
                (Location::Inside, true) => return self.offer_known(body, *triangle, *point, closest),
                (Location::Outside, true) if outside.len() < MOST_BALLS => outside.push((*point, closest.distance)),
                _ => {}
            }
        }
    }

    /// Each place once, however many vertices are there.
    fn vertices_in_reach(&self, body: Side, budget: &Budget<'_>, room: &mut Room, stats: &mut Stats) -> Vec<Vertex> {
        let (own, other) = (*self.placed(body), *self.placed(body.other()));
        let corners = |index: usize| other.triangle(index as u32);
        let all = (0..other.model.mesh().triangles().len()).flat_map(corners);
        let Bounds { low, high } = all.collect();
        let mesh = own.model.mesh();
        let neighbours = own.model.inside().neighbours(mesh);
        let (mut seen, mut found) = (vec![false; mesh.vertices().len()], Vec::new());
        let corners =
            mesh.triangles().iter().enumerate().flat_map(|(index, corners)| corners.map(|vertex| (index, vertex)));
        for (triangle, vertex) in corners {
            let place = neighbours.place(vertex) as usize;
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            let point = own.point(mesh.vertices()[vertex as usize]);
            if point.cmpge(low).all() && point.cmple(high).all() && !budget.is_spent(stats) {
                let closest = other.closest_counted(point, room, stats);
                found.push(Vertex { point, triangle: triangle as u32, closest });
            }
        }
        found
    }
}
