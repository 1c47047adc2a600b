//! Sampling density of a bounding sphere hierarchy: how many balls of a deep level does each part
//! of the surface need?
//!
//! A ball has eight children and, two levels down, sixty-four balls, however much there is for them
//! to do. So the worst balls of a level are all below the same few balls above them, and nothing
//! that is done on that level helps: the balls above must be where much is needed. Only a tree that
//! is there can tell where that is: where its balls stick out far, there are too few. From its last
//! level the need of each piece is known; while the upper levels of the next tree are settled, what
//! a ball costs is weighted by what its pieces need together.

use super::children::DEGREE;
use super::pieces::Pieces;

/// What each piece needs, in parts of what all need.
#[derive(Debug, Clone)]
pub(super) struct Demand {
    of: Vec<f32>,
    /// So many balls of the level share it.
    balls: f64,
}

/// A ball that sticks out by twice as much as the mean stands for 2^this balls: on a rod it would
/// be √2, on a sheet 2.
const MORE: f64 = 0.7;
/// A ball whose pieces need twice the mean costs 2^this as much.
const WEIGHT: f64 = 0.5;
/// No pieces count for more, or for less, than so many means.
const COUNTED: std::ops::RangeInclusive<f64> = 0.2..=5.0;

impl Demand {
    /// For `pieces` and the balls of the first level, from a tree that is made of other pieces of
    /// the same mesh: the shares of its last level and what each of its balls costs.
    pub(super) fn new(pieces: &Pieces, known: &Pieces, shares: &[Vec<u32>], costs: &[f64]) -> Self {
        let mean = (costs.iter().sum::<f64>() / costs.len() as f64).max(f64::MIN_POSITIVE);
        let triangles = pieces.pieces.iter().map(|piece| piece.triangle as usize + 1).max().unwrap_or(0);
        // By triangle: its area, and the balls on it.
        let mut found = vec![(0.0, 0.0); triangles];
        for (share, cost) in shares.iter().zip(costs) {
            let whole: f64 = share.iter().map(|&piece| known.area(piece)).sum();
            let balls = (cost.max(0.0) / mean).powf(MORE);
            for &piece in share {
                let area = known.area(piece);
                let triangle = &mut found[known.pieces[piece as usize].triangle as usize];
                triangle.0 += area;
                triangle.1 += if whole > 0.0 { balls * area / whole } else { 0.0 };
            }
        }
        let all: f64 = found.iter().map(|it| it.1).sum::<f64>().max(f64::MIN_POSITIVE);
        let need = |piece: u32| {
            let (area, balls) = found[pieces.pieces[piece as usize].triangle as usize];
            if area > 0.0 { (pieces.area(piece) / area * (balls / all)) as f32 } else { 0.0 }
        };
        Self { of: (0..pieces.pieces.len() as u32).map(need).collect(), balls: DEGREE as f64 }
    }

    /// One level down there are more balls.
    pub(super) fn descend(&mut self) {
        self.balls *= DEGREE as f64;
    }

    pub(super) fn weight(&self, share: &[u32]) -> f64 {
        let all: f64 = share.iter().map(|&piece| f64::from(self.of[piece as usize])).sum();
        (all * self.balls).clamp(*COUNTED.start(), *COUNTED.end()).powf(WEIGHT)
    }

    /// The second half of a piece is the last of all.
    pub(super) fn halve(&mut self, piece: u32) {
        let half = 0.5 * self.of[piece as usize];
        self.of[piece as usize] = half;
        self.of.push(half);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;

    /// A square of two triangles: one has three balls that stick out little, the other one that
    /// sticks out far.
    #[test]
    fn balls_that_stick_out_far_are_too_few() {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let mesh = Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]).expect("two triangles");
        let mut pieces = Pieces::new(&mesh, 64);
        let (easy, hard): (Vec<u32>, Vec<u32>) =
            pieces.all().into_iter().partition(|&it| pieces.pieces[it as usize].triangle == 0);
        let thirds: Vec<Vec<u32>> = easy.chunks(easy.len().div_ceil(3)).map(<[u32]>::to_vec).collect();
        let shares = [&thirds[..], std::slice::from_ref(&hard)].concat();
        let costs = [1.0, 1.0, 1.0, 37.0];
        let needs = Demand::new(&pieces, &pieces, &shares, &costs);
        let expected = (37f64 / 10.0).powf(MORE) / (3.0 * 0.1f64.powf(MORE) + 3.7f64.powf(MORE));
        let all = |share: &[u32]| share.iter().map(|&it| f64::from(needs.of[it as usize])).sum::<f64>();
        assert!((all(&hard) - expected).abs() < 1e-5 && (all(&easy) + all(&hard) - 1.0).abs() < 1e-5);
        assert!(needs.weight(&hard) > 1.5 * needs.weight(&easy));
        // Halving a piece changes nothing for who has it.
        let before = needs.weight(&hard);
        pieces.needs = Some(needs);
        let mut share = hard;
        pieces.halve(&share.clone(), std::iter::once(&mut share));
        assert!((pieces.weight(&share) - before).abs() < 1e-5 * before);
    }
}
