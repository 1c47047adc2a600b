//! How deep do two shapes overlap, and which way out is the shortest?

use super::over_plane::{half_space_penetration, plane_penetration};
use super::{Case, Margins, ShapePair};
use crate::query::{Interval, Scratch};
use crate::shape::convex::{self, Bodies, Body, Depth, Gap, Goal};
use crate::shape::core::Core;
use crate::shape::ellipsoid::Worn;
use crate::shape::point::ball_depth;
use glam::DVec3;

/// How deep two shapes overlap: the answer of [`ShapePair::penetration`].
#[doc(alias = "penetration depth")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Penetration {
    /// The length of the shortest translation that takes the shapes apart; zero if they are.
    /// Infinite between half-spaces that cannot be taken apart.
    pub depth: Interval,
    /// Unit vector from a to b: moving b along it by the upper end of the depth leaves the shapes
    /// touching at most.
    pub normal: DVec3,
    /// The point of a that lies deepest in b, along the normal.
    pub on_a: DVec3,
    /// The point of b that lies deepest in a.
    pub on_b: DVec3,
}

impl<'s> ShapePair<'s> {
    /// How deep do the two shapes overlap, and which way out is the shortest? For convex shapes and
    /// half-spaces; `None` if one of them is a mesh, which has no inside here, or has many pieces
    /// (point cloud, height field, octree): see [`ShapePair::contacts`].
    ///
    /// ```
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (a, b) = (Shape::cuboid([2.0, 2.0, 2.0])?, Shape::cuboid([1.0, 1.0, 1.0])?);
    /// let inside = Pose::from_translation([0.75, 0.0, 0.0])?;
    /// let pair = ShapePair::new(&a, &Pose::IDENTITY, &b, &inside)?;
    /// let found = pair.penetration(&mut Scratch::new()).expect("both are convex");
    /// assert!((found.depth.upper - 0.75).abs() < 1e-12 && found.normal.x > 0.999);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "penetration depth")]
    #[doc(alias = "EPA")]
    #[doc(alias = "minimum translation")]
    #[must_use]
    pub fn penetration(&self, scratch: &mut Scratch) -> Option<Penetration> {
        let margins = self.margins();
        if let Some(gap) = self.short_cut(Goal::Narrow).filter(|gap| gap.lower > 0.0) {
            return Some(between_cores(&gap, &margins));
        }
        match self.case() {
            Case::Convex(bodies) => Some(convex_penetration(&bodies, &margins, scratch.room())),
            Case::Below(plane, body, flipped) => Some(plane_penetration(&plane, &body, &margins, flipped)),
            Case::HalfSpaces(a, b) => Some(half_space_penetration(&a, &b, &margins)),
            _ => None,
        }
    }
}

pub(in crate::shape) fn convex_penetration(
    bodies: &Bodies<'_>,
    margins: &Margins,
    room: &mut convex::Room,
) -> Penetration {
    let closed = ball_depth(bodies, margins)
        .or_else(|| Some(grown(&convex::boxes_depth(bodies)?, margins)))
        .or_else(|| worn_depth(bodies, margins, room));
    if let Some(found) = closed {
        return found;
    }
    let gap = convex::gap(bodies, Goal::Narrow, None);
    if gap.lower > 0.0 {
        return between_cores(&gap, margins);
    }
    let core = convex::depth(bodies, room);
    // Cores that were not proven to overlap may be apart, by what rounding hides.
    let least = if gap.overlap || core.lower > 0.0 { core.lower } else { -gap.upper };
    grown(&Depth { lower: least, ..core }, margins)
}

/// Of cores that are apart: what their gap leaves of the margins.
#[inline]
fn between_cores(gap: &Gap, margins: &Margins) -> Penetration {
    let (up, down) = (margins.up(), margins.down());
    let depth = Interval {
        lower: (down - gap.upper).next_down().max(0.0),
        upper: if gap.lower >= up { 0.0 } else { (up - gap.lower).next_up() },
    };
    let normal = -gap.normal;
    Penetration { depth, normal, on_a: gap.on_a + normal * margins.a, on_b: gap.on_b - normal * margins.b }
}

/// From cores that overlap to shapes.
fn grown(core: &Depth, margins: &Margins) -> Penetration {
    let depth = Interval {
        lower: (core.lower + margins.down()).next_down().max(0.0),
        upper: (core.upper + margins.up()).next_up(),
    };
    let normal = core.normal;
    Penetration { depth, normal, on_a: core.on_a + normal * margins.a, on_b: core.on_b - normal * margins.b }
}

/// Ellipsoids as smaller bodies that have grown: those are pointed, and mostly apart, so that what
/// remains is a distance. None where no overlap of the cores is shown.
fn worn_depth(bodies: &Bodies<'_>, margins: &Margins, room: &mut convex::Room) -> Option<Penetration> {
    let worn = |body: &Body<'_>| match body.core {
        Core::Quadric(whole) => Worn::new(whole),
        _ => None,
    };
    let (a, b) = (worn(&bodies.a), worn(&bodies.b));
    if a.is_none() && b.is_none() {
        return None;
    }
    let mut pointed = *bodies;
    let by = |worn: Option<Worn>| worn.map_or(0.0, |worn| worn.by);
    let taken = Margins { a: by(a), b: by(b) };
    for (body, worn) in [(&mut pointed.a, a), (&mut pointed.b, b)] {
        body.core = worn.map_or(body.core, Core::Worn);
    }
    let Penetration { depth: Interval { lower, upper }, normal, on_a, on_b } =
        convex_penetration(&pointed, &taken, room);
    (lower > 0.0).then(|| grown(&Depth { lower, upper, normal, on_a, on_b }, margins))
}
