//! §5 and §10: the earlier method of O'Rourke and Badler (1979), and coverage of sample points
//! only, beside the paper's trees.
//!
//! The earlier method: to each of some points on the surface a big sphere is anchored, inside, and
//! shrunk until it bounds none of the others. Coverage by samples: the spheres of a level of the
//! paper's tree, each as small as the sample points that are nearest to it allow. What of the
//! surface is then outside of all spheres?

use super::models::lamp;
use glam::DVec3;
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{SearchEffort, Side, SphereMethod, SphereOptions, inaccuracy};
use nearhit::{Mesh, Model, SphereTree};
use nearhit_testkit::rng::Rng;
use rayon::prelude::*;

/// A point of the surface and the way out there.
#[derive(Debug, Clone, Copy)]
struct Sample {
    point: DVec3,
    normal: DVec3,
}

type Ball = (DVec3, f64);

/// Points evenly distributed by area.
fn samples(mesh: &Mesh, count: usize, rng: &mut Rng) -> Vec<Sample> {
    let triangles: Vec<[DVec3; 3]> = (0..mesh.triangles().len() as u32).map(|index| mesh.triangle(index)).collect();
    let mut areas = Vec::with_capacity(triangles.len());
    let mut sum = 0.0;
    for [a, b, c] in &triangles {
        sum += (*b - *a).cross(*c - *a).length();
        areas.push(sum);
    }
    let sample = |rng: &mut Rng| {
        let [a, b, c] = triangles[areas.partition_point(|&area| area < sum * rng.f64()).min(triangles.len() - 1)];
        let (mut u, mut v) = (rng.f64(), rng.f64());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        Sample { point: a + (b - a) * u + (c - a) * v, normal: (b - a).cross(c - a).normalize_or_zero() }
    };
    (0..count).map(|_| sample(rng)).collect()
}

/// The sphere of a point by the earlier method: inside, through the point, around no other.
fn anchored(at: &Sample, all: &[Sample], big: f64) -> Ball {
    let mut radius = big;
    for other in all {
        let from = at.point - other.point;
        let along = from.dot(at.normal);
        // The ball through the point and the other, with its middle on the normal.
        if along > 0.0 {
            radius = radius.min(from.length_squared() / (2.0 * along));
        }
    }
    (at.point - at.normal * radius, radius)
}

/// Each ball as small as the points that are nearest to it allow.
fn by_samples(balls: &[Ball], points: &[Sample]) -> Vec<Ball> {
    let mut radii = vec![0.0_f64; balls.len()];
    for sample in points {
        let beyond = |ball: &Ball| sample.point.distance(ball.0) - ball.1;
        let nearest = (0..balls.len()).min_by(|&p, &q| beyond(&balls[p]).total_cmp(&beyond(&balls[q])));
        if let Some(nearest) = nearest {
            radii[nearest] = radii[nearest].max(sample.point.distance(balls[nearest].0));
        }
    }
    balls.iter().zip(radii).filter(|(_, radius)| *radius > 0.0).map(|(ball, radius)| (ball.0, radius)).collect()
}

/// The share of some points that no ball holds.
fn uncovered(balls: &[Ball], points: &[Sample], hair: f64) -> f64 {
    let held = |sample: &&Sample| balls.iter().any(|ball| sample.point.distance(ball.0) <= ball.1 + hair);
    1.0 - points.par_iter().filter(held).count() as f64 / points.len() as f64
}

/// Average and largest inaccuracy, in radii of the bounding sphere.
fn inaccuracies(model: &Model, balls: &[Ball], root: f64) -> [f64; 2] {
    let effort = SearchEffort { relative: 0.05, most: 500 };
    let found: Vec<f64> = balls
        .par_iter()
        .map(|&(center, radius)| inaccuracy(model, center, radius, Side::Both, effort).upper / root)
        .collect();
    [found.iter().sum::<f64>() / found.len() as f64, found.into_iter().fold(0.0, f64::max)]
}

fn level(tree: &SphereTree, level: usize) -> Vec<Ball> {
    tree.level(level).iter().map(|sphere| (sphere.center, sphere.radius)).collect()
}

/// Adds the table and the claims.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§5 and §10: coverage, and the earlier method");
    progress::begins("coverage");
    let lamp = lamp(scale);
    let (model, root) = (&lamp.model, lamp.tree.spheres()[0].radius);
    let (count, checked) = scale.pick((200, 4_000), (1_000, 100_000));
    let mut rng = Rng::new(1979);
    let (points, dense) = (samples(model.mesh(), count, &mut rng), samples(model.mesh(), checked, &mut rng));
    let octree = SphereTree::build(model, &SphereOptions::new().method(SphereMethod::Octree).depth(3));
    let deep = level(&SphereTree::build(model, &SphereOptions::paper().depth(3).points(count)), 3);
    let earlier: Vec<Ball> = points.iter().map(|at| anchored(at, &points, root)).collect();
    let ways = [
        ("O'Rourke and Badler, inside", earlier),
        ("the paper's level 3, points covered only", by_samples(&deep, &points)),
        ("the paper's level 3", deep),
        ("octree, level 3", level(&octree, 3)),
    ];
    let columns = ["spheres", "how many", "average inaccuracy", "maximum", "surface outside of all, %"];
    let title = format!("§5, §10: a lamp of 626 triangles, {count} points; {checked} others looked for");
    let mut table = Table::new(title, &columns);
    let measured = ways.map(|(name, balls)| {
        let ([average, most], outside) = (inaccuracies(model, &balls, root), uncovered(&balls, &dense, 1e-9 * root));
        table.row([
            name.into(),
            Cell::Count(balls.len() as u64),
            Cell::Number(average, 4),
            Cell::Number(most, 4),
            Cell::Number(100.0 * outside, 2),
        ]);
        (average, outside)
    });
    report.table(table);
    let [earlier, loose, full, _] = measured;
    let mut claim = |place: &str, claim: &str, holds: bool, evidence: String| {
        let (place, claim) = (place.into(), claim.into());
        report.claim(Claim { place, claim, verdict: Verdict::of(holds), evidence, counts_work: true });
    };
    claim(
        "§10",
        "Spheres of the earlier method fit inside and leave some of the surface out; those of the paper's level cover all of it",
        earlier.1 > 0.0 && full.1 == 0.0,
        format!("{:.2} % and {:.2} % of the surface are outside of all spheres", 100.0 * earlier.1, 100.0 * full.1),
    );
    claim(
        "§5",
        "Coverage of sample points is looser: it leaves some of the surface out, and its spheres are more accurate",
        loose.1 > 0.0 && loose.0 < full.0,
        format!(
            "{:.2} % of the surface are outside; average inaccuracy {:.4} for {:.4} of the fully conservative",
            100.0 * loose.1,
            loose.0,
            full.0
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_cases::generated;
    use nearhit_testkit::shapes::icosphere;

    /// Of a ball no anchored sphere is larger than the ball, and none bounds another point; after
    /// shrinking to samples all samples are covered.
    #[test]
    fn spheres_of_a_ball() {
        let mesh = generated::mesh(&icosphere(8));
        let points = samples(&mesh, 300, &mut Rng::new(3));
        let balls: Vec<Ball> = points.iter().map(|at| anchored(at, &points, 10.0)).collect();
        for (center, radius) in &balls {
            // Smaller where a face ends: the next one is bent away.
            assert!((1e-6..1.1).contains(radius), "{radius}");
            assert!(points.iter().all(|at| at.point.distance(*center) >= radius * (1.0 - 1e-12)));
        }
        let half: Vec<Ball> = balls.iter().step_by(30).map(|ball| (ball.0, ball.1 * 2.0)).collect();
        assert_eq!(uncovered(&by_samples(&half, &points), &points, 1e-12), 0.0);
        assert!(uncovered(&[(DVec3::X, 1.0)], &points, 0.0) > 0.5);
    }
}
