//! Outlines beside a tree: for chosen nodes, the points that their volumes are re-bounded from.
//!
//! Only a model that flies (a) needs them, so they are made on request and their memory is counted
//! apart.

mod file;

use super::{Hierarchy, Skeleton};
use crate::mesh::Mesh;
use crate::parallel::*;
use crate::volume::BoundingVolume;
use crate::volume::hull::Hull;
use crate::volume::outline::{Outline, PointLanes, distinct, lanes};
use glam::DVec3;

/// How the volumes of a flying model are brought into the environment's frame, level by level from
/// the root (k-DOP paper, §4.1).
///
/// Volumes without corners, and nodes whose points lie in a plane, are placed the plain way
/// whatever is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tumbling {
    /// So many levels use method I: the exact extent, by climbing on the hull of the node's points.
    pub hull_levels: u32,
    /// So many levels below those use method II: the extent of the corners of the node's volume, or
    /// of the points it encloses where those are fewer.
    pub corner_levels: u32,
}

impl Tumbling {
    /// From the volumes alone; no memory. The default.
    pub const PLAIN: Self = Self { hull_levels: 0, corner_levels: 0 };
    /// As the paper settles on: method I at the root, method II below.
    pub const PAPER: Self = Self { hull_levels: 1, corner_levels: u32::MAX };
    /// Method I at the root, plain below.
    pub const HULL_AT_ROOT: Self = Self { hull_levels: 1, corner_levels: 0 };
}

/// The outlines of a tree's nodes, found by node id.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlines {
    lanes: Vec<PointLanes>,
    /// Points of node `i`: `lanes[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    /// By node id, sorted. Few: levels near the root.
    hulls: Vec<(u32, Hull)>,
}

/// What one node gets.
enum Made {
    Nothing,
    Points(Vec<DVec3>),
    Hull(Hull),
}

impl Outlines {
    /// `None` if no node gets one.
    pub(super) fn new<V: BoundingVolume>(tree: &Hierarchy<V>, mesh: &Mesh, tumbling: Tumbling) -> Option<Self> {
        if tumbling == Tumbling::PLAIN {
            return None;
        }
        Self::around(&tree.skeleton(), mesh, tumbling, &|id| tree.node(id).volume.corners())
    }

    /// The same where only the corners of volumes are known.
    fn around(
        tree: &Skeleton<'_>,
        mesh: &Mesh,
        tumbling: Tumbling,
        corners: &(dyn Fn(u32) -> Vec<DVec3> + Sync),
    ) -> Option<Self> {
        let make = |(id, depth): (usize, u32)| match method(tumbling, depth) {
            Method::Plain => Made::Nothing,
            method => make(tree, mesh, id as u32, distinct(corners(id as u32)), method),
        };
        let made: Vec<Made> = tree.depths().into_par_iter().enumerate().map(make).collect();
        let outlines = Self::gather(0, made.into_iter());
        (!outlines.lanes.is_empty() || !outlines.hulls.is_empty()).then_some(outlines)
    }

    /// Of the nodes from `start` on.
    fn gather(start: u32, made: impl Iterator<Item = Made>) -> Self {
        let mut outlines =
            Self { lanes: Vec::new(), first: Vec::with_capacity(made.size_hint().0 + 1), hulls: Vec::new() };
        for (id, made) in (start..).zip(made) {
            outlines.first.push(outlines.lanes.len() as u32);
            match made {
                Made::Nothing => {}
                Made::Points(points) => outlines.lanes.extend(lanes(&points)),
                Made::Hull(hull) => outlines.hulls.push((id, hull)),
            }
        }
        outlines.first.push(outlines.lanes.len() as u32);
        outlines.lanes.shrink_to_fit();
        outlines
    }

    /// Of the nodes of all parts, one part after the other.
    fn join(parts: Vec<Self>) -> Self {
        let nodes = parts.iter().map(|part| part.first.len() - 1).sum::<usize>();
        let mut first = Vec::with_capacity(nodes + 1);
        first.push(0);
        let mut lanes = Vec::with_capacity(parts.iter().map(|part| part.lanes.len()).sum());
        let mut hulls = Vec::new();
        for part in parts {
            let before = lanes.len() as u32;
            first.extend(part.first[1..].iter().map(|end| before + end));
            lanes.extend_from_slice(&part.lanes);
            hulls.extend(part.hulls);
        }
        Self { lanes, first, hulls }
    }

    /// The outline of a node, if it has one.
    #[must_use]
    #[inline]
    pub fn of(&self, node: u32) -> Option<Outline<'_>> {
        let run = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
        if !run.is_empty() {
            return Some(Outline::Points(&self.lanes[run]));
        }
        self.hull(node).map(|(_, hull)| Outline::Hull(hull))
    }

    /// The hull of a node, if it has one, and its number.
    #[must_use]
    pub fn hull(&self, node: u32) -> Option<(usize, &Hull)> {
        let found = self.hulls.binary_search_by_key(&node, |(id, _)| *id).ok()?;
        Some((found, &self.hulls[found].1))
    }

    /// How many nodes have hulls.
    #[must_use]
    pub fn hulls(&self) -> usize {
        self.hulls.len()
    }

    /// Heap memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.lanes.capacity() * size_of::<PointLanes>()
            + self.first.capacity() * size_of::<u32>()
            + self.hulls.iter().map(|(_, hull)| hull.bytes() + size_of::<(u32, Hull)>()).sum::<usize>()
    }
}

enum Method {
    Plain,
    Corners,
    Hull,
}

fn method(tumbling: Tumbling, depth: u32) -> Method {
    match depth {
        near if near < tumbling.hull_levels => Method::Hull,
        far if far - tumbling.hull_levels < tumbling.corner_levels => Method::Corners,
        _ => Method::Plain,
    }
}

fn make(tree: &Skeleton<'_>, mesh: &Mesh, id: u32, corners: Vec<DVec3>, method: Method) -> Made {
    if corners.is_empty() {
        return Made::Nothing;
    }
    let triangles = tree.triangles_below(id);
    // Three points a triangle, at most six triangles a point in a usual mesh: more triangles than
    // corners have more points, too.
    let worth_a_look = matches!(method, Method::Hull) || triangles.len() <= corners.len();
    if !worth_a_look {
        return Made::Points(corners);
    }
    let points = distinct(triangles.iter().flat_map(|&triangle| mesh.triangle(triangle)).collect());
    match method {
        _ if points.len() <= corners.len() => Made::Points(points),
        Method::Hull => Hull::new(&points).map_or(Made::Points(corners), Made::Hull),
        _ => Made::Points(corners),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::BuildOptions;
    use crate::volume::kdop::KDop;
    use nearhit_testkit::shapes;

    fn tree(leaf_size: usize) -> (Mesh, Hierarchy<KDop<13>>) {
        let soup = shapes::wrinkled_torus(24, 12, 3);
        let mesh = Mesh::new(&soup.vertices, &soup.triangles).expect("a torus");
        let options = BuildOptions { leaf_size, ..BuildOptions::default() };
        let tree = crate::build::build(&mesh, &options);
        (mesh, tree)
    }

    #[test]
    fn every_node_gets_what_its_level_asks_for() {
        let (mesh, mut tree) = tree(8);
        tree.set_tumbling(&mesh, Tumbling { hull_levels: 2, corner_levels: 1 });
        let depths = tree.depths();
        let outlines = tree.outlines().expect("asked for");
        for (id, &depth) in depths.iter().enumerate() {
            match (depth, outlines.of(id as u32)) {
                (0..2, Some(Outline::Hull(_))) | (2, Some(Outline::Points(_))) | (3.., None) => {}
                (depth, outline) => panic!("node {id} at depth {depth}: {outline:?}"),
            }
        }
        let alone = tree.bytes();
        assert!(outlines.bytes() > 1000);
        tree.set_tumbling(&mesh, Tumbling::PLAIN);
        assert!(tree.outlines().is_none() && tree.bytes() == alone);
    }

    /// An outline reaches at least as far as the triangles, and at most as far as the volume.
    #[test]
    fn outlines_lie_between_the_triangles_and_the_volume() {
        for leaf_size in [1, 8] {
            let (mesh, mut tree) = tree(leaf_size);
            tree.set_tumbling(&mesh, Tumbling::PAPER);
            let outlines = tree.outlines().expect("asked for");
            for id in 0..tree.nodes().len() as u32 {
                let outline = outlines.of(id).expect("on every level");
                let volume = &tree.node(id).volume;
                let points: Vec<DVec3> =
                    tree.triangles_below(id).iter().flat_map(|&triangle| mesh.triangle(triangle)).collect();
                for (slab, direction) in KDop::<13>::DIRECTIONS.into_iter().enumerate() {
                    let (low, high) = outline.extent(direction);
                    assert!(low >= volume.low()[slab] - 1e-14 && high <= volume.high()[slab] + 1e-14, "node {id}");
                    assert!(points.iter().all(|point| (low - 1e-14..=high + 1e-14).contains(&direction.dot(*point))));
                }
            }
        }
    }
}
