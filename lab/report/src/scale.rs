//! How long an experiment may take.

/// The size of an experiment. Both sizes run the same code on data of the same kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Seconds: smaller models, fewer poses. Good enough for the verdicts that count work.
    Quick,
    /// Minutes: the papers' own sizes.
    Full,
}

impl Scale {
    /// One of two values.
    #[must_use]
    pub fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}
