//! Hubbard: Approximating Polyhedra with Spheres for Time-Critical Collision Detection (1996).
//! Figures 14, 15 and 16, and budgets.

mod accuracy;
mod bsp;
mod budgets;
mod dag;
mod four;
mod levels;
mod models;
mod policy;
mod speed;
mod turned;

use lab_report::Report;
use lab_report::scale::Scale;

/// Runs all experiments.
#[must_use]
pub fn run(scale: Scale) -> Report {
    let mut report = Report::new("Approximating Polyhedra with Spheres for Time-Critical Collision Detection (1996)");
    report.text(
        "The paper's models are not available: ours are of the same kinds. Inaccuracy is the paper's measure (§9.2): the largest distance from the surface of any point of a sphere, here an upper bound proven to a few per cent. \
         Protrusion counts only the points of the sphere outside of the solid: inside a thick body the paper's measure is the body's depth, however good the spheres are. All lengths are in radii of the bounding sphere.",
    );
    let models = models::models(scale);
    accuracy::figure_14(&mut report, &models);
    four::figure_14(&mut report, scale);
    dag::table(&mut report, scale);
    speed::figure_15(&mut report, scale);
    levels::figures_15_and_16(&mut report, scale);
    policy::table(&mut report, scale);
    budgets::table(&mut report, scale);
    turned::table(&mut report, scale);
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab_report::Verdict;

    const NOT_PINNED: &[&str] = &[
        "the paper's trees are better",
        "is the paper's (at most",
        "that BSP trees find",
        "Marks avoid",
        "a descent of two DAGs",
        "Boxes of turned cubes",
    ];

    /// What counts no time repeats exactly, so these verdicts must stay what they are.
    #[test]
    fn verdicts_without_times_stay() {
        let report = run(Scale::Quick);
        let counted: Vec<_> = report.claims().filter(|claim| claim.counts_work).collect();
        assert!(counted.len() >= 3, "{counted:#?}");
        // Verdicts on the paper's own trees are in the report, and not held here yet.
        let held = |claim: &str| !NOT_PINNED.iter().any(|part| claim.contains(part));
        for claim in counted.iter().filter(|claim| held(&claim.claim)) {
            assert_eq!(claim.verdict, Verdict::Holds, "{claim:#?}");
        }
    }
}
