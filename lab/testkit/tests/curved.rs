//! The certified distance of curved solids, against closed forms and against polytopes inside and
//! around them.

// In a test a failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use nearhit_testkit::convex::{
    BITS, Certified, Core, Frame, Solid, distance_bracket, exact_distance, exact_double, pair_size, reach,
    sample_inside, support_by_sampling,
};
use nearhit_testkit::pose::{IDENTITY, Rows, pose_point, transposed};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shape_pairs::{Family, Kind, Shape, pair, pairs};
use nearhit_testkit::vector::{along, cross, dot, length, subtract};
use nearhit_testkit::{Point, shapes};

fn posed(shape: &Shape, translation: Point) -> Solid {
    shape.posed(&IDENTITY, &translation)
}

fn cylinder(radius: f64, half_height: f64) -> Shape {
    Shape::Cylinder { radius, half_height, margin: 0.0 }
}

fn cone(radius: f64, half_height: f64) -> Shape {
    Shape::Cone { bottom_radius: radius, top_radius: 0.0, half_height, margin: 0.0 }
}

fn point(at: Point) -> Solid {
    Solid { core: Core::Points(vec![at]), margin: 0.0 }
}

/// The bounds hold the value and are 1e-25 of the size apart, also when the solids change places.
fn check(a: &Solid, b: &Solid, truth: f64) {
    for (a, b) in [(a, b), (b, a)] {
        let found = distance_bracket(a, b, BITS);
        let truth = exact_double(truth);
        assert!(found.lower <= truth && truth <= found.upper, "{truth} is not in {:?}: {a:?} {b:?}", found.doubles());
        narrow(&found, a, b);
    }
}

fn narrow(found: &Certified, a: &Solid, b: &Solid) {
    let size = pair_size(a, b).max(found.doubles()[1]);
    assert!(found.width() <= exact_double(size) * exact_double(1e-25), "{:?} is wide: {a:?} {b:?}", found.doubles());
}

#[test]
fn balls_and_ellipsoids() {
    let ball = Shape::Ellipsoid { radii: [1.5; 3] };
    check(&ball.solid(), &point([2.0, 3.0, 6.0]), 5.5);
    check(&ball.solid(), &posed(&ball, [2.0, 3.0, 6.0]), 4.0);
    check(&ball.solid(), &posed(&Shape::Ball { radius: 2.0 }, [-2.0, 3.0, -6.0]), 3.5);
    check(&ball.solid(), &posed(&Shape::Ball { radius: 5.5 }, [2.0, 3.0, 6.0]), 0.0);
    let ellipsoid = Shape::Ellipsoid { radii: [3.0, 0.5, 0.125] };
    check(&ellipsoid.solid(), &point([7.0, 0.0, 0.0]), 4.0);
    check(&ellipsoid.solid(), &point([0.0, -7.0, 0.0]), 6.5);
    check(&ellipsoid.solid(), &posed(&ellipsoid, [0.0, 0.0, 1.0]), 0.75);
    check(&ellipsoid.solid(), &point([0.0; 3]), 0.0);
    // The ellipsoid reaches down to 3x + 4y = -20, the half-space up to -35, in fifths.
    let half_space = Solid { core: Core::HalfSpace { normal: [3.0, 4.0, 0.0], offset: -35.0 }, margin: 0.5 };
    check(&Shape::Ellipsoid { radii: [4.0, 4.0, 1.0] }.solid(), &half_space, 2.5);
}

#[test]
fn cylinders() {
    let thick = cylinder(2.0, 3.0);
    check(&thick.solid(), &posed(&cylinder(1.0, 5.0), [3.0, 4.0, 1.0]), 2.0);
    check(&thick.solid(), &posed(&cylinder(1.0, 5.0), [0.5, 0.25, 9.0]), 1.0);
    check(&thick.solid(), &posed(&cylinder(1.0, 5.0), [0.0, 3.0, 1.0]), 0.0);
    // Rim to point, and rim to rim: 3, 4, 5.
    check(&thick.solid(), &point([5.0, 0.0, 7.0]), 5.0);
    check(&thick.solid(), &posed(&cylinder(1.0, 1.0), [6.0, 0.0, 8.0]), 5.0);
    // Axes across each other.
    let across = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    check(&thick.solid(), &cylinder(1.5, 4.0).posed(&across, &[0.5, 5.0, 0.25]), 1.5);
    // A disc over a disc, a disc on its edge over a disc.
    check(&cylinder(2.0, 0.0).solid(), &posed(&cylinder(1.0, 0.0), [0.5, 0.5, 0.75]), 0.75);
    check(&cylinder(2.0, 0.0).solid(), &cylinder(1.0, 0.0).posed(&across, &[0.0, 0.5, 3.0]), 2.0);
}

#[test]
fn cones() {
    // The tip is at z = 2, the side falls by 4 over 3.
    let cone = cone(3.0, 2.0);
    check(&cone.solid(), &point([0.0, 0.0, 5.0]), 3.0);
    check(&cone.solid(), &point([1.5 + 4.0, 0.0, 3.0]), 5.0);
    check(&cone.solid(), &point([1.0, 1.0, -4.5]), 2.5);
    check(&cone.solid(), &point([6.0, 0.0, -6.0]), 5.0);
    let floor = Solid { core: Core::HalfSpace { normal: [0.0, 0.0, 2.0], offset: -9.0 }, margin: 0.0 };
    let upside_down = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];
    check(&cone.posed(&upside_down, &[0.5, 0.5, 0.0]), &floor, 2.5);
    check(&cone.posed(&upside_down, &[0.0, 0.0, 6.0]), &cone.solid(), 2.0);
    let bucket = Shape::Cone { bottom_radius: 1.0, top_radius: 4.0, half_height: 2.0, margin: 0.5 };
    check(&bucket.solid(), &point([2.5 + 4.0, 0.0, -3.0]), 4.5);
    check(&bucket.solid(), &posed(&bucket, [0.0, 3.0, 7.0]), 2.0);
}

/// The bounds are narrow for all families and kinds, and agree when the solids change places.
#[test]
fn all_kinds_and_families() {
    let (mut apart, mut together) = (0, 0);
    for pair in pairs(91, &Kind::ALL).take(11 * 196 * 2) {
        let [a, b] = pair.solids();
        let found = distance_bracket(&a, &b, BITS);
        narrow(&found, &a, &b);
        let back = distance_bracket(&b, &a, BITS);
        assert!(found.lower <= back.upper && back.lower <= found.upper, "{pair:?}");
        *(if found.doubles()[0] > 0.0 { &mut apart } else { &mut together }) += 1;
    }
    assert!(apart > 1000 && together > 1000, "{apart} {together}");
}

#[test]
fn no_samples_are_nearer() {
    let mut rng = Rng::new(92);
    for (round, pair) in pairs(93, &Kind::ALL).filter(|pair| ordinary(pair.family)).take(1500).enumerate() {
        let [a, b] = pair.solids();
        let [lower, _] = distance_bracket(&a, &b, BITS).doubles();
        let rounding = 1e-14 * (pair_size(&a, &b) + a.margin + b.margin + length(pair.translation) + 10.0);
        for _ in 0..20 {
            let (p, q) = (sample_inside(&a, &mut rng), sample_inside(&b, &mut rng));
            assert!(length(subtract(p, q)) >= lower - rounding, "round {round}: {pair:?}");
        }
    }
}

fn ordinary(family: Family) -> bool {
    !matches!(family, Family::MixedSizes | Family::Decades | Family::FarAway)
}

#[test]
fn reach_is_met_by_samples() {
    let mut rng = Rng::new(94);
    for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::HalfSpace) {
        for _ in 0..30 {
            let shape = Shape::random(kind, nearhit_testkit::shape_pairs::Sizes::Ordinary, &mut rng);
            let solid = shape.posed(&rng.rotation(), &rng.point(-2.0, 2.0));
            let direction = rng.unit_vector();
            let [low, high] = reach(&solid, direction.map(|x| 3.0 * x)).unwrap().doubles();
            assert!(high - low <= 1e-14, "{low} {high} {solid:?}");
            let sampled = support_by_sampling(&solid, direction, 2000, &mut rng);
            assert!(sampled <= high + 1e-14 && sampled >= low - 0.7, "{sampled} {high} {solid:?}");
        }
    }
}

/// Corners of a prism inside the cylinder or cone, and of one around it.
fn prisms(bottom: f64, top: f64, half_height: f64, sides: usize) -> [Vec<Point>; 2] {
    let corners = |factor: f64| {
        let mut corners = Vec::new();
        for side in 0..sides {
            let (sine, cosine) = (side as f64 / sides as f64 * std::f64::consts::TAU).sin_cos();
            for (radius, height) in [(bottom, -half_height), (top, half_height)] {
                corners.push([cosine * radius * factor, sine * radius * factor, height]);
            }
        }
        corners
    };
    let around = (1.0 + 1e-12) / (std::f64::consts::PI / sides as f64).cos();
    [corners(1.0 - 1e-12), corners(around)]
}

/// Corners of a polytope inside the ellipsoid, and of one around it.
fn polyhedra(radii: Point) -> [Vec<Point>; 2] {
    let ball = shapes::icosphere(2);
    let apothem = (0..ball.triangles.len())
        .map(|index| {
            let [p, q, r] = ball.triangle(index);
            let normal = cross(subtract(q, p), subtract(r, p));
            dot(normal, p).abs() / length(normal)
        })
        .fold(1.0, f64::min);
    let scaled = |factor: f64| -> Vec<Point> {
        let stretch = |p: &Point| std::array::from_fn(|axis| p[axis] / length(*p) * radii[axis] * factor);
        ball.vertices.iter().map(stretch).collect()
    };
    [scaled(1.0 - 1e-12), scaled((1.0 + 1e-12) / apothem)]
}

fn polytopes(shape: &Shape, rotation: &Rows, translation: &Point) -> [Vec<Point>; 2] {
    let local = match *shape {
        Shape::Cylinder { radius, half_height, .. } => prisms(radius, radius, half_height, 24),
        Shape::Cone { bottom_radius, top_radius, half_height, .. } => {
            prisms(bottom_radius, top_radius, half_height, 24)
        }
        Shape::Ellipsoid { radii } => polyhedra(radii),
        _ => [shape.corners(), shape.corners()],
    };
    local.map(|corners| corners.into_iter().map(|corner| pose_point(rotation, translation, corner)).collect())
}

/// Polytopes inside are never nearer, those around never farther, but for their rounding.
#[test]
fn between_polytopes_inside_and_around() {
    let mut rng = Rng::new(95);
    let curved = [Kind::Cylinder, Kind::Cone, Kind::TruncatedCone, Kind::Ellipsoid];
    let kinds = [Kind::Box, Kind::Triangle, Kind::Cylinder, Kind::Cone, Kind::TruncatedCone, Kind::Ellipsoid];
    let mut apart = 0;
    for round in 0..240 {
        let made = pair(curved[round % 4], kinds[round / 4 % 6], Family::Random, &mut rng);
        let shift = along(made.translation, made.translation, rng.range(0.0, 1.0));
        let (a, b) = (made.a.solid(), made.b.posed(&made.rotation, &shift));
        let margins = a.margin + b.margin;
        let [lower, upper] = distance_bracket(&a, &b, BITS).doubles();
        let inside = [polytopes(&made.a, &IDENTITY, &[0.0; 3]), polytopes(&made.b, &made.rotation, &shift)];
        let [[a_in, a_out], [b_in, b_out]] = inside;
        let most = (exact_distance(&a_in, &b_in).high - margins).max(0.0);
        let least = (exact_distance(&a_out, &b_out).low - margins).max(0.0);
        assert!(least <= upper + 1e-13 && lower <= most + 1e-13, "{least} {lower} {upper} {most} {made:?}");
        assert!(most - least <= 0.15, "{least} {most}");
        apart += usize::from(lower > 0.0);
    }
    assert!(apart > 60, "{apart}");
}

/// A frame that is no rotation: the ball's image is an ellipsoid, whatever the order of the axes.
#[test]
fn frames_are_used_as_they_are() {
    let mut rng = Rng::new(96);
    for _ in 0..50 {
        let rows = rng.rotation();
        let columns = transposed(&rows);
        let center = rng.point(-1.0, 1.0);
        let radii = [0.5, 1.0, 2.0];
        let frame = Frame { center, axes: columns };
        let turned = Frame { center, axes: [columns[2], columns[0], columns[1]] };
        let solids = [
            Solid { core: Core::Ellipsoid { frame, radii }, margin: 0.0 },
            Solid { core: Core::Ellipsoid { frame: turned, radii: [2.0, 0.5, 1.0] }, margin: 0.0 },
        ];
        let probe = point(rng.point(2.0, 4.0));
        let [first, second] = solids.map(|solid| distance_bracket(&solid, &probe, BITS));
        assert!(first.lower <= second.upper && second.lower <= first.upper);
        assert!(first.lower > exact_double(0.0));
    }
}
