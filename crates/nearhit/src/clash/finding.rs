//! Clash findings: classes, findings, and the report of a search.

use crate::bounds::Bounds;
use crate::query::Interval;
use crate::traverse::Stats;
use glam::DVec3;
use std::fmt;

/// Class of a clash. In the order of the report, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Class {
    /// Hard clash: a point of one surface is inside the other part. Everything deeper than the
    /// tolerance is found; nothing shallower than half of it is reported as hard.
    Hard,
    /// Containment: the surfaces do not touch, and one part, or a piece of it, is inside the other.
    Inside,
    /// Both surfaces are in the same place.
    Duplicate,
    /// The pair's limit of work was reached. [`Finding::touches`] tells whether contact is known:
    /// if so, the parts touch, or are in each other no deeper than [`Finding::depth_at_most`]; if
    /// not, they may also be apart.
    Undecided,
    /// The surfaces touch, and no point is deeper in the other part than the tolerance.
    Touching,
    /// Clearance violation: they do not touch, but are at most the clearance apart.
    Close,
}

impl Class {
    /// All classes, worst first.
    pub const ALL: [Self; 6] =
        [Self::Hard, Self::Inside, Self::Duplicate, Self::Undecided, Self::Touching, Self::Close];
}

impl From<Class> for &'static str {
    /// As in files and on the command line: `hard`, `inside`, `duplicate`, `undecided`, `touching`,
    /// `close`.
    fn from(class: Class) -> Self {
        match class {
            Class::Hard => "hard",
            Class::Inside => "inside",
            Class::Duplicate => "duplicate",
            Class::Undecided => "undecided",
            Class::Touching => "touching",
            Class::Close => "close",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str((*self).into())
    }
}

/// Basis of a penetration depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Basis {
    /// Both meshes are closed: the point is inside, exactly.
    Exact,
    /// A mesh has holes: the point is inside by its generalised winding number, for certain; there
    /// may be deeper points.
    WindingNumber,
}

impl From<Basis> for &'static str {
    /// As in files: `exact`, `winding-number`.
    fn from(basis: Basis) -> Self {
        match basis {
            Basis::Exact => "exact",
            Basis::WindingNumber => "winding-number",
        }
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str((*self).into())
    }
}

/// What two parts have in common.
#[doc(alias = "interference volume")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Overlap {
    /// Its volume.
    pub volume: Interval,
    /// Its surface area, where that is known.
    pub area: Option<Interval>,
    /// Its centre of volume in the world, unless the volume may be 0.
    pub center: Option<DVec3>,
    /// A box around it, in the world.
    pub bounds: Option<Bounds>,
    /// The part that passes through the other, by index.
    pub through: Option<usize>,
}

/// `value * factor^power`, where the power itself may overflow or vanish: nothing stays nothing.
pub(super) fn times_power(value: f64, factor: f64, power: u32) -> f64 {
    (0..power).fold(value, |value, _| value * factor)
}

impl Overlap {
    /// In another unit of length.
    pub(super) fn scaled(self, factor: f64) -> Self {
        let times = |interval: Interval, power: u32| Interval {
            // A bound from below that overflows is still the largest number at least.
            lower: times_power(interval.lower, factor, power).min(f64::MAX),
            upper: times_power(interval.upper, factor, power),
        };
        Self {
            volume: times(self.volume, 3),
            area: self.area.map(|area| times(area, 2)),
            center: self.center.map(|center| center * factor),
            bounds: self.bounds.map(|Bounds { low, high }| Bounds { low: low * factor, high: high * factor }),
            ..self
        }
    }
}

/// Two parts that clash.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// How.
    pub class: Class,
    /// Which parts, by index, the smaller first.
    pub parts: [usize; 2],
    /// Are the surfaces within the tolerance of each other? None where an undecided pair does not
    /// tell.
    pub touches: Option<bool>,
    /// Of a hard clash: the penetration depth found. One of [`Finding::points`] is inside the other
    /// part, this deep. None where a mesh has holes and no point is inside for certain.
    pub depth: Option<f64>,
    /// What the depth rests on.
    pub basis: Option<Basis>,
    /// No point of one surface is deeper inside the other part than this. None where it is not
    /// known: always for meshes with holes.
    pub depth_at_most: Option<f64>,
    /// Of a hard clash no deeper than the facets of round surfaces are exact: a tolerance with
    /// which the parts only touch.
    pub touching_with: Option<f64>,
    /// The distance of the surfaces of parts that do not touch.
    pub gap: Option<f64>,
    /// The part that is inside the other, by index.
    pub inside: Option<usize>,
    /// What the parts have in common, of hard clashes, parts inside each other and duplicates. None
    /// where it was not sought ([`Options`](super::Options)): meshes with holes, unless there is a
    /// least volume.
    pub overlap: Option<Overlap>,
    /// Further parts in the same place as one of the two, of which the same is true: by index. Only
    /// where copies are folded ([`Options::fold_copies`](super::Options::fold_copies)).
    pub copies: Vec<usize>,
    /// Where, in the world: the deepest point found and the nearest point of the other surface, or
    /// the nearest points. The first is on the first part.
    pub points: [DVec3; 2],
    /// The triangles of each part that are within the tolerance of the other, sorted; of parts that
    /// do not touch the nearest.
    pub triangles: [Vec<u32>; 2],
}

impl Finding {
    /// Where it is: the middle of its two points.
    #[must_use]
    pub fn place(&self) -> DVec3 {
        self.points[0] * 0.5 + self.points[1] * 0.5
    }

    /// Depth or gap, whichever the class is about.
    #[must_use]
    pub fn measure(&self) -> Option<f64> {
        match self.class {
            Class::Hard => self.depth,
            Class::Undecided => self.depth_at_most,
            _ => self.gap,
        }
    }

    /// Worst first; then by name and part.
    pub(super) fn order<N: Ord>(&self, other: &Self, names: impl Fn(&Self) -> N) -> std::cmp::Ordering {
        let deep = |finding: &Self| finding.depth.unwrap_or(0.0);
        let gap = |finding: &Self| finding.gap.unwrap_or(0.0);
        (self.class.cmp(&other.class))
            .then(deep(other).total_cmp(&deep(self)))
            .then(gap(self).total_cmp(&gap(other)))
            .then_with(|| names(self).cmp(&names(other)))
            .then(self.parts.cmp(&other.parts))
    }
}

/// All findings of an assembly.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Worst first: by class, depth, gap, then by names. The same for every number of threads.
    pub findings: Vec<Finding>,
    /// The tolerance used.
    pub tolerance: f64,
    /// The clearance used.
    pub clearance: f64,
    /// Pairs of parts whose boxes are near each other.
    pub pairs_near: usize,
    /// How many of them were judged: fewer after a cancellation.
    pub pairs_judged: usize,
    /// Was every pair judged? False: the search was cancelled.
    pub is_complete: bool,
    /// Findings that rules allow, and that are not listed.
    pub allowed: usize,
    /// Of which parts those are.
    pub(super) allowed_pairs: Vec<[usize; 2]>,
    /// Rules that allowed nothing, as written. Empty when the search was cancelled.
    pub unused_rules: Vec<String>,
    /// Work done.
    pub stats: Stats,
}
