//! What the distances from a rectangle share: an edge of a against the edges of rectangle b, in b's
//! frame.
//!
//! The cross product of a direction with b's x or y has a zero in that place and is otherwise
//! exact. So it is square to both edges however short it is, and no angle between them is too
//! small.

use super::{larger, smaller, within};
use glam::{DVec2, DVec3};

/// A gap that reaches this share of the way between two points is as good as it.
pub(super) const TIGHT: f64 = 1.0 - 1e-11;

/// Squared lengths of cross products below this have lost digits to underflow.
const TINY: f64 = 1e-200;

/// The gaps along the cross products of b's x and y with one direction of a, each times the length
/// of the product.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeGaps {
    /// Where a's middle lies along the two products.
    pub(super) offsets: DVec2,
    pub(super) gaps: DVec2,
    pub(super) lengths_squared: DVec2,
}

impl EdgeGaps {
    /// `others` is what a's other side takes up along the two products.
    #[inline]
    pub(super) fn new(offset: DVec3, edge: DVec3, half_b: DVec2, others: DVec2) -> Self {
        let offsets = DVec2::new(offset.z * edge.y - offset.y * edge.z, offset.x * edge.z - offset.z * edge.x);
        let from_b = DVec2::new(half_b.y, half_b.x) * edge.z.abs();
        let squares = edge * edge;
        Self {
            offsets,
            gaps: offsets.abs() - from_b - others,
            lengths_squared: DVec2::new(squares.y + squares.z, squares.x + squares.z),
        }
    }

    /// The squares of the two gaps, zero where there is none or the product has no length.
    #[inline]
    pub(super) fn squares(&self) -> DVec2 {
        let positive = DVec2::new(larger(self.gaps.x, 0.0), larger(self.gaps.y, 0.0));
        let meaningful = self.lengths_squared.cmpgt(DVec2::splat(TINY));
        DVec2::select(meaningful, positive * positive / self.lengths_squared, DVec2::ZERO)
    }

    /// Do the shadows overlap along both products?
    #[inline]
    pub(super) fn overlap(&self) -> bool {
        larger(self.gaps.x, self.gaps.y) <= 0.0
    }

    /// Is a gap wider than `width`? Without roots.
    #[inline]
    pub(super) fn exceed(&self, width: f64) -> bool {
        let positive = DVec2::new(larger(self.gaps.x, 0.0), larger(self.gaps.y, 0.0));
        let wider = (positive * positive).cmpgt(self.lengths_squared * (width * width));
        (wider & self.lengths_squared.cmpgt(DVec2::splat(TINY))).any()
    }
}

/// A gap that was measured along a way, per length of that way; zero where the square of the length
/// has lost digits to underflow.
#[inline]
pub(super) fn per_length(gap: f64, square: f64) -> f64 {
    if gap > 0.0 && square > 1e-290 { gap / square.sqrt() } else { 0.0 }
}

/// The widest gap along any of the shortest ways.
///
/// Not just along the shortest: two ways of the same length to the last digit may differ in
/// direction by half the digits, and then the gap along only one of them is as long.
pub(super) fn widest_gap(ways: &[DVec3], gap_along: impl Fn(DVec3) -> f64) -> f64 {
    let shortest = ways.iter().fold(f64::INFINITY, |square, way| smaller(way.length_squared(), square));
    let short = ways.iter().filter(|way| way.length_squared() <= shortest * (1.0 + 1e-6));
    short.fold(0.0, |widest, &way| larger(widest, gap_along(way)))
}

/// The shortest way from b's edge, along x about the origin, to a's edge about `offset`.
///
/// Lumelsky's order: a's coordinate as between lines, clamped; b's best for it, clamped; a's best
/// for that. The first takes only what is across b's edge, so that nearly parallel edges cost no
/// digits. Parallel ones start at a's middle.
#[inline]
pub(super) fn between_edges(edge: DVec3, half_a: f64, offset: DVec3, half_b: f64, sine_squared: f64) -> DVec3 {
    let across = offset.y * edge.y + offset.z * edge.z;
    let along_a = within(-across / larger(sine_squared, TINY), half_a);
    let along_b = within(offset.x + edge.x * along_a, half_b);
    let from_b = offset.x - along_b;
    let along_a = within(-(from_b * edge.x + across), half_a);
    DVec3::new(from_b + edge.x * along_a, offset.y + edge.y * along_a, offset.z + edge.z * along_a)
}

/// Makes a way that is square to an edge of a up to rounding square to it in earnest: beside a
/// short way, what is left of rounding would tilt it.
#[inline]
pub(super) fn squared_to(way: DVec3, edge: DVec3, rounding: f64) -> DVec3 {
    let tilt = way.dot(edge);
    way - edge * if tilt.abs() > rounding { 0.0 } else { tilt }
}

/// The same for the edges of b, along x and y.
#[inline]
pub(super) fn squared_to_b(way: DVec3, rounding: f64) -> DVec3 {
    let straight = |coordinate: f64| if coordinate.abs() > rounding { coordinate } else { 0.0 };
    DVec3::new(straight(way.x), straight(way.y), way.z)
}
