//! Average-case collision detection, held against oracles in exact arithmetic.

mod blocks;
mod cells;
mod clipping;
mod overlaps;
mod pieces;
mod probabilities;
mod searches;
