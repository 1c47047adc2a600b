//! Times of the frames.

use crate::terminal::{Style, grouped, plural};
use nearhit_cases::flight::record::FrameRecord;
use std::time::Duration;

/// Of all frames so far; a flight may last for days.
#[derive(Debug, Default)]
pub(super) struct Tally {
    frames: u64,
    in_time: u64,
    /// Shortest and longest that frames might take.
    targets: Option<(Duration, Duration)>,
    collisions: u64,
    certain: u64,
    apart: f64,
    farthest: f64,
    levels: [u64; 8],
    times: [Spread; TIMES.len()],
}

type Time = (&'static str, fn(&FrameRecord) -> Duration);

const TIMES: [Time; 5] = [
    ("detection", |record| record.detection.wall),
    ("detection, CPU", |record| record.detection.cpu),
    ("response", |record| record.response.wall),
    ("slack", |record| record.slack),
    ("frame", FrameRecord::frame),
];

/// Of numbers that are seen once (Welford).
#[derive(Debug, Clone, Copy, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
    most: f64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let off = value - self.mean;
        self.mean += off / self.count;
        self.squares += off * (value - self.mean);
        self.most = self.most.max(value);
    }

    fn deviation(&self) -> f64 {
        (self.squares / self.count.max(1.0)).sqrt()
    }
}

impl Tally {
    pub(super) fn add(&mut self, record: &FrameRecord, target: Duration) {
        self.frames += 1;
        self.in_time += u64::from(record.busy.wall <= target);
        let (shortest, longest) = self.targets.unwrap_or((target, target));
        self.targets = Some((shortest.min(target), longest.max(target)));
        self.collisions += record.collisions();
        self.certain += record.certain;
        self.apart += record.apart;
        self.farthest = self.farthest.max(record.farthest);
        self.levels.iter_mut().zip(record.levels).for_each(|(sum, count)| *sum += count);
        for (spread, (_, time)) in self.times.iter_mut().zip(TIMES) {
            spread.add(time(record).as_secs_f64() * 1e6);
        }
    }

    pub(super) fn table(&self, style: Style) -> String {
        let Some((shortest, longest)) = self.targets else { return "No frames.\n".to_owned() };
        let mut text = format!(
            "{}, {}, {} of them certain\n",
            style.bold(&plural(self.frames, "frame")),
            plural(self.collisions, "collision"),
            grouped(self.certain)
        );
        text += &format!("{:>16} {:>12} {:>12} {:>12}\n", "µs", "mean", "deviation", "maximum");
        for (spread, (name, _)) in self.times.iter().zip(TIMES) {
            text += &format!("{name:>16} {:>12.1} {:>12.1} {:>12.1}\n", spread.mean, spread.deviation(), spread.most);
        }
        let us = |time: Duration| format!("{:.0} µs", time.as_secs_f64() * 1e6);
        let target =
            if shortest == longest { us(longest) } else { format!("their {} to {}", us(shortest), us(longest)) };
        text += &format!("{} of {} frames within {target} by the wall clock\n", self.in_time, self.frames);
        let uncertain = self.collisions - self.certain;
        if uncertain > 0 {
            text += &format!(
                "uncertain collisions: {uncertain}, true distance {:.4} on average, {:.4} at most\n",
                self.apart / uncertain as f64,
                self.farthest
            );
        }
        let levels = self.levels.iter().enumerate().filter(|(_, count)| **count > 0);
        let shown: Vec<String> = levels.map(|(level, count)| format!("{level}: {count}")).collect();
        if !shown.is_empty() {
            text += &format!("collisions by level: {}\n", shown.join(", "));
        }
        text
    }
}
