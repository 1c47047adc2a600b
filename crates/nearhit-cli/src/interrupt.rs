//! Ctrl-C: the first asks for what there is so far, the second ends it all.

use anyhow::{Context, Result};
use nearhit::{Budget, Clock};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Was an end asked for?
#[derive(Debug, Default)]
pub(crate) struct Interrupt(AtomicBool);

impl Interrupt {
    /// The one that Ctrl-C sets.
    pub(crate) fn of_process() -> Result<&'static Self> {
        static INTERRUPT: OnceLock<Interrupt> = OnceLock::new();
        let mut new = false;
        let interrupt = INTERRUPT.get_or_init(|| {
            new = true;
            Self::default()
        });
        if new {
            ctrlc::set_handler(|| interrupt.set()).context("cannot listen for Ctrl-C")?;
        }
        Ok(interrupt)
    }

    fn set(&self) {
        if self.0.swap(true, Ordering::SeqCst) {
            // What a shell says of a program that Ctrl-C ended.
            std::process::exit(130);
        }
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Runs out when it is set.
    pub(crate) fn budget(&self) -> Budget<'_> {
        Budget::until(self, Duration::from_secs(1))
    }

    #[cfg(test)]
    pub(crate) fn already_set() -> Self {
        Self(AtomicBool::new(true))
    }
}

impl Clock for Interrupt {
    fn now(&self) -> Duration {
        if self.is_set() { Duration::MAX } else { Duration::ZERO }
    }
}
