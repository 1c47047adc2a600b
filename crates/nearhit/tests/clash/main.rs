//! Clash detection against parts whose clashes are known by construction, and against brute force.

mod again;
mod claims;
#[path = "../common/mod.rs"]
mod common;
mod findings;
mod mates;
mod report;
mod situations;
