//! Tables 3 to 5: splitting rules by mean and median, for 18-DOPs.

use super::flights::Flight;
use super::fly::{Flown, System, compare};
use super::published::{RULES, TABLE_3, TABLE_4, TABLE_5};
use super::{counted, flight_columns, of_share, timed};
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::{Cell, Report, Table, Verdict};
use nearhit::research::VolumeKind;
use nearhit::research::build::{AxisRule, BuildOptions, PositionRule, build};
use nearhit::research::volume::BoundingVolume;
use nearhit::research::volume::kdop::KDop;

/// By flight: four rules at the mean, four at the median, and oriented boxes.
pub(super) fn run(flights: &[Flight], scale: Scale) -> Report {
    let mut report = Report::new("Tables 3 to 5: splitting rules");
    progress::begins(&report.title);
    let paper = System::paper(VolumeKind::KDop18);
    let mut systems = Vec::new();
    for position in [PositionRule::Mean, PositionRule::Median] {
        for (_, axis) in RULES {
            systems.push(paper.built_by(BuildOptions::new().axis(axis).position(position)));
        }
    }
    systems.push(System::rapid());
    let flown: Vec<Vec<Flown>> = flights.iter().map(|flight| compare(flight, &systems, scale.pick(1, 3))).collect();
    report.text("Rules apply to both trees; the build time is the environment's, on all processors. The paper's figures stand below ours.");
    let mut table = Table::new(
        "Table 3: time to build the environment's tree, ms (paper: minutes)",
        &flight_columns(&["rule"], flights),
    );
    for (rule, name) in RULES.iter().map(|(name, _)| *name).chain(["OBB"]).enumerate() {
        let column = if rule == 4 { 8 } else { rule };
        let figures = flown.iter().map(|of| Cell::Number(of[column].build.as_secs_f64() * 1e3, 1));
        table.row(std::iter::once(name.into()).chain(figures));
    }
    for (rule, name) in RULES.iter().map(|(name, _)| *name).chain(["RAPID"]).enumerate() {
        table.row(std::iter::once(format!("{name}, paper").into()).chain(TABLE_3[rule].map(|x| Cell::Number(x, 2))));
    }
    report.table(table);
    for (what, first, paper) in
        [("Table 4: split at the mean", 0, TABLE_4), ("Table 5: split at the median", 4, TABLE_5)]
    {
        report.table(queries(what, first, &paper, flights, &flown));
    }
    claims(&mut report, flights, &flown);
    volumes(&mut report, flights);
    report
}

/// §3.3.4: the sum of the volumes of all nodes of the environment's tree, by mean and by median.
fn volumes(report: &mut Report, flights: &[Flight]) {
    let total = |flight: &Flight, axis: AxisRule, position: PositionRule| -> f64 {
        let tree = build::<KDop<9>>(&flight.environment, &BuildOptions::new().axis(axis).position(position));
        let unit = tree.node(0).volume.size();
        tree.nodes().iter().map(|node| node.volume.measure(unit).volume).sum()
    };
    let mut table = Table::new(
        "§3.3.4: total volume of all 18-DOPs, split at the median : at the mean",
        &flight_columns(&["rule"], flights),
    );
    let mut less = 0;
    for (name, axis) in RULES {
        let ratios: Vec<f64> = flights
            .iter()
            .map(|flight| total(flight, axis, PositionRule::Median) / total(flight, axis, PositionRule::Mean))
            .collect();
        less += ratios.iter().filter(|&&ratio| ratio > 1.0).count();
        table.row(std::iter::once(name.into()).chain(ratios.into_iter().map(|ratio| Cell::Number(ratio, 4))));
    }
    report.table(table);
    let all = RULES.len() * flights.len();
    report.claim(counted(
        "§3.3.4",
        "the total volume of all bounding volumes is smaller with the mean than with the median",
        of_share(less, all),
        format!("so for {less} of {all} rules and flights"),
    ));
}

fn queries(what: &str, first: usize, paper: &[[f64; 5]; 4], flights: &[Flight], flown: &[Vec<Flown>]) -> Table {
    let mut table = Table::new(format!("{what}: per query"), &flight_columns(&["rule"], flights));
    for (unit, of) in
        [("µs", Flown::micros as fn(&Flown) -> f64), ("N_v", Flown::n_v), ("N_p", Flown::n_p), ("N_u", Flown::n_u)]
    {
        for (rule, (name, _)) in RULES.iter().enumerate() {
            let figures = flown.iter().map(|flight| Cell::Number(of(&flight[first + rule]), 1));
            table.row(std::iter::once(format!("{name}, {unit}").into()).chain(figures));
        }
    }
    for (rule, (name, _)) in RULES.iter().enumerate() {
        table
            .row(std::iter::once(format!("{name}, paper, ms").into()).chain(paper[rule].map(|ms| Cell::Number(ms, 3))));
    }
    table
}

fn claims(report: &mut Report, flights: &[Flight], flown: &[Vec<Flown>]) {
    let cells: Vec<(usize, usize)> =
        (0..flights.len()).flat_map(|flight| (0..4).map(move |rule| (flight, rule))).collect();
    let name = |&(flight, rule): &(usize, usize)| format!("{} {}", flights[flight].name, RULES[rule].0);
    let more: Vec<&(usize, usize)> = cells
        .iter()
        .filter(|&&(flight, rule)| flown[flight][rule].operations() <= flown[flight][rule + 4].operations())
        .collect();
    let exceptions: Vec<String> = cells.iter().filter(|cell| !more.contains(cell)).map(name).collect();
    report.claim(counted(
        "§3.3.4",
        "the median takes more operations than the mean in every run",
        of_share(more.len(), cells.len()),
        format!("so in {} of {}; not: {}", more.len(), cells.len(), exceptions.join(", ")),
    ));
    let slower =
        cells.iter().filter(|&&(flight, rule)| flown[flight][rule].micros() < flown[flight][rule + 4].micros()).count();
    report.claim(timed(
        "§5.2.2",
        "the median never gives faster queries than the mean",
        of_share(slower, cells.len()),
        format!("the mean is faster in {slower} of {}", cells.len()),
    ));
    let build = |rule: usize| flown.iter().map(|of| of[rule].build.as_secs_f64()).sum::<f64>();
    let (slow, quick) = (build(1).min(build(2)), build(0).max(build(3)));
    report.claim(timed(
        "§5.2.2",
        "min sum and min max build about ten times slower than longest side and splatter",
        if slow > 5.0 * quick { Verdict::Holds } else { of_share(usize::from(slow > 2.0 * quick), 2) },
        format!("{:.1} times over the five environments", slow / quick),
    ));
    report.claim(timed(
        "§5.2.2",
        "RAPID, here oriented boxes by its rule, builds in 30 to 40 % of splatter's time",
        Verdict::of((0.3..=0.4).contains(&(build(8) / build(3)))),
        format!("our oriented boxes take {:.0} %", 100.0 * build(8) / build(3)),
    ));
    let best = (0..flights.len()).filter(|&i| (0..4).all(|rule| flown[i][1].n_v() <= flown[i][rule].n_v())).count();
    report.claim(counted(
        "§5.2.2",
        "min sum is typically the best rule",
        if best * 2 > flights.len() { Verdict::Holds } else { of_share(best, flights.len()) },
        format!("fewest volume tests on {best} of {}", flights.len()),
    ));
    let ratio = (0..flights.len()).map(|i| flown[i][3].n_v() / flown[i][1].n_v()).sum::<f64>() / flights.len() as f64;
    report.claim(counted(
        "§5.2.2",
        "splatter is nearly as good as min sum",
        Verdict::of(ratio < 1.1),
        format!("N_v {ratio:.2} times min sum's on average (paper's times: 1.03)"),
    ));
}
