//! Meshes with holes: what is told about depths holds for every point, by winding numbers and
//! distances of brute force.

use crate::common::{mesh, plain};
use nearhit::{Model, Pair, Pose, Scratch, Settings, Tolerance};
use nearhit_testkit::pose::pose_soup;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Point, Soup, exact, shapes, solid};

/// A solid without the triangles nearest to a place.
fn with_hole(soup: &Soup, share: f64, rng: &mut Rng) -> Soup {
    let middle = soup.triangle(rng.below(soup.len()))[0];
    let far = |corners: &[u32; 3]| {
        let corner = soup.vertices[corners[0] as usize];
        (0..3).map(|axis| (corner[axis] - middle[axis]).powi(2)).sum::<f64>()
    };
    let mut triangles = soup.triangles.clone();
    triangles.sort_by(|one, other| far(one).total_cmp(&far(other)));
    triangles.drain(..(share * soup.len() as f64) as usize);
    Soup { vertices: soup.vertices.clone(), triangles }
}

/// How deep a point is below a surface that winds around it; negative if it does not.
fn depth(point: Point, soup: &Soup) -> f64 {
    let nearest = solid::squared_distances(soup, point).into_iter().min().expect("some");
    let distance = exact::square_root(&nearest).low;
    let is_inside = solid::generalised_winding_number(soup, point).is_some_and(|winding| winding.abs() > 0.5 + 1e-9);
    if is_inside { distance } else { -distance }
}

fn point_of(soup: &Soup, rng: &mut Rng) -> Point {
    let [a, b, c] = soup.triangle(rng.below(soup.len()));
    let (mut u, mut v) = (rng.f64(), rng.f64());
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    std::array::from_fn(|axis| a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]))
}

/// Sheets on top of each other wind around points outside of their box.
fn sheets(count: usize) -> Soup {
    let mut all = Soup::default();
    for sheet in 0..count {
        let z = 1e-3 * sheet as f64;
        all.append(&Soup {
            vertices: vec![[-1.0, -1.0, z], [1.0, -1.0, z], [1.0, 1.0, z], [-1.0, 1.0, z]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        });
    }
    all
}

fn any_open(rng: &mut Rng) -> Soup {
    let whole = match rng.below(5) {
        0 => shapes::uv_sphere(6, 8),
        1 => shapes::torus(10, 6, 1.0, 0.4),
        2 => shapes::cuboid([-1.0; 3], [1.0; 3]),
        3 => return sheets(2 + rng.below(6)),
        _ => shapes::axis_bars(1.0, 0.3),
    };
    let share = rng.range(0.05, 0.5);
    with_hole(&whole, share, rng)
}

/// No point of one surface that the other winds around is deeper than `at_most`, and none makes the
/// signed distance lower than its lower bound.
#[test]
fn bounds_hold_below_holes() {
    let mut rng = Rng::new(63);
    let (mut deep, mut beyond_the_found) = (0, 0);
    for round in 0..60 {
        let a = any_open(&mut rng);
        let b = if round % 2 == 0 { any_open(&mut rng) } else { shapes::uv_sphere(5, 6) }.scaled(rng.range(0.2, 1.2));
        let a_from_b = Pose::from_rows(rng.rotation(), rng.point(-1.2, 1.2)).expect("rigid");
        let (rotation, translation) = plain(&a_from_b);
        let posed = pose_soup(&rotation, &translation, &b);
        let (model_a, model_b) = (Model::new(mesh(&a)), Model::new(mesh(&b)));
        let pair = Pair::relative(&model_a, &model_b, &a_from_b).expect("in range").solid();
        let (settings, mut scratch) = (Settings::default(), Scratch::new());
        let tolerance = Tolerance::new(0.05, 0.02);
        let found = pair.local_depth(tolerance, &settings, &mut scratch);
        let signed = pair.distance(tolerance, &settings, &mut scratch);
        for _ in 0..40 {
            let (on_a, on_b) = (point_of(&a, &mut rng), point_of(&posed, &mut rng));
            let deepest = depth(on_a, &posed).max(depth(on_b, &a));
            assert!(deepest <= found.at_most, "round {round}: {deepest} deep, {found:?}");
            // Apart by their surfaces and not one in the other: a distance of its own kind.
            assert!(signed.upper > 0.0 || -deepest >= signed.lower, "round {round}: {deepest} deep, {signed:?}");
            deep += usize::from(deepest > 0.05);
            beyond_the_found += usize::from(deepest > 1.05 * found.depth.max(0.0) + 0.03);
        }
    }
    assert!(deep > 150 && beyond_the_found > 0, "{deep} deep points, {beyond_the_found} deeper than found");
}
