//! The paper's comparator: RAPID itself beside the tree that stands for it, on the five flights.
//!
//! Only where a program that speaks for RAPID is named (`swept/beside.rs` says how).

use super::flights::Flight;
use crate::swept::benchmarks::Benchmark;
use crate::swept::beside::rapid;
use lab_report::{Report, progress};

pub(super) fn run(flights: &[Flight]) -> Report {
    let mut report = Report::new("§5: RAPID itself");
    progress::begins(&report.title);
    let benchmark = |flight: &Flight| {
        let (a, b, poses) = (flight.object.clone(), flight.environment.clone(), flight.poses.clone());
        Benchmark { name: flight.name, what: String::new(), column: 0, a, b, poses }
    };
    let benchmarks: Vec<Benchmark> = flights.iter().map(benchmark).collect();
    rapid(&mut report, "§5", &benchmarks);
    report
}
