//! Rays against exact brute force.

use crate::common::mesh;
use crate::shapes::{closed, points};
use glam::DVec3;
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::{Model, Ray, RayHit, Scratch};
use nearhit_testkit::ray::ray_meets;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{shapes, solid};

/// On a grid of 2^-20, so that points along a ray are doubles.
fn rounded(point: [f64; 3]) -> DVec3 {
    DVec3::from_array(point.map(|x| (x * 1048576.0).round() / 1048576.0))
}

#[test]
fn hits_agree_with_exact_segments() {
    let mut rng = Rng::new(31);
    let (mut hits, mut misses, mut through_edges) = (0, 0, 0);
    for (name, soup) in closed() {
        let soup = soup.map(|vertex| rounded(vertex).to_array());
        let model = Model::new(mesh(&soup));
        let classic = Model::with(mesh(&soup), VolumeKind::KDop14, &nearhit::research::build::BuildOptions::default());
        let mut scratch = Scratch::new();
        let ends = points(&soup, 100, &mut rng);
        for pair in ends.chunks(2) {
            let origin = rounded(pair[0]);
            // Towards a point that may be a corner, or along an axis.
            let step = if rng.chance(0.3) { DVec3::AXES[rng.below(3)] * 0.5 } else { rounded(pair[1]) - origin };
            let Ok(ray) = Ray::between(origin, origin + step) else { continue };
            let far = origin + step * 4096.0;
            let expected = solid::segment_hits(&soup, origin.to_array(), far.to_array());
            let found = model.all_hits(&ray, &mut scratch).to_vec();
            let mut triangles: Vec<u32> = found.iter().map(|hit| hit.triangle).collect();
            triangles.sort_unstable();
            assert_eq!(triangles, expected, "{name}: {ray:?}");
            assert_eq!(found, classic.all_hits(&ray, &mut scratch), "{name}: {ray:?}");
            assert_eq!(model.first_hit(&ray, &mut scratch), found.first().copied(), "{name}: {ray:?}");
            let in_order =
                |pair: &[RayHit]| (pair[0].distance, pair[0].triangle) < (pair[1].distance, pair[1].triangle);
            assert!(found.windows(2).all(in_order));
            for hit in &found {
                let on_triangle = mesh_distance(&model, hit);
                assert!(on_triangle < 1e-11 * (1.0 + hit.distance), "{name}: {ray:?}: {hit:?} is {on_triangle} off");
            }
            hits += usize::from(!found.is_empty());
            misses += usize::from(found.is_empty());
            through_edges += found.windows(2).filter(|pair| pair[0].distance == pair[1].distance).count();
        }
    }
    assert!(hits > 120 && misses > 40 && through_edges > 40, "{hits} {misses} {through_edges}");
}

fn mesh_distance(model: &Model, hit: &RayHit) -> f64 {
    nearhit::research::primitive::distance::distance(&[hit.point; 3], &model.mesh().triangle(hit.triangle)).distance
}

/// From inside a closed surface every ray hits: nothing slips through edges and corners.
#[test]
fn nothing_slips_through() {
    let ball = shapes::uv_sphere(24, 32);
    let model = Model::new(mesh(&ball));
    let aimed = ball.vertices.iter().map(|&vertex| DVec3::from_array(vertex));
    let rays: Vec<Ray> =
        aimed.map(|vertex| Ray::between(DVec3::new(0.01, 0.02, 0.03), vertex).expect("a direction")).collect();
    let hits = model.first_hit_each(&rays);
    assert!(hits.iter().all(Option::is_some));
    let mut scratch = Scratch::new();
    let every = model.all_hits_each(&rays);
    for ((ray, hit), every) in rays.iter().zip(&hits).zip(&every) {
        assert_eq!(model.first_hit(ray, &mut scratch), *hit);
        assert_eq!((model.all_hits(ray, &mut scratch), every.first()), (every.as_slice(), hit.as_ref()));
        let distance = hit.expect("just seen").distance;
        assert!((0.9..1.1).contains(&distance), "{distance}");
    }
}

/// Small whole numbers: many rays meet an edge or a corner exactly, and few of their directions are
/// doubles when they are brought to length one.
#[test]
fn hit_or_miss_is_that_of_the_numbers_given() {
    let mut rng = Rng::new(33);
    let solids = [
        shapes::cuboid([-2.0; 3], [2.0, 1.0, 3.0]),
        shapes::tetrahedron([[0.0, 0.0, 0.0], [5.0, 1.0, 0.0], [1.0, 5.0, 2.0], [2.0, 1.0, 7.0]]),
        shapes::axis_bars(3.0, 1.0),
    ];
    let (mut hits, mut misses, mut shared) = (0, 0, 0);
    for (index, soup) in solids.iter().enumerate() {
        // As they are, and moved and scaled so that sums with the origin are no doubles.
        for scale in [1.0, 0.1, 1e-7, 3e12] {
            let soup = soup.scaled(scale);
            let model = Model::new(mesh(&soup));
            let mut scratch = Scratch::new();
            for _ in 0..400 {
                let whole = |rng: &mut Rng, most: i64| -> [f64; 3] {
                    std::array::from_fn(|_| rng.integer(-most, most + 1) as f64)
                };
                let target = rng.choice(&soup.vertices).to_owned();
                let mut direction = whole(&mut rng, 7);
                let length = rng.integer(1, 6) as f64 * scale;
                let mut origin = std::array::from_fn(|axis| target[axis] - length * direction[axis]);
                if rng.chance(0.3) {
                    origin = whole(&mut rng, 9).map(|x| x * scale);
                }
                if direction == [0.0; 3] {
                    direction = [3.0, 7.0, -1.0];
                }
                let factor = *rng.choice(&[1.0, 1e-200, 1e200, 1.0 / 3.0]);
                let direction = direction.map(|x| x * factor);
                let ray = Ray::new(DVec3::from_array(origin), DVec3::from_array(direction)).expect("a direction");
                let expected: Vec<u32> = (0..soup.len() as u32)
                    .filter(|&triangle| ray_meets(origin, direction, &soup.triangle(triangle as usize)))
                    .collect();
                let mut found: Vec<u32> = model.all_hits(&ray, &mut scratch).iter().map(|hit| hit.triangle).collect();
                found.sort_unstable();
                assert_eq!(found, expected, "solid {index}, scale {scale}: {origin:?} along {direction:?}");
                hits += usize::from(!found.is_empty());
                misses += usize::from(found.is_empty());
                shared += usize::from(found.len() > 2);
            }
        }
    }
    assert!(hits > 1500 && misses > 500 && shared > 500, "{hits} {misses} {shared}");
}
