//! Collision, contacts and distance at the poses that the page asks about.

use crate::scene::Scene;
use nearhit::report::{self, Contact, Placement, Witness, Work};
use nearhit::{Pose, Scratch, Settings, Tolerance, TrianglePair};
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
    /// The closest triangles and points.
    #[serde(flatten)]
    witness: Witness,
    contacts: usize,
    /// Triangles in contact of each body.
    red: [Vec<u32>; 2],
    /// Ends of what pairs of triangles share.
    segments: Vec<[[f64; 3]; 2]>,
    #[serde(flatten)]
    work: Work,
    us: f64,
}

/// Contacts drawn; the rest are only counted.
const MOST_CONTACTS: usize = 4000;

pub(crate) fn answer(scene: &Scene, ask: &Ask) -> Result<Answer, String> {
    let poses = ask.poses()?;
    let [a, b] = &*scene.bodies;
    let placement = Placement::new(&a.model, &poses[0], &b.model, &poses[1]).map_err(|error| error.to_string())?;
    let pair = placement.pair();
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    let start = Instant::now();
    let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
    let us = start.elapsed().as_secs_f64() * 1e6;
    let contacts: Vec<TrianglePair> = match distance.upper {
        0.0 => pair.contacts(&settings, &mut scratch).pairs.to_vec(),
        _ => Vec::new(),
    };
    let report = report::Distance::new(&placement, &distance);
    let drawn = &contacts[..contacts.len().min(MOST_CONTACTS)];
    let segments = drawn.iter().flat_map(|&triangles| {
        let Contact { points, .. } = Contact::new(&placement, triangles);
        (0..points.len()).map(|i| [points[i], points[(i + 1) % points.len()]]).collect::<Vec<_>>()
    });
    Ok(Answer {
        places: ask.places,
        distance: report.interval.upper,
        touching: report.collides == Some(true),
        witness: report.witness,
        contacts: contacts.len(),
        segments: segments.collect(),
        red: [distinct(drawn.iter().map(|pair| pair.a)), distinct(drawn.iter().map(|pair| pair.b))],
        work: report.work,
        us,
    })
}

fn distinct(triangles: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut list: Vec<u32> = triangles.collect();
    list.sort_unstable();
    list.dedup();
    list
}
