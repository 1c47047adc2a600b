//! Reassignment of pieces between the clusters of a level: a ball hands over what others take at a
//! lower cost.

use super::admissible::by_parent;
use super::cluster::{Cluster, cost};
use super::field::Field;
use super::optimise_level::{LevelOptimiser, Member, Price};
use crate::parallel::*;
use std::collections::VecDeque;

/// A piece, what it costs where it is, and what another ball would grow by.
#[derive(Debug)]
struct Offer {
    piece: u32,
    own: f64,
    recipient: Option<u32>,
    more: f64,
}

/// What a transfer of pieces would change: the donor first, without pieces if it hands over all of
/// them.
type Transfer = Vec<(u32, Cluster)>;

/// Balls look at the same time in lists of one in so many.
const LISTS: usize = 32;

impl LevelOptimiser<'_, '_> {
    /// Once through all balls, the costliest first: it hands over what others hold, and what
    /// others can take at a lower price than it saves, and shrinks.
    ///
    /// Some of them look at the same time, whatever the number of threads; who finds that another
    /// has changed by then what it wanted to change looks again with the next.
    pub(super) fn reassign(&self, members: &mut Vec<Member>, price: Price) {
        let mut order: VecDeque<u32> = (0..members.len() as u32).collect();
        order.make_contiguous().sort_by(|&i, &j| members[j as usize].cost().total_cmp(&members[i as usize].cost()));
        let children = by_parent(members.iter().map(|member| member.parent));
        let mut siblings: Vec<usize> = children.iter().map(Vec::len).collect();
        let at_once = members.len().div_ceil(LISTS);
        let mut changed: Vec<u32> = Vec::new();
        // Ends: the first of every list is done with. Nothing was changed before it, and whether it
        // is the last of its siblings was known when it looked.
        while !order.is_empty() {
            let list: Vec<u32> = order.drain(..at_once.min(order.len())).collect();
            let transfer = |field: &mut Field<'_>, &ball: &u32| {
                let is_last = siblings[members[ball as usize].parent] == 1;
                self.transfer(members, &children, price, ball, is_last, field)
            };
            let transfers: Vec<Option<Transfer>> =
                list.par_iter().map_init(|| self.fields.take(), |field, it| transfer(field, it)).collect();
            changed.clear();
            let mut again = Vec::new();
            for (ball, transfer) in list.into_iter().zip(transfers) {
                let Some(transfer) = transfer else { continue };
                let parent = members[ball as usize].parent;
                let gone = transfer[0].1.pieces.is_empty();
                if transfer.iter().any(|(ball, _)| changed.contains(ball)) || gone && siblings[parent] == 1 {
                    again.push(ball);
                    continue;
                }
                siblings[parent] -= usize::from(gone);
                for (ball, cluster) in transfer {
                    changed.push(ball);
                    members[ball as usize].cluster = cluster;
                }
            }
            again.into_iter().rev().for_each(|ball| order.push_front(ball));
        }
        members.retain(|member| !member.cluster.pieces.is_empty());
    }

    /// What a ball hands over, if that makes it better; the last child of a parent keeps something.
    fn transfer(
        &self,
        members: &[Member],
        children: &[Vec<u32>],
        price: Price,
        index: u32,
        is_last: bool,
        field: &mut Field<'_>,
    ) -> Option<Transfer> {
        let offers = self.offers(members, children, index);
        let count = self.worth_transferring(members, price, index, &offers);
        // The piece that is nearest.
        let kept = if is_last { offers.len() - 1 } else { offers.len() };
        let handed_over = |(rank, offer): (usize, &Offer)| (rank < count || offer.more == 0.0) && rank != kept;
        if !offers.iter().enumerate().any(handed_over) {
            return None;
        }
        let mut after: Vec<(u32, Vec<u32>, bool)> = vec![(index, Vec::new(), true)];
        for (rank, offer) in offers.iter().enumerate() {
            let recipient = offer.recipient.filter(|_| handed_over((rank, offer))).unwrap_or(index);
            match after.iter_mut().find(|it| it.0 == recipient) {
                Some(it) => {
                    it.1.push(offer.piece);
                    it.2 |= offer.more > 0.0;
                }
                None => {
                    let own = &members[recipient as usize].cluster.pieces;
                    after.push((recipient, [&own[..], &[offer.piece]].concat(), offer.more > 0.0));
                }
            }
        }
        let fitted = |(ball, mut share, grown): (u32, Vec<u32>, bool)| {
            share.sort_unstable();
            let known = &members[ball as usize].cluster;
            let cluster = if share.is_empty() || !grown {
                Cluster::new(share, known.fit, self.pieces)
            } else {
                self.fitted(share, known, field)
            };
            (ball, cluster)
        };
        let after: Transfer = after.into_iter().map(fitted).collect();
        // A place that becomes free is worth what a ball costs on average.
        let worth =
            |cluster: &Cluster| if cluster.pieces.is_empty() { price.mean_price } else { price.price(cluster.cost()) };
        let before: f64 = after.iter().map(|it| worth(&members[it.0 as usize].cluster)).sum();
        (after.iter().map(|it| worth(&it.1)).sum::<f64>() < before).then_some(after)
    }

    /// Who would take the pieces of a ball, the costliest first.
    fn offers(&self, members: &[Member], children: &[Vec<u32>], index: u32) -> Vec<Offer> {
        let Cluster { pieces, fit, .. } = &members[index as usize].cluster;
        let offer = |&piece: &u32| {
            let corners = self.pieces.corners(piece);
            let mut offer = Offer { piece, own: cost(&corners, &fit.depth), recipient: None, more: f64::INFINITY };
            for &ball in self.admissible.of(piece).iter().flat_map(|&parent| &children[parent as usize]) {
                let cluster = &members[ball as usize].cluster;
                // Those that handed over everything are gone.
                if ball == index || cluster.pieces.is_empty() {
                    continue;
                }
                let grown = || (cost(&corners, &cluster.fit.depth) - cluster.fit.cost()).max(f64::MIN_POSITIVE);
                let more = if cluster.holds(&corners) { 0.0 } else { grown() };
                if more < offer.more {
                    (offer.recipient, offer.more) = (Some(ball), more);
                }
            }
            offer
        };
        let mut offers: Vec<Offer> = pieces.iter().map(offer).collect();
        offers.sort_by(|a, b| b.own.total_cmp(&a.own));
        offers
    }

    /// How many of the costliest pieces are worth handing over, at what others ask for them.
    fn worth_transferring(&self, members: &[Member], price: Price, index: u32, offers: &[Offer]) -> usize {
        let Member { cluster, .. } = &members[index as usize];
        let known = price.price(cluster.cost());
        let mut asked: Vec<(u32, f64)> = Vec::new();
        let (mut paid, mut best) = (0.0, (0, 0.0));
        for (rank, offer) in offers.iter().enumerate() {
            let saved = known - price.price(cluster.weight * offer.own.max(0.0));
            if saved - paid > best.1 {
                best = (rank, saved - paid);
            }
            let Some(recipient) = offer.recipient else { break };
            let Cluster { weight, .. } = members[recipient as usize].cluster;
            let before = members[recipient as usize].cost();
            let now = price.price(before + weight * offer.more) - price.price(before);
            match asked.iter_mut().find(|it| it.0 == recipient) {
                Some(it) => {
                    paid += (now - it.1).max(0.0);
                    it.1 = it.1.max(now);
                }
                None => {
                    paid += now;
                    asked.push((recipient, now));
                }
            }
            if paid >= known {
                break;
            }
        }
        best.0
    }
}
