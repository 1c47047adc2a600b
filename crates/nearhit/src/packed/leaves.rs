//! Pairs of triangles of two nodes, collected while their boxes are tested, then looked at nearest first.

use super::descend::key;
use super::lanes::{Lanes, WIDTH};
use super::node::{Content, WideNode};
use crate::mesh::Triangle;
use crate::query::{Pair, TrianglePair};
use crate::traverse::{Question, Stats};
use arrayvec::ArrayVec;
use glam::DVec3;
use std::ops::ControlFlow;

/// Lanes of two nodes and the bound of their boxes.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    bound: f32,
    lane_a: u8,
    lane_b: u8,
}

/// Up to 64 candidates.
#[derive(Debug)]
pub(super) struct Leaves {
    candidates: ArrayVec<Candidate, { WIDTH * WIDTH }>,
}

impl Leaves {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { candidates: ArrayVec::new() }
    }

    /// One lane of a against the lanes of b in the mask.
    #[inline(always)]
    pub(super) fn extend(&mut self, lane_a: usize, mut mask: u32, bounds: &Lanes) {
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            self.candidates.push(Candidate { bound: bounds.0[lane], lane_a: lane_a as u8, lane_b: lane as u8 });
        }
    }

    /// One lane of b against the lanes of a in the mask.
    #[inline(always)]
    pub(super) fn extend_swapped(&mut self, lane_b: usize, mut mask: u32, bounds: &Lanes) {
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            self.candidates.push(Candidate { bound: bounds.0[lane], lane_a: lane as u8, lane_b: lane_b as u8 });
        }
    }

    /// Puts the question to the candidates.
    #[inline(always)]
    pub(super) fn look<Q: Question>(
        &mut self,
        pair: &Pair<'_>,
        node_a: &WideNode,
        node_b: &WideNode,
        question: &mut Q,
        stats: &mut Stats,
    ) -> ControlFlow<()> {
        if self.candidates.is_empty() {
            return ControlFlow::Continue(());
        }
        if !Q::ONLY_CONTACT {
            self.candidates.sort_unstable_by(|p, q| p.bound.total_cmp(&q.bound));
        }
        look_at(&self.candidates, pair, node_a, node_b, question, stats)
    }
}

/// Not inlined: it is compiled once per question, for any CPU, and its work is in double precision.
#[inline(never)]
fn look_at<Q: Question>(
    candidates: &[Candidate],
    pair: &Pair<'_>,
    node_a: &WideNode,
    node_b: &WideNode,
    question: &mut Q,
    stats: &mut Stats,
) -> ControlFlow<()> {
    let (mut fetched_a, mut fetched_b) = (Fetched::new(), Fetched::new());
    for candidate in candidates {
        let (lane_a, lane_b) = (usize::from(candidate.lane_a), usize::from(candidate.lane_b));
        let (Content::Triangle(a), Content::Triangle(b)) = (node_a.content(lane_a), node_b.content(lane_b)) else {
            continue;
        };
        if !Q::ONLY_CONTACT && key(candidate.bound) >= question.threshold() {
            // They are sorted: the others are no nearer.
            question.left_out(question.threshold());
            break;
        }
        stats.triangle_tests += 1;
        let faced_a = fetched_a.get(lane_a, || pair.a().mesh().triangle(a));
        let faced_b = fetched_b.get(lane_b, || pair.posed_b(b));
        // Contact is a matter of signs; a canonical distance may be some ulps below the true one, which the slack covers.
        let enough = if Q::ONLY_CONTACT { f64::MIN_POSITIVE } else { question.threshold() + pair.slack() };
        if faced_b.plane.is_away(&faced_a.triangle, enough) || faced_a.plane.is_away(&faced_b.triangle, enough) {
            question.left_out(question.threshold());
            continue;
        }
        question.look(TrianglePair { a, b }, &faced_a.triangle, &faced_b.triangle)?;
    }
    ControlFlow::Continue(())
}

/// The triangles of one node that were needed so far.
struct Fetched {
    faced: ArrayVec<Faced, WIDTH>,
    /// Where each lane's triangle is in the list.
    places: [u8; WIDTH],
}

impl Fetched {
    const MISSING: u8 = u8::MAX;

    #[inline]
    fn new() -> Self {
        Self { faced: ArrayVec::new(), places: [Self::MISSING; WIDTH] }
    }

    #[inline]
    fn get(&mut self, lane: usize, fetch: impl FnOnce() -> Triangle) -> &Faced {
        if self.places[lane] == Self::MISSING {
            self.places[lane] = self.faced.len() as u8;
            let triangle = fetch();
            self.faced.push(Faced { plane: Plane::of(&triangle), triangle });
        }
        &self.faced[usize::from(self.places[lane])]
    }
}

/// A triangle and its plane, made once for all the triangles it meets.
#[derive(Debug)]
struct Faced {
    triangle: Triangle,
    plane: Plane,
}

/// The plane of a triangle, as a quick proof that another triangle is on one side of it.
#[derive(Debug, Clone, Copy)]
struct Plane {
    origin: DVec3,
    normal: DVec3,
    length_squared: f64,
    /// How far a computed height (times the normal's length) may be off, for a point at distance one along the farthest axis.
    ///
    /// With half-ulps u and edges of at most p and q along an axis: 12u·pq in each component of the normal, 12u·pq in the scalar product of three terms with
    /// components up to 2pq, and u in each difference: under 60u·pq. Coordinates here are at most 1e15, so nothing overflows, and what is lost to underflow is far below the smallest normal double.
    error: f64,
}

impl Plane {
    #[inline]
    fn of(triangle: &Triangle) -> Self {
        let (u, v) = (triangle[1] - triangle[0], triangle[2] - triangle[0]);
        let normal = u.cross(v);
        let error = 32.0 * f64::EPSILON * u.abs().max_element() * v.abs().max_element() + f64::MIN_POSITIVE;
        Self { origin: triangle[0], normal, length_squared: normal.length_squared(), error }
    }

    /// Is the whole triangle certainly on one side of the plane, and at least `distance` from it?
    #[inline]
    fn is_away(&self, triangle: &Triangle, distance: f64) -> bool {
        let [p, q, r] = [triangle[0] - self.origin, triangle[1] - self.origin, triangle[2] - self.origin];
        let (first, second, third) = (self.normal.dot(p), self.normal.dot(q), self.normal.dot(r));
        let (low, high) = (first.min(second).min(third), first.max(second).max(third));
        let farthest = p.abs().max(q.abs()).max(r.abs()).max_element();
        let clear = low.max(-high) - self.error * farthest - f64::MIN_POSITIVE;
        // Squares instead of a root and a division; rounded to the safe side.
        clear > 0.0 && clear * clear >= distance * distance * self.length_squared * (1.0 + 1e-12)
    }
}
