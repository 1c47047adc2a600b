//! Tiling of primitives at the leaves (Quinlan 1994; §7.6 of the swept-sphere paper): a leaf whose
//! volume is too large for its triangle gets smaller volumes below it that cover the triangle
//! together.
//!
//! A tile is a piece of the triangle, cut at the middle of its longest edge again and again. Its
//! node is a leaf with the whole triangle, so what is decided about triangles does not change; a
//! triangle is only met through the tiles that are near enough, and perhaps more than once.
//!
//! Middles round, by half a unit in the last place at each of at most [`MOST_CUTS`] cuts: that is
//! far below the slack of every bound ([`crate::volume::Placement`]).

use crate::hierarchy::{Content, Hierarchy, Node};
use crate::mesh::{Mesh, Triangle};
use crate::volume::BoundingVolume;
use std::ops::Range;

/// A triangle becomes at most 2^10 tiles.
const MOST_CUTS: u32 = 10;

/// Puts tiles of at most the size `largest` below every leaf of one triangle that is larger.
pub(super) fn tile<V: BoundingVolume>(mesh: &Mesh, tree: Hierarchy<V>, largest: f64) -> Hierarchy<V> {
    let mut nodes = tree.nodes().to_vec();
    let untiled = nodes.len();
    for id in 0..untiled {
        if let Content::Triangles(run) = nodes[id].content()
            && run.len() == 1
        {
            let triangle = mesh.triangle(tree.triangles(run.clone())[0]);
            cut(&mut nodes, id, &triangle, run, largest, 0);
        }
    }
    Hierarchy::from_tiled_parts(nodes, tree.order().to_vec(), untiled)
}

/// Cuts the piece at leaf `id` in two if it is too large and the volumes get smaller.
fn cut<V: BoundingVolume>(
    nodes: &mut Vec<Node<V>>,
    id: usize,
    piece: &Triangle,
    run: Range<u32>,
    largest: f64,
    cuts: u32,
) {
    // Written so that a limit that is not a number cuts nothing.
    let too_large = largest > 0.0 && nodes[id].volume.size() > largest;
    if !too_large || cuts == MOST_CUTS {
        return;
    }
    let first = nodes.len();
    let halves = halves(piece);
    nodes[id] = Node::inner(nodes[id].volume, first as u32..first as u32 + 2);
    nodes.extend(halves.map(|half| Node::leaf(V::fit(&[half]), run.clone())));
    for (child, half) in (first..).zip(&halves) {
        cut(nodes, child, half, run.clone(), largest, cuts + 1);
    }
}

/// Two triangles, cut across the longest edge.
fn halves(&[p, q, r]: &Triangle) -> [Triangle; 2] {
    let length = |u: glam::DVec3, v: glam::DVec3| (u * 0.5 - v * 0.5).abs().max_element();
    let (pq, qr, rp) = (length(p, q), length(q, r), length(r, p));
    let [p, q, r] = if pq >= qr && pq >= rp {
        [p, q, r]
    } else if qr >= rp {
        [q, r, p]
    } else {
        [r, p, q]
    };
    let middle = p * 0.5 + q * 0.5;
    [[p, middle, r], [middle, q, r]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{BuildOptions, build};
    use crate::volume::Support;
    use crate::volume::sphere::Sphere;
    use glam::DVec3;
    use nearhit_testkit::rng::Rng;

    fn needles() -> Mesh {
        let mut rng = Rng::new(5);
        let corners: Vec<[f64; 3]> = (0..20)
            .flat_map(|_| {
                let (start, way) = (DVec3::from_array(rng.point(-1.0, 1.0)), DVec3::from_array(rng.unit_vector()));
                let side = DVec3::from_array(rng.unit_vector()) * 0.02;
                [start, start + way, start + side].map(|corner| corner.to_array())
            })
            .collect();
        let triangles: Vec<[u32; 3]> = (0..20).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Mesh::new(&corners, &triangles).expect("a legal mesh")
    }

    #[test]
    fn tiles_are_small_and_cover_their_triangles() {
        let mesh = needles();
        let options = BuildOptions { tiles: Some(0.1), ..BuildOptions::default() };
        let tree = build::<Sphere>(&mesh, &options);
        tree.check(&mesh).expect("a sound tree");
        assert!(tree.is_tiled() && tree.nodes().len() > 4 * 39, "{} nodes", tree.nodes().len());
        let mut rng = Rng::new(6);
        for triangle in 0..20 {
            let tiles: Vec<Sphere> = tree
                .nodes()
                .iter()
                .filter(|node| matches!(node.content(), Content::Triangles(run) if tree.triangles(run.clone()) == [triangle]))
                .map(|node| node.volume)
                .collect();
            assert!(tiles.len() >= 4 && tiles.iter().all(|tile| tile.size() <= 0.1));
            let [p, q, r] = mesh.triangle(triangle);
            for _ in 0..200 {
                let (u, v) = (rng.range(0.0, 1.0), rng.range(0.0, 1.0));
                let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                let point = p + (q - p) * u + (r - p) * v;
                assert!(tiles.iter().any(|tile| tile.contains(point)), "{point} of triangle {triangle} is uncovered");
            }
        }
    }

    #[test]
    fn a_senseless_limit_cuts_nothing_or_ends() {
        let mesh = needles();
        let nodes = |limit| {
            build::<Sphere>(&mesh, &BuildOptions { tiles: Some(limit), ..BuildOptions::default() }).nodes().len()
        };
        assert_eq!([f64::NAN, 0.0, -1.0, f64::INFINITY].map(nodes), [39; 4]);
        assert_eq!(nodes(1e-300), 19 + 20 * ((2 << MOST_CUTS) - 1));
    }
}
