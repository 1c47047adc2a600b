//! Convex bodies by GJK (`gjk`: separation) and EPA (`epa`: penetration depth), and by exact
//! arithmetic where doubles cannot tell (`exact`).

mod body;
mod closed;
mod epa;
mod exact;
mod gjk;
mod polish;
mod project;
mod quick;
mod simplex;

pub(crate) use body::{Bodies, Body, common_length};
pub(crate) use epa::{Room, depth};
pub(crate) use exact::{Exact, compare, compare_plane, opposite};
pub(crate) use gjk::{Gap, Goal, gap};
pub(crate) use quick::{Placed, gap as short_cut};
