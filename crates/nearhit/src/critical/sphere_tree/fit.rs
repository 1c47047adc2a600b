//! One ball for some points of the surface, sticking out of it as little as possible.
//!
//! A ball about c of radius r sticks out by at most r + s(c), where s is the signed distance of c from the surface: the way from c to a point of the ball crosses the surface not before -s(c).
//! That is also what it is where the ball touches a convex part of the body. So the centre is moved to where *the distance of the farthest point plus s(c)* is smallest: onto the medial axis,
//! in the middle of what is to be covered.

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

/// Steps are halved so often.
const HALVINGS: u32 = 6;
/// Most moves of one length.
const MOVES: u32 = 4;

/// The centre of smallest cost near `start`.
pub(super) fn improve(points: &[DVec3], start: Depth, field: &mut Field<'_>) -> Fit {
    let first = Fit { depth: start, reach: reach(points, start.at) };
    let mut few = outermost(points, start.at);
    let mut best = first;
    // The outermost points stand for all, until another one is found to be farther out.
    for _ in 0..3 {
        let found = descend(&few, Fit { reach: reach(&few, best.center()), ..best }, field);
        let (far, point) = farthest(points, found.center());
        best = Fit { reach: far, ..found };
        if far <= found.reach * (1.0 + 1e-3) {
            break;
        }
        few.push(point);
    }
    // Through a hole a search may leave the body unnoticed.
    let strayed = !field.is_closed() && best.depth.distance < 0.0 && !field.is_inside(best.center());
    if strayed || best.cost() >= first.cost() { first } else { best }
}

fn descend(points: &[DVec3], mut best: Fit, field: &mut Field<'_>) -> Fit {
    let mut step = 0.5 * best.reach.min(best.cost().abs() + 0.1 * best.reach);
    for _ in 0..HALVINGS {
        for _ in 0..MOVES {
            let before = best.cost();
            for direction in directions(&best, points) {
                let center = best.center() + direction * step;
                let reach = reach(points, center);
                // Depth changes by no more than the step: most moves need no look at the surface.
                if reach + best.depth.distance - step >= best.cost() {
                    continue;
                }
                let fit = Fit { depth: field.depth_near(&best.depth, center), reach };
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
    let away = points.iter().map(|&point| (point.distance_squared(center), point));
    let (far, point) = away.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, center));
    (far.sqrt(), point)
}

/// Points that are farthest out along a few directions, and from the centre.
fn outermost(points: &[DVec3], center: DVec3) -> Vec<DVec3> {
    if points.len() <= 32 {
        return points.to_vec();
    }
    let step = |digit: u32| f64::from(digit % 3) - 1.0;
    let directions = (0..27).map(|code| DVec3::new(step(code), step(code / 3), step(code / 9)));
    let along = |direction: DVec3| points.iter().copied().max_by(|p, q| p.dot(direction).total_cmp(&q.dot(direction)));
    let mut found: Vec<DVec3> = directions.filter(|it| *it != DVec3::ZERO).filter_map(along).collect();
    found.push(farthest(points, center).1);
    found
}

/// Towards the farthest point, away from the surface, and along the axes.
fn directions(fit: &Fit, points: &[DVec3]) -> [DVec3; 8] {
    let center = fit.center();
    let far = (farthest(points, center).1 - center).normalize_or_zero();
    let deeper = (center - fit.depth.nearest).normalize_or_zero() * -fit.depth.distance.signum();
    [far, deeper, DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z]
}
