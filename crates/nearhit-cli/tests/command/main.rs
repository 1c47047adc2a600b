//! Drives the built binary.

mod demo;
mod refusals;
mod run;
mod support;
