//! Wrong distances of hulls: thousands of random pairs as in MuJoCo's issue 3383, where 103 of
//! 3,000 pairs that are clearly apart were told to touch. Seed and number are those of the issue;
//! the bodies are drawn here, as its script is not ours to copy.
//!
//! The truth about a pair is not ours alone: it must be certified by points and a plane that are
//! checked here from the corners.

use super::bodies::Body;
use super::contender::{self, Peer};
use super::pairs::Placed;
use anyhow::{Result, ensure};
use lab_report::{Cell, Report, Table};
use nearhit::Pose;
use nearhit::shape::ShapePair;
use nearhit_datasets::rng::Rng;
use std::path::Path;

const SEED: u64 = 7;
const PAIRS: usize = 3000;
/// An answer off by more than this, in metres, is wrong.
const TOLERANCE: f64 = 1e-4;

/// What each library got wrong.
pub fn run(programs: &Path) -> Result<Report> {
    let (bodies, pairs) = draw()?;
    let truths: Vec<f64> = pairs.iter().map(|pair| truth(&bodies, pair)).collect::<Result<_>>()?;
    let file = super::write(&bodies, &pairs)?;
    let mut report = Report::new("Distances of hulls");
    let apart = truths.iter().filter(|&&truth| truth > 0.0).count();
    report.text(format!(
        "{PAIRS} pairs of random hulls of 8 to 40 corners, 5 to 80 cm large, {apart} of them apart. The truth is an interval below 1e-12 m whose lower end is the gap along a direction and whose upper end is the distance of two \
         points, both checked from the corners. Wrong: off by more than {TOLERANCE} m.",
    ));
    let mut table = Table::new(
        "Wrong answers",
        &["library", "pairs", "apart, said to touch", "otherwise off", "touching, said to be apart", "worst, m"],
    );
    let ours: Vec<f64> = pairs.iter().map(|pair| distance(&bodies, pair)).collect();
    table.row(cells("nearhit", &truths, &ours));
    let mut programs: Vec<(&'static str, std::path::PathBuf)> =
        contender::PEERS.iter().map(|(name, program)| (*name, programs.join(program))).collect();
    programs.push(("mujoco", programs[0].1.with_file_name("mujoco-shapes")));
    for (name, program) in programs {
        match Peer::start(name, &program, &file) {
            Ok(mut peer) => {
                let answers: Vec<f64> = (0..pairs.len())
                    .map(|index| {
                        Ok(peer
                            .answers("distance", index)?
                            .and_then(|found| found.first().copied())
                            .unwrap_or(f64::NAN))
                    })
                    .collect::<Result<_>>()?;
                table.row(cells(name, &truths, &answers));
            }
            Err(error) => eprintln!("without {name}: {error:#}"),
        }
    }
    std::fs::remove_file(&file)?;
    report.table(table);
    Ok(report)
}

fn draw() -> Result<(Vec<Body>, Vec<Placed>)> {
    let mut rng = Rng::new(SEED);
    let (mut bodies, mut pairs) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        for _ in 0..2 {
            let sizes: [f64; 3] = std::array::from_fn(|_| rng.range(0.025, 0.4));
            let count = 8 + rng.below(33);
            let points: Vec<[f64; 3]> = (0..count)
                .map(|_| rng.point(-1.0, 1.0))
                .map(|point| std::array::from_fn(|axis| (point[axis] * sizes[axis] * 1e6).round() * 1e-6))
                .collect();
            bodies.push(Body::hull("hull", &points)?);
        }
        let far = rng.range(0.1, 1.2);
        let away = rng.unit_vector().map(|x| x * far);
        let pose = Pose::from_rows(rng.rotation(), away)?;
        let (a, b) = (bodies.len() - 2, bodies.len() - 1);
        // All of them are asked about, so none is listed as touching.
        pairs.push(Placed { a, b, touching: 0, poses: vec![pose] });
    }
    Ok((bodies, pairs))
}

fn distance(bodies: &[Body], pair: &Placed) -> f64 {
    contender::answers("distance", bodies, pair)[0]
}

/// The distance, checked: 0 where the hulls touch.
fn truth(bodies: &[Body], pair: &Placed) -> Result<f64> {
    let (a, b) = (&bodies[pair.a].shape, &bodies[pair.b].shape);
    let pose = &pair.poses[0];
    let Some(plane) = ShapePair::relative(a, b, pose)?.separating_plane(None) else { return Ok(0.0) };
    let upper = distance(bodies, pair);
    let along = |corner: glam::DVec3| plane.normal.dot(corner);
    let high = a.corners().into_iter().map(along).fold(f64::NEG_INFINITY, f64::max);
    let low = b.corners().into_iter().map(|corner| along(pose.apply(corner))).fold(f64::INFINITY, f64::min);
    ensure!(high <= plane.above_a && low >= plane.below_b && low > high, "{plane:?} does not separate");
    ensure!(upper >= (low - high) - 1e-12, "{upper} is less than the gap along {plane:?}");
    Ok(upper)
}

fn cells(name: &str, truths: &[f64], answers: &[f64]) -> Vec<Cell> {
    // What is not a number is wrong, too.
    let off = |(truth, answer): (&f64, &f64)| (truth - answer).abs() > TOLERANCE || answer.is_nan();
    let both = || truths.iter().zip(answers);
    let known = answers.iter().filter(|answer| !answer.is_nan()).count();
    let touch = both().filter(|&(truth, answer)| off((truth, answer)) && *truth > 0.0 && *answer == 0.0).count();
    let apart = both().filter(|&(truth, answer)| off((truth, answer)) && *truth == 0.0).count();
    let all = both().filter(|&pair| off(pair)).count();
    let worst = both().map(|(truth, answer)| (truth - answer).abs()).fold(0.0, f64::max);
    [known, touch, all - touch - apart, apart]
        .into_iter()
        .map(|count| Cell::Count(count as u64))
        .fold(vec![Cell::from(name)], |mut cells, cell| {
            cells.push(cell);
            cells
        })
        .into_iter()
        .chain([Cell::from(format!("{worst:.1e}"))])
        .collect()
}
