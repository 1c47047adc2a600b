//! Larsen, Gottschalk, Lin, Manocha: Fast Proximity Queries with Swept Sphere Volumes (1999).
//! Tables 1 to 5, Figures 5 and 6.

mod benchmarks;
mod boxes;
mod costs;
mod descent;
mod errors;
mod figures;
pub mod gjk;
mod paper;
mod tables;
mod tiling;
mod traversal;
mod work;

use lab_report::Report;
use lab_report::scale::Scale;
use tables::Results;

/// Runs all experiments.
#[must_use]
pub fn run(scale: Scale) -> Report {
    let mut report = Report::new("Fast Proximity Queries with Swept Sphere Volumes (1999)");
    report.text(
        "N_bv and N_p count pairs of volumes and of triangles over all queries. The paper's figures are of its own models and of machines of 1999: compare ratios. \
         Trees are built as the paper says: top-down, binary, one triangle a leaf, split across the longest axis of the oriented box at the mean, oriented volumes by the covariance of the corners. kdop18 and dynamic (a ball first, then the fitted member of the family: §4.2's choice at query time, with k-DOPs) are not in the paper; mixed is its hybrid.",
    );
    let prototyping = benchmarks::virtual_prototyping(scale);
    let tori = benchmarks::falling_tori(scale);
    let [probes, path] = benchmarks::path_planning(scale);
    let dynamics = benchmarks::dynamics_simulation(scale);
    for benchmark in
        [Some(&prototyping), tori.as_ref(), Some(&probes), Some(&path), Some(&dynamics)].into_iter().flatten()
    {
        report.text(format!("{}: {}.", benchmark.name, benchmark.what));
    }
    if tori.is_none() {
        report.text("Falling tori: skipped, the paper's data is not in ../shared/cases/falling-tori.");
    }
    report.heading("Table 1: distances of cores");
    costs::table(&mut report, &probes, scale);
    report.heading("Tables 2 to 4: volumes");
    let benchmarks = [Some(&prototyping), tori.as_ref(), Some(&probes), Some(&dynamics)].into_iter().flatten();
    let results = Results::new(benchmarks, 1);
    results.tables(&mut report);
    report.heading("§7.4: interpretations");
    results.interpretations(&mut report);
    boxes::table(&mut report, &[&prototyping, &probes, &dynamics]);
    report.heading("Table 5: traversal");
    traversal::table(&mut report, &probes, &path);
    report.heading("§3.1: descent rules");
    descent::table(&mut report, &probes, &dynamics);
    report.heading("§5.3: relative errors");
    errors::table(&mut report, &[&prototyping, &path, &dynamics]);
    report.heading("Figures 5 and 6: spheres");
    figures::separated(&mut report, scale);
    figures::concentric(&mut report, scale);
    report.heading("§7.6: tiling");
    tiling::table(&mut report);
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab_report::Verdict;

    /// What counts work repeats exactly, so these verdicts must stay what they are.
    #[test]
    fn verdicts_that_count_work_stay() {
        let report = run(Scale::Quick);
        let counted: Vec<_> = report.claims().filter(|claim| claim.counts_work).collect();
        for claim in &counted {
            let expected = match (claim.place.as_str(), claim.claim.as_str()) {
                ("§7.3, Figure 6", "All do more work as the gap shrinks") => Verdict::Differs,
                ("§7.3, Figure 6", _) => Verdict::Fails,
                _ => Verdict::Holds,
            };
            assert_eq!(claim.verdict, expected, "{claim:#?}");
        }
        assert!(counted.len() >= 11, "{counted:#?}");
    }
}
