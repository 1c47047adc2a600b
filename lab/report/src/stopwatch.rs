//! Times that can be compared on a noisy machine.

use std::time::{Duration, Instant};

/// Runs each of `contenders` in turn, `rounds` times over, and gives the least time of each: what
/// disturbs one round disturbs all contenders alike, and the least is the least disturbed.
pub fn interleaved(rounds: usize, contenders: &mut [&mut dyn FnMut()]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; contenders.len()];
    for _ in 0..rounds.max(1) {
        for (contender, best) in contenders.iter_mut().zip(&mut best) {
            *best = (*best).min(time(contender));
        }
    }
    best
}

/// How long one call takes.
pub fn time(mut work: impl FnMut()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}
