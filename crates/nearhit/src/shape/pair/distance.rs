//! How far are two shapes apart, and where are they closest?

use super::over_plane::{half_space_distance, plane_distance};
use super::{Case, Margins, ONE, ShapePair};
use crate::query::{Distance, Scratch, Settings, Tolerance, TrianglePair};
use crate::shape::convex::{self, Bodies, Gap, Goal};
use crate::traverse::Stats;
use glam::DVec3;
use std::cmp::Ordering;

/// The distance of two shapes with points and a direction.
#[derive(Debug, Clone, Copy)]
pub(in crate::shape) struct Separation {
    pub(in crate::shape) lower: f64,
    pub(in crate::shape) upper: f64,
    pub(in crate::shape) on_a: DVec3,
    pub(in crate::shape) on_b: DVec3,
}

impl<'s> ShapePair<'s> {
    /// How far are the two shapes apart, and where are they closest? Zero if they overlap: see
    /// [`ShapePair::penetration`].
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch, Settings, Tolerance};
    ///
    /// let (a, b) = (Shape::cuboid([2.0, 2.0, 2.0])?, Shape::capsule(0.25, 1.0)?);
    /// let beside = Pose::from_translation([2.0, 0.0, 0.0])?;
    /// let pair = ShapePair::new(&a, &Pose::IDENTITY, &b, &beside)?;
    /// let nearest = pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new());
    /// assert!((nearest.upper - 0.75).abs() < 1e-12);
    /// assert!((nearest.on_a.x - 1.0).abs() < 1e-12 && (nearest.on_b.x - 1.75).abs() < 1e-12);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "closest points")]
    #[doc(alias = "separation distance")]
    #[must_use]
    pub fn distance(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Distance {
        let margins = self.margins();
        let gap = self.short_cut(Goal::Narrow).or_else(|| self.over_plane());
        if let Some(found) = gap.and_then(|gap| Separation::by_closed_form(&gap, &margins)) {
            return found.answer(TrianglePair { a: 0, b: 0 }, true, ONE);
        }
        self.search_distance(tolerance, settings, scratch)
    }

    /// Where no closed form tells it. Not inlined: what it needs would burden the others.
    #[inline(never)]
    fn search_distance(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Distance {
        let margins = self.margins();
        if let Some(bodies) = self.bodies() {
            return convex_distance(&bodies, &margins).answer(TrianglePair { a: 0, b: 0 }, true, ONE);
        }
        let found = match self.case() {
            Case::Convex(bodies) => convex_distance(&bodies, &margins),
            Case::Below(plane, body, flipped) => plane_distance(&plane, &body, &margins, flipped),
            Case::HalfSpaces(a, b) => half_space_distance(&a, &b, &margins),
            Case::Meshes(meshes) => return self.mesh_distance(&meshes, tolerance, settings, scratch),
            Case::Mesh(mesh, body) => {
                let mesh = mesh.with_extremes(self.a.extremes().or(self.b.extremes()));
                return mesh.distance(&body, &margins, tolerance, settings, scratch);
            }
            Case::MeshBelow(mesh, plane) => return mesh.above_distance(&plane, &margins),
            Case::Sets(sets) => return sets.distance(tolerance, settings, scratch),
        };
        found.answer(TrianglePair { a: 0, b: 0 }, true, ONE)
    }
}

impl Separation {
    /// From a gap of cores, where it is clear on which side of the margins it lies.
    #[inline]
    pub(super) fn clearly(gap: &Gap, margins: &Margins) -> Option<Self> {
        let Gap { lower, upper, on_a, on_b, .. } = *gap;
        if gap.overlap || upper < margins.down() {
            return Some(Self::touching(on_a, on_b, margins));
        }
        (lower > margins.up()).then(|| Self { lower, upper, on_a, on_b }.grown(margins))
    }

    /// From a closed form, whose normal lies between its points; where it is clear, whatever is
    /// rounded, on which side of the margins the gap lies.
    #[inline]
    fn by_closed_form(gap: &Gap, margins: &Margins) -> Option<Self> {
        let Gap { lower, upper, on_a, on_b, normal, overlap, .. } = *gap;
        if overlap || upper < margins.down() * (1.0 - 8.0 * f64::EPSILON) {
            return Some(Self::touching(on_a, on_b, margins));
        }
        let is_apart = lower > margins.up() * (1.0 + 8.0 * f64::EPSILON);
        let (on_a, on_b) = (on_a - normal * margins.a, on_b + normal * margins.b);
        is_apart.then(|| Self { lower: margins.lower(lower), upper: margins.upper(upper), on_a, on_b })
    }

    /// From cores to shapes.
    #[inline]
    pub(in crate::shape) fn grown(self, margins: &Margins) -> Self {
        let (lower, upper) = (margins.lower(self.lower), margins.upper(self.upper));
        let (on_a, on_b) = surface_points(self.on_a, self.on_b, margins, upper == 0.0);
        Self { lower, upper, on_a, on_b }
    }

    /// The shapes touch; points of cores are given.
    #[inline]
    pub(super) fn touching(on_a: DVec3, on_b: DVec3, margins: &Margins) -> Self {
        let (on_a, on_b) = surface_points(on_a, on_b, margins, true);
        Self { lower: 0.0, upper: 0.0, on_a, on_b }
    }

    /// The shapes touch.
    pub(in crate::shape) fn touching_at(self, margins: &Margins) -> Self {
        Self::touching(self.on_a, self.on_b, margins)
    }

    /// Known to be apart, however little: the lower bound says so, too, unless it is by less than
    /// the smallest number.
    pub(in crate::shape) fn apart(self, order: impl Fn(f64) -> Ordering) -> Self {
        let hair = f64::from_bits(1);
        let lower = if self.lower == 0.0 && order(hair) != Ordering::Less { hair } else { self.lower };
        Self { lower, upper: self.upper.max(hair), ..self }
    }

    /// With a and b exchanged.
    pub(in crate::shape) fn swapped(self) -> Self {
        Self { on_a: self.on_b, on_b: self.on_a, ..self }
    }

    #[inline]
    pub(in crate::shape) fn answer(self, witness: TrianglePair, is_complete: bool, stats: Stats) -> Distance {
        let Self { lower, upper, on_a, on_b } = self;
        Distance { lower: lower.min(upper), upper, witness, on_a, on_b, is_complete, stats }
    }
}

/// From points of two cores to points of the grown shapes: the same point twice, if those touch.
#[inline]
fn surface_points(on_a: DVec3, on_b: DVec3, margins: &Margins, touching: bool) -> (DVec3, DVec3) {
    let away = on_b - on_a;
    let length = crate::vector::length(away);
    if touching {
        let share = if margins.up() > 0.0 { margins.a / margins.up() } else { 0.5 };
        let shared = on_a + away * share;
        return (shared, shared);
    }
    if length == 0.0 || margins.up() == 0.0 {
        return (on_a, on_b);
    }
    let direction = away / length;
    (on_a + direction * margins.a, on_b - direction * margins.b)
}

/// The one function that decides about round shapes, and the distance of all convex ones.
pub(super) fn convex_distance(bodies: &Bodies<'_>, margins: &Margins) -> Separation {
    let gap = convex::gap(bodies, Goal::Narrow, None);
    separation(bodies, margins, &gap)
}

pub(in crate::shape) fn separation(bodies: &Bodies<'_>, margins: &Margins, gap: &Gap) -> Separation {
    let Gap { upper, on_a, on_b, .. } = *gap;
    let touches = gap.overlap || upper < margins.down();
    let clear = Separation::clearly(gap, margins).filter(|_| touches || !(gap.wide && bodies.are_flat()));
    if let Some(clear) = clear {
        return clear;
    }
    if !bodies.are_flat() {
        return Separation { lower: 0.0, upper, on_a, on_b }.grown(margins);
    }
    let exact = convex::compare(bodies, &[margins.a, margins.b]);
    let convex::Exact { order, lower, upper, on_a, on_b } = exact;
    if order != Ordering::Greater {
        return Separation::touching(on_a, on_b, margins);
    }
    // Apart, however little.
    let grown = Separation { lower, upper, on_a, on_b }.grown(margins);
    let order = |hair: f64| convex::compare(bodies, &[margins.a, margins.b, hair]).order;
    grown.apart(order)
}
