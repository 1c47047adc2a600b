//! §5 and §5.2.2: the hull at the root, and the hierarchy as a file.

use super::flights::Flight;
use super::timed;
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::stopwatch::time;
use lab_report::{Cell, Report, Table, Verdict};
use nearhit::Model;
use nearhit::research::build::BuildOptions;
use nearhit::research::hierarchy::Tumbling;
use nearhit::research::{ModelExt, VolumeKind};

/// The paper's figures: bytes of the flying object's hull on Pipes (§5), and size and loading time
/// of a 26-DOP tree of Interior's 169,944 triangles (§5.2.2).
const HULL_MB: f64 = 1.65;
const FILE_MB: f64 = 69.0;
const LOAD_SECONDS: f64 = 10.0;
const INTERIOR: usize = 169_944;

pub(super) fn run(flights: &[Flight], scale: Scale) -> Report {
    let mut report = Report::new("§5, §5.2.2: hulls and files");
    progress::begins(&report.title);
    hulls(&mut report, flights);
    let interior = flights.last().expect("five flights");
    let triangles = interior.environment.triangles().len();
    let model = Model::with(interior.environment.clone(), VolumeKind::KDop26, &BuildOptions::default());
    let mut file = Vec::new();
    model.save(&mut file).expect("memory can be written");
    let mut loaded = None;
    let load = (0..scale.pick(2, 5))
        .map(|_| time(|| loaded = Some(Model::from_bytes(&file).expect("what was just saved"))))
        .min()
        .expect("at least once");
    assert!(loaded.expect("loaded").is_same_tree(&model), "what was loaded is not what was built");
    let columns = ["", "triangles", "MB", "bytes a triangle", "seconds to load"];
    let mut table = Table::new("§5.2.2: the 26-DOP tree of Interior as a binary file", &columns);
    let mb = file.len() as f64 / 1e6;
    let mut row = |name: &str, triangles: usize, mb: f64, seconds: f64| {
        let each = mb * 1e6 / triangles as f64;
        let count = Cell::Count(triangles as u64);
        table.row([name.into(), count, Cell::Number(mb, 1), Cell::Number(each, 0), Cell::Number(seconds, 3)]);
    };
    row("ours", triangles, mb, load.as_secs_f64());
    row("paper", INTERIOR, FILE_MB, LOAD_SECONDS);
    report.table(table);
    let each = (load.as_secs_f64() / triangles as f64, LOAD_SECONDS / INTERIOR as f64);
    report.claim(timed(
        "§5.2.2",
        "a hierarchy is loaded from a binary file in far less time than it takes to build (10 s for 45 min)",
        Verdict::of(each.0 < each.1),
        format!(
            "{:.1} MB in {:.3} s, checked in full; a triangle in {:.2} µs (paper: {:.0})",
            mb,
            load.as_secs_f64(),
            each.0 * 1e6,
            each.1 * 1e6
        ),
    ));
    report
}

fn hulls(report: &mut Report, flights: &[Flight]) {
    let columns = ["flight", "triangles of the object", "corners of its hull", "MB of the hull", "paper, MB"];
    let mut table = Table::new("§5: what hill climbing at the root keeps", &columns);
    for (index, flight) in flights.iter().enumerate() {
        let options = BuildOptions::new().leaf_size(BuildOptions::FLYING_LEAF_SIZE);
        let object = Model::with(flight.object.clone(), VolumeKind::KDop18, &options).tumbling(Tumbling::PAPER);
        let hull = object.hierarchy().outlines().and_then(|outlines| outlines.hull(0).map(|(_, hull)| hull.clone()));
        let figure =
            |of: &dyn Fn(&nearhit::research::volume::hull::Hull) -> Cell| hull.as_ref().map_or(Cell::Empty, of);
        table.row([
            flight.name.into(),
            Cell::Count(flight.object.triangles().len() as u64),
            figure(&|hull| Cell::Count(hull.len() as u64)),
            figure(&|hull| Cell::Number(hull.bytes() as f64 / 1e6, 4)),
            if index == 0 { Cell::Number(HULL_MB, 2) } else { Cell::Empty },
        ]);
    }
    report.table(table);
    report.text("Where an object has no more points than its volume has corners, or they lie in a plane, no hull is made: the points themselves are looked at.");
}
