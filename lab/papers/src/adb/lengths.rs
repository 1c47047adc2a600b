//! How far, and how deep, when a search is interrupted: estimates with calibrated errors (§5).
//!
//! An interrupted search knows an interval that the truth is in for certain. Where in it the truth
//! is, is learned on some models: a likely place, and a band about it that is to hold nine times in
//! ten on a model that was not seen. Models differ more than the tests of one model do, so a model
//! counts as one observation: the band is that of conformal prediction with groups, in which what
//! is not yet known counts as one more model, beyond every band. Judged by leaving one model out at
//! a time.

use super::future::{Staged, staged};
use super::plain::{Body, Scene};
use super::scene::{MODELS, MORE, Maker, distances};
use super::unseen::JUDGED;
use lab_report::scale::Scale;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::VolumeKind;
use nearhit::{Budget, Model, Pair, Scratch, Settings, Tolerance};

/// What the band is said to hold.
const SAID: f64 = 0.9;

/// What an interrupted search knows of a length, and the truth.
#[derive(Debug, Clone, Copy)]
struct Guess {
    lower: f64,
    upper: f64,
    truth: f64,
}

impl Guess {
    /// Where in the interval the truth is, from 0 to 1.
    fn place(&self) -> f64 {
        (self.truth - self.lower) / (self.upper - self.lower)
    }

    /// The truth is in the interval; and there is something to guess.
    fn is_certain(&self) -> bool {
        self.lower <= self.truth + 1e-9 && self.truth <= self.upper + 1e-9
    }

    fn is_open(&self) -> bool {
        self.upper - self.lower > 1e-9
    }
}

/// Parts of the interval: from, likely, to.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Band {
    from: f64,
    likely: f64,
    to: f64,
}

/// The least value up to which there is a share of the weight; infinite if all of it is less.
fn quantile(values: &mut [(f64, f64)], share: f64) -> f64 {
    values.sort_by(|p, q| p.0.total_cmp(&q.0));
    let mut sum = 0.0;
    let found = values.iter().find(|(_, weight)| {
        sum += weight;
        sum >= share - 1e-12
    });
    found.map_or(f64::INFINITY, |&(value, _)| value)
}

/// Learns a band on models of any numbers of guesses, each model with the same weight.
fn learn(models: &[&[Guess]]) -> Band {
    let weighted = |of: &dyn Fn(f64) -> f64, whole: f64| -> Vec<(f64, f64)> {
        let each = |model: &&[Guess]| {
            let weight = whole / model.len() as f64;
            model.iter().map(|guess| (of(guess.place()), weight)).collect::<Vec<_>>()
        };
        models.iter().flat_map(each).collect()
    };
    let count = models.len() as f64;
    let likely = quantile(&mut weighted(&|place| place, 1.0 / count), 0.5);
    // How far off on either side, so that the band need not be symmetric.
    let [below, above] = [-1.0, 1.0].map(|side| {
        let off = move |place: f64| (side * (place - likely)).max(0.0);
        quantile(&mut weighted(&off, 1.0 / count), SAID).max(1e-3)
    });
    let score = |place: f64| ((likely - place) / below).max((place - likely) / above);
    // The model that is asked about is the one more.
    let width = quantile(&mut weighted(&score, 1.0 / (count + 1.0)), SAID);
    Band { from: (likely - width * below).max(0.0), likely, to: (likely + width * above).min(1.0) }
}

/// How bands learned on all models but one do on that.
#[derive(Debug, Clone, Copy, Default)]
struct Judged {
    guesses: usize,
    models: usize,
    certain: usize,
    /// Mean over models of the share that the band holds, and the least.
    held: f64,
    least: f64,
    /// Mean over models of the band's length over the interval's.
    width: f64,
    /// Mean error of the likely value, and of the interval's middle.
    off: f64,
    off_middle: f64,
}

fn judge(models: &[Vec<Guess>]) -> Judged {
    let count = models.len() as f64;
    let mut judged = Judged { models: models.len(), least: 1.0, ..Judged::default() };
    for (left_out, guesses) in models.iter().enumerate() {
        let others: Vec<&[Guess]> =
            models.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, it)| it.as_slice()).collect();
        let band = learn(&others);
        let mean = |of: &dyn Fn(&Guess) -> f64| guesses.iter().map(of).sum::<f64>() / guesses.len() as f64;
        let held = mean(&|it| f64::from(u8::from((band.from..=band.to).contains(&it.place()))));
        let off = |share: f64| mean(&|it| (it.lower + share * (it.upper - it.lower) - it.truth).abs());
        judged.guesses += guesses.len();
        judged.certain += guesses.iter().filter(|it| it.is_certain()).count();
        judged.held += held / count;
        judged.least = judged.least.min(held);
        judged.width += (band.to - band.from) / count;
        judged.off += off(band.likely) / count;
        judged.off_middle += off(0.5) / count;
    }
    judged
}

/// Best first by distance of the boxes' bounding balls, until the budget is spent: the nearest open
/// pair below, a corner of each surface above.
fn guess(scene: &Scene<'_>, budget: usize) -> (f64, f64) {
    let corner = |body: &Body, node: u32| body.mesh.triangle(body.node(node).triangles[0])[0];
    let ball = |body: &Body, node: u32| {
        let (low, high) = (body.node(node).low, body.node(node).high);
        ((low + high) * 0.5, (high - low).length() * 0.5)
    };
    let look = |(a, b): (u32, u32)| {
        let ((of_a, radius_a), (of_b, radius_b)) = (ball(scene.a, a), ball(scene.b, b));
        let lower = (of_a.distance(scene.pose.apply(of_b)) - radius_a - radius_b).max(0.0);
        (lower, corner(scene.a, a).distance(scene.pose.apply(corner(scene.b, b))))
    };
    let (lower, mut upper) = look((0, 0));
    let mut open = vec![(lower, (0, 0))];
    for _ in 0..budget {
        let Some(at) = (0..open.len()).min_by(|&i, &j| open[i].0.total_cmp(&open[j].0)) else { break };
        let (_, (a, b)) = open[at];
        let (below_a, below_b) = (&scene.a.node(a).children, &scene.b.node(b).children);
        if below_a.is_empty() && below_b.is_empty() {
            break;
        }
        open.swap_remove(at);
        let wide = |body: &Body, node: u32| ball(body, node).1;
        let of_a = below_b.is_empty() || !below_a.is_empty() && wide(scene.a, a) >= wide(scene.b, b);
        let pairs: Vec<(u32, u32)> =
            if of_a { below_a.iter().map(|&a| (a, b)).collect() } else { below_b.iter().map(|&b| (a, b)).collect() };
        for pair in pairs {
            let (lower, between) = look(pair);
            upper = upper.min(between);
            if lower <= upper {
                open.push((lower, pair));
            }
        }
    }
    (open.iter().map(|pair| pair.0).fold(upper, f64::min), upper)
}

/// Guesses of every model, by budget.
type Guesses = Vec<Vec<Vec<Guess>>>;

fn of_all(budgets: usize, ask: impl Fn(&Maker) -> Vec<Vec<Guess>>) -> Guesses {
    let mut all: Guesses = vec![Vec::new(); budgets];
    for maker in MODELS.iter().chain(&MORE).chain(&JUDGED) {
        for (all, guesses) in all.iter_mut().zip(ask(maker)) {
            let open: Vec<Guess> = guesses.into_iter().filter(Guess::is_open).collect();
            if !open.is_empty() {
                all.push(open);
            }
        }
    }
    all
}

/// Pairs opened by the descent.
const PAIRS: [usize; 3] = [8, 32, 128];

fn separations(scale: Scale, size: usize) -> Guesses {
    of_all(PAIRS.len(), |&maker| {
        let Staged { object, body, trials } = staged(maker, size, &distances(1.2, 2.8, 0.4), scale.pick(3, 5));
        let model = Model::new(object.mesh);
        let mut scratch = Scratch::new();
        let mut guesses = vec![Vec::new(); PAIRS.len()];
        for trial in trials.iter().filter(|trial| !trial.touches) {
            let pair = Pair::relative(&model, &model, &trial.pose).expect("in range");
            let truth = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper;
            let scene = Scene::new(&body, &body, trial.pose);
            for (guesses, &budget) in guesses.iter_mut().zip(&PAIRS) {
                let (lower, upper) = guess(&scene, budget);
                guesses.push(Guess { lower, upper, truth });
            }
        }
        guesses
    })
}

/// Tests of volumes and triangles by `assess`.
const TESTS: [u64; 3] = [100, 300, 1_000];

/// The truth is what `assess` ends with: the shortest translation out that it proves along any of
/// 26 directions.
fn depths(scale: Scale, size: usize) -> Guesses {
    of_all(TESTS.len(), |&maker| {
        let Staged { object, trials, .. } = staged(maker, size, &[0.6, 1.0, 1.4], scale.pick(2, 4));
        let model = object.model(VolumeKind::KDop26);
        let mut scratch = Scratch::new();
        let mut guesses = vec![Vec::new(); TESTS.len()];
        for trial in trials.iter().filter(|trial| trial.touches) {
            let pair = Pair::relative(&model, &model, &trial.pose).expect("in range");
            let truth = pair.assess(&Settings::default(), &mut scratch).penetration.upper;
            for (guesses, &budget) in guesses.iter_mut().zip(&TESTS) {
                let known = pair.assess(&Settings::new().budget(Budget::work(budget)), &mut scratch).penetration;
                if known.upper.is_finite() {
                    guesses.push(Guess { lower: known.lower, upper: known.upper, truth });
                }
            }
        }
        guesses
    })
}

/// Adds a table and a verdict each of separations and of depths.
pub(super) fn table(report: &mut Report, scale: Scale, size: usize) {
    let columns = [
        "what",
        "budget",
        "models",
        "guesses",
        "in the interval",
        "in the band %",
        "on the worst model",
        "band : interval",
        "mean error",
        "of the middle",
    ];
    let mut table = Table::new(
        "§5: lengths of interrupted searches; a band for nine in ten, learned on all models but the one judged",
        &columns,
    );
    let mut claims = Vec::new();
    for (what, place, budgets, all) in [
        ("separation", "§5, separation", PAIRS.map(|it| it as u64), separations(scale, size)),
        ("depth", "§5, depth", TESTS, depths(scale, size)),
    ] {
        let judged: Vec<Judged> = all.iter().map(|models| judge(models)).collect();
        for (budget, judged) in budgets.iter().zip(&judged) {
            table.row([
                what.into(),
                Cell::Count(*budget),
                Cell::Count(judged.models as u64),
                Cell::Count(judged.guesses as u64),
                Cell::Count(judged.certain as u64),
                Cell::Number(100.0 * judged.held, 1),
                Cell::Number(100.0 * judged.least, 1),
                Cell::Number(judged.width, 2),
                Cell::Number(judged.off, 4),
                Cell::Number(judged.off_middle, 4),
            ]);
        }
        claims.push(verdict(what, place, &judged));
    }
    report.table(table);
    claims.into_iter().for_each(|claim| report.claim(claim));
}

fn verdict(what: &str, place: &str, judged: &[Judged]) -> Claim {
    // Nine in ten, to two in a hundred: so many models cannot say it more closely.
    let holds = |it: &Judged| it.certain == it.guesses && (SAID - 0.02..=SAID + 0.07).contains(&it.held);
    Claim {
        place: place.into(),
        claim: format!(
            "A {what} can be estimated with a calibrated error: a band for nine in ten holds 0.88 to 0.97 on models left out, and its likely value is nearer than the interval's middle"
        ),
        verdict: match (judged.iter().all(holds), judged.iter().all(|it| it.off < it.off_middle)) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::Fails,
            _ => Verdict::Differs,
        },
        evidence: format!(
            "held by budget: {:.3?}, on the worst model {:.2?}; of the interval the band is {:.2?}",
            judged.iter().map(|it| it.held).collect::<Vec<_>>(),
            judged.iter().map(|it| it.least).collect::<Vec<_>>(),
            judged.iter().map(|it| it.width).collect::<Vec<_>>()
        ),
        counts_work: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    /// Models whose truths lie about places of their own: a band over all guesses would hold too
    /// few of a new one's.
    fn models(rng: &mut Rng, count: usize) -> Vec<Vec<Guess>> {
        let mut model = || {
            let (own, size) = (rng.range(0.2, 0.8), 1 + rng.below(40));
            (0..size).map(|_| Guess { lower: 0.0, upper: 1.0, truth: own + rng.range(-0.1, 0.1) }).collect()
        };
        (0..count).map(|_| model()).collect()
    }

    #[test]
    fn a_band_for_nine_in_ten_holds_nine_in_ten_of_an_unseen_model() {
        let mut rng = Rng::new(32);
        let (mut held, rounds) = (0.0, 60);
        for _ in 0..rounds {
            let judged = judge(&models(&mut rng, 20));
            assert_eq!((judged.models, judged.certain), (20, judged.guesses));
            held += judged.held / f64::from(rounds);
        }
        assert!((0.89..0.96).contains(&held), "{held}");
    }

    /// With fewer than nine models nothing but the whole interval is sure to hold nine in ten.
    #[test]
    fn a_few_models_say_little() {
        let few = models(&mut Rng::new(33), 8);
        let few: Vec<&[Guess]> = few.iter().map(Vec::as_slice).collect();
        let Band { from, likely, to } = learn(&few);
        assert!(from == 0.0 && to == 1.0 && 0.0 < likely && likely < 1.0);
    }
}
