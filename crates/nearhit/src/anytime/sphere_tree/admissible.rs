//! Admissible assignments: which balls of a bounding sphere hierarchy may have a piece of the
//! surface? Those that hold it, below balls that hold it up to the root: then
//! a descent meets it on its way down, whoever has it, and the tree stays exact.

use super::build::Node;
use super::pieces::Pieces;
use crate::parallel::*;
use glam::DVec3;

/// For each piece the balls of a level that may have it.
#[derive(Debug, Clone)]
pub(super) struct Admissible {
    /// Where each piece's balls begin; one more than there are pieces.
    first: Vec<u32>,
    balls: Vec<u32>,
}

impl Admissible {
    /// The root has everything.
    pub(super) fn of_root(pieces: &Pieces) -> Self {
        let count = pieces.pieces.len();
        Self { first: (0..=count as u32).collect(), balls: vec![0; count] }
    }

    pub(super) fn of(&self, piece: u32) -> &[u32] {
        let piece = piece as usize;
        &self.balls[self.first[piece] as usize..self.first[piece + 1] as usize]
    }

    /// The same one level down.
    pub(super) fn below(&self, pieces: &Pieces, nodes: &[Node]) -> Self {
        let children = by_parent(nodes.iter().map(|node| node.parent));
        let found = |piece: u32| {
            let corners = pieces.corners(piece);
            let children = &children;
            self.of(piece).iter().flat_map(move |&parent| {
                children[parent as usize].iter().copied().filter(move |&child| holds(&nodes[child as usize], &corners))
            })
        };
        Self::collect(pieces, |piece, balls| balls.extend(found(piece)))
    }

    /// Where a descent need not be exact: the balls that a piece is in or near to.
    pub(super) fn near(pieces: &Pieces, nodes: &[Node]) -> Self {
        Self::collect(pieces, |piece, balls| {
            let [corner, ..] = pieces.corners(piece);
            let near = |node: &Node| corner.distance(node.center) <= NEAR * node.radius;
            balls.extend((0..nodes.len() as u32).filter(|&ball| near(&nodes[ball as usize])));
        })
    }

    fn collect(pieces: &Pieces, find: impl Fn(u32, &mut Vec<u32>) + Sync) -> Self {
        let all: Vec<u32> = (0..pieces.pieces.len() as u32).collect();
        let parts: Vec<(Vec<u32>, Vec<u32>)> = all
            .par_chunks(4096)
            .map(|chunk| {
                let mut balls = Vec::new();
                let ends = chunk.iter().map(|&piece| {
                    find(piece, &mut balls);
                    balls.len() as u32
                });
                (ends.collect(), balls)
            })
            .collect();
        let (mut first, mut balls) = (vec![0], Vec::new());
        for (ends, found) in parts {
            let start = balls.len() as u32;
            first.extend(ends.into_iter().map(|end| start + end));
            balls.extend(found);
        }
        Self { first, balls }
    }
}

/// In radii.
const NEAR: f64 = 1.2;

/// Is all of a piece in a ball?
fn holds(node: &Node, corners: &[DVec3; 3]) -> bool {
    corners.iter().all(|corner| corner.distance(node.center) <= node.reach)
}

/// The indices of all with the same parent, by parent.
pub(super) fn by_parent(parents: impl Iterator<Item = usize>) -> Vec<Vec<u32>> {
    let mut children: Vec<Vec<u32>> = Vec::new();
    for (index, parent) in parents.enumerate() {
        children.resize_with(children.len().max(parent + 1), Vec::new);
        children[parent].push(index as u32);
    }
    children
}
