//! Do they touch, where, how far apart are they? In places that the page tells.

use crate::scene::Scene;
use nearhit::{Pair, Pose, Scratch, Settings, Stats, Tolerance, TrianglePair};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Where a body is: a unit quaternion and a translation.
#[derive(Debug, Clone, Copy, Deserialize, Serialize)]
pub(crate) struct Place {
    pub(crate) rotation: [f64; 4],
    pub(crate) translation: [f64; 3],
}

impl Place {
    /// The quaternion may have any length but zero: a gizmo's turns add up.
    pub(crate) fn pose(&self) -> Result<Pose, String> {
        let length = self.rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
        Pose::from_quaternion(self.rotation.map(|x| x / length), self.translation).map_err(|error| error.to_string())
    }

    pub(crate) fn new(pose: &Pose) -> Self {
        let rotation = glam::DQuat::from_mat3(&pose.rotation()).to_array();
        Self { rotation, translation: pose.translation().to_array() }
    }
}

/// What the page asks.
#[derive(Debug, Deserialize)]
pub(crate) struct Ask {
    pub(crate) places: [Place; 2],
}

impl Ask {
    pub(crate) fn poses(&self) -> Result<[Pose; 2], String> {
        Ok([self.places[0].pose()?, self.places[1].pose()?])
    }
}

/// What it is told. Points are in the world.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    /// Where the bodies are that this is about.
    places: [Place; 2],
    distance: f64,
    touching: bool,
    points: [[f64; 3]; 2],
    triangles: [u32; 2],
    contacts: usize,
    /// Triangles in contact of each body.
    red: [Vec<u32>; 2],
    /// Ends of what pairs of triangles share.
    segments: Vec<[[f64; 3]; 2]>,
    n_v: u64,
    n_p: u64,
    us: f64,
}

/// Contacts drawn; the rest are only counted.
const MOST_CONTACTS: usize = 4000;

pub(crate) fn answer(scene: &Scene, ask: &Ask) -> Result<Answer, String> {
    let poses = ask.poses()?;
    let [a, b] = &*scene.bodies;
    let pair = Pair::new(&a.model, &poses[0], &b.model, &poses[1]).map_err(|error| error.to_string())?;
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    let start = Instant::now();
    let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
    let us = start.elapsed().as_secs_f64() * 1e6;
    let Stats { volume_tests, triangle_tests, .. } = distance.stats;
    let contacts: Vec<TrianglePair> = match distance.upper {
        0.0 => pair.contacts(&settings, &mut scratch).pairs.to_vec(),
        _ => Vec::new(),
    };
    let world = |point| poses[0].apply(point).to_array();
    let drawn = &contacts[..contacts.len().min(MOST_CONTACTS)];
    let segments = drawn.iter().flat_map(|&triangles| {
        let shared = pair.overlap(triangles);
        let points: Vec<[f64; 3]> = shared.points().iter().map(|&point| world(point)).collect();
        (0..points.len()).map(|i| [points[i], points[(i + 1) % points.len()]]).collect::<Vec<_>>()
    });
    Ok(Answer {
        places: ask.places,
        distance: distance.upper,
        touching: distance.upper == 0.0,
        points: [world(distance.on_a), world(distance.on_b)],
        triangles: [distance.witness.a, distance.witness.b],
        contacts: contacts.len(),
        segments: segments.collect(),
        red: [distinct(drawn.iter().map(|pair| pair.a)), distinct(drawn.iter().map(|pair| pair.b))],
        n_v: volume_tests,
        n_p: triangle_tests,
        us,
    })
}

fn distinct(triangles: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut list: Vec<u32> = triangles.collect();
    list.sort_unstable();
    list.dedup();
    list
}
