//! Benchmark of a case: builds both models, then asks the query at every pose, pass by pass.
//!
//! Each thread has its own stretch of the poses, its own scratch and, in a warm run, its own seed,
//! which begins empty in every pass. So the answers are the same for any number of threads. So are
//! the counters of a cold run; in a warm one the first pose of each stretch is asked cold, which
//! costs a little more work.

use super::answer::Answer;
use super::plan::Plan;
use super::precomputed::Precomputed;
use super::query::Room;
use crate::progress::Progress;
use crate::volume::Engine;
use anyhow::{Context, Result, anyhow};
use nearhit::batch::Seeding;
use nearhit::research::SettingsExt;
use nearhit::{Model, Pair, Seed, Settings};
use nearhit_cases::folder::Case;
use nearhit_cases::folder::Placed;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::{Duration, Instant};

/// What came of a plan.
#[derive(Debug, Clone)]
pub struct Measured {
    /// By pose, of the last pass.
    pub answers: Vec<Answer>,
    /// Time to build both models.
    pub build: Duration,
    /// Memory of both models, meshes included.
    pub bytes: usize,
}

/// Builds and asks as planned.
pub fn measure(case: &Case, plan: &Plan) -> Result<Measured> {
    Built::new(case, plan)?.measure(case, plan)
}

/// The models of a case, and the threads that work on them.
#[derive(Debug)]
pub struct Built {
    a: Model,
    b: Model,
    precomputed: Precomputed,
    time: Duration,
    pool: ThreadPool,
    volume: Engine,
}

impl Built {
    /// Builds them with the planned volume and threads.
    pub fn new(case: &Case, plan: &Plan) -> Result<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(plan.threads).build().context("cannot start the threads")?;
        let meshes = (case.a.clone(), case.b.clone());
        let started = Instant::now();
        let (a, b) = pool.install(|| (plan.volume.build(meshes.0), plan.volume.build(meshes.1)));
        let precomputed = Precomputed::default();
        pool.install(|| precomputed.make(plan.query, &a, &b));
        let time = started.elapsed();
        Ok(Self { a, b, precomputed, time, pool, volume: plan.volume })
    }

    /// Model a and model b.
    pub(super) fn models(&self) -> (&Model, &Model) {
        (&self.a, &self.b)
    }

    /// Asks as planned at the poses of `case`: any query, but with the volume and the threads they
    /// were built with.
    pub fn measure(&self, case: &Case, plan: &Plan) -> Result<Measured> {
        debug_assert_eq!(plan.volume, self.volume, "built with another volume");
        self.pool.install(|| self.precomputed.make(plan.query, &self.a, &self.b));
        let answers = self.pool.install(|| all_passes(self, &case.poses, plan))?;
        let bytes = self.a.bytes() + self.b.bytes() + self.precomputed.bytes(plan.query);
        Ok(Measured { answers, build: self.time, bytes })
    }
}

/// Answers of the last pass.
fn all_passes(models: &Built, poses: &[Placed], plan: &Plan) -> Result<Vec<Answer>> {
    let stretch = poses.len().div_ceil(plan.threads.max(1)).max(1);
    let mut rooms: Vec<Room> = poses.chunks(stretch).map(|_| Room::new(plan.start)).collect();
    let progress = Progress::new((poses.len() * plan.passes) as u64, "queries");
    let mut answers = vec![Answer::default(); poses.len()];
    for _ in 0..plan.passes {
        let stretches = poses.par_chunks(stretch).zip(answers.par_chunks_mut(stretch)).zip(&mut rooms);
        stretches.enumerate().try_for_each(|(index, ((poses, answers), room))| {
            one_pass(models, poses, plan, (answers, room), &progress).map_err(|(pose, error)| {
                anyhow!("pose {} (poses.txt:{}): {error}", index * stretch + pose, poses[pose].line)
            })
        })?;
    }
    Ok(answers)
}

/// Asks at each pose. An error comes with the index of its pose in `poses`.
fn one_pass(
    models: &Built,
    poses: &[Placed],
    plan: &Plan,
    (answers, room): (&mut [Answer], &mut Room),
    progress: &Progress,
) -> Result<(), (usize, nearhit::QueryError)> {
    let mut seed = None;
    room.restart();
    for (index, (placed, answer)) in poses.iter().zip(answers).enumerate() {
        let started = Instant::now();
        let settings = Settings::new().agenda(plan.agenda).budget(plan.limit).seed(seed);
        let pair = Pair::new(&models.a, &placed.world_from_a, &models.b, &placed.world_from_b);
        let pair = pair.map_err(|error| (index, error))?;
        let asked = plan.query.ask(&pair, &models.precomputed, &settings, room);
        *answer = asked.map_err(|error| (index, error))?;
        let ended = Instant::now();
        answer.time = ended - started;
        if plan.start == Seeding::Warm {
            // Where there is no witness, the last one is still the best start.
            seed = answer.witness.map(Seed).or(seed);
        }
        progress.tick(ended);
    }
    Ok(())
}
