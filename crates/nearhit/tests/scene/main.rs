//! Scenes: their broad phases against looking at every pair, their answers against asking about
//! every pair.

#[path = "../common/mod.rs"]
mod common;

mod answers;
mod broad;
mod deforming;
mod frames;
mod intervals;
mod limits;
mod motions;
mod paths;
mod refusals;
mod shapes;
mod solid_frames;
mod solids;
mod world;
