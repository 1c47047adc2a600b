//! The distance of two bodies from polytopes inside them.
//!
//! The polytopes' exact nearest points give an upper bound and a direction; the bodies' planes
//! across it give a lower bound, and the points where those touch are added to the polytopes
//! (Frank and Wolfe 1956, with full correction). Slower than Newton's method where that works, but
//! edges, rims and almost parallel faces do not disturb it.

use dashu_int::IBig;
use dashu_int::ops::{SquareRoot, UnsignedAbs};

use super::body::Body;
use super::fixed::{Places, about_unit, length, zero};
use super::local::Local;
use super::nearest::{Nearest, nearest};
use super::start::directions;
use crate::exact::integers::{Vector, dot};

/// The bounds hold when the steps run out, they are only wider.
const MAX_STEPS: usize = 400;

/// Bounds in units of the last place.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    pub(crate) lower: IBig,
    pub(crate) upper: IBig,
    /// From the nearest point of b to that of a; of any length, zero when they meet.
    pub(crate) direction: Vector,
    /// Exact steps taken.
    pub(crate) steps: usize,
}

/// The distance of two bodies of magnitude at most one, to within `goal` if possible.
pub(crate) fn meet(a: &Body, b: &Body, places: Places, goal: &IBig) -> Meeting {
    let mut search = Search::new(a, b, places);
    let mut active = vec![(0, 0)];
    while search.bounds.steps < MAX_STEPS {
        search.bounds.steps += 1;
        let found = nearest(&search.inside[0], &search.inside[1], &active);
        search.note_inside(&found);
        if search.done(goal) || found.height.is_zero() {
            break;
        }
        search.note_outside(&found.direction);
        if search.done(goal) {
            break;
        }
        active = found.active;
    }
    search.bounds
}

struct Search<'a> {
    bodies: [&'a Body; 2],
    places: Places,
    /// The corners of a polytope in each body.
    inside: [Vec<Vector>; 2],
    bounds: Meeting,
}

impl<'a> Search<'a> {
    fn new(a: &'a Body, b: &'a Body, places: Places) -> Search<'a> {
        let inside = [a, b].map(|body| match &body.local {
            Local::Hull(points) => points.clone(),
            _ => Vec::new(),
        });
        let bounds = Meeting { lower: IBig::ZERO, upper: places.one() << 4usize, direction: zero(), steps: 0 };
        let mut search = Search { bodies: [a, b], places, inside, bounds };
        for direction in directions(a, b, places).iter().rev() {
            search.grow(direction);
        }
        search
    }

    fn done(&self, goal: &IBig) -> bool {
        &self.bounds.upper - &self.bounds.lower <= *goal
    }

    /// The nearest points of the polytopes are points of the bodies.
    fn note_inside(&mut self, found: &Nearest) {
        self.bounds.upper = upper_bound(found, self.places).min(self.bounds.upper.clone());
        self.bounds.direction.clone_from(&found.direction);
    }

    /// The planes across a direction that touch the bodies have nothing between them.
    fn note_outside(&mut self, direction: &Vector) {
        let places = self.places;
        let direction = about_unit(direction, places);
        let against = direction.each_ref().map(|x| -x);
        let gap = -self.bodies[0].height(places, &against) - self.bodies[1].height(places, &direction);
        let lower = places.over(&gap, &(length(&direction) + IBig::ONE)) - places.slack();
        self.bounds.lower = lower.max(self.bounds.lower.clone());
        self.grow(&direction);
    }

    /// Adds the points farthest along a direction from a to b; hulls have all theirs.
    fn grow(&mut self, direction: &Vector) {
        let against = direction.each_ref().map(|x| -x);
        for (index, towards) in [(0, &against), (1, direction)] {
            let body = self.bodies[index];
            if !matches!(body.local, Local::Hull(_)) {
                self.inside[index].push(body.support_point(self.places, towards));
            }
        }
    }
}

fn upper_bound(found: &Nearest, places: Places) -> IBig {
    if found.height.is_zero() {
        return places.slack();
    }
    let square = &found.height * &found.height / dot(&found.direction, &found.direction);
    IBig::from(square.unsigned_abs().sqrt()) + IBig::from(2) + places.slack()
}
