//! Points and rays against one shape, beside the oracles of the testkit.

use super::{length, rounds, shape};
use nearhit::glam::DVec3;
use nearhit::shape::Shape;
use nearhit::{Mesh, Model, Ray, Scratch};
use nearhit_testkit::convex::{
    BITS, Core, Solid, depth_bracket, distance_bracket, pair_size, ray_enters_solid, round_down, sample_inside,
};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shape_pairs::{self, Kind, Sizes};

/// A shape for both, and its size.
fn drawn(rng: &mut Rng) -> (Kind, shape_pairs::Shape, Shape, Solid, f64) {
    let kind = *rng.choice(&Kind::ALL);
    let sizes = *rng.choice(&[Sizes::Ordinary, Sizes::Grid, Sizes::Flat, Sizes::Decade(-9), Sizes::Decade(7)]);
    let told = shape_pairs::Shape::random(kind, sizes, rng);
    let (made, mut solid) = (shape(&told), told.solid());
    if let (Core::Points(points), "hull") = (&mut solid.core, made.name()) {
        *points = made.corners().into_iter().map(|corner| corner.to_array()).collect();
    }
    let size = match &told {
        shape_pairs::Shape::HalfSpace { normal, offset } => 1.0 + offset.abs() / length((*normal).into()),
        _ => pair_size(&solid, &solid) + solid.margin,
    };
    (kind, told, made, solid, size)
}

fn dot(point: DVec3) -> Solid {
    Solid { core: Core::Points(vec![point.to_array()]), margin: 0.0 }
}

/// In, on and around the shape.
fn point_near(solid: &Solid, size: f64, rng: &mut Rng) -> DVec3 {
    let inside = match solid.core {
        Core::HalfSpace { .. } => DVec3::ZERO,
        _ => sample_inside(solid, rng).into(),
    };
    let far = *rng.choice(&[0.0, 0.0, 0.1, 1.0, 30.0]);
    let step = DVec3::from_array(rng.unit_vector()) * (far * size * rng.range(0.0, 1.0));
    let grid = rng.chance(0.2);
    let point = inside + step;
    if grid && size > 0.0 { (point / size * 4.0).round() * 0.25 * size } else { point }
}

#[test]
fn signed_distances_of_points_hold() {
    let (mut rng, mut scratch) = (Rng::new(41), Scratch::new());
    let (mut inside, mut outside, mut closed) = (0, 0, 0);
    let count = rounds(1_000, 200_000);
    for case in 0..count {
        let (kind, told, made, solid, size) = drawn(&mut rng);
        let point = point_near(&solid, size, &mut rng);
        let found = made.signed_distance(point, &mut scratch).expect("finite");
        let scale = size + point.abs().max_element() + 1e-300;
        let [mut lower, mut upper] = distance_bracket(&solid, &dot(point), BITS).doubles();
        let is_in = upper == 0.0 || lower == 0.0;
        if is_in {
            let Some(depth) = depth_bracket(&solid, &dot(point), 40) else { continue };
            [lower, upper] = depth.bounds.doubles();
            (lower, upper) = (-upper, -lower);
        }
        let said = format!("case {case}: {told:?} at {point:?}: {found:?}, truth {lower:e} to {upper:e}");
        assert!(found.lower <= upper + 1e-14 * scale && lower <= found.upper, "{said}");
        assert!(found.lower <= found.upper && found.on_b.distance(point) <= 1e-12 * scale, "{said}");
        let width = (found.upper - found.lower) / scale;
        // Of ellipsoids, where all directions are alike, and of what lies within rounding.
        let is_closed = kind.is_flat() || kind != Kind::Ellipsoid && found.upper < -1e-9 * scale;
        assert!(width <= if is_closed { 1e-12 } else { 1e-2 }, "{said}");
        let away = (found.on_a.distance(point) - found.upper.abs()).abs();
        assert!(away <= 1e-9 * scale + (found.upper - found.lower), "{said}");
        let contains = made.contains(point, &mut scratch).expect("finite");
        assert_eq!(contains, found.lower <= 0.0, "{said}");
        inside += usize::from(found.upper < 0.0);
        outside += usize::from(found.lower > 0.0);
        closed += usize::from(found.upper < 0.0 && matches!(made.name(), "cylinder" | "cone" | "box"));
    }
    assert!(inside * 5 > count && outside * 5 > count && closed * 20 > count, "{inside} {outside} {closed} of {count}");
}

#[test]
fn rays_enter_where_they_should() {
    let (mut rng, mut scratch) = (Rng::new(42), Scratch::new());
    let (mut hits, mut misses, mut grazes, mut at_once) = (0, 0, 0, 0);
    let count = rounds(600, 200_000);
    for case in 0..count {
        let (_, told, made, solid, size) = drawn(&mut rng);
        let (origin, aim) = (point_near(&solid, size, &mut rng), point_near(&solid, size, &mut rng));
        let Ok(ray) = Ray::between(origin, aim) else { continue };
        let found = made.first_hit(&ray, &mut scratch);
        let truth = ray_enters_solid(&solid, origin.to_array(), ray.direction().to_array());
        let scale = size + origin.abs().max_element() + aim.abs().max_element() + 1e-300;
        let said = format!("case {case}: {told:?}, {ray:?}: {found:?}, truth {truth:?}");
        match (found, truth) {
            (None, None) => misses += 1,
            (None, Some(entry)) => assert!(round_down(&entry.gap) > 1e-18 * scale, "{said}"),
            (Some(hit), None) => {
                // Nearer than rounding.
                assert!(hit.distance.upper == f64::INFINITY || hit.distance.upper < 1e3 * scale, "{said}");
                grazes += 1;
            }
            (Some(hit), Some(entry)) => {
                let at = round_down(&entry.at);
                assert!(hit.distance.lower <= at.next_up(), "{said}");
                // It has met the shape then, or all but its rounding.
                let is_there = hit.distance.upper >= at - 1e-12 * (scale + at)
                    || distance_bracket(&solid, &dot(ray.at(hit.distance.upper)), BITS).doubles()[0] <= 1e-14 * scale;
                assert!(is_there, "{said}");
                let is_graze = hit.distance.upper == f64::INFINITY;
                grazes += usize::from(is_graze);
                hits += 1;
                at_once += usize::from(hit.distance.upper == 0.0);
                let speed = -hit.normal.dot(ray.direction());
                if !is_graze && speed > 1e-3 {
                    assert!(hit.distance.upper - hit.distance.lower <= 1e-9 * (scale + at), "{said}");
                }
            }
        }
    }
    println!("{hits} hits, {at_once} of them at once, {misses} misses, {grazes} not told from grazes");
    // Points, segments and discs are among the shapes: those are hit in passing, or not.
    assert!(hits * 4 > count && misses * 10 > count && grazes * 10 < count, "{hits} {misses} {grazes} of {count}");
}

/// Meshes: as models answer, but for margins and insides.
#[test]
fn points_and_rays_of_meshes() {
    let (mut rng, mut scratch) = (Rng::new(43), Scratch::new());
    let corners: Vec<[f64; 3]> =
        (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| if bit == 0 { -1.0 } else { 1.0 })).collect();
    let faces = [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4]];
    let more = [[2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]];
    let model = std::sync::Arc::new(Model::new(Mesh::new(&corners, &[faces, more].concat()).expect("a cube")));
    let (surface, solid) = (Shape::mesh(model.clone()), Shape::solid(model));
    let (block, grown) = (Shape::cuboid([2.0; 3]).expect("legal"), solid.clone().grown(0.25).expect("legal"));
    let rounded = block.clone().grown(0.25).expect("legal");
    let (mut hits, mut inside) = (0, 0);
    for _ in 0..300 {
        let [point, aim] = [(); 2].map(|()| DVec3::from_array(rng.point(-2.0, 2.0)));
        for (mesh, same) in [(&solid, &block), (&grown, &rounded)] {
            let [a, b] = [mesh, same].map(|shape| shape.signed_distance(point, &mut scratch).expect("finite"));
            assert!((a.upper - b.upper).abs() < 1e-12 && a.on_a.distance(b.on_a) < 1e-9 || a.upper < -0.25);
            let [a, b] = [mesh, same].map(|shape| shape.contains(point, &mut scratch).expect("finite"));
            assert_eq!(a, b);
            inside += usize::from(a);
            let ray = Ray::between(point, aim).expect("two points");
            match [mesh, same].map(|shape| shape.first_hit(&ray, &mut scratch)) {
                [Some(a), Some(b)] => {
                    assert!((a.distance.lower - b.distance.lower).abs() < 1e-6, "{ray:?}: {a:?} {b:?}");
                    hits += 1;
                }
                [a, b] => assert!(a.is_none() && b.is_none(), "{ray:?}: {a:?} {b:?}"),
            }
        }
        let found = surface.signed_distance(point, &mut scratch).expect("finite");
        assert!(found.lower >= 0.0 && surface.contains(point, &mut scratch) == Ok(found.upper == 0.0));
    }
    assert!(hits > 100 && inside > 40, "{hits} {inside}");
    assert!(block.contains(DVec3::splat(f64::NAN), &mut scratch).is_err());
    assert!(block.signed_distance(DVec3::splat(f64::INFINITY), &mut scratch).is_err());
}

/// Rays at the tip of a cone, from the side: next to it the direction of the nearest point has few
/// digits, and a plane across it once proved that the ray misses.
#[test]
fn rays_at_a_tip_are_not_missed() {
    let (mut rng, mut scratch) = (Rng::new(44), Scratch::new());
    for case in 0..rounds(2_000, 200_000) {
        let half = rng.range(0.1, 2.0);
        let cone = Shape::cone(rng.range(0.05, 2.0), 2.0 * half).expect("legal");
        let (tip, origin) = (DVec3::new(0.0, 0.0, half), DVec3::from_array(rng.point(-3.0, 3.0)));
        let ray = Ray::between(origin, tip).expect("two points");
        let hit = cone.first_hit(&ray, &mut scratch);
        assert!(hit.is_some_and(|hit| hit.distance.lower <= origin.distance(tip)), "case {case}: {ray:?}: {hit:?}");
    }
}
