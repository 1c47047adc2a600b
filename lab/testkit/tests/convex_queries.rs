//! Rays against solids and solids against soups, beside closed forms, exact rays and brute force.

// In a test a failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use nearhit_testkit::convex::{
    BITS, Core, Solid, distance_bracket, exact_double, flat_solids_touch, pair_size, ray_enters_hull, ray_enters_solid,
    soup_contacts, soup_distance,
};
use nearhit_testkit::pose::IDENTITY;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shape_pairs::{Kind, Shape, Sizes};
use nearhit_testkit::vector::{along, subtract};
use nearhit_testkit::{Point, shapes};

fn enters(solid: &Solid, origin: Point, direction: Point, truth: f64) {
    let found = ray_enters_solid(solid, origin, direction).unwrap();
    assert!(found.at <= exact_double(truth), "{:?} after {truth}: {solid:?}", found.at.to_f64().value());
    assert!((found.at.to_f64().value() - truth).abs() <= 1e-15 * (1.0 + truth), "{found:?} {truth} {solid:?}");
    assert!(found.gap.to_f64().value() <= 1e-22, "{found:?}");
}

#[test]
fn rays_by_hand() {
    let ball = Shape::Ball { radius: 2.0 }.posed(&IDENTITY, &[5.0, 0.0, 0.0]);
    enters(&ball, [0.0; 3], [0.5, 0.0, 0.0], 6.0);
    enters(&ball, [6.0, 0.5, 0.0], [0.5, 0.0, 0.0], 0.0);
    assert_eq!(ray_enters_solid(&ball, [0.0; 3], [-0.5, 0.0, 0.0]), None);
    assert_eq!(ray_enters_solid(&ball, [0.0, 2.001, 0.0], [1.0, 0.0, 0.0]), None);
    let ellipsoid = Shape::Ellipsoid { radii: [2.5, 5.0, 1.0] }.solid();
    enters(&ellipsoid, [-7.0, 3.0, 0.0], [1.0, 0.0, 0.0], 5.0);
    let cylinder = Shape::Cylinder { radius: 5.0, half_height: 2.0, margin: 0.0 }.solid();
    enters(&cylinder, [-9.0, 3.0, 1.0], [2.0, 0.0, 0.0], 2.5);
    enters(&cylinder, [1.0, 3.0, 8.0], [0.0, 0.0, -4.0], 1.5);
    let cone = Shape::Cone { bottom_radius: 3.0, top_radius: 0.0, half_height: 2.0, margin: 0.0 }.solid();
    enters(&cone, [4.0, 0.0, 0.0], [-1.0, 0.0, 0.0], 2.5);
    let floor = Solid { core: Core::HalfSpace { normal: [0.0, 0.0, 4.0], offset: -4.0 }, margin: 0.5 };
    enters(&floor, [0.0, 0.0, 2.0], [1.0, 1.0, -0.5], 5.0);
    assert_eq!(ray_enters_solid(&floor, [0.0, 0.0, 2.0], [1.0, 1.0, 0.0]), None);
    assert_eq!(ray_enters_solid(&floor, [0.0, 0.0, 2.0], [1.0, 1.0, 1.0]), None);
}

/// Against the exact rays of hulls, and free before the entry whatever the solid.
#[test]
fn rays_at_random() {
    let mut rng = Rng::new(141);
    let (mut hits, mut misses) = (0, 0);
    for round in 0..700 {
        let kind = Kind::ALL[round % Kind::ALL.len()];
        let solid = Shape::random(kind, Sizes::Ordinary, &mut rng).posed(&rng.rotation(), &rng.point(-0.5, 0.5));
        let origin = rng.point(-4.0, 4.0);
        let direction = subtract(rng.point(-1.0, 1.0), origin).map(|x| 0.5 * x);
        let found = ray_enters_solid(&solid, origin, direction);
        if let (Core::Points(points), 0.0) = (&solid.core, solid.margin) {
            let exact = ray_enters_hull(points, origin, direction);
            match (&found, &exact) {
                (Some(entry), Some(exact)) => {
                    assert!(entry.at <= *exact && (exact - &entry.at).to_f64().value() <= 1e-15, "{solid:?}");
                }
                // A flat one may be missed by as little as the gap.
                (Some(entry), None) => assert!(entry.gap.to_f64().value() <= 1e-15, "{entry:?} {solid:?}"),
                (None, exact) => assert!(exact.is_none(), "{solid:?}"),
            }
        }
        let until = found.as_ref().map_or(4.0, |entry| entry.at.to_f64().value());
        for _ in 0..3 {
            let point = along(origin, direction, rng.range(0.0, until - 1e-9));
            let probe = Solid { core: Core::Points(vec![point]), margin: 0.0 };
            let free = until <= 1e-9 || distance_bracket(&solid, &probe, BITS).doubles()[0] > 0.0;
            assert!(free, "{solid:?} {origin:?} {direction:?} {until}");
        }
        *(if found.is_some() { &mut hits } else { &mut misses }) += 1;
    }
    assert!(hits > 200 && misses > 100, "{hits} {misses}");
}

#[test]
fn solids_beside_a_torus() {
    let torus = shapes::torus(16, 8, 2.0, 0.5);
    let mut rng = Rng::new(142);
    let (mut touching, mut apart) = (0, 0);
    for round in 0..140 {
        let kind = Kind::ALL[round % Kind::ALL.len()];
        let solid = Shape::random(kind, Sizes::Ordinary, &mut rng).posed(&rng.rotation(), &rng.point(-3.0, 3.0));
        let found = soup_distance(&torus, &solid, 60).unwrap();
        let single = |index: usize| Solid { core: Core::Points(torus.triangle(index).to_vec()), margin: 0.0 };
        let all = || (0..torus.triangles.len()).map(single);
        let lower = all().map(|triangle| distance_bracket(&triangle, &solid, 60).lower).min().unwrap();
        assert!(lower <= found.upper && found.lower <= lower, "{solid:?}");
        let size = pair_size(&single(0), &solid) + found.doubles()[1];
        assert!(found.width().to_f64().value() <= 1e-17 * size);
        if let Some(contacts) = soup_contacts(&torus, &solid) {
            let brute: Vec<usize> = all()
                .enumerate()
                .filter(|(_, triangle)| flat_solids_touch(triangle, &solid).unwrap())
                .map(|(index, _)| index)
                .collect();
            assert_eq!(contacts, brute);
            assert_eq!(contacts.is_empty(), found.doubles()[0] > 0.0);
        }
        *(if found.doubles()[0] > 0.0 { &mut apart } else { &mut touching }) += 1;
    }
    assert!(touching > 20 && apart > 20, "{touching} {apart}");
    let ball = Shape::Ball { radius: 0.25 }.solid();
    let nearest = soup_distance(&torus, &ball, 60).unwrap().doubles()[0];
    assert!((nearest - 1.25).abs() < 0.05, "{nearest}");
}
