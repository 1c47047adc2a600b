//! Every rule on every size, on degenerate sets and for any number of threads.

use super::*;
use crate::hierarchy::Content;
use crate::volume::Support;
use crate::volume::aabb::Aabb;
use crate::volume::kdop::KDop;
use crate::volume::obb::Obb;
use crate::volume::sphere::Sphere;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;

fn every_option() -> Vec<BuildOptions> {
    let positions = [
        PositionRule::Mean,
        PositionRule::Median,
        PositionRule::Best { candidates: 5, cost: Cost::Volume },
        PositionRule::Best { candidates: usize::MAX, cost: Cost::Surface },
    ];
    let axes = [AxisRule::Splatter, AxisRule::LongestSide, AxisRule::OrientedBox, AxisRule::MinSum, AxisRule::MinMax];
    let leaf_cost = LeafCost { volume_test: 1.0, triangle_test: 1.5, likelihood: Cost::Surface };
    let plain = BuildOptions::default();
    let mut options = Vec::new();
    for axis in axes {
        for position in positions {
            options.push(BuildOptions { axis, position, ..plain });
        }
        options.push(BuildOptions { axis, directions: Directions::All, leaf_size: 3, ..plain });
    }
    for cost in [Cost::Volume, Cost::Surface] {
        let method = Method::BottomUp { cost };
        options.push(BuildOptions { method, ..plain });
        options.push(BuildOptions { method, leaf_size: 4, degree: 4, ..plain });
    }
    options.push(BuildOptions::obb_tree());
    options.push(BuildOptions { degree: 3, ..plain });
    options.push(BuildOptions { degree: 8, leaf_size: 2, ..plain });
    options.push(BuildOptions { leaf_cost: Some(leaf_cost), ..plain });
    options.push(BuildOptions {
        leaf_cost: Some(LeafCost { likelihood: Cost::Volume, ..leaf_cost }),
        degree: 5,
        ..plain
    });
    options
}

fn mesh(corners: impl Iterator<Item = [[f64; 3]; 3]>) -> Mesh {
    let vertices: Vec<[f64; 3]> = corners.flatten().collect();
    let triangles: Vec<[u32; 3]> = (0..vertices.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(&vertices, &triangles).expect("a mesh")
}

fn check<V: Support>(mesh: &Mesh, options: &BuildOptions) -> Hierarchy<V> {
    let tree = build::<V>(mesh, options);
    let at = || format!("{} triangles as {} by {options:?}", mesh.triangles().len(), V::NAME);
    tree.check(mesh).unwrap_or_else(|violation| panic!("{}: {violation}", at()));
    for node in tree.nodes() {
        match node.content() {
            Content::Children(children) => assert!((2..=options.degree).contains(&children.len()), "{}", at()),
            Content::Triangles(run) => {
                assert!(options.leaf_cost.is_some() || run.len() <= options.leaf_size, "{}", at());
            }
        }
    }
    assert!(tree.height() <= 235, "{}", at());
    tree
}

#[test]
fn every_rule_builds_sound_trees_of_every_size() {
    let mut rng = Rng::new(64);
    for size in 1..=64 {
        let soup = mesh((0..size).map(|_| {
            let middle = rng.point(-5.0, 5.0);
            [(); 3].map(|()| std::array::from_fn(|axis| middle[axis] + rng.range(-1.0, 1.0)))
        }));
        for options in every_option() {
            check::<Aabb>(&soup, &options);
            if size % 9 == 0 {
                check::<KDop<13>>(&soup, &options);
                check::<Sphere>(&soup, &options);
                check::<Obb>(&soup, &options);
            }
        }
    }
}

#[test]
fn every_rule_copes_with_degenerate_sets() {
    let sets: [&dyn Fn(f64) -> [[f64; 3]; 3]; 6] = [
        // All the same.
        &|_| [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        // All one point.
        &|_| [[1.0, 2.0, 3.0]; 3],
        // Different triangles about one centroid.
        &|i| [[i, 0.0, 0.0], [-i, i, 0.0], [0.0, -i, 0.0]],
        // On a line, at growing distances.
        &|i| [[i.exp2(), 0.0, 0.0], [i.exp2(), 0.0, 0.0], [0.5 * i.exp2(), 0.0, 0.0]],
        // Flat, as large as can be.
        &|i| {
            [[1e300, i * 1e299, 0.0], [-1e300, i * 1e299, 0.0], [0.0, i * 1e299, 0.0]]
                .map(|p| p.map(|x: f64| x.clamp(-1e300, 1e300)))
        },
        // As small as can be.
        &|i| [[5e-324 * i, 0.0, 5e-324], [0.0, 5e-324, 0.0], [0.0; 3]],
    ];
    for set in sets {
        let soup = mesh((0..40).map(|i| set(f64::from(i))));
        for options in every_option() {
            check::<Aabb>(&soup, &options);
            check::<KDop<7>>(&soup, &options);
            check::<Sphere>(&soup, &options);
        }
    }
}

#[test]
fn any_number_of_threads_builds_the_same_tree_by_every_rule() {
    let soup = shapes::pipes(5000, 1);
    let soup = Mesh::new(&soup.vertices, &soup.triangles).expect("pipes");
    for options in every_option() {
        let build_with =
            |threads| crate::parallel::with_threads(threads, || build::<Aabb>(&soup, &options)).expect("a thread pool");
        assert!(build_with(1) == build_with(3), "{options:?}");
    }
}

/// What each rule is for, on a mesh where it shows: less total volume than the paper's default.
#[test]
fn rules_that_optimise_do() {
    let soup = shapes::pipes(3000, 7);
    let soup = Mesh::new(&soup.vertices, &soup.triangles).expect("pipes");
    let total = |options: BuildOptions| -> f64 {
        check::<KDop<9>>(&soup, &options).nodes().iter().map(|node| node.volume.measure(1.0).volume).sum()
    };
    let plain = BuildOptions::default();
    let default = total(plain);
    let median = total(BuildOptions { position: PositionRule::Median, ..plain });
    let min_sum = total(BuildOptions { axis: AxisRule::MinSum, ..plain });
    let position = PositionRule::Best { candidates: 12, cost: Cost::Surface };
    let best = total(BuildOptions { axis: AxisRule::MinSum, position, ..plain });
    assert!(min_sum < default && default < median, "{min_sum} {default} {median}");
    assert!(best < default, "{best} {default}");
}

/// Every inner node of an OBBTree against its own box: parts lie on either side of the mean along
/// the longest axis, or of the next where that one has an empty side.
#[test]
fn boxes_are_split_across_their_longest_axis_at_the_mean() {
    let soup = shapes::pipes(3000, 5);
    let soup = Mesh::new(&soup.vertices, &soup.triangles).expect("pipes");
    let tree = check::<Obb>(&soup, &BuildOptions::obb_tree());
    let middle = |&id: &u32| soup.triangle(id).into_iter().sum::<glam::DVec3>() / 3.0;
    let mut judged = 0;
    for (id, node) in tree.nodes().iter().enumerate() {
        let below = tree.triangles_below(id as u32);
        let Content::Children(children) = node.content() else { continue };
        if below.len() < 4 {
            continue;
        }
        let mean = below.iter().map(middle).sum::<glam::DVec3>() / below.len() as f64;
        let extents = node.volume.half_extents();
        let longest = node.volume.axes().col(extents.max_position());
        let along = |id: &u32| longest.dot(middle(id) - mean);
        if below.iter().any(|id| along(id).abs() < 1e-9)
            || extents.to_array().iter().filter(|&&e| e > 0.999 * extents.max_element()).count() > 1
        {
            continue;
        }
        let side = |child: u32| tree.triangles_below(child).iter().map(|id| along(id) > 0.0).collect::<Vec<_>>();
        let sides: Vec<Vec<bool>> = children.map(side).collect();
        assert!(sides.iter().all(|part| part.iter().all(|&over| over == part[0])), "node {id}: {sides:?}");
        assert_ne!(sides[0][0], sides[1][0], "node {id}");
        judged += 1;
    }
    assert!(judged > 300, "{judged}");
}

#[test]
fn leaves_merge_when_triangles_are_cheap_and_not_when_they_are_dear() {
    let soup = shapes::wrinkled_torus(20, 10, 2);
    let soup = Mesh::new(&soup.vertices, &soup.triangles).expect("a torus");
    let leaves = |triangle_test: f64| {
        let leaf_cost = LeafCost { volume_test: 1.0, triangle_test, likelihood: Cost::Surface };
        let options = BuildOptions { leaf_cost: Some(leaf_cost), ..BuildOptions::default() };
        check::<KDop<9>>(&soup, &options).nodes().iter().filter(|node| node.is_leaf()).count()
    };
    assert_eq!(leaves(1e9), soup.triangles().len());
    assert_eq!(leaves(1e-9), 1);
    assert!((10..300).contains(&leaves(0.5)), "{}", leaves(0.5));
}
