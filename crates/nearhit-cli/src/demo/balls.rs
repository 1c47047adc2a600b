//! The balls of a level as an SVG drawing. Seen from far away a ball is a circle, so that nothing
//! more is needed.

use super::refine::{Level, Story, interval};
use crate::terminal::{grouped, plural};
use glam::DVec3;
use nearhit::research::SphereTreeExt;
use nearhit::{SphereTree, Verdict};
use std::fmt::Write;

/// Levels that are drawn: those below are finer than can be seen.
const SHOWN: usize = 4;
/// Half of the picture's side.
const HALF: f64 = 150.0;

/// A drawing with its words for each level.
pub(super) fn figures(story: &Story) -> String {
    story
        .levels
        .iter()
        .filter(|level| level.known.level < SHOWN as u32)
        .take(SHOWN)
        .map(|level| figure(story, level))
        .collect()
}

fn figure(story: &Story, level: &Level) -> String {
    let number = level.known.level as usize;
    let known = &level.known;
    let count = |body: usize| story.trees[body].level(number.min(story.trees[body].levels().len() - 1)).len() as u64;
    let answer = match known.verdict {
        Verdict::Yes => "they touch",
        Verdict::No => "certainly apart",
        Verdict::Maybe => "maybe",
    };
    format!(
        "<figure>{}<figcaption><b>Level {number}</b>: {} and {} balls, {} and {} of them meet.<br>\
         After {}: {answer}, distance in {}.</figcaption></figure>\n",
        svg(story, level),
        grouped(count(0)),
        grouped(count(1)),
        level.meeting[0].len(),
        level.meeting[1].len(),
        plural(known.stats.volume_tests + known.stats.triangle_tests, "test"),
        interval(&known.separation),
    )
}

/// As the page's camera looks at first.
fn view() -> [DVec3; 3] {
    let (around, above) = (-1.15_f64, 0.62_f64);
    let back = DVec3::new(above.cos() * around.cos(), above.cos() * around.sin(), above.sin());
    let right = DVec3::Z.cross(back).normalize();
    [right, back.cross(right), back]
}

struct Circle {
    /// Right, down, towards the eye.
    at: [f64; 3],
    radius: f64,
    class: &'static str,
}

fn svg(story: &Story, level: &Level) -> String {
    let number = level.known.level as usize;
    let mut circles = Vec::new();
    for (body, classes) in [["ring", "ring meets"], ["wire", "wire meets"]].into_iter().enumerate() {
        let tree: &SphereTree = &story.trees[body];
        let place = |point: DVec3| if body == 0 { story.ring_place.apply(point) } else { point };
        for index in tree.levels()[number.min(tree.levels().len() - 1)].clone() {
            let sphere = &tree.spheres()[index as usize];
            let meets = level.meeting[body].binary_search(&index).is_ok();
            let [right, up, back] = view().map(|axis| axis.dot(place(sphere.center)));
            circles.push(Circle { at: [right, -up, back], radius: sphere.radius, class: classes[usize::from(meets)] });
        }
    }
    // The nearest last: they hide the others. Of the few large balls the small ones must be seen,
    // wherever they are.
    let order = |circle: &Circle| if number < 2 { -circle.radius } else { circle.at[2] };
    circles.sort_by(|a, b| order(a).total_cmp(&order(b)));
    // The wire's first ball is in the picture.
    let scale = 0.92 * HALF / story.trees[1].spheres()[0].radius;
    let mut text = format!(
        "<svg viewBox=\"{0} {0} {1} {1}\" role=\"img\" aria-label=\"Balls of level {number}\">\n",
        -HALF,
        2.0 * HALF
    );
    let middle = view().map(|axis| axis.dot(story.trees[1].spheres()[0].center));
    for Circle { at: [right, down, _], radius, class } in circles {
        let (x, y, r) = (scale * (right - middle[0]), scale * (down + middle[1]), scale * radius);
        let _ = writeln!(text, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\"/>");
    }
    text + "</svg>"
}
