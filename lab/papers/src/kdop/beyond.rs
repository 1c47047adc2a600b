//! What the paper leaves open, one step at a time: counters and time against the paper's system on
//! the five flights.

use super::counted;
use super::flights::Flight;
use super::fly::{Flown, System, compare};
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::{Cell, Report, Table, Verdict};
use nearhit::Pose;
use nearhit::research::VolumeKind;
use nearhit::research::build::orient::turned;
use nearhit::research::build::{AxisRule, BuildOptions, Cost, Directions, LeafCost, PositionRule};
use nearhit::research::build::{Method, best_orientation};
use nearhit::research::hierarchy::Tumbling;
use nearhit::research::traverse::Opening;
use nearhit::research::volume::kdop::KDop;

/// A step, and whether it became a default.
struct Step {
    name: &'static str,
    system: System,
    decision: &'static str,
}

/// The last step.
const ORIENTED: &str = "best initial orientation";

fn steps() -> Vec<Step> {
    let paper = System::paper(VolumeKind::KDop18);
    let plain = BuildOptions::default();
    let built = |rules: BuildOptions| paper.built_by(rules);
    let best = |candidates, cost| PositionRule::Best { candidates, cost };
    let auto = |likelihood| plain.leaf_cost(LeafCost { volume_test: 1.0, triangle_test: 0.25, likelihood });
    let step = |name, system, decision| Step { name, system, decision };
    vec![
        step("paper's system, k = 18", paper, "the reference"),
        step("k = 26", System { volume: VolumeKind::KDop26, ..paper }, "by name: fewer tests, each dearer"),
        step("k = 50", System { volume: VolumeKind::KDop50, ..paper }, "by name: fewer tests, each dearer"),
        step("k = 74", System { volume: VolumeKind::KDop74, ..paper }, "by name: fewer tests, each dearer"),
        step("k = 98", System { volume: VolumeKind::KDop98, ..paper }, "by name: fewest tests, each dearest"),
        step(
            "splatter along all k/2 directions",
            built(plain.directions(Directions::All)),
            "by option: no fewer tests",
        ),
        step("min sum", built(plain.axis(AxisRule::MinSum)), "by option: slow to build (Tables 3 to 5)"),
        step(
            "min sum along all k/2 directions",
            built(plain.axis(AxisRule::MinSum).directions(Directions::All)),
            "by option: hardly fewer tests, slowest to build",
        ),
        step(
            "best of 12 positions, volume",
            built(plain.position(best(12, Cost::Volume))),
            "by option: fewer tests, slow to build",
        ),
        step(
            "best of 12 positions, surface",
            built(plain.position(best(12, Cost::Surface))),
            "by option: fewer tests, slow to build",
        ),
        step(
            "best of all positions, surface",
            built(plain.position(best(usize::MAX, Cost::Surface))),
            "by option: a sample is as good",
        ),
        step(
            "bottom-up, volume",
            built(plain.method(Method::BottomUp { cost: Cost::Volume })),
            "by option: more tests than by surface",
        ),
        step(
            "bottom-up, surface",
            built(plain.method(Method::BottomUp { cost: Cost::Surface })),
            "by option: as good, and quick to build",
        ),
        step(
            "degree 4",
            built(plain.degree(4)),
            "by option: fewer tests; binary stays, for the paper's figures to compare with",
        ),
        step("degree 8", built(plain.degree(8)), "by option: more tests than degree 4"),
        step(
            "flying τ = 1",
            System { flying: plain, ..paper },
            "yes, where it is not known which model flies; 40 is FLYING_LEAF_SIZE",
        ),
        step(
            "flying τ = 10",
            System { flying: plain.leaf_size(10), ..paper },
            "by option: between 1 and 40 in everything",
        ),
        step(
            "automatic τ, surface",
            System { flying: auto(Cost::Surface), ..paper },
            "by option: fewer triangle tests, more volume tests",
        ),
        step("automatic τ, volume", System { flying: auto(Cost::Volume), ..paper }, "by option: as by surface"),
        step("open the larger", System { opening: Opening::Larger, ..paper }, "yes: far fewer volume tests"),
        step("open the object's first", System { opening: Opening::ObjectFirst, ..paper }, "by option"),
        step("open both", System { opening: Opening::Both, ..paper }, "by option"),
        step(
            "climbs from a table of directions",
            System { remembers_climbs: false, ..paper },
            "yes: no memory from query to query",
        ),
        step("re-bounded by duality", System { tumbling: Tumbling::PLAIN, ..paper }, "yes: no memory, cheapest update"),
        step(
            "corners on all levels",
            System { tumbling: Tumbling { hull_levels: 0, corner_levels: u32::MAX }, ..paper },
            "by option: tests saved, updates dearer than by duality",
        ),
        step(
            "hull at the root, duality below",
            System { tumbling: Tumbling::HULL_AT_ROOT, ..paper },
            "by option: tests saved, a dearer first update",
        ),
        step(
            "hulls on 3 levels, corners below",
            System { tumbling: Tumbling { hull_levels: 3, corner_levels: u32::MAX }, ..paper },
            "by option: few tests saved, dearest updates",
        ),
        // Flown apart: it has another object and other poses.
        step(ORIENTED, paper, "by function: helps an object that lies askew in its frame"),
    ]
}

pub(super) fn run(flights: &[Flight], scale: Scale) -> Report {
    let mut report = Report::new("Beyond the paper: one step at a time");
    progress::begins(&report.title);
    report.text("Each line changes one thing of the paper's system (18-DOP). \"Default\" says what became of it here.");
    let steps = steps();
    let systems: Vec<System> = steps[..steps.len() - 1].iter().map(|step| step.system).collect();
    let mut ratios = vec![Vec::new(); steps.len()];
    let rounds = scale.pick(1, 6);
    let mut flown_all = Vec::new();
    for flight in flights {
        let mut flown = compare(flight, &systems, rounds);
        flown.push(oriented(flight, rounds));
        let columns = ["step", "N_v", "N_p", "N_u", "µs", "build ms", "N_v / paper's", "default"];
        let mut table = Table::new(format!("Beyond the paper on {}", flight.name), &columns);
        for ((step, of), ratios) in steps.iter().zip(&flown).zip(&mut ratios) {
            let ratio = of.n_v() / flown[0].n_v();
            ratios.push(ratio);
            let build = Cell::Number(of.build.as_secs_f64() * 1e3, 1);
            let tail = [build, Cell::Number(ratio, 2), step.decision.into()];
            table.row(std::iter::once(step.name.into()).chain(of.cells()).chain(tail));
        }
        report.table(table);
        flown_all.push(flown);
    }
    report.table(summary(&steps, &ratios, &flown_all));
    claims(&mut report, &steps, &ratios, &flown_all);
    report
}

fn geometric(ratios: impl Iterator<Item = f64> + Clone) -> f64 {
    (ratios.clone().map(f64::ln).sum::<f64>() / ratios.count() as f64).exp()
}

fn summary(steps: &[Step], ratios: &[Vec<f64>], flown: &[Vec<Flown>]) -> Table {
    let columns = ["step", "N_v", "N_p", "N_u", "time", "build", "default"];
    let mut table = Table::new("Beyond the paper: geometric mean over the flights, the paper's system = 1", &columns);
    for (index, step) in steps.iter().enumerate() {
        // Some flights test no triangles: one is added to both sides.
        let over = |of: &dyn Fn(&Flown) -> f64, floor: f64| {
            geometric(
                flown
                    .iter()
                    .map(|flight| (of(&flight[index]) + floor) / (of(&flight[0]) + floor))
                    .collect::<Vec<_>>()
                    .into_iter(),
            )
        };
        table.row([
            step.name.into(),
            Cell::Number(geometric(ratios[index].iter().copied()), 2),
            Cell::Number(over(&Flown::n_p, 1.0), 2),
            Cell::Number(over(&Flown::n_u, 0.0), 2),
            Cell::Number(over(&Flown::micros, 0.0), 2),
            Cell::Number(over(&|of| of.build.as_secs_f64(), 0.0), 1),
            step.decision.into(),
        ]);
    }
    table
}

fn claims(report: &mut Report, steps: &[Step], ratios: &[Vec<f64>], flown: &[Vec<Flown>]) {
    let place = |name: &str| steps.iter().position(|step| step.name == name).expect("a step of the list");
    let tests = |name: &str| geometric(ratios[place(name)].iter().copied());
    let time = |name: &str| {
        geometric(flown.iter().map(|of| of[place(name)].micros() / of[0].micros()).collect::<Vec<_>>().into_iter())
    };
    let larger = ["k = 26", "k = 50", "k = 74", "k = 98"];
    let listed = |of: &dyn Fn(&str) -> f64| larger.map(|k| format!("{k}: {:.2}", of(k))).join(", ");
    report.claim(counted(
        "§3.2",
        "a larger k than 26 has fewer tests still",
        Verdict::of(larger.windows(2).all(|two| tests(two[1]) < tests(two[0]))),
        format!("N_v over that of k = 18: {}", listed(&tests)),
    ));
    report.claim(super::timed(
        "§3.2",
        "too large a k does not pay: tests and updates cost more than they save",
        Verdict::of(time("k = 98") > 1.0),
        format!("time over that of k = 18: {}", listed(&time)),
    ));
    report.claim(counted(
        "§3.3.1",
        "binary trees are better than higher degrees",
        super::of_share(["degree 4", "degree 8"].into_iter().filter(|degree| tests(degree) > 1.0).count(), 2),
        format!(
            "N_v: degree 4 {:.2}, degree 8 {:.2}; time {:.2} and {:.2}",
            tests("degree 4"),
            tests("degree 8"),
            time("degree 4"),
            time("degree 8")
        ),
    ));
    let no_hull = tests("corners on all levels");
    report.claim(counted(
        "§4.1",
        "the hull at the root saves tests",
        Verdict::of(no_hull > 1.0),
        format!("without it N_v is {no_hull:.2} times as large"),
    ));
    let deeper = tests("hulls on 3 levels, corners below");
    report.claim(super::timed(
        "§4.1",
        "hulls below the root cost more than they save",
        Verdict::of(time("hulls on 3 levels, corners below") > 1.0),
        format!("on three levels: N_v {deeper:.2}, time {:.2}", time("hulls on 3 levels, corners below")),
    ));
    report.claim(super::timed(
        "§4.1",
        "the hull at the root is worth its time in all cases",
        Verdict::of(
            time("corners on all levels") > 1.0
                && time("hull at the root, duality below") < time("re-bounded by duality"),
        ),
        format!(
            "time without it {:.2} above corners; above duality {:.2} with and {:.2} without",
            time("corners on all levels"),
            time("hull at the root, duality below"),
            time("re-bounded by duality")
        ),
    ));
    let table = "climbs from a table of directions";
    report.claim(super::timed(
        "§4.1",
        "hill climbing lives from step-to-step coherence: climbs that start anew take longer",
        Verdict::of(time(table) > 1.0),
        format!(
            "from a table of 96 directions instead of the last step's corners: time {:.2}, N_v {:.3}",
            time(table),
            tests(table)
        ),
    ));
    report.claim(counted(
        "§4.3",
        "a deeper flying tree has more volume tests and updates, and fewer triangle tests",
        Verdict::of(
            tests("flying τ = 1") > 1.0 && flown.iter().all(|of| of[place("flying τ = 1")].n_p() <= of[0].n_p()),
        ),
        format!("τ = 1: N_v {:.2}", tests("flying τ = 1")),
    ));
    report.claim(counted(
        "§3.3.4",
        "optimising the position over more places than mean or median helps",
        Verdict::of(tests("best of 12 positions, surface") < 1.0),
        format!(
            "N_v: 12 places {:.2} by surface and {:.2} by volume, all places {:.2}",
            tests("best of 12 positions, surface"),
            tests("best of 12 positions, volume"),
            tests("best of all positions, surface")
        ),
    ));
    report.claim(counted(
        "§3.3.2",
        "bottom-up building, left open, makes trees as good as top-down",
        Verdict::of(tests("bottom-up, surface") < 1.05),
        format!("N_v: {:.2} by surface, {:.2} by volume", tests("bottom-up, surface"), tests("bottom-up, volume")),
    ));
    report.claim(counted(
        "§3.3.4",
        "more axes to split along may help",
        Verdict::of(tests("min sum along all k/2 directions") < 0.98 * tests("min sum")),
        format!(
            "N_v: splatter {:.2} of the three axes'; min sum {:.2}, and {:.2} with three axes",
            tests("splatter along all k/2 directions"),
            tests("min sum along all k/2 directions"),
            tests("min sum")
        ),
    ));
    report.claim(super::timed(
        "§4.3",
        "a threshold by cost can replace the fixed one",
        Verdict::of(time("automatic τ, surface") < 1.1),
        format!(
            "by surface: N_v {:.2}, time {:.2}; by volume: {:.2} and {:.2}",
            tests("automatic τ, surface"),
            time("automatic τ, surface"),
            tests("automatic τ, volume"),
            time("automatic τ, volume")
        ),
    ));
    let turned: Vec<String> = ratios[place(ORIENTED)].iter().map(|ratio| format!("{ratio:.2}")).collect();
    report.claim(counted(
        "§4.1",
        "the object's initial orientation matters",
        super::of_share(ratios[place(ORIENTED)].iter().filter(|&&ratio| ratio < 1.0).count(), flown.len()),
        format!("N_v in the best of the orientations tried, by flight: {}", turned.join(", ")),
    ));
}

/// The object's tree is built in the frame in which its volumes cost least; the poses undo the
/// turn.
fn oriented(flight: &Flight, rounds: usize) -> Flown {
    let system = System::paper(VolumeKind::KDop18);
    let turn = best_orientation::<KDop<9>>(&flight.object, &system.flying, Cost::Volume);
    let rows = turn.transpose().to_cols_array_2d();
    let turned_from_a = Pose::from_rows(rows, [0.0; 3]).expect("a rotation");
    let object = turned(&flight.object, turn);
    let poses = flight.poses.iter().map(|pose| turned_from_a * *pose).collect();
    let turned = Flight { name: flight.name, object, environment: flight.environment.clone(), poses };
    compare(&turned, &[system], rounds).remove(0)
}
