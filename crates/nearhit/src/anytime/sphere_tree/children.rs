//! The children of one node, before the balls of a level are settled together.

use super::build::Node;
use super::choose::{Choice, Effort};
use super::cluster::{Cluster, Task};
use super::field::{Depth, Fields};
use super::medial::MedialAxis;
use super::merge::merge;
use super::optimise_level::Member;
use super::pieces::Pieces;
use crate::parallel::*;
use glam::DVec3;

/// Children of a parent: as many as a cell has octants.
pub(super) const DEGREE: usize = 8;
/// Points that a choice is made for, at most: three times as many make it no better.
const POINTS: usize = 1000;
/// Medial balls that it is made from, at most.
const CANDIDATES: usize = 4000;

/// A node with the pieces that its children are to share.
pub(super) struct Children<'b, 'm> {
    pub(super) fields: &'b Fields<'m>,
    pub(super) pieces: &'b Pieces,
    pub(super) axis: &'b MedialAxis,
    pub(super) node: &'b Node,
    pub(super) share: &'b [u32],
    pub(super) parent: usize,
}

impl Children<'_, '_> {
    /// At most eight, none of them empty.
    pub(super) fn children(&self, effort: Effort) -> Vec<Member> {
        let ways = self.ways(effort);
        self.settled(&ways[0], effort)
    }

    /// Centres to begin from: some ways, the best first.
    pub(super) fn ways(&self, effort: Effort) -> Vec<Vec<Depth>> {
        let Self { pieces, axis, node, share, parent, .. } = *self;
        let depth = |&ball: &u32| axis.balls[ball as usize].depth;
        let points: Vec<DVec3> = some(share, POINTS).map(|&piece| pieces.middle(piece)).collect();
        let near = |ball: &u32| depth(ball).at.distance(node.center) <= node.radius;
        let medial: Vec<u32> = (0..axis.balls.len() as u32).filter(near).collect();
        // As in the paper: everything that became the parent is merged again.
        let merged = if effort.merges { merge(axis, &medial, DEGREE) } else { Vec::new() };
        let mut field = self.fields.take();
        let mut candidates: Vec<Depth> = merged.iter().map(|merged| field.depth(merged.center)).collect();
        let given = (0..candidates.len() as u32).collect();
        candidates.extend(some(&medial, CANDIDATES).map(depth));
        // Where there is no inside, balls are centred on the surface.
        let on_surface = |&piece: &u32| {
            let at = pieces.middle(piece);
            Depth { at, distance: 0.0, nearest: at, triangle: pieces.pieces[piece as usize].triangle }
        };
        candidates.extend(some(share, POINTS / 2).map(on_surface));
        let choice = Choice { points: &points, candidates: &candidates, count: DEGREE };
        let ways = choice.best(given, effort, parent as u64).into_iter();
        let ways = ways.map(|balls| balls.into_iter().map(|index| candidates[index as usize]).collect()).collect();
        self.by_promise(&candidates, ways, effort)
    }

    /// From centres to children.
    pub(super) fn settled(&self, way: &[Depth], effort: Effort) -> Vec<Member> {
        let task = Task { fields: self.fields, pieces: self.pieces, of: self.share, count: DEGREE };
        let clusters = task.settle(way, effort.settling);
        clusters.into_iter().map(|cluster| Member { parent: self.parent, cluster }).collect()
    }

    /// First the way that is best for these balls and for their children, as far as a quick look
    /// tells.
    fn by_promise(&self, candidates: &[Depth], ways: Vec<Vec<Depth>>, effort: Effort) -> Vec<Vec<Depth>> {
        if ways.len() == 1 {
            return ways;
        }
        let few: Vec<u32> = some(self.share, 4 * POINTS).copied().collect();
        let task = Task { fields: self.fields, pieces: self.pieces, of: &few, count: DEGREE };
        let look = |way: &Vec<Depth>| {
            let clusters = task.settle(way, effort.settling);
            let costs = clusters.iter().map(Cluster::cost);
            let (mean, most) = (costs.clone().sum::<f64>() / DEGREE as f64, costs.fold(0.0, f64::max));
            let below: Vec<[f64; 2]> = clusters.iter().map(|cluster| self.outlook(cluster, candidates)).collect();
            let below_mean = below.iter().map(|it| it[0]).sum::<f64>() / DEGREE as f64;
            let below_most = below.iter().map(|it| it[1]).fold(0.0, f64::max);
            let centers: Vec<Depth> = clusters.into_iter().map(|cluster| cluster.fit.depth).collect();
            ([mean, most, below_mean, below_most], centers)
        };
        let mut looks: Vec<([f64; 4], Vec<Depth>)> = ways.par_iter().map(look).collect();
        // Each figure against the best of all ways.
        let least = [0, 1, 2, 3]
            .map(|which| looks.iter().map(|it| it.0[which]).fold(f64::INFINITY, f64::min).max(f64::MIN_POSITIVE));
        let sum = |figures: &[f64; 4]| (0..4).map(|which| WEIGHTS[which] * figures[which] / least[which]).sum::<f64>();
        looks.sort_by(|a, b| sum(&a.0).total_cmp(&sum(&b.0)));
        looks.into_iter().map(|look| look.1).collect()
    }

    /// The mean and the largest cost of the children of a ball, roughly.
    fn outlook(&self, cluster: &Cluster, candidates: &[Depth]) -> [f64; 2] {
        let points: Vec<DVec3> = cluster.pieces.iter().map(|&piece| self.pieces.middle(piece)).collect();
        let near = |it: &&Depth| it.at.distance(cluster.fit.center()) <= cluster.fit.reach;
        let mut candidates: Vec<Depth> = candidates.iter().filter(near).copied().collect();
        candidates.push(cluster.fit.depth);
        Choice { points: &points, candidates: &candidates, count: DEGREE }.estimate()
    }
}

/// What mean and maximum of a level, and of the one below it, count for when ways are compared.
/// What is below is only estimated.
const WEIGHTS: [f64; 4] = [6.0, 1.0, 1.0, 0.5];

/// At most `most` of them, evenly.
fn some<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    all.iter().step_by(all.len().div_ceil(most).max(1))
}
