//! Stand-ins for the swept-sphere paper's virtual prototyping, dynamics simulation and path
//! planning.

use std::f64::consts::TAU;

use super::billiard::{Billiard, Collision, billiard_path};
use super::{Case, CasePose, Order};
use crate::Soup;
use crate::pose::multiplied;
use crate::rng::{Rng, axis_angle_to_rows};
use crate::shapes::{self, BORE_SPACING};

/// Pistons in an engine: `cylinders` of them, each at `steps` places of its stroke, with a little
/// play in the bore. They touch when the play is all used up.
pub fn engine(cylinders: u32, sides: u32, fins: u32, steps: usize, seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    let poses = (0..steps)
        .flat_map(|step| (0..cylinders).map(move |bore| (step, bore)))
        .map(|(step, bore)| {
            let phase = TAU * (step as f64 / steps.max(1) as f64 + 0.25 * f64::from(bore));
            let play = [rng.range(-0.01, 0.01), rng.range(-0.01, 0.01)];
            let place = [f64::from(bore) * BORE_SPACING + play[0], play[1], 0.45 * phase.sin()];
            CasePose::of_a(axis_angle_to_rows([0.0, 0.0, 1.0], 0.0), place)
        })
        .collect();
    Case {
        name: format!("engine-{cylinders}x{sides}"),
        note: "pistons in an engine block".into(),
        order: Order::Path,
        a: shapes::piston(0.49, sides),
        b: shapes::engine_block(cylinders, sides, fins),
        poses,
    }
}

/// A falling chain of ten interlocked rings of `2 * around * across` triangles each: the 45 pairs
/// of every step.
pub fn falling_rings(around: u32, across: u32, steps: usize, seed: u64) -> Case {
    const RINGS: usize = 10;
    let mut rng = Rng::new(seed);
    let swings: Vec<[f64; 6]> = (0..RINGS).map(|_| [(); 6].map(|()| rng.range(0.0, TAU))).collect();
    let mut poses = Vec::with_capacity(steps * RINGS * (RINGS - 1) / 2);
    for step in 0..steps {
        let time = step as f64 / steps.max(1) as f64;
        let ring = |index: usize| {
            let swing = |part: usize, size: f64| size * (TAU * 3.0 * time + swings[index][part]).sin();
            // Neighbours hang across each other.
            let upright = axis_angle_to_rows([1.0, 0.0, 0.0], 0.25 * TAU);
            let turned = axis_angle_to_rows([0.0, 0.0, 1.0], (index % 2) as f64 * 0.25 * TAU + swing(0, 0.5));
            let tilted = axis_angle_to_rows([0.6, 0.8, 0.0], swing(1, 0.3));
            let place = [swing(2, 0.12), swing(3, 0.12), -1.5 * index as f64 - 4.9 * time * time + swing(4, 0.12)];
            (multiplied(&tilted, &multiplied(&turned, &upright)), place)
        };
        for i in 0..RINGS {
            for j in i + 1..RINGS {
                let ((r_a, t_a), (r_b, t_b)) = (ring(i), ring(j));
                poses.push(CasePose { r_a, t_a, r_b, t_b });
            }
        }
    }
    let ring = shapes::torus(around, across, 1.0, 0.12);
    Case {
        name: format!("rings-{around}x{across}"),
        note: "a falling chain of ten rings, all pairs".into(),
        order: Order::Random,
        a: ring.clone(),
        b: ring,
        poses,
    }
}

/// Planning the path of a wrinkled torus of about `torus` triangles in a cave of about `cave`:
/// `probes` random placements, and a path of `steps`.
pub fn planning(
    (torus, cave): (usize, usize),
    (probes, steps): (usize, usize),
    seed: u64,
    collision: impl for<'m> FnOnce(&'m Soup, &'m Soup) -> Collision<'m>,
) -> [Case; 2] {
    let across = ((torus as f64 / 4.0).sqrt().round() as u32).max(3);
    let a = shapes::wrinkled_torus(2 * across, across, seed).scaled(0.5);
    let b = shapes::cave(cave, seed);
    let mut rng = Rng::new(seed ^ 6);
    let random = (0..probes)
        .map(|_| {
            let place = [rng.range(-9.0, 9.0), rng.range(-9.0, 9.0), rng.range(-2.0, 2.0)];
            CasePose::of_a(rng.rotation(), place)
        })
        .collect();
    let settings = Billiard {
        seed: seed ^ 7,
        steps,
        step_length: 0.05,
        step_angle: 0.02,
        room: ([-9.0, -9.0, -2.0], [9.0, 9.0, 2.0]),
        start: [0.0; 3],
    };
    let path = billiard_path(&settings, &mut *collision(&a, &b));
    let case = |what: &str, order, poses| Case {
        name: format!("planning-{what}"),
        note: format!("a wrinkled torus in a cave: {what}"),
        order,
        a: a.clone(),
        b: b.clone(),
        poses,
    };
    [case("probes", Order::Random, random), case("path", Order::Path, path)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_the_papers() {
        let case = falling_rings(16, 8, 2, 1);
        assert_eq!((case.a.len(), case.poses.len()), (256, 90));
    }
}
