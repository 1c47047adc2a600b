//! Planes between shapes that are apart: a proof that anyone can check, and the first thing to try
//! when the shapes have moved a little.

use super::convex::{self, Body, Goal};
use super::pair::{Case, ShapePair};
use glam::DVec3;

/// Two planes with one normal, in a's frame: all of a lies at or below the first, all of b at or
/// above the second.
#[doc(alias = "separating axis")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SeparatingPlane {
    /// From a to b, of length one to rounding.
    pub normal: DVec3,
    /// No point of a has a larger product with the normal.
    pub above_a: f64,
    /// No point of b has a smaller product with the normal.
    pub below_b: f64,
}

impl SeparatingPlane {
    /// How far the shapes are apart along the normal, at least.
    #[must_use]
    pub fn gap(&self) -> f64 {
        (self.below_b - self.above_a).next_down()
    }
}

/// Round shapes are told to be apart along a direction if it is by more than this share of their
/// size. What decides about them is the lower end of the cold descent's interval. It says the same
/// wherever that interval is narrower than this share: the truth, and so its upper end, lies beyond
/// the limit by more than that, hence its lower end beyond the limit. That the interval is so
/// narrow is no theorem but a test: `distances_of_round_shapes_hold` asks for 512 units in the last
/// place, a thousandth of this, of all shapes that do not touch along a curve.
const CLEAR: f64 = 1e-9;

impl ShapePair<'_> {
    /// A plane between the two shapes: the proof that they do not touch. With a direction from an
    /// earlier plane, that is tried first; see also [`Settings::direction`](crate::Settings).
    ///
    /// `None` if they touch, or are apart by so little that rounding hides it, if one of them is
    /// neither convex nor a half-space, or if both are half-spaces.
    ///
    /// ```
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::Pose;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (a, b) = (Shape::cuboid([2.0, 2.0, 2.0])?, Shape::cylinder(0.5, 2.0)?);
    /// let beside = Pose::from_translation([1.75, 0.0, 0.0])?;
    /// let plane = ShapePair::relative(&a, &b, &beside)?.separating_plane(None).expect("apart");
    /// // Every corner of a lies below the plane.
    /// assert!(a.corners().iter().all(|corner| plane.normal.dot(*corner) <= plane.above_a));
    /// assert!(plane.gap() > 0.2);
    /// // A little later the same direction still proves it.
    /// let later = Pose::from_translation([1.76, 0.02, 0.0])?;
    /// let again = ShapePair::relative(&a, &b, &later)?.separating_plane(Some(plane.normal));
    /// assert_eq!(again.expect("apart").normal, plane.normal);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn separating_plane(&self, direction: Option<DVec3>) -> Option<SeparatingPlane> {
        let apart = |plane: &SeparatingPlane| plane.gap() > 0.0;
        if let Some(plane) = direction.and_then(|direction| self.plane_along(direction)).filter(apart) {
            return Some(plane);
        }
        match self.case() {
            Case::Convex(bodies) => {
                let along = |goal: Goal| {
                    let gap = convex::gap(&bodies, goal, None);
                    (gap.lower > 0.0).then(|| self.plane_along(-gap.normal))?.filter(apart)
                };
                along(Goal::Decide(self.margins().up())).or_else(|| along(Goal::Narrow))
            }
            Case::Below(plane, _, flipped) => {
                self.plane_along(if flipped { -plane.normal } else { plane.normal }).filter(apart)
            }
            _ => None,
        }
    }

    /// How far the shapes are apart along a direction, if that shows beyond doubt that it is by
    /// more than a limit.
    #[inline]
    pub(super) fn apart_along(&self, direction: DVec3, limit: f64) -> Option<f64> {
        let gap = self.plane_along(direction)?.gap();
        let is_flat = |core: Option<super::core::Core<'_>>| core.is_none_or(|core| core.is_flat());
        let flat = is_flat(self.a.core()) && is_flat(self.b.core());
        let size = || self.a_from_b.translation().abs().max_element() + self.reach();
        let clear = if flat { limit } else { limit + CLEAR * size() };
        // A hair more: limits and margins are compared before they are rounded.
        (gap > clear * (1.0 + 16.0 * f64::EPSILON)).then_some(gap)
    }

    /// No coordinate of a shape that has a core is larger, in its own frame.
    fn reach(&self) -> f64 {
        [self.a, self.b].iter().filter_map(|shape| shape.core()).map(|core| core.reach()).sum()
    }

    /// Where the shapes lie along a direction; `None` for what is neither convex nor a half-space
    /// across it.
    fn plane_along(&self, direction: DVec3) -> Option<SeparatingPlane> {
        let length = crate::vector::length(direction);
        // A normal that was given before keeps its bits.
        let normal = if (length - 1.0).abs() < 1e-12 { direction } else { direction / length };
        if !(length > 0.0 && normal.is_finite()) {
            return None;
        }
        let margins = self.margins();
        // The highest of a body along a direction, and what its bound is rounded up by.
        let highest = |body: &Body<'_>, direction: DVec3, margin: f64| {
            let rounding = 16.0 * f64::EPSILON * (body.size() + margin) + f64::MIN_POSITIVE;
            body.lowest(-direction).dot(direction) + margin + rounding
        };
        let (above_a, above_b) = match self.case() {
            Case::Convex(bodies) => (highest(&bodies.a, normal, margins.a), highest(&bodies.b, -normal, margins.b)),
            Case::Below(plane, body, flipped) => {
                // A half-space ends along its own normal only.
                let own = if flipped { -normal } else { normal };
                if plane.normal != own {
                    return None;
                }
                let (of_plane, of_body) = if flipped { (margins.b, margins.a) } else { (margins.a, margins.b) };
                let end = plane.level() + of_plane + plane.rounding(body.size() + of_plane);
                let other = highest(&body, -own, of_body);
                if flipped { (other, end) } else { (end, other) }
            }
            _ => return None,
        };
        Some(SeparatingPlane { normal, above_a, below_b: -above_b })
    }
}
