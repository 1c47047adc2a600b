//! The paper's own tree and its DAG: merged pass by pass, enlarged until all is covered.

use crate::common::mesh;
use crate::shapes::shapes;
use crate::trees::is_held;
use glam::DVec3;
use nearhit::research::sphere_tree::{Policy, SphereDag, SphereMethod, SphereOptions};
use nearhit::research::{MeshExt, SphereTreeExt};
use nearhit::{Model, Pair, Pose, SphereTree, TrianglePair};
use nearhit_testkit::brute;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes::{axis_bars, robot_arm, torus};

fn options(depth: u32) -> SphereOptions {
    SphereOptions::paper().depth(depth).points(150)
}

/// Two levels of every third mesh, one of the others; two of all where there is time.
fn depth_of(place: usize) -> u32 {
    if place.is_multiple_of(3) || std::env::var_os("NEARHIT_LONG").is_some() { 2 } else { 1 }
}

/// A random point of a triangle, in units of the mesh's size.
fn point_of(model: &Model, index: u32, rng: &mut Rng) -> DVec3 {
    let unit = model.mesh().max_coordinate();
    let [a, b, c] = model.mesh().triangle(index).map(|corner| corner / unit);
    let (u, v) = (rng.f64().sqrt(), rng.f64());
    (a * (1.0 - u) + b * (u * (1.0 - v)) + c * (u * v)) * unit
}

#[test]
fn every_level_of_every_mesh_is_covered() {
    for (place, (name, soup)) in shapes().into_iter().enumerate() {
        let model = Model::new(mesh(&soup));
        let depth = depth_of(place);
        let tree = SphereTree::build(&model, &options(depth));
        assert_eq!(tree.check(model.mesh()), Ok(()), "{name}");
        assert!(!tree.is_exact());
        assert!((0..=depth).all(|level| tree.level(level as usize).len() <= 8usize.pow(level)), "{name}");
    }
}

/// By the safest policy there is a way down to every point of every triangle.
#[test]
fn the_safest_policy_loses_no_point() {
    let mut rng = Rng::new(71);
    for (place, (name, soup)) in shapes().into_iter().enumerate() {
        let model = Model::new(mesh(&soup));
        let unit = model.mesh().max_coordinate();
        let tree = SphereTree::build(&model, &options(depth_of(place + 1)).policy(Policy::Safest));
        assert_eq!((tree.check(model.mesh()), tree.is_exact()), (Ok(()), true), "{name}");
        for _ in 0..200 {
            let index = rng.below(soup.triangles.len()) as u32;
            let point = point_of(&model, index, &mut rng);
            let point = point + (tree.spheres()[0].center - point) * 1e-15;
            assert!(is_held(&tree, 0, point, index, unit), "{name}: {point:?} of triangle {index}");
        }
    }
}

#[test]
fn a_ring_is_divided_along_itself() {
    let model = Model::new(mesh(&torus(32, 12, 1.0, 0.1)));
    let tree = SphereTree::build(&model, &SphereOptions::paper().depth(1).points(600));
    let balls = tree.level(1);
    assert_eq!(balls.len(), 8);
    let mut angles: Vec<f64> = balls.iter().map(|ball| ball.center.y.atan2(ball.center.x)).collect();
    angles.sort_by(f64::total_cmp);
    let gaps = (0..8).map(|i| (angles[(i + 1) % 8] - angles[i]).rem_euclid(std::f64::consts::TAU));
    for gap in gaps {
        assert!((0.25..1.6).contains(&gap), "{angles:?}");
    }
    assert!(balls.iter().all(|ball| ball.center.z.abs() < 0.15 && ball.radius < 0.9), "{balls:?}");
}

#[test]
fn children_are_merged_from_their_parents_spheres() {
    let model = Model::new(mesh(&torus(32, 12, 1.0, 0.1)));
    let tree = SphereTree::build(&model, &SphereOptions::paper().depth(2).points(600));
    assert!(tree.level(2).len() > 30, "{}", tree.level(2).len());
    for parent in tree.level(1) {
        for child in &tree.spheres()[parent.children.start as usize..parent.children.end as usize] {
            assert!(child.center.distance(parent.center) < 1.2 * parent.radius, "{parent:?} {child:?}");
            assert!(child.radius < parent.radius, "{parent:?} {child:?}");
        }
    }
}

#[test]
fn more_points_are_more_spheres_and_threads_change_nothing() {
    let model = Model::new(mesh(&torus(20, 10, 1.0, 0.3)));
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let [one, three] = [1, 3].map(|threads| pool(threads).install(|| SphereTree::build(&model, &options(2))));
    assert_eq!(one, three);
    let [one, three] = [1, 3].map(|threads| pool(threads).install(|| SphereDag::build(&model, &options(2))));
    assert_eq!(one, three);
    let leaves = |points| SphereTree::build(&model, &options(3).points(points)).level(3).len();
    assert!(leaves(40) < leaves(200), "{} {}", leaves(40), leaves(200));
    let medial = |points| SphereOptions::new().method(SphereMethod::Medial).depth(1).points(points);
    assert_ne!(SphereTree::build(&model, &medial(60)), SphereTree::build(&model, &medial(500)));
}

/// All contacts, by brute force in exact arithmetic, though parents do not hold what children hold.
#[test]
fn a_dag_finds_all_contacts() {
    let soups = [torus(16, 8, 1.0, 0.25), robot_arm(2, 0.7), axis_bars(1.0, 0.15)];
    let models: Vec<Model> = soups.iter().map(|soup| Model::new(mesh(soup))).collect();
    let dags: Vec<SphereDag> = models.iter().map(|model| SphereDag::build(model, &options(2))).collect();
    let (mut rng, mut touching, mut repeats, mut all) = (Rng::new(72), 0, 0, 0);
    for (i, j) in (0..9).map(|pair| (pair / 3, pair % 3)) {
        for level in dags[i].levels() {
            assert!(level.iter().all(|sphere| sphere.radius.is_finite()));
        }
        for _ in 0..20 {
            let pose = Pose::from_rows(rng.rotation(), rng.point(-1.5, 1.5)).expect("a rotation");
            let pair = Pair::relative(&models[i], &models[j], &pose).expect("near");
            let (rows, translation) = crate::common::plain(&pose);
            let truth: Vec<TrianglePair> = brute::colliding_pairs(&soups[i], &soups[j], &rows, &translation)
                .into_iter()
                .map(|(a, b)| TrianglePair { a, b })
                .collect();
            assert_eq!(dags[i].contacts(&dags[j], &pair), truth, "{i} {j} {pose:?}");
            repeats += dags[i].meeting(&dags[j], &pair, 2).repeats;
            touching += usize::from(!truth.is_empty());
            all += 1;
        }
    }
    assert!(touching > all / 5 && touching < all && repeats > 100, "{touching} of {all}, {repeats}");
}

/// Spheres of a level have every sphere of the next one for a child that they meet, and no other.
#[test]
fn children_are_all_that_are_met() {
    let model = Model::new(mesh(&torus(16, 8, 1.0, 0.25)));
    let dag = SphereDag::build(&model, &options(2));
    assert!(dag.is_of(model.mesh()));
    assert_eq!(dag.levels().len(), 3);
    let mut shared = 0;
    for two in dag.levels().windows(2) {
        for sphere in &two[0] {
            for (place, other) in two[1].iter().enumerate() {
                let gap = sphere.center.distance(other.center) - sphere.radius - other.radius;
                let is_child = sphere.children.contains(&(place as u32));
                assert!(gap.abs() < 1e-9 || is_child == (gap < 0.0));
            }
        }
        let links: usize = two[0].iter().map(|sphere| sphere.children.len()).sum();
        shared += links.saturating_sub(two[1].len());
    }
    assert!(shared > 10, "{shared}");
}
