//! §5, memory requirements.

use super::counted;
use super::flights::Flight;
use super::published::VOLUMES;
use lab_report::progress;
use lab_report::{Cell, Report, Table, Verdict};
use nearhit::Model;
use nearhit::research::ModelExt;
use nearhit::research::build::BuildOptions;
use nearhit::research::hierarchy::Tumbling;

pub(super) fn run(flights: &[Flight]) -> Report {
    let mut report = Report::new("§5: memory");
    progress::begins(&report.title);
    let mut table = Table::new(
        "Bytes per triangle, mesh included: environment, τ = 1, no tumbling data; flying data apart, in bytes per triangle of the object",
        &["volume", "16k + 108", "most of the five", "flying tree, τ = 40", "its tumbling data"],
    );
    let mut within = true;
    for (kind, k) in VOLUMES.into_iter().zip([6_u32, 14, 18, 26]) {
        let allowed = f64::from(16 * k + 108);
        let (mut most, mut tree, mut data) = (0.0_f64, 0.0_f64, 0.0_f64);
        for flight in flights {
            let environment = Model::with(flight.environment.clone(), kind, &BuildOptions::default());
            most = most.max(environment.bytes() as f64 / flight.environment.triangles().len() as f64);
            let options = BuildOptions::new().leaf_size(BuildOptions::FLYING_LEAF_SIZE);
            let object = Model::with(flight.object.clone(), kind, &options).tumbling(Tumbling::PAPER);
            let triangles = flight.object.triangles().len() as f64;
            tree = tree.max(object.hierarchy().bytes() as f64 / triangles);
            data = data.max(object.hierarchy().outlines().map_or(0, |outlines| outlines.bytes()) as f64 / triangles);
        }
        within &= most <= allowed;
        table.row([
            kind.name().into(),
            Cell::Number(allowed, 0),
            Cell::Number(most, 1),
            Cell::Number(tree, 1),
            Cell::Number(data, 1),
        ]);
    }
    report.table(table);
    report.claim(counted(
        "§5",
        "an environment takes 16k + 108 bytes a triangle",
        Verdict::of(within),
        "ours takes no more, see the table".into(),
    ));
    report
}
