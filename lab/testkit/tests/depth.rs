//! Penetration depth, against closed forms, against all separating axes, and by moving.

// In a test a failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use dashu_ratio::RBig;
use nearhit_testkit::Point;
use nearhit_testkit::convex::{
    Core, Solid, depth_bracket, distance_bracket, exact_double, exact_squared_depth, pair_size, touches,
};
use nearhit_testkit::exact::square_root;
use nearhit_testkit::pose::IDENTITY;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shape_pairs::{Family, Kind, Shape, pair, pairs};
use nearhit_testkit::vector::{along, length};

const BITS: usize = 40;

fn cuboid(half_extents: Point) -> Shape {
    Shape::Box { half_extents, margin: 0.0 }
}

/// The bounds hold the value, also when the solids change places.
fn check(a: &Shape, b: &Shape, translation: Point, truth: f64) {
    let (solid, other) = (a.solid(), b.posed(&IDENTITY, &translation));
    for (a, b) in [(&solid, &other), (&other, &solid)] {
        let found = depth_bracket(a, b, BITS).unwrap();
        let [lower, upper] = found.bounds.doubles();
        assert!(lower <= truth && truth <= upper, "{truth} is not in {lower} to {upper}: {a:?} {b:?}");
        assert!(upper - lower <= 1e-3 * pair_size(a, b) + 1e-15 * upper, "{lower} to {upper} is wide: {a:?} {b:?}");
    }
}

#[test]
fn closed_forms() {
    check(&cuboid([1.0, 2.0, 3.0]), &cuboid([1.0; 3]), [1.75, 0.5, 0.5], 0.25);
    check(&cuboid([1.0, 2.0, 3.0]), &cuboid([1.0; 3]), [0.0; 3], 2.0);
    check(&cuboid([1.0, 2.0, 3.0]), &cuboid([1.0; 3]), [2.0, 0.0, 0.0], 0.0);
    check(&cuboid([1.0, 2.0, 3.0]), &cuboid([1.0; 3]), [2.5, 0.0, 0.0], 0.0);
    let rounded = Shape::Box { half_extents: [1.0, 2.0, 3.0], margin: 0.5 };
    check(&rounded, &cuboid([1.0; 3]), [2.25, 0.0, 0.0], 0.25);
    check(&rounded, &cuboid([1.0; 3]), [1.75, 0.0, 0.0], 0.75);
    check(&rounded, &Shape::Ball { radius: 4.0 }, [4.0, 6.0, 0.0], 0.0);
    check(&rounded, &Shape::Ball { radius: 5.5 }, [4.0, 6.0, 0.0], 1.0);
    check(&Shape::Ball { radius: 2.0 }, &Shape::Ball { radius: 3.0 }, [0.0; 3], 5.0);
    check(&Shape::Ball { radius: 2.0 }, &Shape::Ball { radius: 3.0 }, [0.0, 3.0, 0.0], 2.0);
    let flat = Shape::Triangle { corners: [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], margin: 0.0 };
    check(&flat, &flat, [0.25, 0.0, 0.0], 0.0);
    let ellipsoid = Shape::Ellipsoid { radii: [3.0, 1.0, 2.0] };
    check(&ellipsoid, &Shape::Ball { radius: 0.5 }, [0.0; 3], 1.5);
    check(&ellipsoid, &ellipsoid, [0.0, 1.5, 0.0], 0.5);
    let cylinder = Shape::Cylinder { radius: 1.0, half_height: 4.0, margin: 0.0 };
    check(&cylinder, &cylinder, [1.0, 0.0, 0.0], 1.0);
    check(&cylinder, &cylinder, [0.0, 0.5, 7.75], 0.25);
    check(&cylinder, &Shape::Ball { radius: 0.0 }, [0.0, 0.75, 3.875], 0.125);
    // The side of the cone falls by 4 over 3, and its middle is 1.5 from the axis.
    let cone = Shape::Cone { bottom_radius: 3.0, top_radius: 0.0, half_height: 2.0, margin: 0.0 };
    check(&cone, &Shape::Ball { radius: 0.25 }, [1.5 - 0.4, 0.0, -0.3], 0.75);
    let floor = Shape::HalfSpace { normal: [0.0, 0.6, 0.8], offset: 1.0 };
    check(&Shape::Ball { radius: 0.5 }, &floor, [0.0; 3], 1.5);
    check(&Shape::Ball { radius: 0.5 }, &Shape::HalfSpace { normal: [0.0, 0.0, 1.0], offset: -0.25 }, [0.0; 3], 0.25);
    // Of any size: exact but for the length of the normal.
    let small = Shape::HalfSpace { normal: [0.0, 0.0, 1.0], offset: 0.25e-200 };
    check(&Shape::Ball { radius: 0.5e-200 }, &small, [0.0; 3], 0.75e-200);
    let ceiling = Shape::HalfSpace { normal: [0.0, 0.0, -4.0], offset: 3.0 };
    check(&ceiling, &Shape::HalfSpace { normal: [0.0, 0.0, 0.5], offset: 0.5 }, [0.0; 3], 1.75);
    assert!(depth_bracket(&floor.solid(), &ceiling.solid(), BITS).is_none());
}

type Exact = [RBig; 3];

fn exact(point: Point) -> Exact {
    point.map(exact_double)
}

fn minus(p: &Exact, q: &Exact) -> Exact {
    std::array::from_fn(|axis| &p[axis] - &q[axis])
}

fn product(p: &Exact, q: &Exact) -> RBig {
    (0..3).fold(RBig::ZERO, |sum, axis| sum + &p[axis] * &q[axis])
}

fn across(p: &Exact, q: &Exact) -> Exact {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        &p[next] * &q[last] - &p[last] * &q[next]
    })
}

/// The least overlap over all normals of planes through differences of corners: among them are
/// those of all faces of the Minkowski difference.
fn depth_by_axes(a: &[Point], b: &[Point]) -> RBig {
    let (a, b): (Vec<Exact>, Vec<Exact>) =
        (a.iter().copied().map(exact).collect(), b.iter().copied().map(exact).collect());
    let edges = |points: &[Exact]| -> Vec<Exact> {
        (0..points.len())
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| minus(&points[i], &points[j]))
            .collect()
    };
    let all: Vec<Exact> = edges(&a).into_iter().chain(edges(&b)).collect();
    let mut least: Option<RBig> = None;
    for (index, first) in all.iter().enumerate() {
        for second in &all[..index] {
            let normal = across(first, second);
            let square = product(&normal, &normal);
            if square.is_zero() {
                continue;
            }
            for normal in [normal.clone(), normal.map(|x| -x)] {
                let top = a.iter().map(|p| product(p, &normal)).max().unwrap();
                let bottom = b.iter().map(|p| product(p, &normal)).min().unwrap();
                let overlap = top - bottom;
                if overlap <= RBig::ZERO {
                    return RBig::ZERO;
                }
                let depth = &overlap * &overlap / &square;
                least = Some(least.map_or(depth.clone(), |least| least.min(depth)));
            }
        }
    }
    least.unwrap_or(RBig::ZERO)
}

#[test]
fn hulls_against_all_axes() {
    let mut rng = Rng::new(121);
    let mut deep = 0;
    for round in 0..120 {
        let mut points = |count: usize| -> Vec<Point> {
            (0..count)
                .map(|_| match round % 3 {
                    0 => rng.point(-1.0, 1.0),
                    _ => std::array::from_fn(|_| rng.integer(-2, 2) as f64),
                })
                .collect()
        };
        let (a, b) = (points(4 + round % 3), points(3 + round % 2));
        let found = exact_squared_depth(&a, &b);
        assert_eq!(found, depth_by_axes(&a, &b), "{a:?} {b:?}");
        assert_eq!(found, exact_squared_depth(&b, &a));
        deep += usize::from(!found.is_zero());
    }
    assert!(deep > 40, "{deep}");
}

fn moved(solid: &Solid, step: Point) -> Solid {
    let mut moved = solid.clone();
    match &mut moved.core {
        Core::Points(points) => points.iter_mut().for_each(|p| *p = along(*p, step, 1.0)),
        Core::Cylinder { frame, .. } | Core::Frustum { frame, .. } | Core::Ellipsoid { frame, .. } => {
            frame.center = along(frame.center, step, 1.0);
        }
        Core::HalfSpace { normal, offset } => *offset += (0..3).map(|axis| normal[axis] * step[axis]).sum::<f64>(),
    }
    moved
}

/// Moved a little farther than the upper bound, b is free of a; moved by less than the lower one in
/// any direction, it is not.
#[test]
fn moving_separates() {
    let mut rng = Rng::new(122);
    let families = [Family::Random, Family::Nested, Family::Concentric, Family::VertexToFace, Family::NearlyParallel];
    let (mut deep, mut wide) = (0, 0);
    for (index, family) in families.into_iter().enumerate() {
        for (a, b) in Kind::ALL.iter().flat_map(|&a| Kind::ALL.iter().map(move |&b| (a, b))).skip(index % 3).step_by(3)
        {
            let made = pair(a, b, family, &mut rng);
            let [a, b] = made.solids();
            let Some(found) = depth_bracket(&a, &b, BITS) else { continue };
            let [lower, upper] = found.bounds.doubles();
            let size = pair_size(&a, &b) + a.margin + b.margin + length(made.translation);
            wide += usize::from(upper - lower > 1e-9 * size);
            if upper <= 1e-9 * size {
                continue;
            }
            deep += 1;
            let hair = 1e-9 * size;
            let free = moved(&b, found.direction.map(|x| x * (upper + hair)));
            assert!(distance_bracket(&a, &free, 80).doubles()[0] > 0.0, "{made:?} {found:?}");
            for _ in 0..3 {
                let less = (lower - hair).max(0.0);
                let still = moved(&b, rng.unit_vector().map(|x| x * less));
                assert!(distance_bracket(&a, &still, 80).doubles()[0] <= 1e-12 * size, "{made:?} {found:?}");
            }
        }
    }
    assert!(deep > 150 && wide < 20, "{deep} {wide}");
}

/// Exactly where contact is exact: a depth above zero implies contact.
#[test]
fn depth_implies_contact_of_every_family() {
    let kinds = [Kind::Point, Kind::Segment, Kind::Box, Kind::Triangle, Kind::Hull, Kind::FlatHull];
    let mut counts = [0; 2];
    for made in pairs(123, &kinds).take(11 * 36 * 2) {
        let [a, b] = made.solids();
        let (Core::Points(p), Core::Points(q)) = (&a.core, &b.core) else { unreachable!() };
        let depth = square_root(&exact_squared_depth(p, q));
        let touching = touches(p, 0.0, q, 0.0);
        assert!(depth.high == 0.0 || touching, "{made:?}");
        counts[usize::from(depth.low > 0.0)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}
