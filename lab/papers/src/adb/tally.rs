//! What a way to answer costs, and how often it is wrong.

use super::scene::{Augmented, Trial};
use lab_report::stopwatch::time;
use nearhit::research::PairExt;
use nearhit::research::adb::{Quality, Rule};
use nearhit::{Model, Pair, Scratch, Settings, Stats, Verdict};
use std::time::Duration;

/// Sums over tests.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Tally {
    /// Tests.
    pub(super) asked: u64,
    /// Of these, with outer boxes that meet.
    pub(super) near: u64,
    /// Of these, collisions not seen.
    pub(super) missed: u64,
    /// Of these, collisions that are none.
    pub(super) imagined: u64,
    /// Work.
    pub(super) stats: Stats,
    /// Estimates made, by the paper's rule.
    pub(super) estimates: u64,
    /// Pairs ranked, by the default rule.
    pub(super) ranked: u64,
    /// Pieces compared, by the default rule.
    pub(super) compared: u64,
    /// Regions compared for them.
    pub(super) overlaps: u64,
    /// The least of several rounds.
    pub(super) time: Duration,
}

/// Nanoseconds of each unit of work, as measured by `costs.rs` on one machine; fixed, so that
/// weighted work repeats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weights {
    pub(super) test: f64,
    pub(super) update: f64,
    pub(super) triangles: f64,
    pub(super) estimate: f64,
    pub(super) overlap: f64,
    pub(super) rank: f64,
    pub(super) compare: f64,
}

/// Of 18-DOPs, exact.
pub(super) const OF_DOPS: Weights =
    Weights { test: 8.0, update: 115.0, triangles: 75.0, estimate: 0.0, overlap: 0.0, rank: 0.0, compare: 0.0 };
/// Of pieces and their boxes in single precision, placed at each test: the default rule. An update
/// and a test in double precision come in where one body is a speck.
pub(super) const OF_PIECES: Weights =
    Weights { test: 20.0, update: 40.0, triangles: 75.0, estimate: 0.0, overlap: 0.0, rank: 5.0, compare: 20.0 };
/// Of the same boxes with estimates: the paper's rule.
pub(super) const OF_BOXES: Weights =
    Weights { test: 20.0, update: 17.0, triangles: 0.0, estimate: 20.0, overlap: 55.0, rank: 0.0, compare: 0.0 };

impl Tally {
    /// Wrong answers among tests whose outer boxes meet, in per cent: as the paper counts.
    pub(super) fn error(&self) -> f64 {
        100.0 * (self.missed + self.imagined) as f64 / self.near.max(1) as f64
    }

    /// Mean time of a test.
    pub(super) fn micros(&self) -> f64 {
        self.time.as_secs_f64() * 1e6 / self.asked.max(1) as f64
    }

    /// Mean weighted work of a test, in microseconds.
    pub(super) fn weighted(&self, weights: &Weights) -> f64 {
        let Stats { volume_tests, triangle_tests, updates, .. } = self.stats;
        let nanoseconds = volume_tests as f64 * weights.test
            + updates as f64 * weights.update
            + triangle_tests as f64 * weights.triangles
            + self.estimates as f64 * weights.estimate
            + self.overlaps as f64 * weights.overlap
            + self.ranked as f64 * weights.rank
            + self.compared as f64 * weights.compare;
        nanoseconds / 1e3 / self.asked.max(1) as f64
    }

    fn judge(&mut self, trial: &Trial, says: bool) {
        self.asked += 1;
        if trial.near {
            self.near += 1;
            self.missed += u64::from(trial.touches && !says);
            self.imagined += u64::from(says && !trial.touches);
        }
    }

    /// Adds tests of another kind: times add up, too.
    pub(super) fn add(&mut self, other: &Self) {
        self.asked += other.asked;
        self.near += other.near;
        self.missed += other.missed;
        self.imagined += other.imagined;
        self.stats += other.stats;
        self.estimates += other.estimates;
        self.overlaps += other.overlaps;
        self.ranked += other.ranked;
        self.compared += other.compared;
        self.time += other.time;
    }
}

/// The exact question, put to any engine.
pub(super) fn exact(model: &Model, trials: &[Trial], rounds: usize) -> Tally {
    let mut scratch = Scratch::new();
    repeated(rounds, || {
        let mut tally = Tally::default();
        for trial in trials {
            let pair = Pair::relative(model, model, &trial.pose).expect("in range");
            let found = pair.collide(&Settings::default(), &mut scratch);
            tally.stats += found.stats;
            tally.judge(trial, found.verdict == Verdict::Yes);
        }
        tally
    })
}

/// The average-case question.
pub(super) fn average(object: &Augmented, quality: &Quality, trials: &[Trial], rounds: usize) -> Tally {
    let Augmented { model, averages } = object;
    let mut scratch = Scratch::new();
    repeated(rounds, || {
        let mut tally = Tally::default();
        for trial in trials {
            let pair = Pair::relative(model, model, &trial.pose).expect("in range");
            let averaged = pair.averaged(averages, averages).expect("its own table");
            let guess = averaged.collide(quality, &Settings::default(), &mut scratch);
            tally.stats += guess.stats;
            let evidence = &guess.evidence;
            tally.estimates += if quality.rule == Rule::Anywhere { evidence.met } else { 0 };
            tally.overlaps += evidence.overlaps;
            tally.ranked += evidence.ranked;
            tally.compared += evidence.compared;
            tally.judge(trial, guess.collides() == Some(true));
        }
        tally
    })
}

fn repeated(rounds: usize, mut ask: impl FnMut() -> Tally) -> Tally {
    let mut best = Tally { time: Duration::MAX, ..Tally::default() };
    for _ in 0..rounds.max(1) {
        let mut tally = Tally::default();
        let taken = time(|| tally = ask());
        best = Tally { time: best.time.min(taken), ..tally };
    }
    best
}
