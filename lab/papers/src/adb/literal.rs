//! The paper's configuration in every part, and what each part does to it when ours takes its
//! place.

use super::paper;
use super::scene::{Augmented, MODELS, Object, Trial, distances, object, trials};
use super::tally::{Tally, average};
use lab_report::scale::Scale;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::VolumeKind;
use nearhit::research::adb::{Estimator, FLATTEST, Hits, Options, Overlap, Quality, Sizes};

/// One way: a tree, a table and estimates.
struct Way {
    name: &'static str,
    volume: VolumeKind,
    options: Options,
    estimator: Estimator,
}

fn ways() -> Vec<Way> {
    let (options, estimator) = (Options::paper(), Estimator::paper());
    let tuned = (Options::default(), Estimator::default());
    let way = |name, options, estimator| Way { name, volume: VolumeKind::Aabb, options, estimator };
    vec![
        way("the paper's configuration", options, estimator),
        way("cells by 1 % of MaxArea", options.enough(tuned.0.enough), estimator),
        way("volumes thickened before they are divided", options.flattest(FLATTEST), estimator),
        way("both", options.flattest(FLATTEST).enough(tuned.0.enough), estimator),
        way("LB by thickness", options, Estimator { hits: Hits::Thickness(0.5), ..estimator }),
        way("cells crowded by 1.7", options, Estimator { crowding: tuned.1.crowding, ..estimator }),
        way("overlap by shares", options, Estimator { overlap: Overlap::Shares, ..estimator }),
        way("sizes by equation (5) at once", options, Estimator { sizes: Sizes::Scaled, ..estimator }),
        way("everything tuned, on AABBs", tuned.0, tuned.1),
        Way { volume: VolumeKind::Obb, ..way("everything tuned, on OBBs", tuned.0, tuned.1) },
    ]
}

/// Definition 3 leaves MaxArea to be "suitably chosen": these parts of √2 a², all else to the
/// letter.
const CHOSEN: [f64; 7] = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.002];

/// The one that other experiments take: by the table of this one, on models and poses of the same
/// kinds. A plane along the cells fills 1/√2 of it, and one of a few steps less.
pub(crate) const SUITABLE: f64 = 0.5;

fn chosen() -> Vec<Way> {
    let way = |enough| Way {
        name: "",
        volume: VolumeKind::Aabb,
        options: Options::paper().enough(enough),
        estimator: Estimator::paper(),
    };
    CHOSEN.map(way).into()
}

/// A model and its tests, with the distances of the paper's two bands.
struct Tested {
    object: Object,
    trials: Vec<Trial>,
}

fn in_band(trials: &[Trial], from: f64, to: f64) -> Vec<Trial> {
    trials.iter().copied().filter(|trial| (from - 1e-3..to + 1e-3).contains(&trial.distance)).collect()
}

/// Errors by band (1 to 2, and 0.4 to 2.1), with what they rest on.
fn measure(way: &Way, tested: &[Tested]) -> [Tally; 2] {
    let quality = Quality::paper().estimator(way.estimator);
    let mut sums = [Tally::default(); 2];
    for Tested { object, trials } in tested {
        let augmented = Augmented::new(object.model(way.volume), &way.options);
        for (sum, (from, to)) in sums.iter_mut().zip(BANDS) {
            sum.add(&average(&augmented, &quality, &in_band(trials, from, to), 1));
        }
    }
    sums
}

const BANDS: [(f64, f64); 2] = [(1.0, 2.0), (0.4, 2.1)];

/// Adds the table and the claims.
pub(super) fn table(report: &mut Report, scale: Scale) {
    let (size, step, turns) = scale.pick((1_000, 0.5, 3), (20_000, 0.1, 8));
    // From 1.0 down to 0.4 and on to 2.1, so that both bands begin and end with a test.
    let mut at = distances(1.0, 2.0, step);
    at.extend(distances(0.4, 0.9, step.min(0.25)));
    at.push(2.1);
    let tested: Vec<Tested> = MODELS
        .iter()
        .map(|&maker| {
            let object = object(maker, size);
            let trials = trials(&object, &at, turns);
            Tested { object, trials }
        })
        .collect();
    let columns = [
        "configuration",
        "error %, 1 to 2",
        "missed",
        "imagined",
        "error %, 0.4 to 2.1",
        "N_v a test",
        "estimates a test",
        "µs a test",
    ];
    let mut table = Table::new("The paper's configuration, and one part of it changed at a time", &columns);
    let measured: Vec<[Tally; 2]> = ways().iter().map(|way| measure(way, &tested)).collect();
    for (way, [band, wide]) in ways().iter().zip(&measured) {
        let each = |count: u64| Cell::Number(count as f64 / band.asked as f64, 1);
        table.row([
            way.name.into(),
            Cell::Number(band.error(), 2),
            Cell::Count(band.missed),
            Cell::Count(band.imagined),
            Cell::Number(wide.error(), 2),
            each(band.stats.volume_tests),
            each(band.estimates),
            Cell::Number(band.micros(), 1),
        ]);
    }
    report.table(table);
    report.text(
        "The paper's configuration is a tree of axis-aligned boxes, 8³ cells, possible where they hold MaxArea (Definition 2), s by shares of the volume (eq. 2), sizes by descent (eq. 3 to 5), LB by depths, max{V1, V2, V3}, p_min = 0.99, k_min = 10. \
         Two things are not its own: the boxes are split by splatter, where the paper builds as the restricted boxtree does (the same table on such trees, as far as it can be had: part `open`), and what \"suitably chosen\" means for MaxArea in Definition 3 it does not say: √2 a² is taken, of Figure 4 (others below).",
    );
    claims(report, &measured[0]);
    suitably(report, &tested);
}

/// MaxArea suitably chosen: for these tests, so what is least is a fit to them.
fn suitably(report: &mut Report, tested: &[Tested]) {
    let columns =
        ["MaxArea : √2 a²", "error %, 1 to 2", "missed", "imagined", "error %, 0.4 to 2.1", "N_v a test", "µs a test"];
    let mut table = Table::new("Definition 3: MaxArea chosen, all else to the letter", &columns);
    let measured: Vec<[Tally; 2]> = chosen().iter().map(|way| measure(way, tested)).collect();
    for (part, [band, wide]) in CHOSEN.iter().zip(&measured) {
        table.row([
            Cell::Number(*part, 3),
            Cell::Number(band.error(), 2),
            Cell::Count(band.missed),
            Cell::Count(band.imagined),
            Cell::Number(wide.error(), 2),
            Cell::Number(band.stats.volume_tests as f64 / band.asked as f64, 1),
            Cell::Number(band.micros(), 1),
        ]);
    }
    report.table(table);
    for (index, published) in [paper::ERRORS_FROM_1_TO_2, paper::ERRORS_FROM_04_TO_21].into_iter().enumerate() {
        let (from, to) = BANDS[index];
        let most = published.iter().copied().fold(0.0, f64::max);
        let (part, least) = CHOSEN
            .iter()
            .zip(&measured)
            .map(|(&part, bands)| (part, bands[index].error()))
            .min_by(|(_, p), (_, q)| p.total_cmp(q))
            .expect("some");
        report.claim(Claim {
            place: "§4.3.1, Figure 16, MaxArea chosen".into(),
            claim: format!("At most {most} % of the answers are wrong between distances {from} and {to}"),
            verdict: Verdict::of(least <= most),
            evidence: format!("{least:.2} % with MaxArea = {part} · √2 a², the best of seven for these tests"),
            counts_work: true,
        });
    }
}

fn claims(report: &mut Report, [band, wide]: &[Tally; 2]) {
    for (tally, (from, to), published) in
        [(band, BANDS[0], paper::ERRORS_FROM_1_TO_2), (wide, BANDS[1], paper::ERRORS_FROM_04_TO_21)]
    {
        let most = published.iter().copied().fold(0.0, f64::max);
        report.claim(Claim {
            place: "§4.3.1, Figure 16, to the letter".into(),
            claim: format!("At most {most} % of the answers are wrong between distances {from} and {to}"),
            verdict: Verdict::of(tally.error() <= most),
            evidence: format!(
                "{:.2} % of {} tests whose outer boxes meet: {} missed, {} imagined; the paper: {published:?} %",
                tally.error(),
                tally.near,
                tally.missed,
                tally.imagined
            ),
            counts_work: true,
        });
    }
}
