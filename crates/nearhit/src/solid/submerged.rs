//! Which vertices of one solid are inside the other, starting from where the surfaces meet?
//!
//! A triangle that meets nothing is wholly inside or wholly outside. So only the corners of triangles in contact are tested; from those inside, the flood goes on through triangles that meet nothing.

use super::Room;
use super::pair::{Body, SolidPair};
use super::placed::Placed;
use crate::query::TrianglePair;
use crate::traverse::{Budget, Stats};
use std::collections::{HashMap, HashSet, VecDeque};

pub(super) struct Submerged<'m> {
    bodies: [Flooded<'m>; 2],
}

struct Flooded<'m> {
    own: Placed<'m>,
    other: Placed<'m>,
    in_contact: HashSet<u32>,
    /// Corners tested so far: are they inside the other?
    tested: HashMap<u32, bool>,
}

impl<'m> Submerged<'m> {
    /// With all pairs of triangles that meet.
    pub(super) fn new(pair: &SolidPair<'m>, pairs: &[TrianglePair]) -> Self {
        let flooded = |body: Body, of: fn(&TrianglePair) -> u32| Flooded {
            own: pair.placed(body),
            other: pair.placed(body.other()),
            in_contact: pairs.iter().map(of).collect(),
            tested: HashMap::new(),
        };
        Self { bodies: [flooded(Body::A, |pair| pair.a), flooded(Body::B, |pair| pair.b)] }
    }

    /// The vertices inside the other solid that can be reached from these triangles, each with a triangle that has it, in an order that repeats.
    pub(super) fn vertices(
        &mut self,
        body: Body,
        triangles: &[u32],
        budget: &Budget<'_>,
        room: &mut Room,
        stats: &mut Stats,
    ) -> Vec<(u32, u32)> {
        self.bodies[usize::from(body == Body::B)].flood(triangles, budget, room, stats)
    }
}

impl Flooded<'_> {
    /// What the budget leaves out is missing.
    fn flood(&mut self, triangles: &[u32], budget: &Budget<'_>, room: &mut Room, stats: &mut Stats) -> Vec<(u32, u32)> {
        let mesh = self.own.model.mesh();
        let neighbours = self.own.model.inside().neighbours(mesh);
        let (mut found, mut seen, mut open) = (Vec::new(), HashSet::new(), VecDeque::new());
        for &triangle in triangles {
            if budget.is_spent(stats) {
                break;
            }
            for &vertex in &mesh.triangles()[triangle as usize] {
                let place = neighbours.place(vertex);
                let inside = *self.tested.entry(place).or_insert_with(|| {
                    let point = self.own.point(mesh.vertices()[vertex as usize]);
                    self.other.contains_counted(point, room, stats).is_in_solid()
                });
                if inside && seen.insert(place) {
                    found.push((vertex, triangle));
                    open.push_back(place);
                }
            }
        }
        // Ends: every place is seen once.
        while let Some(place) = open.pop_front() {
            for &triangle in neighbours.around(place) {
                if self.in_contact.contains(&triangle) {
                    continue;
                }
                for &vertex in &mesh.triangles()[triangle as usize] {
                    if seen.insert(neighbours.place(vertex)) {
                        found.push((vertex, triangle));
                        open.push_back(neighbours.place(vertex));
                    }
                }
            }
        }
        found
    }
}
