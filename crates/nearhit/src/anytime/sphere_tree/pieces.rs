//! The surface in small pieces: what the spheres of a level share out among themselves.
//!
//! A ball that holds the three corners of a triangle holds the triangle. So a level covers the
//! surface when every piece has its corners in one ball: that is a certificate that needs no
//! geometry of overlapping disks. The finer the pieces, the less is lost by giving each of them to
//! one ball only.

use super::demand::Demand;
use super::field::Marks;
use crate::mesh::{Mesh, Triangle};
use glam::DVec3;
use std::collections::HashMap;

/// How far a point of the surface may be from the nearest piece because corners of pieces are
/// rounded: this many ulps of the largest coordinate. Each halving moves a corner by half an ulp
/// per axis.
const ROUNDING_ULPS: f64 = 2.0 * MOST_HALVINGS as f64;
const MOST_HALVINGS: u32 = 48;

/// A part of a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    /// Into [`Pieces::points`].
    pub(super) corners: [u32; 3],
    /// Of the mesh.
    pub(super) triangle: u32,
    /// How often it was halved.
    halvings: u32,
}

/// A surface, cut up.
#[derive(Debug, Clone)]
pub(super) struct Pieces {
    pub(super) points: Vec<DVec3>,
    pub(super) pieces: Vec<Piece>,
    /// What a ball's radius must be larger by than the distance of the corners it holds.
    pub(super) slack: f64,
    /// What each piece needs of the next levels, if that is known.
    pub(super) needs: Option<Demand>,
}

impl Pieces {
    /// Cuts every triangle until no edge is longer than needed for about `count` pieces; there are
    /// as many as triangles at least, and never more than four times the larger of the two.
    pub(super) fn new(mesh: &Mesh, count: usize) -> Self {
        let triangles: Vec<Triangle> = (0..mesh.triangles().len() as u32).map(|index| mesh.triangle(index)).collect();
        let area: f64 = triangles.iter().map(|[a, b, c]| 0.5 * (*b - *a).cross(*c - *a).length()).sum();
        let length: f64 = triangles.iter().map(longest).sum();
        let most = 4 * count.max(triangles.len());
        // An even triangle with edges of this length has its share of the area; needles count by
        // their length.
        let mut limit = (4.0 * area / count as f64).sqrt() + length / most as f64;
        // Areas of huge triangles overflow, and their sum may be no number.
        if limit.is_nan() {
            limit = f64::INFINITY;
        }
        // Ends: the limit grows beyond the longest edge within 6,000 rounds at most, and then no
        // triangle is cut.
        loop {
            if let Some(pieces) = Self::cut(mesh, &triangles, limit, most) {
                return pieces;
            }
            limit *= 1.5;
        }
    }

    /// The triangles as they are.
    pub(super) fn whole(mesh: &Mesh) -> Self {
        let triangles: Vec<Triangle> = (0..mesh.triangles().len() as u32).map(|index| mesh.triangle(index)).collect();
        Self::cut(mesh, &triangles, f64::INFINITY, usize::MAX).expect("nothing is too long")
    }

    fn cut(mesh: &Mesh, triangles: &[Triangle], limit: f64, most: usize) -> Option<Self> {
        let mut table = Points::default();
        let (mut pieces, mut open) = (Vec::with_capacity(triangles.len()), Vec::new());
        for (index, &triangle) in triangles.iter().enumerate() {
            open.push((triangle, 0));
            while let Some((triangle, halvings)) = open.pop() {
                match halves(&triangle, limit).filter(|_| halvings < MOST_HALVINGS) {
                    Some(two) => open.extend(two.map(|half| (half, halvings + 1))),
                    None => {
                        let corners = triangle.map(|p| table.index(p));
                        pieces.push(Piece { corners, triangle: index as u32, halvings });
                    }
                }
                if pieces.len() + open.len() > most {
                    return None;
                }
            }
        }
        let slack = ROUNDING_ULPS * f64::EPSILON * mesh.max_coordinate();
        Some(Self { points: table.points, pieces, slack, needs: None })
    }

    /// Halves the longest pieces until there are about `count`.
    pub(super) fn refine(&mut self, count: usize, shares: &mut [Vec<u32>]) {
        let mut open = self.all();
        let length = |pieces: &Self, piece: u32| longest(&pieces.corners(piece));
        let squares: f64 = open.iter().map(|&piece| length(self, piece).powi(2)).sum();
        // A piece that is twice as long becomes four.
        let limit = 2.0 * (squares / count as f64).sqrt();
        while self.pieces.len() < count {
            open.retain(|&piece| length(self, piece) > limit);
            if open.is_empty() {
                return;
            }
            let before = self.pieces.len() as u32;
            self.halve(&open, shares.iter_mut());
            // All that is left was halved as often as it may be.
            if self.pieces.len() as u32 == before {
                return;
            }
            open.extend(before..self.pieces.len() as u32);
        }
    }

    /// Halves some pieces; both halves are in the share that had the whole.
    pub(super) fn halve<'s>(&mut self, which: &[u32], shares: impl Iterator<Item = &'s mut Vec<u32>>) {
        let mut others = vec![None; self.pieces.len()];
        // Neighbours that are halved across their common edge share its middle.
        let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
        for &index in which {
            let Piece { corners, triangle, halvings } = self.pieces[index as usize];
            if halvings == MOST_HALVINGS {
                continue;
            }
            let (edge, _) = longest_edge(&self.corners(index));
            let [p, q, r] = [corners[edge], corners[(edge + 1) % 3], corners[(edge + 2) % 3]];
            let points = &mut self.points;
            let middle = *middles.entry([p.min(q), p.max(q)]).or_insert_with(|| {
                points.push(points[p as usize] * 0.5 + points[q as usize] * 0.5);
                points.len() as u32 - 1
            });
            let half = |corners| Piece { corners, triangle, halvings: halvings + 1 };
            self.pieces[index as usize] = half([p, middle, r]);
            others[index as usize] = Some(self.pieces.len() as u32);
            self.pieces.push(half([middle, q, r]));
            if let Some(needs) = &mut self.needs {
                needs.halve(index);
            }
        }
        for share in shares {
            let more: Vec<u32> = share.iter().filter_map(|&piece| others[piece as usize]).collect();
            share.extend(more);
        }
    }

    /// What the cost of a ball with these pieces is multiplied by: more than 1 if they need more
    /// than other balls' do.
    pub(super) fn weight(&self, share: &[u32]) -> f64 {
        self.needs.as_ref().map_or(1.0, |needs| needs.weight(share))
    }

    pub(super) fn area(&self, piece: u32) -> f64 {
        let [a, b, c] = self.corners(piece);
        0.5 * (b - a).cross(c - a).length()
    }

    /// By index.
    pub(super) fn all(&self) -> Vec<u32> {
        (0..self.pieces.len() as u32).collect()
    }

    pub(super) fn middle(&self, piece: u32) -> DVec3 {
        self.corners(piece).into_iter().sum::<DVec3>() / 3.0
    }

    pub(super) fn corners(&self, piece: u32) -> Triangle {
        self.pieces[piece as usize].corners.map(|corner| self.points[corner as usize])
    }

    /// The points that some pieces have for corners, each once.
    pub(super) fn points_of(&self, pieces: &[u32], marks: &mut Marks) -> Vec<DVec3> {
        marks.restart(self.points.len());
        let corners = pieces.iter().flat_map(|&piece| self.pieces[piece as usize].corners);
        corners.filter(|&corner| marks.mark(corner)).map(|corner| self.points[corner as usize]).collect()
    }

    /// The triangles that some pieces are parts of, each once, in order.
    pub(super) fn triangles_of(&self, pieces: &[u32]) -> Vec<u32> {
        let mut triangles: Vec<u32> = pieces.iter().map(|&piece| self.pieces[piece as usize].triangle).collect();
        triangles.sort_unstable();
        triangles.dedup();
        triangles
    }

    /// A radius that certainly takes in points that are this far from the centre, and the surface
    /// between them.
    pub(super) fn radius(&self, farthest: f64) -> f64 {
        farthest * (1.0 + 8.0 * f64::EPSILON) + self.slack
    }
}

/// Points by their bits.
#[derive(Debug, Default)]
struct Points {
    known: HashMap<[u64; 3], u32>,
    points: Vec<DVec3>,
}

impl Points {
    fn index(&mut self, point: DVec3) -> u32 {
        // So that 0 and -0 are one.
        let key = (point + DVec3::ZERO).to_array().map(f64::to_bits);
        *self.known.entry(key).or_insert_with(|| {
            self.points.push(point);
            self.points.len() as u32 - 1
        })
    }
}

fn edges([a, b, c]: &Triangle) -> [f64; 3] {
    [a.distance(*b), b.distance(*c), c.distance(*a)]
}

fn longest(triangle: &Triangle) -> f64 {
    edges(triangle).into_iter().fold(0.0, f64::max)
}

fn longest_edge(triangle: &Triangle) -> (usize, f64) {
    let lengths = edges(triangle);
    let longer = |best: usize, edge: usize| if lengths[edge] > lengths[best] { edge } else { best };
    let edge = longer(longer(0, 1), 2);
    (edge, lengths[edge])
}

/// The two halves across the longest edge, if that is too long.
fn halves(triangle: &Triangle, limit: f64) -> Option<[Triangle; 2]> {
    let (edge, length) = longest_edge(triangle);
    if length <= limit {
        return None;
    }
    let [p, q, r] = [triangle[edge], triangle[(edge + 1) % 3], triangle[(edge + 2) % 3]];
    let middle = p * 0.5 + q * 0.5;
    Some([[p, middle, r], [middle, q, r]])
}
