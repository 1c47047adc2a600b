//! What users ask about two bodies, answered along the flight: one row a question.

use super::refine::length;
use super::trial::{Asked, Trial, ask};
use crate::run::Query;
use crate::terminal::{Style, grouped, significant};
use crate::volume::Engine;
use anyhow::Result;
use nearhit::{Model, Pair, Scratch, Settings, Tolerance};
use nearhit_cases::folder::Case;
use std::time::{Duration, Instant};

/// "Closer than": about a tenth of the wire's thickness.
const LIMIT: f64 = 0.05;

/// The rows, with the median time of a pose. The first trial is that of the default engine.
pub(super) fn answered(case: &Case, trials: &[Trial], style: Style) -> Result<String> {
    let Some(engine) = trials.first() else { return Ok(String::new()) };
    let distances = ask(case, Query::Distance(Tolerance::EXACT), Engine::default())?;
    let within = ask(case, Query::Within(LIMIT), Engine::default())?;
    let (deepest, at, time) = depth(case, &engine.collide)?;
    let gaps = distances.answers.iter().enumerate().filter_map(|(pose, answer)| Some((pose, answer.upper?)));
    let narrowest = gaps.filter(|&(_, gap)| gap > 0.0).min_by(|x, y| x.1.total_cmp(&y.1));
    let narrowest = narrowest
        .map_or("never apart".to_owned(), |(pose, gap)| format!("{} at the narrowest (pose {pose})", length(gap)));
    let touching = engine.collide.summary.colliding.unwrap_or_default();
    let pairs = grouped(engine.contacts.summary.contacts.unwrap_or_default());
    let rows = [
        ("do they touch?", format!("at {touching} of {} poses", case.poses.len()), engine.collide.summary.p50_us),
        ("where?", format!("in {pairs} pairs of triangles"), engine.contacts.summary.p50_us),
        ("how far apart?", narrowest, distances.summary.p50_us),
        (
            &format!("closer than {LIMIT}?"),
            format!("at {} poses", within.summary.within.unwrap_or_default()),
            within.summary.p50_us,
        ),
        ("how deep, as solids?", format!("{} at the deepest (pose {at})", length(deepest)), time),
    ];
    let mut text = style.dim(&format!("{:<22}{:<44}{:>9}", "question", "answer", "µs, p50")) + "\n";
    for (question, answer, time) in rows {
        text += &format!("{question:<22}{answer:<44}{:>9}\n", significant(time));
    }
    Ok(text)
}

/// The deepest point of one body in the other over all poses in contact, at which pose, and the
/// median of the times in µs.
fn depth(case: &Case, collide: &Asked) -> Result<(f64, usize, f64)> {
    let (a, b) = (Model::new(case.a.clone()), Model::new(case.b.clone()));
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    let (mut deepest, mut at, mut times) = (0.0, 0, Vec::new());
    let touching = case.poses.iter().zip(&collide.answers).enumerate();
    for (pose, (placed, _)) in touching.filter(|(_, (_, answer))| answer.collides == Some(true)) {
        let start = Instant::now();
        let pair = Pair::new(&a, &placed.world_from_a, &b, &placed.world_from_b)?;
        let found = pair.solid().local_depth(Tolerance::relative(0.01), &settings, &mut scratch);
        times.push(start.elapsed());
        if found.depth > deepest {
            (deepest, at) = (found.depth, pose);
        }
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).map_or(0.0, |time: &Duration| time.as_secs_f64() * 1e6);
    Ok((deepest, at, median))
}
