//! §3.1: T = N_v · C_v + N_p · C_p + N_u · C_u beside the time that queries take.

use super::costs::Costs;
use super::flights::Flight;
use super::fly::Flown;
use super::published::VOLUMES;
use super::{flight_columns, of_share, timed};
use lab_report::{Cell, Report, Table};

/// In µs per query.
fn predicted(flown: &Flown, costs: &Costs) -> [f64; 3] {
    let micros = |count: f64, nanos: f64| count * nanos / 1e3;
    [micros(flown.n_v(), costs.test), micros(flown.n_p(), costs.triangles), micros(flown.n_u(), costs.update)]
}

pub(super) fn run(flights: &[Flight], costs: &[Costs; 4], flown: &[Vec<Flown>]) -> Report {
    let mut report = Report::new("§3.1: the cost function");
    report.text(
        "T = N_v·C_v + N_p·C_p + N_u·C_u with the counts of Table 2 and the costs of Table 1, which are means over all flights. C_p is that of triangles whose boxes overlap, as in the paper; \
         most pairs that leaves bring together are farther apart and cost less, so the term of N_p is an upper estimate.",
    );
    let columns = flight_columns(&["volume", "µs"], flights);
    let mut table = Table::new("§3.1: the three terms, their sum, and the measured time, µs per query", &columns);
    let mut ratios = Vec::new();
    for (volume, (kind, costs)) in VOLUMES.iter().zip(costs).enumerate() {
        let terms: Vec<[f64; 3]> = flown.iter().map(|of| predicted(&of[volume], costs)).collect();
        let measured: Vec<f64> = flown.iter().map(|of| of[volume].micros()).collect();
        let mut row = |what: &str, figures: Vec<f64>| {
            let cells = figures.into_iter().map(|x| Cell::Number(x, 2));
            table.row([Cell::from(kind.name()), Cell::from(what)].into_iter().chain(cells));
        };
        for (term, name) in ["N_v·C_v", "N_p·C_p", "N_u·C_u"].into_iter().enumerate() {
            row(name, terms.iter().map(|of| of[term]).collect());
        }
        let sums: Vec<f64> = terms.iter().map(|of| of.iter().sum()).collect();
        row("T", sums.clone());
        row("measured", measured.clone());
        let over: Vec<f64> = sums.iter().zip(&measured).map(|(sum, time)| sum / time).collect();
        ratios.extend(over.iter().copied());
        row("T : measured", over);
    }
    report.table(table);
    let near = ratios.iter().filter(|ratio| (0.5..2.0).contains(*ratio)).count();
    let (least, most) = ratios.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    report.claim(timed(
        "§3.1",
        "T = N_v·C_v + N_p·C_p + N_u·C_u is what a query costs (here: within a factor of two of the time)",
        of_share(near, ratios.len()),
        format!("so for {near} of {} volumes and flights; T : time from {least:.2} to {most:.2}", ratios.len()),
    ));
    report
}
