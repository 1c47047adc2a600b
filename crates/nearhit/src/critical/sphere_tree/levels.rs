//! From the medial axis to the levels of a tree.

use super::balance::{Balance, Balancing, Member};
use super::build::{Care, Node, Policy, SphereOptions};
use super::choose::{Choice, Effort};
use super::cluster::{Cluster, Task};
use super::field::{Depth, Field};
use super::holders::Holders;
use super::medial::{MedialAxis, medial_axis};
use super::merge::merge;
use super::pieces::Pieces;
use super::sample::samples;
use crate::model::Model;
use crate::volume::BoundingVolume;
use crate::volume::sphere::Sphere;
use glam::DVec3;
use rayon::prelude::*;

/// Children of a parent: as many as a cell has octants.
const DEGREE: usize = 8;
/// Points that a choice is made for, at most: three times as many make it no better.
const POINTS: usize = 1000;
/// Medial balls that it is made from, at most.
const CANDIDATES: usize = 4000;

/// What has few triangles has few features, and its tree is to be there in a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pains {
    Least,
    Some,
    Most,
}

/// A tree that has only few triangles.
const FEW: usize = 1000;

/// How hard to look for the balls of a level. Upper levels are few and matter most.
fn effort(level: u32, pains: Pains) -> Effort {
    let least = Effort { merges: false, starts: 1, swaps: 2, ways: 1, rounds: 6, settling: 1 };
    match (pains, level) {
        (Pains::Most, 1) => Effort { merges: true, starts: 20, swaps: 64, ways: 8, rounds: 16, settling: 8 },
        (Pains::Most, 2) => Effort { merges: true, starts: 6, swaps: 24, ways: 3, rounds: 12, settling: 4 },
        (Pains::Some, 1) => Effort { merges: true, starts: 12, swaps: 32, ways: 4, rounds: 12, settling: 6 },
        (Pains::Some, 2) => Effort { merges: true, starts: 4, swaps: 16, ways: 1, rounds: 12, settling: 2 },
        (Pains::Most | Pains::Some, 3) => Effort { swaps: 4, rounds: 12, ..least },
        (Pains::Least, 1) => Effort { merges: true, starts: 2, swaps: 8, rounds: 8, settling: 3, ..least },
        _ => least,
    }
}

fn balancing(level: u32, pains: Pains) -> Balancing {
    match (pains, level) {
        (Pains::Most, 1) => Balancing { rounds: 4, swaps: 2, halvings: 4 },
        (Pains::Most, 2) => Balancing { rounds: 4, swaps: 4, halvings: 3 },
        (Pains::Most, 3) => Balancing { rounds: 3, swaps: 2, halvings: 3 },
        (Pains::Some, 1..=3) => Balancing { rounds: 3, swaps: 1, halvings: 2 },
        _ => Balancing { rounds: 1, swaps: 0, halvings: 0 },
    }
}

/// The levels of a tree, from the root.
pub(super) fn levels(
    model: &Model,
    depth: u32,
    options: &SphereOptions,
    progress: &(dyn Fn(f64) + Sync),
) -> Vec<Vec<Node>> {
    let triangles = model.mesh().triangles().len();
    let (pains, pieces, points) = match options.care {
        Care::Quick => (Pains::Least, 12_000, 1000),
        Care::Full if triangles < FEW => (Pains::Some, 25_000, 2000),
        Care::Full => (Pains::Most, (40 * triangles).clamp(50_000, 200_000), 3000),
    };
    let mut pieces = Pieces::new(model.mesh(), pieces.max(6 * DEGREE.pow(depth)));
    let axis = medial_axis(model, samples(model, points, 1), 2);
    progress(0.1);
    let (mut levels, mut shares) = (vec![vec![root(model, &pieces)]], vec![pieces.all()]);
    let mut holders = Holders::of_root(&pieces);
    for level in 1..=depth {
        let above = levels.last().expect("the root");
        let effort = effort(level, pains);
        let children = above.par_iter().zip(&shares).enumerate().map_init(
            || Field::new(model),
            |field, (parent, (node, share))| {
                Brood { model, pieces: &pieces, axis: &axis, node, share, parent }.children(effort, field)
            },
        );
        let mut members: Vec<Member> = children.collect::<Vec<_>>().into_iter().flatten().collect();
        let balancing = balancing(level, pains);
        members = balance(model, &pieces, &axis, &holders).settle(members, balancing);
        for _ in 0..balancing.halvings {
            let binding = balance(model, &pieces, &axis, &holders).binding(&members);
            pieces.halve(&binding, members.iter_mut().map(|member| &mut member.cluster.pieces));
            holders = match options.policy {
                Policy::Looser if level > 1 => Holders::near(&pieces, above),
                _ => levels[1..].iter().fold(Holders::of_root(&pieces), |known, nodes| known.below(&pieces, nodes)),
            };
            members = balance(model, &pieces, &axis, &holders).settle(members, Balancing { swaps: 0, ..balancing });
        }
        balance(model, &pieces, &axis, &holders).share_out(&mut members);
        let nodes: Vec<Node> = members.iter().map(|member| node(&pieces, member)).collect();
        holders = match options.policy {
            Policy::Safest => holders.below(&pieces, &nodes),
            Policy::Looser => Holders::near(&pieces, &nodes),
        };
        shares = members.into_iter().map(|member| member.cluster.pieces).collect();
        levels.push(nodes);
        progress(0.1 + 0.7 * f64::from(level) / f64::from(depth));
    }
    for (leaf, share) in levels.last_mut().expect("the root").iter_mut().zip(shares) {
        leaf.triangles = pieces.triangles_of(&share);
    }
    levels
}

fn balance<'b>(model: &'b Model, pieces: &'b Pieces, axis: &'b MedialAxis, holders: &'b Holders) -> Balance<'b> {
    Balance { model, pieces, axis, holders, degree: DEGREE }
}

fn root(model: &Model, pieces: &Pieces) -> Node {
    let triangles: Vec<_> =
        (0..model.mesh().triangles().len() as u32).map(|index| model.mesh().triangle(index)).collect();
    let center = Sphere::fit(&triangles).center();
    let reach = super::fit::reach(&pieces.points, center);
    Node { center, radius: pieces.radius(reach), reach, parent: 0, triangles: Vec::new() }
}

fn node(pieces: &Pieces, member: &Member) -> Node {
    let fit = &member.cluster.fit;
    let (center, reach) = (fit.center(), fit.reach);
    Node { center, radius: pieces.radius(reach), reach, parent: member.parent, triangles: Vec::new() }
}

/// A node with the pieces that its children are to share.
struct Brood<'b> {
    model: &'b Model,
    pieces: &'b Pieces,
    axis: &'b MedialAxis,
    node: &'b Node,
    share: &'b [u32],
    parent: usize,
}

impl Brood<'_> {
    fn children(&self, effort: Effort, field: &mut Field<'_>) -> Vec<Member> {
        let Self { pieces, axis, node, share, parent, .. } = *self;
        let depth = |&ball: &u32| axis.balls[ball as usize].depth;
        let points: Vec<DVec3> = some(share, POINTS).map(|&piece| pieces.middle(piece)).collect();
        let near = |ball: &u32| depth(ball).at.distance(node.center) <= node.radius;
        let medial: Vec<u32> = (0..axis.balls.len() as u32).filter(near).collect();
        // As in the paper: everything that became the parent is merged again.
        let merged = if effort.merges { merge(axis, &medial, DEGREE) } else { Vec::new() };
        let mut candidates: Vec<Depth> = merged.iter().map(|merged| field.depth(merged.center)).collect();
        let given = (0..candidates.len() as u32).collect();
        candidates.extend(some(&medial, CANDIDATES).map(depth));
        // Where there is no inside, balls are centred on the surface.
        candidates.extend(some(&points, POINTS / 2).map(|&at| Depth { at, distance: 0.0, nearest: at }));
        let choice = Choice { points: &points, candidates: &candidates, count: DEGREE };
        let ways = choice.best(given, effort, parent as u64).into_iter();
        let ways = ways.map(|balls| balls.into_iter().map(|index| candidates[index as usize]).collect()).collect();
        let start = self.promising(&candidates, ways, effort);
        let task = Task { pieces, of: share, count: DEGREE };
        let clusters = task.settle(&start, field, effort.settling);
        clusters.into_iter().map(|cluster| Member { parent, cluster }).collect()
    }

    /// The way that is best for these balls and for their children, as far as a quick look tells.
    fn promising(&self, candidates: &[Depth], mut ways: Vec<Vec<Depth>>, effort: Effort) -> Vec<Depth> {
        if ways.len() == 1 {
            return ways.swap_remove(0);
        }
        let few: Vec<u32> = some(self.share, 4 * POINTS).copied().collect();
        let task = Task { pieces: self.pieces, of: &few, count: DEGREE };
        let look = |field: &mut Field<'_>, way: &Vec<Depth>| {
            let clusters = task.settle(way, field, effort.settling);
            let costs = clusters.iter().map(|cluster| cluster.fit.cost());
            let (mean, most) = (costs.clone().sum::<f64>() / DEGREE as f64, costs.fold(0.0, f64::max));
            let below: Vec<[f64; 2]> = clusters.iter().map(|cluster| self.outlook(cluster, candidates)).collect();
            let below_mean = below.iter().map(|it| it[0]).sum::<f64>() / DEGREE as f64;
            let below_most = below.iter().map(|it| it[1]).fold(0.0, f64::max);
            let centers: Vec<Depth> = clusters.into_iter().map(|cluster| cluster.fit.depth).collect();
            ([mean, most, below_mean, below_most], centers)
        };
        let model = self.model;
        let looks: Vec<([f64; 4], Vec<Depth>)> = ways.par_iter().map_init(|| Field::new(model), look).collect();
        // Each figure against the best of all ways.
        let least = [0, 1, 2, 3]
            .map(|which| looks.iter().map(|it| it.0[which]).fold(f64::INFINITY, f64::min).max(f64::MIN_POSITIVE));
        let sum = |figures: &[f64; 4]| (0..4).map(|which| WEIGHTS[which] * figures[which] / least[which]).sum::<f64>();
        let best = looks.into_iter().min_by(|a, b| sum(&a.0).total_cmp(&sum(&b.0)));
        best.expect("two ways at least").1
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

/// What mean and maximum of a level, and of the one below it, count for when ways are compared. What is below is only estimated.
const WEIGHTS: [f64; 4] = [6.0, 1.0, 1.0, 0.5];

/// At most `most` of them, evenly.
fn some<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    all.iter().step_by(all.len().div_ceil(most).max(1))
}
