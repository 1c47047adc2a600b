//! Bounding volumes: spheres, boxes, k-DOPs and swept spheres that enclose triangles, and what
//! every one of them must be able to say.
//!
//! One file per volume. What a volume promises is written on the traits here and checked, for every
//! volume on the list in [`crate::hierarchy::any`], by the contract suite (`contract.rs`) before it
//! is used in a query.
//!
//! Culling works in b's frame: each visited node of a is *placed* there once per query (the papers'
//! "update", counted as `N_u`), then compared with any number of b's nodes.

pub mod aabb;
mod blocked;
mod expansion;
pub(crate) mod frame;
pub mod hull;
pub mod kdop;
pub mod obb;
pub mod outline;
pub mod region;
pub mod sphere;
pub mod stored;
pub mod swept;

#[cfg(test)]
pub(crate) mod contract;

pub use blocked::Blocked;
pub use frame::Covariance;

use crate::mesh::Triangle;
use crate::pose::Pose;
use glam::DVec3;
use outline::Outline;
use region::Region;
use std::fmt::Debug;

pub use stored::Stored;

/// Where a lies in b's frame, and how much rounding can matter there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    b_from_a: Pose,
    slack: f64,
}

impl Placement {
    /// From the pose that the exact questions are asked in and the largest coordinates of the two
    /// meshes.
    ///
    /// The slack is 2^-44 (512 half-ulps) of the largest magnitudes that meet in any bound:
    /// coordinates of a, of b, and the translation between them. It covers, with room to spare, the
    /// rounding of the posing formula (12 half-ulps), the rotation's distance from orthonormal
    /// (84), the arithmetic of placing and comparing volumes (under 100) and the error of the
    /// canonical distance. The second term covers underflow among denormals.
    #[must_use]
    pub fn new(a_from_b: &Pose, max_coordinate_a: f64, max_coordinate_b: f64) -> Self {
        let slack = Self::slack_between(a_from_b, max_coordinate_a, max_coordinate_b);
        Self { b_from_a: a_from_b.inverse(), slack }
    }

    /// The slack alone.
    #[inline]
    pub(crate) fn slack_between(a_from_b: &Pose, max_coordinate_a: f64, max_coordinate_b: f64) -> f64 {
        slack(max_coordinate_a + max_coordinate_b + a_from_b.translation().abs().max_element())
    }

    /// Maps points of a into b's frame. For culling only: exact questions use the opposite map.
    #[must_use]
    pub fn b_from_a(&self) -> &Pose {
        &self.b_from_a
    }

    /// An upper bound on all rounding error of a bound, as a length.
    #[must_use]
    pub fn slack(&self) -> f64 {
        self.slack
    }
}

/// The bound on rounding where the magnitudes that meet have this sum: see [`Placement::new`].
#[inline]
pub(crate) fn slack(reach: f64) -> f64 {
    reach * (512.0 * 0.5 * f64::EPSILON) + 1e3 * f64::MIN_POSITIVE
}

pub(crate) mod sealed {
    /// What only this library can implement.
    pub trait Sealed {}
}

/// How large a volume is, in cubes and squares of some unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// Its volume.
    pub volume: f64,
    /// Its surface.
    pub surface: f64,
}

/// A region that encloses triangles, and that can say cheaply that it is away from another.
///
/// The rule above all others: a bound may be too small, never too large, and `disjoint` may be
/// false too often, never true wrongly, after all rounding.
///
/// Sealed: a volume is a file of this library, because it must pass the contract suite before a
/// query may trust it.
#[doc(alias = "BVH")]
#[doc(alias = "bounding volume")]
#[doc(alias = "separating axis")]
pub trait BoundingVolume: sealed::Sealed + Copy + Debug + PartialEq + Send + Sync + 'static {
    /// What placing needs of the pose: made once per query.
    type Motion: Debug;
    /// A volume of a in b's frame, grown by the placement's slack.
    type Placed: Copy + Debug + Send + Sync + 'static;
    /// As on the command line: `aabb`, `kdop14`.
    const NAME: &'static str;

    /// Directions, of any length, along which a builder may split when it is not to keep to the
    /// coordinate axes; these come first.
    const SPLIT_DIRECTIONS: &'static [DVec3] = &[DVec3::X, DVec3::Y, DVec3::Z];

    /// The smallest such volume, or near it, that encloses the triangles (at least one).
    fn fit(triangles: &[Triangle]) -> Self;

    /// The same, with axes by this covariance if it has axes.
    fn fit_by(triangles: &[Triangle], _covariance: Covariance) -> Self {
        Self::fit(triangles)
    }

    /// How large it is, as a length: of two nodes the larger is opened first.
    fn size(&self) -> f64;

    /// Its volume and surface, in units of `unit` so that nothing overflows. For builders: unless a
    /// volume knows better, those of the cube with [`BoundingVolume::size`] as half diagonal.
    fn measure(&self, unit: f64) -> Measure {
        let side = self.size() / unit * (2.0 / 3.0_f64.sqrt());
        Measure { volume: side.powi(3), surface: 6.0 * side.powi(2) }
    }

    /// The same as fitting to the triangles of both, if that can be had from the volumes alone.
    fn merged(&self, _other: &Self) -> Option<Self> {
        None
    }

    /// Its corners, to two units in the last place, if it is a polytope that is worth an
    /// [`Outline`]; otherwise none.
    fn corners(&self) -> Vec<DVec3> {
        Vec::new()
    }

    /// Prepares placing.
    fn motion(placement: &Placement) -> Self::Motion;

    /// This volume of a, in b's frame.
    fn place(&self, motion: &Self::Motion) -> Self::Placed;

    /// The same from an outline of this volume or of what it encloses. It may be tighter or
    /// cheaper, and is only called with data that was made on request; most volumes have no use for
    /// it.
    fn place_outlined(&self, _outline: &Outline<'_>, motion: &Self::Motion) -> Self::Placed {
        self.place(motion)
    }

    /// Is it certain that nothing in this volume of b meets anything in `a`?
    ///
    /// Separate from [`BoundingVolume::lower_bound`]: it may be far cheaper.
    fn disjoint(&self, a: &Self::Placed) -> bool;

    /// A length that no point of this volume of b and no point of `a` are closer than: at most the
    /// canonical distance of every pair of triangles inside.
    fn lower_bound(&self, a: &Self::Placed) -> f64;

    /// For a search that has no use for pairs at `limit` or beyond: a lower bound that is not below
    /// `limit`, as soon as one is known; else [`BoundingVolume::lower_bound`].
    ///
    /// Most pairs of a search are far apart, and a part of the work tells.
    #[inline]
    fn lower_bound_up_to(&self, a: &Self::Placed, _limit: f64) -> f64 {
        self.lower_bound(a)
    }

    /// How far `a` may be moved along the unit vector `direction`, given in b's frame, and still
    /// meet this volume of b. A volume that does not say leaves everything to the triangles.
    fn blocked(&self, _a: &Self::Placed, _direction: DVec3) -> Blocked {
        Blocked::ALWAYS
    }
}

/// The shape itself, for the contract suite, conversions and pictures; off the hot path.
pub trait Support: BoundingVolume {
    /// The point of the volume farthest in `direction` (any length but zero).
    fn support(&self, direction: DVec3) -> DVec3;

    /// Is the point inside? Points that the volume was fitted to are, in spite of rounding.
    fn contains(&self, point: DVec3) -> bool;

    /// Where it is, for estimates: unless a volume knows better, the box along the axes around it.
    fn region(&self) -> Region {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let along = |axis: DVec3| self.support(axis).dot(axis);
        let high = axes.map(along);
        let low = axes.map(|axis| -along(-axis));
        Region::upright(DVec3::from_array(low), DVec3::from_array(high))
    }

    /// How tight this volume's tests claim to be against volume `a` placed by `b_from_a`.
    fn claim(&self, a: &Self, b_from_a: &Pose) -> Tightness;
}

/// What a volume's tests claim, to be checked through the support maps alone.
#[derive(Debug, Clone, PartialEq)]
pub enum Tightness {
    /// `lower_bound` is the distance of the two volumes, to rounding.
    Exact,
    /// `lower_bound` is at least the largest gap along these unit axes, given in b's frame, and
    /// `disjoint` sees each of them.
    Axes(Vec<DVec3>),
    /// For each frame: `lower_bound` is at least the distance of the two boxes that enclose the
    /// volumes along the frame's three axes.
    Boxes(Vec<[DVec3; 3]>),
    /// Nothing but what every volume must: see the contract suite.
    Basic,
}

/// What fits are wider by for rounding among denormals, where a small part of a length is nothing:
/// there every operation may be off by half of the smallest number that there is.
pub(crate) const DENORMALS: f64 = 64.0 * f64::from_bits(1);

/// All corners of the triangles.
pub(crate) fn corners(triangles: &[Triangle]) -> impl Iterator<Item = DVec3> + Clone + '_ {
    triangles.iter().flat_map(|triangle| triangle.iter().copied())
}

/// The largest magnitude of a coordinate: the unit of rounding errors in a fit.
pub(crate) fn largest_coordinate(triangles: &[Triangle]) -> f64 {
    corners(triangles).fold(0.0, |largest, corner| corner.abs().max_element().max(largest))
}
