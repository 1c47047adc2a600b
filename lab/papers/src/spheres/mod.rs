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
mod separations;
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
        Part { name: "separations", run: separations::figure_16 },
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

    const CONCLUSIONS: &[&str] = &[
        "reproduced: §10, Figure 14, our trees By average inaccuracy, our sphere-trees of thin models are better than octrees' at every level",
        "reproduced: §10, our trees Spheres stick out less than the octree's, on every model and level, on average",
        "reproduced: §10, Figure 14, to the letter By average inaccuracy the paper's trees are better than octrees' at every level",
        "reproduced: §10, Figure 14, to the letter The average inaccuracy over the octree's is the paper's (at most a quarter more)",
        "reproduced: §5 Each level merged by itself and every sphere met taken for a child, a descent of two DAGs misses nothing",
        "reproduced: §5 Marks avoid repeated traversals of shared children",
        "reproduced: §10 Spheres of the earlier method fit inside and leave some of the surface out; those of the paper's level cover all of it",
        "not reproduced: §5 Coverage of sample points is looser: it leaves some of the surface out, and its spheres are more accurate",
        "not reproduced: §11.2, the paper's tree, as in Figure 3 The last level finds the collisions that BSP trees find (804 in the paper)",
        "not reproduced: §11.2, the paper's tree, with witnesses and bounds The last level finds the collisions that BSP trees find (804 in the paper)",
        "reproduced: §11.2, ours, with witnesses and bounds The last level finds the collisions that BSP trees find (804 in the paper)",
        "not reproduced: §11.2 The looser policy can be as conservative as the safest in practice: with the most points it finds 99 in 100 collisions",
        "reproduced: §11.2, Figure 16, to the letter The bound on the separation improves for deeper levels (half of the calls; the paper's text has no numbers)",
        "reproduced: §9.2 Where spheres collide, the sum of their Hausdorff distances bounds the separation",
        "reproduced: §9.2 Less the overlap of the spheres it is a bound, too, and tighter",
        "reproduced: §11.2, Figure 16, ours The bound on the separation improves for deeper levels (half of the calls; the paper's text has no numbers)",
        "reproduced: §11.2, ours The last level finds exactly the collisions that the exact algorithm finds",
        "different: §12, hybrid hierarchies Boxes under spheres help with flat walls: the same answers with fewer triangles looked at, half or less on walls",
        "reproduced: §3, subdivision Subdivision finds the collisions that BSP trees find",
        "reproduced: §3 Boxes of turned cubes grow 3.4 times on average, 4.7 at most",
    ];
}
