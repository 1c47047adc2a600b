//! Shares pieces out among a few balls.
//!
//! What is minimised is the largest protrusion, as `fit.rs` bounds it: pieces go to the ball that
//! would stick out least if it took them, balls move to where they stick out least for what they
//! have, and so on (Lloyd's method for the largest instead of the mean).

use super::choose::halves;
use super::field::{Depth, Field, Fields};
use super::fit::{Fit, improve};
use super::pieces::Pieces;
use crate::parallel::*;
use glam::DVec3;

/// Some pieces and the ball that holds them.
#[derive(Debug, Clone)]
pub(super) struct Cluster {
    pub(super) pieces: Vec<u32>,
    pub(super) fit: Fit,
    /// What its cost is multiplied by, see [`Pieces::weight`].
    pub(super) weight: f64,
}

impl Cluster {
    pub(super) fn new(share: Vec<u32>, fit: Fit, pieces: &Pieces) -> Self {
        let weight = pieces.weight(&share);
        Self { pieces: share, fit, weight }
    }

    /// How far the ball sticks out, weighted.
    pub(super) fn cost(&self) -> f64 {
        self.weight * self.fit.cost()
    }

    /// Is a piece in the ball as it is? Distances are compared as they are found, not by their
    /// costs, which round differently.
    pub(super) fn holds(&self, corners: &[DVec3; 3]) -> bool {
        corners.iter().all(|corner| corner.distance(self.fit.center()) <= self.fit.reach)
    }
}

/// What a ball would stick out by if it held the piece.
pub(super) fn cost(corners: &[DVec3; 3], ball: &Depth) -> f64 {
    let far = corners.iter().fold(0.0, |far: f64, point| far.max(point.distance_squared(ball.at)));
    far.sqrt() + ball.distance
}

/// Each piece to the ball that is best for it.
fn assign(pieces: &Pieces, of: &[u32], balls: &[Depth]) -> Vec<Vec<u32>> {
    let mut shares = vec![Vec::new(); balls.len()];
    for &piece in of {
        let corners = pieces.corners(piece);
        let costs = balls.iter().enumerate().map(|(index, ball)| (cost(&corners, ball), index));
        let (_, best) = costs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a ball at least");
        shares[best].push(piece);
    }
    shares
}

/// How good clusters are, smaller is better: the mean cost, and half of the largest.
fn score(clusters: &[Cluster], count: usize) -> f64 {
    let costs = clusters.iter().map(Cluster::cost);
    0.5 * costs.clone().fold(0.0, f64::max) + costs.sum::<f64>() / count as f64
}

/// Pieces that are shared out on several threads.
const MANY: usize = 2000;

/// What is to be shared out.
#[derive(Debug)]
pub(super) struct Task<'t, 'm> {
    pub(super) fields: &'t Fields<'m>,
    pub(super) pieces: &'t Pieces,
    pub(super) of: &'t [u32],
    pub(super) count: usize,
}

impl Task<'_, '_> {
    fn cluster(&self, share: Vec<u32>, ball: Depth, field: &mut Field<'_>) -> Cluster {
        let points = self.pieces.points_of(&share, &mut field.marks);
        Cluster::new(share, improve(&points, ball, field), self.pieces)
    }

    /// From centres to clusters: at most `count`, none of them empty.
    pub(super) fn settle(&self, start: &[Depth], rounds: u32) -> Vec<Cluster> {
        // Where there is little to do, there are other tasks.
        let at_once = if self.of.len() < MANY { self.count } else { 1 };
        let mut balls = start.to_vec();
        let mut best: Option<(f64, Vec<Cluster>)> = None;
        for _ in 0..rounds.max(1) {
            let shares = assign(self.pieces, self.of, &balls);
            let filled: Vec<_> = shares.into_iter().zip(&balls).filter(|(share, _)| !share.is_empty()).collect();
            let clusters = filled.into_par_iter().with_min_len(at_once);
            let clusters: Vec<Cluster> = clusters
                .map_init(|| self.fields.take(), |field, (share, ball)| self.cluster(share, *ball, field))
                .collect();
            balls = clusters.iter().map(|cluster| cluster.fit.depth).collect();
            let score = score(&clusters, self.count);
            if best.as_ref().is_some_and(|(known, _)| score >= known * (1.0 - 1e-3)) {
                break;
            }
            best = Some((score, clusters));
        }
        let mut clusters = best.map_or_else(Vec::new, |(_, clusters)| clusters);
        self.fill_up(&mut clusters, &mut self.fields.take());
        clusters
    }

    /// Divides the costliest clusters until there are as many as there may be, where that makes
    /// them better.
    fn fill_up(&self, clusters: &mut Vec<Cluster>, field: &mut Field<'_>) {
        let mut whole = vec![false; clusters.len()];
        while clusters.len() < self.count {
            let divisible = (0..clusters.len()).filter(|&index| !whole[index]);
            let costliest = divisible.max_by(|&i, &j| clusters[i].cost().total_cmp(&clusters[j].cost()));
            let Some(index) = costliest else { return };
            match self.two(&clusters[index], field) {
                Some([one, two]) => {
                    clusters[index] = one;
                    clusters.push(two);
                    whole.push(false);
                }
                None => whole[index] = true,
            }
        }
    }

    /// The halves of a cluster, if they are better than the whole.
    fn two(&self, cluster: &Cluster, field: &mut Field<'_>) -> Option<[Cluster; 2]> {
        let (one, two) = halves(&cluster.pieces, |piece| self.pieces.middle(piece))?;
        let two = [one, two].map(|share| self.cluster(share, cluster.fit.depth, field));
        let cost: f64 = two.iter().map(Cluster::cost).sum();
        (cost < (2.0 - 1e-3) * cluster.cost()).then_some(two)
    }
}
