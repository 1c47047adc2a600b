//! Figure 16 to the letter (§9.2, §11.2): how far apart are two bodies at most whose spheres
//! collide, by level, in the simulator's calls? And is what the paper says a bound at all?
//!
//! The paper's bound is the sum of what two colliding spheres have as Hausdorff distances (the most
//! that a point of the sphere is away from the surface), less the spheres' overlap; of all pairs
//! that collide, the least.

use super::bare::Bare;
use super::models::lamp;
use super::speed::{CALLS, calls};
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Claim, Plot, Report, Series, Table, Verdict};
use nearhit::research::SphereTreeExt;
use nearhit::{Pair, Scratch, Settings};

/// What was seen at one level, over all calls whose spheres collide there.
#[derive(Debug, Clone, Default)]
struct Level {
    /// The paper's bounds, and true distances, in radii of the bounding sphere.
    bounds: Vec<f64>,
    truths: Vec<f64>,
    /// Calls in which the bodies are farther apart than the sum, and than the sum less the overlap.
    wrong: [u64; 2],
}

impl Level {
    /// A call: its bounds and the true distance, all in radii.
    fn add(&mut self, [sum, less]: [f64; 2], truth: f64) {
        // Rounding is no contradiction.
        for (wrong, bound) in self.wrong.iter_mut().zip([sum, less]) {
            *wrong += u64::from(truth > bound.max(0.0) + 1e-9);
        }
        self.bounds.push(less.max(0.0));
        self.truths.push(truth);
    }
}

/// Adds the figure and the claims.
pub(super) fn figure_16(report: &mut Report, scale: Scale) {
    report.heading("Figure 16: the paper's bound on the separation, by level, in the simulator's calls");
    progress::begins("Figure 16: separations");
    let (lamp, depth) = (lamp(scale), scale.pick(3, 4));
    let (model, tree, size) = (&lamp.model, &lamp.tree, lamp.tree.spheres()[0].radius);
    let poses = calls(lamp, scale.pick_of(300, 10_000, CALLS));
    let (mut levels, mut scratch) = (vec![Level::default(); depth as usize], Scratch::new());
    for pose in &poses {
        let pair = Pair::relative(model, model, pose).expect("near");
        let mut bare = Bare::new(tree, &pair);
        let mut truth = None;
        for level in &mut levels {
            if !bare.step() {
                break;
            }
            // Asked of bodies whose spheres collide somewhere, once.
            let truth = *truth.get_or_insert_with(|| {
                pair.distance(Default::default(), &Settings::default(), &mut scratch).lower / size
            });
            level.add(bare.separation().map(|bound| bound / size), truth);
        }
    }
    show(report, &mut levels, poses.len());
    claims(report, &levels);
}

fn show(report: &mut Report, levels: &mut [Level], calls: usize) {
    report.text(format!(
        "{calls} calls of lamps of 626 triangles with the paper's tree (the paper: {CALLS}). Hausdorff distances are proven from above, as the paper's. Lengths are in radii of the bounding sphere; a bound below 0 counts as 0."
    ));
    let columns = [
        "level",
        "calls",
        "bound, half",
        "nine tenths",
        "distance, half",
        "nine tenths",
        "farther apart than the sum",
        "than the sum less the overlap",
    ];
    let mut table = Table::new("Figure 16: the bound on the separation, and the truth", &columns);
    for (index, level) in levels.iter_mut().enumerate().filter(|(_, level)| !level.bounds.is_empty()) {
        level.bounds.sort_by(f64::total_cmp);
        level.truths.sort_by(f64::total_cmp);
        let at = |sorted: &[f64], share| Cell::Number(quantile(sorted, share), 4);
        table.row([
            Cell::Count(index as u64 + 1),
            Cell::Count(level.bounds.len() as u64),
            at(&level.bounds, 0.5),
            at(&level.bounds, 0.9),
            at(&level.truths, 0.5),
            at(&level.truths, 0.9),
            Cell::Count(level.wrong[0]),
            Cell::Count(level.wrong[1]),
        ]);
    }
    report.table(table);
    let series = levels.iter().enumerate().filter(|(_, level)| !level.bounds.is_empty()).map(|(index, level)| Series {
        name: format!("level {}", index + 1),
        points: (0..=20)
            .map(|part| f64::from(part) / 20.0)
            .map(|share| (share, quantile(&level.bounds, share)))
            .collect(),
    });
    report.plot(Plot {
        caption: "Figure 16: share of the calls at or below".into(),
        x: Axis::linear("share of the calls"),
        y: Axis::linear("radii"),
        series: series.collect(),
    });
}

fn claims(report: &mut Report, levels: &[Level]) {
    let reached: Vec<&Level> = levels.iter().filter(|level| !level.bounds.is_empty()).collect();
    let halves: Vec<f64> = reached.iter().map(|level| quantile(&level.bounds, 0.5)).collect();
    report.claim(Claim {
        place: "§11.2, Figure 16, to the letter".into(),
        claim: "The bound on the separation improves for deeper levels (half of the calls; the paper's text has no numbers)".into(),
        verdict: Verdict::of(halves.len() > 1 && halves.windows(2).all(|two| two[1] < two[0])),
        evidence: format!("by level, in radii: {halves:.4?}"),
        counts_work: true,
    });
    let asked: usize = reached.iter().map(|level| level.bounds.len()).sum();
    for (index, claim) in [
        "Where spheres collide, the sum of their Hausdorff distances bounds the separation",
        "Less the overlap of the spheres it is a bound, too, and tighter",
    ]
    .into_iter()
    .enumerate()
    {
        let wrong: u64 = reached.iter().map(|level| level.wrong[index]).sum();
        report.claim(Claim {
            place: "§9.2".into(),
            claim: claim.into(),
            verdict: Verdict::of(wrong == 0 && asked > 0),
            evidence: format!("bodies are farther apart in {wrong} of {asked} calls and levels"),
            counts_work: true,
        });
    }
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit::research::sphere_tree::SphereOptions;
    use nearhit::{Model, Pose, SphereTree};
    use nearhit_cases::generated;
    use nearhit_testkit::shapes::icosphere;

    /// Two balls side by side, one sphere each: all lengths are known. Their spheres are the balls,
    /// so that the error is what a hair of the tessellation leaves, and the overlap what they
    /// share.
    #[test]
    fn bounds_of_two_balls_are_those_of_the_formula() {
        let model = Model::new(generated::mesh(&icosphere(3)));
        let tree = SphereTree::build(&model, &SphereOptions::paper().depth(1).points(60));
        let [one, ..] = tree.spheres() else { panic!("a root") };
        for apart in [1.5, 1.9] {
            let pose = Pose::from_translation([apart, 0.0, 0.0]).expect("finite");
            let pair = Pair::relative(&model, &model, &pose).expect("near");
            let [sum, less] = Bare::new(&tree, &pair).separation();
            assert!((sum - 2.0 * one.error).abs() < 1e-12, "{sum}");
            assert!((less - (sum - (2.0 * one.radius - apart))).abs() < 1e-9, "{less}");
        }
    }

    /// The least of all pairs counts, each bound for itself.
    #[test]
    fn the_least_of_all_pairs_counts() {
        let lamp = lamp(Scale::Quick);
        let pose = Pose::from_translation([0.3, 0.1, 0.2]).expect("finite");
        let pair = Pair::relative(&lamp.model, &lamp.model, &pose).expect("near");
        let mut bare = Bare::new(&lamp.tree, &pair);
        let [first, _] = bare.separation();
        assert!(bare.step());
        let [sum, less] = bare.separation();
        let level = &lamp.tree.spheres()[lamp.tree.spheres()[0].children.start as usize..];
        let least = level[..8].iter().map(|sphere| sphere.error).fold(f64::INFINITY, f64::min);
        assert!(less <= sum && sum < first && sum >= 2.0 * least, "{sum} {less} {first} {least}");
    }
}
