//! The order of a descent: traversal order and opening rule.

use super::sealed::Sealed;
use crate::batch::BatchOptions;
use crate::query::Settings;
use crate::traverse::{AgendaKind, Opening};

/// Order of a traversal. No answer depends on it.
///
/// ```
/// use nearhit::Settings;
/// use nearhit::research::{AgendaKind, SettingsExt};
///
/// let settings = Settings::new().agenda(AgendaKind::BEST);
/// # let _ = settings;
/// ```
pub trait SettingsExt: Sealed + Sized {
    /// The traversal order: which open pair next.
    #[must_use]
    fn agenda(self, agenda: AgendaKind) -> Self;

    /// Which of two nodes to open.
    #[must_use]
    fn opening(self, opening: Opening) -> Self;
}

impl Sealed for Settings<'_> {}

impl SettingsExt for Settings<'_> {
    fn agenda(self, agenda: AgendaKind) -> Self {
        Self { agenda, ..self }
    }

    fn opening(self, opening: Opening) -> Self {
        Self { opening, ..self }
    }
}

impl Sealed for BatchOptions<'_> {}

impl SettingsExt for BatchOptions<'_> {
    fn agenda(self, agenda: AgendaKind) -> Self {
        Self { agenda, ..self }
    }

    fn opening(self, opening: Opening) -> Self {
        Self { opening, ..self }
    }
}

/// Memory from query to query for flying models with hulls (method I of the k-DOP paper, §4.1).
pub trait ClimbExt: Sealed + Sized {
    /// Climbs on hulls begin at the corners where those of the last query with the same
    /// [`Scratch`](crate::Scratch) ended. No answer depends on it; where two corners tie, a count
    /// of tests may.
    #[must_use]
    fn remembering_climbs(self) -> Self;
}

impl ClimbExt for Settings<'_> {
    fn remembering_climbs(self) -> Self {
        Self { remembers_climbs: true, ..self }
    }
}
