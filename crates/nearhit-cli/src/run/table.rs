//! The summary of a run as a table.

use super::{Case, Plan, Query, Summary};
use crate::terminal::{Style, grouped, plural, significant};
use nearhit::Tolerance;

/// Width of the column of labels.
const LABELS: usize = 12;

/// Lines of label and value.
pub(super) fn show(case: &Case, plan: &Plan, summary: &Summary, style: Style) -> String {
    let mut text = String::new();
    for (label, value) in rows(case, plan, summary) {
        text += &style.dim(&format!("{label:<LABELS$}"));
        text += &if label == "case" { style.bold(&value) } else { value };
        text.push('\n');
    }
    text
}

fn rows(case: &Case, plan: &Plan, summary: &Summary) -> Vec<(&'static str, String)> {
    let triangles = [&case.a, &case.b].map(|mesh| grouped(mesh.triangles().len() as u64));
    let mut rows = vec![
        ("case", summary.case.clone()),
        ("triangles", format!("a {}, b {}", triangles[0], triangles[1])),
        ("volume", plan.volume.to_string()),
        ("built in", format!("{} ms", significant(summary.build_ms))),
        ("memory", format!("{} KB", grouped(summary.bytes.div_ceil(1024) as u64))),
        ("query", format!("{}, {}", summary.query, plural(summary.poses as u64, "pose"))),
    ];
    rows.extend(answers(plan, summary));
    rows.push(("work", work(summary)));
    rows.push(("time", times(summary)));
    rows
}

fn answers(plan: &Plan, summary: &Summary) -> Vec<(&'static str, String)> {
    let share = |count: usize| format!("{} of {}", grouped(count as u64), grouped(summary.poses as u64));
    let undecided = (summary.undecided > 0).then(|| share(summary.undecided) + " (the budget ran out)");
    let exact = summary.undecided == 0 && plan.query == Query::Distance(Tolerance::EXACT);
    let at_most = if exact { "" } else { "at most " };
    let rows = [
        ("colliding", summary.colliding.map(share)),
        ("within", summary.within.map(share)),
        ("undecided", undecided),
        ("contacts", summary.contacts.map(|count| format!("{} triangle pairs", grouped(count)))),
        ("distance", summary.sum_distance.map(|sum| format!("{at_most}{} on average", sum / summary.poses as f64))),
    ];
    rows.into_iter().filter_map(|(label, value)| Some((label, value?))).collect()
}

fn work(summary: &Summary) -> String {
    let per_query = |total: u64| significant(total as f64 / summary.poses as f64);
    let [volumes, triangles, updates] = [summary.n_v, summary.n_p, summary.n_u].map(per_query);
    format!("N_v {volumes}, N_p {triangles}, N_u {updates} a query (volume tests, triangle tests, updates)")
}

fn times(summary: &Summary) -> String {
    let [mean, half, most, all] = [summary.mean_us, summary.p50_us, summary.p99_us, summary.max_us].map(significant);
    format!("mean {mean} µs, p50 {half} µs, p99 {most} µs, max {all} µs")
}
