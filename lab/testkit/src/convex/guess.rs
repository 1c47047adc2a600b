//! A guess, in double arithmetic, at the corners that carry the nearest points of two hulls.
//!
//! It only saves exact steps: nothing depends on its being right.

use super::bounds::{nearest_in_flat, power_of_two_for};
use super::nearest::Corners;
use crate::Point;
use crate::vector::{dot, length};

const MAX_STEPS: usize = 64;

/// One to four pairs of corners.
pub(crate) fn guess(a: &[Point], b: &[Point]) -> Vec<Corners> {
    let largest = a.iter().chain(b).flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    let factor = power_of_two_for(largest);
    let scaled = |points: &[Point]| -> Vec<Point> { points.iter().map(|point| point.map(|x| x * factor)).collect() };
    let (a, b) = (scaled(a), scaled(b));
    let corner = |(i, j): Corners| -> Point { std::array::from_fn(|axis| a[i][axis] - b[j][axis]) };
    let mut simplex: Vec<Corners> = vec![(0, 0)];
    let mut nearest = corner((0, 0));
    for _ in 0..MAX_STEPS {
        let next = (extreme(&a, nearest.map(|x| -x)), extreme(&b, nearest));
        let gained = dot(nearest, nearest) - dot(nearest, corner(next));
        if gained <= 1e-14 * dot(nearest, nearest) || simplex.contains(&next) {
            break;
        }
        simplex.push(next);
        let Some((reduced, point)) = nearest_face(&simplex, corner) else { break };
        if length(point) >= length(nearest) {
            simplex.pop();
            break;
        }
        (simplex, nearest) = (reduced, point);
        if simplex.len() == 4 {
            break;
        }
    }
    simplex
}

fn extreme(points: &[Point], direction: Point) -> usize {
    let mut best = (f64::NEG_INFINITY, 0);
    for (index, &point) in points.iter().enumerate() {
        let height = dot(point, direction);
        if height > best.0 {
            best = (height, index);
        }
    }
    best.1
}

/// The face whose own nearest point is inside and nearest of all. It has the newest corner.
fn nearest_face(simplex: &[Corners], corner: impl Fn(Corners) -> Point) -> Option<(Vec<Corners>, Point)> {
    let (&newest, older) = simplex.split_last()?;
    let mut best = (vec![newest], corner(newest));
    for face in 1u32..1 << older.len() {
        let chosen: Vec<Corners> = (0..older.len()).filter(|i| face >> i & 1 == 1).map(|i| older[i]).collect();
        let points: Vec<Point> = chosen.iter().map(|&pair| corner(pair)).collect();
        if let Some(point) = nearest_in_flat(corner(newest), &points)
            && length(point) < length(best.1)
        {
            best = (chosen, point);
            best.0.push(newest);
        }
    }
    Some(best)
}
