//! Figure 17, and what else can be turned.

use super::literal::SUITABLE;
use super::scene::{Augmented, MODELS, Object, Trial, distances, object, trials};
use super::tally::{OF_BOXES, Tally, average};
use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Claim, Plot, Report, Series, Table, Verdict};
use nearhit::research::VolumeKind;
use nearhit::research::adb::{Estimator, Hits, Options, Overlap, Partition, Quality, Sizes};

/// Adds Figure 17 on the second model: by the paper's configuration with MaxArea chosen (with √2 a²
/// hardly a pair is ever likely, and nothing depends on anything), and with what was tuned.
pub(super) fn quality(report: &mut Report, scale: Scale) {
    let object = object(MODELS[1], scale.pick(2_000, 20_000));
    let boxes = |volume, options: &Options| Augmented::new(object.model(volume), options);
    let papers = boxes(VolumeKind::Aabb, &Options::paper().enough(SUITABLE));
    figure_17(report, scale, "MaxArea chosen", &object, &papers, Quality::paper());
    figure_17(report, scale, "tuned", &object, &boxes(VolumeKind::Obb, &Options::default()), Quality::tuned());
}

fn figure_17(report: &mut Report, scale: Scale, way: &str, object: &Object, boxes: &Augmented, quality: Quality) {
    let (step, turns, rounds) = scale.pick((0.4, 4, 1), (0.1, 8, 3));
    let at = distances(1.2, 2.0, step);
    let by_distance: Vec<Vec<Trial>> = at.iter().map(|&distance| trials(object, &[distance], turns)).collect();
    let measure = |quality: Quality| -> Vec<Tally> {
        by_distance.iter().map(|trials| average(boxes, &quality, trials, rounds)).collect()
    };
    let by_p: Vec<(f64, Vec<Tally>)> = [0.5, 0.9, 0.99].map(|p_min| (p_min, measure(quality.p_min(p_min)))).into();
    let by_k: Vec<(f64, Vec<Tally>)> = [1, 5, 10].map(|k_min| (f64::from(k_min), measure(quality.k_min(k_min)))).into();
    let plot = |caption: &str, label: &str, curves: &[(f64, Vec<Tally>)], unit: &str, value: fn(&Tally) -> f64| Plot {
        caption: format!("{caption}, {way}"),
        x: Axis::linear("distance of the boxes' middles"),
        y: Axis::linear(unit),
        series: curves
            .iter()
            .map(|(knob, tallies)| Series {
                name: format!("{label} = {knob}"),
                points: at.iter().copied().zip(tallies.iter().map(value)).collect(),
            })
            .collect(),
    };
    report.plot(plot(
        "Figure 17, left: time for different p_min (k_min = 10)",
        "p_min",
        &by_p,
        "µs a test",
        Tally::micros,
    ));
    report.plot(plot(
        "Figure 17, centre: errors for different p_min",
        "p_min",
        &by_p,
        "wrong answers, %",
        Tally::error,
    ));
    report.plot(plot(
        "Figure 17, right: time for different k_min (p_min = 0.99)",
        "k_min",
        &by_k,
        "µs a test",
        Tally::micros,
    ));
    let sums = |curves: &[(f64, Vec<Tally>)]| -> Vec<Tally> {
        curves
            .iter()
            .map(|(_, tallies)| {
                tallies.iter().fold(Tally::default(), |mut sum, tally| {
                    sum.add(tally);
                    sum
                })
            })
            .collect()
    };
    let (p, k) = (sums(&by_p), sums(&by_k));
    let rising = |tallies: &[Tally]| {
        let estimates = estimates(tallies);
        estimates.is_sorted() && estimates[0] < estimates[2]
    };
    report.claim(Claim {
        place: format!("§4.3.2, Figure 17, {way}"),
        claim: "The smaller p_min or k_min, the less work".into(),
        verdict: Verdict::of(rising(&p) && rising(&k)),
        evidence: format!(
            "estimates with p_min 0.5, 0.9, 0.99: {:?}; with k_min 1, 5, 10: {:?}",
            estimates(&p),
            estimates(&k)
        ),
        counts_work: true,
    });
    let errors =
        |tallies: &[Tally]| -> Vec<String> { tallies.iter().map(|tally| format!("{:.2}", tally.error())).collect() };
    report.claim(Claim {
        place: format!("§4.3.2, Figure 17, {way}"),
        claim: "…and the more errors".into(),
        verdict: Verdict::of(p[0].error() > p[2].error() && k[0].error() > k[2].error()),
        evidence: format!("% wrong with p_min 0.5, 0.9, 0.99: {:?}; with k_min 1, 5, 10: {:?}", errors(&p), errors(&k)),
        counts_work: true,
    });
    figures(report, way, &p, &k);
}

/// What the paper reads off its Figure 17 (§4.3.2), distances 1.2 to 2: differences of errors in
/// points, and of speed. "About" is taken for half to twice.
fn figures(report: &mut Report, way: &str, p: &[Tally], k: &[Tally]) {
    let about = |value: f64, published: f64| (0.5 * published..=2.0 * published).contains(&value);
    let points = |of: &[Tally], from: usize, to: usize| of[from].error() - of[to].error();
    let mut claim = |claim: &str, holds: bool, evidence: String, counts_work: bool| {
        let (place, claim) = (format!("§4.3.2, Figure 17, figures, {way}"), claim.into());
        report.claim(Claim { place, claim, verdict: Verdict::of(holds), evidence, counts_work });
    };
    let (small, large) = (points(p, 1, 2), points(p, 0, 1));
    let said = |difference: f64| format!("{difference:.2} points");
    claim("p_min = 0.9 and 0.99 differ by less than 2 points", small.abs() < 2.0, said(small), true);
    claim("p_min = 0.5 and 0.9 differ by about 5 points", about(large, 5.0), said(large), true);
    let (few, one) = (points(k, 1, 2), points(k, 0, 1));
    claim("k_min = 5 and 10 differ by about 0.2 points", few.abs() <= 0.4, said(few), true);
    claim("k_min = 1 and 5 differ by about 2 points", about(one, 2.0), said(one), true);
    let work = k[2].weighted(&OF_BOXES) / k[1].weighted(&OF_BOXES);
    let time = k[2].micros() / k[1].micros();
    claim(
        "k_min = 10 takes about 2.3 times as long as 5",
        about(work, 2.3),
        format!("{work:.2} times the weighted work, {time:.2} times the time"),
        true,
    );
}

fn estimates(tallies: &[Tally]) -> Vec<u64> {
    tallies.iter().map(|tally| tally.estimates).collect()
}

/// Adds what the other choices cost and err.
pub(super) fn choices(report: &mut Report, scale: Scale) {
    let (size, step, turns) = scale.pick((1_000, 0.5, 3), (10_000, 0.2, 6));
    let mut table = Table::new(
        "Choices beyond the paper's figures, all models, distances 1 to 2 (p_min = 0.99, k_min = 10)",
        &["choice", "error %", "missed", "imagined", "N_v", "estimates", "weighted µs"],
    );
    let objects = MODELS.map(|maker| object(maker, size));
    let tests = objects.each_ref().map(|object| trials(object, &distances(1.0, 2.0, step), turns));
    let standard = Estimator::default();
    let mut row = |name: &str, options: Options, estimator: Estimator| {
        let mut sum = Tally::default();
        for (object, trials) in objects.iter().zip(&tests) {
            let boxes = Augmented::new(object.model(VolumeKind::Obb), &options);
            sum.add(&average(&boxes, &Quality::tuned().estimator(estimator), trials, 1));
        }
        let each = |count: u64| Cell::Number(count as f64 / sum.asked as f64, 1);
        table.row([
            name.into(),
            Cell::Number(sum.error(), 2),
            Cell::Count(sum.missed),
            Cell::Count(sum.imagined),
            each(sum.stats.volume_tests),
            each(sum.estimates),
            Cell::Number(sum.weighted(&OF_BOXES), 1),
        ]);
    };
    let options = Options::default();
    row("standard", options, standard);
    row("the paper's chance of a hit: linear in depth", options, Estimator { hits: Hits::Depth(1.0), ..standard });
    row("chance of a hit: fourth root of depth", options, Estimator { hits: Hits::Depth(0.25), ..standard });
    row("cells by share of the volume alone (crowding 1)", options, Estimator { crowding: 1.0, ..standard });
    row("cells counted for every node", options.least_triangles(1), standard);
    row("cells by half of MaxArea", options.enough(0.5), standard);
    row("a 2³ grid of regions", options.partition(Partition::Octants), standard);
    row("pyramidal sectors", options.partition(Partition::Sectors), standard);
    row("descent to nodes of equal volume", options, Estimator { sizes: Sizes::Descent, ..standard });
    for (name, overlap) in [
        ("overlap: max{V1, V2, V3}", Overlap::Paper),
        ("overlap: box in the other's frame", Overlap::Aligned),
        ("overlap: three slabs", Overlap::Slabs),
        ("overlap: balls", Overlap::Balls),
    ] {
        row(name, options, Estimator { overlap, ..standard });
    }
    report.table(table);
}
