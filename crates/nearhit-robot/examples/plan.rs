//! A planning loop whose edges are proven: a rapidly-exploring random tree from one configuration
//! to another, around posts.
//!
//!     cargo run --release -p nearhit-robot --example plan [ROBOT.urdf]

use nearhit::{Pose, shape::Shape};
use nearhit_robot::{CheckOptions, CheckScratch, Checker, PathOptions, PathVerdict, Random, Robot};
use std::error::Error;

/// Bodies stay farther apart than this, in metres.
const CLEARANCE: f64 = 0.002;
/// Tests of pairs for one edge: what is not proven by then counts as blocked.
const BUDGET: u64 = 20_000;
/// Configurations that are tried.
const TRIES: usize = 20_000;

/// A tree of configurations; each but the first knows where it was reached from.
struct Tree {
    nodes: Vec<(Vec<f64>, usize)>,
}

impl Tree {
    fn nearest(&self, q: &[f64]) -> usize {
        let squared = |other: &[f64]| q.iter().zip(other).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
        let order =
            |one: &usize, other: &usize| squared(&self.nodes[*one].0).total_cmp(&squared(&self.nodes[*other].0));
        (0..self.nodes.len()).min_by(order).unwrap_or(0)
    }

    /// From the first node to the last.
    fn path(&self) -> Vec<Vec<f64>> {
        let (mut path, mut at) = (Vec::new(), self.nodes.len() - 1);
        loop {
            path.push(self.nodes[at].0.clone());
            if at == 0 {
                break;
            }
            at = self.nodes[at].1;
        }
        path.reverse();
        path
    }
}

/// How far the line from one configuration to another is certain, from 0 to 1.
fn certain(checker: &Checker, q0: &[f64], q1: &[f64], scratch: &mut CheckScratch) -> Result<f64, Box<dyn Error>> {
    let options = PathOptions::new().clearance(CLEARANCE).resolution(1e-3).budget(BUDGET);
    Ok(match checker.path_clear(q0, q1, &options, scratch)?.verdict {
        PathVerdict::Clear => 1.0,
        PathVerdict::Contact { after, .. } => after,
        PathVerdict::Undecided { certain_until, .. } => certain_until,
        _ => 0.0,
    })
}

/// A random configuration with room around it.
fn free(checker: &Checker, random: &mut Random, scratch: &mut CheckScratch) -> Result<Vec<f64>, Box<dyn Error>> {
    for _ in 0..TRIES {
        let q = checker.robot().random_configuration(random);
        if checker.closest(&q, scratch)?.is_none_or(|closest| closest.lower > 2.0 * CLEARANCE) {
            return Ok(q);
        }
    }
    Err("no free configuration was found".into())
}

fn plan(checker: &Checker, random: &mut Random) -> Result<Vec<Vec<f64>>, Box<dyn Error>> {
    let mut scratch = checker.scratch();
    let (start, goal) = (free(checker, random, &mut scratch)?, free(checker, random, &mut scratch)?);
    let mut tree = Tree { nodes: vec![(start, 0)] };
    for attempt in 0..TRIES {
        // Every tenth edge goes to the goal.
        let target = if attempt % 10 == 0 { goal.clone() } else { checker.robot().random_configuration(random) };
        let from = tree.nearest(&target);
        let q0 = tree.nodes[from].0.clone();
        let share = certain(checker, &q0, &target, &mut scratch)?;
        if share == 1.0 {
            tree.nodes.push((target, from));
            if attempt % 10 == 0 {
                return Ok(tree.path());
            }
        } else if share > 0.02 {
            // As far as it is certain, less a little: the next edge needs room to start.
            let q: Vec<f64> = q0.iter().zip(&target).map(|(x, y)| x + (y - x) * 0.9 * share).collect();
            if certain(checker, &q0, &q, &mut scratch)? == 1.0 {
                tree.nodes.push((q, from));
            }
        }
    }
    Err("no path was found".into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let robot = std::env::args().nth(1).map_or_else(|| Ok(Robot::example()), |path| Robot::read(path.as_ref()))?;
    let mut checker = Checker::new(robot, CheckOptions::default())?;
    for (number, [x, y]) in [[0.45, 0.45], [-0.45, 0.45], [-0.45, -0.45], [0.45, -0.45]].into_iter().enumerate() {
        let place = Pose::from_translation([x, y, 0.5])?;
        checker.add_to_world(&format!("post {number}"), Shape::cylinder(0.03, 1.6)?, place)?;
    }
    let path = plan(&checker, &mut Random::new(1))?;
    println!("{} edges, each clear at every instant:", path.len() - 1);
    for q in &path {
        println!("  {q:.3?}");
    }
    Ok(())
}
