//! The swept experiment: thousands of obstacles close to a path, none of them on it.

use std::f64::consts::TAU;

use super::{Case, CasePose, Order};
use crate::pose::{pose_point, transposed};
use crate::rng::{Rng, quaternion_to_rows};
use crate::shapes::{axis_bars, axis_bars_boxes, tetrahedron_in_sphere};
use crate::vector::{along, length, subtract};
use crate::{Point, Soup};

const HALF_LENGTH: f64 = 1.0;
const HALF_WIDTH: f64 = 0.1;
/// How near the obstacles' spheres come to the nearest placement.
const GAPS: (f64, f64) = (1e-3, 1e-1);

/// Three crossed bars on a smooth path of `poses` placements, among `obstacles` tetrahedra each of
/// which is 0.001 to 0.1 away from the nearest placement (its sphere is): nothing ever touches.
pub fn swept(obstacles: usize, poses: usize, seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    let path = smooth_path(poses, &mut rng);
    let mut b = Soup::default();
    while b.len() < 4 * obstacles {
        let radius = rng.range(0.05, 0.2);
        if let Some(center) = beside_path(&path, radius, &mut rng) {
            b.append(&tetrahedron_in_sphere(center, radius, &mut rng));
        }
    }
    Case {
        name: format!("swept-{obstacles}"),
        note: format!("three crossed bars on a smooth path, {obstacles} tetrahedra beside it: no collision"),
        order: Order::Path,
        a: axis_bars(HALF_LENGTH, HALF_WIDTH),
        b,
        poses: path,
    }
}

/// Slow sines for the place and for the quaternion.
fn smooth_path(poses: usize, rng: &mut Rng) -> Vec<CasePose> {
    let mut waves = || -> [(f64, f64); 7] { std::array::from_fn(|_| (rng.range(0.5, 2.5), rng.range(0.0, TAU))) };
    let waves = waves();
    (0..poses)
        .map(|index| {
            let time = TAU * index as f64 / poses as f64;
            let value = |wave: usize| (waves[wave].0 * time + waves[wave].1).sin();
            // The last part is never near zero together with the others.
            let raw = [value(3), value(4), value(5), 1.2 + value(6)];
            let norm = raw.iter().map(|x| x * x).sum::<f64>().sqrt();
            CasePose::of_a(quaternion_to_rows(raw.map(|x| x / norm)), [8.0 * value(0), 8.0 * value(1), 8.0 * value(2)])
        })
        .collect()
}

/// A centre whose sphere leaves a gap within [`GAPS`] to the nearest placement; `None` when the try
/// fails.
fn beside_path(path: &[CasePose], radius: f64, rng: &mut Rng) -> Option<Point> {
    let gap = GAPS.0 * (GAPS.1 / GAPS.0).powf(rng.f64());
    let pose = rng.choice(path);
    let bars = axis_bars_boxes(HALF_LENGTH, HALF_WIDTH);
    let (low, high) = bars[rng.below(3)];
    let on_bar: Point = std::array::from_fn(|axis| rng.range(low[axis], high[axis]));
    let center = pose_point(&pose.r_a, &pose.t_a, step_off(on_bar, radius + gap, rng));
    // Most of a long path is farther away than the bars reach.
    let reach = 1.001 * (HALF_LENGTH * HALF_LENGTH + 2.0 * HALF_WIDTH * HALF_WIDTH).sqrt();
    let far = |pose: &CasePose| length(subtract(center, pose.t_a)) > reach + radius + gap;
    let clear = path.iter().all(|pose| far(pose) || distance_to_bars(pose, center) >= radius + gap * (1.0 - 1e-9));
    clear.then_some(center)
}

/// From a point inside the bars along a random direction until the distance to the bars is as
/// asked.
fn step_off(start: Point, distance: f64, rng: &mut Rng) -> Point {
    let direction = rng.unit_vector();
    let mut point = start;
    // Each step is at most what is missing, so it never goes too far; it ends when almost nothing
    // is missing.
    for _ in 0..200 {
        let missing = distance - to_bars(point);
        if missing <= 1e-12 {
            break;
        }
        point = along(point, direction, missing);
    }
    point
}

fn distance_to_bars(pose: &CasePose, point: Point) -> f64 {
    to_bars(pose_point(&transposed(&pose.r_a), &[0.0; 3], subtract(point, pose.t_a)))
}

fn to_bars(point: Point) -> f64 {
    let to_box = |(low, high): (Point, Point)| {
        length(std::array::from_fn(|axis| (low[axis] - point[axis]).max(point[axis] - high[axis]).max(0.0)))
    };
    axis_bars_boxes(HALF_LENGTH, HALF_WIDTH).into_iter().map(to_box).fold(f64::INFINITY, f64::min)
}
