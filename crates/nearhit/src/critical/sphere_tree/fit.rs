//! One ball for some points of the surface, sticking out of it as little as possible.
//!
//! A ball about c of radius r sticks out by at most r + s(c), where s is the signed distance of c from the surface: the way from c to a point of the ball crosses the surface not before -s(c).
//! That is also what it is where the ball touches a convex part of the body. So the centre is moved to where *the distance of the farthest point plus s(c)* is smallest: onto the medial axis,
//! in the middle of what is to be covered.

use super::field::{Depth, Field};
use arrayvec::ArrayVec;
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

/// Steps are halved so often.
const HALVINGS: u32 = 6;
/// Most moves of one length.
const MOVES: u32 = 4;

/// Points of the surface that a search remembers.
const MOST_KNOWN: usize = 24;

/// The centre of smallest cost near `start`.
pub(super) fn improve(points: &[DVec3], start: Depth, field: &mut Field<'_>) -> Fit {
    let first = Fit { depth: start, reach: reach(points, start.at) };
    let mut few = outermost(points, start.at);
    let mut known = vec![start.nearest];
    let mut best = first;
    // The outermost points stand for all, until another one is found to be farther out.
    for _ in 0..6 {
        let from = Fit { reach: reach(&few, best.center()), ..best };
        let found = descend(&mut few, from, &mut known, field);
        let (far, point) = farthest(points, found.center());
        best = Fit { reach: far, ..found };
        if far - found.reach <= (1e-2 * found.cost().abs()).min(1e-3 * found.reach) {
            break;
        }
        few.push(point);
    }
    // Through a hole a search may leave the body unnoticed.
    let strayed = !field.is_closed() && best.depth.distance < 0.0 && !field.is_inside(best.center());
    if strayed || best.cost() >= first.cost() { first } else { best }
}

/// `known` are points of the surface: no centre is deeper than its distance from any of them.
fn descend(points: &mut [DVec3], mut best: Fit, known: &mut Vec<DVec3>, field: &mut Field<'_>) -> Fit {
    let mut step = 0.5 * best.reach.min(best.cost().abs() + 0.1 * best.reach);
    for _ in 0..HALVINGS {
        for _ in 0..MOVES {
            let before = best.cost();
            farthest_first(points, best.center());
            for direction in directions(&best, points, known, step) {
                let center = best.center() + direction * step;
                // No deeper than a point of the surface is away: most moves need few looks at the points, and none at the surface.
                let limit = best.cost() + best.depth.nearest.distance(center);
                if limit <= 0.0 || points.iter().any(|point| point.distance_squared(center) >= limit * limit) {
                    continue;
                }
                let reach = reach(points, center);
                let enough = reach - best.cost();
                let shallow = |point: &DVec3| point.distance_squared(center) <= enough * enough;
                if enough > 0.0 && known.iter().any(shallow) {
                    continue;
                }
                let fit = Fit { depth: field.depth_near(&best.depth, center), reach };
                if known.len() < MOST_KNOWN {
                    known.push(fit.depth.nearest);
                }
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

/// Points that are farthest out along a few directions, and from the centre.
fn outermost(points: &[DVec3], center: DVec3) -> Vec<DVec3> {
    if points.len() <= 32 {
        return points.to_vec();
    }
    let step = |digit: u32| f64::from(digit % 3) - 1.0;
    // One of each pair of opposite directions.
    let mut found: Vec<DVec3> = Vec::with_capacity(28);
    for direction in (14..27).map(|code| DVec3::new(step(code), step(code / 3), step(code / 9))) {
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

/// Downhill, towards the farthest point, away from the surface, and along the axes.
fn directions(fit: &Fit, points: &[DVec3], known: &[DVec3], step: f64) -> [DVec3; 9] {
    let center = fit.center();
    let far = (points[0] - center).normalize_or_zero();
    let deeper = (center - fit.depth.nearest).normalize_or_zero() * -fit.depth.distance.signum();
    let down = downhill(fit, points, known, step);
    [down, far, deeper, DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z]
}

/// The cost is a difference of a largest and a smallest distance, and has an edge wherever two of them are equal: where a search along the axes gets stuck. Downhill is away from the shortest combination of the
/// gradients of all distances that are the largest or smallest to within a step (found by Gilbert's method).
fn downhill(fit: &Fit, points: &[DVec3], known: &[DVec3], step: f64) -> DVec3 {
    let center = fit.center();
    let away = |point: &DVec3| (center - *point).normalize_or_zero();
    let rising: ArrayVec<DVec3, 32> =
        points.iter().filter(|point| point.distance(center) >= fit.reach - step).map(away).take(32).collect();
    let sign = -fit.depth.distance.signum();
    let near = fit.depth.distance.abs() + step;
    let falling: ArrayVec<DVec3, 32> =
        known.iter().filter(|point| point.distance(center) <= near).map(|point| away(point) * sign).take(32).collect();
    let (Some(&first), second) = (rising.first(), falling.first().copied().unwrap_or_default()) else {
        return DVec3::ZERO;
    };
    let mut shortest = first - second;
    for _ in 0..24 {
        let next = least(&rising, first, shortest) - least(&falling, second, -shortest);
        let toward = next - shortest;
        let gain = -shortest.dot(toward);
        if gain <= 1e-6 {
            break;
        }
        shortest += toward * (gain / toward.length_squared()).min(1.0);
    }
    -shortest.normalize_or_zero()
}

/// Of some vectors the least along a direction.
fn least(of: &[DVec3], first: DVec3, along: DVec3) -> DVec3 {
    let (mut found, mut low) = (first, first.dot(along));
    for &one in of {
        let height = one.dot(along);
        if height < low {
            (found, low) = (one, height);
        }
    }
    found
}
