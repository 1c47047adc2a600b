//! nearhit beside FCL, Coal, parry and Embree, and PQP if its program is given, on any case folder.
//!
//! Every contender answers a few poses in turn, so that a busy machine is unfair to none; each such
//! group is asked twice and the second time counts, so that caches are warm for everyone. Answers
//! are compared, times are per query. `scripts/peers` makes the harnesses and runs this.

mod contender;
pub mod growth;
mod harness;
mod probes;
mod table;

use anyhow::Result;
use contender::{Answer, Contender, Made, Ours};
use harness::{Harness, PEERS, given};
use lab_report::Report;
use nearhit::{Mesh, Stats};
use nearhit_cases::folder::Case;
use probes::Probes;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What to compare.
#[derive(Debug)]
pub struct Options {
    /// Where the harnesses are.
    pub programs: PathBuf,
    /// Case folders.
    pub cases: Vec<PathBuf>,
    /// How long a contender may take for one question of one case; what it has answered by then
    /// counts.
    pub seconds: f64,
    /// Only these questions, if any are named.
    pub questions: Vec<String>,
}

/// The questions there are, in the order of the report.
pub const QUESTIONS: &[&str] = &["collide", "contacts", "distance", "within", "warm", "ray", "point"];

/// Poses a turn: few enough to share a disturbance, enough to make up for the change.
const GROUP: usize = 20;
const PROBES: usize = 2000;

/// Everything that was measured on one case.
struct Measured {
    case: String,
    triangles: usize,
    made: Vec<(String, Made)>,
    questions: BTreeMap<&'static str, Compared>,
}

/// One question of one case, by contender; ours first. An answer is missing where time was over or
/// the peer has no such question.
struct Compared {
    names: Vec<String>,
    answers: Vec<Vec<Option<Answer>>>,
    /// Of ours, in all.
    stats: Stats,
    /// Answers that differ by no more than this are the same.
    tolerance: f64,
}

/// Runs the comparison.
pub fn run(options: &Options) -> Result<Report> {
    let mut all = Vec::new();
    for folder in &options.cases {
        eprintln!("{}", folder.display());
        all.push(measure(folder, options)?);
    }
    Ok(table::report(&all))
}

fn measure(folder: &Path, options: &Options) -> Result<Measured> {
    let case = Case::load(folder)?;
    let file = std::env::temp_dir().join(format!("nearhit-probes-{}.txt", std::process::id()));
    let probes = Probes::about(&case.a, PROBES, &file)?;
    let mut ours = Ours::new(&case, &probes);
    let mut peers: Vec<Harness> = Vec::new();
    for peer in given().iter().chain(PEERS) {
        match Harness::start(peer, &options.programs, folder) {
            Ok(harness) => peers.push(harness),
            Err(error) => eprintln!("  without {}: {error:#}", peer.0),
        }
    }
    let mut questions = BTreeMap::new();
    for &question in QUESTIONS {
        if options.questions.is_empty() || options.questions.iter().any(|named| named == question) {
            eprintln!("  {question}");
            let about_poses = !matches!(question, "ray" | "point");
            let count = if about_poses { case.poses.len() } else { PROBES };
            let asked = match question {
                "within" => format!("within:{:e}", 0.01 * diagonal(&case.a)),
                "ray" | "point" => format!("{question}:{}", probes.file.display()),
                _ => question.to_owned(),
            };
            let tolerance = 1e-5 * diagonal(&case.a);
            questions.insert(question, compare(&asked, count, tolerance, options.seconds, &mut ours, &mut peers)?);
        }
    }
    std::fs::remove_file(&file)?;
    let mut made = vec![("nearhit".to_owned(), ours.made())];
    made.extend(contender::fast_builds(&case)?);
    made.extend(peers.iter().map(|peer| (peer.name().to_owned(), peer.made())));
    let triangles = case.a.triangles().len() + case.b.triangles().len();
    Ok(Measured { case: case.name, triangles, made, questions })
}

fn compare(
    question: &str,
    count: usize,
    tolerance: f64,
    seconds: f64,
    ours: &mut Ours<'_>,
    peers: &mut [Harness],
) -> Result<Compared> {
    // For a warm start the last pose must be near: all in one go. Of the peers only one that is
    // given may have it.
    let group = if question == "warm" { count } else { GROUP };
    let before = ours.stats;
    let mut contenders: Vec<&mut dyn Contender> = vec![ours];
    contenders.extend(peers.iter_mut().map(|peer| peer as &mut dyn Contender));
    let names: Vec<String> = contenders.iter().map(|contender| contender.name().to_owned()).collect();
    let mut answers: Vec<Vec<Option<Answer>>> = vec![vec![None; count]; names.len()];
    let mut left: Vec<f64> = vec![seconds; names.len()];
    if question == "warm" {
        let cold = |name: &String| harness::GIVEN.1 != name.as_str();
        left.iter_mut().zip(&names).skip(1).filter(|(_, name)| cold(name)).for_each(|(left, _)| *left = 0.0);
    }
    // Whoever takes long for one answer is asked for one at a time, so that it can be stopped.
    let mut turns = vec![1; names.len()];
    for first in spread(count.div_ceil(group)).map(|place| place * group) {
        let end = count.min(first + group);
        for (index, contender) in contenders.iter_mut().enumerate() {
            let mut at = first;
            while at < end && left[index] > 0.0 {
                let turn = if question == "warm" { group } else { turns[index].min(end - at) };
                let start = Instant::now();
                let Some(mut found) = contender.ask(question, at, turn)? else {
                    left[index] = 0.0;
                    break;
                };
                let quick = start.elapsed().as_secs_f64() < 1e-3 * seconds * turn as f64;
                if quick {
                    found = contender.ask(question, at, turn)?.unwrap_or_default();
                }
                turns[index] = if quick { group } else { 1 };
                left[index] -= start.elapsed().as_secs_f64();
                for answer in found {
                    answers[index][at] = Some(answer);
                    at += 1;
                }
            }
        }
    }
    let mut stats = Stats::default();
    stats.volume_tests = ours.stats.volume_tests - before.volume_tests;
    stats.triangle_tests = ours.stats.triangle_tests - before.triangle_tests;
    Ok(Compared { names, answers, stats, tolerance })
}

/// 0 .. count in an order that is even over the whole wherever it is cut off.
fn spread(count: usize) -> impl Iterator<Item = usize> {
    let stride = (1..=count).rev().find(|stride| stride * 8 <= count * 5 && gcd(*stride, count) == 1).unwrap_or(1);
    (0..count).map(move |index| index * stride % count)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn diagonal(mesh: &Mesh) -> f64 {
    let vertices = mesh.vertices();
    let low = vertices.iter().copied().reduce(glam::DVec3::min).unwrap_or_default();
    let high = vertices.iter().copied().reduce(glam::DVec3::max).unwrap_or_default();
    (high - low).length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_comes_once() {
        for count in 1..200 {
            let mut seen: Vec<usize> = spread(count).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..count).collect::<Vec<_>>());
        }
    }
}
