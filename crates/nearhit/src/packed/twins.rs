//! Nodes below which all triangles have the same corners, and one leaf that stands for all of them.
//!
//! Bounds are lower than distances by their rounding, so no bound tells one of two equal pairs from
//! the other: of 3,000 triangles in one place and 3,000 in another, a search for the nearest looked
//! at all nine million pairs.
//! Where any of them will do ([`crate::traverse::Question::takes_one_of_equals`]), it now looks at
//! those of one leaf each.

use super::Packed;
use super::node::Content;
use crate::mesh::{Mesh, Triangle};

/// Ids of such nodes, in order, each with the leaf.
pub(super) type Twins = Vec<(u32, u32)>;

/// What is below a node or in a leaf.
#[derive(Debug, Clone, Copy)]
enum Below {
    /// Nothing but copies of a triangle; a leaf that has one.
    Same(Triangle, u32),
    Various,
}

impl Below {
    fn of_leaf(tree: &Packed, mesh: &Mesh, leaf: u32) -> Self {
        let ids = tree.leaves.ids(leaf);
        let first = mesh.triangle(ids[0]);
        if ids.iter().all(|&id| mesh.triangle(id) == first) { Self::Same(first, leaf) } else { Self::Various }
    }

    fn joined(self, other: Self) -> Self {
        match (self, other) {
            (Self::Same(first, leaf), Self::Same(second, _)) if first == second => Self::Same(first, leaf),
            _ => Self::Various,
        }
    }
}

impl Packed {
    /// With its twins found; from the leaves up, in proportion to the triangles.
    pub(super) fn with_twins(mut self, mesh: &Mesh) -> Self {
        let mut below = vec![Below::Various; self.nodes.len()];
        self.twins.clear();
        // Children come after their parents.
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let of = |content| match content {
                Content::Node(child) => below[child as usize],
                Content::Leaf(leaf) => Below::of_leaf(&self, mesh, leaf),
            };
            let Some(all) = node.contents().map(of).reduce(Below::joined) else { continue };
            below[index] = all;
            if let Below::Same(_, leaf) = all {
                self.twins.push((index as u32, leaf));
            }
        }
        self.twins.reverse();
        self.twins.shrink_to_fit();
        self
    }

    /// The leaf that stands for all that is in a slot, or what is in it.
    ///
    /// Few meshes have copies: out of the way of those that have none.
    #[cold]
    #[inline(never)]
    pub(super) fn stand_in(&self, content: Content) -> Content {
        match content {
            Content::Node(node) => match self.twins.binary_search_by_key(&node, |&(id, _)| id) {
                Ok(found) => Content::Leaf(self.twins[found].1),
                Err(_) => content,
            },
            Content::Leaf(_) => content,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Preset;
    use super::super::lanes::WIDTH;
    use super::*;
    use nearhit_testkit::rng::Rng;

    /// Copies of a few triangles that share their first corner, shuffled.
    fn copies(kinds: usize, each: usize) -> Mesh {
        let mut rng = Rng::new(5);
        let vertices: Vec<[f64; 3]> = (0..3 * kinds).map(|_| rng.point(-1.0, 1.0)).collect();
        let mut triangles: Vec<[u32; 3]> = (0..kinds * each)
            .map(|index| [0, 3 * (index % kinds) + 1, 3 * (index % kinds) + 2].map(|corner| corner as u32))
            .collect();
        rng.shuffle(&mut triangles);
        Mesh::new(&vertices, &triangles).expect("legal")
    }

    fn below(tree: &Packed, content: Content) -> Vec<u32> {
        match content {
            Content::Leaf(leaf) => tree.leaves.ids(leaf).to_vec(),
            Content::Node(node) => {
                tree.nodes[node as usize].contents().flat_map(|content| below(tree, content)).collect()
            }
        }
    }

    #[test]
    fn stand_ins_have_the_only_triangle_there_is() {
        for (preset, kinds) in Preset::ALL.into_iter().flat_map(|preset| [(preset, 1), (preset, 3)]) {
            let mesh = copies(kinds, 500);
            let tree = Packed::build(&mesh, preset).expect("in range");
            assert!(!tree.twins.is_empty());
            for node in 0..tree.nodes.len() as u32 {
                let all = below(&tree, Content::Node(node));
                let is_same = all.iter().all(|&id| mesh.triangle(id) == mesh.triangle(all[0]));
                let stand_in = tree.stand_in(Content::Node(node));
                assert_eq!(is_same, matches!(stand_in, Content::Leaf(_)), "node {node}");
                assert_eq!(mesh.triangle(below(&tree, stand_in)[0]), mesh.triangle(all[0]));
            }
        }
        let few = WIDTH + 1;
        assert!(Packed::build(&copies(few, 1), Preset::Fast).expect("in range").twins.is_empty());
    }
}
