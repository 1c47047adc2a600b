//! Optimisation of a whole level of a bounding sphere hierarchy: clustering of the surface by all
//! its balls together, whatever their parents (as Lloyd's algorithm).
//!
//! A parent whose share is awkward needs more than its eight children, and its neighbours have
//! room. A piece may go to any ball whose parent may have it (`admissible`), so all balls of a
//! level are settled together: pieces go to the ball that takes them best; a ball that would hardly
//! be missed leaves its place to a part of one that sticks out far (`relocate`); at last balls hand
//! over what others take at a lower cost than it saves (`reassign`).

use super::admissible::{Admissible, by_parent};
use super::cluster::{Cluster, cost};
use super::field::{Field, Fields};
use super::fit::improve;
use super::medial::MedialAxis;
use super::pieces::Pieces;
use super::relocate::KnownSplits;
use crate::parallel::*;

/// A ball of the level with what it has.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) parent: usize,
    pub(super) cluster: Cluster,
}

impl Member {
    pub(super) fn cost(&self) -> f64 {
        self.cluster.cost()
    }
}

/// How hard to try.
#[derive(Debug, Clone, Copy)]
pub(super) struct LevelEffort {
    /// Share out and fit again at most so often.
    pub(super) rounds: u32,
    /// Move balls to where they are needed more, so often.
    pub(super) swaps: u32,
    /// Halve the pieces at the rims of balls and share them out again, so often.
    pub(super) halvings: u32,
    /// Reassign after each of these at most so often.
    pub(super) reassignments: u32,
    /// Look at the costliest balls once more, at most so often.
    pub(super) mendings: u32,
}

/// The two best balls for a piece.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recipients {
    pub(super) best: u32,
    /// The ball itself if there is no other.
    second: u32,
    cost: f64,
    second_cost: f64,
}

impl Recipients {
    /// Who takes the piece if a ball goes, and at what cost.
    pub(super) fn but(&self, gone: u32) -> (u32, f64) {
        if self.best == gone { (self.second, self.second_cost) } else { (self.best, self.cost) }
    }
}

/// Pieces bind that cost this share of what their ball does.
const BINDING: f64 = 0.95;
/// And are worth halving where costs differ by this share of it from corner to corner.
const LARGE: f64 = 0.05;
/// The same on the upper levels, which matter to all below.
const LARGE_OF_FEW: f64 = 0.02;
const FEW: usize = 64;

/// What balls are fitted to, who may have what, and how many children a parent may have.
pub(super) struct LevelOptimiser<'b, 'm> {
    pub(super) fields: &'b Fields<'m>,
    pub(super) pieces: &'b Pieces,
    pub(super) axis: &'b MedialAxis,
    pub(super) admissible: &'b Admissible,
    pub(super) degree: usize,
}

impl LevelOptimiser<'_, '_> {
    /// Better members; children of one parent are neighbours.
    pub(super) fn settle(&self, members: Vec<Member>, effort: LevelEffort) -> Vec<Member> {
        let mut members = self.lloyd(members, effort.rounds);
        let mut known = KnownSplits::new();
        for _ in 0..effort.swaps {
            let before = Price::of(&members).score(&members);
            let most = members.len();
            members = self.swap(members, most, &mut known);
            if Price::of(&members).score(&members) >= before * (1.0 - 1e-3) {
                break;
            }
        }
        members = self.lloyd(members, effort.swaps.min(1));
        let price = Price::of(&members);
        self.reassign(&mut members, price);
        members.sort_by_key(|member| member.parent);
        members
    }

    /// Reassigns again, after pieces were halved.
    pub(super) fn tighten(&self, mut members: Vec<Member>, effort: LevelEffort) -> Vec<Member> {
        for _ in 0..effort.reassignments {
            let before = Price::of(&members).score(&members);
            let price = Price::of(&members);
            self.reassign(&mut members, price);
            if Price::of(&members).score(&members) >= before * (1.0 - 1e-3) {
                break;
            }
        }
        members.sort_by_key(|member| member.parent);
        members
    }

    /// Once more for the costliest balls: places that became free are for them.
    pub(super) fn mend(&self, mut members: Vec<Member>, effort: LevelEffort) -> Vec<Member> {
        for _ in 0..effort.mendings {
            let before = Price::of(&members).score(&members);
            let most = members.len().div_ceil(8).max(8);
            members = self.swap(members, most, &mut KnownSplits::new());
            let price = Price::of(&members);
            self.reassign(&mut members, price);
            if Price::of(&members).score(&members) >= before * (1.0 - 1e-3) {
                break;
            }
        }
        members.sort_by_key(|member| member.parent);
        members
    }

    /// The pieces that make their balls as large as they are, if a half of them would not.
    pub(super) fn binding(&self, members: &[Member]) -> Vec<u32> {
        let large = if members.len() > FEW { LARGE } else { LARGE_OF_FEW };
        let mut found = Vec::new();
        for Member { cluster: Cluster { pieces, fit, .. }, .. } in members {
            let binds = |&&piece: &&u32| {
                let costs = self.pieces.corners(piece).map(|corner| corner.distance(fit.center()) + fit.depth.distance);
                let (low, high) = (costs[0].min(costs[1]).min(costs[2]), costs[0].max(costs[1]).max(costs[2]));
                high >= BINDING * fit.cost() && high - low >= large * fit.cost()
            };
            found.extend(pieces.iter().filter(binds));
        }
        found.sort_unstable();
        found
    }

    pub(super) fn fitted(&self, share: Vec<u32>, known: &Cluster, field: &mut Field<'_>) -> Cluster {
        if share == known.pieces {
            return known.clone();
        }
        let points = self.pieces.points_of(&share, &mut field.marks);
        Cluster::new(share, improve(&points, known.fit.depth, field), self.pieces)
    }

    /// The best and the second best ball for each piece.
    pub(super) fn recipients(&self, members: &[Member]) -> Vec<Recipients> {
        let children = by_parent(members.iter().map(|member| member.parent));
        let look = |piece: u32| {
            let corners = self.pieces.corners(piece);
            let mut found = Recipients { best: 0, second: 0, cost: f64::INFINITY, second_cost: f64::INFINITY };
            for &parent in self.admissible.of(piece) {
                for &ball in &children[parent as usize] {
                    let cost = cost(&corners, &members[ball as usize].cluster.fit.depth);
                    if cost < found.cost {
                        (found.second, found.second_cost) = (found.best, found.cost);
                        (found.best, found.cost) = (ball, cost);
                    } else if cost < found.second_cost {
                        (found.second, found.second_cost) = (ball, cost);
                    }
                }
            }
            found
        };
        (0..self.pieces.pieces.len() as u32).into_par_iter().with_min_len(1024).map(look).collect()
    }

    /// Shares out and fits again, as long as that makes it better (Lloyd's method).
    fn lloyd(&self, mut members: Vec<Member>, rounds: u32) -> Vec<Member> {
        for _ in 0..rounds {
            let mut shares = vec![Vec::new(); members.len()];
            for (piece, recipients) in self.recipients(&members).into_iter().enumerate() {
                shares[recipients.best as usize].push(piece as u32);
            }
            self.keep_a_child(&members, &mut shares);
            let fit = |field: &mut Field<'_>, (member, share): (&Member, Vec<u32>)| {
                (!share.is_empty())
                    .then(|| Member { parent: member.parent, cluster: self.fitted(share, &member.cluster, field) })
            };
            let next: Vec<Option<Member>> =
                members.par_iter().zip(shares).map_init(|| self.fields.take(), |field, it| fit(field, it)).collect();
            let next: Vec<Member> = next.into_iter().flatten().collect();
            // Without a child a parent would be a dead end.
            let parents =
                |of: &[Member]| by_parent(of.iter().map(|it| it.parent)).iter().filter(|own| !own.is_empty()).count();
            if parents(&next) < parents(&members) {
                break;
            }
            let price = Price::of(&members);
            if price.score(&next) >= price.score(&members) * (1.0 - 1e-3) {
                break;
            }
            members = next;
        }
        members
    }

    /// A parent that would have no child gets back a piece that one of them had.
    fn keep_a_child(&self, members: &[Member], shares: &mut [Vec<u32>]) {
        let children = by_parent(members.iter().map(|member| member.parent));
        for own in children {
            let Some(&ball) = own.first() else { continue };
            if own.iter().all(|&ball| shares[ball as usize].is_empty()) {
                give_back(&members[ball as usize].cluster.pieces, ball as usize, shares);
            }
        }
    }

    /// Each piece to the best of the balls that hold it: children are better off with such shares
    /// than with what giving away leaves.
    pub(super) fn share_out(&self, members: &mut [Member]) {
        let children = by_parent(members.iter().map(|member| member.parent));
        let best = |piece: u32| {
            let corners = self.pieces.corners(piece);
            let (mut best, mut least) = (None, f64::INFINITY);
            for &ball in self.admissible.of(piece).iter().flat_map(|&parent| &children[parent as usize]) {
                let cluster = &members[ball as usize].cluster;
                let cost = cost(&corners, &cluster.fit.depth);
                if cost < least && cluster.holds(&corners) {
                    (best, least) = (Some(ball), cost);
                }
            }
            best
        };
        let owners: Vec<Option<u32>> = (0..self.pieces.pieces.len() as u32).into_par_iter().map(best).collect();
        let mut shares = vec![Vec::new(); members.len()];
        for (index, member) in members.iter().enumerate() {
            for &piece in &member.cluster.pieces {
                shares[owners[piece as usize].map_or(index, |owner| owner as usize)].push(piece);
            }
        }
        for index in 0..members.len() {
            if shares[index].is_empty() && !give_back(&members[index].cluster.pieces, index, &mut shares) {
                return;
            }
        }
        for (member, mut share) in members.iter_mut().zip(shares) {
            share.sort_unstable();
            member.cluster.pieces = share;
        }
    }
}

/// Gives a ball without pieces one of those that it had, from a share that has more. Is there one?
fn give_back(had: &[u32], to: usize, shares: &mut [Vec<u32>]) -> bool {
    let owner = |piece: &u32| shares.iter().position(|share| share.len() > 1 && share.contains(piece));
    let found = had.iter().find_map(|piece| owner(piece).map(|owner| (*piece, owner)));
    if let Some((piece, owner)) = found {
        shares[owner].retain(|&other| other != piece);
        shares[to].push(piece);
    }
    found.is_some()
}

/// What costs are worth: the mean counts, and those that are far above it more: the largest of a
/// level is to be small, too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Price {
    mean: f64,
    /// Of a ball that costs what balls do on average.
    pub(super) mean_price: f64,
}

impl Price {
    pub(super) fn of(members: &[Member]) -> Self {
        let mean = members.iter().map(Member::cost).sum::<f64>() / members.len() as f64;
        let mean = mean.max(f64::MIN_POSITIVE);
        let mut price = Self { mean, mean_price: mean };
        price.mean_price = price.score(members);
        price
    }

    pub(super) fn price(self, cost: f64) -> f64 {
        let above = cost / (2.0 * self.mean);
        cost * (1.0 + above.powi(4))
    }

    fn score(self, members: &[Member]) -> f64 {
        members.iter().map(|member| self.price(member.cost())).sum::<f64>() / members.len() as f64
    }
}
