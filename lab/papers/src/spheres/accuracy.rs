//! Figure 14's measure of our own sphere-trees, on other models than the paper's: how inaccurate
//! are they, compared to octrees'? (The paper's tree on its kinds of models: `four.rs`.)

use super::models::Subject;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{SearchEffort, Side, inaccuracy};
use nearhit::{Model, SphereTree};
use rayon::prelude::*;

/// Average of the paper's Figure 14 at levels 1 to 3 for its worst model, the rocket.
const PAPERS_WORST: [f64; 3] = [0.654, 0.546, 0.379];

/// Average and maximum over a level.
pub(super) fn spread(model: &Model, tree: &SphereTree, level: usize, side: Side) -> [f64; 2] {
    let effort = SearchEffort { relative: 0.02, most: 2000 };
    let measure = |sphere: &nearhit::research::sphere_tree::TreeSphere| {
        let found = inaccuracy(model, sphere.center, sphere.radius, side, effort);
        // Both ends are true; where a bound on a small protrusion would take too many looks, the
        // middle is the fair figure.
        if side == Side::Both { found.upper } else { found.lower }
    };
    let found: Vec<f64> = tree.level(level).par_iter().map(measure).collect();
    let size = tree.spheres()[0].radius;
    [found.iter().sum::<f64>() / found.len() as f64 / size, found.iter().copied().fold(0.0, f64::max) / size]
}

/// Adds the figure as a table.
pub(super) fn figure_14(report: &mut Report, models: &[Subject]) {
    report.heading("Figure 14's measure: our own sphere-trees against octrees, other models");
    let columns = [
        "model",
        "triangles",
        "level",
        "spheres",
        "octree's",
        "average / octree's",
        "maximum / octree's",
        "protrusion, average",
        "maximum",
        "toolkit 2003, average",
        "maximum",
        "octree's protrusion, average",
    ];
    let mut table = Table::new("Inaccuracy of our trees as a fraction of the octree's, and protrusion", &columns);
    let mut thin = Vec::new();
    let mut protrusions = Vec::new();
    for subject in models {
        for level in 1..=3 {
            let of = |tree, side| spread(&subject.model, tree, level, side);
            let octree_root = subject.octree.spheres()[0].radius / subject.medial.spheres()[0].radius;
            let (medial, octree) =
                (of(&subject.medial, Side::Both), of(&subject.octree, Side::Both).map(|it| it * octree_root));
            let (out, octree_out) =
                (of(&subject.medial, Side::Outside), of(&subject.octree, Side::Outside).map(|it| it * octree_root));
            let fraction = [medial[0] / octree[0], medial[1] / octree[1]];
            if subject.thin {
                thin.push((subject.name, level, fraction));
            }
            protrusions.push(out[0] / octree_out[0]);
            let toolkit =
                |which: usize| subject.toolkit.map_or(Cell::Empty, |known| Cell::Number(known[level - 1][which], 4));
            table.row([
                subject.name.into(),
                Cell::Count(subject.model.mesh().triangles().len() as u64),
                Cell::Count(level as u64),
                Cell::Count(subject.medial.level(level).len() as u64),
                Cell::Count(subject.octree.level(level).len() as u64),
                Cell::Number(fraction[0], 3),
                Cell::Number(fraction[1], 3),
                Cell::Number(out[0], 4),
                Cell::Number(out[1], 4),
                toolkit(0),
                toolkit(1),
                Cell::Number(octree_out[0], 4),
            ]);
        }
    }
    report.table(table);
    claims(report, &thin, &protrusions);
}

fn claims(report: &mut Report, thin: &[(&str, usize, [f64; 2])], protrusions: &[f64]) {
    let better = thin.iter().all(|(.., fraction)| fraction[0] < 1.0);
    let worst =
        |level: usize, which: usize| thin.iter().filter(|it| it.1 == level).map(|it| it.2[which]).fold(0.0, f64::max);
    let listed = |which: usize| [1, 2, 3].map(|level| format!("{:.2}", worst(level, which))).join(" / ");
    report.claim(Claim {
        place: "§10, Figure 14, our trees".into(),
        claim: "By average inaccuracy, our sphere-trees of thin models are better than octrees' at every level".into(),
        verdict: Verdict::of(better),
        evidence: format!(
            "worst average of the thin models at levels 1 / 2 / 3: {}; the paper's worst {:.2} / {:.2} / {:.2}",
            listed(0),
            PAPERS_WORST[0],
            PAPERS_WORST[1],
            PAPERS_WORST[2]
        ),
        counts_work: true,
    });
    let within = (1..=3).all(|level| worst(level, 0) <= PAPERS_WORST[level - 1] && worst(level, 1) < 1.0);
    report.claim(Claim {
        place: "§10, Figure 14, our trees".into(),
        claim: "Our trees of thin models are at or below what the paper's tree has on its worst model, on average, and below the octree's maximum".into(),
        verdict: if within { Verdict::Holds } else { Verdict::Differs },
        evidence: format!("worst maximum at levels 1 / 2 / 3: {}", listed(1)),
        counts_work: false,
    });
    let most = protrusions.iter().copied().fold(0.0, f64::max);
    report.claim(Claim {
        place: "§10, our trees".into(),
        claim: "Spheres stick out less than the octree's, on every model and level, on average".into(),
        verdict: Verdict::of(most < 1.0),
        evidence: format!("at most {most:.2} of the octree's"),
        counts_work: true,
    });
}
