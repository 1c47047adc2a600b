//! Placed pairs: poses of b in a's frame, those that touch first.

use super::bodies::Body;
use anyhow::{Result, ensure};
use nearhit::shape::ShapePair;
use nearhit::{Pose, Scratch, Settings, Verdict};
use nearhit_datasets::rng::{Rng, axis_angle_to_rows};
use std::fmt::Write;

/// Two bodies by their numbers, and where b lies.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) touching: usize,
    pub(super) poses: Vec<Pose>,
}

/// So many poses that touch, and as many that do not.
const EACH: usize = 100;

impl Placed {
    /// At random, about as far apart as the bodies are large.
    pub(super) fn at_random(bodies: &[Body], a: usize, b: usize, rng: &mut Rng) -> Result<Self> {
        let reach = bodies[a].radius + bodies[b].radius;
        let (mut touching, mut apart) = (Vec::new(), Vec::new());
        for _ in 0..100_000 {
            let far = rng.range(0.1, 1.8) * reach;
            let away = rng.unit_vector().map(|x| x * far);
            let pose = Pose::from_rows(rng.rotation(), away)?;
            let list = if touches(bodies, a, b, &pose)? { &mut touching } else { &mut apart };
            if list.len() < EACH {
                list.push(pose);
            }
            if touching.len() == EACH && apart.len() == EACH {
                break;
            }
        }
        ensure!(apart.len() == EACH && touching.len() == EACH, "{} and {}", bodies[a].name, bodies[b].name);
        touching.append(&mut apart);
        Ok(Self { a, b, touching: EACH, poses: touching })
    }

    /// In small steps around a, turning, never in contact: what warm starts are for.
    pub(super) fn on_a_path(bodies: &[Body], a: usize, b: usize) -> Result<Self> {
        let reach = 1.1 * (bodies[a].radius + bodies[b].radius);
        let mut poses = Vec::new();
        for step in 0..2 * EACH {
            let turn = 0.02 * step as f64;
            let rows = axis_angle_to_rows([0.36, 0.48, 0.8], 1.3 * turn);
            let away = [reach * turn.cos(), reach * turn.sin(), 0.1 * reach];
            poses.push(Pose::from_rows(rows, away)?);
        }
        Ok(Self { a, b, touching: 0, poses })
    }

    /// As the harnesses read it.
    pub(super) fn text(&self) -> String {
        let (touching, apart) = (self.touching, self.poses.len() - self.touching);
        let mut text = format!("pair {} {} {touching} {apart}\n", self.a, self.b);
        for pose in &self.poses {
            let turn = pose.rotation();
            for row in [turn.row(0), turn.row(1), turn.row(2), pose.translation()] {
                write!(text, "{:e} {:e} {:e} ", row.x, row.y, row.z).expect("a string takes all");
            }
            text.push('\n');
        }
        text
    }
}

fn touches(bodies: &[Body], a: usize, b: usize, pose: &Pose) -> Result<bool> {
    let pair = ShapePair::relative(&bodies[a].shape, &bodies[b].shape, pose)?;
    Ok(pair.collide(&Settings::default(), &mut Scratch::new()).verdict == Verdict::Yes)
}
