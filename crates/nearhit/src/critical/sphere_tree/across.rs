//! Balls of one level give away what balls of other parents hold anyway.
//!
//! A parent whose share is awkward needs more than its eight children; its neighbours have room. A piece may move to any ball of the level that holds it, if the balls above that one hold it, too: then a descent meets it on the way
//! down as before, and the tree stays exact.

use super::build::{Node, Work};
use super::field::Field;
use super::fit::{Fit, improve};
use super::medial::MedialAxis;
use super::pieces::Pieces;
use glam::DVec3;

/// What balls are fitted to, and the levels above.
pub(super) struct Across<'t> {
    pub(super) pieces: &'t Pieces,
    pub(super) axis: &'t MedialAxis,
    pub(super) above: &'t [Vec<Node>],
}

impl Across<'_> {
    /// Once through all balls of a level, the costliest first: it gives away what it can and shrinks.
    pub(super) fn trim(&self, works: &mut Vec<Work>, field: &mut Field<'_>) {
        let costs: Vec<f64> =
            works.iter().map(|work| work.node.radius + field.depth(work.node.center).distance).collect();
        let mut order: Vec<usize> = (0..works.len()).collect();
        order.sort_by(|&i, &j| costs[j].total_cmp(&costs[i]));
        let mut siblings = vec![0; works.len()];
        works.iter().for_each(|work| siblings[work.node.parent] += 1);
        for index in order {
            self.give_away(works, index, &mut siblings, field);
        }
        works.retain(|work| !work.pieces.is_empty());
    }

    fn give_away(&self, works: &mut [Work], index: usize, siblings: &mut [usize], field: &mut Field<'_>) {
        let Node { center, radius, parent, .. } = works[index].node;
        // Those that give away everything are gone.
        let near: Vec<usize> = (0..works.len())
            .filter(|&other| other != index && !works[other].pieces.is_empty())
            .filter(|&other| works[other].node.center.distance(center) < works[other].node.radius + radius)
            .collect();
        let taker = |&piece: &u32| {
            let corners = self.pieces.corners(piece);
            near.iter().copied().find(|&other| self.holds(&works[other].node, &corners))
        };
        let takers: Vec<Option<usize>> = works[index].pieces.iter().map(taker).collect();
        let given = takers.iter().flatten().count();
        // A parent keeps a child.
        if given == 0 || given == takers.len() && siblings[parent] == 1 {
            return;
        }
        let own = std::mem::take(&mut works[index].pieces);
        let mut kept = Vec::new();
        for (piece, taker) in own.into_iter().zip(takers) {
            match taker {
                Some(other) => works[other].pieces.push(piece),
                None => kept.push(piece),
            }
        }
        if kept.is_empty() {
            siblings[parent] -= 1;
            return;
        }
        let fit = improve(&self.pieces.points_of(&kept), field.depth(center), field);
        works[index] = self.fitted(fit, parent, kept);
    }

    fn fitted(&self, fit: Fit, parent: usize, pieces: Vec<u32>) -> Work {
        let (center, radius) = (fit.center(), self.pieces.radius(fit.reach));
        let inside = |ball: &u32| self.axis.balls[*ball as usize].depth.at.distance(center) <= radius;
        let medial = (0..self.axis.balls.len() as u32).filter(inside).collect();
        Work { node: Node { center, radius, parent, triangles: Vec::new() }, pieces, medial }
    }

    /// Is all of a piece in a ball and in all balls above it?
    fn holds(&self, node: &Node, corners: &[DVec3; 3]) -> bool {
        let in_ball = |node: &Node| {
            // What a radius is larger by than it needs to be is not to be given away.
            let reach = node.radius - self.pieces.slack;
            corners.iter().all(|corner| corner.distance(node.center) <= reach * (1.0 - 16.0 * f64::EPSILON))
        };
        let mut node = node;
        for level in self.above.iter().rev() {
            if !in_ball(node) {
                return false;
            }
            node = &level[node.parent];
        }
        in_ball(node)
    }
}
