//! Mean, deviation and maximum.

use lab_report::Cell;
use std::time::Duration;

/// Of some times, in microseconds.
pub(super) struct Statistics {
    pub(super) mean: f64,
    pub(super) deviation: f64,
    pub(super) most: f64,
}

impl Statistics {
    pub(super) fn of(times: impl Iterator<Item = Duration>) -> Self {
        let times: Vec<f64> = times.map(|time| time.as_secs_f64() * 1e6).collect();
        let count = times.len().max(1) as f64;
        let mean = times.iter().sum::<f64>() / count;
        let deviation = (times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / count).sqrt();
        Self { mean, deviation, most: times.iter().copied().fold(0.0, f64::max) }
    }

    pub(super) fn cells(&self) -> [Cell; 3] {
        [self.mean, self.deviation, self.most].map(|value| Cell::Number(value, 1))
    }
}
