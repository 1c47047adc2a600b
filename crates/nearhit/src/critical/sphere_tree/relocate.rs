//! Moves balls of a level to where they are needed more.
//!
//! A ball that sticks out far is to be two. The place is one that its parent, or another that may have what makes it so large, still has; or that of a ball that would be missed least.

use super::balance::{Balance, Member, Price, Takers};
use super::choose::halves;
use super::cluster::{Cluster, cost};
use super::field::{Depth, Field};
use super::fit::improve;
use super::holders::by_parent;
use rayon::prelude::*;

/// A ball goes, and a child of its parent takes a part of a ball that sticks out far.
#[derive(Debug)]
struct Move {
    wide: u32,
    /// None if the parent has room.
    gone: Option<u32>,
    parent: usize,
}

/// Ways to help a ball that are tried.
const WAYS: usize = 4;

/// What a move makes better, and the balls after it.
#[derive(Debug)]
struct Change {
    gain: f64,
    members: Vec<(u32, Member)>,
}

/// A place that was free.
const NEW: u32 = u32::MAX;

impl Balance<'_> {
    /// Moves balls to where they are needed more: all that do not get in each other's way, the best moves first.
    pub(super) fn swap(&self, mut members: Vec<Member>) -> Vec<Member> {
        let takers = self.takers(&members);
        let price = Price::of(&members);
        let moves = self.moves(&members, &takers, price);
        let tried: Vec<Option<Change>> = moves
            .par_iter()
            .map_init(|| Field::new(self.model), |field, it| self.attempt(&members, &takers, price, it, field))
            .collect();
        let mut good: Vec<(Change, usize)> =
            tried.into_iter().zip(moves).filter_map(|(change, it)| Some((change?, it.parent))).collect();
        good.sort_by(|a, b| b.0.gain.total_cmp(&a.0.gain));
        let mut counts = vec![0; members.iter().map(|member| member.parent + 1).max().unwrap_or(0)];
        members.iter().for_each(|member| counts[member.parent] += 1);
        let mut busy = vec![false; members.len()];
        for (change, parent) in good {
            let is_new = change.members.iter().any(|(index, _)| *index == NEW);
            let mut old = change.members.iter().filter(|(index, _)| *index != NEW);
            if old.any(|(index, _)| busy[*index as usize]) || is_new && counts[parent] >= self.degree {
                continue;
            }
            counts[parent] += usize::from(is_new);
            for (index, member) in change.members {
                if index == NEW {
                    members.push(member);
                } else {
                    members[index as usize] = member;
                    busy[index as usize] = true;
                }
            }
        }
        members
    }

    /// For the costliest balls some ways to get help: a place that is free, or that of a ball that is missed least.
    fn moves(&self, members: &[Member], takers: &[Takers], price: Price) -> Vec<Move> {
        let removals = self.removals(members, takers, price);
        let mut by_loss: Vec<u32> = (0..members.len() as u32).collect();
        by_loss.sort_by(|&i, &j| removals[i as usize].total_cmp(&removals[j as usize]));
        let mut by_cost: Vec<u32> = (0..members.len() as u32).collect();
        by_cost.sort_by(|&i, &j| members[j as usize].cost().total_cmp(&members[i as usize].cost()));
        let children = by_parent(members.iter().map(|member| member.parent));
        let mut moves = Vec::new();
        for &wide in by_cost.iter().take(members.len().div_ceil(6).max(8)) {
            // The piece that a ball is so large for: who is to help must be allowed to take it.
            let allowed = self.holders.of(self.worst(&members[wide as usize]));
            let gain = price.price(members[wide as usize].cost());
            let room = |parent: &&u32| children.get(**parent as usize).is_some_and(|own| own.len() < self.degree);
            let free = allowed.iter().filter(room).map(|&parent| Move { wide, gone: None, parent: parent as usize });
            let cheap = by_loss.iter().take_while(|&&gone| removals[gone as usize] < gain);
            let going = cheap.filter_map(|&gone| {
                let parent = members[gone as usize].parent;
                let can_go = gone != wide && children[parent].len() > 1 && allowed.contains(&(parent as u32));
                can_go.then_some(Move { wide, gone: Some(gone), parent })
            });
            moves.extend(free.take(2).chain(going).take(WAYS));
        }
        moves
    }

    /// What is lost if a ball goes.
    fn removals(&self, members: &[Member], takers: &[Takers], price: Price) -> Vec<f64> {
        let removal = |(index, member): (usize, &Member)| {
            let mut grown: Vec<(u32, f64)> = Vec::new();
            for &piece in &member.cluster.pieces {
                let (taker, cost) = takers[piece as usize].but(index as u32);
                match grown.iter_mut().find(|it| it.0 == taker) {
                    Some(it) => it.1 = it.1.max(cost),
                    None => grown.push((taker, cost)),
                }
            }
            let more = |&(taker, cost): &(u32, f64)| {
                let before = members[taker as usize].cost();
                price.price(cost.max(before)) - price.price(before)
            };
            grown.iter().map(more).sum::<f64>() - price.price(member.cost())
        };
        members.par_iter().enumerate().map(removal).collect()
    }

    fn worst(&self, member: &Member) -> u32 {
        let Cluster { pieces, fit } = &member.cluster;
        let far = |piece: u32| cost(&self.pieces.corners(piece), &fit.depth);
        let mut worst = (pieces[0], f64::NEG_INFINITY);
        for &piece in pieces {
            let cost = far(piece);
            if cost > worst.1 {
                worst = (piece, cost);
            }
        }
        worst.0
    }

    /// What a move would change, if it is for the better.
    fn attempt(
        &self,
        members: &[Member],
        takers: &[Takers],
        price: Price,
        it: &Move,
        field: &mut Field<'_>,
    ) -> Option<Change> {
        let wide = &members[it.wide as usize];
        // Those that take over what is left behind; the wide one may be among them.
        let mut changed = vec![(it.wide, wide.cluster.pieces.clone())];
        for &piece in it.gone.iter().flat_map(|&gone| &members[gone as usize].cluster.pieces) {
            let (taker, _) = takers[piece as usize].but(it.gone?);
            match changed.iter_mut().find(|it| it.0 == taker) {
                Some(it) => it.1.push(piece),
                None => changed.push((taker, [&members[taker as usize].cluster.pieces[..], &[piece]].concat())),
            }
        }
        let before: f64 = changed.iter().map(|(index, _)| price.price(members[*index as usize].cost())).sum();
        let before = before + it.gone.map_or(price.mean_price, |gone| price.price(members[gone as usize].cost()));
        let mut after: Vec<(u32, Member)> = Vec::new();
        for (taker, mut share) in changed.drain(1..) {
            share.sort_unstable();
            let Member { parent, cluster } = &members[taker as usize];
            after.push((taker, Member { parent: *parent, cluster: self.fitted(share, cluster, field) }));
        }
        let (_, mut share) = changed.pop()?;
        share.sort_unstable();
        let worth = |two: &[Cluster; 2]| two.iter().map(|it| price.price(it.fit.cost())).sum::<f64>();
        let ways = [self.halved(&share, wide, field), self.peeled(wide)].into_iter().flatten();
        let two = ways.filter_map(|[one, two]| self.divided(&share, [one, two], it.parent, field));
        let [one, two] = two.min_by(|a, b| worth(a).total_cmp(&worth(b)))?;
        after.push((it.wide, Member { parent: wide.parent, cluster: one }));
        after.push((it.gone.unwrap_or(NEW), Member { parent: it.parent, cluster: two }));
        let sum: f64 = after.iter().map(|(_, member)| price.price(member.cost())).sum();
        (sum < before * (1.0 - 1e-4)).then_some(Change { gain: before - sum, members: after })
    }

    /// Centres for the halves of a share.
    fn halved(&self, share: &[u32], wide: &Member, field: &mut Field<'_>) -> Option<[Depth; 2]> {
        let (one, two) = halves(share, |piece| self.pieces.middle(piece))?;
        Some([one, two].map(|half| improve(&self.pieces.points_of(&half), wide.cluster.fit.depth, field).depth))
    }

    /// The same centre, and one for what is farthest from it: the deepest that takes it at half the cost.
    fn peeled(&self, wide: &Member) -> Option<[Depth; 2]> {
        let corners = self.pieces.corners(self.worst(wide));
        let most = 0.5 * wide.cost();
        let good = self.axis.balls.iter().map(|ball| ball.depth).filter(|depth| cost(&corners, depth) <= most);
        let deepest = good.min_by(|a, b| a.distance.total_cmp(&b.distance))?;
        Some([wide.cluster.fit.depth, deepest])
    }

    /// Two clusters for a share, from two centres; the second has only what a child of its parent may have.
    fn divided(
        &self,
        share: &[u32],
        mut two: [Depth; 2],
        parent: usize,
        field: &mut Field<'_>,
    ) -> Option<[Cluster; 2]> {
        let allowed: Vec<bool> = share.iter().map(|&piece| self.holders.of(piece).contains(&(parent as u32))).collect();
        let mut best: Option<[Cluster; 2]> = None;
        for _ in 0..3 {
            let mut shares = [Vec::new(), Vec::new()];
            for (&piece, &allowed) in share.iter().zip(&allowed) {
                let corners = self.pieces.corners(piece);
                let second = allowed && cost(&corners, &two[1]) < cost(&corners, &two[0]);
                shares[usize::from(second)].push(piece);
            }
            if shares.iter().any(Vec::is_empty) {
                break;
            }
            let mut index = 0;
            let clusters = shares.map(|share| {
                let fit = improve(&self.pieces.points_of(&share), two[index], field);
                index += 1;
                Cluster { pieces: share, fit }
            });
            two = [clusters[0].fit.depth, clusters[1].fit.depth];
            let worst = |two: &[Cluster; 2]| two[0].fit.cost() + two[1].fit.cost();
            if best.as_ref().is_some_and(|best| worst(&clusters) >= worst(best)) {
                break;
            }
            best = Some(clusters);
        }
        best
    }
}
