//! Inside or outside: closed meshes exactly, others as their winding numbers say.

use crate::common::mesh;
use crate::shapes::{closed, flipped, joined, points, thinned};
use glam::DVec3;
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::{InsideMethod, Location, Model, Scratch};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Soup, shapes, solid};

#[test]
fn closed_meshes_are_exact_wherever_the_point_is() {
    let mut rng = Rng::new(1);
    let mut seen = [0; 3];
    for (name, soup) in closed() {
        let model = Model::new(mesh(&soup));
        let classic = Model::with(mesh(&soup), VolumeKind::Rss, &nearhit::research::build::BuildOptions::default());
        let mut scratch = Scratch::new();
        assert_eq!(model.inside_method(), InsideMethod::Exact, "{name}");
        for point in points(&soup, 400, &mut rng) {
            let found = model.contains(DVec3::from_array(point), &mut scratch).expect("finite");
            assert_eq!(found, classic.contains(DVec3::from_array(point), &mut scratch).expect("finite"));
            // So near the surface that solid angles in doubles decide nothing: the distance oracle
            // is exact there, and says it is not on it.
            let near = model.closest_point(DVec3::from_array(point), &mut scratch).expect("finite").distance;
            if near > 0.0 && near < 1e-9 {
                assert_ne!(found.location, Location::Surface, "{name} at {point:?}");
                continue;
            }
            let expected = solid::winding_number(&soup, point);
            assert_eq!(found.winding, expected.map(f64::from), "{name} at {point:?}");
            let place = expected
                .map_or(Location::Surface, |winding| if winding == 0 { Location::Outside } else { Location::Inside });
            assert_eq!(found.location, place, "{name} at {point:?}");
            seen[place as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 300), "outside, surface, inside: {seen:?}");
}

/// Far from the origin the coordinates of the point and the mesh are large, and their differences
/// small.
#[test]
fn a_million_units_away_it_is_the_same() {
    let mut rng = Rng::new(2);
    let ball = shapes::uv_sphere(8, 10).translated([1e6, -1e6, 1e6]);
    let model = Model::new(mesh(&ball));
    let mut scratch = Scratch::new();
    let mut inside = 0;
    for _ in 0..500 {
        let point = rng.point(-1.0, 1.0);
        let point = [point[0] + 1e6, point[1] - 1e6, point[2] + 1e6];
        let found = model.contains(DVec3::from_array(point), &mut scratch).expect("finite");
        assert_eq!(found.winding, solid::winding_number(&ball, point).map(f64::from));
        inside += usize::from(found.location == Location::Inside);
    }
    assert!((150..350).contains(&inside), "{inside}");
}

/// Coordinates beyond the default engine's range are looked at one by one.
#[test]
fn huge_and_tiny_solids() {
    for scale in [1e299, 1e-299] {
        let cube = shapes::cuboid([-1.0; 3], [1.0; 3]).scaled(scale);
        let model = Model::new(mesh(&cube));
        let mut scratch = Scratch::new();
        let mut at = |point: [f64; 3]| {
            let point = DVec3::from_array(point) * scale;
            let place = model.contains(point, &mut scratch).expect("finite").location;
            (place, model.closest_point(point, &mut scratch).expect("finite").distance / scale)
        };
        assert_eq!(at([0.5, 0.25, 0.0]), (Location::Inside, 0.5));
        assert_eq!(at([1.0, 0.25, 0.0]), (Location::Surface, 0.0));
        assert_eq!(at([2.0, 0.0, 0.0]), (Location::Outside, 1.0));
    }
}

#[test]
fn flipped_triangles_are_judged_by_parity() {
    let mut rng = Rng::new(3);
    let ball = shapes::uv_sphere(10, 14);
    let mut mixed = ball.clone();
    mixed.triangles.iter_mut().filter(|_| rng.chance(0.3)).for_each(|triangle| triangle.swap(0, 1));
    let (model, clean) = (Model::new(mesh(&mixed)), Model::new(mesh(&ball)));
    assert_eq!(model.inside_method(), InsideMethod::Parity);
    let mut scratch = Scratch::new();
    for point in points(&ball, 800, &mut rng) {
        let point = DVec3::from_array(point);
        let (found, expected) = (model.contains(point, &mut scratch), clean.contains(point, &mut scratch));
        assert_eq!(found.expect("finite").location, expected.expect("finite").location, "{point}");
    }
}

#[test]
fn generalised_winding_numbers_are_within_their_error() {
    let mut rng = Rng::new(4);
    let mut decided_by_far = 0;
    for (name, soup) in closed().into_iter().filter(|(name, _)| *name != "cube" && *name != "inside out") {
        let open = thinned(&soup, 0.2, 9);
        let model = Model::new(mesh(&open));
        assert_eq!(model.inside_method(), InsideMethod::Generalised, "{name}");
        let mut scratch = Scratch::new();
        for point in points(&soup, 200, &mut rng) {
            let found = model.contains(DVec3::from_array(point), &mut scratch).expect("finite");
            let expected = solid::generalised_winding_number(&open, point);
            let near = model.closest_point(DVec3::from_array(point), &mut scratch).expect("finite").distance;
            if near > 0.0 && near < 1e-9 {
                continue;
            }
            let Some((winding, truth)) = found.winding.zip(expected) else {
                assert_eq!(found.winding, expected, "{name} at {point:?}");
                continue;
            };
            // On an edge's line or in a face's plane solid angles jump: they are only comparable up
            // to a turn.
            let off = (winding - truth).abs();
            assert!(
                off <= found.winding_error + 1e-7 || (off - 1.0).abs() < 1e-7,
                "{name} at {point:?}: {winding} {truth}"
            );
            assert_eq!(found.location == Location::Inside, winding.abs() > 0.5);
            decided_by_far += usize::from(found.winding_error > 1e-6);
        }
    }
    assert!(decided_by_far > 300, "{decided_by_far} used an expansion");
}

/// A cube whose sides are grids of two triangles a square, at whole numbers.
fn lattice(count: i32) -> Soup {
    let mut cube = Soup::default();
    for (axis, side) in (0..3).flat_map(|axis| [(axis, 0), (axis, count)]) {
        for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
            let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| {
                let mut point = [f64::from(side); 3];
                (point[(axis + 1) % 3], point[(axis + 2) % 3]) = (i.into(), j.into());
                cube.push_vertex(point)
            });
            let [a, b, c, d] = if side == 0 { [corners[0], corners[3], corners[2], corners[1]] } else { corners };
            cube.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    cube
}

/// Of meshes large enough that their holes are filled: winding numbers are those of the mesh alone,
/// anywhere, on what is missing, and a hair off it.
#[test]
fn what_fills_the_holes_is_not_there() {
    let mut rng = Rng::new(65);
    let (mut on_gaps, mut sure) = (0, 0);
    for (name, soup) in [
        ("ball", shapes::icosphere(10)),
        ("lattice", lattice(16)),
        ("torus", shapes::torus(60, 30, 1.0, 0.4)),
        ("flipped here and there", lattice(14)),
    ] {
        let mut open = thinned(&soup, if name == "torus" { 0.03 } else { 0.12 }, 11);
        if name == "flipped here and there" {
            open.triangles.iter_mut().step_by(17).for_each(|triangle| triangle.swap(0, 1));
        }
        let kept: std::collections::HashSet<[u32; 3]> = open.triangles.iter().copied().collect();
        let gaps: Vec<[u32; 3]> = soup.triangles.iter().copied().filter(|triangle| !kept.contains(triangle)).collect();
        let (model, mut scratch) = (Model::new(mesh(&open)), Scratch::new());
        assert_eq!(model.inside_method(), InsideMethod::Generalised, "{name}");
        let (low, high) = soup.bounds().expect("some");
        for round in 0..400 {
            let [a, b, c] = gaps[rng.below(gaps.len())].map(|vertex| DVec3::from_array(soup.vertices[vertex as usize]));
            let hair = *rng.choice(&[0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-7, -1e-7]);
            let point = match round % 3 {
                0 => DVec3::from_array(std::array::from_fn(|axis| rng.range(low[axis], high[axis]))),
                1 => (a + b + c * 2.0) * 0.25 + (b - a).cross(c - a).normalize() * hair,
                _ => (a + b) * 0.5 + (b - a).cross(c - a).normalize() * hair,
            };
            let found = model.contains(point, &mut scratch).expect("finite");
            let expected = solid::generalised_winding_number(&open, point.to_array());
            let near = model.closest_point(point, &mut scratch).expect("finite").distance;
            if near > 0.0 && near < 1e-6 {
                continue;
            }
            let Some((winding, truth)) = found.winding.zip(expected) else {
                assert_eq!(found.winding, expected, "{name} at {point}");
                continue;
            };
            let off = (winding - truth).abs();
            assert!(off <= found.winding_error + 1e-8, "{name} at {point}: {winding} {truth} {found:?}");
            sure += usize::from(found.is_certain() && (truth.abs() > 0.5) == (found.location == Location::Inside));
            on_gaps += usize::from(round % 3 == 1 && hair.abs() < 1e-11);
        }
    }
    assert!(on_gaps > 200 && sure > 1000, "{on_gaps} on gaps, {sure} sure");
}

/// With a tenth of the triangles gone, 99.9 % of the points that are not near the surface are
/// judged as before.
#[test]
fn a_tenth_of_the_triangles_may_be_missing() {
    let ball = shapes::uv_sphere(40, 60);
    let wrinkled = shapes::wrinkled_torus(90, 40, 5);
    for soup in [ball, wrinkled] {
        let (clean, dirty) = (Model::new(mesh(&soup)), Model::new(mesh(&thinned(&soup, 0.1, 6))));
        let (low, high) = soup.bounds().expect("some");
        let diagonal = (DVec3::from_array(high) - DVec3::from_array(low)).length();
        let mut rng = Rng::new(7);
        let mut points: Vec<DVec3> = (0..20_000)
            .map(|_| DVec3::from_array(std::array::from_fn(|axis| rng.range(low[axis], high[axis]))))
            .collect();
        let near = clean.closest_point_each(&points).expect("finite");
        let mut far = near.iter().map(|closest| closest.distance > 0.01 * diagonal);
        points.retain(|_| far.next().expect("one each"));
        let places = |model: &Model| -> Vec<Location> {
            model.contains_each(&points).expect("finite").iter().map(|found| found.location).collect()
        };
        let (expected, found) = (places(&clean), places(&dirty));
        let inside = expected.iter().filter(|&&place| place == Location::Inside).count();
        let wrong = expected.iter().zip(&found).filter(|(one, other)| one != other).count();
        assert!(inside * 8 > points.len(), "{inside} of {}", points.len());
        assert!(wrong * 1000 <= points.len(), "{wrong} of {}", points.len());
    }
}

#[test]
fn repeated_triangles_and_bad_points() {
    let cube = shapes::cuboid([0.0; 3], [1.0; 3]);
    let mut repeated = joined(&[cube.clone(), Soup::default()]);
    repeated.triangles.push(cube.triangles[5]);
    repeated.triangles.push(flipped(&cube).triangles[7]);
    let model = Model::new(mesh(&repeated));
    assert_eq!(model.inside_method(), InsideMethod::Exact);
    // Many, so that some of their rays pass through the repeated triangles.
    let mut rng = Rng::new(8);
    for _ in 0..100 {
        let point = rng.point(0.01, 0.99);
        let inside = model.contains(DVec3::from_array(point), &mut Scratch::new()).expect("finite");
        assert_eq!(inside.winding, Some(1.0), "{point:?}");
    }
    assert_eq!(model.contains_each(&[DVec3::splat(1.3)]).expect("finite")[0].winding, Some(0.0));
    let error = model.contains_each(&[DVec3::ZERO, DVec3::new(0.0, 0.0, f64::NAN)]).expect_err("NaN");
    assert_eq!(error.to_string(), "point 1: coordinate z is NaN, not a finite number of at most 1e300");
}

/// Three faces of a cube are seen from its middle under exactly half of all directions: inside or
/// outside is no matter of proof there, and it is on both sides of it.
#[test]
fn a_winding_number_of_one_half_is_not_certain() {
    let mut half = shapes::cuboid([-1.0; 3], [1.0; 3]);
    let corners = half.vertices.clone();
    let on_a_low_face =
        |triangle: &[u32; 3]| (0..3).any(|axis| triangle.iter().all(|&vertex| corners[vertex as usize][axis] == -1.0));
    half.triangles.retain(on_a_low_face);
    assert_eq!(half.len(), 6);
    let model = Model::new(mesh(&half));
    let mut scratch = Scratch::new();
    let mut at = |x: f64| model.contains(DVec3::splat(x), &mut scratch).expect("finite");
    assert!(!at(0.0).is_certain(), "{:?}", at(0.0));
    assert!(at(-0.5).is_certain() && at(-0.5).location == Location::Inside);
    assert!(at(0.5).is_certain() && at(0.5).location == Location::Outside);
}

/// Found by the soak: points on triangles without area, and of the smallest meshes, were not on the
/// surface of a mesh with holes.
#[test]
fn corners_of_open_meshes_are_on_their_surface() {
    let needle =
        Soup { vertices: vec![[-1.0, -2.0, 1.0], [0.0, -2.0, -1.0], [-0.5, -2.0, 0.0]], triangles: vec![[0, 1, 2]] };
    let mut open = shapes::cuboid([-1.0; 3], [1.0; 3]);
    open.triangles.truncate(9);
    open.append(&needle);
    let mut scratch = Scratch::new();
    for size in [1.0, 1e-6, 1e-30, 1e-70, 1e-90, 1e-140, 1e-220, 1e-300, 1e30, 1e70, 1e100, 1e250] {
        for soup in [needle.scaled(size), open.scaled(size)] {
            let model = Model::new(mesh(&soup));
            for corner in soup.corners().flatten() {
                let found = model.contains(DVec3::from_array(corner), &mut scratch).expect("finite");
                assert_eq!(found.location, Location::Surface, "{size}: {corner:?}");
            }
        }
        // The same of all sizes: the cube without a side.
        let mut cup = shapes::cuboid([-1.0; 3], [1.0; 3]);
        cup.triangles.truncate(10);
        let model = Model::new(mesh(&cup.scaled(size)));
        let found = model.contains(DVec3::new(0.1, 0.2, 0.3) * size, &mut scratch).expect("finite");
        assert_eq!(found.location, Location::Inside, "{size}: {found:?}");
        // Of many triangles most are far away, and a few terms stand for them.
        let mut bowl = shapes::icosphere(8);
        bowl.triangles.truncate(bowl.triangles.len() - 40);
        let (usual, other) = (Model::new(mesh(&bowl)), Model::new(mesh(&bowl.scaled(size))));
        for point in [[0.1, 0.2, 0.3], [-0.5, 0.4, -0.6], [1.5, 0.0, 0.3], [0.0, -2.0, 4.0]].map(DVec3::from_array) {
            let [usual, other] = [(&usual, point), (&other, point * size)]
                .map(|(model, point)| model.contains(point, &mut scratch).expect("finite"));
            assert_eq!(usual.location, other.location, "{size}: {point}");
            let [winding, scaled] = [usual, other].map(|found| found.winding.expect("not on the surface"));
            let error = usual.winding_error + other.winding_error;
            assert!((winding - scaled).abs() <= error + 1e-9, "{size}: {point}: {usual:?} and {other:?}");
        }
    }
}
