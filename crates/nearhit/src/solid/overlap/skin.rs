//! The part of one body's surface that is inside the other body: winding numbers at its corners,
//! and what the part adds to the overlap.
//!
//! A corner's winding number is that of its neighbour, changed by what the edge between them passes
//! through. So one ray is enough for each connected piece, and none for a piece that reaches beyond
//! the other body's box.

use super::Frame;
use super::meetings::{Chord, EdgeCut, Trace};
use super::sum::{Area, Moments, Near};
use crate::inside::{Joined, Neighbours};
use crate::point::{Placed, Room};
use crate::primitive::intersect::is_degenerate;
use crate::primitive::shift::Shift;
use crate::traverse::{Budget, Stats};
use glam::DVec3;

/// A corner without a winding number yet.
const UNKNOWN: i32 = i32::MIN;
/// So many corners of a piece are asked before the surface they may lie on is moved.
const TRIES: usize = 4;
/// Triangles between two looks at the budget.
const LOOKS: u32 = 64;

/// One body's surface, beside the other body.
pub(super) struct Skin<'s, 'm> {
    pub(super) own: Placed<'m>,
    pub(super) other: Placed<'m>,
    /// The box around the other body.
    pub(super) other_box: [DVec3; 2],
    /// This body's step.
    pub(super) shift: Shift,
    pub(super) trace: &'s Trace,
    pub(super) frame: &'s Frame,
}

/// What is inside the other body.
pub(super) struct Part {
    pub(super) moments: Moments,
    /// The box around it, in the frame's numbers.
    pub(super) low: DVec3,
    pub(super) high: DVec3,
    /// The largest winding number of the other body met on it.
    pub(super) most: i32,
    /// Ends of shared segments, then places: which hang together inside the other body.
    pub(super) joined: Joined,
    /// False: there is a fault, and nothing holds.
    pub(super) is_consistent: bool,
}

impl<'m> Skin<'_, 'm> {
    /// None if the budget ran out.
    pub(super) fn part(&self, ids: usize, budget: &Budget<'_>, room: &mut Room, stats: &mut Stats) -> Option<Part> {
        let mesh = self.own.model.mesh();
        let neighbours = self.own.model.inside().neighbours(mesh);
        let places = mesh.vertices().len();
        let mut windings = vec![UNKNOWN; places];
        let mut part = Part {
            moments: Moments::default(),
            low: DVec3::INFINITY,
            high: DVec3::NEG_INFINITY,
            most: 0,
            joined: Joined::new(ids + places),
            is_consistent: true,
        };
        let (mut cuts, mut chords) = (&self.trace.cuts[..], &self.trace.chords[..]);
        for triangle in 0..mesh.triangles().len() as u32 {
            if triangle.is_multiple_of(LOOKS) && budget.is_spent(stats) {
                return None;
            }
            let corners = self.own.triangle(triangle);
            let (own_cuts, own_chords);
            (own_cuts, cuts) = split(cuts, |cut| cut.triangle == triangle);
            (own_chords, chords) = split(chords, |chord| chord.triangle == triangle);
            if self.is_beyond(&corners) || !self.counts(triangle) {
                continue;
            }
            let vertices = mesh.triangles()[triangle as usize];
            let at = vertices.map(|vertex| neighbours.place(vertex));
            let known = at.map(|place| self.winding(place, neighbours, &mut windings, room, stats));
            if own_chords.is_empty() && own_cuts.is_empty() && known == [0; 3] {
                continue;
            }
            let face = Face { corners, places: at.map(|place| ids as u32 + place), windings: known };
            face.add(own_cuts, own_chords, self.frame, &mut part);
        }
        Some(part)
    }

    /// Is a triangle a piece of the surface? One without a plane has no area, and its edges are
    /// those of others, which know what passes through them.
    fn counts(&self, triangle: u32) -> bool {
        self.own.model.inside().counts(triangle) && !is_degenerate(&self.own.triangle(triangle))
    }

    /// Is a triangle outside of the other body's box?
    fn is_beyond(&self, [a, b, c]: &[DVec3; 3]) -> bool {
        let [low, high] = self.other_box;
        let (least, most) = (a.min(*b).min(*c), a.max(*b).max(*c));
        most.cmplt(low).any() || least.cmpgt(high).any()
    }

    fn is_outside(&self, point: DVec3) -> bool {
        let [low, high] = self.other_box;
        point.cmplt(low).any() || point.cmpgt(high).any()
    }

    /// The other body's winding number at a place.
    fn winding(
        &self,
        place: u32,
        neighbours: &Neighbours,
        windings: &mut [i32],
        room: &mut Room,
        stats: &mut Stats,
    ) -> i32 {
        if windings[place as usize] == UNKNOWN {
            self.flood(place, neighbours, windings, room, stats);
        }
        windings[place as usize]
    }

    /// Winding numbers of all places that hang together with this one inside the box.
    fn flood(&self, start: u32, neighbours: &Neighbours, windings: &mut [i32], room: &mut Room, stats: &mut Stats) {
        let mesh = self.own.model.mesh();
        let point = |place: u32| self.own.point(mesh.vertices()[place as usize]);
        windings[start as usize] = 0;
        if self.is_outside(point(start)) {
            return;
        }
        // First relative to the start.
        let (mut members, mut next, mut offset) = (vec![start], 0, None);
        while let Some(&place) = members.get(next) {
            next += 1;
            for &triangle in neighbours.around(place) {
                if !self.counts(triangle) {
                    continue;
                }
                let at = mesh.triangles()[triangle as usize].map(|vertex| neighbours.place(vertex));
                for (edge, (i, j)) in [(0, 1), (1, 2), (2, 0)].into_iter().enumerate() {
                    let (other, sign) = match (at[i] == place, at[j] == place) {
                        (true, false) => (at[j], 1),
                        (false, true) => (at[i], -1),
                        _ => continue,
                    };
                    let is_outside = self.is_outside(point(other));
                    if windings[other as usize] != UNKNOWN && !(is_outside && offset.is_none()) {
                        continue;
                    }
                    let winding = windings[place as usize] + sign * self.jump(triangle, edge as u8);
                    if is_outside {
                        offset = Some(-winding);
                        windings[other as usize] = 0;
                    } else {
                        windings[other as usize] = winding;
                        members.push(other);
                    }
                }
            }
        }
        let offset = offset.unwrap_or_else(|| {
            let (place, winding) = self.asked(&members, point, room, stats);
            winding - windings[place as usize]
        });
        members.iter().for_each(|&member| windings[member as usize] += offset);
    }

    /// How the winding number changes along an edge of a triangle.
    fn jump(&self, triangle: u32, edge: u8) -> i32 {
        let cuts = &self.trace.cuts;
        let first = cuts.partition_point(|cut| (cut.triangle, cut.edge) < (triangle, edge));
        cuts[first..].iter().take_while(|cut| (cut.triangle, cut.edge) == (triangle, edge)).map(|cut| cut.jump).sum()
    }

    /// One of the places, and the winding number there, by a ray.
    fn asked(&self, members: &[u32], point: impl Fn(u32) -> DVec3, room: &mut Room, stats: &mut Stats) -> (u32, i32) {
        for &place in members.iter().take(TRIES) {
            if let Some(winding) = self.other.contains_counted(point(place), room, stats).winding {
                return (place, winding as i32);
            }
        }
        // All on the other surface: moved off it.
        let (place, model) = (members[0], self.other.model);
        let count = model.mesh().triangles().len() as u32;
        stats.triangle_tests += u64::from(count);
        let counted = (0..count).filter(|&triangle| model.inside().counts(triangle));
        let winding = counted.map(|triangle| self.shift.winding(point(place), &self.other.triangle(triangle)));
        (place, winding.sum())
    }
}

/// The leading elements of a sorted list that belong, and the rest.
fn split<T>(list: &[T], belongs: impl Fn(&T) -> bool) -> (&[T], &[T]) {
    list.split_at(list.iter().take_while(|element| belongs(element)).count())
}

/// A triangle with its corners' winding numbers.
struct Face {
    corners: [DVec3; 3],
    /// As elements of what is connected.
    places: [u32; 3],
    windings: [i32; 3],
}

impl Face {
    /// Adds what is inside: its outline is made of pieces of edges, and of chords.
    fn add(&self, cuts: &[EdgeCut], chords: &[Chord], frame: &Frame, part: &mut Part) {
        let corners = self.corners.map(|corner| frame.point(corner));
        // Some point of the face near its outline: products are small then.
        let apex = chords.first().map_or(corners[0], |chord| chord.ends[0]);
        let mut area = Area::default();
        let mut rest = cuts;
        for edge in 0..3 {
            let end = (edge + 1) % 3;
            let own;
            (own, rest) = split(rest, |cut| cut.edge as usize == edge);
            let (mut winding, mut from, mut from_id) = (self.windings[edge], corners[edge], self.places[edge]);
            for cut in own {
                part.add_piece([apex, from, cut.point], [from_id, cut.id], winding, &mut area);
                (winding, from, from_id) = (winding + cut.jump, cut.point, cut.id);
            }
            part.add_piece([apex, from, corners[end]], [from_id, self.places[end]], winding, &mut area);
            part.is_consistent &= winding == self.windings[end];
        }
        for chord in chords {
            part.add_piece([apex, chord.ends[0], chord.ends[1]], chord.ids, 1, &mut area);
        }
        part.moments.area.add_sum(area.length());
    }
}

impl Part {
    /// A piece of an outline, with the winding number to its left.
    fn add_piece(&mut self, points: [Near; 3], ids: [u32; 2], winding: i32, area: &mut Area) {
        if winding == 0 {
            return;
        }
        self.most = self.most.max(winding.abs());
        self.joined.join(ids[0], ids[1]);
        for point in &points[1..] {
            self.low = self.low.min(point.at - point.error);
            self.high = self.high.max(point.at + point.error);
        }
        self.moments.add(points, f64::from(winding), area);
    }
}
