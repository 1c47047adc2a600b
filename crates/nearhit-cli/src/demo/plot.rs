//! Work along the flight as an SVG drawing: a line a volume, the touching stretches shaded.

use super::record::Moment;
use super::trial::Trial;
use crate::terminal::grouped;
use std::fmt::Write;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 230.0;
/// Room for the labels: left, below, above.
const LEFT: f64 = 54.0;
const BELOW: f64 = 26.0;
const ABOVE: f64 = 10.0;

/// Colours that can be told apart on light and dark ground, also by those who see few.
const COLOURS: [&str; 10] =
    ["#4c8dff", "#e69f00", "#d55e00", "#9aa0a6", "#56b4e9", "#00a878", "#b57edc", "#f0c808", "#cc79a7", "#7a9e3f"];

/// The colour of the volume with this index.
pub(super) fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

/// Position of a pose, of which there are `count`.
fn x(pose: f64, count: usize) -> f64 {
    LEFT + (WIDTH - LEFT - 8.0) * pose / (count.max(2) - 1) as f64
}

/// A logarithmic scale: the powers of ten at its ends.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn over(trials: &[Trial]) -> Self {
        let answers = trials.iter().flat_map(|trial| &trial.contacts.answers);
        let tests: Vec<f64> = answers.map(|answer| answer.stats.volume_tests.max(1) as f64).collect();
        let low = tests.iter().copied().fold(1e9, f64::min).log10();
        let high = tests.iter().copied().fold(1.0, f64::max).log10();
        Self { low: low - 0.15, high: high.max(low) + 0.15 }
    }

    fn y(&self, tests: f64) -> f64 {
        let share = (tests.max(1.0).log10() - self.low) / (self.high - self.low);
        ABOVE + (HEIGHT - ABOVE - BELOW) * (1.0 - share)
    }
}

/// The drawing.
pub(super) fn svg(trials: &[Trial], flight: &[Moment]) -> String {
    let scale = Scale::over(trials);
    let mut text = format!(
        "<svg id=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Volume tests along the flight\" \
         data-left=\"{}\" data-right=\"{}\">\n",
        x(0.0, 2),
        x(1.0, 2)
    );
    text += &stretches(flight);
    text += &grid(&scale, flight.len());
    for (index, trial) in trials.iter().enumerate() {
        text += &line(trial, colour(index), &scale);
    }
    let (top, bottom) = (ABOVE, HEIGHT - BELOW);
    // Writing to a string cannot fail; so below.
    let _ = writeln!(text, "<line id=\"cursor\" x1=\"{LEFT}\" x2=\"{LEFT}\" y1=\"{top}\" y2=\"{bottom}\"/>\n</svg>");
    text
}

/// A rectangle for each run of touching poses.
fn stretches(flight: &[Moment]) -> String {
    let mut text = String::new();
    let mut pose = 0;
    for run in flight.chunk_by(|one, next| (one.contacts > 0) == (next.contacts > 0)) {
        if run[0].contacts > 0 {
            let from = x((pose as f64 - 0.5).max(0.0), flight.len());
            let to = x((pose + run.len()) as f64 - 0.5, flight.len());
            let height = HEIGHT - ABOVE - BELOW;
            let _ = writeln!(
                text,
                "<rect class=\"touching\" x=\"{from:.1}\" y=\"{ABOVE}\" width=\"{:.1}\" height=\"{height}\"/>",
                to - from
            );
        }
        pose += run.len();
    }
    text
}

fn grid(scale: &Scale, poses: usize) -> String {
    let mut text = String::new();
    for decade in scale.low.ceil() as i32..=scale.high.floor() as i32 {
        let tests = 10_f64.powi(decade);
        let at = scale.y(tests);
        let (right, label) = (WIDTH - 8.0, grouped(tests as u64));
        let _ = writeln!(text, "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>");
        let (end, base) = (LEFT - 6.0, at + 4.0);
        let _ = writeln!(text, "<text x=\"{end}\" y=\"{base:.1}\" text-anchor=\"end\">{label}</text>");
    }
    for pose in (0..poses).step_by(60) {
        let (at, base) = (x(pose as f64, poses), HEIGHT - 8.0);
        let _ = writeln!(text, "<text x=\"{at:.1}\" y=\"{base}\" text-anchor=\"middle\">{pose}</text>");
    }
    text
}

fn line(trial: &Trial, colour: &str, scale: &Scale) -> String {
    let answers = &trial.contacts.answers;
    let mut points = String::new();
    for (pose, answer) in answers.iter().enumerate() {
        let at = (x(pose as f64, answers.len()), scale.y(answer.stats.volume_tests as f64));
        let _ = write!(points, "{:.1},{:.1} ", at.0, at.1);
    }
    let name = trial.volume.name();
    format!("<polyline data-volume=\"{name}\" stroke=\"{colour}\" points=\"{}\"/>\n", points.trim_end())
}
