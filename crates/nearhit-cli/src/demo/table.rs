//! The demonstration as a table.

use super::refine::{Story, interval, length};
use super::trial::Trial;
use crate::terminal::{Style, grouped, significant};
use nearhit::Verdict;
use nearhit_cases::folder::Case;

/// The columns: name and width.
const COLUMNS: [(&str, usize); 8] =
    [("volume", 8), ("build ms", 9), ("KB", 7), ("N_v", 9), ("N_p", 8), ("N_u", 8), ("collide", 9), ("contacts", 9)];

/// What is going to be seen.
pub(super) fn heading(case: &Case, style: Style) -> String {
    let [ring, wire] = [&case.a, &case.b].map(|mesh| grouped(mesh.triangles().len() as u64));
    let title = style.bold("A ring flies along a knotted wire and should not touch it.");
    format!("{title}\n{ring} triangles against {wire}, {} poses.\n\n", case.poses.len())
}

/// One row a volume, and what it shows.
pub(super) fn show(trials: &[Trial], style: Style) -> String {
    let title = style.bold("Research: the same flight with every bounding volume");
    let mut text = format!("\n{title}\n{}\n", style.dim(&line(&COLUMNS.map(|(name, _)| name.to_owned()))));
    for trial in trials {
        text += &(line(&cells(trial)) + "\n");
    }
    let footnote = "N_v volume tests, N_p triangle tests, N_u updates: a pose, of collide; times: µs, p50";
    text + &style.dim(footnote) + "\n\n" + &style.good("All volumes agree at every pose.") + &sentence(trials)
}

fn cells(trial: &Trial) -> [String; 8] {
    let summary = &trial.collide.summary;
    let per_pose = |total: u64| significant(total as f64 / summary.poses as f64);
    [
        trial.volume.name().to_owned(),
        significant(summary.build_ms),
        grouped(summary.bytes.div_ceil(1024) as u64),
        per_pose(summary.n_v),
        per_pose(summary.n_p),
        per_pose(summary.n_u),
        significant(summary.p50_us),
        significant(trial.contacts.summary.p50_us),
    ]
}

fn line(cells: &[String; 8]) -> String {
    let mut text = String::new();
    for (index, (cell, (_, width))) in cells.iter().zip(COLUMNS).enumerate() {
        text += &if index == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
    }
    text
}

/// What is seen, in a sentence or two.
pub(super) fn sentence(trials: &[Trial]) -> String {
    let work = |trial: &&Trial| trial.collide.summary.n_v;
    let (Some(least), Some(most)) = (trials.iter().min_by_key(work), trials.iter().max_by_key(work)) else {
        return String::new();
    };
    let Some(quickest) = trials.iter().min_by(|x, y| x.collide.summary.p50_us.total_cmp(&y.collide.summary.p50_us))
    else {
        return String::new();
    };
    let summary = &least.contacts.summary;
    format!(
        " The ring touches at {} of {} poses, in {} triangle pairs.\n\
         Tight volumes cull more: {} needs {:.0} times fewer volume tests than {}; {} is the quickest here.\n",
        summary.colliding.unwrap_or_default(),
        summary.poses,
        grouped(summary.contacts.unwrap_or_default()),
        least.volume,
        most.collide.summary.n_v as f64 / least.collide.summary.n_v.max(1) as f64,
        most.volume,
        quickest.volume,
    )
}

/// What budgets are worth where it is narrowest.
pub(super) fn refined(story: &Story, style: Style) -> String {
    let mut text = format!(
        "\n{}\nSphere-trees at pose {}, {} from touching (made in {} s):\n",
        style.bold("When time is short"),
        story.pose,
        length(story.distance),
        significant(story.build_ms / 1e3)
    );
    let all = story.budgets.last().map_or(0, |last| last.work);
    for work in (0..6).map(|power| 10_u64.pow(power)).filter(|&work| work < all).chain([all]) {
        let Some(spent) = story.within(work) else { continue };
        let answer = match spent.known.verdict {
            Verdict::Yes => style.bad("they touch"),
            Verdict::No => style.good("certainly apart"),
            Verdict::Maybe => "maybe".to_owned(),
        };
        text += &format!(
            "{:>9} tests {:>8} µs  distance in {}: {answer}\n",
            grouped(work),
            significant(spent.us),
            interval(&spent.known.separation)
        );
    }
    text
}
