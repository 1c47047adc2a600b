//! Questions about meshes of every size that doubles have: nothing that touches is lost where
//! squares or single precision underflow.

#[path = "../common/mod.rs"]
mod common;
mod pairs;
mod rooms;
mod truth;
