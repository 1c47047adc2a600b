//! Triangles against triangles, exactly.
//!
//! [`predicates`] answers "on which side", always as exact arithmetic would; [`intersect`] builds "do they touch"
//! on it and on nothing else; [`overlap`] says where, in doubles, for people and reports; [`distance`] says how far apart.

pub mod distance;
mod exact;
pub mod intersect;
pub mod overlap;
pub mod predicates;
