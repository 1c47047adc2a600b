//! The certified collision matrix: which pairs of links can touch at all, proven for *all*
//! configurations within the limits, not sampled.
//!
//! # Why it is certain
//!
//! Only the joints between two links matter for them. Their ranges are a box. At the middle of a
//! box the bound of [`motion`](crate::Checker::path_clear) says how far the two can move for any
//! other configuration of the box: each joint adds at most its half range times its lever *at the
//! middle*, whatever the others do. If the links are farther apart than that, they touch nowhere in
//! the box. Otherwise it is halved where the bound is largest (branch and bound). Rounding is taken
//! off as for lines.
//!
//! For "always" the same is asked of overlap. Two convex bodies that a plane parts were no farther
//! in each other than what moved them apart: so a depth above the bound keeps them in contact in
//! the whole box. Of solid meshes, a point of one body that is deeper in the other than the bound
//! stays there.
//!
//! # What it covers
//!
//! All configurations within [`Robot::limits`](crate::Robot::limits). Continuous joints go all the
//! way round. Pairs with a joint between them that slides without limits stay open.

mod link_pair;
mod overlap;
mod search;
mod state;
mod write;

pub use link_pair::{MatrixEntry, PairVerdict};
pub use search::{MatrixOptions, MatrixSearch};
pub use state::MatrixError;
