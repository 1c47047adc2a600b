//! Is a tree well formed? Asked after every build in tests, and of every tree that comes from
//! outside.

use super::{Content, Hierarchy, Node, Skeleton};
use crate::error::Violation;
use crate::mesh::Mesh;
use crate::parallel::*;
use crate::volume::{BoundingVolume, Support};
use std::ops::Range;

impl<V: Support> Hierarchy<V> {
    /// Checks shape, completeness and enclosure against the mesh the tree was built from.
    ///
    /// Complexity: the number of triangles for volumes that nest ([`BoundingVolume::merged`]),
    /// times the height for others.
    pub fn check(&self, mesh: &Mesh) -> Result<(), Violation> {
        self.check_shape(mesh.triangles().len())?;
        let runs = self.runs_below();
        // A tile need not enclose its triangle; the node it was cut from does.
        let outside = |id: usize| {
            let triangle = self.outside(&self.nodes[id], runs[id].clone(), mesh)?;
            Some(Violation::Outside { node: id as u32, triangle })
        };
        (0..self.untiled).into_par_iter().find_map_first(outside).map_or(Ok(()), Err)
    }

    /// A triangle that a node should enclose and does not.
    fn outside(&self, node: &Node<V>, below: Range<u32>, mesh: &Mesh) -> Option<u32> {
        let nests = |child: u32| node.volume.merged(&self.node(child).volume) == Some(node.volume);
        match node.content() {
            // What the children enclose is enclosed, then.
            Content::Children(children) if children.end as usize <= self.untiled && children.clone().all(nests) => None,
            _ => {
                let sticks_out = |&&id: &&u32| mesh.triangle(id).iter().any(|&corner| !node.volume.contains(corner));
                self.triangles(below).iter().find(sticks_out).copied()
            }
        }
    }
}

/// How often each of some things was met. The second meeting is an error where one is allowed, and
/// ends the count: runs that overlap would take as long as all their lengths together, the square
/// of a file's length.
#[derive(Debug)]
struct Tally {
    counts: Vec<u32>,
    most: u32,
    /// Things counted, for tests.
    steps: u64,
}

impl Tally {
    fn new(things: usize, most: u32) -> Self {
        Self { counts: vec![0; things], most, steps: 0 }
    }

    /// Once more; how often it was met, if that is too often. Things that do not exist are met too
    /// often.
    fn meet(&mut self, thing: u32) -> Result<(), u32> {
        self.steps += 1;
        let count = self.counts.get_mut(thing as usize).ok_or(1_u32)?;
        *count += 1;
        if *count > self.most { Err(*count) } else { Ok(()) }
    }

    /// The first that was never met.
    fn missed(&self) -> Option<u32> {
        self.counts.iter().position(|&count| count == 0).map(|at| at as u32)
    }
}

impl<V: BoundingVolume> Hierarchy<V> {
    /// Everything but enclosure. Takes time in proportion to the nodes and triangles, whatever the
    /// runs say.
    pub(crate) fn check_shape(&self, triangle_count: usize) -> Result<(), Violation> {
        // All tiles of a triangle are leaves with it.
        let most = if self.is_tiled() { u32::MAX } else { 1 };
        let skeleton = self.skeleton();
        skeleton.check_runs_of(&mut Tally::new(self.nodes.len(), 1), &mut Tally::new(triangle_count, most))?;
        // The tiles of a triangle have the same run.
        if self.is_tiled() { Ok(()) } else { skeleton.check_order() }
    }
}

impl Skeleton<'_> {
    /// Every node has one parent, every triangle one leaf.
    fn check_runs_of(&self, parents: &mut Tally, leaves: &mut Tally) -> Result<(), Violation> {
        let contents = self.contents();
        if contents.is_empty() {
            return Err(Violation::Empty);
        }
        let parents_of = |node| move |parents| Violation::Parents { node, parents };
        parents.meet(Self::ROOT).map_err(parents_of(Self::ROOT))?;
        for (id, content) in contents.iter().enumerate() {
            let (run, lowest, highest) = match content {
                Content::Children(run) => (run, id as u64 + 1, contents.len()),
                Content::Triangles(run) => (run, 0, self.order().len()),
            };
            if run.is_empty() || u64::from(run.start) < lowest || run.end as usize > highest {
                return Err(Violation::BadRun { node: id as u32, start: run.start, end: run.end });
            }
            match content {
                Content::Triangles(run) => {
                    for &triangle in self.triangles(run) {
                        leaves.meet(triangle).map_err(|leaves| Violation::Leaves { triangle, leaves })?;
                    }
                }
                Content::Children(run) => {
                    run.clone().try_for_each(|child| parents.meet(child).map_err(parents_of(child)))?;
                }
            }
        }
        if let Some(node) = parents.missed() {
            return Err(Violation::Parents { node, parents: 0 });
        }
        leaves.missed().map_or(Ok(()), |triangle| Err(Violation::Leaves { triangle, leaves: 0 }))
    }

    /// Children side by side, and no deeper than a tree can be.
    fn check_order(&self) -> Result<(), Violation> {
        let runs = self.runs_below();
        let scattered = |content: &Content| match content {
            Content::Children(children) => {
                let children = &runs[children.start as usize..children.end as usize];
                children.windows(2).any(|pair| pair[0].end != pair[1].start)
            }
            Content::Triangles(_) => false,
        };
        if let Some(node) = self.contents().iter().position(scattered) {
            return Err(Violation::Scattered { node: node as u32 });
        }
        let height = self.height();
        if height > MAX_HEIGHT { Err(Violation::TooDeep { height, limit: MAX_HEIGHT }) } else { Ok(()) }
    }
}

/// A split that takes off a single triangle each time needs sizes that double from one to the next,
/// in one of three directions: doubles have 2100 such steps. Trees beyond that are not made by
/// builders, and would make checking enclosure quadratic.
const MAX_HEIGHT: usize = 8192;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::aabb::Aabb;
    use glam::DVec3;

    /// Every inner node claims all nodes after it, as a hostile file may.
    fn overlapping(nodes: u32) -> Hierarchy<Aabb> {
        let volume = Aabb::fit(&[[DVec3::ZERO; 3]]);
        let inner = (0..nodes / 2).map(|id| Node::inner(volume, id + 1..nodes));
        let leaves = (nodes / 2..nodes).map(|_| Node::leaf(volume, 0..nodes / 2));
        Hierarchy::from_parts(inner.chain(leaves).collect(), (0..nodes / 2).collect())
    }

    /// Every node but the first is a leaf with all triangles.
    fn crowded(nodes: u32) -> Hierarchy<Aabb> {
        let volume = Aabb::fit(&[[DVec3::ZERO; 3]]);
        let leaves = (1..nodes).map(|_| Node::leaf(volume, 0..nodes));
        let root = Node::inner(volume, 1..nodes);
        Hierarchy::from_parts(std::iter::once(root).chain(leaves).collect(), (0..nodes).collect())
    }

    fn steps(tree: &Hierarchy<Aabb>) -> (u64, Violation) {
        let (mut parents, mut leaves) = (Tally::new(tree.nodes.len(), 1), Tally::new(tree.order.len(), 1));
        let violation = tree.skeleton().check_runs_of(&mut parents, &mut leaves).expect_err("runs overlap");
        assert_eq!(tree.check_shape(tree.order.len()), Err(violation.clone()));
        (parents.steps + leaves.steps, violation)
    }

    /// Work counters: the square of 16,000 would be 256 million.
    #[test]
    fn overlapping_runs_are_refused_in_linear_time() {
        for nodes in [1_000, 4_000, 16_000] {
            let (steps, violation) = steps(&overlapping(nodes));
            assert!(steps <= 2 * u64::from(nodes) + 2, "{steps} for {nodes} nodes");
            assert_eq!(violation, Violation::Parents { node: 2, parents: 2 });
            let (steps, violation) = self::steps(&crowded(nodes));
            assert!(steps <= 4 * u64::from(nodes), "{steps} for {nodes} leaves");
            assert_eq!(violation, Violation::Leaves { triangle: 0, leaves: 2 });
        }
    }

    #[test]
    fn what_is_missing_is_found() {
        let volume = Aabb::fit(&[[DVec3::ZERO; 3]]);
        let orphan = vec![Node::inner(volume, 1..2), Node::leaf(volume, 0..1), Node::leaf(volume, 1..2)];
        let check = |nodes, order: Vec<u32>, triangles| Hierarchy::from_parts(nodes, order).check_shape(triangles);
        assert_eq!(check(orphan, vec![0, 1], 2), Err(Violation::Parents { node: 2, parents: 0 }));
        let one = vec![Node::leaf(volume, 0..1)];
        assert_eq!(check(one.clone(), vec![0], 2), Err(Violation::Leaves { triangle: 1, leaves: 0 }));
        assert_eq!(check(one.clone(), vec![7], 1), Err(Violation::Leaves { triangle: 7, leaves: 1 }));
        assert_eq!(check(Vec::new(), vec![0], 1), Err(Violation::Empty));
        assert_eq!(check(one, vec![0], 1), Ok(()));
    }
}
