//! Triangle-triangle intersection and distance, exactly.
//!
//! [`predicates`] answers "on which side", always as exact arithmetic would; [`intersect`] builds
//! "do they touch" on it and on nothing else, and `fours` for four pairs at once where rounding
//! leaves no doubt; [`overlap`] says where, in doubles, for people and reports; [`distance`] says
//! how far apart. [`ray`] and [`crossing`] are about half-lines: the first hit, and signs that add
//! up to a winding number. [`shift`] moves one of two triangles by an infinitely small step, so
//! that nothing is in line with anything.

pub mod crossing;
pub mod distance;
pub(crate) mod doubles;
pub(crate) mod exact;
pub(crate) mod fours;
pub mod intersect;
pub mod overlap;
pub mod predicates;
pub mod ray;
pub(crate) mod shift;
