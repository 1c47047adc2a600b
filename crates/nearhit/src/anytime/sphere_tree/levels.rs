//! Level by level construction of a bounding sphere hierarchy: from the medial axis to the levels
//! of a tree.

use super::admissible::Admissible;
use super::build::{BuildEffort, Node, Policy, SphereOptions};
use super::children::{Children, DEGREE};
use super::choose::Effort;
use super::demand::Demand;
use super::field::{Depth, Fields};
use super::hole_caps::HoleCaps;
use super::medial::{MedialAxis, medial_axis};
use super::optimise_level::{LevelEffort, LevelOptimiser, Member};
use super::pieces::Pieces;
use super::sample::samples;
use crate::model::Model;
use crate::parallel::*;
use crate::volume::BoundingVolume;
use crate::volume::sphere::Sphere;

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
        (Pains::Most, 2) => Effort { merges: true, starts: 2, swaps: 8, ways: 1, rounds: 12, settling: 2 },
        (Pains::Some, 1) => Effort { merges: true, starts: 12, swaps: 32, ways: 4, rounds: 12, settling: 6 },
        (Pains::Some, 2) => Effort { merges: false, starts: 4, swaps: 16, ways: 1, rounds: 12, settling: 2 },
        (Pains::Most | Pains::Some, 3) => Effort { swaps: 4, rounds: 12, ..least },
        (Pains::Least, 1) => Effort { merges: true, starts: 2, swaps: 8, rounds: 8, settling: 3, ..least },
        _ => least,
    }
}

fn level_effort(level: u32, pains: Pains) -> LevelEffort {
    match (pains, level) {
        (Pains::Most, 1) => LevelEffort { rounds: 4, swaps: 2, halvings: 4, reassignments: 4, mendings: 2 },
        (Pains::Most, 2) => LevelEffort { rounds: 4, swaps: 4, halvings: 3, reassignments: 2, mendings: 2 },
        (Pains::Most, 3) => LevelEffort { rounds: 3, swaps: 4, halvings: 5, reassignments: 1, mendings: 2 },
        (Pains::Some, 1..=3) => LevelEffort { rounds: 2, swaps: 1, halvings: 2, reassignments: 1, mendings: 1 },
        (Pains::Some, _) => LevelEffort { rounds: 0, swaps: 0, halvings: 0, reassignments: 0, mendings: 0 },
        _ => LevelEffort { rounds: 1, swaps: 0, halvings: 0, reassignments: 0, mendings: 0 },
    }
}

/// How many trees are begun, and how many of them get a third level, before the best is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tries {
    first: usize,
    third: usize,
}

impl Tries {
    const ONE: Self = Self { first: 1, third: 1 };
    const TWO: Self = Self { first: 2, third: 1 };

    /// By the time that there is: what is large takes long, and what is small is to be there in a
    /// moment.
    fn of(triangles: usize, pains: Pains) -> Self {
        let several = pains == Pains::Most && (3000..8000).contains(&triangles);
        if several { Self { first: 6, third: 4 } } else { Self::ONE }
    }
}

/// Pieces of the surface while several trees are begun; from the third level on they are finer.
const COARSE: usize = 40_000;

/// Below the third level there are this many pieces for each leaf at least.
const PIECES_OF_A_LEAF: usize = 6;

/// Balls of the first level that stick out by less than this, in radii of the root, are good
/// enough.
const ENOUGH: f64 = 0.02;

/// Balls of the first level that stick out by more than this on average, in radii of the root, are
/// those of thin parts.
const THIN: f64 = 0.2;

/// The levels of a tree, from the root.
pub(super) fn levels(
    model: &Model,
    depth: u32,
    options: &SphereOptions,
    progress: &(dyn Fn(f64) + Sync),
) -> Vec<Vec<Node>> {
    let triangles = model.mesh().triangles().len();
    let (pains, fine, points) = match options.effort {
        BuildEffort::Quick => (Pains::Least, 12_000, 1000),
        BuildEffort::Full if triangles < FEW => (Pains::Some, 8000, 1000),
        BuildEffort::Full => (Pains::Most, (40 * triangles).clamp(50_000, 200_000), 3000),
    };
    let tries = Tries::of(triangles, pains);
    let coarse = if tries == Tries::ONE || depth < 3 { fine } else { fine.min(COARSE) };
    let pieces = Pieces::new(model.mesh(), coarse);
    let caps = HoleCaps::new(model, if pains == Pains::Most { 40 } else { 20 });
    let points = options.points.unwrap_or(points).max(4);
    let axis = medial_axis(model, &caps, samples(model, points, 1), 2);
    progress(0.1);
    let fields = Fields::new(model, &caps);
    let setting =
        Setting { fields: &fields, axis: &axis, pains, policy: options.policy, fine: (coarse < fine).then_some(fine) };
    let root = Growth::root(model, pieces);
    let mut trees = if tries == Tries::ONE || depth < 3 {
        setting.grow(root, tries, depth.min(3), &|share| progress(0.1 + 0.5 * share))
    } else {
        // The first tells what the surface needs.
        let mut trees = setting.grow(root.clone(), Tries::ONE, 3, &|share| progress(0.1 + 0.1 * share));
        // What is a ball already needs no second try.
        if !trees[0].is_good_enough() {
            let needing = root.needing(&trees[0]);
            let tries = if trees[0].is_thin() { Tries::TWO } else { tries };
            trees.extend(setting.grow(needing, tries, 3, &|share| progress(0.2 + 0.4 * share)));
        }
        trees
    };
    keep(&mut trees, 1);
    let mut tree = trees.swap_remove(0);
    if depth > 3 {
        tree.refine(&setting, PIECES_OF_A_LEAF * DEGREE.pow(depth));
    }
    for level in 4..=depth {
        tree.grow(&setting);
        progress(0.6 + 0.2 * f64::from(level - 3) / f64::from(depth - 3));
    }
    tree.finish()
}

/// Keeps the trees that are best on all levels that they have: each figure counts against the best
/// of all trees.
fn keep(trees: &mut Vec<Growth>, count: usize) {
    let Some(figures) = trees.first().map(|tree| tree.costs.len()) else { return };
    let least = |figure: usize| trees.iter().map(|tree| tree.costs[figure]).fold(f64::INFINITY, f64::min);
    let least: Vec<f64> = (0..figures).map(|figure| least(figure).max(f64::MIN_POSITIVE)).collect();
    let sum = |tree: &Growth| tree.costs.iter().zip(&least).map(|(cost, least)| cost / least).sum::<f64>();
    trees.sort_by(|a, b| sum(a).total_cmp(&sum(b)));
    trees.truncate(count);
}

/// What all levels have in common.
struct Setting<'s, 'm> {
    fields: &'s Fields<'m>,
    axis: &'s MedialAxis,
    pains: Pains,
    policy: Policy,
    /// How many pieces there are from the third level on, if that is more.
    fine: Option<usize>,
}

impl Setting<'_, '_> {
    /// Some trees of up to three levels.
    fn grow(&self, root: Growth, tries: Tries, depth: u32, progress: &(dyn Fn(f64) + Sync)) -> Vec<Growth> {
        let mut trees = vec![root];
        for level in 1..=depth {
            match level {
                1 => trees = trees[0].first_levels(self, tries.first),
                2 => trees.par_iter_mut().for_each(|tree| tree.grow(self)),
                _ => {
                    keep(&mut trees, tries.third);
                    trees.par_iter_mut().for_each(|tree| {
                        if let Some(count) = self.fine {
                            tree.refine(self, count);
                        }
                        tree.grow(self);
                    });
                }
            }
            progress(f64::from(level) / f64::from(depth));
        }
        trees
    }
}

/// A tree as far as it has grown.
#[derive(Debug, Clone)]
struct Growth {
    pieces: Pieces,
    levels: Vec<Vec<Node>>,
    /// The pieces of each node of the last level.
    shares: Vec<Vec<u32>>,
    admissible: Admissible,
    /// Of each level the mean and the largest.
    costs: Vec<f64>,
    /// Of each node of the last level.
    last_costs: Vec<f64>,
}

impl Growth {
    fn root(model: &Model, pieces: Pieces) -> Self {
        let (levels, shares) = (vec![vec![root(model, &pieces)]], vec![pieces.all()]);
        let admissible = Admissible::of_root(&pieces);
        Self { pieces, levels, shares, admissible, costs: Vec::new(), last_costs: Vec::new() }
    }

    /// A root whose tree is to have balls where another tree had too few.
    fn needing(mut self, other: &Self) -> Self {
        self.pieces.needs = Some(Demand::new(&self.pieces, &other.pieces, &other.shares, &other.last_costs));
        self
    }

    /// From here on pieces are fine, and what is needed below counts no more.
    fn refine(&mut self, setting: &Setting<'_, '_>, count: usize) {
        self.pieces.needs = None;
        self.pieces.refine(count, &mut self.shares);
        self.hold(setting);
    }

    /// Does nothing on the first level stick out much, as of a ball?
    fn is_good_enough(&self) -> bool {
        self.costs[..2].iter().all(|&cost| cost <= ENOUGH * self.levels[0][0].radius)
    }

    /// Does all of the first level stick out far, as of thin plates? Then no way to begin is much
    /// better than another.
    fn is_thin(&self) -> bool {
        self.costs[0] > THIN * self.levels[0][0].radius
    }

    /// Finds out again who may have which pieces, after these have changed.
    fn hold(&mut self, setting: &Setting<'_, '_>) {
        self.admissible = match (setting.policy, self.levels.len()) {
            (Policy::Looser, 2..) => Admissible::near(&self.pieces, self.levels.last().expect("the root")),
            _ => {
                let root = Admissible::of_root(&self.pieces);
                self.levels[1..].iter().fold(root, |known, nodes| known.below(&self.pieces, nodes))
            }
        };
    }

    /// Some trees with one level more, from different ways to begin.
    fn first_levels(&self, setting: &Setting<'_, '_>, count: usize) -> Vec<Self> {
        let Setting { fields, axis, pains, .. } = *setting;
        let effort = effort(1, pains);
        let (pieces, node, share) = (&self.pieces, &self.levels[0][0], &self.shares[0]);
        let children = Children { fields, pieces, axis, node, share, parent: 0 };
        let mut ways = children.ways(effort);
        ways.truncate(count);
        let grown = |way: &Vec<Depth>| {
            let mut tree = self.clone();
            tree.settle(setting, children.settled(way, effort));
            tree
        };
        let mut trees = vec![grown(&ways[0])];
        if !trees[0].is_good_enough() {
            trees.extend(ways[1..].par_iter().map(grown).collect::<Vec<_>>());
        }
        trees
    }

    /// One level more.
    fn grow(&mut self, setting: &Setting<'_, '_>) {
        let Setting { fields, axis, pains, .. } = *setting;
        let effort = effort(self.levels.len() as u32, pains);
        let above = self.levels.last().expect("the root");
        let pieces = &self.pieces;
        let children = above
            .par_iter()
            .zip(&self.shares)
            .enumerate()
            .map(|(parent, (node, share))| Children { fields, pieces, axis, node, share, parent }.children(effort));
        let members = children.collect::<Vec<_>>().into_iter().flatten().collect();
        self.settle(setting, members);
    }

    /// Settles the balls of a level together.
    fn settle(&mut self, setting: &Setting<'_, '_>, mut members: Vec<Member>) {
        let Setting { pains, policy, .. } = *setting;
        let level = self.levels.len() as u32;
        let effort = level_effort(level, pains);
        members = self.optimiser(setting).settle(members, effort);
        for _ in 0..effort.halvings {
            let binding = self.optimiser(setting).binding(&members);
            self.pieces.halve(&binding, members.iter_mut().map(|member| &mut member.cluster.pieces));
            self.hold(setting);
            members = self.optimiser(setting).tighten(members, effort);
        }
        members = self.optimiser(setting).mend(members, effort);
        self.optimiser(setting).share_out(&mut members);
        let nodes: Vec<Node> = members.iter().map(|member| node(&self.pieces, member)).collect();
        self.admissible = match policy {
            Policy::Safest => self.admissible.below(&self.pieces, &nodes),
            Policy::Looser => Admissible::near(&self.pieces, &nodes),
        };
        self.last_costs = members.iter().map(|member| member.cluster.fit.cost()).collect();
        let costs = self.last_costs.iter().copied();
        self.costs.extend([costs.clone().sum::<f64>() / members.len() as f64, costs.fold(0.0, f64::max)]);
        self.shares = members.into_iter().map(|member| member.cluster.pieces).collect();
        self.levels.push(nodes);
        if let Some(needs) = &mut self.pieces.needs {
            needs.descend();
        }
    }

    fn optimiser<'b, 'm>(&'b self, setting: &Setting<'b, 'm>) -> LevelOptimiser<'b, 'm> {
        let Setting { fields, axis, .. } = *setting;
        LevelOptimiser { fields, pieces: &self.pieces, axis, admissible: &self.admissible, degree: DEGREE }
    }

    /// Gives leaves their triangles.
    fn finish(mut self) -> Vec<Vec<Node>> {
        for (leaf, share) in self.levels.last_mut().expect("the root").iter_mut().zip(&self.shares) {
            leaf.triangles = self.pieces.triangles_of(share);
        }
        self.levels
    }
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
