//! Do balls that take over what others had keep the tree exact? Asked by needles that touch the
//! surface in one place only.

use crate::trees::is_held;
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::Policy;
use nearhit::research::sphere_tree::{BuildEffort, SphereOptions};
use nearhit::{Budget, Mesh, Model, Pair, Pose, Refinement, Scratch, Settings, SpherePair, SphereTree, Verdict};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes::{robot_arm, torus};

#[test]
fn careful_trees_miss_no_needle_and_looser_ones_never_deny_one() {
    let soup = torus(20, 10, 1.0, 0.35);
    let model = Model::new(Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh"));
    let careful = SphereOptions::new().depth(3).effort(BuildEffort::Full);
    let loose = careful.policy(Policy::Looser);
    let (safest, looser) = (SphereTree::build(&model, &careful), SphereTree::build(&model, &loose));
    assert_eq!((safest.check(model.mesh()), looser.check(model.mesh())), (Ok(()), Ok(())));
    assert!(safest.is_exact() && !looser.is_exact());
    let corners = [[-1e-3, 0.0, 0.0], [1e-3, 0.0, 0.0], [0.0, 1e-4, 0.0]];
    let needle = Model::new(Mesh::new(&corners, &[[0, 1, 2]]).expect("a triangle"));
    let tip = SphereTree::build(&needle, &careful.depth(0));
    let (mut rng, mut scratch, mut refinement) = (Rng::new(951), Scratch::new(), Refinement::default());
    let (mut touching, mut missed) = (0, 0);
    for _ in 0..6_000 {
        let [a, b, c] = model.mesh().triangle(rng.below(soup.triangles.len()) as u32);
        let (u, v) = (rng.range(0.0, 1.0).sqrt(), rng.range(0.0, 1.0));
        let at = a * (1.0 - u) + b * (u * (1.0 - v)) + c * (u * v);
        let pose = Pose::from_rows(rng.rotation(), at.to_array()).expect("a pose");
        let pair = Pair::relative(&model, &needle, &pose).expect("near");
        let exact = pair.collide(&Settings::default(), &mut scratch).verdict;
        let mut ask = |tree| {
            refinement.restart();
            refinement.run(&SpherePair::new(pair, tree, &tip), &Budget::UNLIMITED).verdict
        };
        assert_eq!(ask(&safest), exact, "at {at}");
        let loosely = ask(&looser);
        assert!(loosely == exact || loosely == Verdict::Maybe, "{loosely:?} for {exact:?} at {at}");
        touching += usize::from(exact == Verdict::Yes);
        missed += usize::from(exact == Verdict::Yes && loosely == Verdict::Maybe);
    }
    assert!(touching > 5_000 && missed > 0, "{missed} of {touching}: the looser policy is not exact");
}

/// Points anywhere on the surface: a ball may have only what all balls above it hold. Asked of a
/// model on which balls of the second level reach far out of those of the first.
#[test]
fn careful_trees_lose_no_point_on_the_way_down() {
    let soup = robot_arm(4, 0.7);
    let model = Model::new(Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh"));
    let tree = SphereTree::build(&model, &SphereOptions::new().depth(3));
    let mut rng = Rng::new(952);
    for _ in 0..20_000 {
        let index = rng.below(soup.triangles.len()) as u32;
        let [a, b, c] = model.mesh().triangle(index);
        let (u, v) = (rng.f64().sqrt(), rng.f64());
        let point = a * (1.0 - u) + b * (u * (1.0 - v)) + c * (u * v);
        assert!(is_held(&tree, 0, point, index, 1.0), "{point} of triangle {index}");
    }
}
