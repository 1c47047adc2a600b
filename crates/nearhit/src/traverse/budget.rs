//! When to stop.

use super::Stats;
use std::fmt::Debug;
use std::time::Duration;

/// Where time comes from. The library never looks at a clock that was not passed in.
pub trait Clock: Debug {
    /// Time since some fixed moment.
    fn now(&self) -> Duration;
}

/// How much work a query may do before it must answer with what it knows. The default is unlimited.
#[derive(Debug, Clone, Copy, Default)]
pub struct Budget<'c> {
    work: Option<u64>,
    deadline: Option<(&'c dyn Clock, Duration)>,
}

impl<'c> Budget<'c> {
    /// No limit.
    pub const UNLIMITED: Self = Self { work: None, deadline: None };

    /// At most about `units` tests of volumes and triangles: the same everywhere and always. A pair once opened is finished.
    #[must_use]
    pub fn work(units: u64) -> Self {
        Self { work: Some(units), ..Self::UNLIMITED }
    }

    /// Until `clock` shows `deadline`. A pair once opened is finished.
    #[must_use]
    pub fn until(clock: &'c dyn Clock, deadline: Duration) -> Self {
        Self { deadline: Some((clock, deadline)), ..Self::UNLIMITED }
    }

    /// What is left of it after some work.
    pub(crate) fn after(&self, spent: &Stats) -> Self {
        let done = spent.volume_tests + spent.triangle_tests;
        Self { work: self.work.map(|units| units.saturating_sub(done)), ..*self }
    }

    /// The same with at most so much work.
    pub(crate) fn capped(&self, units: u64) -> Self {
        Self { work: Some(self.work.map_or(units, |work| work.min(units))), ..*self }
    }

    pub(crate) fn is_unlimited(&self) -> bool {
        self.work.is_none() && self.deadline.is_none()
    }

    #[inline]
    pub(crate) fn is_spent(&self, stats: &Stats) -> bool {
        self.work.is_some_and(|units| stats.volume_tests + stats.triangle_tests >= units)
            || self.deadline.is_some_and(|(clock, deadline)| clock.now() >= deadline)
    }
}
