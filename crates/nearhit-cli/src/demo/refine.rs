//! Progressive refinement in the demonstration: at the narrowest free pose, sphere-trees level by
//! level, and what each budget proves about the distance.

use crate::terminal::significant;
use anyhow::{Context, Result, bail};
use nearhit::research::RefinementExt;
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{BuildEffort, SphereOptions};
use nearhit::{
    Budget, Interval, Model, Pair, Pose, Refined, Refinement, Scratch, Settings, SpherePair, SphereTree, Stats,
    Tolerance,
};
use nearhit_cases::folder::Case;
use std::time::Instant;

/// What was found out.
#[derive(Debug)]
pub(super) struct Story {
    pub(super) pose: usize,
    /// Where the ring is.
    pub(super) ring_place: Pose,
    /// Of the ring and the wire.
    pub(super) trees: [SphereTree; 2],
    pub(super) build_ms: f64,
    /// The true distance.
    pub(super) distance: f64,
    /// After each budget, the smallest first.
    pub(super) budgets: Vec<Spent>,
    /// After each level.
    pub(super) levels: Vec<Level>,
}

/// What a budget is worth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spent {
    /// Tests of balls and triangles that it allowed.
    pub(super) work: u64,
    pub(super) us: f64,
    pub(super) known: Refined,
}

/// A level done with.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) known: Refined,
    /// Balls of the ring and of the wire that meet, in ascending order.
    pub(super) meeting: [Vec<u32>; 2],
}

impl Story {
    /// What is known with at most this budget; nothing before the first.
    pub(super) fn within(&self, work: u64) -> Option<&Spent> {
        self.budgets.iter().rev().find(|spent| spent.work <= work)
    }
}

/// As it is written.
pub(super) fn interval(Interval { lower, upper }: &Interval) -> String {
    format!("[{}, {}]", length(*lower), length(*upper))
}

/// With three digits, however small.
pub(super) fn length(length: f64) -> String {
    match length {
        0.0 => "0".to_owned(),
        0.1.. => significant(length),
        _ => format!("{length:.*}", (2.0 - length.abs().log10().floor()).clamp(3.0, 17.0) as usize),
    }
}

/// Builds the trees, and refines.
pub(super) fn story(case: &Case) -> Result<Story> {
    let models = [Model::new(case.a.clone()), Model::new(case.b.clone())];
    let (pose, distance) = narrowest(case, &models)?;
    let start = Instant::now();
    let options = SphereOptions::new().effort(BuildEffort::Quick);
    let trees = [0, 1].map(|body| SphereTree::build(&models[body], &options));
    let build_ms = start.elapsed().as_secs_f64() * 1e3;
    let placed = &case.poses[pose];
    let pair = Pair::new(&models[0], &placed.world_from_a, &models[1], &placed.world_from_b)?;
    let pair = SpherePair::new(pair, &trees[0], &trees[1]);
    let (budgets, levels) = (budgets(&pair), levels(&pair));
    for known in budgets.iter().map(|spent| &spent.known).chain(levels.iter().map(|level| &level.known)) {
        if !(known.separation.lower <= distance && distance <= known.separation.upper) {
            bail!("a refinement excludes the distance at pose {pose}: this is a bug in nearhit, please report it");
        }
    }
    let ring_place = Pose::a_from_b(&placed.world_from_b, &placed.world_from_a);
    Ok(Story { pose, ring_place, trees, build_ms, distance, budgets, levels })
}

/// The pose at which the ring is closest to the wire without touching it, and how close.
fn narrowest(case: &Case, models: &[Model; 2]) -> Result<(usize, f64)> {
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    let mut best: Option<(usize, f64)> = None;
    for (index, placed) in case.poses.iter().enumerate() {
        let pair = Pair::new(&models[0], &placed.world_from_a, &models[1], &placed.world_from_b)?;
        let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch).upper;
        if distance > 0.0 && best.is_none_or(|(_, least)| distance < least) {
            best = Some((index, distance));
        }
    }
    best.context("the ring is never free")
}

/// Ten budgets to a power of ten, until nothing is left to do. Each begins afresh.
fn budgets(pair: &SpherePair<'_>) -> Vec<Spent> {
    let (mut all, mut refinement) = (Vec::new(), Refinement::default());
    for tenth in 0..=60 {
        let work = 10_f64.powf(f64::from(tenth) / 10.0).round() as u64;
        refinement.restart();
        let start = Instant::now();
        let known = refinement.run(pair, &Budget::work(work));
        all.push(Spent { work, us: start.elapsed().as_secs_f64() * 1e6, known });
        if refinement.is_done() {
            break;
        }
    }
    all
}

fn levels(pair: &SpherePair<'_>) -> Vec<Level> {
    let (mut all, mut refinement) = (Vec::new(), Refinement::default());
    while !refinement.is_done() {
        refinement.step(pair, &Budget::UNLIMITED, &mut Stats::default());
        let known = refinement.known();
        let side = |side: fn(&(u32, u32)) -> u32| {
            let mut ids: Vec<u32> = refinement.colliding().iter().map(side).collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        let meeting = [side(|pair| pair.0), side(|pair| pair.1)];
        // The step from balls to triangles looks at nothing.
        if all.last().is_none_or(|last: &Level| last.known.stats != known.stats) {
            all.push(Level { known, meeting });
        }
    }
    all
}
