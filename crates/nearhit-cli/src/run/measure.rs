//! How long does each query take? Builds both models, then asks, pass by pass.
//!
//! Each thread has its own stretch of the poses and its own scratch, so the answers and the counters are the same for any
//! number of threads; only the times differ.

use super::answer::Answer;
use super::plan::{Limit, Plan};
use crate::case::Case;
use crate::poses::Placed;
use crate::progress::Progress;
use anyhow::{Context, Result, anyhow};
use nearhit::{Budget, BuildOptions, Clock, Model, Pair, Scratch, Settings};
use rayon::prelude::*;
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

/// Does what is planned.
pub fn measure(case: &Case, plan: &Plan) -> Result<Measured> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads).build().context("cannot start the threads")?;
    let (meshes, options) = ((case.a.clone(), case.b.clone()), BuildOptions::default());
    let started = Instant::now();
    let (a, b) = pool.install(|| {
        let build = |mesh| Model::with(mesh, plan.volume, &options);
        (build(meshes.0), build(meshes.1))
    });
    let build = started.elapsed();
    let answers = pool.install(|| all_passes(&Bodies { a: &a, b: &b }, &case.poses, plan))?;
    Ok(Measured { answers, build, bytes: a.bytes() + b.bytes() })
}

struct Bodies<'m> {
    a: &'m Model,
    b: &'m Model,
}

/// Answers of the last pass.
fn all_passes(bodies: &Bodies<'_>, poses: &[Placed], plan: &Plan) -> Result<Vec<Answer>> {
    let stretch = poses.len().div_ceil(plan.threads.max(1)).max(1);
    let mut scratches: Vec<Scratch> = poses.chunks(stretch).map(|_| Scratch::new()).collect();
    let progress = Progress::new((poses.len() * plan.passes) as u64);
    let mut answers = vec![Answer::default(); poses.len()];
    for _ in 0..plan.passes {
        let stretches = poses.par_chunks(stretch).zip(answers.par_chunks_mut(stretch)).zip(&mut scratches);
        stretches.enumerate().try_for_each(|(index, ((poses, answers), scratch))| {
            one_pass(bodies, poses, plan, (answers, scratch), &progress).map_err(|(pose, error)| {
                anyhow!("pose {} (line {}): {error}", index * stretch + pose, poses[pose].line)
            })
        })?;
    }
    Ok(answers)
}

/// Asks at each pose. An error comes with the index of its pose in `poses`.
fn one_pass(
    bodies: &Bodies<'_>,
    poses: &[Placed],
    plan: &Plan,
    (answers, scratch): (&mut [Answer], &mut Scratch),
    progress: &Progress,
) -> Result<(), (usize, nearhit::QueryError)> {
    let clock = WallClock(Instant::now());
    for (index, (placed, answer)) in poses.iter().zip(answers).enumerate() {
        let started = Instant::now();
        let settings = Settings { agenda: plan.agenda, budget: budget(plan.limit, &clock), ..Settings::default() };
        let pair = Pair::new(bodies.a, &placed.world_from_a, bodies.b, &placed.world_from_b);
        *answer = plan.query.ask(&pair.map_err(|error| (index, error))?, &settings, scratch);
        let ended = Instant::now();
        answer.time = ended - started;
        progress.tick(ended);
    }
    Ok(())
}

/// The limit of a query that begins now.
fn budget(limit: Limit, clock: &WallClock) -> Budget<'_> {
    match limit {
        Limit::None => Budget::UNLIMITED,
        Limit::Work(units) => Budget::work(units),
        Limit::Time(time) => Budget::until(clock, clock.now().saturating_add(time)),
    }
}

#[derive(Debug)]
struct WallClock(Instant);

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
