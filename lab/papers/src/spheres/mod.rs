//! Hubbard: Approximating Polyhedra with Spheres for Time-Critical Collision Detection (1996).
//! Figures 14, 15 and 16, and budgets.

mod accuracy;
mod bare;
mod bsp;
mod budgets;
mod coverage;
mod dag;
mod four;
mod hybrid;
mod levels;
mod models;
mod policy;
mod runs;
mod simulator;
mod speed;
mod subdivision;
mod turned;
mod ways;

use crate::{Paper, Part};

/// The paper and its experiments.
pub const PAPER: Paper = Paper {
    name: "spheres",
    title: "Approximating Polyhedra with Spheres for Time-Critical Collision Detection (1996)",
    about: "The paper's models are not available: ours are of the same kinds. Inaccuracy is the paper's measure (§9.2): the largest distance from the surface of any point of a sphere, here an upper bound proven to a few per cent. \
         Protrusion counts only the points of the sphere outside of the solid: inside a thick body the paper's measure is the body's depth, however good the spheres are. All lengths are in radii of the bounding sphere.",
    parts: &[
        Part { name: "accuracy", run: |report, scale| accuracy::figure_14(report, &models::models(scale)) },
        Part { name: "four", run: four::figure_14 },
        Part { name: "dag", run: dag::table },
        Part { name: "coverage", run: coverage::table },
        Part { name: "speed", run: speed::figure_15 },
        Part { name: "ways", run: ways::table },
        Part { name: "levels", run: levels::figures_15_and_16 },
        Part { name: "runs", run: runs::show },
        Part { name: "beyond", run: runs::beyond },
        Part { name: "policy", run: policy::table },
        Part { name: "budgets", run: budgets::table },
        Part { name: "hybrid", run: hybrid::table },
        Part { name: "subdivision", run: subdivision::table },
        Part { name: "turned", run: turned::table },
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conclusions;
    use lab_report::scale::Scale;

    /// What counts no time repeats exactly, so these verdicts must stay what they are.
    #[test]
    fn verdicts_without_times_stay() {
        let report = PAPER.run(Scale::Quick);
        assert_eq!(conclusions(&report), CONCLUSIONS, "{}", lab_report::text::render(&report));
    }

    const CONCLUSIONS: &[&str] = &[];
}
