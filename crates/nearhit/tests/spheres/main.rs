//! Sphere-trees and what is refined with them, judged by dense sampling, by exact arithmetic and by
//! the exact engine.

mod bounds;
#[path = "../common/mod.rs"]
mod common;
mod follow;
mod merged;
mod policy;
mod refine;
mod shapes;
mod trees;
