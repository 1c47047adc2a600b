//! What does a level of a tree look like? Volumes are known by their support maps alone, so that a
//! new one is drawn without a line here.

use crate::scene::Scene;
use glam::DVec3;
use nearhit::research::ModelExt;
use nearhit::research::hierarchy::Hierarchy;
use nearhit::research::hierarchy::TreeOperation;
use nearhit::research::volume::Support;
use nearhit::research::{UnknownVolume, VolumeKind};
use serde::{Deserialize, Serialize};

/// Which volumes.
#[derive(Debug, Deserialize)]
pub(crate) struct Ask {
    body: usize,
    volume: String,
    level: usize,
}

/// Points whose convex hull is the volume, in the body's frame.
#[derive(Debug, Serialize)]
pub(crate) struct Drawn {
    /// How many levels there are.
    levels: usize,
    /// How many volumes the level has; leaves above it are shown with it, as they cover their part
    /// of the body.
    nodes: usize,
    hulls: Vec<Vec<f32>>,
}

/// No more volumes are drawn.
const MOST: usize = 1500;

pub(crate) fn drawn(scene: &Scene, ask: &Ask) -> Result<Drawn, String> {
    if ask.body > 1 {
        return Err(format!("there is no body {}", ask.body));
    }
    let volume: VolumeKind = ask.volume.parse().map_err(|error: UnknownVolume| error.to_string())?;
    let models = scene.trees(volume).ok_or("this volume has no trees")?;
    Ok(models[ask.body].hierarchy().with(Draw { level: ask.level }))
}

struct Draw {
    level: usize,
}

impl TreeOperation for Draw {
    type Output = Drawn;

    fn run<V: Support>(self, tree: &Hierarchy<V>) -> Drawn {
        let depths = depths(tree);
        let levels = depths.iter().max().map_or(1, |deepest| *deepest as usize + 1);
        let shown = |&(id, depth): &(usize, &u32)| {
            let depth = *depth as usize;
            depth == self.level || depth < self.level && tree.nodes()[id].is_leaf()
        };
        let nodes: Vec<usize> = depths.iter().enumerate().filter(shown).map(|(id, _)| id).collect();
        let drawn = &nodes[..nodes.len().min(MOST)];
        // A few large volumes are drawn round, many small ones roughly.
        let directions = directions(match drawn.len() {
            0..=16 => 400,
            17..=128 => 160,
            _ => 64,
        });
        let hull = |&id: &usize| hull(&tree.nodes()[id].volume, &directions);
        Drawn { levels, nodes: nodes.len(), hulls: drawn.iter().map(hull).collect() }
    }
}

/// Points whose convex hull is the volume, three numbers each.
pub(crate) fn hull<V: Support>(volume: &V, directions: &[DVec3]) -> Vec<f32> {
    let mut points: Vec<[f32; 3]> = Vec::new();
    for &direction in directions {
        let point = volume.support(direction).to_array().map(|x| x as f32);
        if !points.contains(&point) {
            points.push(point);
        }
    }
    points.concat()
}

/// How far each node is from the root.
fn depths<V: Support>(tree: &Hierarchy<V>) -> Vec<u32> {
    let mut depths = vec![0; tree.nodes().len()];
    for (id, node) in tree.nodes().iter().enumerate() {
        if let nearhit::research::hierarchy::Content::Children(children) = node.content() {
            children.for_each(|child| depths[child as usize] = depths[id] + 1);
        }
    }
    depths
}

/// Spread evenly, none along an axis: a spiral from pole to pole.
pub(crate) fn directions(count: usize) -> Vec<DVec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..count)
        .map(|i| {
            let z = 1.0 - (2.0 * i as f64 + 1.0) / count as f64;
            let (sine, cosine) = (golden * i as f64 + 0.1).sin_cos();
            let radius = (1.0 - z * z).sqrt();
            DVec3::new(radius * cosine, radius * sine, z)
        })
        .collect()
}
