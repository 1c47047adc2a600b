//! One ball for some points of the surface, sticking out of it as little as possible.
//!
//! A ball about c of radius r sticks out by at most r + s(c), where s is the signed distance of c
//! from the surface: the way from c to a point of the ball crosses the surface not before -s(c).
//! That is also what it is where the ball touches a convex part of the body. So the centre is moved
//! to where *the distance of the farthest point plus s(c)* is smallest: onto the medial axis, in
//! the middle of what is to be covered.

use super::field::{Depth, Field};
use glam::DVec3;

/// A centre, and what it costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fit {
    pub(super) depth: Depth,
    /// Of the farthest point.
    pub(super) reach: f64,
}

impl Fit {
    pub(super) fn center(&self) -> DVec3 {
        self.depth.at
    }

    /// How far it sticks out, at most.
    pub(super) fn cost(&self) -> f64 {
        self.reach + self.depth.distance
    }
}

pub(super) fn reach(points: &[DVec3], center: DVec3) -> f64 {
    points.iter().fold(0.0, |far: f64, point| far.max(point.distance_squared(center))).sqrt()
}

/// How closely to look.
#[derive(Debug, Clone, Copy)]
struct Closeness {
    /// Steps are halved so often.
    halvings: i32,
    /// Directions are improved so often at most, until they are right to this share of their
    /// length.
    improvements: u32,
    tolerance: f64,
}

impl Closeness {
    /// Where balls have many points, they are few, and what is below depends on them.
    fn of(points: usize) -> Self {
        if points < MANY {
            Self { halvings: 6, improvements: 8, tolerance: 0.03 }
        } else {
            Self { halvings: 8, improvements: 24, tolerance: 1e-4 }
        }
    }
}

const MANY: usize = 1000;
/// Most moves of one length.
const MOVES: u32 = 4;
/// Points of the surface that a search remembers.
const MOST_KNOWN: usize = 24;

/// The centre of smallest cost near `start`.
pub(super) fn improve(points: &[DVec3], start: Depth, field: &mut Field<'_>) -> Fit {
    let first = Fit { depth: start, reach: reach(points, start.at) };
    let closeness = Closeness::of(points.len());
    let mut search = Search { few: outermost(points, start.at), known: vec![start.nearest], closeness, field };
    let longest = 0.5 * first.reach.min(first.cost().abs() + 0.1 * first.reach);
    let shortest = 0.5_f64.powi(closeness.halvings) * longest;
    let (mut best, mut step) = (first, longest);
    // The outermost points stand for all, until another one is found to be farther out.
    for _ in 0..6 {
        let from = Fit { reach: reach(&search.few, best.center()), ..best };
        let found = search.descend(from, step, shortest);
        let (far, point) = farthest(points, found.center());
        best = Fit { reach: far, ..found };
        let missed = far - found.reach;
        if missed <= (1e-2 * found.cost().abs()).min(1e-3 * found.reach) {
            break;
        }
        search.few.push(point);
        // To take it in needs a move of about what it is too far away.
        step = (2.0 * missed).clamp(2.0 * shortest, longest);
    }
    // Through a hole a search may leave the body unnoticed.
    let strays =
        |field: &mut Field<'_>| !field.is_closed() && best.depth.distance < 0.0 && !field.is_inside(best.center());
    if best.cost() >= first.cost() || strays(field) { first } else { best }
}

/// On the way to a better centre.
struct Search<'s, 'm> {
    /// What a ball is to hold.
    few: Vec<DVec3>,
    /// Points of the surface: no centre is deeper than its distance from any of them.
    known: Vec<DVec3>,
    closeness: Closeness,
    field: &'s mut Field<'m>,
}

impl Search<'_, '_> {
    /// By steps of one length, then of half of it, and so on.
    fn descend(&mut self, mut best: Fit, mut step: f64, shortest: f64) -> Fit {
        // Ends: steps are halved, to zero if need be.
        while step > shortest {
            for _ in 0..MOVES {
                let before = best.cost();
                farthest_first(&mut self.few, best.center());
                for direction in self.directions(&best, step) {
                    let center = best.center() + direction * step;
                    // No deeper than a point of the surface is away: most moves need few looks at
                    // the points, and none at the surface.
                    let limit = best.cost() + best.depth.nearest.distance(center);
                    if limit <= 0.0 || self.few.iter().any(|point| point.distance_squared(center) >= limit * limit) {
                        continue;
                    }
                    let reach = reach(&self.few, center);
                    let enough = reach - best.cost();
                    let shallow = |point: &DVec3| point.distance_squared(center) <= enough * enough;
                    if enough > 0.0 && self.known.iter().any(shallow) {
                        continue;
                    }
                    let found = self.field.distance_from(best.depth.triangle, center);
                    if self.known.len() < MOST_KNOWN {
                        self.known.push(found.nearest);
                    }
                    // Not even inside it would be better.
                    if reach - found.distance >= best.cost() {
                        continue;
                    }
                    let fit = Fit { depth: self.field.sided_near(&best.depth, found), reach };
                    if fit.cost() < best.cost() {
                        best = fit;
                    }
                }
                if best.cost() >= before {
                    break;
                }
            }
            step *= 0.5;
        }
        best
    }

    /// Downhill, towards the farthest point, away from the surface, and along the axes.
    fn directions(&self, fit: &Fit, step: f64) -> [DVec3; 9] {
        let center = fit.center();
        let far = (self.few[0] - center).normalize_or_zero();
        let deeper = (center - fit.depth.nearest).normalize_or_zero() * -fit.depth.distance.signum();
        let down = self.downhill(fit, step);
        [down, far, deeper, DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z]
    }

    /// The cost is a difference of a largest and a smallest distance, and has an edge wherever two
    /// of them are equal: where a search along the axes gets stuck. Downhill is away from the
    /// shortest combination of the gradients of all distances that are the largest or smallest to
    /// within a step (found by Gilbert's method).
    fn downhill(&self, fit: &Fit, step: f64) -> DVec3 {
        let center = fit.center();
        let away = |point: &DVec3| (center - *point).normalize_or_zero();
        let (sign, near) = (-fit.depth.distance.signum(), fit.depth.distance.abs() + step);
        let is_far = |point: &&DVec3| point.distance(center) >= fit.reach - step;
        let is_near = |point: &&DVec3| point.distance(center) <= near;
        let rising = Bundle::new(self.few.iter().filter(is_far).map(away));
        let falling = Bundle::new(self.known.iter().filter(is_near).map(|point| away(point) * sign));
        if rising.count == 0 {
            return DVec3::ZERO;
        }
        let mut shortest = rising.get(0) - falling.get(0);
        for _ in 0..self.closeness.improvements {
            let next = rising.least(shortest) - falling.least(-shortest);
            let toward = next - shortest;
            let gain = -shortest.dot(toward);
            if gain <= self.closeness.tolerance * shortest.length_squared() {
                break;
            }
            shortest += toward * (gain / toward.length_squared()).min(1.0);
        }
        -shortest.normalize_or_zero()
    }
}

fn farthest(points: &[DVec3], center: DVec3) -> (f64, DVec3) {
    let (mut far, mut at) = (0.0, center);
    for &point in points {
        let away = point.distance_squared(center);
        if away > far {
            (far, at) = (away, point);
        }
    }
    (far.sqrt(), at)
}

/// Those that rule out most moves.
fn farthest_first(points: &mut [DVec3], center: DVec3) {
    points.sort_by(|a, b| b.distance_squared(center).total_cmp(&a.distance_squared(center)));
}

/// Points that are farthest out along the axes and the diagonals, and from the centre.
fn outermost(points: &[DVec3], center: DVec3) -> Vec<DVec3> {
    if points.len() <= 32 {
        return points.to_vec();
    }
    let diagonals = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].map(|[x, y]| DVec3::new(x, y, 1.0));
    let mut found: Vec<DVec3> = Vec::with_capacity(24);
    for direction in diagonals.into_iter().chain([DVec3::X, DVec3::Y, DVec3::Z]) {
        let (mut low, mut high) = ((f64::INFINITY, center), (f64::NEG_INFINITY, center));
        for &point in points {
            let along = point.dot(direction);
            if along < low.0 {
                low = (along, point);
            }
            if along > high.0 {
                high = (along, point);
            }
        }
        found.extend([low.1, high.1]);
    }
    found.push(farthest(points, center).1);
    found
}

/// Most vectors of a bundle.
const MOST: usize = 32;

/// Some vectors, by coordinate: their heights along a direction are found several at a time.
struct Bundle {
    x: [f64; MOST],
    y: [f64; MOST],
    z: [f64; MOST],
    count: usize,
}

impl Bundle {
    fn new(vectors: impl Iterator<Item = DVec3>) -> Self {
        let mut bundle = Self { x: [0.0; MOST], y: [0.0; MOST], z: [0.0; MOST], count: 0 };
        for vector in vectors.take(MOST) {
            let index = bundle.count;
            (bundle.x[index], bundle.y[index], bundle.z[index]) = vector.into();
            bundle.count += 1;
        }
        bundle
    }

    fn get(&self, index: usize) -> DVec3 {
        DVec3::new(self.x[index], self.y[index], self.z[index])
    }

    /// The vector that is least along a direction; zero if there is none.
    fn least(&self, along: DVec3) -> DVec3 {
        let mut heights = [0.0; MOST];
        let count = self.count.next_multiple_of(4).min(MOST);
        for index in 0..count {
            heights[index] = self.x[index] * along.x + self.y[index] * along.y + self.z[index] * along.z;
        }
        let mut found = 0;
        for index in 1..self.count {
            if heights[index] < heights[found] {
                found = index;
            }
        }
        self.get(found)
    }
}
