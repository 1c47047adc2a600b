//! Figures 5 and 6: separated and concentric spheres.

use super::work::micros_each;
use lab_report::scale::Scale;
use lab_report::stopwatch::time;
use lab_report::{Axis, Claim, Plot, Report, Series, Verdict};
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::{Model, Pair, Pose, Scratch, Settings, Tolerance};
use nearhit_cases::generated;
use nearhit_testkit::cases::{self, Case};

const VOLUMES: [VolumeKind; 3] = [VolumeKind::Sphere, VolumeKind::Lss, VolumeKind::Rss];

/// A query's mean cost at one gap.
#[derive(Clone, Copy, Default)]
struct Cost {
    volumes: f64,
    micros: f64,
}

/// For each volume: gap and cost.
type Curves = [Vec<(f64, Cost)>; VOLUMES.len()];

/// Adds Figure 5: exact distance of two spheres side by side.
pub(super) fn separated(report: &mut Report, scale: Scale) {
    let gaps: &[f64] = scale.pick(&[0.01, 0.1, 1.0, 10.0, 100.0], &[0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0]);
    let (triangles, each) = scale.pick_of((1_280, 3), (40_500, 5), (40_500, 500));
    let case = cases::separated_spheres(triangles, gaps, each, 51);
    let mut curves = Curves::default();
    for (curve, volume) in curves.iter_mut().zip(VOLUMES) {
        let costs = costs(&case, volume, Tolerance::EXACT, each);
        *curve = gaps.iter().copied().zip(costs).collect();
    }
    plots(report, "Figure 5: exact distance of two spheres side by side", Axis::logarithmic("gap"), &curves);
    let at = |volume: usize, gap: usize| curves[volume][gap].1.volumes;
    let ordered = (0..gaps.len()).all(|gap| at(2, gap) < at(1, gap) && at(1, gap) < at(0, gap));
    report.claim(Claim {
        place: "§7.3, Figure 5".into(),
        claim: "RSSs need the fewest tests at every separation, spheres the most".into(),
        verdict: Verdict::of(ordered),
        evidence: format!(
            "N_bv a query at the smallest gap: {}; at the largest: {}",
            listed(&curves, 0),
            listed(&curves, gaps.len() - 1)
        ),
        counts_work: true,
    });
    let last = gaps.len() - 1;
    let growing = (0..VOLUMES.len()).all(|volume| at(volume, last) > at(volume, 0));
    let ceiling = (0..VOLUMES.len()).all(|volume| at(volume, last) < 1.2 * at(volume, last - 1));
    report.claim(Claim {
        place: "§5.4 and §7.3, Figure 5".into(),
        claim: "Distance costs more the farther apart the surfaces are, up to a ceiling".into(),
        verdict: match (growing, ceiling) {
            (true, true) => Verdict::Holds,
            (true, false) => Verdict::Differs,
            _ => Verdict::Fails,
        },
        evidence: format!("N_bv a query at gaps {gaps:?}: {}", series(&curves)),
        counts_work: true,
    });
}

/// Adds Figure 6: distance of concentric spheres to a relative error of a tenth.
pub(super) fn concentric(report: &mut Report, scale: Scale) {
    let gaps: &[f64] = scale.pick(&[0.1, 0.5, 0.9], &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
    let (triangles, each) = scale.pick_of((5_120, 2), (40_500, 3), (40_500, 60));
    let mut curves = Curves::default();
    for &gap in gaps {
        let case = cases::nested(triangles, gap, each, 52);
        for (curve, volume) in curves.iter_mut().zip(VOLUMES) {
            let tolerance = Tolerance::relative(0.1);
            curve.extend(costs(&case, volume, tolerance, each).into_iter().map(|cost| (gap, cost)));
        }
    }
    plots(report, "Figure 6: concentric spheres, distance to 10 %", Axis::linear("gap"), &curves);
    let at = |volume: usize, gap: usize| curves[volume][gap].1.volumes;
    let last = gaps.len() - 1;
    let more = (0..VOLUMES.len()).all(|volume| at(volume, 0) > at(volume, last));
    let always = (0..VOLUMES.len()).all(|volume| (0..last).all(|gap| at(volume, gap) > at(volume, gap + 1)));
    report.claim(Claim {
        place: "§7.3, Figure 6".into(),
        claim: "All do more work as the gap shrinks".into(),
        verdict: match (more, always) {
            (true, true) => Verdict::Holds,
            (true, false) => Verdict::Differs,
            _ => Verdict::Fails,
        },
        evidence: format!("N_bv a query at gaps {gaps:?}: {}; only rss without exception", series(&curves)),
        counts_work: true,
    });
    let (near, far) = (at(0, 0) / at(2, 0), at(0, last) / at(2, last));
    report.claim(Claim {
        place: "§7.3, Figure 6".into(),
        claim: "The lead of RSSs is largest where the gap is smallest, and small at large gaps".into(),
        verdict: Verdict::of(near > far),
        evidence: format!(
            "N_bv of sphere : rss is {near:.1} at gap 0.1 and {far:.1} at 0.9: the lead grows with the gap"
        ),
        counts_work: true,
    });
}

/// For each run of `each` poses the mean cost of a query.
fn costs(case: &Case, volume: VolumeKind, tolerance: Tolerance, each: usize) -> Vec<Cost> {
    let (a, b, poses) = generated::case(case);
    let build = |mesh| Model::with(mesh, volume, &BuildOptions::obb_tree());
    let (a, b) = (build(a), build(b));
    let mut scratch = Scratch::new();
    let mut cost = |poses: &[Pose]| {
        let mut volumes = 0;
        let elapsed = time(|| {
            for pose in poses {
                let pair = Pair::relative(&a, &b, pose).expect("generated poses are in range");
                volumes += pair.distance(tolerance, &Settings::default(), &mut scratch).stats.volume_tests;
            }
        });
        Cost { volumes: volumes as f64 / each as f64, micros: micros_each(elapsed, each) }
    };
    poses.chunks(each).map(&mut cost).collect()
}

fn plots(report: &mut Report, caption: &str, x: Axis, curves: &Curves) {
    for (label, value) in
        [("µs a query", (|cost| cost.micros) as fn(Cost) -> f64), ("N_bv a query", |cost| cost.volumes)]
    {
        let series = VOLUMES.iter().zip(curves).map(|(volume, curve)| Series {
            name: volume.name().to_owned(),
            points: curve.iter().map(|&(gap, cost)| (gap, value(cost))).collect(),
        });
        report.plot(Plot {
            caption: format!("{caption}: {label}"),
            x: x.clone(),
            y: Axis::logarithmic(label),
            series: series.collect(),
        });
    }
}

fn listed(curves: &Curves, gap: usize) -> String {
    let shown: Vec<String> = VOLUMES
        .iter()
        .zip(curves)
        .map(|(volume, curve)| format!("{} {:.0}", volume.name(), curve[gap].1.volumes))
        .collect();
    shown.join(", ")
}

fn series(curves: &Curves) -> String {
    let shown = VOLUMES.iter().zip(curves).map(|(volume, curve)| {
        let numbers: Vec<String> = curve.iter().map(|(_, cost)| format!("{:.0}", cost.volumes)).collect();
        format!("{} {}", volume.name(), numbers.join(" "))
    });
    shown.collect::<Vec<_>>().join("; ")
}
