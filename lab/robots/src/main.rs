//! What nearhit says about a robot, for `lab/robots/oracle.py` to judge.
//!
//! ```text
//! robots kinematics ROBOT.urdf COUNT SEED    poses of all links at random configurations
//! robots check ROBOT.urdf COUNT SEED         how many of random configurations collide
//! robots first|distances ROBOT.urdf ROBOT.srdf COUNT ROUNDS    only asks, for a profiler
//! robots balls ROBOT.urdf SPHERIZED.urdf     sphere models beside those of another file
//! ```
//!
//! The first prints a line of JSON that names everything, then little-endian doubles: for each
//! configuration the value of every joint of one coordinate, then for every link the rows of its
//! rotation and its translation.

mod balls;

use anyhow::{Context, Result, bail};
use nearhit::Pose;
use nearhit_robot::{CheckOptions, Checker, LoadGeometry, Random, ReadOptions, Robot, Solids};
use std::io::Write;
use std::path::Path;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["kinematics", path, count, seed] => kinematics(Path::new(path), count.parse()?, seed.parse()?),
        ["check", path, count, seed] => check(Path::new(path), count.parse()?, seed.parse()?),
        [what @ ("first" | "distances"), urdf, srdf, count, rounds] => {
            ask(what == "first", urdf.as_ref(), srdf.as_ref(), count.parse()?, rounds.parse()?)
        }
        ["balls", urdf, spherized] => balls::compare(urdf.as_ref(), spherized.as_ref()),
        _ => bail!("usage: robots kinematics|check ROBOT.urdf COUNT SEED"),
    }
}

fn kinematics(path: &Path, count: usize, seed: u64) -> Result<()> {
    let options = ReadOptions::new().geometry(LoadGeometry::Nothing);
    let robot = Robot::read_with(path, &options).context("the robot")?;
    let single: Vec<_> = robot.joints().iter().filter(|joint| joint.kind.coordinates() == 1).collect();
    let header = serde_json::json!({
        "joints": single.iter().map(|joint| &joint.name).collect::<Vec<_>>(),
        "links": robot.links().iter().map(|link| &link.name).collect::<Vec<_>>(),
        "ignored": robot.ignored().len(),
        "coordinates": robot.coordinates(),
    });
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    writeln!(out, "{header}")?;
    let mut random = Random::new(seed);
    let mut poses = vec![Pose::IDENTITY; robot.links().len()];
    for _ in 0..count {
        let q = robot.random_configuration(&mut random);
        robot.link_poses(&q, &mut poses)?;
        let values = single.iter().map(|joint| match (joint.mimic, joint.first_coordinate) {
            (Some(mimic), _) => {
                let followed = robot.joints()[mimic.joint].first_coordinate.map_or(0.0, |first| q[first]);
                mimic.multiplier * followed + mimic.offset
            }
            (None, first) => first.map_or(0.0, |first| q[first]),
        });
        let rows = poses.iter().flat_map(|pose| {
            pose.rotation().transpose().to_cols_array().into_iter().chain(pose.translation().to_array())
        });
        for value in values.chain(rows) {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    Ok(())
}

/// Meshes are read and bodies made; the answers of both ways to ask must agree.
fn check(path: &Path, count: usize, seed: u64) -> Result<()> {
    let robot = Robot::read(path).context("the robot")?;
    let checker = Checker::new(robot, CheckOptions::default()).context("the robot's shapes")?;
    let (mut random, mut scratch, mut contacts) = (Random::new(seed), checker.scratch(), Vec::new());
    let mut colliding = 0;
    for _ in 0..count {
        let q = checker.robot().random_configuration(&mut random);
        checker.contacts(&q, &mut scratch, &mut contacts)?;
        if checker.collides(&q, &mut scratch)? == contacts.is_empty() {
            bail!("contacts and collides disagree at {q:?}");
        }
        colliding += usize::from(!contacts.is_empty());
    }
    let (bodies, pairs) = (checker.bodies().len(), checker.pairs().len());
    println!("{bodies} bodies, {pairs} pairs, {colliding} of {count} configurations collide");
    Ok(())
}

/// Asks the same of random configurations, in rounds, of surfaces as other libraries have them.
fn ask(first: bool, urdf: &Path, srdf: &Path, count: usize, rounds: usize) -> Result<()> {
    let mut robot = Robot::read(urdf).context("the robot")?;
    robot.read_srdf(srdf).context("the SRDF")?;
    let checker = Checker::new(robot, CheckOptions::new().solids(Solids::Surface))?;
    let (mut random, mut scratch, mut found) = (Random::new(1), checker.scratch(), Vec::new());
    let all: Vec<_> = (0..count).map(|_| checker.robot().random_configuration(&mut random)).collect();
    let mut best = f64::INFINITY;
    let mut sum = 0.0;
    for _ in 0..rounds {
        let start = std::time::Instant::now();
        for q in &all {
            if first {
                sum += f64::from(checker.collides(q, &mut scratch)?);
            } else {
                checker.distances(q, &mut scratch, &mut found)?;
                sum += found.iter().map(|distance| distance.upper).sum::<f64>();
            }
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{} pairs, {:.2} µs a configuration, sum {sum}", checker.pairs().len(), best / count as f64 * 1e6);
    Ok(())
}
