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
            let ctrl_c = || {
                if interrupt.set() {
                    // What a shell says of a program that Ctrl-C ended.
                    std::process::exit(130);
                }
            };
            ctrlc::set_handler(ctrl_c).context("cannot listen for Ctrl-C")?;
        }
        Ok(interrupt)
    }

    /// One Ctrl-C: is it the one that ends the program?
    fn set(&self) -> bool {
        let is_repeated = self.asked.swap(true, Ordering::SeqCst);
        is_repeated && !self.finishing.swap(false, Ordering::SeqCst)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_ctrl_c_ends_a_search() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.set() && interrupt.is_set());
        assert!(interrupt.set());
    }

    /// The report is soon there: one more does not take it away, and the one after that does.
    #[test]
    fn the_second_ctrl_c_waits_for_the_report() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.set());
        interrupt.finish();
        assert!(!interrupt.set());
        assert!(interrupt.set());
    }

    /// The first one may come while the report of a complete search is written.
    #[test]
    fn a_first_ctrl_c_does_not_take_the_report_away() {
        let interrupt = Interrupt::default();
        interrupt.finish();
        assert!(!interrupt.set() && !interrupt.set());
        assert!(interrupt.set());
    }
}
