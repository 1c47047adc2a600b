//! Progress bar on stderr, for runs longer than a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A run shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Counts things done; shows them only on a terminal and only after [`PATIENCE`].
#[derive(Debug)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    shown: AtomicBool,
}

impl Progress {
    /// `things`: what is counted, as in "queries".
    pub(crate) fn new(count: u64, things: &str) -> Self {
        Self::with_template(count, &format!("{{wide_bar}} {{pos}}/{{len}} {things}, {{eta}} left"))
    }

    /// The same for things that have names and may take long: the one at work is named, and a clock
    /// runs.
    pub(crate) fn naming(count: u64, things: &str) -> Self {
        let progress =
            Self::with_template(count, &format!("{{bar:20}} {{pos}}/{{len}} {things}, {{elapsed}}: {{wide_msg}}"));
        // The first thing may take long, and nothing would be told until it is done.
        if let Some(bar) = progress.bar.clone() {
            std::thread::spawn(move || {
                std::thread::sleep(PATIENCE);
                if !bar.is_finished() {
                    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
                    bar.enable_steady_tick(Duration::from_millis(500));
                }
            });
        }
        progress
    }

    fn with_template(count: u64, template: &str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::hidden());
            let style = ProgressStyle::with_template(template);
            style.map_or(bar.clone(), |style| bar.with_style(style))
        });
        Self { bar, started: Instant::now(), shown: AtomicBool::new(false) }
    }

    /// One more was done, at `now`: the caller has just looked at the clock.
    pub(crate) fn tick(&self, now: Instant) {
        if let Some(bar) = self.visible(now) {
            bar.inc(1);
        }
    }

    /// What is at work now.
    pub(crate) fn name(&self, name: &str) {
        if let Some(bar) = self.visible(Instant::now()) {
            bar.set_message(name.to_owned());
        }
    }

    /// So much is done.
    pub(crate) fn reach(&self, count: u64) {
        if let Some(bar) = self.visible(Instant::now()) {
            bar.set_position(count);
        }
    }

    /// The bar, shown from now on if it is time.
    fn visible(&self, now: Instant) -> Option<&ProgressBar> {
        let bar = self.bar.as_ref()?;
        let patient = now.duration_since(self.started) < PATIENCE;
        if !patient && !self.shown.swap(true, Ordering::Relaxed) {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
        }
        Some(bar)
    }
}

impl Drop for Progress {
    /// Wipes the bar, also when a query failed.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
