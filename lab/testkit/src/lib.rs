//! Oracles that judge `nearhit` and share no code with it.
//!
//! * [`exact`]: decisions about two triangles in integer and rational arithmetic.
//! * [`brute`]: the same questions over whole soups, pair by pair.
//! * [`convex`]: distance, contact and depth of convex bodies, exactly or certified.
//! * [`escape`]: how far a soup must be moved along a direction to be free of another.
//! * [`solid`]: points and rays against soups, winding numbers, depths of convex bodies.
//! * [`bins`]: balls thrown into bins, counted; [`clip`]: how much of a triangle is in a box.
//! * [`margin`]: by how much triangles cross.
//! * [`mates`]: solids whose faces lie on each other, in many cuts.
//! * [`overlap`]: the volume that two closed soups have in common, in rationals.
//! * [`pieces`]: point clouds, height fields and octrees, piece by piece.
//! * [`adversarial`]: pairs of triangles made to break predicates.
//! * [`shape_pairs`]: pairs of convex shapes of all kinds, touching, nested, flat, of any size.
//! * [`sizes`]: pairs of soups from the smallest to the largest doubles.
//!
//! The generators of `nearhit-datasets` (shapes, cases, assemblies, seeded randomness, the
//! documented rounding of a posed point) are exported here, too. The border speaks plain arrays of
//! `f64`, so that the judged library needs no conversion code here and no type of it can leak in.

// In a test a failed unwrap is a failed test.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod adversarial;
pub mod bins;
pub mod brute;
pub mod clip;
mod closest;
pub mod convex;
pub mod delaunay;
pub mod escape;
pub mod exact;
pub mod margin;
pub mod mates;
pub mod overlap;
pub mod pieces;
pub mod ray;
pub mod shape_pairs;
pub mod sizes;
pub mod solid;

pub use nearhit_datasets::{Point, Soup, Tri, assembly, cases, pose, rng, shapes, soup, vector};
