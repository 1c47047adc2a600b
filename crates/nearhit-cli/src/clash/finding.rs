//! What is found about two parts.

use clap::ValueEnum;
use serde::Serialize;

/// What is the matter with two parts. In the order of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// A point of one surface is inside the other part, deeper than the tolerance.
    Hard,
    /// The surfaces do not touch; one part, or a piece of it, is inside the other.
    Inside,
    /// Both surfaces are in the same place.
    Duplicate,
    /// The surfaces touch, no deeper than the tolerance.
    Touching,
    /// They do not touch, but are closer than the clearance.
    Close,
}

impl Class {
    /// All of them, in order.
    pub(super) const ALL: [Self; 5] = [Self::Hard, Self::Inside, Self::Duplicate, Self::Touching, Self::Close];

    /// As people call it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Hard => "hard clash",
            Self::Inside => "inside",
            Self::Duplicate => "duplicate",
            Self::Touching => "touching",
            Self::Close => "too close",
        }
    }

    /// With a number before it.
    pub(super) fn words_of(self, count: usize) -> &'static str {
        match self {
            Self::Hard if count != 1 => "hard clashes",
            Self::Duplicate if count != 1 => "duplicates",
            _ => self.words(),
        }
    }
}

/// Two parts and what is the matter with them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Finding {
    pub(super) class: Class,
    /// Names.
    pub(super) a: String,
    pub(super) b: String,
    /// Of a hard clash: a point of one surface is this deep below the other. Null where a mesh has holes and depth means nothing.
    pub(super) depth: Option<f64>,
    /// No point is deeper than this.
    pub(super) depth_at_most: Option<f64>,
    /// The distance of parts that do not touch.
    pub(super) gap: Option<f64>,
    /// The name of the one that is inside.
    pub(super) inside: Option<String>,
    /// Where: a point of a and one of b, the deepest or the closest, in the world.
    pub(super) points: [[f64; 3]; 2],
    /// How many triangles of each touch the other part.
    pub(super) triangles: [usize; 2],
    /// Which, for pictures.
    #[serde(skip)]
    pub(super) contact: [Vec<u32>; 2],
    /// Which parts, by index.
    #[serde(skip)]
    pub(super) parts: [usize; 2],
}

impl Finding {
    /// The number that its class is about: a depth, a gap.
    pub(super) fn measure(&self) -> Option<f64> {
        if self.class == Class::Hard { self.depth } else { self.gap }
    }

    /// Worst first; then by name.
    pub(super) fn before(&self, other: &Self) -> std::cmp::Ordering {
        let deep = |finding: &Self| finding.depth.unwrap_or(0.0);
        let gap = |finding: &Self| finding.gap.unwrap_or(0.0);
        (self.class.cmp(&other.class))
            .then(deep(other).total_cmp(&deep(self)))
            .then(gap(self).total_cmp(&gap(other)))
            .then((&self.a, &self.b).cmp(&(&other.a, &other.b)))
    }
}
