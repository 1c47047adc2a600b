//! Point membership by flood fill: which vertices of one solid are inside the other, starting from
//! where the surfaces meet?
//!
//! A triangle that meets nothing is wholly inside or wholly outside. So only the corners of
//! triangles in contact are tested; from those inside, the flood goes on through triangles that
//! meet nothing. Of a solid with holes that is not so: one can leave it through a hole. There every
//! vertex is tested.

use super::pair::{Side, SolidPair};
use crate::point::Placed;
use crate::point::Room;
use crate::query::TrianglePair;
use crate::traverse::{Budget, Stats};
use std::collections::{HashMap, HashSet, VecDeque};

pub(super) struct InteriorVertices<'m> {
    bodies: [Flooded<'m>; 2],
}

struct Flooded<'m> {
    own: Placed<'m>,
    other: Placed<'m>,
    in_contact: HashSet<u32>,
    /// Corners tested so far: are they inside the other?
    tested: HashMap<u32, bool>,
}

impl<'m> InteriorVertices<'m> {
    /// With all pairs of triangles that meet.
    pub(super) fn new(pair: &SolidPair<'m>, pairs: &[TrianglePair]) -> Self {
        let flooded = |body: Side, of: fn(&TrianglePair) -> u32| Flooded {
            own: pair.placed(body),
            other: pair.placed(body.other()),
            in_contact: pairs.iter().map(of).collect(),
            tested: HashMap::new(),
        };
        Self { bodies: [flooded(Side::A, |pair| pair.a), flooded(Side::B, |pair| pair.b)] }
    }

    /// The vertices inside the other solid that can be reached from these triangles, each with a
    /// triangle that has it, in an order that repeats.
    pub(super) fn vertices(
        &mut self,
        body: Side,
        triangles: &[u32],
        budget: &Budget<'_>,
        room: &mut Room,
        stats: &mut Stats,
    ) -> Vec<(u32, u32)> {
        self.bodies[usize::from(body == Side::B)].flood(triangles, budget, room, stats)
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
                if self.is_inside(vertex, place, room, stats) && seen.insert(place) {
                    found.push((vertex, triangle));
                    open.push_back(place);
                }
            }
        }
        let has_holes = !self.other.model.inside().is_exact();
        // Ends: every place is seen once.
        while let Some(place) = open.pop_front() {
            for &triangle in neighbours.around(place) {
                if self.in_contact.contains(&triangle) {
                    continue;
                }
                for &vertex in &mesh.triangles()[triangle as usize] {
                    let next = neighbours.place(vertex);
                    let is_new = seen.insert(next);
                    if is_new && (!has_holes || self.is_inside(vertex, next, room, stats)) {
                        found.push((vertex, triangle));
                        open.push_back(next);
                    }
                }
            }
        }
        found
    }

    /// Is a vertex inside the other for certain?
    fn is_inside(&mut self, vertex: u32, place: u32, room: &mut Room, stats: &mut Stats) -> bool {
        let (own, other) = (self.own, self.other);
        *self.tested.entry(place).or_insert_with(|| {
            let point = own.point(own.model.mesh().vertices()[vertex as usize]);
            let found = other.contains_counted(point, room, stats);
            found.is_in_solid() && found.is_certain()
        })
    }
}
