//! Balls enlarged until they cover the surface (§9.1).
//!
//! As the paper has it: where a face is not covered, all balls that meet it are enlarged, again and
//! again. A face is covered when the disks that the balls cut out of its plane cover it together:
//! found by halving it until each part is in one ball (see `cover.rs` for why not by the boundary
//! lemma). For the children of a ball only what is in that ball need be covered: the paper's
//! clipping disk.

use super::cover::halves;
use super::pieces::Pieces;
use crate::mesh::Triangle;
use crate::parallel::*;
use crate::primitive::distance::distance_from_within;
use glam::DVec3;

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
/// A part of a 2^-32th of a face's area that is in no ball is a hole.
const MOST_HALVINGS: u32 = 32;

/// A face that is not covered, and where.
#[derive(Debug, Clone, Copy)]
struct Open {
    face: u32,
    hole: DVec3,
}

/// Enlarges balls until some faces are covered, as far as they are in `clip`.
pub(super) fn grow(faces: &Pieces, mut open: Vec<u32>, clip: Option<Ball>, balls: &mut [Ball]) {
    let mut holes = Vec::new();
    for _ in 0..ROUNDS {
        holes = still_open(faces, &open, clip, balls);
        if holes.is_empty() {
            return;
        }
        enlarge(faces, &holes, balls);
        open = holes.iter().map(|open| open.face).collect();
    }
    for Open { face, .. } in holes {
        let lacks = |ball: &Ball| reach(&faces.corners(face), ball.center) - ball.radius;
        let nearest = balls.iter_mut().min_by(|p, q| lacks(p).total_cmp(&lacks(q)));
        if let Some(ball) = nearest {
            ball.radius = ball.radius.max(reach(&faces.corners(face), ball.center));
        }
    }
}

/// How far the farthest corner is.
fn reach(triangle: &Triangle, from: DVec3) -> f64 {
    triangle.iter().fold(0.0, |reach: f64, corner| reach.max(corner.distance(from)))
}

fn middle([a, b, c]: &Triangle) -> DVec3 {
    *a / 3.0 + *b / 3.0 + *c / 3.0
}

/// May a ball reach a triangle? By the ball around it.
fn is_near(ball: &Ball, triangle: &Triangle) -> bool {
    let middle = middle(triangle);
    middle.distance(ball.center) <= (ball.radius + reach(triangle, middle)) * (1.0 + 1e-9)
}

fn still_open(faces: &Pieces, open: &[u32], clip: Option<Ball>, balls: &[Ball]) -> Vec<Open> {
    let hole = |&face: &u32| {
        let triangle = faces.corners(face);
        let near: Vec<&Ball> = balls.iter().filter(|ball| is_near(ball, &triangle)).collect();
        hole(&triangle, &near, clip, MOST_HALVINGS).map(|hole| Open { face, hole })
    };
    open.par_iter().map(hole).collect::<Vec<_>>().into_iter().flatten().collect()
}

/// A point near which a part of a triangle is in no ball though it is in `clip`.
fn hole(part: &Triangle, balls: &[&Ball], clip: Option<Ball>, halvings: u32) -> Option<DVec3> {
    if clip.is_some_and(|clip| !is_near(&clip, part))
        || balls.iter().any(|ball| reach(part, ball.center) <= ball.radius)
    {
        return None;
    }
    let middle = middle(part);
    let is_in = |ball: &Ball| middle.distance(ball.center) <= ball.radius;
    let is_asked = clip.is_none_or(|clip| is_in(&clip));
    if halvings == 0 || is_asked && !balls.iter().any(|ball| is_in(ball)) {
        return Some(middle);
    }
    halves(part).iter().find_map(|half| {
        let near: Vec<&Ball> = balls.iter().copied().filter(|ball| is_near(ball, half)).collect();
        hole(half, &near, clip, halvings - 1)
    })
}

/// Enlarges all balls that meet a face with a hole; and where none of them is near the hole, the
/// nearest, on which the paper is silent.
fn enlarge(faces: &Pieces, open: &[Open], balls: &mut [Ball]) {
    let meets = |ball: &Ball, triangle: &Triangle| {
        is_near(ball, triangle) && distance_from_within(ball.center, triangle, ball.radius).is_some()
    };
    let mut grows: Vec<bool> =
        balls.par_iter().map(|ball| open.iter().any(|open| meets(ball, &faces.corners(open.face)))).collect();
    for &Open { hole, .. } in open {
        let gap = |ball: &Ball| hole.distance(ball.center) - ball.radius;
        if balls.iter().zip(&grows).any(|(ball, grows)| *grows && gap(ball) <= ball.radius) {
            continue;
        }
        let nearest = (0..balls.len()).min_by(|&p, &q| gap(&balls[p]).total_cmp(&gap(&balls[q])));
        grows[nearest.expect("a level has a ball")] = true;
    }
    // A ball without a radius must begin with something: the size of what is to be covered.
    let size = |open: &Open| {
        let triangle = faces.corners(open.face);
        reach(&triangle, middle(&triangle))
    };
    let least = open.iter().map(size).fold(0.0, f64::max);
    for (ball, _) in balls.iter_mut().zip(&grows).filter(|(_, grows)| **grows) {
        ball.radius = (ball.radius * (1.0 + STEP)).max(STEP * least);
    }
}
