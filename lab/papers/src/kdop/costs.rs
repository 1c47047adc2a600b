//! Table 1: what one test of volumes, one update and one test of triangles cost.

use super::flights::Flight;
use super::pairs::{Met, meet};
use super::published::{C_P, C_U, C_V};
use super::timed;
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::stopwatch::interleaved;
use lab_report::{Cell, Report, Table, Verdict};
use nearhit::research::primitive::intersect::intersects;
use nearhit::research::volume::BoundingVolume;
use std::hint::black_box;

/// In ns.
pub(super) struct Costs {
    /// C_v.
    pub(super) test: f64,
    /// C_u, by method II.
    pub(super) update: f64,
    plain_update: f64,
    /// C_p.
    pub(super) triangles: f64,
}

/// With the costs, by volume of the paper.
pub(super) fn run(flights: &[Flight], scale: Scale) -> (Report, [Costs; 4]) {
    let mut report = Report::new("Table 1: costs of single tests");
    progress::begins(&report.title);
    let poses = scale.pick_of(10, 20, 100);
    let costs = [
        measure::<3>(flights, poses),
        measure::<7>(flights, poses),
        measure::<9>(flights, poses),
        measure::<13>(flights, poses),
    ];
    let mut table =
        Table::new("Table 1: mean costs on the flights, ns (paper: ms)", &["", "6-DOP", "14-DOP", "18-DOP", "26-DOP"]);
    let mut row = |name: &str, digits: usize, figures: [f64; 4]| {
        table.row(std::iter::once(name.into()).chain(figures.map(|x| Cell::Number(x, digits))));
    };
    row("C_v, two volumes", 1, costs.each_ref().map(|of| of.test));
    row("C_v, paper", 4, C_V);
    row("C_u, method II: corners", 1, costs.each_ref().map(|of| of.update));
    row("C_u, paper", 4, C_U);
    row("C_u, by duality", 1, costs.each_ref().map(|of| of.plain_update));
    row("C_p, two triangles whose boxes overlap", 1, costs.each_ref().map(|of| of.triangles));
    row("C_p, paper", 4, [C_P; 4]);
    report.table(table);
    let [six, .., most] = &costs;
    report.claim(timed(
        "Table 1",
        "C_v grows with k, 3.5 times from 6 to 26",
        Verdict::of(most.test > six.test),
        format!("{:.1} times", most.test / six.test),
    ));
    report.claim(timed(
        "Table 1",
        "C_u grows faster than C_v, 11 times from 6 to 26",
        Verdict::of(most.update / six.update > most.test / six.test),
        format!(
            "{:.1} times by method II, {:.1} by duality",
            most.update / six.update,
            most.plain_update / six.plain_update
        ),
    ));
    let cheaper = most.test < most.triangles;
    report.claim(timed(
        "Table 1, §5.2.1",
        "two k-DOPs cost less than two triangles",
        Verdict::of(cheaper),
        format!("26-DOP {:.0} ns, triangles {:.0} ns (paper: 0.0028 and 0.0035 ms)", most.test, most.triangles),
    ));
    (report, costs)
}

fn measure<const N: usize>(flights: &[Flight], poses: usize) -> Costs {
    let met: Vec<Met<N>> = flights.iter().map(|flight| meet(flight, poses)).collect();
    let plain: Vec<_> = met.iter().map(|of| of.object.nodes()).collect();
    let tests: usize = met.iter().map(|of| of.volumes.len()).sum();
    let updates: usize = met.iter().map(|of| of.updates.len()).sum();
    let triangles: usize = met.iter().map(|of| of.triangles.len()).sum();
    let mut test = || {
        for (b, a) in met.iter().flat_map(|of| &of.volumes) {
            black_box(b.disjoint(a));
        }
    };
    let mut update = || {
        for of in &met {
            for &(motion, node) in &of.updates {
                black_box(of.object.place(node, &of.motions[motion]));
            }
        }
    };
    let mut plain_update = || {
        for (of, nodes) in met.iter().zip(&plain) {
            for &(motion, node) in &of.updates {
                black_box(nodes[node as usize].volume.place(&of.motions[motion]));
            }
        }
    };
    let mut look = || {
        for (a, b) in met.iter().flat_map(|of| &of.triangles) {
            black_box(intersects(a, b));
        }
    };
    let times = interleaved(4, &mut [&mut test, &mut update, &mut plain_update, &mut look]);
    let per = |index: usize, count: usize| times[index].as_secs_f64() * 1e9 / count.max(1) as f64;
    Costs { test: per(0, tests), update: per(1, updates), plain_update: per(2, updates), triangles: per(3, triangles) }
}
