//! Translational depth of random pairs: how far apart are the bounds, and what do they cost?

use lab_report::scale::Scale;
use lab_report::{Cell, Report, Table};
use nearhit::{Model, Pair, Pose, Scratch, Settings, Tolerance};
use nearhit_cases::generated::mesh;
use nearhit_datasets::rng::Rng;
use nearhit_datasets::shapes;
use std::time::Instant;

pub(super) fn run(scale: Scale) -> Report {
    let count = scale.pick(100, 1000);
    let solids = [
        ("box", shapes::cuboid([-0.9, -0.6, -0.4], [0.9, 0.6, 0.4])),
        ("ball of 180", shapes::uv_sphere(10, 10)),
        ("torus of 192", shapes::torus(12, 8, 0.7, 0.25)),
        ("crossed bars", shapes::axis_bars(1.0, 0.2)),
        ("wrinkled torus of 1,200", shapes::wrinkled_torus(30, 20, 3)),
    ];
    let mut report = Report::new("Translational depth");
    report.text(format!(
        "{count} random poses in contact of each pair. The upper bound is a translation seen to separate; the lower is proven, by the hulls where both are convex, otherwise by balls. \
         Local depth is that of the deepest point of one surface below the other."
    ));
    let mut table = Table {
        caption: "upper / lower of the translational depth, and upper / local depth".into(),
        columns: ["pair", "median", "90 %", "99 %", "worst", "upper / local, median", "ms a query, median"]
            .map(str::to_owned)
            .to_vec(),
        rows: Vec::new(),
    };
    for (i, (name_a, a)) in solids.iter().enumerate() {
        for (name_b, b) in &solids[i..] {
            let (a, b) = (Model::new(mesh(a)), Model::new(mesh(b)));
            let (mut ratios, mut over_local, mut times) = (Vec::new(), Vec::new(), Vec::new());
            let (mut rng, mut scratch) = (Rng::new(7), Scratch::new());
            while ratios.len() < count {
                let a_from_b =
                    Pose::from_rows(rng.rotation(), rng.point(-0.8, 0.8)).expect("generators make valid poses");
                let pair = Pair::relative(&a, &b, &a_from_b).expect("in range");
                let start = Instant::now();
                let found =
                    pair.solid().translational_depth(&Settings::default(), &mut scratch).expect("nothing is far away");
                if found.upper == 0.0 {
                    continue;
                }
                times.push(start.elapsed().as_secs_f64() * 1e3);
                let tolerance = Tolerance::relative(0.02);
                let local = pair.solid().local_depth(tolerance, &Settings::default(), &mut scratch);
                ratios.push(found.upper / found.lower);
                over_local.push(found.upper / local.depth.max(f64::MIN_POSITIVE));
            }
            let at = |values: &mut Vec<f64>, share: f64| {
                values.sort_by(f64::total_cmp);
                values[((values.len() - 1) as f64 * share) as usize]
            };
            table.rows.push(vec![
                Cell::Text(format!("{name_a}, {name_b}")),
                Cell::Number(at(&mut ratios, 0.5), 4),
                Cell::Number(at(&mut ratios, 0.9), 3),
                Cell::Number(at(&mut ratios, 0.99), 3),
                Cell::Number(at(&mut ratios, 1.0), 3),
                Cell::Number(at(&mut over_local, 0.5), 2),
                Cell::Number(at(&mut times, 0.5), 3),
            ]);
        }
    }
    report.table(table);
    report
}
