//! The canonical triangle distance against exact rational arithmetic.

use glam::DVec3;
use nearhit::Triangle;
use nearhit::research::primitive::distance::{ERROR_ULPS, Nearest, distance, distance_within, error_bound};
use nearhit::research::primitive::intersect::intersects;
use nearhit_testkit::adversarial::{Kind, pair};
use nearhit_testkit::exact::{Bracket, square_root, squared_distance};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Point, Tri};
use std::collections::BTreeMap;

fn corners(triangle: &Tri) -> Triangle {
    triangle.map(DVec3::from_array)
}

fn size(a: &Tri, b: &Tri) -> f64 {
    a.iter().chain(b).flatten().fold(0.0, |most, x| most.max(x.abs()))
}

fn exact(a: &Tri, b: &Tri) -> Bracket {
    square_root(&squared_distance(a, b))
}

fn pairs_to_try(short: usize) -> usize {
    if std::env::var_os("NEARHIT_LONG").is_some() { 20 * short } else { short }
}

/// How far `value` is from the truth, in ulps of the size. Among denormals one denormal is free.
fn error_ulps(value: f64, truth: Bracket, size: f64) -> f64 {
    let error = if truth.contains(value) { 0.0 } else { (value - truth.low).abs().max((value - truth.high).abs()) };
    if error <= 5e-324 { 0.0 } else { error / size / f64::EPSILON }
}

/// What one pair showed, in ulps of its size.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    made: u32,
    touching: u32,
    error: f64,
    off_triangle: f64,
    off_distance: f64,
}

impl Seen {
    fn merge(&mut self, other: Seen) {
        self.made += other.made;
        self.touching += other.touching;
        self.error = self.error.max(other.error);
        self.off_triangle = self.off_triangle.max(other.off_triangle);
        self.off_distance = self.off_distance.max(other.off_distance);
    }
}

/// Everything that must hold for a pair.
fn check(a: &Tri, b: &Tri, witnesses: bool) -> Seen {
    let (corners_a, corners_b, size) = (corners(a), corners(b), size(a, b));
    let found = distance(&corners_a, &corners_b);
    let story = || format!("{a:?} {b:?} {found:?}");
    let touches = intersects(&corners_a, &corners_b);
    assert_eq!(found.distance == 0.0, touches, "zero is contact and contact is zero: {}", story());
    assert!(found.distance >= 0.0 && found.distance.is_finite(), "{}", story());
    assert!(found.on_a.is_finite() && found.on_b.is_finite(), "{}", story());
    assert!(!touches || found.on_a == found.on_b, "{}", story());
    let truth = exact(a, b);
    let within_bound =
        truth.low - error_bound(size) <= found.distance && found.distance <= truth.high + error_bound(size);
    assert!(within_bound, "{truth:?} {}", story());
    let exchanged = distance(&corners_b, &corners_a);
    assert_eq!(exchanged.distance.to_bits(), found.distance.to_bits(), "exchanged: {}", story());
    check_limits(&corners_a, &corners_b, found);
    let error = error_ulps(found.distance, truth, size);
    let mut seen = Seen { made: 1, touching: u32::from(touches), error, ..Seen::default() };
    if witnesses {
        let off = |point: DVec3, triangle: &Tri| exact(&[point.to_array(); 3], triangle).high;
        let (on_a, on_b) = (found.on_a.to_array(), found.on_b.to_array());
        seen.off_triangle = off(found.on_a, a).max(off(found.on_b, b)).max(5e-324) / size.max(5e-324) / f64::EPSILON;
        let between = exact(&[on_a; 3], &[on_b; 3]);
        seen.off_distance = error_ulps(found.distance, between, size);
        // Each coordinate of a witness is rounded to a multiple of the smallest double, twice in a
        // combination.
        let rounded = error_bound(size) + 4.0 * 5e-324;
        assert!(off(found.on_a, a).max(off(found.on_b, b)) <= rounded, "witness off its triangle: {}", story());
        let tolerance = 4.0 * rounded;
        assert!((between.low - found.distance).abs() <= tolerance, "witnesses elsewhere: {}", story());
    }
    seen
}

/// A limit decides as the distance itself does, with the same bits.
fn check_limits(a: &Triangle, b: &Triangle, found: Nearest) {
    for limit in [found.distance, found.distance * 1.5, f64::INFINITY] {
        assert_eq!(distance_within(a, b, limit), Some(found), "{limit} {a:?} {b:?}");
    }
    for limit in [found.distance.next_down(), found.distance * 0.5 - 5e-324, -1.0, f64::NEG_INFINITY, f64::NAN] {
        assert_eq!(distance_within(a, b, limit), None, "{limit} {a:?} {b:?}");
    }
}

#[test]
fn adversarial_pairs_are_within_the_bound() {
    let mut rng = Rng::new(31);
    let mut kinds: BTreeMap<Kind, Seen> = BTreeMap::new();
    let count = pairs_to_try(50_000);
    for round in 0..count {
        let (a, b, kind) = pair(&mut rng);
        kinds.entry(kind).or_default().merge(check(&a, &b, round % 5 == 0));
    }
    println!("{kinds:#.3?}");
    assert_eq!(kinds.len(), Kind::ALL.len());
    let touching: u32 = kinds.values().map(|seen| seen.touching).sum();
    assert!((0.3..0.8).contains(&(f64::from(touching) / count as f64)), "{touching}");
    for (kind, seen) in kinds {
        assert!(seen.made as usize > count / 30, "{kind:?} {seen:?}");
        // Far below what is proven; more than this would be news.
        assert!(seen.error < 0.3 * ERROR_ULPS, "{kind:?} {seen:?}");
    }
}

/// A length of any order of magnitude from 1e-18 to 1.
fn any_scale(rng: &mut Rng) -> f64 {
    10f64.powf(rng.range(-18.0, 0.0))
}

/// Edges that cross at every angle down to nothing, at every distance; the rest of each triangle
/// leads away.
fn nearly_parallel_edges(rng: &mut Rng) -> (Tri, Tri) {
    let (angle, height) = (any_scale(rng), any_scale(rng));
    let (slide, cut) = (rng.range(-1.2, 1.2), rng.range(-0.2, 1.2));
    let a = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), -rng.f64()]];
    let along = |t: f64| -> Point { [slide + (t - cut), (t - cut) * angle, height] };
    (a, [along(0.0), along(1.0), [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), height + rng.f64()]])
}

/// A vertex above a face of every width, at every height.
fn vertex_above_sliver(rng: &mut Rng) -> (Tri, Tri) {
    let (width, height) = (any_scale(rng), any_scale(rng));
    let a = [[-1.0, 0.0, 0.0], [1.0, width * rng.f64(), 0.0], [rng.range(-1.0, 1.0), width, 0.0]];
    let vertex = [rng.range(-0.5, 0.5), width * rng.range(0.0, 0.6), height];
    let mut above = || -> Point { [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), height + rng.f64()] };
    (a, [vertex, above(), above()])
}

/// Two faces a hair apart that overlap like a box on a table.
fn faces_a_hair_apart(rng: &mut Rng) -> (Tri, Tri) {
    let height = any_scale(rng);
    let mut flat = |z: f64| -> Tri { std::array::from_fn(|_| [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), z]) };
    (flat(0.0), flat(height))
}

/// Turned, so that every coordinate is rounded, and put somewhere.
fn turned((a, b): (Tri, Tri), rng: &mut Rng) -> (Tri, Tri) {
    let rows = rng.rotation();
    let far = if rng.chance(0.5) { 0.0 } else { 10f64.powf(rng.range(-1.0, 6.0)) };
    let offset = rng.point(-far, far);
    let place = |point: Point| -> Point {
        std::array::from_fn(|row| (0..3).map(|axis| rows[row][axis] * point[axis]).sum::<f64>() + offset[row])
    };
    (a.map(place), b.map(place))
}

/// The usual formulas lose half their digits, or all, on these.
#[test]
fn badly_conditioned_pairs_are_within_the_bound() {
    type Maker = fn(&mut Rng) -> (Tri, Tri);
    let makers: [(&str, Maker); 3] =
        [("edges", nearly_parallel_edges), ("sliver", vertex_above_sliver), ("faces", faces_a_hair_apart)];
    for (name, make) in makers {
        let mut rng = Rng::new(32);
        let mut all = Seen::default();
        for round in 0..pairs_to_try(10_000) {
            let plain = make(&mut rng);
            let (a, b) = if rng.chance(0.5) { turned(plain, &mut rng) } else { plain };
            all.merge(check(&a, &b, round % 5 == 0));
        }
        println!("{name} {all:.3?}");
        assert!(all.error < 0.3 * ERROR_ULPS, "{name} {all:?}");
        assert!((all.touching as usize) < (all.made / 2) as usize, "{name} {all:?}");
    }
}

#[test]
fn every_order_of_corners_agrees_to_the_bound() {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let mut rng = Rng::new(33);
    for _ in 0..pairs_to_try(3_000) {
        let (a, b, kind) = pair(&mut rng);
        let (size, a, b) = (size(&a, &b), corners(&a), corners(&b));
        let values = ORDERS.map(|i| ORDERS.map(|j| distance(&i.map(|i| a[i]), &j.map(|j| b[j])).distance)).concat();
        let (least, most) = values.iter().fold((f64::MAX, 0.0_f64), |(low, high), x| (low.min(*x), high.max(*x)));
        assert!(most - least <= 2.0 * error_bound(size), "{kind:?} {a:?} {b:?} {values:?}");
        assert_eq!(least == 0.0, most == 0.0, "{kind:?} {a:?} {b:?} {values:?}");
    }
}

/// Scaling by a power of two scales the answer, at sizes where squares vanish or overflow.
#[test]
fn every_scale_is_alike() {
    let mut rng = Rng::new(34);
    for _ in 0..2_000 {
        let mut triangle = || -> Tri { std::array::from_fn(|_| rng.point(-1.0, 1.0)) };
        let (a, b) = (triangle(), triangle());
        let plain = distance(&corners(&a), &corners(&b)).distance;
        for exponent in [-900, -600, -180, -99, 99, 180, 600, 990] {
            let factor = 2f64.powi(exponent);
            let scaled = |triangle: &Tri| corners(&triangle.map(|point| point.map(|x| x * factor)));
            assert_eq!(distance(&scaled(&a), &scaled(&b)).distance, plain * factor, "{exponent} {a:?} {b:?}");
        }
    }
}
