//! Progress bar on stderr, for runs longer than a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A run shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// The line of things that have names.
fn naming(things: &str) -> String {
    format!("{{bar:20}} {{pos}}/{{len}} {things}, {{elapsed}}: {{wide_msg}}")
}

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
        let progress = Self::with_template(count, &naming(things));
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io::Result;
    use std::sync::{Arc, Mutex};

    /// A terminal that keeps what is written on it.
    #[derive(Debug, Clone, Default)]
    pub(crate) struct Screen(Arc<Mutex<String>>);

    impl Screen {
        pub(crate) fn text(&self) -> String {
            self.0.lock().expect("no panic before").clone()
        }
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            120
        }

        fn move_cursor_up(&self, _: usize) -> Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> Result<()> {
            self.0.lock().expect("no panic before").push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> Result<()> {
            Ok(())
        }

        fn flush(&self) -> Result<()> {
            Ok(())
        }
    }

    impl Progress {
        /// As [`Progress::naming`], shown at once on that screen.
        pub(crate) fn naming_on(screen: &Screen, count: u64, things: &str) -> Self {
            let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
            let style = ProgressStyle::with_template(&naming(things)).expect("a template");
            let bar = ProgressBar::with_draw_target(Some(count), target).with_style(style);
            Self { bar: Some(bar), started: Instant::now(), shown: AtomicBool::new(true) }
        }
    }

    #[test]
    fn the_thing_at_work_is_named() {
        let screen = Screen::default();
        let progress = Progress::naming_on(&screen, 7, "pairs of parts");
        progress.name("bolt and nut");
        progress.reach(3);
        let text = screen.text();
        assert!(text.contains("0/7 pairs of parts") && text.contains(": bolt and nut"), "{text}");
    }
}
