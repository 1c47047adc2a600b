//! Numbers as bytes: what model files are made of, and why one is refused.
//!
//! The parts of a file are read and written beside the code that owns them (`hierarchy/file.rs`,
//! `packed/file.rs`); the file as a whole is in [`crate::file`](mod@crate::file).

mod error;
mod source;

pub use error::FileError;
pub(crate) use source::{Source, f64s, u32s};
