//! The fourth benchmark of §7.2: a chain of ten rings that falls, as a dynamics simulator has it.
//!
//! Rings are rigid bodies with the inertia of a ball, linked one in the next, that fall to a floor.
//! A ring is a tube about a circle of sampled points; where two tubes or a tube and the floor meet,
//! an impulse along the line between takes away most of the speed of approach, and what overlaps is
//! moved apart. Crude, but every ring hangs on and bounces off the others.

use super::benchmarks::Benchmark;
use glam::{DMat3, DQuat, DVec3};
use nearhit::Pose;
use nearhit_cases::generated;
use nearhit_testkit::shapes::torus;
use std::f64::consts::{FRAC_PI_2, TAU};

const RINGS: usize = 10;
/// Of the circle, and of the tube.
const RADIUS: f64 = 1.0;
const TUBE: f64 = 0.2;
/// Points on a circle.
const POINTS: usize = 32;
const STEP: f64 = 1.0 / 480.0;
/// Steps of the simulator between two that are asked about.
const BETWEEN: usize = 12;
const RESTITUTION: f64 = 0.3;
/// Of a ball of mass 1.
const INERTIA: f64 = 0.4 * RADIUS * RADIUS;

#[derive(Debug, Clone, Copy)]
struct Ring {
    center: DVec3,
    turn: DQuat,
    velocity: DVec3,
    spin: DVec3,
}

impl Ring {
    /// Every second one is turned by a right angle about the chain.
    fn linked(number: usize) -> Self {
        let turn = DQuat::from_rotation_z(if number.is_multiple_of(2) { 0.1 } else { FRAC_PI_2 })
            * DQuat::from_rotation_x(FRAC_PI_2);
        let center = DVec3::new(0.03 * (number % 3) as f64, 0.0, 2.0 + 1.4 * RADIUS * number as f64);
        Self { center, turn, velocity: DVec3::ZERO, spin: DVec3::new(0.2, 0.1 * number as f64, 0.3) }
    }

    fn circle(&self) -> [DVec3; POINTS] {
        std::array::from_fn(|index| {
            let (sine, cosine) = (TAU * index as f64 / POINTS as f64).sin_cos();
            self.center + self.turn * (DVec3::new(cosine, sine, 0.0) * RADIUS)
        })
    }

    fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(point - self.center)
    }

    fn push(&mut self, point: DVec3, impulse: DVec3) {
        self.velocity += impulse;
        self.spin += (point - self.center).cross(impulse) / INERTIA;
    }

    /// How much an impulse along a direction at a point changes the speed there.
    fn yields(&self, point: DVec3, along: DVec3) -> f64 {
        1.0 + (point - self.center).cross(along).length_squared() / INERTIA
    }
}

/// The nearest points of two circles.
fn nearest(a: &[DVec3; POINTS], b: &[DVec3; POINTS]) -> (DVec3, DVec3) {
    let pairs = a.iter().flat_map(|p| b.iter().map(move |q| (*p, *q)));
    pairs.min_by(|(p, q), (r, s)| p.distance_squared(*q).total_cmp(&r.distance_squared(*s))).unwrap_or_default()
}

fn advance(rings: &mut [Ring; RINGS]) {
    for ring in rings.iter_mut() {
        ring.velocity -= DVec3::Z * 9.81 * STEP;
        ring.center += ring.velocity * STEP;
        ring.turn = (DQuat::from_scaled_axis(ring.spin * STEP) * ring.turn).normalize();
        ring.spin *= 0.999;
    }
    let circles = rings.map(|ring| ring.circle());
    for i in 0..RINGS {
        for j in i + 1..RINGS {
            if rings[i].center.distance(rings[j].center) > 2.0 * (RADIUS + TUBE) {
                continue;
            }
            let (p, q) = nearest(&circles[i], &circles[j]);
            let overlap = 2.0 * TUBE - p.distance(q);
            let Some(along) = (p - q).try_normalize() else { continue };
            if overlap > 0.0 {
                let speed = (rings[i].velocity_at(p) - rings[j].velocity_at(q)).dot(along);
                let impulse =
                    (-(1.0 + RESTITUTION) * speed).max(0.0) / (rings[i].yields(p, along) + rings[j].yields(q, along));
                rings[i].push(p, along * impulse);
                rings[j].push(q, -along * impulse);
                rings[i].center += along * (0.3 * overlap);
                rings[j].center -= along * (0.3 * overlap);
            }
        }
    }
    for (ring, circle) in rings.iter_mut().zip(&circles) {
        let lowest = circle.iter().copied().min_by(|p, q| p.z.total_cmp(&q.z)).unwrap_or_default();
        let overlap = TUBE - lowest.z;
        if overlap > 0.0 {
            let speed = ring.velocity_at(lowest).z;
            let impulse = (-(1.0 + RESTITUTION) * speed).max(0.0) / ring.yields(lowest, DVec3::Z);
            ring.push(lowest, DVec3::Z * impulse);
            ring.center.z += 0.5 * overlap;
        }
    }
}

/// All 45 pairs at every step that is asked about.
pub(super) fn benchmark(steps: usize) -> Benchmark {
    let mut rings: [Ring; RINGS] = std::array::from_fn(Ring::linked);
    let mut poses = Vec::new();
    for _ in 0..steps {
        (0..BETWEEN).for_each(|_| advance(&mut rings));
        let placed = rings.map(|ring| {
            let rows = DMat3::from_quat(ring.turn).transpose().to_cols_array_2d();
            Pose::from_rows(rows, ring.center.to_array()).expect("a rotation")
        });
        for i in 0..RINGS {
            poses.extend((i + 1..RINGS).map(|j| Pose::a_from_b(&placed[i], &placed[j])));
        }
    }
    let mesh = generated::mesh(&torus(16, 8, RADIUS, TUBE));
    let what = format!(
        "a chain of ten rings of 256 triangles that falls to a floor, simulated ({steps} steps, {} queries)",
        poses.len()
    );
    Benchmark { name: "Dynamics simulation", what, column: 3, a: mesh.clone(), b: mesh, poses }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They fall, hang together, stay above the floor, and slow down in the end.
    #[test]
    fn a_chain_falls_and_comes_to_rest() {
        let mut rings: [Ring; RINGS] = std::array::from_fn(Ring::linked);
        let top = rings[RINGS - 1].center.z;
        let mut fastest = 0.0_f64;
        for _ in 0..4_800 {
            advance(&mut rings);
            fastest = rings.iter().map(|ring| ring.velocity.length()).fold(fastest, f64::max);
        }
        assert!(rings[RINGS - 1].center.z < top - 3.0, "{rings:?}");
        assert!(rings.iter().all(|ring| ring.center.z > 0.5 * TUBE && ring.center.is_finite()), "{rings:?}");
        let linked = rings.windows(2).filter(|two| two[0].center.distance(two[1].center) < 2.2 * RADIUS).count();
        assert!(linked >= 8, "{linked}");
        assert!(fastest > 3.0 && rings.iter().all(|ring| ring.velocity.length() < 0.5 * fastest), "{fastest}");
    }

    #[test]
    fn there_are_45_pairs_a_step() {
        let benchmark = benchmark(3);
        assert_eq!((benchmark.poses.len(), benchmark.a.triangles().len()), (135, 256));
    }
}
