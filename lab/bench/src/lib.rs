//! Measurements of nearhit: beside other libraries, in batches, on solids, in scenes.
//!
//! A measurement is a function that returns a [`lab_report::Report`]: tables and plots. Reports
//! become text for the terminal, Markdown, or one HTML page. Work counters in them repeat exactly;
//! times are of the machine at hand.

pub mod batch;
pub mod peers;
pub mod scenes;
pub mod shapes;
pub mod solids;
