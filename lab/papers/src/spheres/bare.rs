//! Figure 3 and nothing else: which spheres of two trees collide, level by level, and in the end
//! (§9.1) whether polygons in colliding leaves do.
//!
//! The library's refinement also keeps witnesses, bounds on the distance and what it must go on
//! from when it is interrupted; times of the paper's algorithm are of this.

use glam::DVec3;
use nearhit::research::SphereTreeExt;
use nearhit::research::primitive::intersect::intersects;
use nearhit::research::sphere_tree::TreeSphere;
use nearhit::{Pair, SphereTree, Triangle, TrianglePair};

/// Two copies of a tree under way.
pub(super) struct Bare<'t, 'p> {
    tree: &'t SphereTree,
    pair: &'p Pair<'p>,
    /// Spheres that collide, all of one level.
    colliding: Vec<(u32, u32)>,
}

impl<'t, 'p> Bare<'t, 'p> {
    /// At the roots, which collide.
    pub(super) fn new(tree: &'t SphereTree, pair: &'p Pair<'p>) -> Self {
        Self { tree, pair, colliding: vec![(0, 0)] }
    }

    /// Goes down by a level. False if no spheres collide there.
    pub(super) fn step(&mut self) -> bool {
        let (mut next, mut of_a, mut of_b) = (Vec::new(), Vec::new(), Vec::new());
        for &(a, b) in &self.colliding {
            let (a, b) = (self.sphere(a), self.sphere(b));
            let middle_b = self.placed(b);
            of_a.clear();
            of_a.extend(a.children.clone().filter(|&child| {
                let child = self.sphere(child);
                meet(child.center, child.radius, middle_b, b.radius)
            }));
            of_b.clear();
            of_b.extend(b.children.clone().filter_map(|child| {
                let middle = self.placed(self.sphere(child));
                meet(a.center, a.radius, middle, self.sphere(child).radius).then_some((child, middle))
            }));
            for &one in &of_a {
                for &(two, middle) in &of_b {
                    let own = self.sphere(one);
                    if meet(own.center, own.radius, middle, self.sphere(two).radius) {
                        next.push((one, two));
                    }
                }
            }
        }
        self.colliding = next;
        !self.colliding.is_empty()
    }

    /// Do polygons of colliding leaves meet? Leaves share many: each is placed once, and no two are
    /// tested twice.
    pub(super) fn polygons(&self) -> bool {
        let of = |leaf: u32| self.tree.triangles(self.sphere(leaf));
        let most = self.colliding.iter().flat_map(|&(one, two)| of(one).iter().chain(of(two))).max();
        let count = most.map_or(0, |&most| most as usize + 1);
        let mut tested = vec![0_u64; (count * count).div_ceil(64)];
        let mut placed: Vec<[Option<Triangle>; 2]> = vec![[None; 2]; count];
        let mut meet = |a: u32, b: u32| {
            let bit = a as usize * count + b as usize;
            if tested[bit / 64] >> (bit % 64) & 1 == 1 {
                return false;
            }
            tested[bit / 64] |= 1 << (bit % 64);
            let (of_a, of_b) = match (placed[a as usize][0], placed[b as usize][1]) {
                (Some(of_a), Some(of_b)) => (of_a, of_b),
                _ => self.pair.triangles(TrianglePair { a, b }),
            };
            placed[a as usize][0] = Some(of_a);
            placed[b as usize][1] = Some(of_b);
            intersects(&of_a, &of_b)
        };
        self.colliding.iter().any(|&(one, two)| of(one).iter().any(|&a| of(two).iter().any(|&b| meet(a, b))))
    }

    /// §9.2: how far apart the surfaces are at most, by the paper: the least sum of the Hausdorff
    /// distances of two spheres that collide, and the least such sum without their overlap.
    pub(super) fn separation(&self) -> [f64; 2] {
        let mut least = [f64::INFINITY; 2];
        for &(a, b) in &self.colliding {
            let (a, b) = (self.sphere(a), self.sphere(b));
            let sum = a.error + b.error;
            let overlap = a.radius + b.radius - a.center.distance(self.placed(b));
            least = [least[0].min(sum), least[1].min(sum - overlap)];
        }
        least
    }

    fn sphere(&self, index: u32) -> &'t TreeSphere {
        &self.tree.spheres()[index as usize]
    }

    fn placed(&self, sphere: &TreeSphere) -> DVec3 {
        self.pair.a_from_b().apply(sphere.center)
    }
}

fn meet(one: DVec3, radius: f64, other: DVec3, of_other: f64) -> bool {
    let reach = radius + of_other;
    one.distance_squared(other) <= reach * reach
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit::research::sphere_tree::SphereOptions;
    use nearhit::{Model, Pose, Scratch, Settings, Verdict};
    use nearhit_cases::generated;
    use nearhit_testkit::rng::Rng;
    use nearhit_testkit::shapes::robot_arm;

    /// On a tree whose children cover what their parent covers it finds what the exact engine
    /// finds.
    #[test]
    fn it_finds_what_the_exact_engine_finds() {
        let model = Model::new(generated::mesh(&robot_arm(3, 0.7)));
        let tree = SphereTree::build(&model, &SphereOptions::new().depth(2));
        let (mut rng, mut found) = (Rng::new(3), [0, 0]);
        let reach = 0.7 * model.mesh().vertices().iter().map(|at| at.length()).fold(0.0, f64::max);
        for _ in 0..300 {
            let pose = Pose::from_rows(rng.rotation(), rng.point(-reach, reach)).expect("a rotation");
            let pair = Pair::relative(&model, &model, &pose).expect("near");
            let mut bare = Bare::new(&tree, &pair);
            let collides = bare.step() && bare.step() && bare.polygons();
            let truth = pair.collide(&Settings::default(), &mut Scratch::new()).verdict == Verdict::Yes;
            assert_eq!(collides, truth, "{pose:?}");
            found[usize::from(truth)] += 1;
        }
        assert!(found.iter().all(|&count| count > 20), "{found:?}");
    }
}
