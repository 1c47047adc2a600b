//! Do two shapes touch, or lie within a limit of each other?

use super::distance::convex_distance;
use super::over_plane::plane_within;
use super::{Case, Margins, ONE, ShapePair};
use crate::query::{Collision, Scratch, Settings, TrianglePair, Verdict, Within};
use crate::shape::convex::{self, Bodies, Gap, Goal};
use crate::solid::{SolidCollision, SolidContact};
use crate::traverse::Stats;
use std::cmp::Ordering;

/// Closer than a limit?
pub(in crate::shape) struct Near {
    pub(in crate::shape) near: bool,
    pub(in crate::shape) lower: f64,
    pub(in crate::shape) upper: f64,
}

impl<'s> ShapePair<'s> {
    /// Do the two shapes share a point?
    ///
    /// ```
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch, Settings, Verdict};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (a, b) = (Shape::cuboid([2.0, 2.0, 2.0])?, Shape::ball(0.5)?);
    /// let beside = Pose::from_translation([1.5, 0.0, 0.0])?;
    /// let pair = ShapePair::new(&a, &Pose::IDENTITY, &b, &beside)?;
    /// let found = pair.collide(&Settings::default(), &mut Scratch::new());
    /// assert_eq!(found.verdict, Verdict::Yes); // touching counts
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "collision detection")]
    #[doc(alias = "intersection test")]
    #[must_use]
    pub fn collide(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> Collision {
        if settings.direction.is_none()
            && let Some(near) = self.clearly_within(0.0)
        {
            let Within { verdict, witness, is_complete, stats, .. } = near.answer();
            return Collision { verdict, witness, is_complete, stats };
        }
        let Within { verdict, witness, is_complete, stats, .. } = self.within(0.0, settings, scratch);
        Collision { verdict, witness, is_complete, stats }
    }

    /// The same, telling contact from one being inside the other without touching its surface: of a
    /// solid mesh and what is within it.
    pub(crate) fn touch(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> SolidCollision {
        let found = self.within(0.0, settings, scratch);
        let Some(pieces) = found.witness.filter(|_| found.verdict == Verdict::Yes) else {
            return SolidCollision::new(found.verdict, None, found.stats);
        };
        let margins = self.margins();
        let inside = match self.case() {
            Case::Mesh(mesh, body) if mesh.is_solid() => {
                let touches = convex_within(&mesh.bodies(mesh.triangle_of(pieces), &body), &margins, 0.0).near;
                (!touches).then(|| mesh.other())
            }
            Case::Meshes(meshes) if meshes.is_solid != [false, false] => {
                let pair = self.surfaces(&meshes);
                let near = pair.within(margins.up(), settings, scratch).witness.is_some();
                let mut stats = Stats::default();
                let mut contained = || meshes.contained(&pair, settings, scratch, &mut stats).1;
                if near { None } else { contained().and_then(SolidContact::inside) }
            }
            _ => None,
        };
        let contact = match inside {
            Some(body) => SolidContact::Contained { body, vertex: 0 },
            None => SolidContact::Surfaces(pieces),
        };
        SolidCollision::new(found.verdict, Some(contact), found.stats)
    }

    /// Are the two shapes at most `limit` apart? A negative or NaN limit is never met.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch, Settings, Verdict};
    ///
    /// let (floor, tool) = (Shape::half_space([0.0, 0.0, 1.0], 0.0)?, Shape::cylinder(0.1, 1.0)?);
    /// let above = Pose::from_translation([0.0, 0.0, 0.75])?;
    /// let pair = ShapePair::new(&floor, &Pose::IDENTITY, &tool, &above)?;
    /// let (settings, mut scratch) = (Settings::default(), Scratch::new());
    /// assert_eq!(pair.within(0.3, &settings, &mut scratch).verdict, Verdict::Yes);
    /// assert_eq!(pair.within(0.2, &settings, &mut scratch).verdict, Verdict::No);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "tolerance verification")]
    #[doc(alias = "clearance")]
    #[must_use]
    pub fn within(&self, limit: f64, settings: &Settings<'_>, scratch: &mut Scratch) -> Within {
        if !(limit >= 0.0) {
            let (verdict, is_complete, stats) = (Verdict::No, true, Stats::default());
            return Within { verdict, witness: None, lower: 0.0, upper: None, is_complete, stats };
        }
        if let Some(direction) = settings.direction
            && let Some(lower) = self.apart_along(direction, limit)
        {
            let (verdict, is_complete, stats) = (Verdict::No, true, Stats::default());
            return Within { verdict, witness: None, lower, upper: None, is_complete, stats };
        }
        match self.clearly_within(limit) {
            Some(near) => near.answer(),
            None => self.search_within(limit, settings, scratch),
        }
    }

    /// Where a closed form tells.
    #[inline]
    fn clearly_within(&self, limit: f64) -> Option<Near> {
        let margins = self.margins();
        let sum = margins.up() + limit;
        let gap = self.short_cut(Goal::Decide(sum)).or_else(|| self.over_plane())?;
        Near::clearly(&gap, &margins, sum)
    }

    /// Where none does. Not inlined: what it needs would burden the others.
    #[inline(never)]
    fn search_within(&self, limit: f64, settings: &Settings<'_>, scratch: &mut Scratch) -> Within {
        let margins = self.margins();
        if let Some(bodies) = self.bodies() {
            return convex_within(&bodies, &margins, limit).answer();
        }
        let near = match self.case() {
            Case::Convex(bodies) => convex_within(&bodies, &margins, limit),
            Case::Below(plane, body, _) => plane_within(&plane, &body, &margins, limit),
            Case::HalfSpaces(a, b) => {
                let (lower, upper) = a.gap(&b);
                let near = lower <= margins.up() + limit;
                Near { near, lower: margins.lower(lower), upper: margins.upper(upper) }
            }
            Case::Meshes(meshes) => return self.meshes_within(&meshes, limit, settings, scratch),
            Case::Mesh(mesh, body) => return mesh.within(&body, &margins, limit, settings, scratch),
            Case::MeshBelow(mesh, plane) => return mesh.above_within(&plane, &margins, limit),
            Case::Sets(sets) => return sets.within(limit, settings, scratch),
        };
        near.answer()
    }
}

impl Near {
    /// Where a gap of cores lies clearly on one side of a limit: both roundings of the sum, and of
    /// the bound itself, are out of the way.
    #[inline]
    pub(super) fn clearly(gap: &Gap, margins: &Margins, sum: f64) -> Option<Self> {
        let (low, high) = (sum * (1.0 - 8.0 * f64::EPSILON), sum * (1.0 + 8.0 * f64::EPSILON));
        let (lower, upper) = (margins.lower(gap.lower), margins.upper(gap.upper));
        if gap.lower > high {
            return Some(Self { near: false, lower, upper });
        }
        (gap.overlap || gap.upper < low).then_some(Self { near: true, lower: 0.0, upper })
    }

    #[inline]
    pub(super) fn answer(&self) -> Within {
        let witness = self.near.then_some(TrianglePair { a: 0, b: 0 });
        let verdict = if self.near { Verdict::Yes } else { Verdict::No };
        Within { verdict, witness, lower: self.lower, upper: Some(self.upper), is_complete: true, stats: ONE }
    }
}

pub(in crate::shape) fn convex_within(bodies: &Bodies<'_>, margins: &Margins, limit: f64) -> Near {
    let sum = margins.up() + limit;
    let gap = convex::gap(bodies, Goal::Decide(sum), None);
    if let Some(near) = Near::clearly(&gap, margins, sum) {
        return near;
    }
    if bodies.are_flat() {
        let exact = convex::compare(bodies, &[margins.a, margins.b, limit]);
        let (lower, upper) = (margins.lower(exact.lower), margins.upper(exact.upper));
        return Near { near: exact.order != Ordering::Greater, lower, upper };
    }
    let found = convex_distance(bodies, margins);
    Near { near: found.lower <= limit, lower: found.lower, upper: found.upper }
}
