//! Options of clash detection: tolerance, clearance, rules, limits.

use super::finding::Class;
use super::rules::Rules;
use std::fmt;
use std::sync::atomic::AtomicBool;

/// Options of clash detection. The default: a tolerance of a millionth of the assembly's size, no
/// clearance, no rules, all classes, a limit of work for each pair.
///
/// ```
/// use nearhit::clash::{Class, Options};
///
/// let options = Options::new().clearance(0.5).ignore(Class::Touching);
/// ```
#[derive(Clone, Copy, Default)]
pub struct Options<'o> {
    pub(super) tolerance: Option<f64>,
    pub(super) clearance: f64,
    pub(super) min_volume: f64,
    pub(super) without_overlaps: bool,
    pub(super) folds_copies: bool,
    pub(super) rules: Option<&'o Rules>,
    pub(super) ignored: [bool; Class::ALL.len()],
    pub(super) pair_work: Option<u64>,
    pub(super) memory: Option<u64>,
    pub(super) cancel: Option<&'o AtomicBool>,
    pub(super) progress: Option<&'o (dyn Fn(Progress<'_>) + Sync)>,
}

/// Progress of a search. Reported from any thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress<'p> {
    /// Trees of so many of all shapes are made.
    Shape {
        /// Done.
        done: usize,
        /// Of these.
        count: usize,
    },
    /// A pair of parts is looked at from now on.
    Begun {
        /// Names of the parts.
        parts: [&'p str; 2],
        /// Pairs there are.
        count: usize,
    },
    /// A pair of parts is done.
    Judged {
        /// Names of the parts.
        parts: [&'p str; 2],
        /// Pairs done.
        done: usize,
        /// Pairs there are.
        count: usize,
    },
}

impl<'o> Options<'o> {
    /// Default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Parts no deeper in each other than this only touch, and parts no farther from each other
    /// touch. Default: a millionth of the assembly's size.
    #[doc(alias = "clash tolerance")]
    #[must_use]
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance: Some(tolerance), ..self }
    }

    /// Parts closer than this are too close ([`Class::Close`]).
    #[must_use]
    pub fn clearance(self, clearance: f64) -> Self {
        Self { clearance, ..self }
    }

    /// Hard clashes whose overlap has certainly less than this volume only touch: slivers where
    /// faces were meant to lie on each other. Then the overlap of meshes with holes is sought, too.
    #[must_use]
    pub fn min_volume(self, volume: f64) -> Self {
        Self { min_volume: volume, ..self }
    }

    /// Takes parts in the same place as one: of a set of coincident copies there is one finding,
    /// and what clashes with one of them is not said of every other.
    #[must_use]
    pub fn fold_copies(self) -> Self {
        Self { folds_copies: true, ..self }
    }

    /// Does not look for the volume of overlaps, which takes about as long as depths do.
    #[must_use]
    pub fn without_overlaps(self) -> Self {
        Self { without_overlaps: true, ..self }
    }

    /// Sets rules for pairs that may be in contact.
    #[must_use]
    pub fn rules(self, rules: &'o Rules) -> Self {
        Self { rules: Some(rules), ..self }
    }

    /// Leaves a class out of the report. Can be repeated; with all classes no pair is looked at.
    #[must_use]
    pub fn ignore(mut self, class: Class) -> Self {
        self.ignored[class as usize] = true;
        self
    }

    /// At most about so many tests of volumes and triangles for each pair; what is not decided by
    /// then is [`Class::Undecided`]. Default: 30 million and 1,000 for each triangle.
    #[must_use]
    pub fn pair_work(self, units: u64) -> Self {
        Self { pair_work: Some(units), ..self }
    }

    /// Memory that the assembly and the search may take, in bytes: more is an error before the
    /// search begins ([`ClashError::Memory`](super::ClashError::Memory)). Counted are meshes,
    /// trees, parts and pairs that are near each other; findings come on top. Default: no limit but
    /// that of sixteen million pairs.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// Sets a flag that cancels: when it becomes true the search ends, also within a pair: the
    /// report has what was found by then.
    #[must_use]
    pub fn cancel(self, cancel: &'o AtomicBool) -> Self {
        Self { cancel: Some(cancel), ..self }
    }

    /// Sets a callback for progress.
    #[must_use]
    pub fn progress(self, progress: &'o (dyn Fn(Progress<'_>) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }

    pub(super) fn tell(&self, progress: Progress<'_>) {
        if let Some(tell) = self.progress {
            tell(progress);
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("Options");
        fields.field("tolerance", &self.tolerance).field("clearance", &self.clearance).field("rules", &self.rules);
        fields.field("min_volume", &self.min_volume).field("without_overlaps", &self.without_overlaps);
        fields.field("folds_copies", &self.folds_copies);
        fields.field("ignored", &self.ignored).field("pair_work", &self.pair_work).field("memory", &self.memory);
        fields.field("cancel", &self.cancel).field("progress", &self.progress.is_some()).finish()
    }
}
