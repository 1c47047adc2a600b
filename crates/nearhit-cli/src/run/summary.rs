//! The summary of a run: totals and times. The fields of its JSON are a contract.

use super::answer::{Answer, microseconds, thousandths};
use super::{Case, Measured, Plan, Query};
use anyhow::Result;
use nearhit::Stats;
use serde::Serialize;
use std::time::Duration;

/// Totals and times of a run. `None` is what the query does not produce.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the case.
    pub case: String,
    /// The query as typed.
    pub query: String,
    /// The volume as typed.
    pub volume: String,
    /// Number of poses.
    pub poses: usize,
    /// Poses that certainly touch; `None` for a query that does not look for contact.
    pub colliding: Option<usize>,
    /// Intersecting triangle pairs over all poses; `None` too when a budget cut a list short.
    pub contacts: Option<u64>,
    /// Sum of the distances, or rather of the upper ends of their intervals.
    pub sum_distance: Option<f64>,
    /// Mean time of a query.
    pub mean_us: f64,
    /// Half of the queries took at most this.
    pub p50_us: f64,
    /// Of a hundred queries 99 took at most this.
    pub p99_us: f64,
    /// The slowest query.
    pub max_us: f64,
    /// Time to build both models.
    pub build_ms: f64,
    /// Memory of both models, meshes included.
    pub bytes: usize,
    /// Volume pairs tested.
    pub n_v: u64,
    /// Triangle pairs tested.
    pub n_p: u64,
    /// Volumes brought into the other frame.
    pub n_u: u64,
    /// Poses that are certainly within the tolerance. Added to the contract's line.
    pub within: Option<usize>,
    /// Poses without a certain answer because the budget ran out. Added to the contract's line.
    pub undecided: usize,
}

impl Summary {
    /// Adds up.
    #[must_use]
    pub fn new(case: &Case, plan: &Plan, measured: &Measured) -> Self {
        let answers = &measured.answers;
        let times = Times::new(answers);
        let within = matches!(plan.query, Query::Within(_));
        let count = |fits: fn(&Answer) -> bool| answers.iter().filter(|answer| fits(answer)).count();
        let work = answers.iter().fold(Stats::default(), |mut sum, answer| {
            sum += answer.stats;
            sum
        });
        Self {
            case: case.name.clone(),
            query: plan.query_name.clone(),
            volume: plan.volume.to_string(),
            poses: answers.len(),
            colliding: (!within).then(|| count(|answer| answer.collides == Some(true))),
            contacts: answers.iter().map(|answer| answer.contacts).sum(),
            sum_distance: if within { None } else { answers.iter().map(|answer| answer.upper).sum() },
            mean_us: microseconds(times.mean),
            p50_us: microseconds(times.rank(50)),
            p99_us: microseconds(times.rank(99)),
            max_us: microseconds(times.rank(100)),
            build_ms: thousandths(measured.build.as_micros()),
            bytes: measured.bytes,
            n_v: work.volume_tests,
            n_p: work.triangle_tests,
            n_u: work.updates,
            within: within.then(|| count(|answer| answer.within == Some(true))),
            undecided: answers.iter().filter(|answer| !answer.is_complete).count(),
        }
    }

    /// As one line.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

struct Times {
    sorted: Vec<Duration>,
    mean: Duration,
}

impl Times {
    fn new(answers: &[Answer]) -> Self {
        let mut sorted: Vec<Duration> = answers.iter().map(|answer| answer.time).collect();
        sorted.sort_unstable();
        let count = u32::try_from(sorted.len().max(1)).unwrap_or(u32::MAX);
        let mean = sorted.iter().sum::<Duration>() / count;
        Self { sorted, mean }
    }

    /// By nearest rank: the smallest time that at least `percent` of the queries do not exceed.
    fn rank(&self, percent: usize) -> Duration {
        let rank = (self.sorted.len() * percent).div_ceil(100);
        self.sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(nanoseconds: impl IntoIterator<Item = u64>) -> Times {
        let answer = |time| Answer { time: Duration::from_nanos(time), ..Answer::default() };
        Times::new(&nanoseconds.into_iter().map(answer).collect::<Vec<_>>())
    }

    #[test]
    fn percentiles_go_by_nearest_rank() {
        let ranks = |times: &Times| [50, 99, 100].map(|percent| times.rank(percent).as_nanos());
        assert_eq!(ranks(&times((1..=200).rev())), [100, 198, 200]);
        assert_eq!(ranks(&times([7])), [7, 7, 7]);
        assert_eq!(ranks(&times([2, 1])), [1, 2, 2]);
        assert_eq!(ranks(&times([3, 1, 2])), [2, 3, 3]);
        assert_eq!(times([3, 1, 2]).mean.as_nanos(), 2);
    }
}
