//! Does every tree cover its mesh, at every level and from the root down, and are its errors true?

use crate::common::mesh;
use crate::shapes::shapes;
use glam::DVec3;
use nearhit::research::MeshExt;
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions};
use nearhit::research::sphere_tree::{SearchEffort, Side, inaccuracy};
use nearhit::{Model, SphereTree};
use nearhit_testkit::Soup;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes::{cuboid, engine_block, icosphere, torus};
use nearhit_testkit::solid::{box_distance, torus_distance};

const METHODS: [SphereMethod; 2] = [SphereMethod::Medial, SphereMethod::Octree];

fn quick(model: &Model, method: SphereMethod, depth: u32) -> SphereTree {
    SphereTree::build(model, &SphereOptions::new().depth(depth).method(method).effort(BuildEffort::Quick))
}

/// Is there a way from the root to a leaf that has the triangle, through balls that hold the point?
pub(crate) fn is_held(tree: &SphereTree, sphere: u32, point: DVec3, triangle: u32, unit: f64) -> bool {
    let ball = &tree.spheres()[sphere as usize];
    if (point / unit).distance(ball.center / unit) > ball.radius / unit {
        return false;
    }
    if ball.children.is_empty() {
        return tree.triangles(ball).contains(&triangle);
    }
    ball.children.clone().any(|child| is_held(tree, child, point, triangle, unit))
}

#[test]
fn every_mesh_is_covered() {
    let mut rng = Rng::new(41);
    for (name, soup) in shapes() {
        let model = Model::new(mesh(&soup));
        let unit = model.mesh().max_coordinate();
        for method in METHODS {
            let tree = quick(&model, method, 2);
            assert_eq!(tree.check(model.mesh()), Ok(()), "{name} {method:?}");
            assert_eq!(tree.levels().len(), 3);
            for level in 0..3 {
                assert!(tree.level(level).len() <= 8usize.pow(level as u32), "{name} {method:?}");
            }
            for _ in 0..500 {
                let index = rng.below(soup.triangles.len()) as u32;
                let [a, b, c] = model.mesh().triangle(index).map(|corner| corner / unit);
                let (u, v) = (rng.f64().sqrt(), rng.f64());
                let point = (a * (1.0 - u) + b * (u * (1.0 - v)) + c * (u * v)) * unit;
                // What the point itself is rounded by.
                let inward = |ball: DVec3| point + (ball - point) * 1e-15;
                let point = inward(tree.spheres()[0].center);
                assert!(is_held(&tree, 0, point, index, unit), "{name} {method:?}: {point:?} of triangle {index}");
            }
        }
    }
}

/// A tree that misses something is found out.
#[test]
fn the_check_finds_what_is_missing() {
    let model = Model::new(mesh(&torus(24, 12, 1.0, 0.3)));
    let tree = quick(&model, SphereMethod::Medial, 2);
    // The same tree says of a slightly larger body that something sticks out.
    let larger = mesh(&torus(24, 12, 1.0, 0.3).scaled(1.02));
    let flaw = tree.check(&larger).expect_err("not covered");
    assert!(flaw.to_string().contains("does not cover triangle"), "{flaw}");
}

#[test]
fn builds_do_not_depend_on_threads() {
    let model = Model::new(mesh(&torus(20, 10, 1.0, 0.3)));
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let [one, three] = [1, 3].map(|threads| pool(threads).install(|| quick(&model, SphereMethod::Medial, 2)));
    assert_eq!(one, three);
    if std::env::var_os("NEARHIT_LONG").is_some() {
        // So many triangles that several trees are begun.
        let model = Model::new(mesh(&torus(64, 18, 1.0, 0.3)));
        let options = SphereOptions::new().depth(3);
        let [one, three] = [1, 3].map(|threads| pool(threads).install(|| SphereTree::build(&model, &options)));
        assert_eq!(one, three);
    }
}

/// With all care, too: balls that move, give away and take over must lose nothing, whatever the
/// mesh is like.
#[test]
fn careful_trees_cover_every_mesh() {
    let depth = if std::env::var_os("NEARHIT_LONG").is_some() { 3 } else { 1 };
    for (name, soup) in shapes() {
        let model = Model::new(mesh(&soup));
        let tree = SphereTree::build(&model, &SphereOptions::new().depth(depth));
        assert_eq!(tree.check(model.mesh()), Ok(()), "{name}");
        assert!((0..=depth).all(|level| tree.level(level as usize).len() <= 8usize.pow(level)), "{name}");
    }
}

/// Through open bores a search for a deeper centre must not leave the body: far outside, everything
/// would seem deep.
#[test]
fn balls_do_not_escape_through_holes() {
    let model = Model::new(mesh(&engine_block(4, 16, 3)));
    let tree = SphereTree::build(&model, &SphereOptions::new().depth(3));
    let root = &tree.spheres()[0];
    for level in 1..=3 {
        let largest = tree.level(level).iter().map(|ball| ball.radius).fold(0.0, f64::max);
        assert!(largest < 0.6 * root.radius, "level {level}: {largest} of {}", root.radius);
    }
    // Balls over the bores' ends stick out no farther than the bores are wide.
    let effort = SearchEffort { relative: 0.05, most: 1000 };
    let out = |ball: &nearhit::research::sphere_tree::TreeSphere| {
        inaccuracy(&model, ball.center, ball.radius, Side::Outside, effort).upper
    };
    let farthest = tree.level(1).iter().map(out).fold(0.0, f64::max);
    assert!(farthest < 0.3 * root.radius, "{farthest} of {}", root.radius);
}

/// Leaves are no smaller than a fourth of a triangle each: one triangle needs no thousands of
/// balls.
#[test]
fn few_triangles_are_refined_with_shallow_trees() {
    let depth = |triangles| SphereOptions::for_triangles(triangles).depth;
    assert_eq!([1, 2, 3, 16, 17, 128, 129, 100_000].map(depth), [1, 1, 2, 2, 3, 3, 4, 4]);
}

/// From a surface that a formula describes.
type Distance = fn([f64; 3]) -> f64;

/// Points of each sphere are no farther from the surface than its error, and the error is not far
/// above the largest distance. Judged by closed formulas.
#[test]
fn errors_are_true_and_not_idle() {
    let cases: [(Soup, Distance); 2] = [
        (cuboid([-1.0, -0.5, -0.2], [1.0, 0.5, 0.2]), |p| box_distance([-1.0, -0.5, -0.2], [1.0, 0.5, 0.2], p).abs()),
        (torus(96, 48, 1.0, 0.3), |p| torus_distance(1.0, 0.3, p).abs()),
    ];
    let mut rng = Rng::new(42);
    for (soup, distance) in cases {
        let model = Model::new(mesh(&soup));
        let facets = if soup.len() > 12 { 0.004 } else { 1e-12 };
        for method in METHODS {
            let tree = quick(&model, method, 2);
            for sphere in tree.spheres() {
                let on = |rng: &mut Rng| sphere.center + DVec3::from_array(rng.unit_vector()) * sphere.radius;
                let seen = (0..600).map(|_| distance(on(&mut rng).to_array())).fold(0.0, f64::max);
                assert!(seen <= sphere.error + facets, "{method:?} {sphere:?}: {seen}");
                assert!(sphere.error <= 1.3 * seen + 0.03, "{method:?} {sphere:?}: {seen}");
                let witness = distance(sphere.witness.to_array());
                assert!(witness <= facets, "{sphere:?}: {witness}");
            }
        }
    }
}

/// A unit ball's protrusion over a cube it encloses, and nothing for one inside.
#[test]
fn protrusion_counts_only_outside() {
    let model = Model::new(mesh(&cuboid([-1.0; 3], [1.0; 3])));
    let effort = SearchEffort { relative: 0.01, most: 20_000 };
    let out = |radius| inaccuracy(&model, DVec3::ZERO, radius, Side::Outside, effort);
    let both = |radius| inaccuracy(&model, DVec3::ZERO, radius, Side::Both, effort);
    let root = 3f64.sqrt();
    assert!(out(root).lower <= root - 1.0 && root - 1.0 <= out(root).upper && out(root).upper < 1.02 * (root - 1.0));
    assert!(out(0.9).upper < 1e-3);
    // From inside the corners are nearest to a face, the middles of the faces too: the farthest are
    // in between.
    let inner = 0.9;
    assert!(both(inner).lower >= 1.0 - inner / root - 1e-3 && both(inner).upper <= 1.01 * (1.0 - inner / root) + 1e-3);
}

/// Medial trees fit better than octrees: the point of the paper.
#[test]
fn medial_trees_are_tighter_than_octrees() {
    for soup in [torus(40, 20, 1.0, 0.25), icosphere(8)] {
        let model = Model::new(mesh(&soup));
        let [medial, octree] = METHODS.map(|method| {
            let tree = quick(&model, method, 2);
            [1, 2].map(|level| {
                let spheres = tree.level(level);
                let out = |it: &nearhit::research::sphere_tree::TreeSphere| {
                    inaccuracy(&model, it.center, it.radius, Side::Outside, SearchEffort::CAREFUL).upper
                };
                spheres.iter().map(out).sum::<f64>() / spheres.len() as f64
            })
        });
        assert!(medial[0] < 0.7 * octree[0] && medial[1] < 0.4 * octree[1], "{medial:?} {octree:?}");
    }
}

/// Spheres beyond all legal coordinates have an error like others, and what is no sphere has none
/// that is known.
#[test]
fn spheres_of_any_size_have_an_error() {
    let model = Model::new(mesh(&cuboid([-1.0; 3], [1.0; 3])));
    for radius in [1e150, 6e299, 1e300, 1e307] {
        let found = inaccuracy(&model, DVec3::ZERO, radius, Side::Both, SearchEffort::CAREFUL);
        assert!(found.lower <= radius && radius <= found.upper * (1.0 + 1e-12), "{radius}: {found:?}");
        assert!(found.upper <= 1.06 * radius, "{radius}: {found:?}");
    }
    for (center, radius) in [(DVec3::NAN, 1.0), (DVec3::ZERO, f64::NAN), (DVec3::INFINITY, 1.0)] {
        let found = inaccuracy(&model, center, radius, Side::Outside, SearchEffort::QUICK);
        assert_eq!((found.lower, found.upper), (0.0, f64::INFINITY));
    }
}

/// Slivers have so little area that points of them are too far apart to be counted in steps of the
/// distance of neighbours.
#[test]
fn slivers_have_trees() {
    for thin in [1e-20, 1e-40, 1e-150, 1e-300] {
        let sliver = Soup {
            vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, thin, 0.0], [-1.0, 0.0, 0.0]],
            triangles: vec![[0, 1, 2], [3, 0, 2]],
        };
        let model = Model::new(mesh(&sliver));
        for method in METHODS {
            let tree = quick(&model, method, 2);
            let ball = &tree.level(0)[0];
            let is_in = |corner: &[f64; 3]| (DVec3::from_array(*corner) - ball.center).length() <= ball.radius;
            assert!(sliver.vertices.iter().all(is_in), "{thin:e}, {method:?}: {ball:?}");
        }
    }
}
