//! How long an experiment may take.

/// The size of an experiment. All sizes run the same code on data of the same kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Seconds: smaller models, fewer poses. Good enough for the verdicts that count work.
    Quick,
    /// Minutes: models of the papers' sizes where one tree is built, smaller where many are, and
    /// fewer queries.
    Full,
    /// Hours: the papers' sizes, steps and numbers of queries.
    Paper,
}

impl Scale {
    /// One of two values; what the papers' own size does not change.
    #[must_use]
    pub fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full | Self::Paper => full,
        }
    }

    /// One of three values.
    #[must_use]
    pub fn pick_of<T>(self, quick: T, full: T, paper: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
            Self::Paper => paper,
        }
    }
}
