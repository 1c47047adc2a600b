//! Balls enlarged until they cover the surface (§9.1).
//!
//! As the paper has it: where a face is not covered, all balls that meet it are enlarged, again and
//! again. A face is covered when each of its pieces is in one ball.

use super::pieces::Pieces;
use crate::parallel::*;
use glam::DVec3;
use std::collections::HashSet;

/// A centre and a radius.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ball {
    pub(super) center: DVec3,
    pub(super) radius: f64,
}

/// A round enlarges by this share of the radius.
const STEP: f64 = 0.05;
/// After so many rounds what is still open gets the ball that is least too small: so it ends.
const ROUNDS: usize = 120;

/// Enlarges balls until each of `open` pieces is in one of them.
pub(super) fn grow(pieces: &Pieces, mut open: Vec<u32>, balls: &mut [Ball]) {
    for _ in 0..ROUNDS {
        retain_open(pieces, &mut open, balls);
        if open.is_empty() {
            return;
        }
        enlarge(pieces, &open, balls);
    }
    for piece in open {
        let lacks = |ball: &Ball| reach(pieces, piece, ball.center) - ball.radius;
        let nearest = balls.iter_mut().min_by(|p, q| lacks(p).total_cmp(&lacks(q)));
        if let Some(ball) = nearest {
            ball.radius = ball.radius.max(reach(pieces, piece, ball.center));
        }
    }
}

/// How far the farthest corner of a piece is.
fn reach(pieces: &Pieces, piece: u32, from: DVec3) -> f64 {
    pieces.corners(piece).iter().fold(0.0, |reach: f64, corner| reach.max(corner.distance(from)))
}

fn retain_open(pieces: &Pieces, open: &mut Vec<u32>, balls: &[Ball]) {
    let is_open = |&piece: &u32| !balls.iter().any(|ball| reach(pieces, piece, ball.center) <= ball.radius);
    *open = std::mem::take(open).into_par_iter().filter(is_open).collect();
}

/// Enlarges all balls that meet a face with an open piece; if none meets it, the nearest.
fn enlarge(pieces: &Pieces, open: &[u32], balls: &mut [Ball]) {
    let faces: HashSet<u32> = open.iter().map(|&piece| pieces.pieces[piece as usize].triangle).collect();
    let of_faces: Vec<u32> =
        pieces.all().into_iter().filter(|&it| faces.contains(&pieces.pieces[it as usize].triangle)).collect();
    let gap = |ball: &Ball, piece: u32| {
        let near = pieces
            .corners(piece)
            .iter()
            .fold(f64::INFINITY, |near: f64, corner| near.min(corner.distance(ball.center)));
        near - ball.radius
    };
    let meets: Vec<bool> = balls.par_iter().map(|ball| of_faces.iter().any(|&piece| gap(ball, piece) <= 0.0)).collect();
    let mut grows = meets;
    for &piece in open {
        if balls.iter().zip(&grows).any(|(ball, grows)| *grows && gap(ball, piece) <= ball.radius) {
            continue;
        }
        let nearest = (0..balls.len()).min_by(|&p, &q| gap(&balls[p], piece).total_cmp(&gap(&balls[q], piece)));
        grows[nearest.expect("a level has a ball")] = true;
    }
    // A ball without a radius must begin with something: the size of what is to be covered.
    let least = open.iter().map(|&piece| reach(pieces, piece, pieces.middle(piece))).fold(0.0, f64::max);
    for (ball, _) in balls.iter_mut().zip(&grows).filter(|(_, grows)| **grows) {
        ball.radius = (ball.radius * (1.0 + STEP)).max(STEP * least);
    }
}
