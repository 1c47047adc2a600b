//! The clearance along a path as a drawing: a line, the smallest marked, touching stretches shaded.

use crate::format;
use crate::terminal::grouped;
use anyhow::{Result, bail};
use nearhit::Distance;
use std::fmt::Write;
use std::path::Path;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 360.0;
/// Room for labels: left, right, above, below.
const LEFT: f64 = 74.0;
const RIGHT: f64 = 30.0;
const ABOVE: f64 = 40.0;
const BELOW: f64 = 46.0;
/// A longer path is drawn by the lowest and highest of each of so many stretches.
const MOST_POINTS: usize = 2000;

const STYLE: &str = "\
text{font:13px system-ui,sans-serif;fill:#333}.title{font-size:15px;font-weight:600}.note{paint-order:stroke;stroke:#fff;stroke-width:4px}.grid{stroke:#e4e4e4}\
.axis{stroke:#888}.touching{fill:#d55e00;fill-opacity:.28}.limit{stroke:#b57edc;stroke-dasharray:6 4}\
.line{fill:none;stroke:#2f6fdb;stroke-width:1.6;stroke-linejoin:round}.least{fill:#d55e00}";

/// Whether it is a file that can be drawn into.
pub(super) fn check(path: &Path) -> Result<()> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg" | "html") => Ok(()),
        _ => bail!("--plot {}: the drawing is written as .svg or .html", path.display()),
    }
}

/// The drawing, as the name of its file wants it.
pub(super) fn drawing(path: &Path, title: &str, found: &[Distance], limit: f64) -> String {
    let (title, heights) = (escaped(title), found.iter().map(|at| at.upper).collect::<Vec<f64>>());
    let svg = svg(&title, found, &heights, limit);
    if path.extension().is_some_and(|extension| extension == "html") {
        format!("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n{svg}</html>\n")
    } else {
        svg
    }
}

fn escaped(text: &str) -> String {
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(shown).collect::<String>().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Where a pose and a clearance are drawn.
struct Scale {
    count: usize,
    high: f64,
    /// Between lines of the grid.
    step: f64,
}

impl Scale {
    fn over(heights: &[f64], limit: f64) -> Self {
        let most = heights.iter().copied().fold(limit, f64::max);
        let most = if most > 0.0 && most.is_finite() { most } else { 1.0 };
        let step = round_step(most / 5.0);
        Self { count: heights.len(), high: (most / step).ceil() * step, step }
    }

    fn x(&self, pose: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * pose / (self.count.max(2) - 1) as f64
    }

    fn y(&self, clearance: f64) -> f64 {
        ABOVE + (HEIGHT - ABOVE - BELOW) * (1.0 - clearance / self.high)
    }
}

/// The next of 1, 2, 5, 10, … times a power of ten.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let share = [1.0, 2.0, 5.0].into_iter().find(|share| share * power >= least * (1.0 - 1e-9));
    share.unwrap_or(10.0) * power
}

fn svg(title: &str, found: &[Distance], heights: &[f64], limit: f64) -> String {
    let scale = Scale::over(heights, limit);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n\
         <style>{STYLE}</style>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"24\">{title}</text>\n"
    );
    text += &grid(&scale);
    text += &stretches(&scale, found);
    // Writing to a string cannot fail; so below.
    if limit > 0.0 {
        let (y, right) = (scale.y(limit), WIDTH - RIGHT);
        let _ = writeln!(text, "<line class=\"limit\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
    }
    let points: Vec<String> =
        drawn(heights).iter().map(|&i| format!("{:.1},{:.1}", scale.x(i as f64), scale.y(heights[i]))).collect();
    let _ = writeln!(text, "<polyline class=\"line\" points=\"{}\"/>", points.join(" "));
    text += &least(&scale, heights);
    text + "</svg>\n"
}

/// Which poses the line goes through.
fn drawn(heights: &[f64]) -> Vec<usize> {
    if heights.len() <= MOST_POINTS {
        return (0..heights.len()).collect();
    }
    let width = heights.len().div_ceil(MOST_POINTS / 2);
    let ends = |first: usize| {
        let stretch = first..heights.len().min(first + width);
        let by = |i: &usize, j: &usize| heights[*i].total_cmp(&heights[*j]);
        let (low, high) = (stretch.clone().min_by(by).unwrap_or(first), stretch.max_by(by).unwrap_or(first));
        if low == high { vec![low] } else { vec![low.min(high), low.max(high)] }
    };
    (0..heights.len()).step_by(width).flat_map(ends).collect()
}

fn grid(scale: &Scale) -> String {
    let mut text = String::new();
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BELOW);
    for line in 0..=(scale.high / scale.step).round() as u32 {
        let value = f64::from(line) * scale.step;
        let (y, label) = (scale.y(value), format::number(value));
        let class = if line == 0 { "axis" } else { "grid" };
        let _ = writeln!(text, "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
        let (end, base) = (LEFT - 8.0, y + 4.5);
        let _ = writeln!(text, "<text x=\"{end}\" y=\"{base:.1}\" text-anchor=\"end\">{label}</text>");
    }
    let last = scale.count - 1;
    let step = round_step(last.max(1) as f64 / 10.0).max(1.0) as usize;
    for pose in (0..=last).step_by(step) {
        let (x, base) = (scale.x(pose as f64), bottom + 18.0);
        let label = grouped(pose as u64);
        let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{base}\" text-anchor=\"middle\">{label}</text>");
    }
    let (middle, base) = ((LEFT + right) / 2.0, HEIGHT - 8.0);
    let _ = writeln!(text, "<text x=\"{middle}\" y=\"{base}\" text-anchor=\"middle\">pose</text>");
    text
}

/// A rectangle for each run of touching poses.
fn stretches(scale: &Scale, found: &[Distance]) -> String {
    let (mut text, mut pose) = (String::new(), 0);
    for run in found.chunk_by(|one, next| (one.lower == 0.0) == (next.lower == 0.0)) {
        if run[0].lower == 0.0 {
            let from = scale.x((pose as f64 - 0.5).max(0.0));
            let to = scale.x(((pose + run.len()) as f64 - 0.5).min((scale.count.max(2) - 1) as f64));
            let (width, height) = ((to - from).max(1.0), HEIGHT - ABOVE - BELOW);
            let _ = writeln!(
                text,
                "<rect class=\"touching\" x=\"{from:.1}\" y=\"{ABOVE}\" width=\"{width:.1}\" height=\"{height}\"/>"
            );
        }
        pose += run.len();
    }
    text
}

/// The smallest, with its pose and value.
fn least(scale: &Scale, heights: &[f64]) -> String {
    let by = |i: &usize, j: &usize| heights[*i].total_cmp(&heights[*j]);
    let Some(pose) = (0..heights.len()).min_by(by) else { return String::new() };
    let (x, y) = (scale.x(pose as f64), scale.y(heights[pose]));
    let label = if heights[pose] > 0.0 {
        format!("smallest {} at pose {}", format::number(heights[pose]), grouped(pose as u64))
    } else {
        format!("first contact at pose {}", grouped(pose as u64))
    };
    // Beside the dot where there is room, above the line.
    let (anchor, at) = if x > WIDTH * 0.7 { ("end", x - 8.0) } else { ("start", x + 8.0) };
    let base = (y - 8.0).max(ABOVE + 12.0);
    format!(
        "<circle class=\"least\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>\n\
         <text class=\"note\" x=\"{at:.1}\" y=\"{base:.1}\" text-anchor=\"{anchor}\">{label}</text>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{drawn, escaped, round_step};

    #[test]
    fn steps_are_round() {
        let steps = [0.0007, 0.013, 0.2, 0.21, 3.0, 70.0].map(round_step);
        let expected = [0.001, 0.02, 0.2, 0.5, 5.0, 100.0];
        assert!(steps.iter().zip(expected).all(|(step, round)| (step - round).abs() < 1e-12 * round), "{steps:?}");
    }

    #[test]
    fn a_long_path_keeps_its_extremes() {
        let mut heights: Vec<f64> = (0..100_000).map(|i| 5.0 + f64::from(i % 7)).collect();
        (heights[43_210], heights[77_777]) = (0.5, 99.0);
        let kept = drawn(&heights);
        assert!(kept.len() <= 2_002 && kept.is_sorted(), "{}", kept.len());
        assert!(kept.contains(&43_210) && kept.contains(&77_777));
        assert_eq!(drawn(&heights[..5]), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn names_are_text() {
        assert_eq!(escaped("<b>&\u{7}"), "&lt;b&gt;&amp;\u{fffd}");
    }
}
