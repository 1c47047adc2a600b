//! The search for contact alone: what is open, and which of it is next?
//!
//! Where only contact matters the order of the pairs decides little, so that up to eight are taken
//! from the stack at a time and their frames are related together (`facing.rs`): that costs some
//! four times as much as for one pair, and what is apart as a whole is known at once. The one on
//! top of the stack comes last, so that what it leaves is on top again. Leaves wait until there are
//! eight.

use super::descend::{Descent, Opening, Step, limit};
use super::facing::Frames;
use super::lanes::WIDTH;
use super::leaf_store::Leaves;
use crate::traverse::{Budget, Outcome, Question};
use std::ops::ControlFlow;

/// So many pairs are taken one after the other before the first are taken together: a search that
/// ends at a contact mostly ends early.
const ALONE: usize = 20;

/// Pairs that are left, the next on top.
#[derive(Debug, Default)]
pub(super) struct Open {
    nodes: Vec<Opening>,
    leaves: Vec<(u32, u32)>,
}

impl Open {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.leaves.clear();
    }
}

impl Descent<'_> {
    /// Two slots are left for later: of which node, and in which lane.
    #[inline(always)]
    pub(super) fn defer(&mut self, a: (u32, usize), b: (u32, usize)) {
        match self.next_step(a, b) {
            Step::Open(opening) => self.room.open.nodes.push(opening),
            Step::Look(leaf_a, leaf_b) => self.room.open.leaves.push((leaf_a, leaf_b)),
        }
    }

    /// What the opening of two nodes left.
    pub(super) fn defer_kept(&mut self, a: u32, b: u32) {
        self.room.found.deepest_last();
        for at in 0..self.room.found.kept.len() {
            let kept = self.room.found.kept[at];
            self.defer((a, kept.lane_a()), (b, kept.lane_b()));
        }
    }

    /// Until nothing is left, or the question is answered.
    pub(super) fn run_for_contact<Q: Question>(&mut self, question: &mut Q, budget: &Budget<'_>) -> Outcome {
        let mut taken = 0;
        loop {
            let (nodes, leaves) = (self.room.open.nodes.len(), self.room.open.leaves.len());
            let most = if taken < ALONE { 1 } else { WIDTH };
            if nodes + leaves == 0 {
                return Outcome::Complete;
            }
            if budget.is_spent(&self.stats) {
                // All keys are zero where only contact is asked for.
                return Outcome::OutOfBudget { open: 0.0 };
            }
            let outcome = if leaves >= most || nodes == 0 {
                taken += most.min(leaves);
                self.look_at_next(most.min(leaves), question, budget)
            } else {
                taken += most.min(nodes);
                self.open_next(most.min(nodes), question, budget)
            };
            if let ControlFlow::Break(outcome) = outcome {
                return outcome;
            }
        }
    }

    /// Opens so many pairs of nodes.
    fn open_next<Q: Question>(&mut self, count: usize, question: &mut Q, budget: &Budget<'_>) -> ControlFlow<Outcome> {
        let limit = limit(question);
        let open = &mut self.room.open.nodes;
        let start = open.len() - count;
        if count == 1 {
            let Some(opening) = open.pop() else { return ControlFlow::Continue(()) };
            self.open(opening, None, limit);
            self.defer_found(opening);
            return ControlFlow::Continue(());
        }
        let mut next = [open[start]; WIDTH];
        next[..count].copy_from_slice(&open[start..]);
        open.truncate(start);
        let (nodes_a, nodes_b) = (&self.a.nodes, &self.b.nodes);
        let mut frames: Frames<'_> = ([&nodes_a[0].frame; WIDTH], [&nodes_b[0].frame; WIDTH]);
        for (at, opening) in next[..count].iter().enumerate() {
            (frames.0[at], frames.1[at]) = (&nodes_a[opening.a as usize].frame, &nodes_b[opening.b as usize].frame);
        }
        let mut meeting = (self.together.relate)(&frames, &self.between, limit, &mut self.room.relations);
        meeting &= (1 << count) - 1;
        self.stats.volume_tests += count as u64 - u64::from(meeting.count_ones());
        while meeting != 0 {
            let at = meeting.trailing_zeros() as usize % WIDTH;
            meeting &= meeting - 1;
            if budget.is_spent(&self.stats) {
                return ControlFlow::Break(Outcome::OutOfBudget { open: 0.0 });
            }
            self.open(next[at], Some(at), limit);
            self.defer_found(next[at]);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn defer_found(&mut self, opening: Opening) {
        self.stats.volume_tests += self.room.found.tests();
        if !self.room.found.kept.is_empty() {
            self.defer_kept(opening.a, opening.b);
        }
    }

    /// Looks at so many pairs of leaves.
    fn look_at_next<Q: Question>(
        &mut self,
        count: usize,
        question: &mut Q,
        budget: &Budget<'_>,
    ) -> ControlFlow<Outcome> {
        let open = &mut self.room.open.leaves;
        let start = open.len() - count;
        let (Leaves::Whole(leaves_a), Leaves::Whole(leaves_b)) = (&self.a.leaves, &self.b.leaves) else {
            unreachable!("compact trees are searched by the agenda");
        };
        let mut next = [open[start]; WIDTH];
        next[..count].copy_from_slice(&open[start..]);
        open.truncate(start);
        let mut meeting = 1;
        if count > 1 {
            let mut frames: Frames<'_> = ([&leaves_a[0].frame; WIDTH], [&leaves_b[0].frame; WIDTH]);
            for (at, &(a, b)) in next[..count].iter().enumerate() {
                (frames.0[at], frames.1[at]) = (&leaves_a[a as usize].frame, &leaves_b[b as usize].frame);
            }
            meeting = (self.together.relate)(&frames, &self.between, limit(question), &mut self.room.relations);
            meeting &= (1 << count) - 1;
            self.stats.volume_tests += count as u64 - u64::from(meeting.count_ones());
        }
        while meeting != 0 {
            let at = meeting.ilog2() as usize % WIDTH;
            meeting &= !(1 << at);
            if budget.is_spent(&self.stats) {
                return ControlFlow::Break(Outcome::OutOfBudget { open: 0.0 });
            }
            if self.look(next[at], (count > 1).then_some(at), question).is_break() {
                return ControlFlow::Break(Outcome::Satisfied);
            }
        }
        ControlFlow::Continue(())
    }
}
