//! Points and rays a second on a large mesh, one thread.

use glam::DVec3;
use lab_report::scale::Scale;
use lab_report::stopwatch::time;
use lab_report::{Cell, Report, Table};
use nearhit::{Model, Ray, Scratch};
use nearhit_cases::generated::mesh;
use nearhit_datasets::rng::Rng;
use nearhit_datasets::{Soup, shapes};
use std::hint::black_box;

/// Gives some number of the answer, so that none is optimised away.
type Query = fn(&Model, DVec3, &Ray, &mut Scratch) -> f64;

const QUERIES: &[(&str, Query)] = &[
    ("inside", |model, point, _, scratch| {
        model.contains(point, scratch).map_or(0.0, |found| f64::from(found.is_in_solid()))
    }),
    ("closest point", |model, point, _, scratch| {
        model.closest_point(point, scratch).map_or(0.0, |found| found.distance)
    }),
    ("signed distance", |model, point, _, scratch| {
        model.signed_distance(point, scratch).map_or(0.0, |found| found.distance)
    }),
    ("first hit of a ray", |model, _, ray, scratch| model.first_hit(ray, scratch).map_or(0.0, |found| found.distance)),
    ("all hits of a ray", |model, _, ray, scratch| model.all_hits(ray, scratch).len() as f64),
];

pub(super) fn run(scale: Scale) -> Report {
    let count = scale.pick(10_000, 50_000);
    let side: u32 = scale.pick(230, 710);
    let closed = shapes::wrinkled_torus(side, side, 1);
    let mut rng = Rng::new(3);
    let kept = closed.triangles.iter().copied().filter(|_| !rng.chance(0.1)).collect();
    let open = Soup { vertices: closed.vertices.clone(), triangles: kept };
    let (low, high) = closed.bounds().expect("generators make vertices");
    let anywhere = |rng: &mut Rng| DVec3::from_array(std::array::from_fn(|axis| rng.range(low[axis], high[axis])));
    let points: Vec<DVec3> = (0..count).map(|_| anywhere(&mut rng)).collect();
    let rays: Vec<Ray> = points
        .iter()
        .map(|&point| Ray::new(point, DVec3::from_array(rng.unit_vector())).expect("a direction"))
        .collect();
    let mut report = Report::new("Points and rays");
    report.text(format!(
        "{count} random points of the mesh's box, one thread, each query on its own; {} triangles.",
        closed.len()
    ));
    let mut table = Table {
        caption: "Queries a second, in thousands".into(),
        columns: ["query", "closed", "with a tenth of the triangles missing"].map(str::to_owned).to_vec(),
        rows: Vec::new(),
    };
    let models = [&closed, &open].map(|soup| Model::new(mesh(soup)));
    let prepared = models.each_ref().map(|model| time(|| _ = black_box(model.inside_method())).as_secs_f64());
    let mut scratch = Scratch::new();
    for (name, query) in QUERIES {
        let rates = models.each_ref().map(|model| {
            let mut sum = 0.0;
            let each = points.iter().zip(&rays);
            let took =
                time(|| sum += each.clone().map(|(point, ray)| query(model, *point, ray, &mut scratch)).sum::<f64>());
            black_box(sum);
            Cell::Number(count as f64 / took.as_secs_f64() / 1e3, 0)
        });
        table.rows.push(std::iter::once(Cell::Text((*name).to_owned())).chain(rates).collect());
    }
    report.table(table);
    report.text(format!(
        "What tells inside from outside was made in {:.2} s for the closed mesh and {:.2} s for the open one, when it was first asked.",
        prepared[0], prepared[1]
    ));
    report
}
