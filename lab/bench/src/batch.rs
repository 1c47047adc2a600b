//! Do batches use two cores as well as pure arithmetic does?
//!
//! What a second core is worth depends on the machine (it may be half a core), so a loop that
//! touches no memory is scaled in the same rounds.

use anyhow::{Context, Result};
use lab_report::stopwatch::interleaved;
use lab_report::{Cell, Report, Table};
use nearhit::batch::{self, BatchOptions};
use nearhit::{Model, Pair, Tolerance, Verdict};
use nearhit_cases::folder::Case;
use rayon::prelude::*;
use std::hint::black_box;
use std::path::PathBuf;

const ROUNDS: usize = 7;

/// Batches of every pose of each case, with one thread and with two.
pub fn run(cases: &[PathBuf]) -> Result<Report> {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("a pool of threads");
    let pools = [pool(1)?, pool(2)?];
    let mut rows = Vec::new();
    for folder in cases {
        eprintln!("{}", folder.display());
        let case = Case::load(folder)?;
        let (a, b) = (Model::new(case.a.clone()), Model::new(case.b.clone()));
        for question in ["collide", "distance"] {
            // Poses that are refused are refused here; after that every answer is one.
            let queries = answers(question, &a, &b, &case)?.len();
            let ask = || black_box(answers(question, &a, &b, &case));
            let [mut alone, mut together] = pools.each_ref().map(|pool| move || pool.install(|| drop(ask())));
            let [mut loop_alone, mut loop_together] = pools.each_ref().map(|pool| move || pool.install(arithmetic));
            let times = interleaved(ROUNDS, &mut [&mut alone, &mut together, &mut loop_alone, &mut loop_together]);
            let scaling = |one: usize, two: usize| times[one].as_secs_f64() / times[two].as_secs_f64();
            let (ours, pure) = (scaling(0, 1), scaling(2, 3));
            rows.push(vec![
                Cell::from(case.name.as_str()),
                Cell::from(question),
                Cell::Number(times[0].as_secs_f64() * 1e6 / queries as f64, 2),
                Cell::Number(ours, 2),
                Cell::Number(pure, 2),
                Cell::Number(ours / pure, 2),
            ]);
        }
    }
    let columns = ["case", "query", "µs a query, one thread", "two threads ×", "pure arithmetic ×", "share"];
    let mut report = Report::new("Batches on two threads");
    report.text(
        "All poses of a case as one batch, and a loop without memory, in turn; the least time of seven rounds each.",
    );
    let columns = columns.map(str::to_owned).to_vec();
    report.table(Table { caption: "How much faster two threads are than one".to_owned(), columns, rows });
    Ok(report)
}

/// Of a whole batch; repeated, so that one takes a while.
fn answers(question: &str, a: &Model, b: &Model, case: &Case) -> Result<Vec<f64>> {
    let count = case.poses.len() * if question == "collide" { 20 } else { 1 };
    let pair = |index: usize| {
        let placed = &case.poses[index % case.poses.len()];
        Pair::new(a, &placed.world_from_a, b, &placed.world_from_b)
    };
    let found = batch::each(count, pair, &BatchOptions::default(), |pair, settings, scratch| {
        if question == "collide" {
            return (f64::from(pair.collide(settings, scratch).verdict == Verdict::Yes), None);
        }
        (pair.distance(Tolerance::EXACT, settings, scratch).upper, None)
    });
    Ok(found?)
}

/// Some tens of milliseconds of multiplications and additions, enough of them independent to keep a
/// core's units busy, as queries do: two threads that share a core gain little from waiting.
fn arithmetic() {
    let part = |part: u32| {
        let mut values: [f64; 16] = std::array::from_fn(|lane| f64::from(part) + lane as f64);
        for _ in 0..20_000 {
            values.iter_mut().for_each(|value| *value = *value * 0.999 + 1.0);
        }
        values.iter().sum::<f64>()
    };
    black_box((0..256_u32).into_par_iter().with_max_len(1).map(part).sum::<f64>());
}
