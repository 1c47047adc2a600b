//! GJK, the distance algorithm of Gilbert, Johnson and Keerthi for two convex bodies, with a
//! certificate.
//!
//! The Minkowski difference of the bodies is searched for its point nearest to the origin. Every
//! step gives two bounds: the nearest point of the simplex so far is a difference of two points of
//! the bodies, so the distance is not larger; and no point of the difference is less far along that
//! direction than its support, so the distance is not smaller. The descent ends when the bounds
//! meet or do not improve any more: each step brings the simplex strictly nearer. The loop has a
//! cap on its steps, which no descent comes near.
//!
//! Rounding, in half-ulps of the largest coordinates' sum (at most one in the common unit): a moved
//! point 5, a support point 6, their difference 1, its product with a unit vector 6, the nearest
//! point of a simplex 8. [`ROUNDING`] takes 32 of them for each bound.

use super::Bodies;
use super::polish::{self, Foot};
use super::quick::{self, Placed};
use super::simplex::{self, Nearest, Simplex};
use arrayvec::ArrayVec;
use glam::DVec3;

/// How far a bound may be off, in the common unit.
pub(super) const ROUNDING: f64 = 32.0 * 0.5 * f64::EPSILON;

/// The cap on steps: descents take tens. The loop ends by it whatever rounding does.
const FAR_TOO_MANY: usize = 10_000;

/// Before these steps two points are proposed for round bodies: most questions of yes and no end
/// sooner. Later ones begin nearer, where the first did not come to an end.
const PROPOSE_AT: [usize; 3] = [3, 9, 20];

/// When a descent may end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Goal {
    /// When nothing improves.
    Narrow,
    /// When it is known on which side of this length the distance lies.
    Decide(f64),
    /// When it is known to be above this length, or when nothing improves.
    Below(f64),
}

/// What a descent found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gap {
    /// The distance is not below this.
    pub(crate) lower: f64,
    /// The distance is not above this.
    pub(crate) upper: f64,
    /// Points of the two bodies that are `upper` apart, to rounding.
    pub(crate) on_a: DVec3,
    pub(crate) on_b: DVec3,
    /// Unit vector from b to a, along which the bodies are `lower` apart; zero if there is none.
    pub(crate) normal: DVec3,
    /// The bodies share a point, and more than rounding could feign.
    pub(crate) overlap: bool,
    /// The interval is much wider than rounding alone would make it.
    pub(crate) wide: bool,
}

/// A point of the Minkowski difference, and the points that it is the difference of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    pub(super) point: DVec3,
    pub(super) on_a: DVec3,
    pub(super) on_b: DVec3,
}

impl Bodies<'_> {
    /// The vertex least far along a direction.
    #[inline]
    pub(super) fn vertex(&self, direction: DVec3) -> Vertex {
        let (on_a, on_b) = (self.a.support(-direction), self.b.support(direction));
        Vertex { point: on_a - on_b, on_a, on_b }
    }
}

/// The descent, from a direction if one is known. Lengths in the bodies' ordinary unit.
#[inline]
pub(crate) fn gap(bodies: &Bodies<'_>, goal: Goal, start: Option<DVec3>) -> Gap {
    let [a, b] = [&bodies.a, &bodies.b].map(|body| Placed { core: &body.core, pose: body.pose.as_ref() });
    if let Some(settled) = quick::gap(&a, &b, bodies.length, goal) {
        return settled;
    }
    let mut descent = Descent::new(bodies, goal, start);
    let end = descent.run();
    descent.finish(end)
}

/// A descent on its way.
pub(super) struct Descent<'d, 's> {
    pub(super) bodies: &'d Bodies<'s>,
    /// A lower bound above this ends it, in the common unit.
    far: f64,
    /// An upper bound below this ends it.
    near: f64,
    pub(super) simplex: Simplex,
    pub(super) nearest: Nearest,
    pub(super) lower: f64,
    normal: DVec3,
    /// Points that are better than the simplex's.
    pub(super) proposal: Option<(DVec3, DVec3)>,
}

enum End {
    /// The bounds have met, or the goal.
    Apart,
    /// The origin is inside of the simplex.
    Inside,
}

impl<'d, 's> Descent<'d, 's> {
    #[inline]
    fn new(bodies: &'d Bodies<'s>, goal: Goal, start: Option<DVec3>) -> Self {
        let (far, near) = match goal {
            Goal::Narrow => (f64::INFINITY, f64::NEG_INFINITY),
            Goal::Decide(length) => (length * bodies.a.unit, length * bodies.a.unit),
            Goal::Below(length) => (length * bodies.a.unit, f64::NEG_INFINITY),
        };
        let between = start.unwrap_or_else(|| bodies.a.center() - bodies.b.center());
        let direction = if between.length_squared() > 1e-60 { between } else { DVec3::X };
        let mut descent = Self {
            bodies,
            far,
            near,
            simplex: Simplex { vertices: [Vertex::default(); 4], count: 0 },
            nearest: Nearest { count: 0, corners: [0; 4], weights: [0.0; 4], point: direction },
            lower: 0.0,
            normal: DVec3::ZERO,
            proposal: None,
        };
        let first = descent.ask(direction);
        descent.simplex.push(first);
        descent.nearest = descent.reduced();
        descent
    }

    /// The vertex least far along a direction, which is also a lower bound.
    #[inline]
    pub(super) fn ask(&mut self, direction: DVec3) -> Vertex {
        // Of length one: products with the bodies' sizes, which may be tiny, keep their digits.
        let normal = direction / direction.length();
        let vertex = self.bodies.vertex(normal);
        let bound = normal.dot(vertex.point) - ROUNDING;
        if bound > self.lower {
            (self.lower, self.normal) = (bound, normal);
        }
        vertex
    }

    fn run(&mut self) -> End {
        for step in 0..FAR_TOO_MANY {
            let point = self.nearest.point;
            let square = point.length_squared();
            // Nearer than rounding can tell.
            if square <= ROUNDING * ROUNDING {
                return if self.nearest.count == 4 { End::Inside } else { End::Apart };
            }
            let upper = square.sqrt();
            if upper + ROUNDING < self.near || self.lower > self.far {
                return End::Apart;
            }
            if PROPOSE_AT.contains(&step) && !self.bodies.are_flat() && self.propose() {
                return End::Apart;
            }
            let vertex = self.ask(point);
            if self.lower > self.far {
                return End::Apart;
            }
            // Does the new vertex bring anything?
            let gain = square - point.dot(vertex.point);
            if gain <= 1e-16 * square || self.simplex.iter().any(|known| known.point == vertex.point) {
                return End::Apart;
            }
            self.simplex.push(vertex);
            let nearest = self.reduced();
            if nearest.count == 4 {
                self.nearest = nearest;
                return End::Inside;
            }
            if !(nearest.point.length_squared() < square) {
                // The old point was as good: what is new has been undone.
                return End::Apart;
            }
            self.keep(nearest);
        }
        End::Apart
    }

    #[inline]
    fn reduced(&self) -> Nearest {
        simplex::nearest_of(self.simplex.count, |corner| self.simplex.vertices[corner].point)
    }

    /// Forgets the vertices that do not carry the nearest point.
    #[inline]
    fn keep(&mut self, nearest: Nearest) {
        self.simplex.keep(nearest.corners[..nearest.count].iter().map(|&corner| usize::from(corner)));
        self.nearest = Nearest { corners: [0, 1, 2, 3], ..nearest };
    }
}

impl Descent<'_, '_> {
    fn finish(mut self, end: End) -> Gap {
        let inside = matches!(end, End::Inside);
        let overlap = inside && self.is_deep_inside();
        // Whether round bodies touch is decided by the narrowest interval alone, so that whoever
        // only decides must not know more than that.
        let refine = self.near == f64::NEG_INFINITY || self.bodies.are_flat();
        if refine && !overlap && !self.is_done() {
            let proposed = !self.bodies.are_flat() && self.propose();
            if !proposed {
                self.sharpen();
            }
            if !proposed && !self.is_done() {
                self.polish();
            }
        }
        let (on_a, on_b) = self.witnesses();
        // Projected points are rounded more often than corners.
        let rounding = if self.proposal.is_some() { 2.0 * ROUNDING } else { ROUNDING };
        let upper = if overlap { 0.0 } else { (on_a - on_b).length() + rounding };
        let length = self.bodies.length;
        Gap {
            lower: (if overlap { 0.0 } else { self.lower }).min(upper) * length,
            upper: upper * length,
            on_a: on_a * length,
            on_b: on_b * length,
            normal: self.normal,
            overlap,
            wide: upper - self.lower > 8.0 * ROUNDING,
        }
    }

    /// Is the goal reached, or the interval as narrow as rounding allows?
    fn is_done(&self) -> bool {
        let (on_a, on_b) = self.witnesses();
        let upper = (on_a - on_b).length() + ROUNDING;
        // Supports of round bodies are not as exact as corners.
        let narrow = if self.bodies.are_flat() { 3.0 } else { 8.0 };
        self.lower > self.far || upper < self.near || upper - self.lower <= narrow * ROUNDING
    }

    /// Goes on in higher precision.
    #[cold]
    fn polish(&mut self) {
        let Some(mut foot) = polish::nearest(&self.simplex) else { return };
        for _ in 0..FAR_TOO_MANY {
            self.keep_foot(&foot);
            let Some(direction) = foot.direction() else { return };
            let vertex = self.ask(direction);
            let known = self.simplex.iter().any(|known| known.point == vertex.point);
            if known || !foot.gains(&vertex) || self.simplex.is_full() {
                return;
            }
            self.simplex.push(vertex);
            match polish::nearest(&self.simplex) {
                Some(next) if next.is_nearer_than(&foot) => foot = next,
                _ => return,
            }
        }
    }

    fn keep_foot(&mut self, foot: &Foot) {
        self.simplex.keep(foot.corners.iter().copied());
        let mut weights = [0.0; 4];
        weights[..foot.weights.len()].copy_from_slice(&foot.weights);
        let point = foot.point.rounded();
        self.nearest = Nearest { count: foot.corners.len(), corners: [0, 1, 2, 3], weights, point };
    }

    fn is_deep_inside(&self) -> bool {
        let corners: [DVec3; 4] = std::array::from_fn(|i| self.simplex[i].point);
        simplex::depth_inside(corners) > ROUNDING
    }

    /// The nearest point is a short difference of near points where the bodies are close, and its
    /// direction is off by much. The normal of a face of the simplex does not suffer from that.
    fn sharpen(&mut self) {
        let count = self.simplex.len();
        for skipped in 0..count {
            let face: ArrayVec<DVec3, 4> =
                (0..count).filter(|&i| count < 4 || i != skipped).map(|i| self.simplex[i].point).collect();
            if let [a, b, c] = face[..] {
                let normal = (b - a).cross(c - a);
                let along = normal.dot(a);
                let length = normal.length();
                if length > 1e-200 && along != 0.0 {
                    self.ask(normal * (along.signum() / length));
                }
            }
            if count < 4 {
                break;
            }
        }
    }

    pub(super) fn witnesses(&self) -> (DVec3, DVec3) {
        if let Some(proposal) = self.proposal {
            return proposal;
        }
        let mut sums = (DVec3::ZERO, DVec3::ZERO);
        for i in 0..self.nearest.count {
            let vertex = &self.simplex[usize::from(self.nearest.corners[i])];
            sums.0 += vertex.on_a * self.nearest.weights[i];
            sums.1 += vertex.on_b * self.nearest.weights[i];
        }
        sums
    }
}
