//! A first guess: two leaves that are probably near each other, at the price of about one opening.
//!
//! A search that ends at the first pair of triangles near enough, or prunes by the best pair so
//! far, wants a near pair early. A *dive* goes down one tree at a time, without any relation of
//! frames: into the slot whose box is nearest to a point, to a leaf; from there to the nearest leaf
//! of the other tree, and back, a few times. It proves nothing, and decides nothing: what it ends
//! at is looked at like any other pair of leaves.

use super::Packed;
use super::dispatch::{Kernel, dispatch};
use super::lanes::{Simd, WIDTH};
use super::node::{Content, WideNode};
use super::open::lanes;
use super::relation::Between;

/// Dives down either tree.
const ROUNDS: usize = 2;

/// Where boxes overlap, that with the nearer middle: this part of its squared distance is added.
const MIDDLE: f32 = 1.0 / 16.0;

/// Two leaves, and how many slots were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) leaf_a: u32,
    pub(super) leaf_b: u32,
    pub(super) tests: u64,
}

/// Two leaves that are near each other, if the trees are not made of anything unusual.
#[inline]
pub(super) fn guess(trees: (&Packed, &Packed), between: &Between) -> Guess {
    dispatch(Dive { trees, between })
}

struct Dive<'t> {
    trees: (&'t Packed, &'t Packed),
    between: &'t Between,
}

impl Kernel for Dive<'_> {
    type Output = Guess;

    #[inline(always)]
    fn run<S: Simd>(self) -> Guess {
        let (a, b) = self.trees;
        let mut guess = Guess { leaf_a: 0, leaf_b: 0, tests: 0 };
        // From the middle of b: about each model's own centre, as everything in the trees.
        let mut point = self.between.seen_from_a(&[0.0; 3]);
        for _ in 0..ROUNDS {
            (guess.leaf_a, point) = nearest_leaf::<S>(a, &point, &mut guess.tests);
            (guess.leaf_b, point) = nearest_leaf::<S>(b, &self.between.seen_from_b(&point), &mut guess.tests);
            point = self.between.seen_from_a(&point);
        }
        guess
    }
}

/// The leaf that the way of the nearest boxes leads to, and a point of its box near to `point`.
/// Ends: children come after their parents.
#[inline(always)]
fn nearest_leaf<S: Simd>(tree: &Packed, point: &[f32; 3], tests: &mut u64) -> (u32, [f32; 3]) {
    let mut node = &tree.nodes[0];
    loop {
        let local = node.frame.local(point);
        let lane = nearest_slot::<S>(node, &local);
        *tests += u64::from(node.count);
        match node.content(lane) {
            Content::Node(child) => node = &tree.nodes[child as usize],
            Content::Leaf(leaf) => return (leaf, node.frame.global(&node.clamped(lane, &local))),
        }
    }
}

/// The slot whose box is nearest to a point of the node's frame. Without fused operations: the same
/// on every path.
#[inline(always)]
fn nearest_slot<S: Simd>(node: &WideNode, local: &[f32; 3]) -> usize {
    let zero = S::splat(0.0);
    let (mut outside, mut from_middle) = (zero, zero);
    for axis in 0..3 {
        let apart = S::splat(local[axis]).sub(S::load(&node.center[axis])).abs();
        let beyond = apart.sub(S::load(&node.half[axis])).max(zero);
        outside = outside.add(beyond.mul(beyond));
        from_middle = from_middle.add(apart.mul(apart));
    }
    let squared = outside.add(from_middle.mul(S::splat(MIDDLE)));
    let nearest = squared.below(S::splat(squared.smallest().next_up())) & lanes(node.count);
    // Numbers that are none, or too large: any will do.
    if nearest == 0 { 0 } else { nearest.trailing_zeros() as usize % WIDTH }
}

#[cfg(test)]
mod tests {
    use super::super::Preset;
    use super::super::kernels::Path;
    use super::super::lanes::Portable;
    use super::*;
    use crate::mesh::Mesh;
    use crate::pose::Pose;
    use crate::primitive::distance::distance;
    use glam::DVec3;
    use nearhit_testkit::rng::Rng;

    /// A wavy sheet of 2 · 20 · 20 triangles.
    fn sheet() -> Mesh {
        let at = |i: u32, j: u32| {
            let (x, y) = (f64::from(i) / 10.0 - 1.0, f64::from(j) / 10.0 - 1.0);
            [x, y, 0.2 * (3.0 * x).sin() * (2.0 * y).cos()]
        };
        let vertices: Vec<[f64; 3]> = (0..21 * 21).map(|index| at(index / 21, index % 21)).collect();
        let cell = |index: u32| {
            let corner = index / 20 * 21 + index % 20;
            [[corner, corner + 1, corner + 21], [corner + 1, corner + 22, corner + 21]]
        };
        Mesh::new(&vertices, &(0..400).flat_map(cell).collect::<Vec<_>>()).expect("legal")
    }

    /// The least distance of triangles of two leaves.
    fn between_leaves(tree: &Packed, mesh: &Mesh, a_from_b: &Pose, leaves: (&[u32], &[u32])) -> f64 {
        assert!(!tree.nodes.is_empty());
        let pairs = leaves.0.iter().flat_map(|&a| leaves.1.iter().map(move |&b| (a, b)));
        let apart = |(a, b)| distance(&mesh.triangle(a), &mesh.triangle(b).map(|corner| a_from_b.apply(corner)));
        pairs.map(|pair| apart(pair).distance).fold(f64::INFINITY, f64::min)
    }

    /// A guess cannot be wrong, only bad: so it is held to the nearest of all pairs, and to the
    /// same leaves on every path.
    #[test]
    fn guesses_are_near_the_nearest() {
        let (mesh, mut rng) = (sheet(), Rng::new(23));
        let tree = Packed::build(&mesh, Preset::Balanced).expect("in range");
        let (all, mut good, mut rounds) = ((0..800).collect::<Vec<u32>>(), 0, 0);
        for round in 0..12 {
            // Above each other, or anywhere around.
            let (turn, way) = (rng.rotation(), DVec3::from_array(rng.unit_vector()) * rng.range(1.5, 4.0));
            let pose = if round % 2 == 0 {
                Pose::from_translation([0.1 * way.x, 0.1 * way.y, rng.range(0.1, 1.0)]).expect("finite")
            } else {
                Pose::from_rows(turn, way.to_array()).expect("a rotation")
            };
            let between = Between::new(pose.rotation(), pose.apply(tree.center) - tree.center, 1e-12);
            let found = guess((&tree, &tree), &between);
            assert_eq!(found, Dive { trees: (&tree, &tree), between: &between }.run::<Portable>());
            assert!(found.tests > 0 && found.tests <= 4 * 8 * 8, "{}", found.tests);
            let leaves = (tree.leaves.ids(found.leaf_a), tree.leaves.ids(found.leaf_b));
            let (guessed, least) =
                (between_leaves(&tree, &mesh, &pose, leaves), between_leaves(&tree, &mesh, &pose, (&all, &all)));
            good += usize::from(guessed <= 1.5 * least + 0.05);
            rounds += 1;
        }
        assert!(good * 10 >= rounds * 8, "{good} of {rounds} on {}", Path::chosen().name);
    }
}
