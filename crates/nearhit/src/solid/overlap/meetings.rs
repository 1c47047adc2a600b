//! All pairs of triangles that meet once one body is moved by an infinitely small step, and where
//! their edges pass through each other.

use super::Frame;
use super::flats::Flats;
use super::sum::Near;
use crate::inside::Inside;
use crate::mesh::Triangle;
use crate::pose::Pose;
use crate::primitive::exact::plane_crossing;
use crate::primitive::shift::{Piercing, Shift};
use crate::query::{Pair, Scratch, Settings, TrianglePair};
use crate::traverse::{Outcome, Question, Stats};
use glam::DVec3;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Two triangles and the ends of what they share.
#[derive(Debug, Clone, Copy)]
struct Met {
    pair: TrianglePair,
    ends: [Piercing; 2],
}

/// An end of what two triangles share, where an edge of a body passes through the other's surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeCut {
    pub(super) triangle: u32,
    /// From corner `edge` of the triangle to the next.
    pub(super) edge: u8,
    /// How far along it.
    pub(super) share: f64,
    /// What the other body's winding number changes by.
    pub(super) jump: i32,
    pub(super) point: Near,
    /// The same for all triangles at this edge.
    pub(super) id: u32,
}

/// What a triangle shares with one of the other body, in the direction in which the other body's
/// inside is to the left, seen from the front.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chord {
    pub(super) triangle: u32,
    pub(super) ends: [Near; 2],
    pub(super) ids: [u32; 2],
}

/// What is known of one body's surface.
#[derive(Debug, Default)]
pub(super) struct Trace {
    /// By triangle, edge and share.
    pub(super) cuts: Vec<EdgeCut>,
    /// By triangle.
    pub(super) chords: Vec<Chord>,
}

/// Of both bodies.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    pub(super) traces: [Trace; 2],
    /// Triangles in one plane, face to face, that the step has pressed into each other.
    pub(super) pressed: Vec<TrianglePair>,
    /// How many different ends there are.
    pub(super) ids: usize,
    /// Does every shared segment have two ends? Always, unless there is a fault.
    pub(super) is_consistent: bool,
}

/// Everything that meets; `None` if the budget ran out.
pub(super) fn meetings(
    pair: &Pair<'_>,
    shift: Shift,
    frame: &Frame,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
    stats: &mut Stats,
) -> Option<Meetings> {
    let insides = [pair.a().inside(), pair.b().inside()];
    let is_itself = std::ptr::eq(pair.a(), pair.b()) && *pair.a_from_b() == Pose::IDENTITY;
    let flats = is_itself.then(|| Flats::new(pair.a()));
    let mut search = Search { shift, insides, flats, met: Vec::new(), pressed: Vec::new(), is_consistent: true };
    let (outcome, spent) = pair.descend(&mut search, settings, scratch);
    *stats += spent;
    if outcome != Outcome::Complete {
        return None;
    }
    // Tiles of a triangle are met one by one.
    search.met.sort_unstable_by_key(|met| key(met.pair));
    search.met.dedup_by_key(|met| key(met.pair));
    search.pressed.sort_unstable_by_key(|pair| key(*pair));
    search.pressed.dedup();
    let mut found = Meetings { pressed: search.pressed, is_consistent: search.is_consistent, ..Meetings::default() };
    let mut known = HashMap::new();
    search.met.iter().for_each(|met| found.add(pair, met, frame, &mut known));
    found.ids = known.len();
    for trace in &mut found.traces {
        trace.cuts.sort_by(|one, other| {
            (one.triangle, one.edge).cmp(&(other.triangle, other.edge)).then(one.share.total_cmp(&other.share))
        });
        trace.chords.sort_by_key(|chord| chord.triangle);
    }
    Some(found)
}

fn key(pair: TrianglePair) -> u64 {
    u64::from(pair.a) << 32 | u64::from(pair.b)
}

/// The body, the edge by its two places, and the triangle of the other body.
type EndKey = (bool, u32, u32, u32);

impl Meetings {
    fn add(&mut self, pair: &Pair<'_>, met: &Met, frame: &Frame, known: &mut HashMap<EndKey, u32>) {
        let triangles = pair.triangles(met.pair);
        let models = [pair.a(), pair.b()];
        // In a's chord: where its edge leaves b, or b's edge enters a, it begins.
        let mut ends = [(Near::default(), 0); 2];
        for end in met.ends {
            let own = usize::from(!end.is_of_first);
            let (mine, others) = if own == 0 { (triangles.0, triangles.1) } else { (triangles.1, triangles.0) };
            let (mine_index, other_index) = if own == 0 { (met.pair.a, met.pair.b) } else { (met.pair.b, met.pair.a) };
            let edge = end.edge as usize;
            let (share, point) = crossing([mine[edge], mine[(edge + 1) % 3]], &others, frame);
            let mesh = models[own].mesh();
            let corners = mesh.triangles()[mine_index as usize];
            let neighbours = models[own].inside().neighbours(mesh);
            let [p, q] = [edge, (edge + 1) % 3].map(|corner| neighbours.place(corners[corner]));
            let next = known.len() as u32;
            let id = *known.entry((end.is_of_first, p.min(q), p.max(q), other_index)).or_insert(next);
            let jump = if end.enters { 1 } else { -1 };
            self.traces[own].cuts.push(EdgeCut { triangle: mine_index, edge: end.edge, share, jump, point, id });
            ends[usize::from(end.enters == end.is_of_first)] = (point, id);
        }
        let (points, ids) = (ends.map(|end| end.0), ends.map(|end| end.1));
        self.traces[0].chords.push(Chord { triangle: met.pair.a, ends: points, ids });
        let (points, ids) = ([points[1], points[0]], [ids[1], ids[0]]);
        self.traces[1].chords.push(Chord { triangle: met.pair.b, ends: points, ids });
    }
}

/// How far along an edge a plane is crossed, and where.
fn crossing([p, q]: [DVec3; 2], plane: &Triangle, frame: &Frame) -> (f64, Near) {
    let share = plane_crossing(plane.map(|corner| corner.to_array()), p.to_array(), q.to_array());
    let (from, to) = (frame.point(p), frame.point(q));
    let way = to.at - from.at;
    // The share is right to half an ulp and 2^-64; the way, the product and the sum round once.
    let error = from.error + to.error + f64::EPSILON * (3.0 * way.abs().max_element() + from.at.abs().max_element());
    (share, Near { at: from.at + way * share, error })
}

struct Search<'m> {
    shift: Shift,
    insides: [&'m Inside; 2],
    /// Of a mesh with itself.
    flats: Option<Flats>,
    met: Vec<Met>,
    pressed: Vec<TrianglePair>,
    is_consistent: bool,
}

impl Question for Search<'_> {
    fn only_contact(&self) -> bool {
        true
    }

    fn threshold(&self) -> f64 {
        f64::MIN_POSITIVE
    }

    #[inline]
    fn look(&mut self, pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()> {
        if self.flats.as_ref().is_some_and(|flats| flats.is_one(pair.a, pair.b)) {
            return ControlFlow::Continue(());
        }
        if !self.insides[0].counts(pair.a) || !self.insides[1].counts(pair.b) {
            return ControlFlow::Continue(());
        }
        let meeting = self.shift.meeting(a, b);
        if meeting.is_pressed {
            self.pressed.push(pair);
        }
        match *meeting.piercings {
            [] => {}
            [one, other] if (one.enters == one.is_of_first) != (other.enters == other.is_of_first) => {
                self.met.push(Met { pair, ends: [one, other] });
            }
            _ => self.is_consistent = false,
        }
        ControlFlow::Continue(())
    }
}
