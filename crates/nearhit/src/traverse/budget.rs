//! Budgets: when to stop, by work or by time.

use super::Stats;
use std::fmt::Debug;
use std::time::{Duration, Instant};
use thiserror::Error;

/// A clock. The library looks at no clock that was not passed in, but for budgets
/// made by [`Budget::time`] or of a [`Limit`].
pub trait Clock: Debug {
    /// Time since some fixed moment.
    fn now(&self) -> Duration;
}

/// Real time, since it was started: the clock to pass in where answers may depend on the machine.
#[derive(Debug, Clone, Copy)]
pub struct WallClock(Instant);

impl WallClock {
    /// A clock that starts at zero, now.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Limit of each query, by work or time. It becomes a [`Budget`] when a query begins.
///
/// ```
/// use nearhit::{Limit, Settings};
/// use std::time::Duration;
///
/// let limit = Limit::Time(Duration::from_micros(200));
/// let settings = Settings::new().budget(limit); // from now on
/// # let _ = settings;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Limit {
    /// No limit.
    #[default]
    None,
    /// So many tests of volumes and triangles.
    Work(u64),
    /// So much time.
    Time(Duration),
}

impl Limit {
    /// A limit of time in microseconds.
    pub fn microseconds(value: f64) -> Result<Self, LimitError> {
        Duration::try_from_secs_f64(value * 1e-6).map(Self::Time).map_err(|_| LimitError { value })
    }
}

impl From<Limit> for Budget<'static> {
    /// The budget of a query that begins now.
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::None => Self::UNLIMITED,
            Limit::Work(units) => Self::work(units),
            Limit::Time(time) => Self::time(time),
        }
    }
}

/// Error: not a limit of time.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("{value}: the budget must be a finite number of microseconds, at least 0")]
#[non_exhaustive]
pub struct LimitError {
    /// In microseconds, as given.
    pub value: f64,
}

/// Budget of a query, by work or time: when it is spent, the query answers with what is certain.
/// The default is unlimited.
#[doc(alias = "time budget")]
#[doc(alias = "deadline")]
#[derive(Debug, Clone, Copy, Default)]
pub struct Budget<'c> {
    work: Option<u64>,
    deadline: Option<Deadline<'c>>,
}

/// When time is over.
#[derive(Debug, Clone, Copy)]
enum Deadline<'c> {
    By(&'c dyn Clock, Duration),
    At(Instant),
}

impl Deadline<'_> {
    fn has_passed(&self) -> bool {
        match *self {
            Self::By(clock, deadline) => clock.now() >= deadline,
            Self::At(deadline) => Instant::now() >= deadline,
        }
    }
}

impl<'c> Budget<'c> {
    /// No limit.
    pub const UNLIMITED: Self = Self { work: None, deadline: None };

    /// At most about `units` tests of volumes and triangles: the same everywhere and always. A pair
    /// once opened is finished.
    #[must_use]
    pub fn work(units: u64) -> Self {
        Self { work: Some(units), ..Self::UNLIMITED }
    }

    /// A deadline of a given clock. A pair once opened is finished.
    #[must_use]
    pub fn until(clock: &'c dyn Clock, deadline: Duration) -> Self {
        Self { deadline: Some(Deadline::By(clock, deadline)), ..Self::UNLIMITED }
    }

    /// A limit of time from now on, by the system's monotonic clock: make one for each query. A
    /// pair once opened is finished. What the query answers then depends on the machine;
    /// [`Budget::work`] repeats, and [`Budget::until`] takes a clock.
    ///
    /// ```
    /// use nearhit::{Budget, Settings};
    /// use std::time::Duration;
    ///
    /// let settings = Settings::new().budget(Duration::from_micros(200));
    /// let same = Settings::new().budget(Budget::time(Duration::from_micros(200)));
    /// # let _ = (settings, same);
    /// ```
    #[doc(alias = "timeout")]
    #[must_use]
    pub fn time(time: Duration) -> Self {
        // A moment beyond what the clock can show never comes.
        Self { deadline: Instant::now().checked_add(time).map(Deadline::At), ..Self::UNLIMITED }
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

    /// The same deadline, and as much work as it takes.
    pub(crate) fn without_work(&self) -> Self {
        Self { work: None, ..*self }
    }

    pub(crate) fn is_unlimited(&self) -> bool {
        self.work.is_none() && self.deadline.is_none()
    }

    #[inline]
    pub(crate) fn is_spent(&self, stats: &Stats) -> bool {
        self.work.is_some_and(|units| stats.volume_tests + stats.triangle_tests >= units)
            || self.deadline.is_some_and(|deadline| deadline.has_passed())
    }
}

impl From<Duration> for Budget<'static> {
    fn from(time: Duration) -> Self {
        Self::time(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_of_time_ends_when_the_time_has_passed() {
        let none = Stats::default();
        assert!(Budget::time(Duration::ZERO).is_spent(&none));
        assert!(!Budget::from(Duration::from_secs(3600)).is_spent(&none));
        let forever = Budget::time(Duration::MAX);
        assert!(!forever.is_spent(&none) && forever.capped(1).is_spent(&Stats { volume_tests: 1, ..none }));
    }
}
