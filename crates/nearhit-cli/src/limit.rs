//! When must a query stop?

use anyhow::{Result, bail};
use clap::Args;
use nearhit::{Budget, Clock};
use std::time::{Duration, Instant};

/// What can be typed about it.
#[derive(Debug, Clone, Default, Args)]
pub struct TypedLimit {
    /// Stop each query after this many microseconds; what is not known then is "maybe" (null).
    #[arg(long, value_name = "B", conflicts_with = "work", allow_negative_numbers = true)]
    pub budget_us: Option<f64>,

    /// Stop each query after this many tests of volumes and triangles: repeatable, unlike time.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub work: Option<u64>,
}

/// When a query must stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// When it is done.
    None,
    /// After so many tests.
    Work(u64),
    /// After so much time.
    Time(Duration),
}

impl Limit {
    /// What was typed, understood.
    pub(crate) fn new(typed: &TypedLimit) -> Result<Self> {
        match (typed.budget_us, typed.work) {
            (None, None) => Ok(Self::None),
            (None, Some(units)) => Ok(Self::Work(units)),
            (Some(microseconds), _) => match Duration::try_from_secs_f64(microseconds * 1e-6) {
                Ok(time) => Ok(Self::Time(time)),
                Err(_) => bail!("--budget-us {microseconds}: must be a number of microseconds, at least 0"),
            },
        }
    }

    /// The budget of a query that begins now.
    pub(crate) fn budget(self, clock: &WallClock) -> Budget<'_> {
        match self {
            Self::None => Budget::UNLIMITED,
            Self::Work(units) => Budget::work(units),
            Self::Time(time) => Budget::until(clock, clock.now().saturating_add(time)),
        }
    }
}

/// Real time, since it was made.
#[derive(Debug)]
pub(crate) struct WallClock(Instant);

impl WallClock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
