//! Bottom-up: neighbours that fit well together are joined, round after round (k-DOP paper, §3.3.2
//! and §6).
//!
//! Clusters lie in the order of a space-filling curve; each looks for its best partner among a few
//! before and after it, and those that chose each other are joined (after Meister and Bittner,
//! "Parallel locally-ordered clustering", 2018). Boxes stand for the volumes.

use super::split::Cost;
use super::tree::Split;
use crate::mesh::Mesh;
use crate::parallel::*;
use glam::DVec3;

/// How far along the curve a cluster looks, either way.
const REACH: usize = 12;
/// After so many rounds neighbours are joined as they lie, so that no distribution of triangles can
/// make a deep tree.
const ROUNDS: usize = 64;

/// A triangle or two clusters, by index.
#[derive(Debug, Clone, Copy)]
enum Joined {
    Triangle(u32),
    Two(u32, u32),
}

#[derive(Debug, Clone, Copy)]
struct Cluster {
    low: DVec3,
    high: DVec3,
    /// Index into what has been joined.
    root: u32,
}

impl Cluster {
    fn with(&self, other: &Self) -> (DVec3, DVec3) {
        (self.low.min(other.low), self.high.max(other.high))
    }
}

/// Decides the tree; returns it with the ids of the triangles in order.
pub(super) fn join(mesh: &Mesh, cost: Cost, leaf_size: usize) -> (Split, Vec<u32>) {
    let mut joined: Vec<Joined> = Vec::with_capacity(2 * mesh.triangles().len());
    let mut clusters = sorted_triangles(mesh, &mut joined);
    let unit = unit(&clusters);
    let mut round = 0;
    while clusters.len() > 1 {
        let partners = if round < ROUNDS { partners(&clusters, cost, unit) } else { as_they_lie(clusters.len()) };
        clusters = join_mutual(&clusters, &partners, &mut joined);
        round += 1;
    }
    let mut order = Vec::with_capacity(mesh.triangles().len());
    let root = clusters.first().map_or(0, |cluster| cluster.root);
    let tree = runs(&joined, root, leaf_size.max(1) as u32, &mut order);
    (tree, order)
}

/// Single triangles along the curve.
fn sorted_triangles(mesh: &Mesh, joined: &mut Vec<Joined>) -> Vec<Cluster> {
    let boxes: Vec<(DVec3, DVec3)> = (0..mesh.triangles().len() as u32)
        .map(|id| mesh.triangle(id))
        .map(|[a, b, c]| (a.min(b).min(c), a.max(b).max(c)))
        .collect();
    let middles = boxes.iter().map(|(low, high)| *low * 0.5 + *high * 0.5);
    let low = middles.clone().fold(DVec3::INFINITY, DVec3::min);
    let half = middles.clone().fold(DVec3::NEG_INFINITY, DVec3::max) * 0.5 - low * 0.5;
    let side = half.max_element().max(f64::MIN_POSITIVE);
    let mut keys: Vec<(u64, u32)> =
        middles.zip(0..).map(|(middle, id)| (morton((middle * 0.5 - low * 0.5) / side), id)).collect();
    keys.sort_unstable();
    let cluster = |(_, id): (u64, u32)| {
        joined.push(Joined::Triangle(id));
        let (low, high) = boxes[id as usize];
        Cluster { low, high, root: joined.len() as u32 - 1 }
    };
    keys.into_iter().map(cluster).collect()
}

/// Place on the curve of a point in the unit cube: the bits of its coordinates, interleaved.
fn morton(point: DVec3) -> u64 {
    let cell = (point * f64::from(1 << 21)).to_array().map(|x| x.clamp(0.0, f64::from((1 << 21) - 1)) as u64);
    (0..21).fold(0, |code, bit| {
        let digit = |axis: usize| (cell[axis] >> bit & 1) << (3 * bit + axis as u64);
        code | digit(0) | digit(1) | digit(2)
    })
}

fn unit(clusters: &[Cluster]) -> f64 {
    let low = clusters.iter().fold(DVec3::INFINITY, |low, cluster| low.min(cluster.low));
    let high = clusters.iter().fold(DVec3::NEG_INFINITY, |high, cluster| high.max(cluster.high));
    (high * 0.5 - low * 0.5).max_element().max(f64::MIN_POSITIVE)
}

/// For each cluster its best partner. Ties go by position, the same for both, so that some two
/// always choose each other.
fn partners(clusters: &[Cluster], cost: Cost, unit: f64) -> Vec<usize> {
    let best = |i: usize| {
        let near = (i.saturating_sub(REACH)..(i + REACH + 1).min(clusters.len())).filter(|&j| j != i);
        let keyed = near.map(|j| ((joint_cost(clusters[i].with(&clusters[j]), cost, unit), i.min(j), i.max(j)), j));
        let less = |p: &(f64, usize, usize), q: &(f64, usize, usize)| {
            p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)).then(p.2.cmp(&q.2))
        };
        keyed.min_by(|p, q| less(&p.0, &q.0)).map_or(i, |(_, j)| j)
    };
    (0..clusters.len()).into_par_iter().with_min_len(512).map(best).collect()
}

/// Of a box; a small share of the next lower measure tells flat ones apart.
fn joint_cost((low, high): (DVec3, DVec3), cost: Cost, unit: f64) -> f64 {
    let [x, y, z] = ((high * 0.5 - low * 0.5) / unit).to_array();
    let surface = x * y + y * z + z * x + 1e-6 * (x + y + z);
    match cost {
        Cost::Volume => x * y * z + 1e-6 * surface,
        Cost::Surface => surface,
    }
}

fn as_they_lie(count: usize) -> Vec<usize> {
    (0..count).map(|i| if i ^ 1 < count { i ^ 1 } else { i }).collect()
}

/// Joins those that chose each other; the new cluster takes the earlier place.
fn join_mutual(clusters: &[Cluster], partners: &[usize], joined: &mut Vec<Joined>) -> Vec<Cluster> {
    let mut next = Vec::with_capacity(clusters.len());
    for (i, cluster) in clusters.iter().enumerate() {
        let j = partners[i];
        if j == i || partners[j] != i {
            next.push(*cluster);
        } else if i < j {
            let (low, high) = cluster.with(&clusters[j]);
            joined.push(Joined::Two(cluster.root, clusters[j].root));
            next.push(Cluster { low, high, root: joined.len() as u32 - 1 });
        }
    }
    next
}

/// The tree below `root` as runs of `order`, which grows by its triangles. No deeper than the
/// rounds.
fn runs(joined: &[Joined], root: u32, leaf_size: u32, order: &mut Vec<u32>) -> Split {
    let start = order.len() as u32;
    match joined[root as usize] {
        Joined::Triangle(id) => {
            order.push(id);
            Split::Leaf(start..start + 1)
        }
        Joined::Two(left, right) => {
            let halves = [left, right].map(|half| runs(joined, half, leaf_size, order));
            let run = start..order.len() as u32;
            debug_assert_eq!(halves[0].run().end, halves[1].run().start);
            if run.end - run.start <= leaf_size { Split::Leaf(run) } else { Split::Inner(run, Box::new(halves)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each twice as far as the one before: every round joins only the first two.
    #[test]
    fn hostile_distances_do_not_make_a_deep_tree() {
        let vertices: Vec<[f64; 3]> = (0..900).map(|i| [2.0_f64.powi(i), 0.0, 0.0]).collect();
        let triangles: Vec<[u32; 3]> = (0..900).map(|i| [i, i, i]).collect();
        let mesh = Mesh::new(&vertices, &triangles).expect("a mesh");
        let (tree, order) = join(&mesh, Cost::Surface, 1);
        fn depth(tree: &Split) -> usize {
            match tree {
                Split::Leaf(_) => 0,
                Split::Inner(_, halves) => 1 + halves.iter().map(depth).max().unwrap_or(0),
            }
        }
        assert!(order.len() == 900 && depth(&tree) <= ROUNDS + 11, "{}", depth(&tree));
    }
}
