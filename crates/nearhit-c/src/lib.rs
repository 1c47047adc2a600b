//! The C interface of [nearhit](https://docs.rs/nearhit): what `include/nearhit.h` declares.
//!
//! Programs in C and C++ use the header; `include/nearhit.hpp` wraps it for C++17. Rust programs
//! use the crate `nearhit`. The header is made from this crate by cbindgen; `tests/header.rs`
//! compares the two.
//!
//! # The border
//!
//! * Every function that can fail returns a [`nearhit_status`] and fills in a caller's
//!   [`nearhit_error`] ([`status`]).
//! * Nothing unwinds into C: [`border::guard`] turns a panic into a status.
//! * Handles are boxes; NULL is an error where something is needed, and nothing where something is
//!   freed. Pointers to one value are `Option<&T>`, so that NULL is `None`; only arrays, strings
//!   and handles that lock themselves are raw pointers, and [`border`] turns them into references.
//! * What comes in is plain data whose every bit pattern is a value: choices are integers, flags
//!   too, and they are checked.
//!
//! | module | content |
//! |---|---|
//! | `border`, `status` | how a call is made and how it fails |
//! | `pose`, `mesh`, `model`, `settings`, `results` | what comes in; what all answers have |
//! | `pair` | how a query of two models is entered |
//! | `surfaces`, `contacts`, `batch` | two surfaces, once or many times |
//! | `solids`, `regions` | two solids |
//! | `points` | points and rays against one model |
//! | `motion` | time of impact |
//! | `spheres` | sphere-trees and refinement |
//! | `shape`, `shape_pair`, `shape_contacts`, `shape_points` | primitives, hulls, clouds; two shapes; points and rays |
//! | `robot`, `robot_ask` | robots: URDF and SRDF, configurations, lines of them |
//! | `scene`, `scene_add`, `scene_ask` | many bodies |
//! | `clash` | parts of an assembly |
//! | `version` | which library this is |

// Names are those of the header, so that both can be searched for the same word.
#![allow(non_camel_case_types)]
// The second place, beside SIMD kernels, where unsafe code is allowed: what C hands over cannot be
// checked by the compiler.
#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]
// What callers must keep to is said once, at the top of the header (cbindgen.toml).
#![allow(clippy::missing_safety_doc)]
// Two models, two poses, settings, an answer and an error are seven; some questions have a number
// more.
#![allow(clippy::too_many_arguments)]

pub mod batch;
pub mod border;
pub mod clash;
pub mod contacts;
pub mod mesh;
pub mod model;
pub mod motion;
mod pair;
pub mod points;
pub mod pose;
pub mod regions;
pub mod results;
pub mod robot;
pub mod robot_ask;
pub mod scene;
pub mod scene_add;
pub mod scene_ask;
pub mod settings;
pub mod shape;
pub mod shape_contacts;
pub mod shape_pair;
pub mod shape_points;
pub mod solids;
pub mod spheres;
pub mod status;
pub mod surfaces;
pub mod version;

pub use status::{nearhit_error, nearhit_status};
