//! §8: penetration depth, and how it relates to the other queries.

use lab_report::scale::Scale;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::{Model, Pair, Pose, Scratch, Settings, Stats, Tolerance};
use nearhit_cases::generated;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes::{cuboid, icosphere, torus};

/// How far a body is moved along a line, in its radii.
const PLACES: [f64; 9] = [2.6, 2.3, 2.1, 2.0, 1.9, 1.7, 1.4, 1.0, 0.6];

/// Work of a query.
fn work(stats: Stats) -> f64 {
    (stats.volume_tests + stats.triangle_tests) as f64
}

/// Adds the table and the claims: two balls, and a ring and a box, from apart to deep.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§8: penetration depth beside the other queries");
    let fine = scale.pick(6, 16);
    let ball = Model::new(generated::mesh(&icosphere(fine)));
    let ring = Model::new(generated::mesh(&torus(4 * fine, 2 * fine, 0.7, 0.3)));
    let block = Model::new(generated::mesh(&cuboid([-0.6; 3], [0.6; 3])));
    let columns = [
        "middles apart",
        "touch",
        "collide",
        "distance",
        "local depth",
        "depth by translation",
        "local",
        "by translation",
    ];
    let (mut same, mut ordered, mut cases, mut negated, mut apart) = (true, true, 0, 0, 0);
    let mut costs = Vec::new();
    for (name, a, b) in [("two balls", &ball, &ball), ("a ring and a box", &ring, &block)] {
        let mut table = Table::new(format!("§8: tests of volumes and triangles, {name}"), &columns);
        let mut rng = Rng::new(38);
        let turns: Vec<_> = (0..scale.pick(3, 12)).map(|_| (rng.rotation(), rng.unit_vector())).collect();
        for place in PLACES {
            let mut sums = [0.0; 4];
            let (mut touching, mut depths) = (0, [0.0; 2]);
            for (rows, along) in &turns {
                let pose = Pose::from_rows(*rows, along.map(|part| part * place)).expect("a rotation");
                let pair = Pair::relative(a, b, &pose).expect("near");
                let (settings, mut scratch) = (Settings::default(), Scratch::new());
                let solid = pair.solid();
                let contact = solid.collide(&settings, &mut scratch);
                let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
                let local = solid.local_depth(Tolerance::EXACT, &settings, &mut scratch);
                let by = solid.translational_depth(&settings, &mut scratch).expect("closed");
                let touches = contact.verdict.known() == Some(true);
                touching += usize::from(touches);
                // Apart: a distance and no depth; what is left of the depth is below zero.
                same &= touches || local.depth <= 0.0 && by.upper == 0.0 && distance.upper > 0.0;
                apart += usize::from(!touches);
                negated += usize::from(!touches && (local.depth + distance.upper).abs() <= 1e-3);
                ordered &= local.depth <= by.upper * (1.0 + 1e-9);
                cases += 1;
                let of = [contact.stats, distance.stats, local.stats, by.stats];
                sums.iter_mut().zip(of).for_each(|(sum, stats)| *sum += work(stats));
                depths = [depths[0] + local.depth, depths[1] + by.upper];
            }
            let count = turns.len() as f64;
            let mean = |sum: f64, digits| Cell::Number(sum / count, digits);
            let row = [Cell::Number(place, 1), Cell::Count(touching as u64)];
            let tail = depths.map(|depth| mean(depth, 4));
            table.row(row.into_iter().chain(sums.map(|sum| mean(sum, 0))).chain(tail));
            costs.push((place, sums));
        }
        report.table(table);
    }
    let mut claim = |claim: &str, verdict, evidence| {
        report.claim(Claim { place: "§8, depth".into(), claim: claim.into(), verdict, evidence, counts_work: true });
    };
    claim(
        "Depth answers where distance does not: solids apart have a distance, and a depth of at most 0",
        Verdict::of(same),
        format!(
            "{apart} pairs apart of {cases}; in {negated} the local depth is the distance below 0, to a thousandth"
        ),
    );
    claim(
        "The deepest point is no deeper than the shortest translation apart",
        Verdict::of(ordered),
        format!("{cases} pairs"),
    );
    let deep = || costs.iter().filter(|(place, _)| *place < 1.9);
    let ratio =
        |of: usize| deep().map(|(_, sums)| sums[of]).sum::<f64>() / deep().map(|(_, sums)| sums[0]).sum::<f64>();
    let dearest = deep().all(|(_, sums)| sums[3] > sums[0] && sums[2] > sums[0]);
    claim(
        "A depth costs more than a contact",
        Verdict::of(dearest),
        format!(
            "where bodies overlap, tests over those of collide: distance {:.1}, local depth {:.1}, by translation {:.1}",
            ratio(1),
            ratio(2),
            ratio(3)
        ),
    );
}
