//! Figures 14 and 16: time and errors against distance, on every model at every resolution.

use super::paper;
use super::scene::{Augmented, MODELS, Object, Trial, bunny, distances, object, trials};
use super::tally::{OF_BOXES, OF_DOPS, OF_PIECES, Tally, Weights, average, exact};
use super::unseen::JUDGED;
use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Claim, Plot, Report, Series, Table, Verdict};
use nearhit::Model;
use nearhit::research::VolumeKind;
use nearhit::research::adb::{Options, Quality};

/// All ways to answer on one model at one resolution, by distance.
pub(super) struct Curve {
    name: &'static str,
    size: usize,
    distances: Vec<f64>,
    /// The exact traversal of 18-DOPs.
    dops: Vec<Tally>,
    /// The default engine.
    auto: Vec<Tally>,
    /// By the paper's rule, with tuned estimates.
    tuned: ByRule,
    /// By the default rule.
    crossings: ByRule,
}

/// Answers of the average-case search by one rule.
struct ByRule {
    /// k_min = 10.
    ten: Vec<Tally>,
    /// k_min = 5.
    five: Vec<Tally>,
    /// What its units of work cost.
    weights: Weights,
}

/// Which of the two.
type Way = fn(&Curve) -> &ByRule;

/// Both, with what they are called in tables and claims.
const WAYS: [(&str, Way); 2] =
    [("the paper's rule, tuned", |curve| &curve.tuned), ("the default rule", |curve| &curve.crossings)];

/// The paper's band of distances.
fn is_in_band(distance: f64) -> bool {
    (0.999..2.001).contains(&distance)
}

impl Curve {
    fn new(object: &Object, scale: Scale) -> Self {
        let (step, turns, rounds) = scale.pick((0.25, 4, 1), (0.1, 8, 3));
        let distances = distances(0.4, 3.4, step);
        let (dops, auto) = (object.model(VolumeKind::KDop18), Model::new(object.mesh.clone()));
        let boxes = Augmented::new(object.model(VolumeKind::Obb), &Options::default());
        let by_distance: Vec<Vec<Trial>> = distances.iter().map(|&at| trials(object, &[at], turns)).collect();
        // On until they part.
        let used: Vec<&Vec<Trial>> =
            by_distance.iter().filter(|trials| trials.iter().any(|trial| trial.near)).collect();
        let each = |ask: &dyn Fn(&[Trial]) -> Tally| -> Vec<Tally> { used.iter().map(|trials| ask(trials)).collect() };
        let by_rule = |quality: Quality, weights: Weights| {
            let with = |k_min| each(&|trials| average(&boxes, &quality.k_min(k_min), trials, rounds));
            ByRule { ten: with(10), five: with(5), weights }
        };
        Self {
            name: object.name,
            size: object.size(),
            distances: used.iter().map(|trials| trials[0].distance).collect(),
            dops: each(&|trials| exact(&dops, trials, rounds)),
            auto: each(&|trials| exact(&auto, trials, rounds)),
            tuned: by_rule(Quality::tuned(), OF_BOXES),
            crossings: by_rule(Quality::default(), OF_PIECES),
        }
    }

    /// Between distances 1 and 2.
    fn band(&self, tallies: &[Tally]) -> Tally {
        let mut sum = Tally::default();
        let chosen = self.distances.iter().zip(tallies).filter(|(distance, _)| is_in_band(**distance));
        chosen.for_each(|(_, tally)| sum.add(tally));
        sum
    }

    fn series(&self, name: String, tallies: &[Tally], value: impl Fn(&Tally) -> f64) -> Series {
        Series { name, points: self.distances.iter().copied().zip(tallies.iter().map(value)).collect() }
    }
}

/// Runs them all.
pub(super) fn measured(scale: Scale) -> Vec<Curve> {
    let sizes: &[usize] = scale.pick(&[1_000, 4_000], &[5_000, 20_000, 80_000]);
    let mut curves = Vec::new();
    for maker in MODELS {
        curves.extend(sizes.iter().map(|&size| Curve::new(&object(maker, size), scale)));
    }
    if scale == Scale::Full {
        curves.extend(bunny().map(|bunny| Curve::new(&bunny, scale)));
    }
    curves
}

/// Adds a table of models that the estimates were not tuned on, as a check against having tuned too
/// much.
pub(super) fn unseen(report: &mut Report, scale: Scale) {
    let size = scale.pick(1_000, 20_000);
    let curves: Vec<Curve> = JUDGED.iter().map(|&maker| Curve::new(&object(maker, size), scale)).collect();
    for (rule, way) in WAYS {
        table(report, &format!("The same on models that nothing was tuned on, {rule}"), &curves, way);
    }
}

/// Adds plots, the table and the verdicts.
pub(super) fn show(report: &mut Report, curves: &[Curve]) {
    for of_model in curves.chunk_by(|p, q| p.name == q.name) {
        plots(report, of_model);
    }
    for (rule, way) in WAYS {
        let title = format!("Figures 14 and 16 between distances 1 and 2, {rule}: errors, weighted work and time");
        table(report, &title, curves, way);
        claims(report, curves, rule, way);
    }
}

fn plots(report: &mut Report, curves: &[Curve]) {
    let name = curves[0].name;
    let mut times: Vec<Series> = curves
        .iter()
        .map(|curve| curve.series(format!("ADB, {}", curve.size), &curve.tuned.ten, Tally::micros))
        .collect();
    // The paper shows the DOP-tree at its best resolution.
    if let Some(best) = curves.iter().min_by(|p, q| p.band(&p.dops).micros().total_cmp(&q.band(&q.dops).micros())) {
        times.push(best.series(format!("ADB, default rule, {}", best.size), &best.crossings.ten, Tally::micros));
        times.push(best.series(format!("18-DOPs, exact, {}", best.size), &best.dops, Tally::micros));
        times.push(best.series(format!("auto, exact, {}", best.size), &best.auto, Tally::micros));
    }
    report.plot(Plot {
        caption: format!("Figure 14, {name}: time against distance (p_min = 0.99, k_min = 10)"),
        x: Axis::linear("distance of the boxes' middles"),
        y: Axis::logarithmic("µs a test"),
        series: times,
    });
    report.plot(Plot {
        caption: format!("Figure 16, {name}: errors against distance"),
        x: Axis::linear("distance of the boxes' middles"),
        y: Axis::linear("wrong answers, % of tests whose outer boxes meet"),
        series: curves
            .iter()
            .flat_map(|curve| {
                WAYS.map(|(rule, way)| curve.series(format!("{}, {rule}", curve.size), &way(curve).ten, Tally::error))
            })
            .collect(),
    });
}

fn table(report: &mut Report, title: &str, curves: &[Curve], way: Way) {
    let mut table = Table::new(
        title,
        &[
            "model",
            "triangles",
            "error %",
            "missed",
            "imagined",
            "error %, k 5",
            "18-DOP µs",
            "auto µs",
            "ADB µs",
            "k 5 µs",
            "faster",
            "k 5",
            "less work",
            "k 5",
        ],
    );
    for curve in curves {
        let ByRule { ten, five, weights } = way(curve);
        let [dops, auto, ten, five] = [&curve.dops, &curve.auto, ten, five].map(|it| curve.band(it));
        let exact_work = dops.weighted(&OF_DOPS);
        table.row([
            curve.name.into(),
            Cell::Count(curve.size as u64),
            Cell::Number(ten.error(), 2),
            Cell::Count(ten.missed),
            Cell::Count(ten.imagined),
            Cell::Number(five.error(), 2),
            Cell::Number(dops.micros(), 1),
            Cell::Number(auto.micros(), 1),
            Cell::Number(ten.micros(), 1),
            Cell::Number(five.micros(), 1),
            Cell::Number(dops.micros() / ten.micros(), 1),
            Cell::Number(dops.micros() / five.micros(), 1),
            Cell::Number(exact_work / ten.weighted(weights), 1),
            Cell::Number(exact_work / five.weighted(weights), 1),
        ]);
    }
    report.table(table);
    report.text(
        "Less work: N_v, N_u, N_p, estimates (by the default rule: boxes tested, pairs ranked, pieces compared, triangles tested) weighted by their costs in nanoseconds (below), exact 18-DOPs over ADB on oriented boxes.",
    );
}

/// The geometric mean over all models and resolutions.
fn mean_ratio(curves: &[Curve], ratio: impl Fn(&Curve) -> f64) -> f64 {
    (curves.iter().map(|curve| ratio(curve).ln()).sum::<f64>() / curves.len() as f64).exp()
}

fn claims(report: &mut Report, curves: &[Curve], rule: &str, way: Way) {
    let mean = |of: &dyn Fn(&Curve) -> f64| curves.iter().map(of).sum::<f64>() / curves.len() as f64;
    let (ten, five) = (mean(&|it| it.band(&way(it).ten).error()), mean(&|it| it.band(&way(it).five).error()));
    report.claim(Claim {
        place: "§4.3.1, Figure 16".into(),
        claim: format!("About 3 % of the answers are wrong between distances 1 and 2 ({rule})"),
        verdict: Verdict::of(ten <= 3.0),
        evidence: format!(
            "{ten:.2} % on average over {} models and resolutions ({five:.2} % with k_min = 5); the paper: {:?} %",
            curves.len(),
            paper::ERRORS_FROM_1_TO_2
        ),
        counts_work: true,
    });
    let work = |of: fn(&ByRule) -> &Vec<Tally>| {
        mean_ratio(curves, |it| it.band(&it.dops).weighted(&OF_DOPS) / it.band(of(way(it))).weighted(&way(it).weights))
    };
    let time = |of: fn(&ByRule) -> &Vec<Tally>| {
        mean_ratio(curves, |it| it.band(&it.dops).micros() / it.band(of(way(it))).micros())
    };
    for (k_min, least, of) in [(10, 3.0, (|it| &it.ten) as fn(&ByRule) -> &Vec<Tally>), (5, 6.0, |it| &it.five)] {
        for (what, ratio, counts_work) in [("weighted work", work(of), true), ("time", time(of), false)] {
            report.claim(Claim {
                place: "§4.3.3, Figure 14".into(),
                claim: format!(
                    "At least {least} times faster than the exact DOP-tree with k_min = {k_min} ({rule}): {what}"
                ),
                verdict: Verdict::of(ratio >= least),
                evidence: format!("{ratio:.2} times, the geometric mean over all models and resolutions"),
                counts_work,
            });
        }
    }
    let auto = mean_ratio(curves, |it| it.band(&way(it).ten).micros() / it.band(&it.auto).micros());
    let losers = curves.iter().filter(|it| it.band(&it.auto).micros() < it.band(&way(it).ten).micros()).count();
    report.claim(Claim {
        place: "beyond the paper".into(),
        claim: format!("The average-case search ({rule}) is faster than the exact default engine"),
        verdict: Verdict::of(auto < 1.0),
        evidence: format!(
            "exact `auto` is faster on {losers} of {}; ADB takes {auto:.2} times its time in the geometric mean",
            curves.len()
        ),
        counts_work: false,
    });
}
