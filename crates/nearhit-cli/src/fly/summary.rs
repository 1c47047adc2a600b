//! What the frames took.

use crate::terminal::{Style, grouped, plural};
use nearhit_bench::scenes::flight::record::FrameRecord;
use std::time::Duration;

pub(super) fn table(records: &[FrameRecord], target: Duration, style: Style) -> String {
    let collisions: u64 = records.iter().map(FrameRecord::collisions).sum();
    let certain: u64 = records.iter().map(|record| record.certain).sum();
    let mut text = format!(
        "{}, {}, {} of them certain\n",
        style.bold(&plural(records.len() as u64, "frame")),
        plural(collisions, "collision"),
        grouped(certain)
    );
    text += &format!("{:>16} {:>12} {:>12} {:>12}\n", "µs", "mean", "deviation", "maximum");
    type Time = fn(&FrameRecord) -> Duration;
    let rows: [(&str, Time); 5] = [
        ("detection", |record| record.detection.wall),
        ("detection, CPU", |record| record.detection.cpu),
        ("response", |record| record.response.wall),
        ("slack", |record| record.slack),
        ("frame", FrameRecord::frame),
    ];
    for (name, time) in rows {
        let times: Vec<f64> = records.iter().map(|record| time(record).as_secs_f64() * 1e6).collect();
        let count = times.len().max(1) as f64;
        let mean = times.iter().sum::<f64>() / count;
        let deviation = (times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / count).sqrt();
        let most = times.iter().copied().fold(0.0, f64::max);
        text += &format!("{name:>16} {mean:>12.1} {deviation:>12.1} {most:>12.1}\n");
    }
    let in_time = records.iter().filter(|record| record.busy.wall <= target).count();
    text += &format!(
        "{in_time} of {} frames within {:.0} µs by the wall clock\n",
        records.len(),
        target.as_secs_f64() * 1e6
    );
    let levels = records.iter().fold([0; 8], |mut sum: [u64; 8], record| {
        sum.iter_mut().zip(record.levels).for_each(|(sum, count)| *sum += count);
        sum
    });
    let uncertain = collisions - certain;
    if uncertain > 0 {
        let apart: f64 = records.iter().map(|record| record.apart).sum();
        let farthest = records.iter().map(|record| record.farthest).fold(0.0, f64::max);
        text += &format!(
            "bounced without certainty: {uncertain}, truly {:.4} apart in the mean, {farthest:.4} at most\n",
            apart / uncertain as f64
        );
    }
    let shown: Vec<String> = levels
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(level, count)| format!("{level}: {count}"))
        .collect();
    if !shown.is_empty() {
        text += &format!("collisions by level: {}\n", shown.join(", "));
    }
    text
}
