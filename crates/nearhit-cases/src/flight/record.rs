//! What a frame took, as a line of a table.

use super::Hit;
use super::clock::{Stopwatch, Took};
use std::time::Duration;

/// One frame.
#[derive(Debug, Clone, Default)]
pub struct FrameRecord {
    /// Its number, from 0.
    pub number: u64,
    /// Simulated time at its start.
    pub time: f64,
    /// What detection might take.
    pub allotted: Duration,
    /// What it took: broad phase and refinement.
    pub detection: Took,
    /// Response to collisions.
    pub response: Took,
    /// Motion.
    pub motion: Took,
    /// All work of the frame.
    pub busy: Took,
    /// What drawing it takes, as far as whoever draws says.
    pub drawing: Duration,
    /// What was left of its time, spent idly.
    pub slack: Duration,
    /// Pairs whose boxes and balls met.
    pub near: usize,
    /// Ships that the broad phase had no time for.
    pub unseen: usize,
    /// Collisions responded to, by the level of the sphere-trees that was done with.
    pub levels: [u64; 8],
    /// Of these, how many are certain.
    pub certain: u64,
    /// The true distances of those that are not, added up.
    pub apart: f64,
    /// The largest.
    pub farthest: f64,
    /// Time to find that out: not part of the frame.
    pub(super) judged: Took,
}

impl FrameRecord {
    pub(super) fn new(number: u64, time: f64, allotted: Duration) -> Self {
        Self { number, time, allotted, ..Self::default() }
    }

    /// Collisions in all.
    #[must_use]
    pub fn collisions(&self) -> u64 {
        self.levels.iter().sum()
    }

    /// Work, drawing and slack: how long the frame is seen.
    #[must_use]
    pub fn frame(&self) -> Duration {
        (self.busy.wall + self.slack).saturating_add(self.drawing)
    }

    /// By how much detection took longer than it might.
    #[must_use]
    pub fn late(&self) -> Took {
        self.detection.without(Took { wall: self.allotted, cpu: self.allotted })
    }

    pub(super) fn judge(
        &mut self,
        hits: &mut [Hit],
        distance: impl Fn(&Hit) -> anyhow::Result<f64>,
    ) -> anyhow::Result<()> {
        let watch = Stopwatch::start();
        for hit in hits {
            self.levels[(hit.level as usize).min(self.levels.len() - 1)] += 1;
            self.certain += u64::from(hit.certain);
            if !hit.certain {
                hit.gap = distance(hit)?;
                self.apart += hit.gap;
                self.farthest = self.farthest.max(hit.gap);
            }
        }
        self.judged += watch.read();
        Ok(())
    }

    /// Names of the columns of [`FrameRecord::csv`].
    pub const COLUMNS: &'static str = "frame,time,allotted_us,detection_us,detection_cpu_us,late_cpu_us,response_us,motion_us,busy_us,slack_us,frame_us,near,unseen,collisions,certain,mean_gap,max_gap";

    /// As a line of a table, without its end.
    #[must_use]
    pub fn csv(&self) -> String {
        let us = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1e6);
        let uncertain = self.collisions() - self.certain;
        let mean = if uncertain > 0 { self.apart / uncertain as f64 } else { 0.0 };
        [
            self.number.to_string(),
            format!("{:.3}", self.time),
            us(self.allotted),
            us(self.detection.wall),
            us(self.detection.cpu),
            us(self.late().cpu),
            us(self.response.wall),
            us(self.motion.wall),
            us(self.busy.wall),
            us(self.slack),
            us(self.frame()),
            self.near.to_string(),
            self.unseen.to_string(),
            self.collisions().to_string(),
            self.certain.to_string(),
            format!("{mean:.6}"),
            format!("{:.6}", self.farthest),
        ]
        .join(",")
    }
}
