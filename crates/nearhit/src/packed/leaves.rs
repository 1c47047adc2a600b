//! Pairs of triangles of two nodes, collected while their boxes are tested, then looked at nearest first.

use super::descend::key;
use super::lanes::{Lanes, WIDTH};
use super::node::{Content, WideNode};
use crate::mesh::Triangle;
use crate::query::{Pair, TrianglePair};
use crate::traverse::{Question, Stats};
use arrayvec::ArrayVec;
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
    let mut fetched_a: [Option<Triangle>; WIDTH] = [None; WIDTH];
    let mut fetched_b: [Option<Triangle>; WIDTH] = [None; WIDTH];
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
        let triangle_a = fetched_a[lane_a].get_or_insert_with(|| pair.a().mesh().triangle(a));
        let triangle_b = fetched_b[lane_b].get_or_insert_with(|| pair.posed_b(b));
        question.look(TrianglePair { a, b }, triangle_a, triangle_b)?;
    }
    ControlFlow::Continue(())
}
