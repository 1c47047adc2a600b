//! The summary as people read it.

use super::{Case, Plan, Summary};
use crate::terminal::{Style, grouped, significant};

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
        ("volume", volume(plan)),
        ("built in", format!("{} ms", significant(summary.build_ms))),
        ("memory", format!("{} KB", grouped(summary.bytes.div_ceil(1024) as u64))),
        ("query", format!("{}, {}", summary.query, plural(summary.poses, "pose"))),
    ];
    rows.extend(answers(summary));
    rows.push(("work", work(summary)));
    rows.push(("time", times(summary)));
    rows
}

fn volume(plan: &Plan) -> String {
    let built = plan.volume.name();
    if plan.volume_name == built { built.to_owned() } else { format!("{} ({built})", plan.volume_name) }
}

fn answers(summary: &Summary) -> Vec<(&'static str, String)> {
    let share = |count: usize| format!("{} of {}", grouped(count as u64), grouped(summary.poses as u64));
    let undecided = (summary.undecided > 0).then(|| share(summary.undecided) + " (the budget ran out)");
    let rows = [
        ("colliding", summary.colliding.map(share)),
        ("undecided", undecided),
        ("contacts", summary.contacts.map(|count| format!("{} triangle pairs", grouped(count)))),
        ("distance", summary.sum_distance.map(|sum| format!("{} on average", sum / summary.poses as f64))),
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

fn plural(count: usize, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count as u64), if count == 1 { "" } else { "s" })
}
