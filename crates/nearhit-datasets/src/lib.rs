//! Meshes, flights and assemblies of the collision detection papers, generated: the same bytes from
//! the same seed everywhere.
//!
//! * [`shapes`]: meshes; [`cases`]: two meshes and their poses, as the papers fly them.
//! * [`assembly`]: parts with known clashes.
//! * [`rng`]: the seeded randomness everything here draws from.
//! * [`pose`]: rotations as rows, and the documented rounding of a posed point.
//! * [`vector`]: points as arrays.
//!
//! The border speaks plain arrays of `f64`: this crate depends on nothing, so that oracles and the
//! library that they judge can share its data without sharing code.

// In a test a failed unwrap is a failed test.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod assembly;
pub mod cases;
pub mod pose;
pub mod rng;
pub mod shapes;
pub mod soup;
pub mod vector;

pub use soup::{Point, Soup, Tri};

/// The code of the crate's README is compiled with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
