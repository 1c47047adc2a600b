//! End of §5.2: what is known when the budget runs out.

use super::flights::Flight;
use super::{counted, of_share};
use lab_report::progress;
use lab_report::{Axis, Cell, Plot, Report, Series, Table, Verdict};
use nearhit::research::build::BuildOptions;
use nearhit::research::{Footing, MeshExt, ModelExt, PairExt, VolumeKind};
use nearhit::{Assessment, Budget, Model, Pair, Scratch, Settings};

const BUDGETS: [u64; 7] = [0, 100, 300, 1000, 3000, 10_000, 30_000];
const POSES: usize = 12;

/// Sums over the poses of one flight at one budget.
#[derive(Default, Clone, Copy)]
struct Sums {
    maybes: usize,
    separation: f64,
    penetration: f64,
}

pub(super) fn run(flights: &[Flight]) -> Report {
    let mut report = Report::new("§5.2.3: early termination");
    progress::begins(&report.title);
    report.text("`Pair::assess` with a budget of volume and triangle tests: answers that are still \"maybe\", and the two certified upper bounds, as shares of the larger model's size, mean over poses.");
    let mut monotone = true;
    let (mut separations, mut penetrations) = (Vec::new(), Vec::new());
    for flight in flights {
        let (sums, never_grew) = measure(flight);
        monotone &= never_grew;
        let columns = ["budget", "maybe", "separation at most", "penetration at most"];
        let mut table = Table::new(format!("Early termination on {}", flight.name), &columns);
        for (budget, of) in BUDGETS.iter().zip(&sums) {
            table.row([
                Cell::Count(*budget),
                Cell::Count(of.maybes as u64),
                Cell::Number(of.separation, 4),
                Cell::Number(of.penetration, 4),
            ]);
        }
        report.table(table);
        let points = |of: fn(&Sums) -> f64| {
            BUDGETS.iter().zip(&sums).map(|(&budget, sums)| (budget as f64 + 1.0, of(sums))).collect()
        };
        separations.push(Series { name: flight.name.into(), points: points(|of| of.separation) });
        penetrations.push(Series { name: flight.name.into(), points: points(|of| of.penetration) });
    }
    let shrinks = |series: &[Series]| {
        series.iter().all(|of| of.points.last().map(|point| point.1) < of.points.first().map(|point| point.1))
    };
    let shrink = shrinks(&separations) && shrinks(&penetrations);
    for (what, series) in [("separation", separations), ("penetration", penetrations)] {
        report.plot(Plot {
            caption: format!("Certified upper bound on the {what}, by budget"),
            x: Axis::logarithmic("budget + 1, tests"),
            y: Axis::linear("share of the model's size"),
            series,
        });
    }
    report.claim(counted(
        "§5.2.3",
        "the search, stopped early, bounds how much penetration there can be",
        Verdict::of(monotone && shrink),
        format!("bounds never grew with the budget: {monotone}; they shrank on every flight: {shrink}"),
    ));
    hot_starts(&mut report, flights);
    report
}

/// §6.1: coherence for the worst case. Assessments with little time, step by step, each going on
/// from where the last one ended.
fn hot_starts(report: &mut Report, flights: &[Flight]) {
    let columns = ["flight", "budget", "maybe", "hot", "separation", "hot", "penetration", "hot", "largest", "hot"];
    let mut table =
        Table::new("§6.1: the worst case from a hot start, certified bounds as shares of the size", &columns);
    let (mut narrower, mut worst, mut all, mut evidence) = (0, 0, 0, Vec::new());
    for flight in flights {
        for budget in [300, 3000] {
            let [cold, hot] = [false, true].map(|is_hot| assessed(flight, budget, is_hot));
            table.row([
                flight.name.into(),
                Cell::Count(budget),
                Cell::Count(cold.maybes as u64),
                Cell::Count(hot.maybes as u64),
                Cell::Number(cold.separation, 5),
                Cell::Number(hot.separation, 5),
                Cell::Number(cold.penetration, 5),
                Cell::Number(hot.penetration, 5),
                Cell::Number(cold.largest, 5),
                Cell::Number(hot.largest, 5),
            ]);
            narrower += usize::from(hot.separation <= cold.separation && hot.penetration <= cold.penetration);
            worst += usize::from(hot.largest <= cold.largest);
            all += 1;
            let ratios = [(hot.separation, cold.separation), (hot.penetration, cold.penetration)]
                .map(|(hot, cold)| if cold > 0.0 { format!("{:.2}", hot / cold) } else { "-".into() });
            evidence.push(format!("{} at {budget}: {}", flight.name, ratios.join(" and ")));
        }
    }
    report.table(table);
    report.claim(counted(
        "§6.1",
        "coherence helps where a query is terminated: narrower bounds on separation and penetration",
        of_share(narrower, all),
        format!("both on {narrower} of {all}; mean bounds, hot over cold: {}", evidence.join(", ")),
    ));
    report.claim(counted(
        "§6.1",
        "coherence helps in the worst case: the largest bound on the penetration is no larger",
        of_share(worst, all),
        format!("on {worst} of {all}"),
    ));
}

/// Means over the steps of a flight, and the largest bound on the penetration.
#[derive(Default)]
struct Steps {
    maybes: usize,
    separation: f64,
    penetration: f64,
    largest: f64,
}

fn assessed(flight: &Flight, budget: u64, is_hot: bool) -> Steps {
    let build = |mesh: &nearhit::Mesh| Model::with(mesh.clone(), VolumeKind::KDop26, &BuildOptions::default());
    let (object, environment) = (build(&flight.object), build(&flight.environment));
    let size = flight.object.max_coordinate().max(flight.environment.max_coordinate());
    let (mut scratch, mut footing, mut steps) = (Scratch::new(), Footing::default(), Steps::default());
    let share = 1.0 / (size * flight.poses.len() as f64);
    for pose in &flight.poses {
        let pair = Pair::relative(&object, &environment, pose).expect("generators stay in range");
        let settings = Settings::new().budget(Budget::work(budget));
        let said = if is_hot {
            pair.assess_from(&mut footing, &settings, &mut scratch)
        } else {
            pair.assess(&settings, &mut scratch)
        };
        steps.maybes += usize::from(said.verdict == nearhit::Verdict::Maybe);
        steps.separation += said.separation.upper * share;
        steps.penetration += said.penetration.upper * share;
        steps.largest = steps.largest.max(said.penetration.upper / size);
    }
    steps
}

fn measure(flight: &Flight) -> ([Sums; 7], bool) {
    let build = |mesh: &nearhit::Mesh| Model::with(mesh.clone(), VolumeKind::KDop26, &BuildOptions::default());
    let (object, environment) = (build(&flight.object), build(&flight.environment));
    let size = flight.object.max_coordinate().max(flight.environment.max_coordinate());
    let mut scratch = Scratch::new();
    let mut sums = [Sums::default(); 7];
    let mut never_grew = true;
    let every = flight.poses.len().div_ceil(POSES).max(1);
    let poses = flight.poses.iter().step_by(every);
    let share = 1.0 / (size * poses.clone().count() as f64);
    for pose in poses {
        let pair = Pair::relative(&object, &environment, pose).expect("generators stay in range");
        let mut before: Option<Assessment> = None;
        for (budget, sums) in BUDGETS.iter().zip(&mut sums) {
            let said = pair.assess(&Settings::new().budget(Budget::work(*budget)), &mut scratch);
            never_grew &= before.is_none_or(|before| {
                said.separation.upper <= before.separation.upper && said.penetration.upper <= before.penetration.upper
            });
            sums.maybes += usize::from(said.verdict == nearhit::Verdict::Maybe);
            sums.separation += said.separation.upper * share;
            sums.penetration += said.penetration.upper * share;
            before = Some(said);
        }
    }
    (sums, never_grew)
}
