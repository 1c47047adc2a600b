//! Triangles removed at random: how many points are still told right from wrong?

use glam::DVec3;
use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Plot, Report, Series, Table};
use nearhit::{Location, Model};
use nearhit_cases::generated::mesh;
use nearhit_datasets::rng::Rng;
use nearhit_datasets::{Soup, shapes};

const SHARES: [f64; 9] = [0.01, 0.02, 0.05, 0.10, 0.15, 0.20, 0.30, 0.40, 0.50];

/// Points farther from the surface than this share of the diagonal count.
const MARGIN: f64 = 0.01;

pub(super) fn run(scale: Scale) -> Report {
    let count = scale.pick(20_000, 200_000);
    let solids = [
        ("sphere", shapes::uv_sphere_of(scale.pick(5_000, 50_000))),
        ("wrinkled torus", shapes::wrinkled_torus(scale.pick(90, 300), scale.pick(40, 130), 5)),
        ("hand", shapes::hand(0.6)),
    ];
    let mut report = Report::new("Open scans");
    report.text(format!(
        "Inside tests by generalised winding number after a share of the triangles was removed at random, at {count} random points of the box that are farther than {} % of its diagonal from \
         the surface, against the exact answers for the closed original.",
        100.0 * MARGIN
    ));
    let mut table = Table {
        caption: "Points judged as before, in %".into(),
        columns: std::iter::once("triangles removed, %".to_owned())
            .chain(solids.iter().map(|(name, soup)| format!("{name} ({})", soup.len())))
            .collect(),
        rows: Vec::new(),
    };
    let mut curves: Vec<Series> =
        solids.iter().map(|(name, _)| Series { name: (*name).to_owned(), points: Vec::new() }).collect();
    let clean: Vec<(DVecs, Vec<Location>)> = solids.iter().map(|(_, soup)| truth(soup, count)).collect();
    for share in SHARES {
        let mut row = vec![Cell::Number(100.0 * share, 0)];
        for (index, (_, soup)) in solids.iter().enumerate() {
            let (points, expected) = &clean[index];
            let found = places(&Model::new(mesh(&thinned(soup, share))), points);
            let right = expected.iter().zip(&found).filter(|(one, other)| one == other).count();
            let percent = 100.0 * right as f64 / points.len() as f64;
            row.push(Cell::Number(percent, 3));
            curves[index].points.push((100.0 * share, percent));
        }
        table.rows.push(row);
    }
    report.table(table);
    report.plot(Plot {
        caption: "Points judged as before".into(),
        x: Axis::linear("triangles removed, %"),
        y: Axis::linear("points, %"),
        series: curves,
    });
    report
}

type DVecs = Vec<DVec3>;

fn truth(soup: &Soup, count: usize) -> (DVecs, Vec<Location>) {
    let model = Model::new(mesh(soup));
    let (low, high) = soup.bounds().expect("generators make vertices");
    let margin = MARGIN * (DVec3::from_array(high) - DVec3::from_array(low)).length();
    let mut rng = Rng::new(1);
    let mut points = Vec::with_capacity(count);
    while points.len() < count {
        let batch: DVecs = (0..count)
            .map(|_| DVec3::from_array(std::array::from_fn(|axis| rng.range(low[axis], high[axis]))))
            .collect();
        let near = model.closest_point_each(&batch).expect("finite points");
        let far = batch.into_iter().zip(near).filter(|(_, closest)| closest.distance > margin);
        points.extend(far.map(|(point, _)| point).take(count - points.len()));
    }
    let places = places(&model, &points);
    (points, places)
}

fn places(model: &Model, points: &[DVec3]) -> Vec<Location> {
    model.contains_each(points).expect("finite points").iter().map(|found| found.location).collect()
}

fn thinned(soup: &Soup, share: f64) -> Soup {
    let mut rng = Rng::new(2);
    let triangles = soup.triangles.iter().copied().filter(|_| !rng.chance(share)).collect();
    Soup { vertices: soup.vertices.clone(), triangles }
}
