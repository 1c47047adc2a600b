//! Ctrl-C: the first asks for what there is so far, the second ends the program, unless the report
//! is being written: then the third.

use anyhow::{Context, Result};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether an end was asked for.
#[derive(Debug, Default)]
pub(crate) struct Interrupt {
    /// An end was asked for.
    asked: AtomicBool,
    /// The report is being written: it is soon there, and one Ctrl-C more does not take it away.
    finishing: AtomicBool,
}

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
        let is_repeated = self.asked.swap(true, Ordering::SeqCst);
        if is_repeated && !self.finishing.swap(false, Ordering::SeqCst) {
            // What a shell says of a program that Ctrl-C ended.
            std::process::exit(130);
        }
    }

    /// True from the first Ctrl-C on.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.asked
    }

    /// Whether an end was asked for.
    pub(crate) fn is_set(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// The search is over, and the report is written from now on.
    pub(crate) fn finish(&self) {
        self.finishing.store(true, Ordering::SeqCst);
    }
}
