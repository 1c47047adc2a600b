//! Average-case collision detection, held against oracles in exact arithmetic.

// In a test a failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod clipping;
mod probabilities;
