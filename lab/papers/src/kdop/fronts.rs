//! §6, temporal coherence: hot starts from the last query's front.

use super::flights::Flight;
use super::fly::{System, compare};
use super::{counted, of_share};
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::{Cell, Report, Table};
use nearhit::research::ModelExt;
use nearhit::research::PairExt;
use nearhit::research::VolumeKind;
use nearhit::research::traverse::Front;
use nearhit::{Model, Pair, Scratch, Settings, Stats, Tolerance};

const LIFETIMES: [u32; 4] = [1, 2, 4, 16];

pub(super) fn run(flights: &[Flight], scale: Scale) -> Report {
    let mut report = Report::new("§6: hot start from the last front");
    progress::begins(&report.title);
    report.text(
        "A front belongs to the caller, so it is no default. It is given up after two queries unless the caller says otherwise: longer lives lose more tests where they lose. Exact distances that start from the last witness gain nothing from it.",
    );
    let paper = System::paper(VolumeKind::KDop18);
    let hot = LIFETIMES.map(|lifetime| System { front: Some(lifetime), ..paper });
    let systems: Vec<System> = std::iter::once(paper).chain(hot).collect();
    let columns = ["contacts from", "N_v", "N_p", "N_u", "µs", "N_v / cold", "time / cold"];
    let mut better = 0;
    let mut evidence = Vec::new();
    for flight in flights {
        let flown = compare(flight, &systems, scale.pick(1, 6));
        let mut table = Table::new(format!("Hot start on {}", flight.name), &columns);
        let names = std::iter::once("the roots".to_owned())
            .chain(LIFETIMES.map(|life| format!("a front, renewed after {life}")));
        for (name, of) in names.zip(&flown) {
            let tail = [of.n_v() / flown[0].n_v(), of.micros() / flown[0].micros()].map(|x| Cell::Number(x, 2));
            table.row(std::iter::once(name.into()).chain(of.cells()).chain(tail));
        }
        report.table(table);
        let of_default = LIFETIMES
            .iter()
            .position(|&life| life == Front::LIFETIME)
            .map_or(1.0, |i| flown[i + 1].n_v() / flown[0].n_v());
        better += usize::from(of_default < 1.0);
        evidence.push(format!("{} {of_default:.2}", flight.name));
    }
    report.claim(counted(
        "§6",
        "a hot start saves volume tests from step to step",
        of_share(better, flights.len()),
        format!("N_v of contacts over the cold start's: {}", evidence.join(", ")),
    ));
    report.table(distances(flights));
    report
}

/// Exact distances, with the last witness as seed: from the roots and from a front.
fn distances(flights: &[Flight]) -> Table {
    let columns =
        ["exact distance, last witness as seed", "N_v", "N_v, front", "N_p", "N_p, front", "N_u", "N_u, front"];
    let mut table = Table::new("Hot start of distance queries", &columns);
    let system = System::paper(VolumeKind::KDop18);
    for flight in flights {
        let object = Model::with(flight.object.clone(), system.volume, &system.flying);
        let environment = Model::with(flight.environment.clone(), system.volume, &system.environment);
        let (mut scratch, mut front) = (Scratch::new(), Front::new());
        let (mut cold, mut hot) = (Stats::default(), Stats::default());
        let mut settings = Settings::default();
        for pose in flight.poses.iter().step_by(4) {
            let pair = Pair::relative(&object, &environment, pose).expect("generators stay in range");
            let from_roots = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
            let from_front = pair.distance_from_front(&mut front, Tolerance::EXACT, &settings, &mut scratch);
            assert_eq!(from_roots.upper, from_front.upper, "{}: answers differ", flight.name);
            cold += from_roots.stats;
            hot += from_front.stats;
            settings.seed = Some(from_roots.seed());
        }
        let queries = flight.poses.iter().step_by(4).count() as f64;
        let means =
            [cold.volume_tests, hot.volume_tests, cold.triangle_tests, hot.triangle_tests, cold.updates, hot.updates];
        table.row(std::iter::once(flight.name.into()).chain(means.map(|x| Cell::Number(x as f64 / queries, 1))));
    }
    table
}
