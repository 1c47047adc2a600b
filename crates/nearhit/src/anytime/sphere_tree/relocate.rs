//! Moves balls of a level to where they are needed more.
//!
//! A ball that sticks out far is to be two. The place is one that its parent, or another that may
//! have what makes it so large, still has; or that of a ball that would be missed least.

use super::admissible::by_parent;
use super::choose::halves;
use super::cluster::{Cluster, cost};
use super::field::{Depth, Field};
use super::fit::improve;
use super::optimise_level::{LevelOptimiser, Member, Price, Recipients};
use crate::parallel::*;
use std::collections::HashMap;

/// A ball that sticks out far as two, the second of them a child of `parent`.
#[derive(Debug)]
struct Split {
    wide: u32,
    parent: usize,
    two: [Cluster; 2],
    gain: f64,
}

/// A ball goes, and a child of its parent takes a part of a ball that sticks out far.
#[derive(Debug)]
struct Move<'s> {
    split: &'s Split,
    /// None if the parent has room.
    gone: Option<u32>,
    /// What it makes better, about.
    hope: f64,
}

/// What a move makes better, and the balls after it.
#[derive(Debug)]
struct Change {
    gain: f64,
    members: Vec<(u32, Member)>,
}

/// A place that is free or a ball that goes, and what is lost by that.
type Helper = (Option<u32>, f64);

/// What was found for balls that have not changed since, by ball and parent.
pub(super) type KnownSplits = HashMap<(u32, usize), Option<[Cluster; 2]>>;

/// A place that was free.
const NEW: u32 = u32::MAX;
/// Parents whose children are asked for help by one ball.
const ASKED: usize = 3;

impl LevelOptimiser<'_, '_> {
    /// Moves balls to where they are needed more: all that do not get in each other's way, the best
    /// moves first.
    pub(super) fn swap(&self, mut members: Vec<Member>, most: usize, known: &mut KnownSplits) -> Vec<Member> {
        let recipients = self.recipients(&members);
        let price = Price::of(&members);
        let removals = self.removals(&members, &recipients, price);
        let children = by_parent(members.iter().map(|member| member.parent));
        let helpers = self.helpers(&children, &removals);
        let splits = self.splits(&members, &helpers, price, most, known);
        let moves = self.moves(&splits, &helpers, price);
        let tried: Vec<Option<Change>> = moves
            .par_iter()
            .map_init(|| self.fields.take(), |field, it| self.attempt(&members, &recipients, price, it, field))
            .collect();
        let mut good: Vec<(Change, usize)> =
            tried.into_iter().zip(&moves).filter_map(|(change, it)| Some((change?, it.split.parent))).collect();
        good.sort_by(|a, b| b.0.gain.total_cmp(&a.0.gain));
        let mut counts: Vec<usize> = children.iter().map(Vec::len).collect();
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
        known.retain(|&(ball, _), _| !busy[ball as usize]);
        members
    }

    /// Of each parent whom it could spare, with what is lost by that, the least first: a place that
    /// is free, or two of its children.
    fn helpers(&self, children: &[Vec<u32>], removals: &[f64]) -> Vec<Vec<Helper>> {
        let helpers = |own: &Vec<u32>| {
            let mut found: Vec<Helper> = Vec::new();
            if own.len() > 1 {
                found.extend(own.iter().map(|&ball| (Some(ball), removals[ball as usize])));
                found.sort_by(|a, b| a.1.total_cmp(&b.1));
                found.truncate(2);
            }
            if (1..self.degree).contains(&own.len()) {
                found.insert(0, (None, f64::NEG_INFINITY));
            }
            found
        };
        children.iter().map(helpers).collect()
    }

    /// The costliest balls as two, for each of some parents that could help.
    fn splits(
        &self,
        members: &[Member],
        helpers: &[Vec<Helper>],
        price: Price,
        most: usize,
        known: &mut KnownSplits,
    ) -> Vec<Split> {
        let mut by_cost: Vec<u32> = (0..members.len() as u32).collect();
        by_cost.sort_by(|&i, &j| members[j as usize].cost().total_cmp(&members[i as usize].cost()));
        by_cost.truncate(most);
        let parents = |&wide: &u32| {
            let member = &members[wide as usize];
            // The piece that a ball is so large for: who is to help must be allowed to take it.
            let allowed = self.admissible.of(self.worst(member)).iter().map(|&parent| parent as usize);
            let loss = |parent: usize| helpers[parent].iter().find(|it| it.0 != Some(wide)).map(|it| it.1);
            let mut parents: Vec<(usize, f64)> = allowed.filter_map(|it| Some((it, loss(it)?))).collect();
            parents.retain(|it| it.1 < price.price(member.cost()));
            parents.sort_by(|a, b| a.1.total_cmp(&b.1));
            parents.into_iter().take(ASKED).map(|it| (wide, it.0)).collect::<Vec<_>>()
        };
        let wanted: Vec<(u32, usize)> = by_cost.iter().flat_map(parents).collect();
        let unknown: Vec<(u32, usize)> = wanted.iter().filter(|it| !known.contains_key(*it)).copied().collect();
        let split = |field: &mut Field<'_>, &(wide, parent): &(u32, usize)| {
            let member = &members[wide as usize];
            self.two(&member.cluster.pieces, member, parent, price, field)
        };
        let found: Vec<_> = unknown.par_iter().map_init(|| self.fields.take(), |field, it| split(field, it)).collect();
        known.extend(unknown.into_iter().zip(found));
        let split = |(wide, parent): (u32, usize)| {
            let two = known[&(wide, parent)].clone()?;
            let gain = price.price(members[wide as usize].cost()) - worth(&two, price);
            Some(Split { wide, parent, two, gain })
        };
        wanted.into_iter().filter_map(split).collect()
    }

    /// Of each split the best way to find a place, if there is hope that it helps.
    fn moves<'s>(&self, splits: &'s [Split], helpers: &[Vec<Helper>], price: Price) -> Vec<Move<'s>> {
        let best = |split: &'s Split| {
            let (gone, loss) = *helpers[split.parent].iter().find(|it| it.0 != Some(split.wide))?;
            let hope = split.gain - if gone.is_some() { loss } else { -price.mean_price };
            // Balls that take over do not grow as much as it seems before they are fitted.
            (hope > -HOPE * price.mean_price).then_some(Move { split, gone, hope })
        };
        let mut moves: Vec<Move<'s>> = splits.iter().filter_map(best).collect();
        moves.sort_by(|a, b| b.hope.total_cmp(&a.hope));
        moves
    }

    /// What is lost if a ball goes.
    fn removals(&self, members: &[Member], recipients: &[Recipients], price: Price) -> Vec<f64> {
        let removal = |(index, member): (usize, &Member)| {
            let mut grown: Vec<(u32, f64)> = Vec::new();
            for &piece in &member.cluster.pieces {
                let (recipient, cost) = recipients[piece as usize].but(index as u32);
                match grown.iter_mut().find(|it| it.0 == recipient) {
                    Some(it) => it.1 = it.1.max(cost),
                    None => grown.push((recipient, cost)),
                }
            }
            let more = |&(recipient, cost): &(u32, f64)| {
                let recipient = &members[recipient as usize];
                let before = recipient.cost();
                price.price((recipient.cluster.weight * cost).max(before)) - price.price(before)
            };
            grown.iter().map(more).sum::<f64>() - price.price(member.cost())
        };
        members.par_iter().enumerate().map(removal).collect()
    }

    fn worst(&self, member: &Member) -> u32 {
        let Cluster { pieces, fit, .. } = &member.cluster;
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
        recipients: &[Recipients],
        price: Price,
        it: &Move<'_>,
        field: &mut Field<'_>,
    ) -> Option<Change> {
        let Split { wide: index, parent, ref two, .. } = *it.split;
        let wide = &members[index as usize];
        // Those that take over what is left behind; the wide one may be among them.
        let mut changed = vec![(index, wide.cluster.pieces.clone())];
        for &piece in it.gone.iter().flat_map(|&gone| &members[gone as usize].cluster.pieces) {
            let (recipient, _) = recipients[piece as usize].but(it.gone?);
            match changed.iter_mut().find(|it| it.0 == recipient) {
                Some(it) => it.1.push(piece),
                None => changed.push((recipient, [&members[recipient as usize].cluster.pieces[..], &[piece]].concat())),
            }
        }
        let before: f64 = changed.iter().map(|(index, _)| price.price(members[*index as usize].cost())).sum();
        let before = before + it.gone.map_or(price.mean_price, |gone| price.price(members[gone as usize].cost()));
        let mut after: Vec<(u32, Member)> = Vec::new();
        let mut sum = 0.0;
        for (recipient, mut share) in changed.drain(1..) {
            share.sort_unstable();
            let Member { parent, cluster } = &members[recipient as usize];
            let member = Member { parent: *parent, cluster: self.fitted(share, cluster, field) };
            sum += price.price(member.cost());
            if sum >= before {
                return None;
            }
            after.push((recipient, member));
        }
        let (_, mut share) = changed.pop()?;
        share.sort_unstable();
        let [one, two] = if share.len() == wide.cluster.pieces.len() {
            two.clone()
        } else {
            self.two(&share, wide, parent, price, field)?
        };
        sum += price.price(one.cost()) + price.price(two.cost());
        after.push((index, Member { parent: wide.parent, cluster: one }));
        after.push((it.gone.unwrap_or(NEW), Member { parent, cluster: two }));
        (sum < before * (1.0 - 1e-4)).then_some(Change { gain: before - sum, members: after })
    }

    /// The best of some ways to make a ball two.
    fn two(
        &self,
        share: &[u32],
        wide: &Member,
        parent: usize,
        price: Price,
        field: &mut Field<'_>,
    ) -> Option<[Cluster; 2]> {
        let ways = [self.halved(share, wide, field), self.peeled(wide)].into_iter().flatten();
        let two = ways.filter_map(|[one, two]| self.divided(share, [one, two], parent, field));
        two.min_by(|a, b| worth(a, price).total_cmp(&worth(b, price)))
    }

    /// The deepest medial ball that takes a piece at so much.
    fn deepest_for(&self, piece: u32, most: f64) -> Option<Depth> {
        let corners = self.pieces.corners(piece);
        let good = self.axis.balls.iter().map(|ball| ball.depth).filter(|depth| cost(&corners, depth) <= most);
        good.min_by(|a, b| a.distance.total_cmp(&b.distance))
    }

    /// Centres for the halves of a share.
    fn halved(&self, share: &[u32], wide: &Member, field: &mut Field<'_>) -> Option<[Depth; 2]> {
        let (one, two) = halves(share, |piece| self.pieces.middle(piece))?;
        Some([one, two].map(|half| {
            let points = self.pieces.points_of(&half, &mut field.marks);
            improve(&points, wide.cluster.fit.depth, field).depth
        }))
    }

    /// The same centre, and one for what is farthest from it: the deepest that takes it at half the
    /// cost.
    fn peeled(&self, wide: &Member) -> Option<[Depth; 2]> {
        Some([wide.cluster.fit.depth, self.deepest_for(self.worst(wide), 0.5 * wide.cluster.fit.cost())?])
    }

    /// Two clusters for a share, from two centres; the second has only what a child of its parent
    /// may have.
    fn divided(
        &self,
        share: &[u32],
        mut two: [Depth; 2],
        parent: usize,
        field: &mut Field<'_>,
    ) -> Option<[Cluster; 2]> {
        let allowed: Vec<bool> =
            share.iter().map(|&piece| self.admissible.of(piece).contains(&(parent as u32))).collect();
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
                let points = self.pieces.points_of(&share, &mut field.marks);
                let fit = improve(&points, two[index], field);
                index += 1;
                Cluster::new(share, fit, self.pieces)
            });
            two = [clusters[0].fit.depth, clusters[1].fit.depth];
            let worst = |two: &[Cluster; 2]| two[0].cost() + two[1].cost();
            if best.as_ref().is_some_and(|best| worst(&clusters) >= worst(best)) {
                break;
            }
            best = Some(clusters);
        }
        best
    }
}

fn worth(two: &[Cluster; 2], price: Price) -> f64 {
    two.iter().map(|it| price.price(it.cost())).sum()
}

/// What is still worth a try, in mean prices.
const HOPE: f64 = 0.3;
