//! Test benches for proximity queries: case folders on disk, generated data sets, and the flight
//! simulator.
//!
//! * [`folder`]: a case folder, as `nearhit run` takes it: two meshes and a pose for each query.
//! * [`generated`]: the meshes and poses of `nearhit-datasets` as the library's types.
//! * [`flight`]: a space-ship simulator after the sphere-tree paper's (collision detection within a
//!   frame time).

pub mod flight;
pub mod folder;
pub mod generated;

/// The code of the crate's README is compiled with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
