//! §8: which volume works well where? A rule, measured on some scenes and judged on others.
//!
//! A scene is described by what anyone can see before asking: how far apart the surfaces mostly are
//! for their size, and what is asked. The cost of a query is its tests of volumes and triangles
//! weighted by their prices (Table 1: relative to the cheapest). The rule is a table: for each
//! question and class of distance the volume that costs least in sum over the scenes it was made
//! on.

use super::benchmarks::{Benchmark, Benchmarks};
use super::work::{Query, over_all};
use lab_report::scale::Scale;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::VolumeKind;
use nearhit::{Pair, Pose, Scratch, Settings, Tolerance};
use nearhit_cases::generated;
use nearhit_testkit::cases::{self, Case};

/// Volumes among which the rule chooses, with the price of a test; of two triangles it is 10.
const VOLUMES: [(VolumeKind, f64); 6] = [
    (VolumeKind::Sphere, 1.0),
    (VolumeKind::Aabb, 2.0),
    (VolumeKind::Obb, 4.0),
    (VolumeKind::Lss, 1.8),
    (VolumeKind::Rss, 3.1),
    (VolumeKind::KDop18, 2.0),
];
const TRIANGLES: f64 = 10.0;

/// Classes of how far apart surfaces mostly are, in parts of the smaller body: closer than the
/// first, than the second, or farther.
const CLASSES: [f64; 2] = [0.02, 0.3];

/// Poses of a scene at most, taken evenly: balls and boxes are slow where many are asked.
const MOST_POSES: usize = 120;

struct Scene {
    name: String,
    class: usize,
    /// By query, by volume.
    costs: [[f64; VOLUMES.len()]; 3],
}

fn scene(name: &str, benchmark: &Benchmark) -> Scene {
    let models = VOLUMES.map(|(kind, _)| benchmark.models(kind));
    let every = benchmark.poses.len().div_ceil(MOST_POSES).max(1);
    let poses: Vec<Pose> = benchmark.poses.iter().step_by(every).copied().collect();
    let mut scratch = Scratch::new();
    let costs = Query::ALL.map(|query| {
        std::array::from_fn(|volume| {
            let (tests, triangles) = over_all(&models[volume], &poses, query, &mut scratch);
            (tests as f64 * VOLUMES[volume].1 + triangles as f64 * TRIANGLES) / poses.len() as f64
        })
    });
    let (a, b) = &models[0];
    let mut gaps: Vec<f64> = poses
        .iter()
        .map(|pose| {
            let pair = Pair::relative(a, b, pose).expect("in range");
            pair.distance(Tolerance::relative(0.1), &Settings::default(), &mut scratch).upper
        })
        .collect();
    gaps.sort_by(f64::total_cmp);
    let size = |mesh: &nearhit::Mesh| {
        let (low, high) =
            mesh.vertices().iter().fold((glam::DVec3::INFINITY, glam::DVec3::NEG_INFINITY), |(low, high), vertex| {
                (low.min(*vertex), high.max(*vertex))
            });
        (high - low).length()
    };
    let gap = gaps[gaps.len() / 2] / size(&benchmark.a).min(size(&benchmark.b));
    let class = CLASSES.iter().position(|&limit| gap < limit).unwrap_or(CLASSES.len());
    Scene { name: name.to_owned(), class, costs }
}

fn generated(name: &str, case: &Case) -> Scene {
    let (a, b, poses) = generated::case(case);
    scene(name, &Benchmark { name: "", what: String::new(), column: 0, a, b, poses })
}

/// For each query and class, the volume with the least sum of shares of the best.
fn rule(scenes: &[Scene]) -> [[usize; CLASSES.len() + 1]; 3] {
    std::array::from_fn(|query| {
        std::array::from_fn(|class| {
            // A class without scenes learns from all.
            let is_known = scenes.iter().any(|scene| scene.class == class);
            let of_class = || scenes.iter().filter(move |scene| !is_known || scene.class == class);
            let regret =
                |volume: usize| of_class().map(|scene| scene.costs[query][volume] / best(scene, query)).sum::<f64>();
            (0..VOLUMES.len()).min_by(|&p, &q| regret(p).total_cmp(&regret(q))).unwrap_or(0)
        })
    })
}

fn best(scene: &Scene, query: usize) -> f64 {
    scene.costs[query].iter().copied().fold(f64::INFINITY, f64::min)
}

/// Adds the rule, what it costs on unseen scenes, and the claim.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§8: which volume where");
    let Benchmarks { prototyping, probes, path, dynamics, .. } = Benchmarks::of(scale);
    let (triangles, each) = scale.pick((320, 2), (5_000, 6));
    let near = cases::separated_spheres(triangles, &[0.01, 0.1], each, 61);
    let far = cases::separated_spheres(triangles, &[3.0, 30.0], each, 62);
    let known = [
        scene("engine", prototyping),
        scene("cave, probes", probes),
        scene("cave, path", path),
        scene("rings", dynamics),
        generated("balls, near", &near),
        generated("balls, far", &far),
    ];
    let sheets = scale.pick(12, 40);
    let unseen = [
        generated("tori", &cases::tori(scale.pick(6, 24), scale.pick(16, 48), 63)),
        generated("sheets", &cases::wavy_sheets(scale.pick(4, 12), sheets, 64)),
        generated("balls, one in the other", &cases::nested(scale.pick(320, 5_000), 0.01, scale.pick(2, 6), 65)),
        generated("balls, middling", &cases::separated_spheres(triangles, &[0.5, 1.0], each, 66)),
        generated("falling rings along sines", &cases::falling_rings(16, 8, scale.pick(2, 10), 67)),
    ];
    let rule = rule(&known);
    let mut listed = Table::new(
        "§8: the rule, measured on six scenes",
        &["query", "mostly closer than 0.02", "than 0.3", "farther"],
    );
    for (query, classes) in Query::ALL.iter().zip(rule) {
        listed.row(
            std::iter::once(format!("{query:?}").into()).chain(classes.map(|volume| VOLUMES[volume].0.name().into())),
        );
    }
    report.table(listed);
    let columns = ["scene", "query", "told", "best", "cost : best", "rss : best", "obb : best"];
    let mut table = Table::new("§8: the rule on scenes it was not made on", &columns);
    let place = |kind| VOLUMES.iter().position(|(known, _)| *known == kind).unwrap_or(0);
    let (rss, obb) = (place(VolumeKind::Rss), place(VolumeKind::Obb));
    let (mut logs, mut count) = ([0.0; 3], 0.0);
    for scene in &unseen {
        for (index, query) in Query::ALL.iter().enumerate() {
            let told = rule[index][scene.class];
            let best = best(scene, index);
            let costs = &scene.costs[index];
            let ratios = [costs[told], costs[rss], costs[obb]].map(|cost| cost / best);
            let least = costs.iter().position(|&cost| cost == best).unwrap_or(0);
            let names = [VOLUMES[told].0.name().into(), VOLUMES[least].0.name().into()];
            let head = [scene.name.clone().into(), format!("{query:?}").into()];
            table.row(head.into_iter().chain(names).chain(ratios.map(|ratio| Cell::Number(ratio, 2))));
            logs.iter_mut().zip(ratios).for_each(|(log, ratio)| *log += ratio.ln());
            count += 1.0;
        }
    }
    report.table(table);
    let [told, always_rss, always_obb] = logs.map(|log| (log / count).exp());
    report.claim(Claim {
        place: "§8, classification".into(),
        claim: "A rule can say which volume suits which scene and query: cheaper on unseen scenes than either volume always".into(),
        verdict: match (told < always_rss, told < always_obb) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::Fails,
            _ => Verdict::Differs,
        },
        evidence: format!("cost over the best, geometric mean: the rule {told:.2}, rss always {always_rss:.2}, obb always {always_obb:.2}"),
        counts_work: true,
    });
}
