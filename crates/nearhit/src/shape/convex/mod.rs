//! Two convex bodies: separation, penetration depth, and the exact answer where doubles cannot tell.

mod body;
mod epa;
mod exact;
mod gjk;
mod polish;
mod quick;
mod simplex;

pub(crate) use body::{Bodies, Body};
pub(crate) use epa::{Room, depth};
pub(crate) use exact::{Exact, compare, compare_plane, opposite};
pub(crate) use gjk::{Gap, Goal, gap};
