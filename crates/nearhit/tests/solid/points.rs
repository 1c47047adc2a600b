//! Nearest points and triangles against exact brute force and formulas.

use crate::common::mesh;
use crate::shapes::{closed, points};
use glam::DVec3;
use nearhit::research::MeshExt;
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::primitive::distance::error_bound;
use nearhit::{Location, Mesh, Model, Ray, Scratch};
use nearhit_testkit::exact::square_root;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{shapes, solid};

#[test]
fn nearest_triangles_agree_with_brute_force() {
    let mut rng = Rng::new(11);
    let mut ties = 0;
    for (name, soup) in closed() {
        let model = Model::new(mesh(&soup));
        let classic = Model::with(mesh(&soup), VolumeKind::Sphere, &nearhit::research::build::BuildOptions::default());
        let mut scratch = Scratch::new();
        let error = error_bound(2.0 * model.mesh().max_coordinate());
        for point in points(&soup, 12, &mut rng) {
            let truth: Vec<f64> =
                solid::squared_distances(&soup, point).iter().map(|square| square_root(square).high).collect();
            let mut sorted = truth.clone();
            sorted.sort_by(f64::total_cmp);
            let point = DVec3::from_array(point);
            let closest = model.closest_point(point, &mut scratch).expect("finite");
            assert!((closest.distance - sorted[0]).abs() <= error, "{name} at {point}");
            assert!((truth[closest.triangle as usize] - sorted[0]).abs() <= error, "{name} at {point}");
            assert!(((closest.point - point).length() - closest.distance).abs() <= 4.0 * error);
            assert_eq!(closest.distance == 0.0, sorted[0] == 0.0, "{name} at {point}");
            assert_eq!(closest, classic.closest_point(point, &mut scratch).expect("finite"));
            let count = rng.below(12);
            let several = model.nearest_triangles(point, count, &mut scratch).expect("finite").to_vec();
            assert_eq!(several.len(), count.min(truth.len()));
            for (near, expected) in several.iter().zip(&sorted) {
                assert!((near.distance - expected).abs() <= error, "{name} at {point}");
                assert!((truth[near.triangle as usize] - near.distance).abs() <= error, "{name} at {point}");
            }
            let in_order = |pair: &[nearhit::NearTriangle]| {
                (pair[0].distance, pair[0].triangle) < (pair[1].distance, pair[1].triangle)
            };
            assert!(several.windows(2).all(in_order));
            ties += several.windows(2).filter(|pair| pair[0].distance == pair[1].distance).count();
        }
    }
    assert!(ties > 25, "{ties}");
}

#[test]
fn signed_distances_of_a_box_and_a_torus() {
    let mut rng = Rng::new(12);
    let (low, high) = ([-1.0, 0.0, 0.5], [1.0, 3.0, 0.75]);
    let cuboid = Model::new(mesh(&shapes::cuboid(low, high)));
    let torus = Model::new(mesh(&shapes::torus(400, 200, 2.0, 0.5)));
    let points: Vec<DVec3> = (0..2000).map(|_| DVec3::from_array(rng.point(-3.0, 3.0))).collect();
    let (of_box, of_torus) = (cuboid.signed_distance_each(&points), torus.signed_distance_each(&points));
    let (of_box, of_torus) = (of_box.expect("finite"), of_torus.expect("finite"));
    let mut inside = 0;
    for ((point, in_box), in_torus) in points.iter().zip(&of_box).zip(&of_torus) {
        let expected = solid::box_distance(low, high, point.to_array());
        assert!((in_box.distance - expected).abs() < 1e-14, "{point}: {} {expected}", in_box.distance);
        // A chord of the torus' mesh is at most this far below the surface.
        let expected = solid::torus_distance(2.0, 0.5, point.to_array());
        assert!((in_torus.distance - expected).abs() < 5e-4, "{point}: {} {expected}", in_torus.distance);
        inside += usize::from(in_torus.containment.location == Location::Inside);
    }
    assert!(inside > 50, "{inside}");
}

/// One query of each kind, alone and in a batch, gives the same.
#[test]
fn batches_are_the_same_as_one_by_one() {
    let mut rng = Rng::new(13);
    let model = Model::new(mesh(&shapes::wrinkled_torus(40, 20, 1)));
    let points: Vec<DVec3> = (0..500).map(|_| DVec3::from_array(rng.point(-2.0, 2.0))).collect();
    let mut scratch = Scratch::new();
    let closest = model.closest_point_each(&points).expect("finite");
    let contained = model.contains_each(&points).expect("finite");
    let nearest = model.nearest_triangles_each(&points, 3).expect("finite");
    for (index, &point) in points.iter().enumerate() {
        assert_eq!(model.closest_point(point, &mut scratch), Ok(closest[index]));
        assert_eq!(model.contains(point, &mut scratch), Ok(contained[index]));
        assert_eq!(model.nearest_triangles(point, 3, &mut scratch), Ok(nearest[index].as_slice()));
    }
}

/// On a large mesh batches are answered in another order than they are asked in, each from the one
/// before: on a lattice, where many triangles are as near.
#[test]
fn large_batches_are_in_the_order_asked() {
    let mut rng = Rng::new(14);
    let mut soup = shapes::wrinkled_torus(80, 70, 1);
    soup.append(&shapes::cuboid([-1.0; 3], [1.0; 3]));
    assert!(soup.len() > 10_000);
    let model = Model::new(mesh(&soup));
    let points: Vec<DVec3> =
        (0..1000).map(|_| DVec3::from_array(rng.point(-2.0, 2.0).map(|x| (x * 8.0).round() / 8.0))).collect();
    let rays: Vec<Ray> = points
        .iter()
        .map(|&point| Ray::new(point, DVec3::from_array(rng.unit_vector())).expect("a direction"))
        .collect();
    let mut scratch = Scratch::new();
    let closest = model.closest_point_each(&points).expect("finite");
    let signed = model.signed_distance_each(&points).expect("finite");
    let nearest = model.nearest_triangles_each(&points, 3).expect("finite");
    let (first, all) = (model.first_hit_each(&rays), model.all_hits_each(&rays));
    for (index, (&point, ray)) in points.iter().zip(&rays).enumerate() {
        assert_eq!(model.closest_point(point, &mut scratch), Ok(closest[index]));
        assert_eq!(model.signed_distance(point, &mut scratch), Ok(signed[index]));
        assert_eq!(model.nearest_triangles(point, 3, &mut scratch), Ok(nearest[index].as_slice()));
        assert_eq!(model.first_hit(ray, &mut scratch), first[index]);
        assert_eq!(model.all_hits(ray, &mut scratch), all[index]);
    }
    let hits = first.iter().flatten().count();
    assert!(hits > 300 && hits < 950, "{hits}");
}

#[test]
fn a_single_point_is_a_mesh_too() {
    let model = Model::new(Mesh::new(&[[1.0, 2.0, 3.0]], &[[0, 0, 0]]).expect("legal"));
    let found = model.signed_distance(DVec3::new(1.0, 2.0, 5.0), &mut Scratch::new()).expect("finite");
    assert_eq!((found.distance, found.closest.point), (2.0, DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!(model.nearest_triangles(DVec3::ZERO, 0, &mut Scratch::new()), Ok([].as_slice()));
}
