//! Solids, points and rays against brute force and formulas.

#[path = "../common/mod.rs"]
mod common;
mod contact;
mod depth;
mod geometry;
mod holes;
mod inside;
mod overlap;
mod points;
mod rays;
mod shapes;
