//! Measurements of nearhit: the four papers' tables and figures, and what was tried beyond them.
//!
//! An experiment is a function that returns a [`report::Report`]: tables, plots, and a verdict on each claim of the paper. Reports become
//! text for the terminal, Markdown, or one HTML page. Work counters in them repeat exactly; times are of the machine at hand.

pub mod batch;
pub mod case_folder;
pub mod papers;
pub mod peers;
pub mod progress;
pub mod report;
pub mod scale;
pub mod scenes;
pub mod solids;
pub mod stopwatch;
pub mod subject;
