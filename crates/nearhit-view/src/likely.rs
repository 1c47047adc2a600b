//! Where do two bodies likely touch? The likely pairs of an average-case search by the rule of
//! Klein and Zachmann (2003, Figure 13) with estimates tuned here (ADR 16).

use crate::answer::{self, Place};
use crate::scene::Scene;
use crate::volumes::{directions, hull};
use nearhit::research::PairExt;
use nearhit::research::adb::{LikelyPair, Quality};
use nearhit::research::hierarchy::{Hierarchy, TreeOperation};
use nearhit::research::volume::Support;
use nearhit::research::{ModelExt, VolumeKind};
use nearhit::{Budget, Pair, Scratch, Settings};
use serde::Serialize;

/// What the page is told.
#[derive(Debug, Serialize)]
pub(crate) struct Likely {
    /// Where the bodies are that this is about.
    places: [Place; 2],
    /// That they touch, calibrated.
    probability: f64,
    /// Of each pair, in the order found: that it holds triangles that meet.
    pairs: Vec<f64>,
    /// The volumes of the pairs, of each body: points whose convex hull one is, in its frame.
    hulls: [Vec<Vec<f32>>; 2],
}

/// A search ends after so many tests.
const LONGEST: u64 = 2_000;

pub(crate) fn likely(scene: &Scene, ask: &answer::Ask) -> Result<Likely, String> {
    let poses = ask.poses()?;
    let models = scene.trees(VolumeKind::Obb).ok_or("there are no trees of oriented boxes")?;
    let tables = scene.averages(models);
    let pair = Pair::new(&models[0], &poses[0], &models[1], &poses[1]).map_err(|error| error.to_string())?;
    let averaged = pair.averaged(&tables[0], &tables[1]).map_err(|error| error.to_string())?;
    let mut scratch = Scratch::new();
    let settings = Settings::new().budget(Budget::work(LONGEST));
    let estimate = averaged.collide(&Quality::tuned(), &settings, &mut scratch);
    let of = |body: usize, node: fn(&LikelyPair) -> u32| {
        let nodes = estimate.likely.iter().map(node).collect();
        models[body].hierarchy().with(Hulls { nodes })
    };
    Ok(Likely {
        places: ask.places,
        probability: estimate.probability(),
        pairs: estimate.likely.iter().map(|pair| pair.probability).collect(),
        hulls: [of(0, |pair| pair.nodes.a), of(1, |pair| pair.nodes.b)],
    })
}

struct Hulls {
    nodes: Vec<u32>,
}

impl TreeOperation for Hulls {
    type Output = Vec<Vec<f32>>;

    fn run<V: Support>(self, tree: &Hierarchy<V>) -> Self::Output {
        let directions = directions(64);
        self.nodes.iter().map(|&node| hull(&tree.node(node).volume, &directions)).collect()
    }
}
