//! Seeded pairs of convex shapes over all pairs of kinds, made to break distance, contact and
//! depth.
//!
//! A [`Shape`] is a description in its local frame; a [`ShapePair`] leaves `a` as it is and poses
//! `b` in a's frame. What the pair is to the oracles follows the documented rules of posing:
//!
//! * Corners (of points, segments, boxes, triangles, hulls) are posed one by one, each coordinate
//!   `((r0 * x + r1 * y) + r2 * z) + t` in double arithmetic; the body is the hull of the results,
//!   grown by the margin.
//! * A cylinder, cone or ellipsoid is the exact image of the local body under the doubles of the
//!   rotation and translation, grown by the margin.
//! * A half-space has the rotated normal, by the formula above with `t = 0`, and the offset
//!   `((n0 * t0 + n1 * t1) + n2 * t2) + offset` of that normal ([`pose_plane`]).

mod families;
mod generate;
mod shape;

pub use families::{Family, pair, pairs};
pub use generate::Sizes;
pub use shape::{Kind, Shape, pose_plane};

use crate::Point;
use crate::convex::Solid;
use crate::pose::Rows;

/// Two shapes and the pose of the second in the first's frame.
#[derive(Clone, Debug)]
pub struct ShapePair {
    /// Stays as it is.
    pub a: Shape,
    /// Is posed.
    pub b: Shape,
    /// Of b, by rows.
    pub rotation: Rows,
    /// Of b.
    pub translation: Point,
    /// How the pair was made.
    pub family: Family,
}

impl ShapePair {
    /// The two bodies in a's frame, for the oracles.
    pub fn solids(&self) -> [Solid; 2] {
        [self.a.solid(), self.b.posed(&self.rotation, &self.translation)]
    }
}
