//! Core distances against an oracle that knows the cores only by their support maps.
//!
//! The contract suite meets cores as meshes make them. Here they are drawn to be awkward: parallel,
//! coplanar, crossing, touching, without length, nearly parallel, far smaller than their distance.
//! Lower bounds are checked to rounding, not to the slack.

use super::rectangle_distance::{rectangle_rectangle, rectangles_apart};
use super::segment_distance::segment_segment;
use super::segment_rectangle_distance::segment_rectangle;
use super::{Rectangle, Segment};
use glam::{DMat3, DVec2, DVec3};
use nearhit_testkit::convex::{Bounds, convex_distance};
use nearhit_testkit::rng::Rng;

const CASES: usize = 20_000;

/// Side lengths, with those that make a point, a segment, a needle and a speck.
fn half_length(rng: &mut Rng) -> f64 {
    *rng.choice(&[0.0, 1.0, 1.0, 0.5, 1e-3, 1e-9, 2.0]) * rng.choice(&[1.0, 1.0, 0.83])
}

/// Turned at random, by quarters, by a hair, or within its plane.
fn axes(rng: &mut Rng) -> DMat3 {
    let random = |rng: &mut Rng| DMat3::from_cols_array_2d(&rng.rotation()).transpose();
    match rng.below(6) {
        0 => DMat3::IDENTITY,
        1 => DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X),
        2 => DMat3::from_rotation_z(rng.range(-3.0, 3.0)),
        3 => {
            let hair = *rng.choice(&[1e-5, 1e-8, 1e-12, 1e-15]);
            DMat3::from_axis_angle(rng.unit_vector().into(), hair)
        }
        _ => random(rng),
    }
}

/// In steps of a quarter, so that sides meet, line up and cross; or anywhere.
fn center(rng: &mut Rng) -> DVec3 {
    if rng.chance(0.5) {
        DVec3::from_array([(); 3].map(|()| rng.integer(-6, 6) as f64 * 0.25))
    } else {
        DVec3::from_array(rng.point(-2.0, 2.0)) * *rng.choice(&[1.0, 1.0, 0.1, 1e-6])
    }
}

fn rectangle(rng: &mut Rng) -> Rectangle {
    let half_lengths = DVec2::new(half_length(rng), half_length(rng));
    Rectangle { center: center(rng), axes: axes(rng), half_lengths }
}

fn segment(rng: &mut Rng) -> Segment {
    Segment { center: center(rng), axis: axes(rng).x_axis, half_length: half_length(rng) }
}

fn of_rectangle(core: Rectangle) -> impl Fn([f64; 3]) -> [f64; 3] {
    move |direction| {
        let local = core.axes.transpose() * DVec3::from_array(direction);
        let corner = DVec3::new(core.half_lengths.x.copysign(local.x), core.half_lengths.y.copysign(local.y), 0.0);
        (core.center + core.axes * corner).to_array()
    }
}

fn of_segment(core: Segment) -> impl Fn([f64; 3]) -> [f64; 3] {
    move |direction| {
        let along = core.half_length.copysign(core.axis.dot(DVec3::from_array(direction)));
        (core.center + core.axis * along).to_array()
    }
}

/// Sometimes where `a` would have to be for its point `of_a` to lie on b's point `of_b`.
fn perhaps_touching(rng: &mut Rng, center_a: DVec3, of_a: DVec3, of_b: DVec3) -> DVec3 {
    if rng.chance(0.2) { center_a + (of_b - of_a) } else { center_a }
}

/// An end, the middle, or anywhere between.
fn share(rng: &mut Rng) -> f64 {
    *rng.choice(&[-1.0, 0.0, 1.0, 0.25, 0.7, -0.3])
}

fn on_segment(rng: &mut Rng, core: &Segment) -> DVec3 {
    core.center + core.axis * (core.half_length * share(rng))
}

fn on_rectangle(rng: &mut Rng, core: &Rectangle) -> DVec3 {
    let place = core.half_lengths * DVec2::new(share(rng), share(rng));
    core.center + core.axes * place.extend(0.0)
}

/// Counts, so that a suite can say what it was about.
#[derive(Debug, Default)]
struct Seen {
    apart: usize,
    touching: usize,
}

impl Seen {
    /// Never above the distance, but for a few units of rounding at coordinates of a few units; and
    /// equal to it, but for the 64 units at which a gap is accepted.
    fn check(&mut self, found: f64, truth: Bounds, case: &dyn std::fmt::Debug) {
        let (rounding, accepted) = (1e-14, 1e-13);
        assert!(found >= 0.0 && found <= truth.upper + rounding, "{found:e} is above {truth:?}\n{case:?}");
        assert!(found >= truth.lower * (1.0 - 1e-10) - accepted, "{found:e} is below {truth:?}\n{case:?}");
        *(if truth.overlap { &mut self.touching } else { &mut self.apart }) += 1;
    }

    fn assert_representative(&self) {
        let total = (self.apart + self.touching) as f64;
        assert!(self.apart as f64 > 0.3 * total && self.touching as f64 > 0.1 * total, "{self:?}");
    }
}

#[test]
fn rectangles() {
    let (mut rng, mut seen) = (Rng::new(71), Seen::default());
    for _ in 0..CASES {
        let (mut a, b) = (rectangle(&mut rng), rectangle(&mut rng));
        let (of_a, of_b) = (on_rectangle(&mut rng, &a), on_rectangle(&mut rng, &b));
        a.center = perhaps_touching(&mut rng, a.center, of_a, of_b);
        let truth = convex_distance(of_rectangle(a), of_rectangle(b), 1e-12);
        let found = rectangle_rectangle(&a, &b);
        seen.check(found, truth, &(a, b));
        let back = rectangle_rectangle(&b, &a);
        assert!((found - back).abs() <= 1e-10 * found + 1e-13, "{found:e} {back:e}: {a:?} {b:?}");
        for radii in [0.0, 0.5 * found, found * (1.0 - 1e-9), found, 2.0 * found] {
            assert!(rectangles_apart(&a, &b, radii) || found <= radii, "{radii} {a:?} {b:?}");
            assert!(!rectangles_apart(&a, &b, radii + 1e-14) || found > radii, "{radii} {a:?} {b:?}");
        }
    }
    seen.assert_representative();
}

/// Ways so short that their squares vanish must not be divided by.
#[test]
fn touching_by_less_than_any_square() {
    for height in [0.0, 1e-150, 1e-165, 1e-200, 1e-310] {
        let plate = |center: DVec3, axes: DMat3| Rectangle { center, axes, half_lengths: DVec2::ONE };
        let b = plate(DVec3::ZERO, DMat3::IDENTITY);
        for axes in [DMat3::IDENTITY, DMat3::from_rotation_x(1.0), DMat3::from_rotation_z(0.3)] {
            for x in [0.0, 1e-17, 1.0, 2.0] {
                let a = plate(DVec3::new(x, 1e-18, height), axes);
                let line = Segment { center: a.center, axis: axes.y_axis, half_length: 1.0 };
                let side = Segment { center: DVec3::X, axis: DVec3::Y, half_length: 1.0 };
                assert!(rectangle_rectangle(&a, &b) < 1e-15, "{a:?}");
                assert!(segment_rectangle(&line, &b) <= (x - 1.0).max(0.0) + 1e-15, "{line:?}");
                assert!(segment_segment(&line, &side) <= (x - 1.0).abs() + 1e-15, "{line:?}");
            }
        }
    }
}

#[test]
fn segments_and_rectangles() {
    let (mut rng, mut seen) = (Rng::new(72), Seen::default());
    for _ in 0..CASES {
        let (mut a, b) = (segment(&mut rng), rectangle(&mut rng));
        let (of_a, of_b) = (on_segment(&mut rng, &a), on_rectangle(&mut rng, &b));
        a.center = perhaps_touching(&mut rng, a.center, of_a, of_b);
        let truth = convex_distance(of_segment(a), of_rectangle(b), 1e-12);
        seen.check(segment_rectangle(&a, &b), truth, &(a, b));
    }
    seen.assert_representative();
}

#[test]
fn segments() {
    let (mut rng, mut seen) = (Rng::new(73), Seen::default());
    for _ in 0..CASES {
        let (mut a, b) = (segment(&mut rng), segment(&mut rng));
        let (of_a, of_b) = (on_segment(&mut rng, &a), on_segment(&mut rng, &b));
        a.center = perhaps_touching(&mut rng, a.center, of_a, of_b);
        let truth = convex_distance(of_segment(a), of_segment(b), 1e-12);
        seen.check(segment_segment(&a, &b), truth, &(a, b));
    }
    seen.assert_representative();
}

/// The same pair at any size: the distances scale with it until they vanish among the denormals.
#[test]
fn sizes_from_the_largest_to_the_least() {
    let mut rng = Rng::new(74);
    for _ in 0..2000 {
        let (a, b, line) = (rectangle(&mut rng), rectangle(&mut rng), segment(&mut rng));
        let unit = [rectangle_rectangle(&a, &b), segment_rectangle(&line, &b), segment_segment(&line, &line_of(&b))];
        for power in [-1060, -1020, -800, -340, 340, 500, 800, 990] {
            let size = 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
            let large = |r: Rectangle| Rectangle { center: r.center * size, half_lengths: r.half_lengths * size, ..r };
            let long = |s: Segment| Segment { center: s.center * size, half_length: s.half_length * size, ..s };
            let (a, b, line) = (large(a), large(b), long(line));
            let found =
                [rectangle_rectangle(&a, &b), segment_rectangle(&line, &b), segment_segment(&line, &line_of(&b))];
            for (found, unit) in found.into_iter().zip(unit) {
                let rounding = 1e-13 * size + 1e3 * f64::MIN_POSITIVE;
                assert!((found - unit * size).abs() <= rounding, "2^{power}: {found:e} {unit:e}\n{a:?} {b:?}");
            }
        }
    }
}

fn line_of(b: &Rectangle) -> Segment {
    Segment { center: b.center, axis: b.axes.x_axis, half_length: b.half_lengths.x }
}
