//! Convex bodies by GJK (`gjk`: separation) and EPA (`epa`, `surface`: penetration depth), and by
//! exact arithmetic where doubles cannot tell (`exact`).

mod axes;
mod body;
mod closed;
mod curvature;
mod epa;
mod exact;
mod gjk;
mod polish;
mod project;
mod propose;
mod quick;
mod simplex;
mod surface;

pub(crate) use axes::depth as boxes_depth;
pub(crate) use body::{Bodies, Body, common_length};
pub(crate) use epa::{Depth, Room, depth};
pub(crate) use exact::{Exact, compare, compare_plane, opposite};
pub(crate) use gjk::{Gap, Goal, gap};
pub(crate) use quick::{Placed, gap as short_cut};
