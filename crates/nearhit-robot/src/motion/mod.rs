//! Certified motion: is a robot clear of contact at *every* instant of a straight line in joint
//! space? (Continuous collision detection, CCD.)
//!
//! # Why it is certain
//!
//! Look at two bodies in the frame of the last common ancestor of their links, and at the instants
//! `t` that are at most `h` from an instant `m`. A point of a body is `T1(t) T2(t) ... Tk(t) p`,
//! one transform for each joint on the way. Change the joints one after the other, the outermost
//! first:
//!
//! ```text
//! |p(t) - p(m)|  <=  sum over i of  | T1(t) ... Ti-1(t) [Ti(t) - Ti(m)] Ti+1(m) ... Tk(m) p |
//! ```
//!
//! What stands before the bracket is rigid, and what stands after it is where the point is *at
//! `m`*, seen from joint i. So a joint that slides adds its slide, and one that turns by an angle
//! adds at most the angle (and at most 2) times the distance of the point from its axis at `m`.
//! With a ball around the body that sum is one number. If the bodies are farther apart at `m` than
//! the sums of both, they do not touch at any of these instants. Otherwise the interval is halved.
//!
//! Rounding is part of it: the poses of links are off by at most [`ROUNDING`](crate::ROUNDING)
//! times joints and reach, and a coordinate `q0 + t (q1 - q0)` by a few units in the last place.
//! Both are taken off twice, so that what is proven holds for real arithmetic and also for the
//! poses that [`Robot::link_poses`](crate::Robot::link_poses) computes at any `t`.

mod bound;
mod path;

pub use path::{PathCheck, PathOptions, PathVerdict, Undecided};

pub(crate) use bound::Line;
pub(crate) use path::MotionScratch;
