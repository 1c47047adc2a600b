//! Convex cores: what is left of a convex shape without its margin, and the support function
//! (support map) of each.

use super::cone::Frustum;
use super::cuboid::Box3;
use super::cylinder::Tube;
use super::ellipsoid::{Quadric, Worn};
use super::height_field::Prism;
use super::hull::Corners;
use super::octree::Cell;
use super::sweep::Sweep;
use crate::bounds::Bounds;
use crate::mesh::Triangle;
use glam::DVec3;

/// What a convex core must know of itself, in its own frame: its support function above all. One
/// file for each.
pub(crate) trait Convex {
    /// A point of the core farthest along a direction (its length does not matter, it is neither
    /// huge nor tiny). Off by a few units in the last place of the core's reach at most.
    fn support(&self, direction: DVec3) -> DVec3;

    /// No coordinate of a point of the core is larger.
    fn reach(&self) -> f64;

    /// A box around the core: its middle and half of its sizes, rounded outwards.
    fn bounds(&self) -> (DVec3, DVec3);

    /// Adds the corners that the core is the hull of, if there are any: such a core is flat, and
    /// questions about it are exact.
    fn corners(&self, found: &mut Vec<DVec3>) -> bool;

    /// A point inside.
    fn center(&self) -> DVec3 {
        DVec3::ZERO
    }
}

/// All kinds of cores, without a virtual call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Core<'s> {
    /// The origin, or a point of a cloud.
    Point(DVec3),
    /// Along z, by half of its length.
    Segment(f64),
    Box3(Box3),
    Triangle(Triangle),
    /// Below a triangle of a solid height field.
    Prism(Prism),
    /// Of an octree.
    Cell(Cell),
    Tube(Tube),
    Frustum(Frustum),
    Quadric(Quadric),
    Worn(Worn),
    Corners(&'s Corners),
    Sweep(&'s Sweep),
}

macro_rules! each {
    ($core:expr, $name:ident => $body:expr) => {
        match $core {
            Core::Point(at) => {
                let $name = &Spot { at: *at };
                $body
            }
            Core::Segment(half) => {
                let $name = &Rod { half: *half };
                $body
            }
            Core::Box3($name) => $body,
            Core::Triangle(corners) => {
                let $name = &Three(corners);
                $body
            }
            Core::Prism($name) => $body,
            Core::Cell($name) => $body,
            Core::Tube($name) => $body,
            Core::Frustum($name) => $body,
            Core::Quadric($name) => $body,
            Core::Worn($name) => $body,
            Core::Corners($name) => $body,
            Core::Sweep($name) => $body,
        }
    };
}

impl Core<'_> {
    #[inline]
    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        each!(self, core => core.support(direction))
    }

    #[inline]
    pub(crate) fn reach(&self) -> f64 {
        each!(self, core => core.reach())
    }

    #[inline]
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        each!(self, core => core.bounds())
    }

    pub(crate) fn corners(&self, found: &mut Vec<DVec3>) -> bool {
        each!(self, core => core.corners(found))
    }

    #[inline]
    pub(crate) fn center(&self) -> DVec3 {
        each!(self, core => core.center())
    }

    /// Is what of it is nearest to a point found by clamping and one projection on a line?
    #[inline]
    pub(crate) fn projects_exactly(&self) -> bool {
        matches!(
            self,
            Self::Point(_) | Self::Segment(_) | Self::Box3(_) | Self::Cell(_) | Self::Tube(_) | Self::Frustum(_)
        )
    }

    /// Made of corners, and has no closed form for what of it is nearest to a point?
    #[inline]
    pub(crate) fn is_polytope(&self) -> bool {
        matches!(self, Self::Corners(_) | Self::Prism(_) | Self::Cell(_) | Self::Sweep(_)) && self.is_flat()
    }

    /// Made of corners, so that yes and no are exact?
    #[inline]
    pub(crate) fn is_flat(&self) -> bool {
        match self {
            Self::Tube(_) | Self::Frustum(_) | Self::Quadric(_) | Self::Worn(_) => false,
            Self::Sweep(sweep) => sweep.is_flat(),
            _ => true,
        }
    }
}

/// The core of a ball.
struct Spot {
    at: DVec3,
}

impl Convex for Spot {
    #[inline]
    fn support(&self, _: DVec3) -> DVec3 {
        self.at
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.at.abs().max_element()
    }

    #[inline]
    fn bounds(&self) -> (DVec3, DVec3) {
        (self.at, DVec3::ZERO)
    }

    fn corners(&self, found: &mut Vec<DVec3>) -> bool {
        found.push(self.at);
        true
    }

    #[inline]
    fn center(&self) -> DVec3 {
        self.at
    }
}

/// The core of a capsule.
struct Rod {
    half: f64,
}

impl Convex for Rod {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        DVec3::new(0.0, 0.0, self.half.copysign(direction.z))
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.half
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        (DVec3::ZERO, DVec3::new(0.0, 0.0, self.half))
    }

    fn corners(&self, found: &mut Vec<DVec3>) -> bool {
        found.extend([DVec3::new(0.0, 0.0, -self.half), DVec3::new(0.0, 0.0, self.half)]);
        true
    }
}

/// A triangle of a mesh.
struct Three<'t>(&'t Triangle);

impl Convex for Three<'_> {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        let [a, b, c] = *self.0;
        let (along_a, along_b, along_c) = (a.dot(direction), b.dot(direction), c.dot(direction));
        if along_a >= along_b && along_a >= along_c {
            a
        } else if along_b >= along_c {
            b
        } else {
            c
        }
    }

    fn reach(&self) -> f64 {
        self.0.iter().fold(0.0, |most, corner| corner.abs().max_element().max(most))
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        around(self.0)
    }

    fn corners(&self, found: &mut Vec<DVec3>) -> bool {
        found.extend(self.0);
        true
    }

    fn center(&self) -> DVec3 {
        self.0[0]
    }
}

/// A box around points, rounded outwards.
pub(super) fn around(points: &[DVec3]) -> (DVec3, DVec3) {
    let bounds: Bounds = points.iter().copied().collect();
    let (Bounds { low, high }, middle) = (bounds, bounds.middle());
    let half = (high - middle).max(middle - low).to_array().map(f64::next_up);
    (middle, half.into())
}
