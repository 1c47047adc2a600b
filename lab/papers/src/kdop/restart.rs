//! §4.2: restarting at the environment's root, to the letter and once.

use super::flights::Flight;
use super::fly::System;
use super::{counted, of_share, timed};
use lab_report::progress;
use lab_report::stopwatch::time;
use lab_report::{Cell, Report, Table, Verdict};
use nearhit::research::VolumeKind;
use nearhit::research::traverse::Opening;
use nearhit::research::{ModelExt, SettingsExt};
use nearhit::{Budget, Model, Pair, Scratch, Settings, Stats};
use std::time::Duration;

/// A query may do so many times the work of Algorithm 1 before it is given up.
const PATIENCE: u64 = 200;

/// One way over all steps that it finished.
#[derive(Default)]
struct Way {
    stats: Stats,
    time: Duration,
    given_up: usize,
}

/// Algorithm 1 and one variant, over the same steps.
struct Compared {
    plain: Way,
    variant: Way,
    steps: usize,
}

impl Compared {
    fn n_v(&self) -> f64 {
        self.variant.stats.volume_tests as f64 / self.plain.stats.volume_tests as f64
    }

    fn time(&self) -> f64 {
        self.variant.time.as_secs_f64() / self.plain.time.as_secs_f64()
    }
}

fn work(stats: &Stats) -> u64 {
    stats.volume_tests + stats.triangle_tests
}

fn fly(flight: &Flight, opening: Opening) -> Compared {
    let system = System::paper(VolumeKind::KDop18);
    let object = Model::with(flight.object.clone(), system.volume, &system.flying).tumbling(system.tumbling);
    let environment = Model::with(flight.environment.clone(), system.volume, &system.environment);
    let mut scratch = Scratch::new();
    let mut compared = Compared { plain: Way::default(), variant: Way::default(), steps: flight.poses.len() };
    for pose in &flight.poses {
        let pair = Pair::relative(&object, &environment, pose).expect("generators stay in range");
        let mut ask = |settings: &Settings<'_>| {
            let (mut stats, mut truth, mut complete) = (Stats::default(), Vec::new(), false);
            // The better of two: what the machine does besides would count.
            let runs = [(); 2].map(|()| {
                time(|| {
                    let found = pair.contacts(settings, &mut scratch);
                    (stats, complete) = (found.stats, found.is_complete);
                    truth.clear();
                    truth.extend_from_slice(found.pairs);
                })
            });
            (stats, runs[0].min(runs[1]), complete, truth)
        };
        let (plain, plain_time, _, truth) = ask(&system.settings());
        let patience = Budget::work(PATIENCE * work(&plain).max(50));
        let (stats, took, complete, found) = ask(&system.settings().opening(opening).budget(patience));
        if !complete {
            compared.variant.given_up += 1;
            continue;
        }
        assert_eq!(found, truth, "{}: {opening:?} finds other contacts", flight.name);
        compared.plain.stats += plain;
        compared.plain.time += plain_time;
        compared.variant.stats += stats;
        compared.variant.time += took;
    }
    compared
}

pub(super) fn run(flights: &[Flight]) -> Report {
    let mut report = Report::new("§4.2: restarting at the environment's root");
    progress::begins(&report.title);
    report.text(format!(
        "To the letter, line 9 of Algorithm 1 restarts the search for every leaf of the environment that a node of the flying hierarchy meets, so a node that meets m leaves is searched m times, on every \
         level anew. A query that takes {PATIENCE} times the work of Algorithm 1 is given up and counted as such; ratios are over the steps that were finished. \"Once\" restarts each node's search a single time."
    ));
    let columns = ["variant", "flight", "steps", "given up", "N_v : Algorithm 1's", "time : Algorithm 1's"];
    let mut table = Table::new("§4.2: the restarting variant (paper's times: 0.95 to 1.2)", &columns);
    let variants = [("to the letter", Opening::RestartEvery), ("once", Opening::Restart)];
    let flown: Vec<Vec<Compared>> =
        variants.map(|(_, opening)| flights.iter().map(|flight| fly(flight, opening)).collect()).into();
    for ((name, _), flown) in variants.iter().zip(&flown) {
        for (flight, compared) in flights.iter().zip(flown) {
            table.row([
                Cell::from(*name),
                flight.name.into(),
                Cell::Count(compared.steps as u64),
                Cell::Count(compared.variant.given_up as u64),
                Cell::Number(compared.n_v(), 2),
                Cell::Number(compared.time(), 2),
            ]);
        }
    }
    report.table(table);
    for ((name, _), flown) in variants.iter().zip(&flown) {
        claims(&mut report, name, flown);
    }
    report
}

fn claims(report: &mut Report, name: &str, flown: &[Compared]) {
    let listed =
        |of: fn(&Compared) -> f64| flown.iter().map(|c| format!("{:.2}", of(c))).collect::<Vec<_>>().join(", ");
    let given_up: usize = flown.iter().map(|compared| compared.variant.given_up).sum();
    let steps: usize = flown.iter().map(|compared| compared.steps).sum();
    let as_told = flown.iter().filter(|c| c.variant.given_up == 0 && (0.95..=1.2).contains(&c.time())).count();
    report.claim(timed(
        &format!("§4.2, {name}"),
        "restarting takes from 5 % less to 20 % more time",
        of_share(as_told, flown.len()),
        format!(
            "so on {as_told} of {} flights: {}; {given_up} of {steps} steps given up",
            flown.len(),
            listed(Compared::time)
        ),
    ));
    let more = flown.iter().filter(|compared| compared.n_v() > 1.0 || compared.variant.given_up > 0).count();
    report.claim(counted(
        &format!("§4.2, {name}"),
        "restarting is usually inferior: more overlap tests on most flights",
        Verdict::of(2 * more > flown.len()),
        format!("N_v over Algorithm 1's by flight: {}; {given_up} of {steps} steps given up", listed(Compared::n_v)),
    ));
}
