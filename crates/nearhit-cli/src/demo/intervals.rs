//! The certified interval of the distance against the budget, as an SVG drawing.

use super::refine::{Story, length};
use crate::terminal::grouped;
use std::fmt::Write;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 240.0;
/// Room for the labels.
const LEFT: f64 = 54.0;
const RIGHT: f64 = 8.0;
const BELOW: f64 = 38.0;
const ABOVE: f64 = 10.0;

/// The drawing.
pub(super) fn svg(story: &Story) -> String {
    let Some(last) = story.budgets.last() else { return String::new() };
    let span = (last.work as f64).log10().max(1.0) + 0.1;
    let x = |work: f64| LEFT + (WIDTH - LEFT - RIGHT) * (work.max(1.0).log10() / span).min(1.0);
    // The first look is at the balls around everything: what it proves is the whole height.
    let highest = story.budgets.iter().map(|spent| spent.known.separation.upper).filter(|upper| upper.is_finite());
    let highest = highest.fold(story.distance, f64::max) * 1.05;
    let y = |distance: f64| ABOVE + (HEIGHT - ABOVE - BELOW) * (1.0 - (distance / highest).min(1.0));
    let mut text = format!(
        "<svg id=\"intervals\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"The certified interval of the distance against the budget\">\n"
    );
    text += &grid(span, highest, x, y);
    // What is proven holds until the next budget: steps, not slopes. The upper ends from left to
    // right, then the lower ones back.
    let step = |index: usize, bound: f64| {
        let from = x(story.budgets[index].work as f64);
        let to = story.budgets.get(index + 1).map_or(WIDTH - RIGHT, |next| x(next.work as f64));
        (from, to, y(bound))
    };
    let mut points = String::new();
    for (index, spent) in story.budgets.iter().enumerate() {
        let (from, to, at) = step(index, spent.known.separation.upper);
        let _ = write!(points, "{from:.1},{at:.1} {to:.1},{at:.1} ");
    }
    for (index, spent) in story.budgets.iter().enumerate().rev() {
        let (from, to, at) = step(index, spent.known.separation.lower);
        let _ = write!(points, "{to:.1},{at:.1} {from:.1},{at:.1} ");
    }
    let _ = writeln!(text, "<polygon class=\"band\" points=\"{}\"/>", points.trim_end());
    let (truth, right) = (y(story.distance), WIDTH - RIGHT);
    let _ = writeln!(text, "<line class=\"truth\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{truth:.1}\" y2=\"{truth:.1}\"/>");
    text += &marks(story, x);
    text + "</svg>\n"
}

/// Where each level was done with.
fn marks(story: &Story, x: impl Fn(f64) -> f64) -> String {
    let mut text = String::new();
    let bottom = HEIGHT - BELOW;
    for (number, level) in story.levels.iter().enumerate() {
        let stats = &level.known.stats;
        let at = x((stats.volume_tests + stats.triangle_tests) as f64);
        let is_last = number + 1 == story.levels.len();
        let name = if is_last { "all done".to_owned() } else { format!("level {}", level.known.level) };
        let _ = writeln!(text, "<line class=\"mark\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{ABOVE}\" y2=\"{bottom}\"/>");
        let anchor = if is_last { "end" } else { "start" };
        let (beside, base) = (if is_last { at - 4.0 } else { at + 4.0 }, ABOVE + 11.0);
        let _ = writeln!(text, "<text x=\"{beside:.1}\" y=\"{base}\" text-anchor=\"{anchor}\">{name}</text>");
    }
    text
}

fn grid(span: f64, highest: f64, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) -> String {
    let mut text = String::new();
    let (bottom, right) = (HEIGHT - BELOW, WIDTH - RIGHT);
    for power in 0..=span.floor() as u32 {
        let work = 10_u64.pow(power);
        let (at, base, label) = (x(work as f64), bottom + 15.0, grouped(work));
        let _ = writeln!(text, "<text x=\"{at:.1}\" y=\"{base}\" text-anchor=\"middle\">{label}</text>");
    }
    let (middle, base) = ((LEFT + right) / 2.0, HEIGHT - 6.0);
    let _ = writeln!(
        text,
        "<text x=\"{middle}\" y=\"{base}\" text-anchor=\"middle\">budget: tests of balls and triangles</text>"
    );
    let step = 10_f64.powf(highest.log10().floor());
    let step = [0.2, 0.5, 1.0].into_iter().map(|share| share * step).find(|step| highest / step <= 6.0).unwrap_or(step);
    let mut value = 0.0;
    while value <= highest {
        let (at, end, label) = (y(value), LEFT - 6.0, length(value));
        let _ = writeln!(text, "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>");
        let _ = writeln!(text, "<text x=\"{end}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", at + 4.0);
        value += step;
    }
    text
}
